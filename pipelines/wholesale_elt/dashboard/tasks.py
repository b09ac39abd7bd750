"""Tasks: what there is to do, each kind as rows of SQL: whom it is about, why, and the money.

The page makes the sentences. All days are counted to the day as of which the figures are.
"""

from collections.abc import Mapping

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table


def named(kind: str, key: str) -> str:
    """The names of a kind, one on all pages, as `<kind>_names`, joined by what has their keys."""
    names = f"{kind}_names"
    on = f"{names}.name_kind = '{kind}' and {names}.name_key = {key}"
    return f"wholesale_marts.dim_names as {names} on {on}"


NAMED_ORDERS = f"""
    create or replace temp view named_orders as
    select fct_orders.* replace (
        buyer_key as buyer_id, buyer_names.display_name as buyer_company_name,
        vendor_key as vendor_id, vendor_names.display_name as vendor_name
    )
    from wholesale_marts.fct_orders
    left join {named("buyer", "fct_orders.buyer_key")}
    left join {named("vendor", "fct_orders.vendor_key")}
"""
"""Orders with the keys of their buyer and vendor as ids, and with the names of these."""
OF_NAMED_ORDERS = frozenset({"fct_orders", "dim_names"})
MOST_ROWS = 500
"""Most rows of a kind, the most urgent first; its totals count all."""
CONFIRMED_WITHIN = 3
"""Days that a confirmation usually takes, where too few were seen to know."""
FEWEST = 5
"""So many confirmations must have been seen for their median to be what is usual."""
OLD_AFTER = 30
"""An order that waits for more days is no longer one to confirm, but one to decide on."""
OVERDUE_AFTER = 60
"""What was shipped and is unpaid for more days is one to remind of."""
RECENT_DAYS = 30
"""Lines sold below the list price are told of so many days."""
SPENT_WITHIN = 90
"""What a buyer spends in a month is a third of what it spent in so many days up to its last
purchase."""
WAITING = ("unconfirmed", "old", "overdue")
"""Kinds of which it is told how many days they wait."""
CHANGEABLE = "('waiting', 'accepted')"
SENT = "('sent', 'done')"
PASSED = "('accepted', 'sent', 'done', 'settled')"
"""What states of orders and payments mean by the settings; the last are those of which it is told
when an order comes to them."""
ORDERS = """
    orders as (
        select
            named_orders.*,
            named_orders.order_standing as standing,
            date_diff('day', named_orders.ordered_date, as_of.as_of_date) as waiting_days
        from named_orders
        cross join wholesale_marts.dim_as_of as as_of
        where named_orders.is_sale and named_orders.is_return is not true
    )
"""
"""Sales that are no returns, each with the days since it was made."""
BASKETS = f"""
    baskets as (
        select
            *,
            cast(
                sum(sub_total) over (
                    partition by buyer_id order by ordered_date
                    range between interval {SPENT_WITHIN - 1} days preceding and current row
                ) * 30 / {SPENT_WITHIN} as decimal(38, 2)
            ) as monthly_amount
        from orders
        where ordered_date is not null
        qualify row_number() over (
            partition by buyer_id order by ordered_at desc nulls last, order_id desc
        ) = 1
    )
"""
"""The last order of each buyer, with what the buyer spent in a month up to it."""
RHYTHM = f"""
    confirmations as (
        select date_diff('day', orders.ordered_date, cast(changes.observed_at as date)) as days
        from wholesale_marts.fct_order_status_changes as changes
        inner join orders using (order_id)
        where changes.field_name = 'order_status' and changes.standing_before = 'waiting'
            and changes.standing_after not in ('waiting', 'unknown')
        qualify row_number() over (partition by changes.order_id order by changes.observed_at) = 1
    ),
    rhythm as (
        select
            usual_days,
            greatest(coalesce(usual_days, {CONFIRMED_WITHIN}), 1) as late_after_days
        from (
            select case when count(days) >= {FEWEST} then quantile_disc(days, 0.5) end as usual_days
            from confirmations
        ) as observed
    )
"""
"""How long confirmations usually take, as observed."""
ORDER = """
    orders.order_id, orders.order_number, orders.buyer_id,
    orders.buyer_company_name as buyer_name, orders.vendor_id, orders.vendor_name,
    orders.order_status, orders.ordered_date, orders.waiting_days
"""
PRODUCT = """
    lines.product_id,
    case when lines.item_key is null then products.item_title else item_names.display_name end
        as item_title,
    case when products.product_id is null then lines.variant_title else products.variant_title end
        as variant_title,
    case when products.product_id is null then lines.sku else products.sku end as sku
"""
NAMED_PRODUCT = f"""
    left join wholesale_bi.rpt_catalogue as products on lines.product_id = products.product_id
    left join {named("item", "lines.item_key")}
"""
"""What the product of a line is called wherever it stands."""
UNACCEPTED = f"""
    with {ORDERS}, {RHYTHM}
    select {ORDER}, orders.sub_total as amount
    from orders cross join rhythm
    where orders.standing = 'waiting'
"""
TASKS: Mapping[str, str] = {
    "unknown_state": """
        select field_name, state, order_count, amount, cast(null as varchar) as buyer_id
        from wholesale_bi.rpt_order_states
        where standing = 'unknown' and order_count > 0
        order by amount desc nulls last, order_count desc, order_state_id
    """,
    "unconfirmed": f"""
        {UNACCEPTED} and orders.waiting_days > rhythm.late_after_days
            and orders.waiting_days <= {OLD_AFTER}
        order by orders.waiting_days desc, amount desc nulls last, orders.order_id
    """,
    "old": f"""
        with {ORDERS} select {ORDER}, orders.sub_total as amount from orders
        where orders.standing in {CHANGEABLE} and orders.waiting_days > {OLD_AFTER}
        order by orders.waiting_days desc, amount desc nulls last, orders.order_id
    """,
    "silent": f"""
        with {ORDERS}, {BASKETS},
        favourites as (
            select lines.order_id, {PRODUCT}
            from wholesale_marts.fct_order_lines as lines {NAMED_PRODUCT}
            where not lines.is_deleted
            qualify row_number() over (
                partition by lines.order_id
                order by lines.total_price desc nulls last, lines.line_number
            ) = 1
        )
        select
            late.buyer_id,
            buyer_names.display_name as buyer_name,
            late.account_manager_id,
            late.median_days_between_orders,
            late.late_after_days,
            late.days_since_last_order,
            late.last_ordered_date,
            baskets.order_id,
            baskets.order_number,
            baskets.sub_total as basket_amount,
            favourites.product_id,
            favourites.item_title,
            favourites.variant_title,
            favourites.sku,
            baskets.monthly_amount as amount
        from wholesale_bi.rpt_reorders as late
        left join {named("buyer", "late.buyer_id")}
        left join baskets using (buyer_id)
        left join favourites using (order_id)
        where late.is_late and not late.is_lapsed
        order by amount desc nulls last, late.buyer_id
    """,
    "overdue": f"""
        with {ORDERS} select {ORDER}, orders.payment_status, orders.total as amount from orders
        where orders.standing in {SENT} and orders.payment_standing = 'open'
            and orders.waiting_days > {OVERDUE_AFTER}
        order by orders.waiting_days desc, amount desc nulls last, orders.order_id
    """,
    "near_misses": f"""
        with {ORDERS},
        cartons as (
            select
                lines.order_id,
                {PRODUCT},
                greatest(coalesce(variants.quantity_multiplier, 1), 1) as carton_units,
                cast(carton_units * lines.unit_price as decimal(38, 9)) as carton_amount,
                lines.line_number
            from wholesale_marts.fct_order_lines as lines {NAMED_PRODUCT}
            left join wholesale_marts.dim_variants as variants
                on lines.variant_id = variants.variant_id
            where lines.is_sale and lines.unit_price > 0
        )
        select
            {ORDER}, orders.sub_total as amount, misses.value_shortfall,
            misses.minimum_order_value, misses.quantity_shortfall, misses.minimum_order_quantity,
            cartons.product_id, cartons.item_title, cartons.variant_title, cartons.sku,
            cast(cartons.carton_units as bigint) as carton_units, cartons.carton_amount
        from wholesale_bi.rpt_minimum_orders as misses
        inner join orders using (order_id)
        inner join cartons
            on misses.order_id = cartons.order_id
            and cartons.carton_amount >= misses.value_shortfall
            and cartons.carton_units >= misses.quantity_shortfall
        where misses.is_near_miss
            and orders.standing in {CHANGEABLE} and orders.waiting_days <= {OLD_AFTER}
        qualify row_number() over (
            partition by misses.order_id order by cartons.carton_amount, cartons.line_number
        ) = 1
        order by amount desc nulls last, orders.order_id
    """,
    "below_list": f"""
        with {ORDERS},
        sold as (
            select {ORDER}, orders.ordered_at, lines.order_line_id, lines.variant_id, {PRODUCT},
                lines.quantity, lines.unit_price, buyers.price_list_id
            from wholesale_marts.fct_order_lines as lines {NAMED_PRODUCT}
            inner join orders on lines.order_id = orders.order_id
            left join wholesale_marts.dim_buyers as buyers on orders.buyer_id = buyers.buyer_id
            where lines.is_sale and lines.quantity > 0
                and orders.waiting_days between 0 and {RECENT_DAYS}
        ),
        priced as (
            select sold.*, coalesce(listed.unit_price, variants.unit_price) as list_price
            from sold
            left join wholesale_marts.fct_list_prices as listed
                on sold.price_list_id = listed.price_list_id
                and sold.variant_id = listed.variant_id
                and (sold.ordered_at >= listed.valid_from or listed.version_number = 1)
                and coalesce(sold.ordered_at < listed.valid_to, true)
                and not listed.is_deleted
            left join wholesale_marts.fct_variant_prices as variants
                on sold.variant_id = variants.variant_id
                and (sold.ordered_at >= variants.valid_from or variants.version_number = 1)
                and coalesce(sold.ordered_at < variants.valid_to, true)
                and not variants.is_deleted
            qualify row_number() over (partition by sold.order_line_id order by list_price) = 1
        )
        select
            * exclude (ordered_at, variant_id, price_list_id),
            cast((list_price - unit_price) * quantity as decimal(38, 9)) as amount
        from priced
        where unit_price < list_price
        order by amount desc, order_line_id
    """,
}
RECEIVABLES = f"""
    with {ORDERS} select
        case
            when payment_standing = 'unknown' then 'unknown'
            when waiting_days is null then 'undated'
            when waiting_days <= 30 then 'up_to_30'
            when waiting_days <= {OVERDUE_AFTER} then 'up_to_60'
            else 'over_60'
        end as age,
        count(*) as order_count,
        count(total) as known_count,
        sum(total) as amount,
        min(ordered_date) as first_day,
        max(ordered_date) as last_day
    from orders
    where payment_standing = 'unknown' or (standing in {SENT} and payment_standing = 'open')
    group by age
    order by age = 'unknown', min(waiting_days) nulls last
"""
"""What was sent and is not paid, by age, and what tells of no payment."""
USUAL = f"""
    with {ORDERS}, {RHYTHM}
    select
        as_of.as_of_date, rhythm.usual_days as usual_days_to_confirm,
        rhythm.late_after_days as confirm_after_days,
        {OLD_AFTER} as old_after_days, {RECENT_DAYS} as recent_days
    from wholesale_marts.dim_as_of as as_of cross join rhythm
"""


TABLES = frozenset(
    {
        *("dim_as_of", "dim_buyers", "dim_variants", "fct_orders", "fct_order_lines"),
        *("fct_order_status_changes", "fct_list_prices", "fct_variant_prices"),
        *("rpt_reorders", "rpt_minimum_orders", "rpt_catalogue", "rpt_order_states"),
        "dim_names",
    }
)
"""What tasks are made of."""


def read_tasks(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """The `most` urgent rows of each kind, the largest, what all of a kind come to, and what is
    usual."""
    tables, largest = {}, {}
    for kind, sql in TASKS.items():
        connection.execute(f"create or replace temp table tasks_{kind} as {sql}")
        tables[kind] = read_table(connection, f"from tasks_{kind} limit {most}")
        largest[kind] = read_table(
            connection, f"from tasks_{kind} order by amount desc nulls last limit 1"
        )
    totals = " union all ".join(
        f"select '{kind}' as kind, count(*) as row_count,"
        " case when count(*) = 0 then 0 else cast(sum(amount) as decimal(38, 9)) end as amount,"
        " count(distinct buyer_id) as buyer_count,"
        f" {'min(waiting_days)' if kind in WAITING else 'null::bigint'} as least_days,"
        f" {'max(waiting_days)' if kind in WAITING else 'null::bigint'} as most_days"
        f" from tasks_{kind}"
        for kind in TASKS
    )
    return {
        **tables,
        "largest": largest,
        "receivables": read_table(connection, RECEIVABLES),
        "totals": read_table(connection, totals),
        "usual": read_table(connection, USUAL),
    }

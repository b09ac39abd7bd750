"""News: what happened of late, an event a row: since the version before, yesterday, a week ago.

What was ordered has a day of its own; states and prices have the moment at which a sync saw them,
so these are known only from the second sync on.
"""

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


PASSED = "('accepted', 'sent', 'done', 'settled')"
"""What states mean by the settings that are told of when an order comes to them."""
MOST_ROWS = 2_000
"""Most events of a window; its counts are of all."""
WINDOWS = """
    select
        cast(timezone(settings.time_zone, as_of.synced_at) as date) as today,
        today - 1 as yesterday,
        today - 7 as week_ago,
        (
            select cast(timezone(settings.time_zone, min(started_at)) as date)
            from wholesale_bi.rpt_sync_runs where resource = 'orders'
        ) as observed_since
    from wholesale_marts.dim_as_of as as_of cross join wholesale_marts.dim_settings as settings
"""
OF_ORDERS = """
    orders.order_id, orders.order_number, orders.buyer_id, orders.buyer_company_name as buyer_name,
    orders.vendor_id, orders.vendor_name
"""
NO_PRODUCT = """
    cast(null as varchar) as product_id, cast(null as varchar) as title,
    cast(null as varchar) as variant_title
"""
OF_PRICE = """
    prices.vendor_id, vendor_names.display_name,
    coalesce(prices.variant_id, prices.item_id),
    item_names.display_name, prices.variant_title
"""
PRICES = f"""
    wholesale_bi.rpt_price_changes as prices
    left join {named("vendor", "prices.vendor_id")}
    left join {named("item", "prices.item_id")}
"""
FIRSTS = """
    select order_id from wholesale_marts.fct_orders
    where is_sale and buyer_id is not null and ordered_date is not null and is_return is not true
    qualify row_number() over (partition by buyer_id order by ordered_at, order_id) = 1
"""
"""The first order of each buyer."""
EVENTS = f"""
    with orders as (from named_orders),
    seen as (
        select orders.*, changes.field_name, changes.state_before, changes.state_after,
            changes.standing_after as became,
            changes.standing_after <> changes.standing_before as is_step,
            changes.standing_before = 'cancelled' as was_cancelled,
            cast(timezone(settings.time_zone, changes.observed_at) as date) as day
        from wholesale_marts.fct_order_status_changes as changes
        inner join orders using (order_id)
        cross join wholesale_marts.dim_settings as settings
        where not orders.is_deleted
    ),
    events as (
        select 'new' as kind, ordered_date as day, cast(null as varchar) as value_before,
            cast(null as varchar) as value_after, sub_total as amount, {OF_ORDERS}, {NO_PRODUCT}
        from orders where is_sale
        union all
        select 'first', ordered_date, null, null, sub_total, {OF_ORDERS}, {NO_PRODUCT}
        from orders where order_id in (select order_id from firsts)
        union all
        select
            case when is_cancelled then 'cancelled' else became end, day, state_before,
            state_after, case when is_cancelled then - sub_total else sub_total end,
            {OF_ORDERS}, {NO_PRODUCT}
        from seen as orders
        where field_name = 'order_status' and order_status = state_after and is_step
            and ((is_cancelled and not was_cancelled) or became in {PASSED})
        union all
        select became, day, state_before, state_after, total, {OF_ORDERS}, {NO_PRODUCT}
        from seen as orders
        where field_name = 'payment_status' and became in {PASSED} and payment_status = state_after
            and is_step
        union all
        select 'price', cast(timezone(settings.time_zone, observed_at) as date),
            cast(price_before as varchar), cast(price as varchar), price - price_before,
            null, null, null, null, {OF_PRICE}
        from {PRICES} cross join wholesale_marts.dim_settings as settings
    )
    select distinct on (kind, coalesce(order_id, product_id || value_before || value_after))
        events.*
    from events cross join windows
    where day >= week_ago
    order by kind, coalesce(order_id, product_id || value_before || value_after), day desc
"""
"""Each order counts once in a kind, with its last change."""
COUNTS = """
    select since, kind, count(*) as event_count, count(*) filter (amount > 0) as rise_count,
        cast(sum(amount) as decimal(38, 9)) as amount
    from (
        select 'yesterday' as since, events.* from events cross join windows where day >= yesterday
        union all select 'week', events.* from events
        union all select 'version', events.* from of_version as events
        union all from edits
    ) as events
    group by since, kind
    order by since, kind
"""
OF_VERSION = f"""
    with told as (from main.changes where line_number is null),
    orders as (from named_orders)
    select
        case when told.kind = 'found late' then 'new' else told.kind end as kind,
        cast(timezone(settings.time_zone, told.changed_at) as date) as day,
        cast(null as varchar) as value_before, cast(null as varchar) as value_after,
        told.amount_effect as amount, told.order_id, told.order_number, orders.buyer_id,
        orders.buyer_company_name as buyer_name, orders.vendor_id, orders.vendor_name, {NO_PRODUCT}
    from told
    left join orders using (order_id)
    cross join wholesale_marts.dim_settings as settings
    where told.kind not in ('edited', 'state changed')
        or (told.kind = 'edited' and (
            told.amount_effect != 0
            or told.order_id in (select order_id from main.changes where line_number is not null)
        ))
    union all
    select
        meanings.standing, cast(timezone(settings.time_zone, told.changed_at) as date),
        fields.value_before, fields.value_after,
        case when fields.field = 'status' then orders.sub_total else orders.total end,
        {OF_ORDERS}, {NO_PRODUCT}
    from told
    inner join main.change_fields as fields
        on told.order_id = fields.order_id and fields.line_number is null
    inner join wholesale_bi.rpt_order_states as meanings
        on meanings.field_name = if(fields.field = 'status', 'order_status', fields.field)
        and meanings.state = lower(trim(fields.value_after)) and meanings.standing in {PASSED}
    inner join orders on told.order_id = orders.order_id
    cross join wholesale_marts.dim_settings as settings
    where told.kind in ('edited', 'state changed')
    union all
    select 'first', ordered_date, null, null, sub_total, {OF_ORDERS}, {NO_PRODUCT}
    from told
    inner join firsts using (order_id)
    inner join orders using (order_id)
    where told.kind in ('new', 'found late')
    union all
    select
        'price', cast(timezone(settings.time_zone, observed_at) as date),
        cast(price_before as varchar), cast(price as varchar), price - price_before,
        null, null, null, null, {OF_PRICE}
    from {PRICES} cross join wholesale_marts.dim_settings as settings
    where observed_at > (
        select max(from_as_of) from main.why_totals where compared_with = 'version_before'
    )
"""
"""An order is edited if its amount or a line is another: one that only moved on is not."""
EDITS = f"""
    select since.name as since, why_orders.cause as kind, cast(null as date) as day,
        cast(null as varchar) as value_before, cast(null as varchar) as value_after,
        why_orders.amount, {OF_ORDERS}, {NO_PRODUCT}
    from main.why_orders
    inner join (values ('day_before', 'yesterday'), ('week_before', 'week'))
        as since (compared_with, name) using (compared_with)
    inner join named_orders as orders using (order_id)
    where cause in ('edited', 'deleted') and metric = 'sales' and period = 'all_time'
"""
"""Edits and deletions are known by comparing versions alone."""
DIFFERENCES = {
    "changes": """
        select changes.*, orders.buyer_id, orders.buyer_company_name as buyer_name,
            orders.vendor_id, orders.vendor_name
        from main.changes as changes
        left join named_orders as orders using (order_id)
        where changes.order_id in (
            select order_id from main.changes group by order_id
            order by max(abs(amount_effect)) desc nulls last, order_id limit {most}
        )
        order by changes.changed_at desc, changes.order_number desc, changes.order_id,
            changes.line_number nulls first
    """,
    "fields": "from main.change_fields order by order_id, line_number nulls first, field"
    " limit {most} * 5",
    "counted": "select count(*) as change_count from main.changes",
    "totals": "from main.why_totals order by compared_with, metric, period",
    "causes": "from main.why order by compared_with, metric, period, cause_number",
    "orders": """
        select why_orders.*, orders.buyer_id, orders.buyer_company_name as buyer_name,
            orders.ordered_date
        from main.why_orders
        left join named_orders as orders using (order_id)
        order by compared_with, metric, period, cause, fields, abs(why_orders.amount) desc, order_id
        limit {most} * 10
    """,
}


LATEST = f"""
    select {OF_ORDERS}, orders.order_status, orders.ordered_date, orders.unit_count,
        orders.sub_total as amount
    from named_orders as orders
    where not is_deleted
    order by ordered_at desc nulls last, order_number desc, order_id
    limit 8
"""


OF_NEWS = frozenset(
    {
        *("dim_as_of", "dim_settings", "fct_orders", "fct_order_status_changes"),
        *("rpt_order_states", "rpt_price_changes", "rpt_sync_runs"),
    }
)
"""What news are made of, besides the tables that compare versions."""


def read_news(connection: duckdb.DuckDBPyConnection) -> Json:
    """How many events of each kind there are since when, the latest orders, and the days."""
    is_told = _prepare_events(connection)
    compared = "(select max(from_as_of) from main.why_totals where compared_with = '{}')"
    before, day, week = (
        compared.format(name) if is_told else "cast(null as timestamptz)"
        for name in ("version_before", "day_before", "week_before")
    )
    return {
        "counts": read_table(connection, COUNTS),
        "latest": read_table(connection, LATEST),
        "windows": read_table(
            connection,
            f"""
            select windows.*, {before} as version_before,
                {day} is not null as edits_of_yesterday, {week} is not null as edits_of_week
            from windows
            """,
        ),
    }


def read_events(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """The events themselves, `most` of each: of a week, of this version, and those that only
    versions tell; and how many there are."""
    _prepare_events(connection)
    return {
        "events": read_table(
            connection, f"from events order by day desc, order_number desc limit {most}"
        ),
        "of_version": read_table(
            connection, f"from of_version order by day desc, order_number desc limit {most}"
        ),
        "edits": read_table(connection, f"from edits order by since, order_id limit {most}"),
        "counts": read_table(connection, COUNTS),
        "windows": read_table(connection, "from windows"),
    }


def read_differences(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """What changed since the version before in `most` orders, and why figures moved; nothing in an
    older file."""
    if not tells_changes(connection):
        return {}
    return {
        name: read_table(connection, sql.format(most=most)) for name, sql in DIFFERENCES.items()
    }


def tells_changes(connection: duckdb.DuckDBPyConnection) -> bool:
    found = connection.sql(
        "select count(*) from duckdb_tables() where schema_name = 'main'"
        " and table_name in ('changes', 'change_fields', 'why_totals', 'why', 'why_orders')"
    ).fetchone()
    return found == (5,)


def _prepare_events(connection: duckdb.DuckDBPyConnection) -> bool:
    """Make the tables of events; whether the file compares versions."""
    _prepare(connection, "windows", WINDOWS)
    _prepare(connection, "firsts", FIRSTS)
    _prepare(connection, "events", EVENTS)
    is_told = tells_changes(connection)
    of_version = OF_VERSION if is_told else "from events limit 0"
    _prepare(connection, "of_version", of_version)
    edits = EDITS if is_told else "select '' as since, events.* from events limit 0"
    _prepare(connection, "edits", edits)
    return is_told


def _prepare(connection: duckdb.DuckDBPyConnection, name: str, sql: str) -> None:
    connection.execute(f"create or replace temp table {name} as {sql}")

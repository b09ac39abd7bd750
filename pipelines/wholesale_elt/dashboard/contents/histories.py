"""Histories: what orders and products are made of and what became of them, in parts, so that one is
shown without reading all: orders by the part that the list of buyers names, those of nobody by
their month, products by the part that their own list names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.contents.objects import (
    FIRST_PRODUCTS,
    ORDERS_A_PART,
    PARTS_OF_BUYERS,
    PARTS_OF_PRODUCTS,
)
from wholesale_elt.dashboard.facts import PLACED
from wholesale_elt.dashboard.news import named

COMMENTS, USERS = "fct_order_comments", "dim_buyer_users"
PERSONAL: Mapping[str, Sequence[str]] = {
    COMMENTS: ("author", "body"),
    USERS: ("full_name", "email"),
}
"""Columns that are published only where the policy says so."""
BUYERS = frozenset(
    {
        *("fct_orders", "fct_order_lines", "rpt_events", "fct_order_line_changes", USERS),
        *("rpt_receivables", "dim_buyers", "rpt_reorders", "dim_names", COMMENTS),
        "rpt_catalogue",
    }
)
PRODUCTS = frozenset(
    {
        *("rpt_catalogue", "fct_list_prices", "dim_price_lists", "rpt_price_changes"),
        *("rpt_bought_together", "dim_items", "dim_variants", "dim_item_options"),
        *("dim_variant_options", "dim_item_images"),
    }
)
AT_A_TIME = 25
"""Parts whose orders are sorted together, so that memory does not grow with all of them."""
LONGEST_TEXT = 600
"""Letters of a description that are shown."""
FIRST_SEEN = ("new", "found late")
HAPPENED = f"""
    events.event_kind not in {FIRST_SEEN} and events.order_id is not null
"""
EVENT = """
    events.event_kind as kind, events.observed_at as at, events.order_status_before,
    events.order_status_after, events.payment_status_before, events.payment_status_after,
    events.changed_line_count, events.amount_before, events.amount_after, events.amount_effect
"""
CHANGED_LINES = """
    wholesale_marts.fct_order_line_changes as lines
    left join wholesale_marts.fct_order_lines as known
        on lines.order_id = known.order_id and lines.line_number = known.line_number
"""
LINE = """
    lines.line_number, lines.change_kind as kind, lines.observed_at as at, lines.sku,
    known.product_id, lines.item_title as title, lines.variant_title as variant,
    lines.quantity_before, lines.quantity_after,
    lines.unit_price_before, lines.unit_price_after, lines.discount_amount_before,
    lines.discount_amount_after, lines.total_price_before, lines.total_price_after
"""
ORDERS_OF_BUYERS = f"""
    with sorted as (
        select *,
            row_number() over (
                partition by buyer_key
                order by ordered_date desc nulls last, order_number desc, order_id
            ) - 1 as nth
        from wholesale_marts.fct_orders
        where buyer_key in (
            select buyer_id from parts where last_part >= {{first}} and part <= {{last}}
        )
    )

    select
        orders.buyer_key as buyer_id,
        orders.order_id,
        orders.order_number,
        orders.ordered_date,
        orders.vendor_key as vendor_id,
        vendor_names.display_name as vendor_name,
        orders.order_status,
        orders.payment_status,
        orders.payment_standing,
        orders.is_sale,
        orders.is_cancelled,
        orders.is_deleted,
        orders.is_return,
        orders.unit_count,
        orders.sub_total,
        orders.total,
        unpaid.is_open as is_owed,
        unpaid.due_date,
        unpaid.is_overdue,
        cast(parts.part + orders.nth // {ORDERS_A_PART} as integer) as part,
        count(*) over (partition by orders.buyer_key, orders.order_number) as alike_count,
        cast(row_number() over (
            partition by parts.part + orders.nth // {ORDERS_A_PART}
            order by orders.buyer_key, orders.nth
        ) - 1 as integer) as place
    from sorted as orders
    inner join parts on orders.buyer_key = parts.buyer_id
    left join wholesale_bi.rpt_receivables as unpaid on orders.order_id = unpaid.order_id
    left join {named("vendor", "orders.vendor_key")}
    qualify parts.part + orders.nth // {ORDERS_A_PART} between {{first}} and {{last}}
"""
OF_ORDERS: Mapping[str, str] = {
    "lines": """
        select part.part, part.place, lines.line_number, products.row_number as product,
            case when products.row_number is null then lines.product_id end as product_id,
            lines.quantity, lines.unit_price, lines.discount_amount,
            lines.total_price = lines.gross_amount as is_product,
            case when lines.total_price is distinct from lines.gross_amount
                then lines.total_price end as total_price,
            case when lines.product_id is null then lines.item_title end as title,
            case when lines.sku is distinct from products.sku then lines.sku end as sku
        from wholesale_marts.fct_order_lines as lines
        inner join part using (order_id)
        left join products on lines.product_id = products.product_id
        order by part.part, part.place, lines.line_number
    """,
    "seen": f"""
        select part.part, part.place, min(events.observed_at) as at
        from wholesale_bi.rpt_events as events
        inner join part using (order_id)
        where events.event_kind in {FIRST_SEEN} and events.observed_at is not null
        group by part.part, part.place
        order by part.part, part.place
    """,
    "events": f"""
        select part.part, part.place, {EVENT}
        from wholesale_bi.rpt_events as events
        inner join part using (order_id)
        where {HAPPENED}
        order by part.part, part.place, events.observed_at, events.event_id
    """,
    "changed_lines": f"""
        select part.part, part.place, {LINE}
        from {CHANGED_LINES}
        inner join part on lines.order_id = part.order_id
        order by part.part, part.place, lines.observed_at, lines.line_number
    """,
    "comments": f"""
        select part.part, part.place, comments.commented_at as at {{{COMMENTS}}}
        from wholesale_marts.{COMMENTS} as comments
        inner join part using (order_id)
        order by part.part, part.place, comments.comment_number
    """,
}
"""What orders are made of and what became of them, by the place of the order in its part.

A line has the row of its product in the list of products, and no amount where that is its price
times its pieces.
"""
OF_BUYERS: Mapping[str, str] = {
    "orders": """
        select * exclude (place, order_id, alike_count),
            case when coalesce(trim(order_number), '') = '' or alike_count > 1
                then order_id end as order_id
        from part
        order by part, place
    """,
    **OF_ORDERS,
    "users": f"""
        select parts.part, users.buyer_id, users.user_role, users.user_status, users.created_at
            {{{USERS}}}
        from wholesale_marts.{USERS} as users
        inner join parts using (buyer_id)
        where parts.part between {{first}} and {{last}} and not users.is_deleted
        order by parts.part, users.buyer_id, users.created_at, users.buyer_user_id
    """,
}
"""The same of the orders of some buyers, with the orders and the people."""
OF_NOBODY = f"""
    select placed.month as part, cast(placed.place as integer) as place, order_id
    from ({PLACED}) as placed
    inner join wholesale_marts.fct_orders as orders using (order_id)
    where not exists (select 1 from parts where parts.buyer_id = orders.buyer_key)
"""
"""Orders whose buyer is in no part, by their month and their place there, as facts have it."""
IN_PART = "select product_id from parts where part = {part}"
ITEMS_IN_PART = "select item_id from parts where part = {part} and item_id is not null"
MOST_PAIRS = 8
SIDES = f"""
    select product_id, other_product_id, order_count, product_order_count, round(lift, 2) as lift
    from (
        select product_id, other_product_id, order_count, product_order_count, lift
        from wholesale_bi.rpt_bought_together
        union all
        select other_product_id, product_id, order_count, other_product_order_count, lift
        from wholesale_bi.rpt_bought_together
    )
    qualify row_number() over (
        partition by product_id order by order_count desc, lift desc, other_product_id
    ) <= {MOST_PAIRS}
"""
"""What was bought together with a product, of which the first are told."""
OF_PRODUCTS: Mapping[str, str] = {
    "changes": f"""
        select
            coalesce(changes.variant_id, changes.item_id) as product_id,
            changes.price_list,
            changes.observed_at,
            changes.price_before,
            changes.price,
            changes.seen_days_before,
            changes.seen_days_after,
            changes.unit_count_before,
            changes.unit_count_after,
            changes.sales_amount_before,
            changes.sales_amount_after
        from wholesale_bi.rpt_price_changes as changes
        where coalesce(changes.variant_id, changes.item_id) in ({IN_PART})
        order by changes.observed_at desc, changes.price_change_id
    """,
    "prices": f"""
        select
            coalesce(prices.variant_id, prices.item_id) as product_id,
            lists.price_list_title as price_list,
            prices.unit_price
        from wholesale_marts.fct_list_prices as prices
        inner join wholesale_marts.dim_price_lists as lists using (price_list_id)
        where prices.is_current and not prices.is_deleted and not lists.is_deleted
            and coalesce(prices.variant_id, prices.item_id) in ({IN_PART})
        order by product_id, price_list, prices.unit_price
    """,
    "pairs": f"""
        select * from ({SIDES})
        where product_id in ({IN_PART})
        order by product_id, order_count desc, lift desc, other_product_id
    """,
    "options": f"""
        select item_id, option_name, cast(option_values as varchar) as option_values
        from wholesale_marts.dim_item_options
        where item_id in ({ITEMS_IN_PART})
        order by item_id, option_number
    """,
    "variant_options": f"""
        select variant_id as product_id, option_name, option_value
        from wholesale_marts.dim_variant_options
        where variant_id in ({IN_PART})
        order by variant_id, option_number
    """,
    "variants": f"""
        select variant_id as product_id, upc, sku_status as status, minimum_advertised_price,
            minimum_quantity, quantity_multiplier, msrp, product_code
        from wholesale_marts.dim_variants
        where variant_id in ({IN_PART})
        union all
        select item_id, upc, item_status, minimum_advertised_price,
            minimum_quantity, quantity_multiplier, msrp, product_code
        from wholesale_marts.dim_items
        where item_id in ({IN_PART})
        order by product_id
    """,
    "items": f"""
        select item_id, left(description, {LONGEST_TEXT + 1}) as description
        from wholesale_marts.dim_items
        where item_id in ({ITEMS_IN_PART}) and trim(description) <> ''
        order by item_id
    """,
    "pictures": f"""
        select item_id, image_position as position, url
        from wholesale_marts.dim_item_images
        where item_id in ({ITEMS_IN_PART}) and not is_deleted and url is not null
        order by item_id, image_position nulls last, item_image_id
    """,
}
"""What the catalogue has of some products besides their list, and what was seen of them."""


def of_orders(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """What there is of the orders of nobody, of each month that has some."""
    _parts(connection, PARTS_OF_BUYERS, "part")
    connection.execute(f"create or replace temp table of_nobody as {OF_NOBODY}")
    months = connection.sql("select distinct part from of_nobody order by 1").fetchall()
    for (month,) in months:
        connection.execute(
            f"create or replace temp table part as from of_nobody where part = '{month}'"
        )
        _read_parts(connection, OF_ORDERS)
        yield month, _tables(connection, OF_ORDERS, f"'{month}'")


def of_buyers(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """The orders of each part of the buyers; those of many parts are sorted at a time."""
    numbers = _parts(connection, PARTS_OF_BUYERS, "unnest(generate_series(part, last_part))")
    for start in range(0, len(numbers), AT_A_TIME):
        group = numbers[start : start + AT_A_TIME]
        span = {"first": group[0], "last": group[-1]}
        connection.execute(
            f"create or replace temp table part as {ORDERS_OF_BUYERS.format(**span)}"
        )
        _read_parts(connection, OF_BUYERS, **span)
        for number in group:
            yield str(number), _tables(connection, OF_BUYERS, number)


def _read_parts(
    connection: duckdb.DuckDBPyConnection, statements: Mapping[str, str], **span: int
) -> None:
    """A table for each statement, with what there is of the orders of the table `part`."""
    connection.execute(
        "create or replace temp table products as select product_id, sku,"
        f" cast(row_number() over (order by {FIRST_PRODUCTS}) - 1 as integer) as row_number"
        " from wholesale_bi.rpt_catalogue as catalogue"
    )
    there = {table: _published(connection, table) for table in PERSONAL}
    for name, sql in statements.items():
        connection.execute(f"drop table if exists of_{name}")  # before the next is made
        connection.execute(f"create temp table of_{name} as {sql.format(**span, **there)}")


def _tables(connection: duckdb.DuckDBPyConnection, names: Iterable[str], part: int | str) -> Json:
    """What these tables have of a part."""
    return {
        name: read_table(
            connection,
            f"select * exclude (part) from of_{name} where part = {part} order by rowid",
        )
        for name in names
    }


def of_products(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """What the catalogue has of each part of the products."""
    for number in _parts(connection, PARTS_OF_PRODUCTS, "part"):
        yield (
            str(number),
            {
                name: read_table(connection, sql.format(part=number))
                for name, sql in OF_PRODUCTS.items()
            },
        )


def _parts(connection: duckdb.DuckDBPyConnection, sql: str, number: str) -> Sequence[int]:
    """The numbers of all parts, of which there is a table then."""
    connection.execute(f"create or replace temp table parts as {sql}")
    rows = connection.sql(f"select distinct {number} from parts order by 1").fetchall()
    return [number for (number,) in rows]


def _published(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """The personal columns of a table that are there, as the rest of a list."""
    there = {
        name
        for (name,) in connection.execute(
            "select column_name from duckdb_columns() where table_name = ?"
            " and schema_name = 'wholesale_marts' and database_name = current_database()",
            [table],
        ).fetchall()
    }
    return "".join(f", {name}" for name in PERSONAL[table] if name in there)

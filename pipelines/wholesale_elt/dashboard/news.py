"""News: what happened since the version before, yesterday and a week ago, as `rpt_events` has it.

New orders have a day of their own; all else has the moment at which a sync saw it, so it is known
only from the second sync on.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard.columnar import Json, read_objects, read_table

OF_KIND = """
    from events where since = 'yesterday' and kind = ?
    order by abs(amount) desc nulls last, order_number, product_id
"""


def named(kind: str, key: str) -> str:
    """The names of a kind, one on all pages, as `<kind>_names`, joined by what has their keys."""
    names = f"{kind}_names"
    on = f"{names}.name_kind = '{kind}' and {names}.name_key = {key}"
    return f"wholesale_marts.dim_names as {names} on {on}"


NAMED_ORDERS = """
    create or replace temp view named_orders as
    select fct_orders.* replace (buyer_key as buyer_id, vendor_key as vendor_id)
    from wholesale_marts.fct_orders
"""
"""Orders with the keys of their buyer and vendor, which their names are of, as ids."""
OF_NAMED_ORDERS = frozenset({"fct_orders"})


MOST_ROWS = 2_000
"""Most events of a window; its counts are of all."""
VERSION_BEFORE = """
    (select max(from_built_at) from main.why_totals where compared_with = 'version_before')
"""
WINDOWS = """
    select
        cast(timezone(settings.time_zone, as_of.synced_at) as date) as today,
        today - 1 as yesterday,
        today - 7 as week_ago,
        (
            select cast(timezone(settings.time_zone, min(started_at)) as date)
            from wholesale_bi.rpt_sync_runs where resource = 'orders'
        ) as observed_since,
        {} as version_before
    from wholesale_marts.dim_as_of as as_of cross join wholesale_marts.dim_settings as settings
"""
STEPS = ("accepted", "sent", "done", "settled")
"""What states mean by the settings that are told of when an order comes to them."""
PASSED = str(STEPS)
KINDS = ("new", "first", "edited", "cancelled", "deleted", "reappeared", *STEPS, "price")
"""The lines of the page."""
EVENTS = f"""
    with counted as (
        select events.*, since.name as since,
            coalesce(order_id, concat_ws('/', product_id, price_before, price_after)) as object
        from wholesale_bi.rpt_events as events
        cross join windows
        left join wholesale_marts.fct_orders as orders using (order_id)
        inner join (values ('yesterday'), ('week'), ('version')) as since (name)
            on case since.name when 'yesterday' then event_date >= yesterday
                when 'week' then event_date >= week_ago else observed_at > version_before end
        where event_kind <> 'new' or orders.ordered_date is not null
            or event_date > observed_since
    ),
    lines as (
        select 'new' as kind, null as value_before, null as value_after, amount_effect as amount,
            counted.*
        from counted
        where event_kind in ('new', 'found late') and order_standing_after <> 'cancelled'
        union all
        select 'first', null, null, amount_effect, counted.* from counted where is_first_order
        union all
        select event_kind, order_status_before, order_status_after, amount_effect, counted.*
        from counted where event_kind = 'cancelled' and order_status = order_status_after
        union all
        select event_kind, null, null, amount_effect, counted.* from counted
        where event_kind in ('deleted', 'reappeared') or (event_kind = 'edited'
            and (amount_before is distinct from amount_after or changed_line_count > 0))
        union all
        select order_standing_after, order_status_before, order_status_after, amount_after,
            counted.*
        from counted
        where order_standing_after in {PASSED} and order_standing_after <> order_standing_before
            and order_status = order_status_after
        union all
        select payment_standing_after, payment_status_before, payment_status_after, total_after,
            counted.*
        from counted
        where payment_standing_after in {PASSED}
            and payment_standing_after <> payment_standing_before
            and payment_status = payment_status_after
        union all
        select 'price', cast(price_before as varchar), cast(price_after as varchar),
            price_after - price_before, counted.*
        from counted where event_kind = 'price changed'
    )
    select since, kind, event_date as day, value_before, value_after,
        cast(case when kind in {PASSED} or kind = 'price' then amount
            else sum(amount) over (partition by since, kind, object) end as decimal(38, 9)
        ) as amount,
        order_id, order_number, buyer_id, buyer_name, vendor_id, vendor_name, product_id,
        item_title as title, variant_title
    from lines
    qualify row_number() over (
        partition by since, kind, object order by observed_at desc nulls last, event_id
    ) = 1
"""
"""The lines of the page: each order, and each change of a price, once in a kind, with its last
event. An order is edited if its amount or a line is another: one that only moved on is not. One
without a day that was there on the first day that orders were read may be of any age."""
COUNTS = """
    select since, kind, count(*) as event_count, count(*) filter (amount > 0) as rise_count,
        cast(sum(amount) as decimal(38, 9)) as amount
    from events
    group by since, kind
    order by since, kind
"""
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


LATEST = """
    select order_id, order_number, buyer_id, buyer_company_name as buyer_name, vendor_id,
        vendor_name, order_status, ordered_date, unit_count, sub_total as amount
    from named_orders
    where not is_deleted
    order by ordered_at desc nulls last, order_number desc, order_id
    limit 8
"""
OF_NEWS = OF_NAMED_ORDERS | {"dim_as_of", "dim_settings", "rpt_events", "rpt_sync_runs"}
"""What news are made of, besides the tables that compare versions."""


def read_news(connection: duckdb.DuckDBPyConnection) -> Json:
    """How many events of each kind there are since when, the latest orders, and the days."""
    _prepare_events(connection)
    return {
        "counts": read_table(connection, COUNTS),
        "latest": read_table(connection, LATEST),
        "windows": read_table(connection, "from windows"),
    }


def read_events(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """The events themselves, `most` since each moment; and how many there are."""
    _prepare_events(connection)
    newest = "partition by since order by day desc, order_number desc"
    return {
        "events": read_table(
            connection,
            f"from events qualify row_number() over ({newest}) <= {most}"
            " order by since, day desc, order_number desc",
        ),
        "counts": read_table(connection, COUNTS),
    }


def events_of(connection: duckdb.DuckDBPyConnection, kind: str) -> Sequence[Mapping[str, Any]]:
    """The events of a kind since yesterday, the largest first.

    Raises: WholesaleError for an unknown kind, or if an earlier release published the file.
    """
    if kind not in KINDS:
        raise WholesaleError(f"there are no events of the kind {kind}, only of {', '.join(KINDS)}")
    try:
        _prepare_events(connection)
    except duckdb.CatalogException:
        raise WholesaleError(
            "the published version has no events, as an earlier release made it: run"
            " `wholesale build` and publish again"
        ) from None
    told = connection.sql(OF_KIND, params=[kind])
    found: list[dict[str, Any]] = told.to_arrow_table().to_pylist()
    return found


def read_differences(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """What changed since the version before in `most` orders, and why figures moved; nothing in an
    older file."""
    if not tells_changes(connection):
        return {}
    return {
        name: read_table(connection, sql.format(most=most)) for name, sql in DIFFERENCES.items()
    }


def tells_changes(connection: duckdb.DuckDBPyConnection) -> bool:
    [(found,)] = connection.sql(
        "select count(*) from duckdb_tables() where schema_name = 'main'"
        " and table_name in ('changes', 'change_fields', 'why_totals', 'why', 'why_orders')"
    ).fetchall()
    return bool(found == 5)


def count_since(
    connection: duckdb.DuckDBPyConnection, since: datetime | None = None
) -> tuple[list[Json], Json]:
    """How many events of each kind there are since when, and the moments: in place of that of the
    version before this one, if it is given."""
    _prepare_events(connection, since)
    [windows] = read_objects(connection, "from windows")
    return read_objects(connection, COUNTS), windows


def _prepare_events(connection: duckdb.DuckDBPyConnection, since: datetime | None = None) -> None:
    """Make the tables of events and of the moments since when they are told."""
    version_before = VERSION_BEFORE if tells_changes(connection) else "cast(null as timestamptz)"
    if since:
        version_before = f"timestamptz '{since.isoformat()}'"
    for name, sql in (("windows", WINDOWS.format(version_before)), ("events", EVENTS)):
        connection.execute(f"create or replace temp table {name} as {sql}")

"""Facts: orders and their lines as columns of small numbers, from which the page counts.

What counts is said once, by `figures`: a fact has a column for each of its metrics, with the value
that an order or a line adds to it, and one for each dimension, with the place of its member in a
list. The page adds up and tells apart, so it computes any figure of any days.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import duckdb
from msgspec import Struct, to_builtins

from wholesale_elt.dashboard.columnar import Json, read_table, read_tables
from wholesale_elt.dashboard.facts.measures import Measure, columns_of, measures_of, values_of
from wholesale_elt.dashboard.scripts import write_data
from wholesale_elt.figures import (
    FACTS,
    LINES,
    ORDERS,
    RECEIVABLES,
    Dimension,
    Metric,
    Plan,
    read_facts,
    tables_of,
)

FOLDER = "facts"
UNDATED = "undated"
"""The month of what has no date."""
MOST_SORTED = 25_000
"""Orders that are sorted at a time, in whole months, so that memory does not grow with them."""
PART = 2_000
"""Orders of a month whose details stand in one file: a list shows some at a time."""
MOST_COUNTED = 100_000
"""Lines that a page counts in a moment: with more they are there by product, too."""
LINES_A_PART, PARTS_AT_A_TIME = 30_000, 4
"""About as many lines of products are in a part, and so many parts are sorted together."""
WHOLE = "product"
"""What is in one part as a whole, whatever its variants."""
REGION = "state"
FIRST = ("vendor", "buyer", REGION)
FIRST_METRICS = ("orders", "sales", "orders_with_an_amount", "active_buyers")
"""What nearly every page asks for."""
LINE_METRICS = (
    *("product_sales", "product_units", "product_lines"),
    *("product_orders", "product_buyers", "products_sold"),
)
"""The same of lines; the others take as much room again."""
STATES = ("order_status", "payment_status", "invoice_status", "buyer_kind", "country")
STATE_METRICS = ("orders_below_minimum_value", "refunded_orders", "returns")
"""What has few members, and so is small; the rest is read when it is asked for."""
APART = ("order_id", "order_number")
"""Dimensions whose members are the orders themselves: these are in the list of orders."""
ORDERS_OF_LINES = "orders"
"""How the orders of lines are called. Of what else tells lines apart, each combination that occurs
is written once, with the product."""
PRODUCT = Dimension("product_id", "The variant, or the item without any.", "order_lines.product_id")
FLAGS: Mapping[str, str] = {
    **dict.fromkeys(("payment_standing", "is_cancelled", "is_deleted", "is_return"), "orders"),
    "is_near_miss": "below",
}
"""Columns that choose which orders a list has, and how their table is called."""
DUE = ("is_owed", "is_overdue")
"""Further ones, of `rpt_receivables`: whether it is owed, false if that is not known, and whether
it is overdue; NULL of others."""
DETAILS = (
    *("order_id", "order_number", "po_number", "sub_total", "total"),
    *("line_discount_amount", "unit_count"),
    *("vendor_minimum_order_value", "ordered_at", "updated_at"),
    *("payment_method_type", "shipping_city"),
)
"""Columns of `fct_orders` that a list of orders shows besides dimensions."""
BY_LINE = "placed.place, rows.line_number, rows.order_line_id"
STEPS = "fct_order_status_changes"
BELOW = "rpt_minimum_orders"
SHORTFALLS = ("value_shortfall", "quantity_shortfall", "minimum_order_quantity")
"""Columns of `rpt_minimum_orders`, which has the orders below a minimum."""
PLACED = f"""
    select order_id, month, cast(row_number() over
        (partition by month order by ordered_date, order_number, order_id) - 1 as integer) as place
    from (
        select order_id, order_number, ordered_date,
            coalesce(strftime(ordered_date, '%Y-%m'), '{UNDATED}') as month
        from wholesale_marts.{ORDERS}
    )
"""
"""The month of each order, and its place there: the oldest is 0."""

TABLES = frozenset(
    {
        *(ORDERS, LINES, STEPS, BELOW, RECEIVABLES),
        *(join.table for fact in (ORDERS, LINES) for join in FACTS[fact].joins.values()),
    }
)
"""What facts are made of."""


class FactIndex(Struct, frozen=True):
    """What the data files of a fact have: rows of each month, measures and dimensions by file."""

    months: Mapping[str, int]
    measures: Mapping[str, Mapping[str, Measure]]
    dimensions: Mapping[str, Sequence[str]]


def write_facts(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Write `facts/`: an index, the members of each dimension, and the files of each month.

    The rows of a month have the same order in all its files: `orders`, `states`, `more` and
    `flags` have one for each order, `details` have them `PART` by `PART`, `lines` and `more_lines`
    have one for each line, and `steps` one for each change of a state, with the place of its order.
    Memory is bounded by DuckDB's limit and some months.
    """
    of_orders, of_lines = (
        [each for each in of_fact if is_published(connection, name, each.name)]
        for name, of_fact in ((ORDERS, _of_orders()), (LINES, _of_lines()))
    )
    names, kind = ([each.name for each in found] for found in (of_orders, [PRODUCT, *of_lines]))
    for each in of_orders:
        list_members(connection, ORDERS, each)
    _list_kinds(connection, [PRODUCT, *of_lines])
    _place_orders(connection)
    measures = {name: measures_of(connection, name) for name in (ORDERS, LINES)}
    files = _files_of_orders(names, measures[ORDERS])
    months = dict(
        connection.sql("select month, count(*) from placed group by all order by all").fetchall()
    )
    lines = _count_lines(connection)
    of_files = {
        file: {
            name: each
            for name, each in measures[LINES].items()
            if (name in LINE_METRICS) == (file == "lines")
        }
        for file in ("lines", "more_lines")
    }
    index = {
        ORDERS: FactIndex(
            months,
            {file: own for file, (_, own) in files.items()},
            {file: dimensions for file, (dimensions, _) in files.items()},
        ),
        LINES: FactIndex(lines, of_files, {"lines": kind}),
    }
    write_data(
        folder,
        "facts/index",
        {
            **to_builtins(index),
            "part": PART,
            "sizes": {name: _size(connection, f"members_{name}") for name in names},
            "flags": [*FLAGS, *DUE],
            "numbers": _numbers(connection),
        },
    )
    for file, (dimensions, _) in files.items():
        members = {
            name: read_table(connection, f"from members_{name} order by code")
            for name in dimensions
        }
        write_data(folder, f"facts/members_of_{file}", members)
    has_parts = sum(lines.values()) > MOST_COUNTED
    kinds = "line_count" if has_parts else "line_count, part"
    write_data(
        folder,
        "facts/kinds",
        read_table(connection, f"select * exclude ({kinds}) from kinds order by code"),
    )
    for file, (dimensions, own) in files.items():
        for name, table in _orders(connection, dimensions, own):
            write_data(folder, f"facts/{file}-{name}", table)
    for name, table in _flags(connection):
        write_data(folder, f"facts/flags-{name}", table)
    for name, table in _details(connection):
        write_data(folder, f"facts/details-{name}", table)
    for name, table in _lines(connection, of_lines, measures[LINES]):
        for file, own in of_files.items():
            columns = [*(("further", "kind") if file == "lines" else ()), *columns_of(own)]
            write_data(folder, f"facts/{file}-{name}", _part_of(table, columns))
    for name, table in _steps(connection):
        write_data(folder, f"facts/steps-{name}", table)
    if has_parts:
        first = [each for each in of_orders if each.name in FIRST]
        for name, table in _parts(connection, first, of_lines, of_files["lines"]):
            write_data(folder, f"facts/{name}", table)


def _part_of(table: Json, names: Sequence[str]) -> Json:
    """A table with these of its columns."""
    return {**table, "columns": {name: table["columns"][name] for name in names}}


def _of_orders() -> Sequence[Dimension]:
    return [each for each in read_facts()[ORDERS].dimensions.values() if each.name not in APART]


def _of_lines() -> Sequence[Dimension]:
    """What tells lines apart, but for what their orders do."""
    dimensions = read_facts()[LINES].dimensions.values()
    return [each for each in dimensions if ORDERS_OF_LINES not in each.joins]


def _files_of_orders(
    dimensions: Sequence[str], measures: Mapping[str, Measure]
) -> Mapping[str, tuple[Sequence[str], Mapping[str, Measure]]]:
    """The dimensions and measures of each file of a month, by when a page asks for them."""
    wanted = {"orders": (FIRST, FIRST_METRICS), "states": (STATES, STATE_METRICS)}
    taken = {name for file in wanted.values() for names in file for name in names}
    rest = [[each for each in names if each not in taken] for names in (dimensions, measures)]
    return {
        file: (
            [each for each in own if each in dimensions],
            {each: measures[each] for each in counted},
        )
        for file, (own, counted) in {**wanted, "more": rest}.items()
    }


def is_published(connection: duckdb.DuckDBPyConnection, name: str, dimension: str) -> bool:
    """Whether its columns are there: those that can identify a person may be left out."""
    each = read_facts()[name].dimensions[dimension]
    try:
        connection.sql(f"select {each.key} {_source(name, [each])} limit 0")
    except duckdb.BinderException:
        return False
    return True


def _source(name: str, dimensions: Sequence[Dimension]) -> str:
    """The rows of a fact, with the tables that these dimensions need."""
    fact = read_facts()[name]
    return tables_of(Plan(name, fact, (), (), (), None, "none"), dimensions)


def list_members(connection: duckdb.DuckDBPyConnection, name: str, each: Dimension) -> None:
    """A table of the members that occur, in the order of their keys: code, key and name."""
    connection.execute(
        f"create temp table if not exists members_{each.name} as"
        " select cast(row_number() over (order by key) - 1 as integer) as code, key,"
        " nullif(max(name), key) as name"
        f" from (select cast({each.key} as varchar) as key,"
        f" cast({each.title or each.key} as varchar) as name {_source(name, [each])})"
        " where key is not null group by key"
    )
    if each.name == REGION:
        _name_regions(connection)


def _size(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    [(count,)] = connection.sql(f"select count(*) from {table}").fetchall()
    return int(count)


def _name_regions(connection: duckdb.DuckDBPyConnection) -> None:
    """States are called without their country, if that is the name of no other place."""
    key = FACTS[ORDERS].dimensions[REGION].key
    connection.execute(
        f"update members_{REGION} set name = told.state from (select {key} as key,"
        " max(orders.shipping_state) as state"
        f" from wholesale_marts.{ORDERS} as orders group by 1"
        " qualify count(*) over (partition by state) = 1) as told"
        f" where told.key = members_{REGION}.key and told.state not in"
        f" (select key from members_{REGION})"
    )


def _list_kinds(connection: duckdb.DuckDBPyConnection, dimensions: Sequence[Dimension]) -> None:
    """A table of the combinations that lines have of their dimensions."""
    keys = ", ".join(f"cast({each.key} as varchar) as {each.name}" for each in dimensions)
    names = ", ".join(
        f"max(cast({each.title} as varchar)) as {each.name}_name"
        for each in dimensions
        if each.title
    )
    [whole] = [each.name for each in dimensions if each.name == WHOLE] or [PRODUCT.name]
    connection.execute(
        "create temp table kinds as with counted as ("
        f" select {keys}, {names}, count(*) as line_count {_source(LINES, dimensions)} group by all"
        "), sized as ("
        f" select coalesce({whole}, {PRODUCT.name}) as whole, sum(line_count) as size"
        " from counted group by all), placed as (select whole, cast((sum(size) over (order by"
        f" whole nulls last) - size) // {LINES_A_PART} as integer) as part from sized)"
        " select cast(row_number() over (order by"
        f" {', '.join(each.name for each in dimensions)}) - 1 as integer) as code,"
        " counted.*, placed.part from counted inner join placed"
        f" on coalesce({whole}, {PRODUCT.name}) is not distinct from placed.whole"
    )


def _place_orders(connection: duckdb.DuckDBPyConnection) -> None:
    """A table of the month of each order, and of its place there: the oldest is 0."""
    connection.execute(f"create temp table placed as {PLACED}")


def decided_by(metric: Metric) -> Mapping[str, Sequence[str]]:
    """What an order must be to count, by the dimension whose members decide it."""
    return {
        name: flags
        for name in STATES
        if (
            flags := sorted(
                {
                    flag
                    for column, flag in FACTS[ORDERS].dimensions[name].decides
                    if column in metric.columns
                }
            )
        )
    }


def _orders(
    connection: duckdb.DuckDBPyConnection,
    dimensions: Sequence[str],
    measures: Mapping[str, Measure],
) -> Iterator[tuple[str, Json]]:
    """Orders by month: the day of the month, the code of each member, and each measure."""
    known = read_facts()[ORDERS].dimensions
    own = [known[name] for name in dimensions]
    codes = [f"members_{each.name}.code as {each.name}" for each in own]
    joins = "".join(
        f" left join members_{each.name} on rows.{each.name}__key = members_{each.name}.key"
        for each in own
    )
    columns = ", ".join(
        ["cast(day(rows.ordered_date) as integer) as day", *codes, *columns_of(measures)]
    )
    return _by_month(
        connection,
        f"select placed.month, {columns} from {_rows(ORDERS, own, measures)}"
        f" as rows inner join placed using (order_id){joins}",
        "placed.place",
    )


def _rows(name: str, dimensions: Sequence[Dimension], measures: Mapping[str, Measure]) -> str:
    """The rows of a fact with the keys of these dimensions, and with these measures."""
    keys = "".join(f", cast({each.key} as varchar) as {each.name}__key" for each in dimensions)
    own = f"select {FACTS[name].alias}.*{keys} {_source(name, dimensions)}"
    return f"(select *{''.join(f', {value}' for value in values_of(measures))} from ({own}))"


FURTHER = (
    f"wholesale_marts.{ORDERS} as orders inner join placed using (order_id)"
    f" left join wholesale_bi.{BELOW} as below using (order_id)"
    f" left join wholesale_bi.{RECEIVABLES} as unpaid using (order_id)"
)
"""Orders with what reports tell of some."""


def _flags(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Orders by month, as a list chooses them."""
    columns = [
        *(f"{table}.{name}" for name, table in FLAGS.items()),
        *("unpaid.is_open as is_owed", "unpaid.is_overdue"),
    ]
    return _by_month(
        connection, f"select placed.month, {', '.join(columns)} from {FURTHER}", "placed.place"
    )


def _details(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Orders by month and part of it, as a list shows them."""
    known = {name for (name, *_) in connection.sql(f"describe wholesale_marts.{ORDERS}").fetchall()}
    columns = ", ".join(
        [
            *(f"orders.{name}" for name in DETAILS if name in known),
            *(f"below.{name}" for name in SHORTFALLS),
            "unpaid.due_date",
        ]
    )
    for months in _together(connection):
        yield from read_tables(
            connection,
            f"select concat(placed.month, '-', placed.place // {PART}) as part, {columns}"
            f" from {FURTHER} where list_contains({months}, placed.month)"
            " order by placed.month, placed.place",
            key="part",
        )


def _lines(
    connection: duckdb.DuckDBPyConnection,
    dimensions: Sequence[Dimension],
    measures: Mapping[str, Measure],
) -> Iterator[tuple[str, Json]]:
    """Lines by month: how many orders further than the line before, its kind, and each measure."""
    own = [PRODUCT, *dimensions]
    on = " and ".join(
        f"rows.{each.name}__key is not distinct from kinds.{each.name}" for each in own
    )
    columns = ", ".join(
        [
            "cast(placed.place - lag(placed.place, 1, 0)"
            f" over (partition by placed.month order by {BY_LINE}) as integer) as further",
            "kinds.code as kind",
            *columns_of(measures),
        ]
    )
    return _by_month(
        connection,
        f"select placed.month, {columns} from {_rows(LINES, own, measures)}"
        f" as rows inner join placed using (order_id) inner join kinds on {on}",
        BY_LINE,
    )


def _parts(
    connection: duckdb.DuckDBPyConnection,
    dimensions: Sequence[Dimension],
    of_lines: Sequence[Dimension],
    measures: Mapping[str, Measure],
) -> Iterator[tuple[str, Json]]:
    """All lines of some products, with their orders, in the shape of those of a month; a day is
    the number of those since 1970, and an order has its place in its month."""
    own = [PRODUCT, *of_lines]
    on = " and ".join(
        f"rows.{each.name}__key is not distinct from kinds.{each.name}" for each in own
    )
    codes = "".join(f", members_{each.name}.code as {each.name}" for each in dimensions)
    joins = "".join(
        f" left join members_{each.name} on rows.{each.name}__key = members_{each.name}.key"
        for each in dimensions
    )
    [(count,)] = connection.sql("select coalesce(max(part) + 1, 0) from kinds").fetchall()
    columns = ", ".join(columns_of(measures))
    for start in range(0, count, PARTS_AT_A_TIME):
        connection.execute("drop table if exists lines_of_parts")  # before the next is made
        connection.execute(
            "create temp table lines_of_parts as select cast(kinds.part as varchar) as"
            f" part, placed.order_id, kinds.code as kind, {columns}, row_number() over (order by"
            f" kinds.part, placed.month, {BY_LINE}) as nth, dense_rank() over (partition by"
            " kinds.part order by placed.month, placed.place) as order_nth"
            f" from {_rows(LINES, own, measures)} as rows inner join placed using (order_id)"
            f" inner join kinds on {on}"
            f" where kinds.part between {start} and {start + PARTS_AT_A_TIME - 1}"
        )
        for part, table in read_tables(
            connection,
            "select part, cast(order_nth - lag(order_nth, 1, 1) over (partition by part"
            f" order by nth) as integer) as further, kind, {columns} from lines_of_parts"
            " order by nth",
            key="part",
        ):
            yield f"lines_of_part-{part}", table
        for part, table in read_tables(
            connection,
            f"select part, rows.ordered_date - date '1970-01-01' as day, placed.place{codes}"
            f" from (select distinct part, order_id, order_nth from lines_of_parts)"
            f" inner join {_rows(ORDERS, dimensions, {})} as rows using (order_id)"
            f" inner join placed using (order_id){joins}"
            " order by cast(part as integer), order_nth",
            key="part",
        ):
            yield f"orders_of_part-{part}", table


def _steps(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Changes of states by month of their order, the oldest first: which order, what was seen to
    change, and when."""
    return _by_month(
        connection,
        "select placed.month, placed.place as place, steps.field_name, steps.state_before,"
        " steps.state_after, steps.entered_state_before_at, steps.observed_at"
        f" from wholesale_marts.{STEPS} as steps inner join placed using (order_id)",
        "placed.place, steps.observed_at, steps.order_status_change_id",
    )


def _by_month(
    connection: duckdb.DuckDBPyConnection, sql: str, order: str
) -> Iterator[tuple[str, Json]]:
    """The rows of each month, in this order."""
    for months in _together(connection):
        yield from read_tables(
            connection,
            f"{sql} where list_contains({months}, placed.month) order by placed.month, {order}",
            key="month",
            values=months,
        )


def _together(connection: duckdb.DuckDBPyConnection) -> Iterator[list[str]]:
    """All months, in groups whose orders are sorted together."""
    months: list[str] = []
    orders = 0
    counts = connection.sql("select month, count(*) from placed group by all order by all")
    for month, count in counts.fetchall():
        if months and orders + count > MOST_SORTED:
            yield months
            months, orders = [], 0
        months.append(month)
        orders += count
    if months:
        yield months


def _count_lines(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    return dict(
        connection.sql(
            f"select month, count(*) from wholesale_marts.{LINES} inner join placed"
            " using (order_id) group by all order by all"
        ).fetchall()
    )


def _numbers(
    connection: duckdb.DuckDBPyConnection,
) -> Mapping[str, Sequence[Sequence[int | None]]]:
    """The smallest and largest number of the orders of each part of a month, for a search; none if
    one of them is no number, and from 1 to 0 if none has one."""
    number = "try_cast(order_number as bigint)"
    rows = connection.sql(
        "select month, case when count(order_number) = 0 then 1"
        f" when count({number}) = count(order_number) then min({number}) end,"
        f" case when count(order_number) = 0 then 0 else max({number}) end"
        f" from wholesale_marts.{ORDERS} inner join placed using (order_id)"
        f" group by month, place // {PART} order by month, place // {PART}"
    ).fetchall()
    return {
        month: [[least, most] for _, least, most in parts]
        for month, parts in groupby(rows, key=lambda row: row[0])
    }

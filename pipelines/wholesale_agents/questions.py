"""Questions: queries of a version by name; names are looked up and values bound, none is SQL."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from wholesale.api import plain_guid
from wholesale.errors import Unanswerable
from wholesale_agents.bounds import fitting
from wholesale_agents.following import (
    after_explained,
    after_orders,
    after_report,
    after_reports,
    after_sql,
)
from wholesale_agents.sql_process import SqlProcess
from wholesale_agents.version import (
    DescribedColumn,
    DescribedTable,
    PublishedVersion,
)
from wholesale_elt.figures import ALL_TIME, period_of, unknown
from wholesale_elt.models import OWN_SCHEMA, is_raw, read_lineage

ALL, UNKNOWN = "all", "unknown"
"""The vendor and state of totals over all, which as a condition on orders exclude none; and those
of orders that have none."""
TOTALLED = ("vendor_id", "state")
"""The columns that have these two."""
MOST_ROWS = 1_000
WIDEST = "DECIMAL(38, 9)"
INTEGERS = ("SMALLINT", "INTEGER", "BIGINT")
SCALARS = (str, bool, int, float)
ENDS: Mapping[str, str] = {"from": ">=", "to": "<="}
REPORTS = "rpt_"
Answer = dict[str, Any]
Where = Mapping[str, Any]


def list_reports(version: PublishedVersion) -> Answer:
    """Each report, and each table that users added, with the question that it answers, and the
    names of the other tables."""
    told = {
        table.name: table
        for table in version.tables.values()
        if table.name.startswith(REPORTS) or table.schema == OWN_SCHEMA
    }
    reports = [
        {"report": table.name, "question": table.question, "columns": list(table.columns)}
        for table in told.values()
    ]
    others = [name for name in version.tables if name not in told]
    answer = {**version.about, "reports": reports, "other_tables": others}
    return answer | {"next": after_reports(told)}


def explain(version: PublishedVersion, name: str) -> Answer:
    """What a report or a column means, and from which models and raw columns a column is derived.

    Raises: Unanswerable with the nearest name, if there is neither.
    """
    if name in version.tables:
        found = _explain_table(version.tables[name])
        return {**version.about, **found, "next": after_explained(name)}
    has_it = {
        table.name: table.columns[name]
        for table in version.tables.values()
        if name in table.columns
    }
    if not has_it:
        columns = {column for table in version.tables.values() for column in table.columns}
        raise unknown(name, [*version.tables, *sorted(columns)], "table or column")
    found = _explain_column(version, name, has_it)
    return {**version.about, **found, "next": after_explained(next(iter(has_it)), name)}


def _explain_table(table: DescribedTable) -> Answer:
    return {
        "table": f"{table.schema}.{table.name}",
        "question": table.question,
        "keys": table.keys,
        "columns": [
            {"column": column.name, "type": column.type, "meaning": column.meaning}
            | ({"unit": column.unit} if column.unit else {})
            for column in table.columns.values()
        ],
    }


def _explain_column(
    version: PublishedVersion, name: str, has_it: Mapping[str, DescribedColumn]
) -> Answer:
    """What a column means in each table that has it."""
    return {
        "column": name,
        "meanings": {table: column.meaning for table, column in has_it.items()},
        "units": {table: column.unit for table, column in has_it.items() if column.unit},
        "lineage": {table: _lineage_of(name, version.tables[table]) for table in has_it},
    }


def _lineage_of(column: str, table: DescribedTable) -> Answer:
    """What a column is made of, as `schema.table` and `schema.table.column` of the warehouse."""
    behind = read_lineage().behind(f"{table.schema}.{table.name}", column)
    models = {name.rpartition(".")[0] for name in behind if not is_raw(name)}
    return {"models": sorted(models), "raw_columns": [name for name in behind if is_raw(name)]}


def read_report(
    version: PublishedVersion,
    report: str,
    columns: Sequence[str] | None,
    where: Where,
    order_by: Sequence[str],
    limit: int,
) -> Answer:
    """Rows of one table that meet every condition, and how many more there are.

    Raises: Unanswerable for an unknown name, and for a value that does not fit its column.
    """
    table = version.table(report)
    chosen = [table.column(name) for name in columns or table.columns]
    conditions, values = _conditions(version, table, where)
    order = [_order(table, name) for name in order_by] or [_quoted(name) for name in table.keys]
    source = f"from {_quoted(table.schema)}.{_quoted(table.name)}{conditions}"
    names = [_quoted(column.name) for column in chosen]
    about = {**version.about, "next": after_report(table.name)}
    return {**about, **_read(version, about, source, values, names, order, limit)}


def read_freshness(version: PublishedVersion) -> Answer:
    """How old each resource is, and whether its last sync was certified complete."""
    return read_report(version, "rpt_freshness", None, {}, (), MOST_ROWS)


def read_orders_behind(version: PublishedVersion, period: str, where: Where, limit: int) -> Answer:
    """The orders behind a figure of a period, with their count and sales to compare it with.

    Raises: Unanswerable for an unknown period or column, and for days besides those of a period.
    """
    orders = version.table("rpt_orders")
    meant = {
        name: wanted for name, wanted in where.items() if not (name in TOTALLED and _is_all(wanted))
    }
    if period != ALL_TIME:  # that one has orders without a date, too
        if "ordered_date" in meant:
            raise Unanswerable("ask for a period or for an ordered_date, not for both")
        meant["ordered_date"] = _days_of(version, period)
    conditions, values = _conditions(version, orders, meant)
    source = f"from {_quoted(orders.schema)}.rpt_orders{conditions}"
    sums = version.rows(
        f"select count(*) as order_count, sum(sub_total) as sales_amount {source}", *values
    )
    names = [_quoted(name) for name in orders.columns]
    order = ["ordered_date desc nulls last", "order_id"]
    about = {**version.about, **sums[0]}
    about["next"] = after_orders(version.tables, period)
    return {**about, **_read(version, about, source, values, names, order, limit)}


def _is_all(wanted: object) -> bool:
    return wanted == ALL or (isinstance(wanted, list) and ALL in wanted)


def _days_of(version: PublishedVersion, period: str) -> Mapping[str, Any]:
    up_to = version.about["figures_up_to"]
    span = period_of(period, date.fromisoformat(up_to) if up_to else None).span
    return {"from": span.first, "to": span.last} if span else {}


def run_sql(version: PublishedVersion, process: SqlProcess, query: str) -> Answer:
    """Rows of one SELECT, from a process that can read this version only.

    Raises: Unanswerable for any other statement, and for what DuckDB refuses.
    """
    about = {**version.about, "next": after_sql()}
    answer = {**about, **process.ask(version.database, query)}
    kept = fitting(answer | {"rows": []}, answer["rows"])
    has_more = answer["has_more_rows"] or len(kept) < len(answer["rows"])
    return answer | {"rows": kept, "has_more_rows": has_more}


def _conditions(
    version: PublishedVersion, table: DescribedTable, where: Where
) -> tuple[str, list[object]]:
    """As `conditions_of`. Raises: Unanswerable also for a range that ends before it begins."""
    conditions = conditions_of(table, where)
    for name, wanted in where.items():
        ends = list(_ends_of(wanted).values()) if isinstance(wanted, dict) else []
        if len(ends) == 2:
            bound = _bound(table.column(name))
            [row] = version.rows(f"select {bound} > {bound} as is_empty", *ends)
            if row["is_empty"]:
                raise Unanswerable(
                    f"the range of {name} matches nothing: its `from` comes after its `to`"
                )
    return conditions


def _ends_of(wanted: Mapping[str, object]) -> Mapping[str, object]:
    """The ends of a range that bound it, `from` first: null is as good as absent to who sends
    JSON."""
    return {end: wanted[end] for end in ENDS if wanted.get(end) is not None}


def conditions_of(table: DescribedTable, where: Where) -> tuple[str, list[object]]:
    """A WHERE clause over columns of the table, and the values to bind to it.

    The column equals the value; is in the list; is in the range `{"from": …, "to": …}`, which
    includes both ends, and is open where one is null or absent; or is null, for None. A GUID is
    the same however it is spelled.

    Raises: Unanswerable for any other condition, and for one that nothing can meet.
    """
    parts: list[str] = []
    values: list[object] = []
    for name, wanted in where.items():
        column = table.column(name)
        match wanted:
            case None if name in TOTALLED:
                parts.append(f"coalesce({_quoted(name)}, '{UNKNOWN}') = '{UNKNOWN}'")
            case None:
                parts.append(f"{_quoted(name)} is null")
            case []:
                raise Unanswerable(
                    f"the list of {name} is empty, and nothing is in it: leave it out"
                )
            case list() if all(isinstance(entry, SCALARS) for entry in wanted):
                equal = [_equals(column, value) for value in wanted]
                parts.append(f"({' or '.join(part for part, _ in equal)})")
                values += [value for _, value in equal]
            case dict() if wanted.keys() <= ENDS.keys() and (ends := _ends_of(wanted)):
                for end, value in ends.items():
                    parts.append(f"{_quoted(name)} {ENDS[end]} {_bound(column)}")
                    values.append(_fit(column, value))
            case dict():
                raise Unanswerable(f"a range of {name} has `from`, `to` or both, and no other key")
            case str() | bool() | int() | float():
                part, value = _equals(column, wanted)
                parts.append(part)
                values.append(value)
            case _:
                raise Unanswerable(
                    f"a condition on {name} is a value, a list of values, or a range"
                )
    return (f" where {' and '.join(parts)}" if parts else ""), values


def _equals(column: DescribedColumn, wanted: object) -> tuple[str, object]:
    """The condition that the column has this value, and what to bind to it."""
    name = _quoted(column.name)
    guid = plain_guid(str(wanted).strip()) if column.name.endswith("_id") else None
    return f"{name} = {_bound(column)}", guid or _fit(column, wanted)


def _fit(column: DescribedColumn, wanted: object) -> object:
    """The value. Raises: Unanswerable for a boolean where another column would take it as a number,
    and for a number where a boolean is wanted."""
    if isinstance(wanted, bool) != (column.type == "BOOLEAN") and not isinstance(wanted, str):
        what = "true or false" if column.type == "BOOLEAN" else "no true or false"
        raise Unanswerable(f"a condition on {column.name} takes {what}")
    return wanted


def _read(
    version: PublishedVersion,
    about: Answer,
    source: str,
    values: Sequence[object],
    names: Sequence[str],
    order: Sequence[str],
    limit: int,
) -> Answer:
    if not 1 <= limit <= MOST_ROWS:
        raise Unanswerable(f"a limit is from 1 to {MOST_ROWS:,}")
    ordered = f" order by {', '.join(order)}" if order else ""
    ((count,),) = [row.values() for row in version.rows(f"select count(*) {source}", *values)]
    rows = version.rows(f"select {', '.join(names)} {source}{ordered} limit ?", *values, limit)
    kept = fitting(about, rows)
    return {"rows": kept, "rows_in_all": count, "rows_not_shown": count - len(kept)}


def _order(table: DescribedTable, name: str) -> str:
    """An entry of ORDER BY; `-sales_amount` puts the largest first."""
    column = table.column(name.removeprefix("-"))
    return f"{_quoted(column.name)}{' desc nulls last' if name.startswith('-') else ''}"


def _bound(column: DescribedColumn) -> str:
    """A value to compare the column with; a number has more decimals than its column may have."""
    is_exact = column.type.startswith("DECIMAL") or column.type in INTEGERS
    return f"cast(? as {WIDEST if is_exact else column.type})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

"""News: whoever watches is told once when a closed month moves."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import duckdb

from wholesale.errors import Unanswerable, WholesaleError, counted, one_line
from wholesale_books.journals.tables import CLOSED_MONTHS, JOURNAL
from wholesale_elt.causes import AFTER, BEFORE
from wholesale_elt.monitoring import Alert, items_of, number
from wholesale_elt.publish import Manifest, find_version, kept_versions
from wholesale_elt.warehouse import open_files

SEVERITY: Final = "closed month"
MOST_CAUSES = 4
MOVED = f"""
    select
        strftime(now.month_start, '%Y-%m') as month,
        now.month_start,
        now.close_number,
        now.metric,
        now.as_closed,
        now.now,
        now.changed,
        now.counted_otherwise,
        coalesce(now.now, 0) - coalesce(was.now, now.as_closed, 0) as amount,
        now.problem,
        was.problem as problem_before
    from {AFTER}.{CLOSED_MONTHS.place} as now
    left join {{before}} as was
        on now.month_start = was.month_start
        and now.close_number = was.close_number
        and now.metric = was.metric
        and was.state = 'closed'
    where now.state = 'closed'
        and (
            coalesce(now.changed, 0) <> coalesce(was.changed, 0)
            or coalesce(now.counted_otherwise, 0) <> coalesce(was.counted_otherwise, 0)
            or now.problem is distinct from was.problem
        )
    order by all
"""
"""What is told otherwise than by the version before, where nothing is told of what just closed."""
NOTHING = f"(from {AFTER}.{CLOSED_MONTHS.place} limit 0)"
CAUSES = f"""
    select kind, cause, sum(amount) as amount, count(distinct order_id) as orders
    from {AFTER}.{JOURNAL.place}
    where month_start = ? and close_number = ? and metric = ?
    group by all
    order by abs(sum(amount)) desc, kind, cause
"""
ORDERS = f"""
    select order_id, order_number, sum(amount) as amount
    from {AFTER}.{JOURNAL.place}
    where month_start = ? and close_number = ? and metric = ? and order_id is not null
    group by all
    order by abs(sum(amount)) desc, order_id
"""
Row = Mapping[str, Any]


def moved_months(published: Path, since: str) -> Iterator[Alert]:
    """An alert for each closed month and metric of which the version in force tells another
    difference than that version did, or than the oldest that is kept if that is kept no more."""
    try:
        kept = kept_versions(published)
        files = {
            name: published / version.database.path
            for name, version in ((BEFORE, _since(published, kept, since)), (AFTER, kept[-1]))
        }
        with open_files(files) as connection:
            yield from _alerts(connection)
    except (WholesaleError, duckdb.Error, OSError) as error:
        yield Alert(SEVERITY, "all", f"not compared with version {since}: {one_line(error)}")


def _since(published: Path, kept: Sequence[Manifest], since: str) -> Manifest:
    try:
        return find_version(published, since)
    except Unanswerable:
        return kept[0]


def _alerts(connection: duckdb.DuckDBPyConnection) -> Iterator[Alert]:
    if not _tells(connection, AFTER):
        return
    before = f"{BEFORE}.{CLOSED_MONTHS.place}" if _tells(connection, BEFORE) else NOTHING
    for row in _rows(connection, MOVED.format(before=before)):
        key = [row["month_start"], row["close_number"], row["metric"]]
        subject = f"{row['month']} {row['metric']}"
        if row["problem"]:
            yield Alert(SEVERITY, subject, f"no journal can be made: {row['problem']}")
            continue
        orders = _rows(connection, ORDERS, key)
        causes = "; ".join(_causes(_rows(connection, CAUSES, key)))
        again = "a journal can be made again; " if row["problem_before"] else ""
        yield Alert(
            SEVERITY,
            subject,
            f"{again}it moved by {number(row['amount'])}: {number(row['as_closed'])} as closed,"
            f" {number(row['now'])} now{f' ({causes})' if causes else ''}; run `wholesale journal"
            f" {row['month']} --metric {row['metric']}`",
            items=items_of(orders),
            item_count=len(orders),
        )


def _causes(rows: Sequence[Row]) -> Iterator[str]:
    """All of them since the close, the largest first."""
    for row in rows[:MOST_CAUSES]:
        of = f" by {counted(row['orders'], 'order')}" if row["orders"] else ""
        yield f"{row['cause']} {number(row['amount'])}{of}"
    if more := rows[MOST_CAUSES:]:
        rest = sum((row["amount"] or Decimal() for row in more), Decimal())
        yield f"{counted(len(more), 'other cause')} {number(rest)}"


def _tells(connection: duckdb.DuckDBPyConnection, database: str) -> bool:
    """Whether the version has the tables: one of an earlier release has not."""
    found = connection.execute(
        "select count(*) from duckdb_tables() where (database_name, schema_name) = (?, 'main')"
        " and table_name in (?, ?)",
        [database, CLOSED_MONTHS.name, JOURNAL.name],
    ).fetchall()
    return found == [(2,)]


def _rows(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[object] = ()
) -> list[Row]:
    found = connection.execute(sql, parameters)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

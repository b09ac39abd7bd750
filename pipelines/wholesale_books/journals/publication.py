"""Publication: each version tells of the months that were closed before it was made."""

from collections.abc import Iterator, Sequence

import duckdb

from wholesale.errors import WholesaleError, one_line
from wholesale_books.journals.closes import fault_of, read_closes
from wholesale_books.journals.journal import Journal, as_closed, journals_of, no_journals
from wholesale_books.journals.metrics import metrics_set
from wholesale_books.journals.tables import CLOSED_MONTHS, JOURNAL, Row, entry_rows, month_rows
from wholesale_books.months import ClosedMonth
from wholesale_books.settings import folder_of
from wholesale_elt.causes import BEFORE
from wholesale_elt.models import read_once
from wholesale_elt.publish import Build, Comparison, DescribedTable
from wholesale_elt.warehouse import Warehouse, attach_file


def wanted() -> Comparison:
    """What each version tells of closed months, by the metrics of the setting `books.metrics`.

    Raises: ConfigurationError.
    """
    metrics = metrics_set()

    def tell(
        connection: duckdb.DuckDBPyConnection, warehouse: Warehouse, build: Build
    ) -> Sequence[tuple[DescribedTable, Sequence[Row]]]:
        if build.only:  # what was closed is of the whole
            return ()
        with read_once():
            found = list(_journals(connection, warehouse, metrics, build.source))
        return (CLOSED_MONTHS, list(month_rows(found))), (JOURNAL, list(entry_rows(found)))

    return Comparison((CLOSED_MONTHS, JOURNAL), tell)


def _journals(
    connection: duckdb.DuckDBPyConnection,
    warehouse: Warehouse,
    metrics: Sequence[str],
    source: str,
) -> Iterator[Journal]:
    closes = read_closes(folder_of(warehouse))
    for month in closes.all:
        if month.reopened:
            yield from (as_closed(month, name) for name in metrics)
        elif fault := closes.fault or fault_of(month, source):
            yield from no_journals(month, metrics, fault)
        else:
            yield from _journals_of(connection, month, metrics)


def _journals_of(
    connection: duckdb.DuckDBPyConnection, month: ClosedMonth, metrics: Sequence[str]
) -> Sequence[Journal]:
    try:
        attach_file(connection, month.file, BEFORE)
        try:
            return list(journals_of(connection, month, metrics))
        finally:
            connection.execute(f"detach {BEFORE}")
    except (WholesaleError, duckdb.Error) as error:
        return list(no_journals(month, metrics, one_line(error)))

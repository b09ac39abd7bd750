"""The page of closed months shows what the books wrote into the version, and else nothing."""

import duckdb
import pytest

from wholesale_elt.dashboard.contents.closed import read_closed

MONTHS = (
    "create table main.rpt_closed_months as select date '2026-10-01' as month_start,"
    " 1 as close_number, 'sales' as metric, cast(12.5 as decimal(38, 9)) as as_closed"
)
JOURNAL = (
    "create table main.rpt_journal as select date '2026-10-01' as month_start, 1 as close_number,"
    " 'sales' as metric, number as entry_order, 'order-' || number as order_id,"
    " cast(0.005 as decimal(38, 9)) as amount from range(1, 4) as rows (number)"
)


@pytest.fixture
def version() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "create view named_orders as select 'order-2' as order_id,"
        " 'The Nook' as buyer_company_name, 'North' as vendor_name"
    )
    return connection


def test_a_version_without_books_shows_none(version: duckdb.DuckDBPyConnection) -> None:
    assert read_closed(version) == {}
    version.execute(MONTHS)  # half of it is none
    assert read_closed(version) == {}


def test_months_and_entries_are_shown_exactly_and_entries_with_the_names_of_now(
    version: duckdb.DuckDBPyConnection,
) -> None:
    version.execute(MONTHS)
    version.execute(JOURNAL)

    found = read_closed(version)

    assert found["months"]["columns"] == {
        "month_start": ["2026-10-01"],
        "close_number": [1],
        "metric": ["sales"],
        "as_closed": ["12.5"],
    }
    journal = found["journal"]["columns"]
    assert journal["order_id"] == ["order-1", "order-2", "order-3"]
    assert journal["amount"] == {"values": ["0.005"], "codes": [0, 0, 0]}
    assert journal["buyer_name"] == {"values": ["The Nook"], "codes": [None, 0, None]}
    assert found["counted"]["columns"]["entry_count"] == [3]

"""Days before the first sale are not known: they are no days without sales."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import pytest

from wholesale.errors import Unanswerable
from wholesale_elt.figures import Figures, Question, ask

FIRST, LAST = date(2025, 3, 10), date(2026, 5, 31)
ORDERS = (
    ("2025-03-10", "a", 100, 1, "received"),
    ("2025-04-20", "a", 50, 1, "received"),
    ("2026-03-12", "a", 10, 3, "received"),
    ("2026-04-30", "a", 75, 1, "received"),
    ("2026-04-30", "b", 25, 1, "received"),
    ("2026-05-31", "b", 5, 2, "received"),
    ("2026-06-01", "b", 7, 1, "received"),
    ("2026-04-01", "b", 1000, 1, "cancelled"),
)
"""The day, vendor, amount, units and state of an order each."""


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute("create schema wholesale_marts")
        opened.execute(
            f"create table wholesale_marts.dim_as_of as select date '{FIRST}' as figures_from,"
            f" date '{LAST}' as figures_up_to, timestamptz '2026-06-01 09:01:00+00' as synced_at"
        )
        opened.execute(
            "create table wholesale_marts.fct_orders (ordered_date date, vendor_key text,"
            " sub_total decimal(38, 9), known_unit_count bigint, order_status text,"
            " is_sale boolean, buyer_id text, is_deleted boolean, is_cancelled boolean,"
            " is_return boolean, is_refunded boolean, payment_status text)"
        )
        opened.executemany(
            "insert into wholesale_marts.fct_orders"
            " select $1, $2, $3, $4, $5, $5 <> 'cancelled', 'someone', false, $5 = 'cancelled',"
            " false, false, 'paid'",
            ORDERS,
        )
        opened.execute(
            "create table wholesale_marts.dim_names as"
            " select 'vendor' as name_kind, 'a' as name_key, 'Anna' as display_name"
        )
        yield opened


def figures(connection: duckdb.DuckDBPyConnection, **asked: Any) -> Figures:
    return ask(connection, Question(metrics=["sales", "active_buyers"], **asked))


@pytest.mark.parametrize("compare", ["year", "period"])
@pytest.mark.parametrize("period", ["2025", "2025-03", "2025-04-01..2025-05-10"])
def test_what_is_compared_with_days_that_are_not_known_has_no_growth(
    connection: duckdb.DuckDBPyConnection, period: str, compare: str
) -> None:
    found = figures(connection, by=["vendor"], period=period, compare=compare)

    ends = ("before", "difference", "growth")
    [row] = found.rows
    for told in (row, found.total):
        assert [told[f"{name}_{end}"] for name in ("sales", "active_buyers") for end in ends] == (
            [None] * 6
        )
    assert found.total["sales"] == row["sales"] > 0
    assert found.span_before
    assert not found.span_before.is_known
    assert len(found.notes) == 1


@pytest.mark.parametrize(
    ("period", "now", "before", "growth"),
    [
        ("2026-04", 100, 50, 1),
        ("last_month", 100, 50, 1),
        ("2026-05", 5, 0, None),
        ("2026-03-10..2026-03-12", 10, 100, Decimal("-0.9")),
    ],
)
def test_known_days_are_compared_and_without_orders_they_are_zero(
    connection: duckdb.DuckDBPyConnection, period: str, now: int, before: int, growth: Any
) -> None:
    found = figures(connection, period=period, compare="year")

    total = found.total
    assert [total[f"sales{end}"] for end in ("", "_before", "_growth")] == [now, before, growth]
    assert found.notes == []


def test_a_period_before_the_first_day_has_no_figures(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    found = figures(connection, by=["vendor"], period="2024")

    assert (found.rows, found.total) == ([], {"sales": None, "active_buyers": None})
    assert len(found.notes) == 1
    assert figures(connection, period="2025-09").total == {"sales": 0, "active_buyers": 0}


def test_the_part_of_a_grain_that_is_not_over_is_marked(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    months = figures(connection, grain="month", period="2026").rows
    days = figures(connection, grain="day").rows
    quarters = figures(connection, grain="quarter").rows

    assert [
        (f"{row['month']:%m}", row["is_unfinished"], row["seen_day_count"]) for row in months
    ] == [
        *(("03", False, 31), ("04", False, 30), ("05", False, 31)),
    ]
    assert [row["is_unfinished"] for row in days] == [False] * 7
    assert [row["seen_day_count"] for row in days] == [1] * 6 + [None]
    assert [row["is_unfinished"] for row in quarters] == [False, False, False, True, False]
    assert figures(connection).is_unfinished


@pytest.mark.parametrize(
    "where",
    [
        {"order_status": ["cancelled"]},
        {"order_status": ["CANCELLED"]},
        {"order_status": ["received", "cancelled"]},
    ],
)
def test_a_state_that_no_metric_counts_is_refused(
    connection: duckdb.DuckDBPyConnection, where: dict[str, list[str | None]]
) -> None:
    with pytest.raises(Unanswerable):
        figures(connection, where=where)


@pytest.mark.parametrize(
    ("metric", "dimension", "member", "instead"),
    [
        ("orders", "order_status", "cancelled", "cancelled_orders"),
        ("average_order_value", "order_status", "cancelled", "cancelled_sales"),
        ("returns", "order_status", "cancelled", "cancelled_orders"),
        ("cancelled_orders", "order_status", "received", "orders"),
        ("cancelled_sales", "order_status", "received", "sales"),
        ("refunded_sales", "payment_status", "paid", "sales"),
    ],
)
def test_what_a_metric_excludes_by_its_definition_is_refused_with_the_metric_to_ask(
    connection: duckdb.DuckDBPyConnection,
    metric: str,
    dimension: str,
    member: str,
    instead: str,
) -> None:
    with pytest.raises(Unanswerable, match=rf"\bask {instead}$"):
        ask(connection, Question(metrics=[metric], where={dimension: [member]}))
    of = Question(metrics=[instead], where={dimension: [member]})
    assert ask(connection, of).total[instead]


def test_what_a_metric_does_not_exclude_may_be_zero(connection: duckdb.DuckDBPyConnection) -> None:
    of = Question(metrics=["returns", "undated_orders"], where={"order_status": ["received"]})
    assert ask(connection, of).total == {"returns": 0, "undated_orders": 0}
    placed = Question(metrics=["cancellation_rate"], where={"order_status": ["cancelled"]})
    assert ask(connection, placed).total == {"cancellation_rate": 1}


def test_the_growth_of_a_ratio_is_that_of_its_exact_values(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    asked = Question(metrics=["units_per_order"], period="2026-05", compare="period")
    assert ask(connection, asked).total["units_per_order_growth"] == 1
    connection.execute("begin")
    connection.execute("update wholesale_marts.fct_orders set known_unit_count = 1")
    connection.execute(
        "insert into wholesale_marts.fct_orders select date '2026-04-02', 'a', 1, 0, 'received',"
        " true, 'someone', false, false, false, false, 'paid' from range(1_000_001)"
    )
    found = ask(connection, asked).total
    connection.execute("rollback")

    before = Fraction(2, 1_000_003)
    assert found["units_per_order_before"] == Decimal("0.000002")
    assert Fraction(found["units_per_order_growth"]) == (1 - before) / before


def test_of_amounts_too_long_to_multiply_the_rounded_ratios_are_compared(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("begin")
    connection.execute(
        "alter table wholesale_marts.fct_orders add column line_discount_amount decimal(38, 9)"
    )
    connection.execute(
        "alter table wholesale_marts.fct_orders add column sub_total_before_discounts"
        " decimal(38, 9)"
    )
    connection.execute(
        "update wholesale_marts.fct_orders set line_discount_amount ="
        " 900_000_000_000_000.000000007 + month(ordered_date),"
        " sub_total_before_discounts = 999_999_999_999_999.000000011 - month(ordered_date)"
    )
    asked = Question(metrics=["discount_rate"], period="2026-05", compare="period")
    found = ask(connection, asked).total
    connection.execute("rollback")

    assert found["discount_rate_before"] == Decimal("0.9")
    assert found["discount_rate_growth"] == 0

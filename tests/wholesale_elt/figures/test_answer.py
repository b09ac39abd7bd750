"""Figures equal a second computation to the last digit, for any metrics, dimensions and days."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from random import Random
from typing import Any

import duckdb
import pytest

from sql.recomputation.figures import (
    DIMENSIONS_OF_LINES,
    MEMBERS,
    OF_LINES,
    OF_ORDERS,
    OF_STATE,
    Row,
    Tables,
    begin,
    grouped,
    growth,
    moved,
    value,
)
from support.few import by_hand
from support.warehouses.marts import Marts
from wholesale.errors import Unanswerable
from wholesale_elt.figures import FACTS, Figures, Question, ask, read_metrics
from wholesale_elt.figures.periods import COMPARISONS, GRAINS, Span

PERIODS = (
    *("all_time", "last_7_days", "last_28_days", "last_90_days", "last_12_months", "this_year"),
    *("this_month", "month_to_date", "last_quarter", "2025-Q4", "2026-02", "2025", "2026-05-31"),
    "2026-01-15..2026-03-02",
)


@pytest.fixture(scope="module")
def connection(built: Marts) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(built.database), read_only=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def tables(built: Marts) -> Tables:
    return Tables.read(str(built.database))


def draw(random: Random, tables: Tables) -> Question:
    """A question that goes together, about members that there are."""
    is_of_lines = random.random() < 0.4
    rows = [row for row in (tables.lines if is_of_lines else tables.orders) if row["is_sale"]]
    names = [name for name in MEMBERS if is_of_lines or name not in DIMENSIONS_OF_LINES]
    filters = random.sample(names, random.choice((0, 0, 1, 2)))
    members: dict[str, list[str | None]] = {}
    for name in filters:
        found = [MEMBERS[name](random.choice(rows)) for _ in range(random.choice((1, 3)))]
        members[name] = [None if each is None else str(each) for each in found]
    period = random.choice(PERIODS)
    metrics = random.sample(OF_LINES if is_of_lines else OF_ORDERS, random.randint(1, 3))
    if members.keys() & set(OF_STATE):
        metrics = ["orders" if "cancel" in name else name for name in metrics]
        metrics = [*dict.fromkeys(["orders", *metrics])] if not is_of_lines else metrics
    return Question(
        metrics=metrics,
        by=random.sample(names, random.choice((0, 1, 1, 2, 3))),
        where=members,
        period=period,
        grain=random.choice((None, None, *GRAINS)),
        compare="none" if period == "all_time" else random.choice(COMPARISONS),
    )


def computed(question: Question, tables: Tables, found: Figures) -> list[dict[str, Any]]:
    """The rows that answer the question, in whatever order, without titles."""
    rows = tables.lines if question.metrics[0] in OF_LINES else tables.orders
    chosen = [
        row
        for row in rows
        if all(text(MEMBERS[name](row)) in set(question.where[name]) for name in question.where)
    ]
    up_to = found.known.figures_up_to
    now, then = (
        grouped(within(chosen, span), lambda row, span=span: key(question, row, span, up_to))  # type: ignore[misc]
        for span in (found.span, found.span_before)
    )
    is_compared = found.span_before is not None
    is_known = found.span_before is not None and found.span_before.is_known
    then = then if is_known else {}
    names = [*([question.grain] if question.grain else []), *question.by]
    keys = [*now, *(each for each in then if is_compared and each not in now)] if names else [()]
    return [
        dict(zip(names, each, strict=True))
        | values(question, now.get(each, ()), then.get(each, ()) if is_known else None, is_compared)
        for each in keys
    ]


def text(member: object) -> str | None:
    return None if member is None else str(member)


def within(rows: Sequence[Row], span: Span | None) -> Sequence[Row]:
    if span is None:
        return rows
    return [
        row
        for row in rows
        if row["ordered_date"] and span.first <= row["ordered_date"] <= span.last
    ]


def key(question: Question, row: Row, span: Span | None, up_to: date | None) -> tuple[Any, ...]:
    members = tuple(MEMBERS[name](row) for name in question.by)
    if not question.grain:
        return members
    day: date | None = row["ordered_date"]
    if day and span is None and (up_to is None or day > up_to):
        day = None
    if day and span and span.shift:
        day = moved(day, span.shift)
    return (begin(day, question.grain), *members)


def values(
    question: Question, now: Sequence[Row], then: Sequence[Row] | None, is_compared: bool
) -> dict[str, Any]:
    """The figures; of days that are not all known, `then` is None, and so are the comparisons."""
    found: dict[str, Any] = {}
    for name in question.metrics:
        found[name] = value(name, now)
        if is_compared and then is None:
            found |= dict.fromkeys(f"{name}_{end}" for end in ("before", "difference", "growth"))
        elif then is not None:
            before = found[f"{name}_before"] = value(name, then)
            is_known = found[name] is not None and before is not None
            change = found[name] - before if is_known else None
            found[f"{name}_difference"] = change
            found[f"{name}_growth"] = growth(name, now, then)
    return found


def bare(rows: Sequence[Mapping[str, Any]]) -> list[tuple[tuple[str, Any], ...]]:
    """Rows without titles, in one order."""
    apart = ("_name", "is_unfinished", "seen_day_count")
    return sorted(
        (
            tuple((name, each) for name, each in row.items() if not name.endswith(apart))
            for row in rows
        ),
        key=repr,
    )


@pytest.mark.parametrize(
    "seed",
    [
        0,
        *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 4)),
        *map(by_hand, range(4, 10)),
    ],
)
def test_any_figures_equal_a_second_computation(
    seed: int, tables: Tables, connection: duckdb.DuckDBPyConnection
) -> None:
    random = Random(seed)
    for _ in range(50):
        question = draw(random, tables)
        found = ask(connection, question)
        expected = computed(question, tables, found)

        assert bare(normal(found.rows)) == bare(normal(expected)), (question, found.statement)
        whole = Question(
            metrics=question.metrics,
            where=question.where,
            period=question.period,
            compare=question.compare,
        )
        assert normal([found.total]) == normal(computed(whole, tables, found)), question


@pytest.mark.parametrize("seed", range(2))
def test_a_sum_that_nobody_tells_is_not_known(untold: Marts, seed: int) -> None:
    with duckdb.connect(str(untold.database), read_only=True) as connection:
        test_any_figures_equal_a_second_computation(
            seed, Tables.read(str(untold.database)), connection
        )


def normal(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Numbers as numbers, whatever their scale."""
    return [
        {
            name: each if each is None or isinstance(each, str | date) else f"{each:.9f}"
            for name, each in row.items()
        }
        for row in rows
    ]


@pytest.mark.parametrize("model", sorted(FACTS))
def test_figures_by_any_two_dimensions_add_up_to_the_total(
    model: str, connection: duckdb.DuckDBPyConnection
) -> None:
    metrics = [
        metric.name
        for metric in read_metrics().values()
        if metric.model == model and metric.kind == "additive"
    ]
    names = list(FACTS[model].dimensions)
    pairs = [(one, other) for number, one in enumerate(names) for other in names[number + 1 :: 3]]
    for pair in pairs:
        found = ask(connection, Question(metrics=metrics, by=pair))
        sums = {
            name: sum((row[name] for row in found.rows if row[name] is not None), 0)
            for name in metrics
        }
        assert sums == {name: value or 0 for name, value in found.total.items()}, pair


def test_figures_are_those_of_the_reports(connection: duckdb.DuckDBPyConnection) -> None:
    names = {
        "orders": "order_count",
        "sales": "sales_amount",
        "net_sales": "net_sales_amount",
        "billed": "billed_amount",
        "discounts": "discount_amount",
        "units": "unit_count",
        "active_buyers": "buyer_count",
        "average_order_value": "average_order_value",
        "discount_rate": "discount_rate",
        "below_minimum_value_rate": "below_minimum_value_rate",
    }
    for period in ("all_time", "last_28_days", "last_12_months", "2026-05", "2025"):
        found = ask(connection, Question(metrics=list(names), by=["vendor"], period=period))
        reported = connection.execute(
            f"select vendor_id, {', '.join(names.values())}"
            " from wholesale_bi.rpt_sales_by_period_totals"
            " where period_key = ? and state = 'all' and vendor_id <> 'all' and order_count > 0",
            [period],
        ).fetchall()
        told = [tuple(row[name] for name in ("vendor", *names)) for row in found.rows]

        assert sorted(each for each in told if each[1] > 0) == sorted(reported), period
        assert len(reported) > 5


def test_a_year_before_is_that_of_the_reports(connection: duckdb.DuckDBPyConnection) -> None:
    """Days are reckoned by Python here and by SQL there."""
    for period in ("last_28_days", "last_90_days", "last_12_months", "this_year", "2026-06"):
        found = ask(
            connection,
            Question(metrics=["sales", "orders"], by=["vendor"], period=period, compare="year"),
        )
        reported = connection.execute(
            "select vendor_id, sales_amount_year_before, order_count_year_before"
            " from wholesale_bi.rpt_sales_by_period_totals where period_key = ? and state = 'all'"
            " and vendor_id <> 'all' and order_count_year_before > 0",
            [period],
        ).fetchall()
        told = [(row["vendor"], row["sales_before"], row["orders_before"]) for row in found.rows]

        assert sorted(each for each in told if each[2]) == sorted(reported), period
        assert found.span_before
        assert bool(reported) is found.span_before.is_known, period


def test_without_marts_there_are_no_figures() -> None:
    with duckdb.connect() as reports_alone, pytest.raises(Unanswerable):
        ask(reports_alone, Question(metrics=["sales"]))


def test_members_are_found_by_key_or_name_in_whatever_case(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    [(key, title)] = connection.execute(
        "select vendor_id, vendor_name from wholesale_marts.dim_vendors order by order_count desc"
        " limit 1"
    ).fetchall()
    by_key, by_name = (
        ask(connection, Question(metrics=["sales"], by=["vendor"], where={"vendor": [name]}))
        for name in (f"{{{key.replace('-', '').upper()}}} ", title.lower())
    )

    assert by_key.rows == by_name.rows
    assert [(row["vendor"], row["vendor_name"]) for row in by_key.rows] == [(key, title)]


@pytest.mark.parametrize(
    "question",
    [
        Question(metrics=[]),
        Question(metrics=["salez"]),
        Question(metrics=["sales"], by=["vendors"]),
        Question(metrics=["sales"], by=["month"]),
        Question(metrics=["sales"], by=["category"]),
        Question(metrics=["sales", "product_sales"]),
        Question(metrics=["sales"], where={"vendor": ["nobody's"]}),
        Question(metrics=["sales"], where={"order_status": ["'; drop table x; --"]}),
        Question(metrics=["sales"], grain="hour"),
        Question(metrics=["sales"], compare="before"),
        Question(metrics=["sales"], compare="year"),
        Question(metrics=["late_buyers"], period="this_year"),
    ],
)
def test_what_goes_not_together_or_is_nowhere_is_refused(
    question: Question, connection: duckdb.DuckDBPyConnection
) -> None:
    with pytest.raises(Unanswerable):
        ask(connection, question)

"""Claims: what a version told of next orders stays as it was told, and is judged once."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from wholesale_elt.causes import AFTER, BEFORE
from wholesale_elt.publish import Build
from wholesale_next.claims import MONTHS, ORDERS, Kind, claims_of

Row = dict[str, Any]
BUILD = Build(
    source="s",
    run_id="r",
    as_of="2026-03-05T06:00:00Z",
    built_at="2026-03-05T07:00:00Z",
    verdict="complete",
    reasons=[],
    currency="EUR",
    time_zone="UTC",
    only=None,
    findings=[],
    unknown_states=[],
)
AMOUNT = "decimal(38, 9)"
TABLES = {
    "rpt_headlines": "figures_up_to date",
    "rpt_orders": f"buyer_id text, ordered_date date, sub_total {AMOUNT}, is_return boolean",
    "rpt_next_orders": "buyer_id text, last_ordered_date date, standing text,"
    " purchase_count bigint, first_day_50 date, last_day_50 date, first_day_80 date,"
    " last_day_80 date, first_day_90 date, last_day_90 date, low_amount decimal(18, 2),"
    " high_amount decimal(18, 2), order_in_week_share decimal(38, 6), figures_up_to date",
    "rpt_sales_outlook_totals": f"month_start date, is_next boolean, dimension text,"
    f" known_amount {AMOUNT}, low_50 {AMOUNT}, high_50 {AMOUNT}, low_80 {AMOUNT},"
    f" high_80 {AMOUNT}, low_90 {AMOUNT}, high_90 {AMOUNT}, figures_up_to date",
}
"""Of a version: what claims are made of."""


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("set timezone = 'UTC'")
        yield connection


def day(number: int) -> date:
    """A day of March 2026, or so many after it."""
    return date(2026, 3, 1) + timedelta(days=number - 1)


def publish(
    connection: duckdb.DuckDBPyConnection,
    up_to: date,
    kind: Kind = ORDERS,
    build: Build = BUILD,
    before: pa.Table | None = None,
    **rows: Sequence[Row],
) -> pa.Table:
    """The claims of a version with these rows of its reports, after one with those `before`."""
    connection.execute(f"attach ':memory:' as {AFTER}; create schema {AFTER}.wholesale_bi")
    try:
        for name, columns in TABLES.items():
            place = f"{AFTER}.wholesale_bi.{name}"
            connection.execute(f"create table {place} ({columns})")
            for row in rows.get(name, [{"figures_up_to": up_to}] if "head" in name else []):
                marks = ", ".join("?" * len(row))
                connection.execute(
                    f"insert into {place} ({', '.join(row)}) values ({marks})", [*row.values()]
                )
        if before is not None:
            connection.execute(f"attach ':memory:' as {BEFORE}")
            connection.register("earlier", before)
            connection.execute(f"create table {BEFORE}.{kind.table.place} as from earlier")
        return claims_of(connection, kind, build)
    finally:
        connection.execute(f"detach {AFTER}; detach database if exists {BEFORE}")


WINDOW: Row = {
    "buyer_id": "b",
    "last_ordered_date": day(1),
    "standing": "due",
    "purchase_count": 7,
    **{"first_day_50": day(8), "last_day_50": day(10), "first_day_80": day(7)},
    **{"last_day_80": day(12), "first_day_90": day(6), "last_day_90": None},
    **{"low_amount": Decimal("90.50"), "high_amount": Decimal(200)},
    **{"order_in_week_share": Decimal("0.6"), "figures_up_to": day(4)},
}
CLAIM: Row = {
    "buyer_id": "b",
    "ordered_date": day(1),
    "made_at": datetime(2026, 3, 5, 6, tzinfo=UTC),
    "built_at": datetime(2026, 3, 5, 7, tzinfo=UTC),
    "figures_up_to": day(4),
    "purchase_count": 7,
    **{"first_day_50": day(8), "last_day_50": day(10), "first_day_80": day(7)},
    **{"last_day_80": day(12), "first_day_90": day(6), "last_day_90": None},
    **{"low_amount": Decimal("90.50"), "high_amount": Decimal(200)},
    "order_in_week_share": Decimal("0.6"),
    "is_due": True,
    **dict.fromkeys(("is_right_50", "is_right_80", "is_right_90", "is_amount_right")),
}
FIRST = {"buyer_id": "b", "ordered_date": day(1), "sub_total": Decimal(9)}


def verdicts(claims: pa.Table) -> list[tuple[bool | None, ...]]:
    return [tuple(row[name] for name in ORDERS.verdicts) for row in claims.to_pylist()]


def test_a_window_in_force_is_a_claim_and_one_that_is_over_or_hidden_is_none(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    others = [
        WINDOW | {"buyer_id": "a", "standing": "later", "order_in_week_share": None},
        WINDOW | {"buyer_id": "passed", "standing": "passed"},
        WINDOW | {"buyer_id": "few", "standing": "too_few_purchases"},
        WINDOW | {"buyer_id": "wrong", "standing": "right_too_seldom"},
    ]
    made = publish(connection, day(4), rpt_next_orders=[WINDOW, *others])
    later = {"buyer_id": "a", "is_due": False, "order_in_week_share": None}
    assert made.to_pylist() == [CLAIM | later, CLAIM]


def test_a_claim_stays_whatever_the_window_of_that_day_is_later(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    first = publish(connection, day(4), rpt_next_orders=[WINDOW])
    other = WINDOW | {"last_day_80": day(30), "standing": "later", "low_amount": 1}
    new = WINDOW | {"last_ordered_date": day(5), "figures_up_to": day(5)}
    incomplete = replace(BUILD, as_of=None, built_at="2026-03-06T07:00:00Z")
    second = publish(
        connection, day(5), build=incomplete, before=first, rpt_next_orders=[other, new]
    )
    built = {"made_at": None, "built_at": datetime(2026, 3, 6, 7, tzinfo=UTC)}
    assert second.to_pylist() == [
        CLAIM,
        CLAIM | built | {"ordered_date": day(5), "figures_up_to": day(5)},
    ]
    assert publish(connection, day(6), before=second) == second  # no report of windows any more


def test_a_window_is_judged_once_when_its_last_day_is_over(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    claims = publish(connection, day(4), rpt_next_orders=[WINDOW])
    next_one = {"buyer_id": "b", "ordered_date": day(11), "sub_total": Decimal("90.5")}
    returned = next_one | {"ordered_date": day(8), "is_return": True}
    orders = [FIRST, returned, next_one, next_one | {"sub_total": Decimal(10)}]
    told = []
    for number in (9, 10, 11, 12):
        claims = publish(connection, day(number), before=claims, rpt_orders=orders)
        told += verdicts(claims)
    assert told == [
        (None, None, None, None),
        (False, None, None, None),
        (False, None, None, True),
        (False, True, None, True),
    ]
    cancelled = publish(connection, day(40), before=claims, rpt_orders=[FIRST])
    assert cancelled == claims


def test_what_was_over_when_it_was_published_is_not_judged(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    late = WINDOW | {"figures_up_to": day(10)}
    claims = publish(connection, day(10), rpt_next_orders=[late], rpt_orders=[FIRST])
    claims = publish(connection, day(12), before=claims, rpt_orders=[FIRST])
    assert verdicts(claims) == [(None, False, None, None)]


def test_of_a_buyer_whose_orders_are_there_no_more_nothing_is_judged(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    claims = publish(connection, day(4), rpt_next_orders=[WINDOW])
    other = FIRST | {"buyer_id": "c"}
    assert publish(connection, day(30), before=claims, rpt_orders=[other]) == claims


def test_each_day_has_its_claim_of_a_month_and_all_are_judged_when_it_is_over(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    windows = {50: (40, 50), 80: (30, 60), 90: (20, 70)}
    ends = {f"low_{share}": Decimal(low) for share, (low, _) in windows.items()}
    ends |= {f"high_{share}": Decimal(high) for share, (_, high) in windows.items()}
    told = {"month_start": day(1), "is_next": False, "dimension": "all", "known_amount": 9, **ends}
    claims = None
    for number in (4, 4, 5):
        up_to = {"figures_up_to": day(number)}
        rows = [told | up_to]
        claims = publish(
            connection, day(number), MONTHS, before=claims, rpt_sales_outlook_totals=rows
        )
    sold = [{"ordered_date": day(number), "sub_total": 55} for number in (-2, 31, 32)]
    assert claims is not None
    over = publish(connection, day(30), MONTHS, before=claims, rpt_orders=sold)
    assert over == claims
    over = publish(connection, day(31), MONTHS, before=claims, rpt_orders=sold)
    claim = {name: value for name, value in told.items() if name != "dimension"}
    made = {name: CLAIM[name] for name in ("made_at", "built_at")}
    right = {"is_right_50": False, "is_right_80": True, "is_right_90": True}
    assert over.to_pylist() == [
        claim | made | {"figures_up_to": day(number)} | right for number in (4, 5)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_no_claim_is_another_one_after_any_later_day(
    connection: duckdb.DuckDBPyConnection, seed: int
) -> None:
    random, claims = Random(seed), None
    orders: list[Row] = []
    seen: dict[tuple[Any, ...], Row] = {}
    for number in range(1, 25):
        orders += [
            {"buyer_id": f"b{each}", "ordered_date": day(number), "sub_total": random.randrange(99)}
            for each in range(4)
            if random.random() < 0.3
        ]
        last = {row["buyer_id"]: row["ordered_date"] for row in orders}
        windows = [
            WINDOW | {
                "buyer_id": buyer, "last_ordered_date": on, "figures_up_to": day(number),
                "standing": random.choice(["due", "later", "passed"]),
                **{f"{end}_day_{share}": on + timedelta(days=days)
                   for share, length in ((50, 3), (80, random.randrange(3, 9)), (90, 9))
                   for end, days in (("first", 1), ("last", length))},
            }
            for buyer, on in last.items()
        ]  # fmt: skip
        claims = publish(
            *(connection, day(number)),
            before=claims,
            rpt_next_orders=windows,
            rpt_orders=random.sample(orders, len(orders) - random.randrange(2) if orders else 0),
        )
        rows = {(row["buyer_id"], row["ordered_date"]): row for row in claims.to_pylist()}
        for key, row in seen.items():
            for name, value in row.items():
                assert rows[key][name] == value or (name in ORDERS.verdicts and value is None)
        seen = rows
    assert any(row["is_right_50"] for row in seen.values())
    assert any(row["is_right_50"] is False for row in seen.values())

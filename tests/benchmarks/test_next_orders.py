"""The measurement of windows counts right what is plain to see."""

from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from benchmarks.calls import again, calls, week
from benchmarks.claims import SHARES, claims_of, is_judged, of_peers, pinball
from benchmarks.histories import BEGIN, DAYS, WORLDS, Order, history
from benchmarks.next_orders import record, table
from benchmarks.told import told

BUYERS = 40


def regular(purchases: int = 30) -> list[Order]:
    """Each buyer orders every seventh day, from a day of the first week on, for ten each."""
    return sorted(
        Order(f"b{buyer:02}", BEGIN + timedelta(days=buyer % 7 + 7 * number), Decimal(10))
        for buyer in range(BUYERS)
        for number in range(purchases)
    )


def test_of_buyers_like_clockwork_every_window_is_right() -> None:
    with told(regular()) as connection:
        claims, contenders = claims_of(connection)

    ours, _, again, median = contenders
    for contender in (again, median):
        assert (contender.windows[claims.is_told] == 7).all()
    rows = {row[0]: row for row in of_peers(claims, [ours, again, median])}
    assert rows["median gap"][1:] == ["0.0", *["100.0"] * 3, *["1.0"] * 3, "0.00"]
    assert rows["**ours**"][1:5] == ["0.0", *["100.0"] * 3]
    assert pinball(claims, median.quantiles)[claims.is_told].max() < 0.001


def test_a_window_is_judged_when_its_last_day_is_over_and_who_does_not_come_is_not_in_it() -> None:
    orders = [
        order for order in regular() if order.buyer_id != "b00" or order.ordered_date.month < 5
    ]
    with told(orders) as connection:
        claims, (_, _, again, _) = claims_of(connection)

    windows = again.windows[:, SHARES.index(80)]
    judged = is_judged(claims, windows)
    last = claims.columns["day"] + windows[:, 1]
    assert judged.tolist() == (last <= claims.until).tolist()
    never = judged & (claims.gap > windows[:, 1])
    assert never.sum() == 1


def test_who_is_due_each_week_orders_and_nobody_is_lost() -> None:
    with told(regular()) as connection:
        name, precision, recall, a_week, *of_median = calls(connection, "clockwork")[:7]
        rows = list(record(connection, "clockwork"))
        text = week(connection, "2024-06-03")

    assert (name, precision, recall) == ("clockwork", "100.0", "100.0")
    assert 0.9 * BUYERS < float(a_week) <= BUYERS  # in the first week some had too few purchases
    assert of_median[:2] == ["100.0", "100.0"]
    assert rows[0][:5] == ["clockwork", "shown", "**100.0**", "**100.0**", "**100.0**"]
    assert f"{BUYERS} ordered, for {10 * BUYERS}" in text.splitlines()[0]


def test_who_is_said_to_order_again_does_and_who_stays_away_does_not() -> None:
    """Half of the buyers leave after 25 weeks, and the others are seen for 35 more."""
    orders = [
        order
        for order in regular(60)
        if order.buyer_id > "b19" or order.ordered_date < BEGIN + timedelta(weeks=25)
    ]
    with told(orders) as connection:
        active = again(connection, "clockwork")

    # Of those that were alike nobody ordered after that, so that no chance is told.
    assert active == ["clockwork", "92.0", "97.0", "656", "", "", "0", "0.0", "180"]


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_the_same_each_time(name: str) -> None:
    orders = history(name)

    assert orders == history(name) != history(name, seed=2)
    assert {order.ordered_date for order in orders} <= {BEGIN + timedelta(n) for n in range(DAYS)}


def test_worlds_go_the_ways_that_they_are_named_after() -> None:
    def of(name: str, first: date, last: date) -> int:
        return sum(first <= order.ordered_date < last for order in history(name))

    quarters = [date(2025, month, 1) for month in (1, 4, 7, 10)] + [date(2026, 1, 1)]
    sold = {name: [of(name, *pair) for pair in pairwise(quarters)] for name in WORLDS}
    assert max(sold["steady"]) < 1.2 * min(sold["steady"])
    assert sold["seasonal"][3] > 1.7 * sold["seasonal"][2]
    assert sold["growing"][3] > 1.2 * sold["growing"][0]
    assert sold["dying"][3] < 0.6 * sold["dying"][0]


def test_a_table_is_as_wide_as_its_head() -> None:
    assert table(["", "a", "b"], [["x", "1"]]).splitlines() == [
        "|  | a | b |",
        "| --- | --: | --: |",
        "| x | 1 |  |",
    ]

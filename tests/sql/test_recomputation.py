"""Every report equals a second computation of it, in every column of every row."""

import json
from dataclasses import asdict
from datetime import date
from decimal import Decimal

import duckdb
import pytest

from sql.recomputation import REPORTS, built_at, differences
from sql.recomputation.arithmetic import ratio
from sql.recomputation.books import Books, Settings, read
from sql.recomputation.owed import steps
from support.records.oddities import ODDITIES
from support.warehouses.marts import Marts
from wholesale_elt.figures import Question, ask

pytestmark = pytest.mark.slow

ANOTHER_BUSINESS = Settings(
    time_zone="America/New_York",
    currency="GBP",
    near_miss_share=Decimal("0.005"),
    lapse_days=45,
    late_percentile=Decimal("0.5"),
    late_minimum_orders=2,
    largest_amount=10**14,
    largest_quantity=10**8,
    first_plausible_day=date(2024, 8, 1),
    is_discount_in_amounts=True,
    waiting_order_statuses=("delivered",),
    accepted_order_statuses=("lost",),
    sent_order_statuses=("received",),
    done_order_statuses=("shipped",),
    cancelled_order_statuses=("cancelled", "confirmed"),
    open_payment_statuses=("paid",),
    settled_payment_statuses=("unpaid", "on account"),
    refunded_payment_statuses=("refunded", "on account"),
    confirm_days=9,
    confirm_minimum_orders=2,
    old_order_days=12,
    overdue_days=20,
    recent_days=400,
    spending_days=45,
    price_change_days=7,
    pair_minimum_orders=2,
    done_days=60,
    processing={"": "4 business days", "1week": "2 calendar days", "14:30": "08:00"},
    terms={"prepaid": 0, "50%deposit": 21, "net30": 10, "": 45, "unused": 3},
)

SHARES = (
    ("rpt_account_managers", "active_rate"),
    ("rpt_buyer_cohorts", "retention_rate"),
    ("rpt_buyer_concentration", "herfindahl_index"),
    ("rpt_buyer_headlines", "reorder_90_days_rate"),
    ("rpt_catalogue", "repeat_buyer_rate"),
    ("rpt_catalogue_classes", "product_share"),
    ("rpt_headlines", "below_minimum_value_rate"),
    ("rpt_sales_by_period", "below_minimum_value_rate"),
    ("rpt_vendor_scorecard", "below_minimum_value_rate"),
    ("rpt_vendor_scorecard", "catalogue_sold_rate"),
)
"""Rates and shares of a whole, which no record can make larger than it."""

WITHOUT_ROWS = ("rpt_call_sheet", "rpt_call_sheet_products", "rpt_goals", "rpt_unusual")
"""Of the odd records no buyer is silent that is not lost, so none is to be called; nothing is out
of the ordinary, as such amounts make no share; and no file of goals is set."""


@pytest.fixture(scope="module")
def demo(built: Marts) -> tuple[Marts, Books]:
    return built, Books([read(built.database)], built_at(built))


@pytest.fixture(scope="module")
def odd(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """The demo a day later, when everything odd has happened to it."""
    marts = built.copy(tmp_path_factory.mktemp("workbench"))
    marts.change(*ODDITIES)
    marts.build()
    return marts.copy(tmp_path_factory.mktemp("odd"))


@pytest.fixture(scope="module")
def odd_demo(built: Marts, odd: Marts) -> tuple[Marts, Books]:
    return odd, Books([read(built.database), read(odd.database)], built_at(odd))


@pytest.fixture(scope="module")
def another(
    odd: Marts, built: Marts, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Marts, Books]:
    """The same under settings that are all others than those of the demo."""
    marts = odd.copy(tmp_path_factory.mktemp("workbench"))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in asdict(ANOTHER_BUSINESS).items():
            told = json.dumps(value) if isinstance(value, tuple | bool | dict) else str(value)
            patch.setenv(f"BUILD__{name.upper()}", told)
        marts.build()
    snapshots = [read(built.database), read(odd.database)]
    return marts, Books(snapshots, built_at(marts), ANOTHER_BUSINESS)


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_of_the_demo(demo: tuple[Marts, Books], report: str) -> None:
    assert differences(*demo, report) == []


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_of_odd_records(odd_demo: tuple[Marts, Books], report: str) -> None:
    marts, _ = odd_demo
    assert differences(*odd_demo, report) == []
    is_told = report not in WITHOUT_ROWS
    assert marts.rows(f"select count(*) > 0 from wholesale_bi.{report}") == [(is_told,)]


@pytest.fixture(scope="module")
def untold_demo(untold: Marts) -> tuple[Marts, Books]:
    return untold, Books([read(untold.database)], built_at(untold))


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_of_orders_without_amounts(untold_demo: tuple[Marts, Books], report: str) -> None:
    assert differences(*untold_demo, report) == []


@pytest.mark.parametrize("report", ["rpt_price_changes", "rpt_events"])
def test_a_report_of_prices_that_changed_before(repriced: Marts, report: str) -> None:
    books = Books([read(repriced.database)], built_at(repriced))
    assert differences(repriced, books, report) == []


def test_what_was_sold_is_told_of_some_changes_and_of_some_it_is_not(repriced: Marts) -> None:
    for side in ("before", "after"):
        told, sold, unknown, mixed, short = repriced.rows(
            f"select count(order_count_{side}), sum(order_count_{side}),"
            f" count(*) filter (seen_days_{side} = window_days and order_count_{side} is null),"
            f" count(*) filter (has_other_change_{side}),"
            f" count(*) filter (seen_days_{side} between 1 and window_days - 1)"
            " from wholesale_bi.rpt_price_changes"
        )[0]
        assert min(told, sold, unknown, mixed, short) > 0


@pytest.mark.parametrize(("report", "share"), SHARES)
def test_no_share_exceeds_the_whole(odd_demo: tuple[Marts, Books], report: str, share: str) -> None:
    marts, _ = odd_demo
    assert marts.rows(
        f"select bool_and({share} between 0 and 1), max({share}) > 0 from wholesale_bi.{report}"
    ) == [(True, True)]


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_under_other_settings(another: tuple[Marts, Books], report: str) -> None:
    assert differences(*another, report) == []


DAYS_TO = {"days_to_confirm": "accepted", "days_to_ship": "sent", "days_to_pay": "settled"}


@pytest.mark.parametrize("world", ["demo", "odd_demo", "untold_demo", "another"])
@pytest.mark.parametrize("metric", DAYS_TO)
def test_days_until_orders_moved(request: pytest.FixtureRequest, world: str, metric: str) -> None:
    marts, books = request.getfixturevalue(world)
    seen, step = steps(books), DAYS_TO[metric]
    first = {
        key: min(day for _, to, day in changes if to == step)
        for key, changes in seen.items()
        if any(to == step for _, to, _ in changes)
    }
    taken = {
        key: (first[key] - order.day).days if order.day and key in first else None
        for key, order in books.orders.items()
    }
    rows = marts.rows(f"select order_id, days_to_{step} from wholesale_marts.fct_orders")
    assert dict(rows) == taken
    counted = [
        days for key, days in taken.items() if days is not None and books.orders[key].is_sale
    ]
    with duckdb.connect(str(marts.database), read_only=True) as connection:
        found = ask(connection, Question(metrics=[metric])).total[metric]
    assert found == ratio(sum(counted), len(counted))
    if world == "odd_demo":
        known = {key: days for key, days in taken.items() if days is not None}
        assert min(known.values()) < 0 < max(known.values())
        assert any(not books.orders[key].is_sale for key in known)

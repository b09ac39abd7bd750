"""Every report equals a second computation of it, in every column of every row."""

import json
from dataclasses import asdict
from datetime import date
from decimal import Decimal

import pytest

from sql.recomputation import REPORTS, built_at, differences
from sql.recomputation.books import Books, Settings, read
from support.records.oddities import ODDITIES
from support.warehouses.marts import Marts

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
    assert marts.rows(f"select count(*) > 0 from wholesale_bi.{report}") == [(True,)]


@pytest.fixture(scope="module")
def untold_demo(untold: Marts) -> tuple[Marts, Books]:
    return untold, Books([read(untold.database)], built_at(untold))


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_of_orders_without_amounts(untold_demo: tuple[Marts, Books], report: str) -> None:
    assert differences(*untold_demo, report) == []


@pytest.mark.parametrize(("report", "share"), SHARES)
def test_no_share_exceeds_the_whole(odd_demo: tuple[Marts, Books], report: str, share: str) -> None:
    marts, _ = odd_demo
    assert marts.rows(
        f"select bool_and({share} between 0 and 1), max({share}) > 0 from wholesale_bi.{report}"
    ) == [(True, True)]


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_under_other_settings(another: tuple[Marts, Books], report: str) -> None:
    assert differences(*another, report) == []

"""Settings of the models: what cannot be right is refused by name, the rest is put in one form."""

import json
from collections.abc import Mapping

import duckdb
import pytest

from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError
from wholesale_elt.models.settings import read_settings


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("lapse_days", "abc", "input should be a valid integer"),
        ("lapse_days", "0", "input should be greater than or equal to 1"),
        ("near_miss_share", "0,9", "input should be a valid decimal"),
        ("near_miss_share", "1.5", "input should be less than or equal to 1"),
        ("currency", "<b>$", "no currency"),
        ("time_zone", "Mars/Olympus", "no time zone"),
        ("time_zone", "localtime", "no time zone"),
        ("first_plausible_day", "yesterday", "input should be a valid date"),
        ("largest_quantity", "1e30", "input should be"),
        ("cancelled_order_statuses", "[cancelled]", "write a list"),
    ],
)
def test_a_setting_that_cannot_be_right_is_named_with_its_rule(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, rule: str
) -> None:
    monkeypatch.setenv(f"BUILD__{name.upper()}", value)
    with pytest.raises(ConfigurationError) as caught:
        read_settings()
    assert str(caught.value).startswith(
        f"setting build.{name} (BUILD__{name.upper()} in the environment) is {value!r}: {rule}"
    )


def test_a_setting_that_does_not_exist_is_refused_with_the_nearest_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BUILD__TIMEZONE", "UTC")
    with pytest.raises(ConfigurationError, match=r"build\.timezone .*: did you mean time_zone\?"):
        read_settings()


def test_settings_have_the_form_of_what_they_are_compared_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BUILD__CURRENCY", " nzd")
    monkeypatch.setenv("BUILD__NEAR_MISS_SHARE", "0.85")
    monkeypatch.setenv("BUILD__CANCELLED_ORDER_STATUSES", '[" Cancelled", "cancelled", "", "O\'K"]')
    settings = read_settings()

    row = settings.row()
    assert [row[name][1] for name in ("currency", "near_miss_share")] == ["NZD", "0.85"]
    assert row["cancelled_order_statuses"] == ("text", "cancelled, o'k")
    assert {
        state.state: state.standing
        for state in settings.states()
        if state.field_name == "order_status" and state.is_expected
    } == {"cancelled": "cancelled", "o'k": "cancelled"}


def test_a_state_is_made_small_as_databases_do_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Letter by letter; all capital letters that Python makes small otherwise are among these."""
    monkeypatch.setenv(
        "BUILD__CANCELLED_ORDER_STATUSES", '["\\u2003\u0130PTAL\\n", "\u039f\u0394\u039f\u03a3"]'
    )
    with duckdb.connect() as connection:
        expected = connection.execute(
            "select lower('\u0130PTAL'), lower('\u039f\u0394\u039f\u03a3')"
        ).fetchall()
    assert [read_settings().cancelled_order_statuses] == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "warned"),
    [
        ({"CANCELLED_ORDER_STATUSES": ["Cancelled", "CANCELLED "]}, {}),
        (
            {"SETTLED_PAYMENT_STATUSES": ["Paid", "REFUNDED", "Voided", "o'brien"]},
            {"states_of_the_settings_that_no_order_has": 1},
        ),
    ],
)
def test_states_may_be_written_in_any_case_and_one_that_no_order_has_is_warned_of(
    marts: Marts,
    monkeypatch: pytest.MonkeyPatch,
    settings: Mapping[str, list[str]],
    warned: Mapping[str, int],
) -> None:
    figures = (
        "select sum(sub_total), sum(total) filter (where is_open), count(*)"
        " from wholesale_bi.rpt_orders"
    )
    before = marts.rows(figures)
    for name, value in settings.items():
        monkeypatch.setenv(f"BUILD__{name}", json.dumps(value))

    warnings = marts.build().warnings

    assert marts.rows(figures) == before
    assert {warning.test: warning.rows for warning in warnings} == warned


@pytest.mark.slow
def test_a_payment_in_no_known_state_is_neither_open_nor_settled(marts: Marts) -> None:
    marts.change(
        "create table few as select id, row_number() over (order by id) as n"
        " from wholesale_raw.orders where status = 'delivered' and payment_status = 'unpaid'",
        "update wholesale_raw.orders set payment_status = null"
        " where id in (select id from few where n = 1)",
        "update wholesale_raw.orders set payment_status = 'Half-Paid'"
        " where id in (select id from few where n = 2)",
        "update wholesale_raw.orders set payment_status = ' UNPAID '"
        " where id in (select id from few where n = 3)",
        "update wholesale_raw.orders set total = null"
        " where id in (select id from few where n in (4, 5))",
    )

    warnings = {warning.test.split("__")[0]: warning.rows for warning in marts.build().warnings}

    assert warnings == {
        "known_payment_states": 2,
        "orders_without_an_amount": 2,
    }
    assert marts.rows(
        "select payment_standing, is_open from wholesale_bi.rpt_orders inner join few"
        " on order_id = id where n <= 3 order by n"
    ) == [("unknown", False), ("unknown", False), ("open", True)]
    assert marts.rows(
        "select unknown_order_count, unknown_amount from wholesale_bi.rpt_open_orders_totals"
        " where vendor_id = 'all' and state = 'all' and age_bucket = 'all'"
    ) == marts.rows(
        "select 2, sum(total) from wholesale_raw.orders"
        " where id in (select id from few where n <= 2)"
    )
    assert marts.rows(
        "select missing_amount_count, undated_order_count from wholesale_bi.rpt_headlines"
    ) == [(2, 0)]


def test_what_nobody_knows_is_not_told_as_nothing(marts: Marts) -> None:
    """Of no order is the state of payment known, so that of none is it known to be open."""
    marts.change("update wholesale_raw.orders set payment_status = null")
    reports = "rpt_open_orders", "rpt_open_orders_totals", "rpt_payment_ageing"

    marts.build("rpt_orders", *reports)

    for report in reports:
        assert marts.rows(
            f"select count(*) > 0, count(open_amount), sum(order_count) from wholesale_bi.{report}"
        ) == [(True, 0, 0)]
    assert marts.rows(
        "select unknown_order_count, unknown_amount from wholesale_bi.rpt_open_orders_totals"
        " where vendor_id = 'all' and state = 'all' and age_bucket = 'all'"
    ) == marts.rows("select count(*), sum(total) from wholesale_bi.rpt_orders")

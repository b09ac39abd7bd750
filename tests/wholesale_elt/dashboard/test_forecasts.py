"""The page of who orders next: whom it lists first, and that numbers are those of the models."""

import re
from pathlib import Path

import duckdb
import pytest

from support.paths import ROOT
from wholesale_elt.dashboard.contents.forecasts import read_forecasts

BUYERS = """
    create schema wholesale_bi; create schema wholesale_marts;
    create table wholesale_bi.rpt_next_orders (
        buyer_id text, buyer_name text, state text, account_manager_id text, standing text,
        order_again_share decimal(38, 6),
        purchase_count bigint, first_day_50 date, last_day_50 date, last_day_80 date,
        last_day_90 date, usual_amount decimal(38, 9), figures_up_to date,
        last_ordered_date date
    );
    insert into wholesale_bi.rpt_next_orders by name
    select *, 'name of then' as buyer_name, 'Ohio' as state, date '2026-06-20' as figures_up_to
    from (values
        ('few', 'too_few_purchases', null, 3, null, null, null, null, null),
        ('more', 'too_few_purchases', null, 5, null, null, null, null, 7.5),
        ('seldom', 'right_too_seldom', 'anna', 9, null, null, null, null, 10),
        ('later', 'later', 'anna', 9, date '2026-07-01', '2026-07-03', '2026-07-04', null, 1),
        ('due-2', 'due', 'anna', 9, date '2026-06-22', '2026-06-25', '2026-06-26', null, 2.5),
        ('due-1', 'due', 'anna', 9, date '2026-06-22', '2026-06-23', '2026-06-26', '2026-06-27', 4),
        ('gone', 'passed', null, 9, date '2026-02-01', '2026-02-03', '2026-02-04', '2026-02-05', 1),
        ('late', 'passed', null, 9, date '2026-06-01', '2026-06-03', '2026-06-04', null, 1)
    ) as rows (buyer_id, standing, account_manager_id, purchase_count, first_day_50, last_day_50,
        last_day_80, last_day_90, usual_amount);
    update wholesale_bi.rpt_next_orders set last_ordered_date =
        case when buyer_id = 'due-1' then date '2026-06-21' else date '2026-06-20' end;
    create table wholesale_bi.rpt_forecast_record_totals as
    select 'all' as part, 'all' as member, '80' as claimed, true as is_shown;
    create table wholesale_bi.rpt_forecast_record as
    select * from (values ('age', '6-11', '80', true),
        ('horizon', '1-14 days', '80', true)) as rows (part, member, claimed, is_shown);
    create table wholesale_bi.rpt_due_weeks as
    select cast(day as date) as week_start, 1 as due_count
    from generate_series(date '2026-01-05', date '2026-06-08', interval 7 day) as weeks (day);
    create table wholesale_marts.dim_names as
    select 'buyer' as name_kind, 'late' as name_key, 'The Nook' as display_name
"""
MACROS = ROOT / "sql/macros/forecasts.sql"
SCRIPTS = ROOT / "pipelines/wholesale_elt/dashboard/site"


@pytest.fixture
def version() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(BUYERS)
    return connection


def test_who_passed_all_windows_last_is_first_and_who_has_none_is_last(
    version: duckdb.DuckDBPyConnection,
) -> None:
    columns = read_forecasts(version)["buyers"]["columns"]

    assert columns["buyer_id"] == [
        *("late", "gone", "due-1", "due-2", "later", "seldom", "more", "few"),
    ]
    assert "state" not in columns


def test_buyers_are_counted_by_standing_and_manager_with_the_amounts_that_are_known(
    version: duckdb.DuckDBPyConnection,
) -> None:
    asked = version.sql(
        "select standing, account_manager_id, count(*), count(usual_amount), sum(usual_amount)"
        " from wholesale_bi.rpt_next_orders group by all order by all"
    ).fetchall()
    found = read_forecasts(version)["counts"]

    assert found["length"] == len(asked)
    assert found["columns"]["buyer_count"] == [row[2] for row in asked]
    assert found["columns"]["known_count"] == [row[3] for row in asked]


def test_the_last_twelve_weeks_and_the_parts_that_are_shown_are_there(
    version: duckdb.DuckDBPyConnection,
) -> None:
    found = read_forecasts(version)

    assert found["weeks"]["length"] == 12
    assert found["record"]["length"] == 2


def _number(file: Path, pattern: str) -> int:
    [found] = re.findall(pattern, file.read_text("utf-8"))
    return int(found)


def test_the_page_says_from_which_purchase_on_windows_are_shown_as_the_models_do() -> None:
    of_models = _number(MACROS, r"macro fewest_shown_purchases\(\) -%\}\s*(\d+)")
    assert _number(SCRIPTS / "windows.js", r"const FEWEST = (\d+);") == of_models

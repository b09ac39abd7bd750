"""A build publishes all or nothing, says what is wrong, and bears what a service may lack."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from dlt.destinations.exceptions import DestinationConnectionError

from support.few import few
from support.services.command import run_command
from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.cli.errors import failure_of
from wholesale_elt.models import place
from wholesale_elt.models.rendering import read_project
from wholesale_elt.models.running import BuildFailed
from wholesale_elt.warehouse import DuckDBRaw

pytestmark = pytest.mark.slow


SILENT = """
    select schema_name, table_name from duckdb_tables()
    where schema_name like 'wholesale%' and comment is null
    union all
    select schema_name, view_name from duckdb_views()
    where schema_name like 'wholesale%' and comment is null
    union all
    select schema_name, table_name || '.' || column_name from duckdb_columns()
    where schema_name like 'wholesale%' and comment is null
"""
BARE = {"wholesale_raw", "wholesale_build"}
"""Schemas of what no model makes."""


def test_the_warehouse_says_what_its_tables_mean_also_after_a_part_was_built(marts: Marts) -> None:
    assert {schema for schema, _ in marts.rows(SILENT)} == BARE
    marts.change("update wholesale_raw.sync_runs set pages = pages + 1")
    assert 0 < marts.build().models < len(read_project(DuckDBRaw.dialect).models)
    assert {schema for schema, _ in marts.rows(SILENT)} == BARE


def test_a_failed_test_publishes_nothing_and_the_next_good_build_does(marts: Marts) -> None:
    before = marts.contents()
    marts.change(
        "update wholesale_raw.orders set sub_total = sub_total + 1",
        "insert into wholesale_raw.orders select * from wholesale_raw.orders limit 1",
    )

    with pytest.raises(BuildFailed) as failed:
        marts.build()
    assert marts.contents() == before
    query = marts.warehouse.state_folder / "findings/primary_key_stg_wholesale__orders_order_id.sql"
    (found,) = marts.rows(query.read_text("utf-8"))
    (doubled,) = marts.rows("select id from wholesale_raw.orders group by id having count(*) > 1")
    assert doubled[0] in found
    assert failed.value.checks["primary_key_stg_wholesale__orders_order_id"] == 1
    assert str(failed.value).startswith(
        "test primary_key_stg_wholesale__orders_order_id is broken by 1 row, such as"
        f" order_id={doubled[0]}"
    )
    assert f"(query: {query})" in str(failed.value)

    marts.change(
        "delete from wholesale_raw.orders where rowid in (select max(rowid) from"
        " wholesale_raw.orders group by id having count(*) > 1)"
    )
    marts.build()
    assert marts.contents() != before
    assert marts.rows(
        "select count(*) from duckdb_tables() where schema_name like '%\\_\\_next' escape '\\'"
    ) == [(0,)]


def test_arithmetic_that_does_not_agree_fails_the_build(marts: Marts) -> None:
    before = marts.contents()
    # A line of an order that is not there reaches raw sums and no mart.
    marts.change(
        "insert into wholesale_raw.orders__order_line_items by name select * replace"
        " ('nowhere' as order_id) from wholesale_raw.orders__order_line_items limit 1"
    )

    with pytest.raises(
        BuildFailed, match="reconciliation_of_our_own_arithmetic is broken by 4 rows, such as "
    ):
        marts.build()
    assert marts.contents() == before


@pytest.mark.parametrize(
    "mistaken",
    [
        "case when total <> 0 then total end as total",  # sums are the same
        "cast(sub_total as decimal(38, 9)) as total",
    ],
)
def test_what_staging_makes_of_raw_rows_is_held_against_them(
    marts: Marts, monkeypatch: pytest.MonkeyPatch, mistaken: str
) -> None:
    marts.change(
        "update wholesale_raw.orders set total = 0 where id in"
        " (select min(id) from wholesale_raw.orders)"
    )
    right = read_project(DuckDBRaw.dialect)
    wrong = [
        replace(model, sql=re.sub(r"case when total between .*? as total", mistaken, model.sql))
        if model.name == "stg_wholesale__orders"
        else model
        for model in right.models
    ]
    assert wrong != right.models
    monkeypatch.setattr(place, "read_project", lambda *_: replace(right, models=wrong))

    with pytest.raises(
        BuildFailed,
        match=r"reconciliation_of_our_own_arithmetic is broken by 1 row, such as"
        r".*raw orders against fct_orders, total",
    ):
        marts.build()


def test_what_the_service_promised_nowhere_only_warns(marts: Marts) -> None:
    marts.change(
        "update wholesale_raw.orders set status = 'teleported', sub_total = sub_total + 1"
        " where id in (select min(id) from wholesale_raw.orders)",
        "update wholesale_raw.sync_runs set last_total_count = 7, proof = 'agreement'"
        " where resource = 'items'",
    )

    warnings = marts.build().warnings

    assert {warning.test.split("__")[0]: warning.rows for warning in warnings} == {
        "known_order_states": 1,
        "reconciliation_with_the_service": 2,
    }
    for warning in warnings:
        assert len(marts.rows(warning.query.read_text("utf-8"))) == warning.rows
        assert len(warning.shown) == warning.rows
    assert marts.rows(
        "select check_name, resource, difference_count from wholesale_bi.rpt_reconciliation"
        " where not is_reconciled order by all"
    ) == [
        ("lines against sub_total", "orders", 1),
        (
            "rows alive against total_count",
            "items",
            marts.rows("select abs(count(*) - 7) from wholesale_raw.items")[0][0],
        ),
    ]


KILLED = """
import os, signal, sys
from pathlib import Path
from wholesale_elt.models import build_models
from wholesale_elt.warehouse import Warehouse
def observe(step):
    if step.name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
build_models(Warehouse(Path(sys.argv[1])), observe)
"""


def test_orders_without_a_date_count_in_every_total_and_only_warn(marts: Marts) -> None:
    totals = "select order_count, sales_amount from wholesale_bi.rpt_headlines"
    before = marts.rows(totals)
    marts.change(
        "update wholesale_raw.orders set created_at = null where vendor_id in"
        " (select min(vendor_id) from wholesale_raw.orders)"
    )

    assert [warning.test for warning in marts.build().warnings] == [
        "reconciliation_with_the_service"
    ]
    assert marts.rows(totals) == before
    for report in ("rpt_geography", "rpt_vendor_scorecard"):
        sums = f"select sum(order_count), sum(sales_amount) from wholesale_bi.{report}"
        assert marts.rows(sums) == before, report
    assert marts.rows(
        "select order_count, sold_item_count from wholesale_bi.rpt_vendor_scorecard"
        " where month_start is null"
    ) == marts.rows(
        "select count(distinct order_id), count(distinct item_id)"
        " from wholesale_marts.fct_order_lines where is_sale and ordered_date is null"
    )


@pytest.mark.parametrize("step", few(["fct_order_lines", "rpt_reconciliation"], 1))
def test_a_killed_build_leaves_what_was_in_force(marts: Marts, step: str, tmp_path: Path) -> None:
    before = marts.contents()
    marts.change("update wholesale_raw.orders set sub_total = sub_total + 1")
    run = run_command([str(marts.database), step], tmp_path, os.environ, KILLED)
    assert run.returncode == -signal.SIGKILL

    assert marts.contents() == before
    marts.build()
    assert marts.contents() != before


def test_fields_and_kinds_that_are_not_there_are_null(loaded: Marts, tmp_path: Path) -> None:
    marts = loaded.copy(tmp_path)
    marts.change(
        "drop table wholesale_raw.variants",
        "drop table wholesale_raw.variants__observations",
        "drop table wholesale_raw.orders__order_comments",
        "alter table wholesale_raw.orders drop column transaction_fee",
    )
    for table in ("wholesale_raw.prices", "wholesale_raw.prices__observations"):
        marts.change(
            f"alter table {table} drop column variant_id",
            f"alter table {table} alter unit_price type varchar using"
            " case when hash(id) % 2 = 0 then 'on request' else cast(unit_price as varchar) end",
        )

    marts.build()

    assert marts.rows("select count(*) from wholesale_marts.dim_variants") == [(0,)]
    assert marts.rows("select count(transaction_fee) from wholesale_marts.fct_orders") == [(0,)]
    assert marts.rows(
        "select unit_price is null, count(variant_id) from wholesale_marts.fct_list_prices"
        " group by 1 order by 1"
    ) == [(False, 0), (True, 0)]
    assert marts.rows("select fee_amount from wholesale_bi.rpt_headlines") == [(None,)]


def test_settings_come_from_the_configuration(
    marts: Marts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD__TIME_ZONE", "Pacific/Auckland")
    monkeypatch.setenv("BUILD__CURRENCY", "NZD")
    monkeypatch.setenv("BUILD__CANCELLED_ORDER_STATUSES", '["delivered"]')

    marts.build()

    assert marts.rows("select currency, time_zone from wholesale_bi.rpt_headlines") == [
        ("NZD", "Pacific/Auckland")
    ]
    assert marts.rows(
        "select order_id, ordered_date, is_sale from wholesale_marts.fct_orders order by 1"
    ) == marts.rows(
        "select id, cast(created_at at time zone 'Pacific/Auckland' as date), status <> 'delivered'"
        " from wholesale_raw.orders order by 1"
    )


def test_prices_and_states_are_remembered_as_they_were_seen(marts: Marts) -> None:
    marts.change(
        "create table first_one as select min(id) as id from wholesale_raw.variants",
        "create table first_order as select min(id) as id from wholesale_raw.orders",
        "update wholesale_raw.variants set unit_price = unit_price + 0.125"
        " where id in (from first_one)",
        "update wholesale_raw.orders set payment_status = 'refunded', status = 'returned'"
        " where id in (from first_order)",
        "insert into wholesale_raw.sync_runs by name select * replace ('9' as run_id,"
        " ended_at + interval '1 minute' as ended_at) from wholesale_raw.sync_runs",
    )
    marts.build()
    marts.build(is_full=True)

    assert marts.rows(
        "select version_number, unit_price_change, valid_to is null, is_current"
        " from wholesale_marts.fct_variant_prices where variant_id in (from first_one) order by 1"
    ) == [(1, None, False, False), (2, pytest.approx(0.125), True, True)]
    assert marts.rows(
        "select field_name, state_after, observed_at ="
        " (select max(ended_at) from wholesale_raw.sync_runs where resource = 'orders')"
        " from wholesale_marts.fct_order_status_changes order by 1"
    ) == [("order_status", "returned", True), ("payment_status", "refunded", True)]


def test_a_warehouse_that_is_open_elsewhere_is_said_to_be(marts: Marts) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import duckdb, time; c = duckdb.connect({str(marts.database)!r}, read_only=True);"
            " print('open', flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout
        holder.stdout.readline()
        with pytest.raises((DestinationConnectionError, duckdb.IOException)) as caught:
            marts.build()
        assert "is open in another program" in failure_of(caught.value, marts.warehouse).message
    finally:
        holder.kill()
        holder.communicate()


def test_a_time_zone_that_does_not_exist_is_refused(
    marts: Marts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD__TIME_ZONE", "Mars/Olympus")
    with pytest.raises(ConfigurationError, match="'Mars/Olympus': no time zone"):
        marts.build()


def test_a_build_of_nothing_says_what_to_do_first(tmp_path: Path) -> None:
    with pytest.raises(WholesaleError, match="run `wholesale sync`"):
        Marts(tmp_path / "nothing.duckdb").build()
    duckdb.connect(str(tmp_path / "empty.duckdb")).close()
    with pytest.raises(WholesaleError, match=r"nothing was loaded into .*run `wholesale sync`"):
        Marts(tmp_path / "empty.duckdb").build()


def test_a_build_needs_no_network_and_tells_nobody(marts: Marts) -> None:
    """In a namespace without any network interface."""
    command = [str(Path(sys.executable).parent / "wholesale"), "build"]
    isolated = ["unshare", "--net", "--map-root-user"]
    if subprocess.run([*isolated, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine makes no network namespaces")
    done = subprocess.run(
        [*isolated, *command, "--database", str(marts.database)],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    assert "tests passed (none warns): in force in" in done.stdout

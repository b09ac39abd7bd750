"""The demo: a sandbox, all of it loaded, built, published and shown, by one command."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import Loader
from support.services.command import run_command
from wholesale.settings import ApiSettings
from wholesale_elt.cli.demo import Demo, demo_for, demo_in
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

NOW = datetime(2027, 3, 1, 0, 5, tzinfo=UTC)


@dataclass(frozen=True)
class Tried:
    """What a demo printed, and what it left in its folder."""

    folder: Path
    done: subprocess.CompletedProcess[str]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.folder / "wholesale.duckdb"), read_only=True) as connection:
            return connection.execute(sql).fetchall()


def run_demo(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return without_service([*options, "demo", "--orders", "120", "--to", "shown"], folder)


def without_service(
    arguments: Sequence[str], folder: Path, **settings: str
) -> subprocess.CompletedProcess[str]:
    own = {name: text for name, text in os.environ.items() if not name.startswith("SOURCES__")}
    return run_command(arguments, folder, own | settings)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    folder = tmp_path_factory.mktemp("demo")
    return Tried(folder, run_demo(folder))


@pytest.mark.slow
def test_the_demo_loads_every_resource(demo: Tried) -> None:
    assert demo.done.returncode == 0, demo.done.stderr
    tables = dict(
        demo.rows(
            "select table_name, estimated_size from duckdb_tables()"
            " where schema_name = 'wholesale_raw'"
        )
    )
    for table in (
        *("orders", "vendors", "buyers", "buyer_users", "items", "variants", "item_images"),
        *("price_lists", "prices", "brands", "categories", "custom_fields"),
        *("orders__order_line_items", "orders__order_comments"),
        *("items__options", "variants__options"),
    ):
        assert tables[table] > 0, table
    assert demo.rows("select count(*) from wholesale_raw.orders") == [(120,)]
    assert "certified complete" in demo.done.stdout


def test_the_warehouse_and_its_state_are_the_users_alone(demo: Tried) -> None:
    state = demo.folder / ".wholesale/wholesale.duckdb"

    for path in (demo.folder / "wholesale.duckdb", state, *state.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


def test_what_the_demo_says_of_its_business_is_what_it_published(demo: Tried) -> None:
    with duckdb.connect(str(demo.folder / "shown/wholesale.duckdb"), read_only=True) as published:
        currency, orders, sales, average = published.execute(
            "select currency, orders.order_count, orders.sales_amount, orders.average_order_value"
            " from wholesale_bi.rpt_headlines, wholesale_bi.rpt_sales_by_period_totals as orders"
            " where period_key = 'last_12_months' and vendor_id = 'all' and state = 'all'"
        ).fetchall()[0]

    assert currency == "USD"
    assert f" USD {sales:,.0f} in the last 12 months" in demo.done.stdout
    assert f" {orders:,} in these months, of USD {average:,.2f} on average" in demo.done.stdout


def test_a_demo_ends_yesterday_unless_the_warehouse_holds_one_of_as_many_orders(
    loader: Loader, tmp_path: Path
) -> None:
    then = Demo(3, date(2027, 2, 1))
    held = SandboxSettings(orders=then.orders, last_day=then.last_day)
    with Sandbox(held) as running:
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        Loader(settings, loader.warehouse).load("orders")

    assert demo_in(loader.warehouse) == then
    assert demo_for(loader.warehouse, 3, NOW) == then
    assert demo_for(loader.warehouse, 4, NOW) == Demo(4, date(2027, 2, 28))
    assert demo_for(Warehouse(tmp_path / "none.duckdb"), 3, NOW) == Demo(3, date(2027, 2, 28))
    assert loader.rows("select max(created_at)::date from orders") <= [(then.last_day,)]


def test_a_warehouse_of_another_service_holds_no_demo(sandbox: Sandbox, loader: Loader) -> None:
    loader.load("orders")

    assert demo_in(loader.warehouse) is None


@pytest.mark.slow
def test_after_a_demo_its_sandbox_answers_where_no_service_is_set(demo: Tried) -> None:
    [(number, order_id)] = demo.rows(
        "select order_number, id from wholesale_raw.orders order by order_number limit 1"
    )

    checked, planned, explained = (
        without_service([*words, "--json"], demo.folder)
        for words in (("check",), ("plan",), ("explain", number))
    )

    assert [done.returncode for done in (checked, planned, explained)] == [0, 0, 0]
    found = json.loads(explained.stdout)
    assert (found["order_id"], found["service"]) == (order_id, found["stored"])
    assert demo.rows("select count(distinct run_id) from wholesale_raw.sync_runs") == [(1,)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (("sync",), {}),
        (("run",), {}),
        (("check",), {"SOURCES__WHOLESALE__API_KEY": "k"}),
        (("plan",), {"SOURCES__WHOLESALE__API_KEY_FILE": "key"}),
    ],
)
def test_made_up_data_stand_in_for_no_service_that_somebody_meant_to_set(
    demo: Tried, words: tuple[str, ...], settings: dict[str, str]
) -> None:
    (demo.folder / "key").write_text("k")

    done = without_service(["--quiet", *words], demo.folder, **settings)

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert demo.rows("select count(distinct run_id) from wholesale_raw.sync_runs") == [(1,)]


@pytest.mark.slow
def test_a_second_demo_finds_nothing_new_and_a_quiet_one_prints_nothing(demo: Tried) -> None:
    done = run_demo(demo.folder, "--quiet")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert demo.rows(
        "select sum(new) from wholesale_raw.sync_runs group by run_id order by run_id"
    )[1:] == [(0,)]

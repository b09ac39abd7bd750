"""The demo: a sandbox, all of it loaded, built, published and shown, by one command."""

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import Loader
from support.services.command import run_command
from support.warehouses.bench import keep_few_items
from wholesale.names import moment_of
from wholesale.settings import ApiSettings
from wholesale_elt.cli.demo import Demo, demo_build_settings, demo_for, demo_in
from wholesale_elt.inspect import find_changes
from wholesale_elt.models.settings import read_settings
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
    assert demo.rows(
        "select count(*), count(*) filter (_deleted_at is null) from wholesale_raw.orders"
    ) == [(160, 158)]
    assert "certified complete" in demo.done.stdout


@pytest.mark.slow
def test_the_warehouse_and_its_state_are_the_users_alone(demo: Tried) -> None:
    state = demo.folder / ".wholesale/wholesale.duckdb"

    for path in (demo.folder / "wholesale.duckdb", state, *state.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.slow
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


@pytest.mark.slow
def test_each_of_three_days_is_a_version_of_its_own_and_between_them_business_went_on(
    demo: Tried,
) -> None:
    manifests = (demo.folder / "shown/versions").glob("*/manifest.json")
    versions = [json.loads(path.read_text()) for path in sorted(manifests)]
    runs = demo.rows("select distinct run_id from wholesale_raw.sync_runs order by run_id")
    made, why = [], []
    for before, after in pairwise(versions):
        asked = ["--from", before["version"], "--to", after["version"], "--published", "shown"]
        found = json.loads(without_service(["why", "orders", *asked, "--json"], demo.folder).stdout)
        amounts = Counter({cause["cause"]: cause["amount"] for cause in found["causes"]})
        why.append((amounts["new"], amounts["found late"], found["residue"]))
        moments = (moment_of(version["run_id"]) for version in (before, after))
        changed = find_changes(Warehouse(demo.folder / "wholesale.duckdb"), *moments)
        made.append(Counter((str(change.kind), change.resource) for change in changed.changes))

    assert [(version["run_id"],) for version in versions] == runs
    assert [version["verdict"] for version in versions] == ["complete"] * 3
    assert why == [(20, 0, 0)] * 2
    for day in made:
        of_lines, states = ("edited", "orders__order_line_items"), ("state changed", "orders")
        assert min(day.pop(of_lines), day.pop(states), day.pop(("edited", "orders"))) >= 1
        assert day == {
            ("new", "orders"): 20,
            ("deleted", "orders"): 1,
            ("edited", "prices"): 3,
            ("state changed", "items"): 1,
            ("edited", "buyers"): 1,
            ("new", "orders__order_comments"): 3,
        }


@pytest.mark.slow
def test_the_demo_says_what_the_third_day_changed_and_where_to_look(demo: Tried) -> None:
    published = demo.folder / "shown/wholesale.duckdb"
    with duckdb.connect(str(published), read_only=True) as connection:
        kinds = connection.execute(
            "select kind, count(*) from changes where line_number is null group by kind"
        ).fetchall()
        causes = connection.execute(
            "select cause, amount, order_count from why where metric = 'sales'"
            " and period = 'all_time' and compared_with = 'version_before' order by cause_number"
        ).fetchall()
    lines = dict(re.findall(r"^  (Changed|Why|Look|Query) +(.+)$", demo.done.stdout, re.MULTILINE))

    assert set(lines["Changed"].removeprefix("orders: ").split(", ")) == {
        f"{count} {kind}" for kind, count in kinds
    }
    told = re.findall(r"([a-z ]+) ([+-][\d,]+) \((\d+) orders?\)", lines["Why"])
    assert [(cause.strip(), amount, int(count)) for cause, amount, count in told] == [
        (cause, f"{amount:+,.0f}", count) for cause, amount, count in causes
    ]
    assert lines["Look"].startswith("shown/index.html ")
    assert lines["Query"].startswith("shown/wholesale.duckdb ")


def test_a_demo_that_goes_on_after_a_kill_serves_what_the_warehouse_has_read(
    loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_few_items(monkeypatch)
    demo = Demo(300, date(2026, 5, 4))
    with Sandbox(SandboxSettings(orders=300, last_day=demo.last_day)) as running:
        days = Loader(
            ApiSettings.of(base_url=running.base_url, api_key="sandbox"), loader.warehouse
        )
        days.load()
        while at := demo_for(loader.warehouse, 300).next_at:
            running.play_day(at)
            days.load()

    held = demo_for(loader.warehouse, 300)
    again = SandboxSettings(orders=300, last_day=held.last_day, days_at=held.days_at)
    with Sandbox(again) as running:
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        Loader(settings, loader.warehouse).load()
    found = loader.rows(
        "select sum(new + coalesce(changed, 0) + deleted) from sync_runs"
        " group by run_id order by run_id"
    )

    assert [made > 0 for (made,) in found] == [True, True, True, False]


def test_a_demo_ends_yesterday_unless_the_warehouse_holds_one_of_as_many_orders(
    loader: Loader, tmp_path: Path
) -> None:
    then = Demo(3, date(2027, 2, 1))
    held = SandboxSettings(orders=then.orders, last_day=then.last_day)
    with Sandbox(held) as running:
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        Loader(settings, loader.warehouse).load("orders")

    [(read_at,)] = loader.rows("select max(ended_at) from sync_runs")
    read = replace(then, read_at=(read_at.astimezone(UTC),))
    assert demo_in(loader.warehouse) == read
    assert demo_for(loader.warehouse, 3, NOW) == read
    assert demo_for(loader.warehouse, 4, NOW) == Demo(4, date(2027, 2, 28))
    assert demo_for(Warehouse(tmp_path / "none.duckdb"), 3, NOW) == Demo(3, date(2027, 2, 28))
    assert loader.rows("select max(created_at)::date from orders") <= [(then.last_day,)]


def test_a_demo_is_built_with_settings_of_its_own_but_those_that_somebody_set(
    loader: Loader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Sandbox(SandboxSettings(orders=3, last_day=date(2027, 2, 1))) as running:
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        Loader(settings, loader.warehouse).load("orders")

    def read(warehouse: Warehouse) -> tuple[str, Mapping[str, int]]:
        with demo_build_settings(warehouse):
            found = read_settings()
        return found.currency, found.terms

    own = {"prepaid": 0, "50%deposit": 0}
    assert read(loader.warehouse) == ("USD", own)
    assert read(Warehouse(tmp_path / "none.duckdb")) == ("XXX", {})
    monkeypatch.setenv("BUILD__TERMS", '{"cod": 0}')
    assert read(loader.warehouse) == ("USD", {"cod": 0})
    monkeypatch.setenv("BUILD__CURRENCY", "EUR")
    assert read(loader.warehouse) == ("EUR", {"cod": 0})
    monkeypatch.delenv("BUILD__TERMS")
    assert read(loader.warehouse) == ("EUR", own)


def test_a_warehouse_of_another_service_holds_no_demo(sandbox: Sandbox, loader: Loader) -> None:
    loader.load("orders")

    assert demo_in(loader.warehouse) is None


def test_a_demo_goes_on_with_the_day_after_the_last_one_that_was_read() -> None:
    read_at = tuple(NOW + timedelta(minutes=minute) for minute in range(5))
    demos = [Demo(3, NOW.date(), read_at[:count]) for count in range(5)]

    assert [(demo.days_at, demo.next_at) for demo in demos] == [
        ((), None),
        ((), read_at[0]),
        (read_at[:1], read_at[1]),
        (read_at[:2], None),
        (read_at[:2], None),
    ]


@pytest.mark.slow
def test_after_a_demo_its_sandbox_answers_where_no_service_is_set(demo: Tried) -> None:
    [(number, order_id)] = demo.rows(
        "select order_number, id from wholesale_raw.orders where _deleted_at is null and id in"
        " (select id from wholesale_raw.orders__past) order by order_number limit 1"
    )

    checked, planned, explained = (
        without_service([*words, "--json"], demo.folder)
        for words in (("check",), ("plan",), ("explain", number))
    )

    assert [done.returncode for done in (checked, planned, explained)] == [0, 0, 0]
    found = json.loads(explained.stdout)
    assert (found["order_id"], found["service"]) == (order_id, found["stored"])
    assert demo.rows("select count(distinct run_id) from wholesale_raw.sync_runs") == [(3,)]


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
    assert demo.rows("select count(distinct run_id) from wholesale_raw.sync_runs") == [(3,)]


@pytest.mark.slow
def test_a_second_demo_finds_nothing_new_and_a_quiet_one_prints_nothing(demo: Tried) -> None:
    done = run_demo(demo.folder, "--quiet")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert demo.rows(
        "select sum(new) from wholesale_raw.sync_runs group by run_id order by run_id"
    )[1:] == [(20,), (20,), (0,)]

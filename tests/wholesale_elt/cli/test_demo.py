"""The demo: a sandbox, all of it loaded, built, published and shown, by one command."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.services.command import run_command
from support.warehouses.marts import Marts
from wholesale_elt.cli.output.jobs import QUERIES


@dataclass(frozen=True)
class Demo:
    """What a demo printed, and what it left in its folder."""

    folder: Path
    done: subprocess.CompletedProcess[str]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.folder / "wholesale.duckdb"), read_only=True) as connection:
            return connection.execute(sql).fetchall()


def run_demo(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    own = {name: text for name, text in os.environ.items() if not name.startswith("SOURCES__")}
    return run_command([*options, "demo", "--orders", "120", "--to", "shown"], folder, own)


@pytest.fixture(scope="module")
def demo(built: Marts, workbench: Path, tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """In a folder with nothing in it but the project as dbt parsed it for a build before."""
    done = run_demo(workbench)
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(workbench, folder, dirs_exist_ok=True)
    Marts(workbench / built.database.name).clear()
    return Demo(folder, done)


@pytest.mark.slow
def test_the_demo_loads_every_resource(demo: Demo) -> None:
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
    assert demo.done.stdout.count("select ") == 3


def test_the_warehouse_and_its_state_are_the_users_alone(demo: Demo) -> None:
    state = demo.folder / ".wholesale/wholesale.duckdb"

    for path in (demo.folder / "wholesale.duckdb", state, *state.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


def test_the_headline_that_the_demo_prints_is_that_of_its_dashboard(demo: Demo) -> None:
    page = (demo.folder / "shown/index.html").read_text("utf-8")
    labels = re.findall(r'aria-label="([^"]+)"><h2>', page)
    figures = re.findall(r'<p class="figure">([^<]+)</p>', page)
    days = re.search(r'<p class="days">([^<]+)</p>', page)
    assert len(labels) == len(figures) == 4
    assert days
    pairs = zip(labels, figures, strict=True)
    found = ", ".join(f"{label.lower()} {figure}" for label, figure in pairs)
    assert f"Last 12 months ({days[1]}): {found}\n" in demo.done.stdout


def test_the_queries_that_the_demo_shows_can_be_run(demo: Demo) -> None:
    for _, sql in QUERIES:
        assert demo.rows(sql)


@pytest.mark.slow
def test_a_second_demo_finds_nothing_new_and_a_quiet_one_prints_nothing(demo: Demo) -> None:
    done = run_demo(demo.folder, "--quiet")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert demo.rows(
        "select sum(new) from wholesale_raw.sync_runs group by run_id order by run_id"
    )[1:] == [(0,)]

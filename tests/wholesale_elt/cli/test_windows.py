"""On Windows what is published is asked by every door, and loading is refused in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from support.paths import ROOT
from support.services.service import WHOLESALE
from support.warehouses.edits import publish_again, without_pages
from support.warehouses.marts import Marts
from support.windows import LACKING
from wholesale_elt.cli.main import cli

ASK = """
import json, sys
from click.testing import CliRunner
from wholesale_elt.cli.main import cli, obey, open_standard_streams, prepare_imports
open_standard_streams(), prepare_imports(), obey()
done = [CliRunner().invoke(cli, words) for words in json.load(sys.stdin)]
print(json.dumps([(each.exit_code, each.output) for each in done]))
"""
DOORS = (
    *("figures", "figures sales --by vendor --json", "figures sales --to answers", "why sales"),
    *("sql from/**/orders --csv", "tasks", "next", "status", "verify", "verify --warehouse"),
    *("changes", "dashboard --no-open", "mcp --help", "status --all", "diff previous current"),
    *("diff published/wholesale.duckdb wholesale.duckdb --json", "explain no-such-order"),
)
TELLING_HOW_LONG_AGO = {"next", "status", "status --all"}
LOADING = (
    *("sync", "build", "run", "publish", "publish --to md:x", "demo --no-open"),
    *("build --full", "sync orders --id 1", "copy --from wholesale.duckdb --to other.duckdb"),
    *("try orders.csv", "try orders.csv --look", "run --all", "sync --all", "publish --all"),
)
ACCOUNTS = """
folder = "."
[accounts.wholesale]
base_url = "https://example.org/api/external/v1"
"""
ORDERS = "Order number,Date,Customer,Total\nA1,2026-01-03,Acme,12.50\n"


@pytest.fixture(scope="module")
def folder(built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse, and two versions that were published of it."""
    folder = tmp_path_factory.mktemp("windows")
    with without_pages():
        publish_again(built.copy(folder), published, folder / "published")
    (folder / "accounts.toml").write_text(ACCOUNTS, "utf-8")
    (folder / "orders.csv").write_text(ORDERS, "utf-8")
    return folder


def ask(folder: Path, *commands: str) -> list[tuple[int, str]]:
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        input=json.dumps([command.split() for command in commands]),
        cwd=folder,
        env=LACKING,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [(code, output) for code, output in json.loads(done.stdout)]


def _told(done: Result) -> tuple[int, str]:
    return done.exit_code, done.output


def test_each_door_answers_as_elsewhere_and_each_that_loads_says_where_it_can(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    elsewhere = {door: _told(CliRunner().invoke(cli, door.split())) for door in DOORS}
    found = dict(zip((*DOORS, *LOADING), ask(folder, *DOORS, *LOADING), strict=True))

    for door in DOORS:
        assert found[door][0] == elsewhere[door][0], found[door]
        if door not in TELLING_HOW_LONG_AGO:
            assert found[door][1] == elsewhere[door][1]
    assert {door for door in DOORS if found[door][0]} == {
        "changes",  # it was synced once
        "diff previous current",
        "explain no-such-order",
    }
    assert [path.name for path in (folder / "answers").iterdir()] == ["sales_all_time.csv"]
    assert {(found[name][0], found[name][1].count("\n")) for name in LOADING} == {(2, 1)}
    assert all("WSL" in found[name][1] for name in LOADING)
    assert not (folder / "other.duckdb").exists()


@pytest.mark.slow
def test_each_way_to_ask_works_by_the_command_itself(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    words = [WHOLESALE, "demo", "--orders", "100", "--no-open", "--quiet"]
    subprocess.run(words, cwd=tmp_path, check=True)

    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "tests/doors.py"), str(tmp_path)],
        env=LACKING,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": works\n") == 6

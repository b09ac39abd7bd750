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
    *("sql from/**/orders --csv", "tasks", "status", "verify", "verify --warehouse"),
    *("changes", "dashboard --no-open", "mcp --help"),
)
LOADING = (
    *("sync", "build", "run", "publish", "publish --to md:x", "demo --no-open"),
    *("build --full", "sync orders --id 1", "copy --from wholesale.duckdb --to other.duckdb"),
)


@pytest.fixture(scope="module")
def folder(built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse, and two versions that were published of it."""
    folder = tmp_path_factory.mktemp("windows")
    with without_pages():
        publish_again(built.copy(folder), published, folder / "published")
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
    elsewhere = [CliRunner().invoke(cli, door.split()) for door in DOORS]
    found = dict(zip((*DOORS, *LOADING), ask(folder, *DOORS, *LOADING), strict=True))

    here, there = [found[door] for door in DOORS], [_told(each) for each in elsewhere]
    status = DOORS.index("status")  # which tells how long ago that was
    assert (here.pop(status)[0], here) == (there.pop(status)[0], there)
    assert {door for door in DOORS if found[door][0]} == {"changes"}, "it was synced once"
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

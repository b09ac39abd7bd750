"""Readers of every kind at once while versions follow each other, and publishers that are killed.

No reader meets an error, a lock or half a state; no publisher waits for a reader or fails.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.paths import ROOT
from support.warehouses import publishers, readers

TESTS = ROOT / "tests"


def publisher(folder: Path, deed: str, first: int, count: int) -> None:
    subprocess.run(
        [
            *(sys.executable, "-m", "support.warehouses.publishers", deed),
            *(str(folder / "wholesale.duckdb"), str(folder / "published"), str(first), str(count)),
        ],
        check=True,
        cwd=TESTS,
    )


@contextmanager
def reading(folder: Path) -> Iterator[dict[str, list[str]]]:
    """A reader of each kind; at the end of the block, how often it read and what it saw last."""
    stop = folder / "stop"
    told: dict[str, list[str]] = {}
    processes = {
        kind: subprocess.Popen(
            [
                sys.executable,
                "-m",
                "support.warehouses.readers",
                kind,
                str(folder / "published"),
                str(stop),
            ],
            cwd=TESTS,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for kind in readers.KINDS
    }
    try:
        yield told
        stop.touch()
        for kind, process in processes.items():
            output, errors = process.communicate(timeout=600)
            assert (process.returncode, errors) == (0, ""), kind
            told[kind] = output.split()
    finally:
        for process in processes.values():
            process.kill()
            process.communicate()


@pytest.mark.parametrize(
    "publications",
    [pytest.param(12, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.long)],
)
def test_readers_and_publications_never_meet(tmp_path: Path, publications: int) -> None:
    publisher(tmp_path, "loop", 1, 1)
    first = json.loads((tmp_path / "published/current.json").read_text("utf-8"))["version"]

    with reading(tmp_path) as told:
        publisher(tmp_path, "loop", 2, publications)

    newest = {kind: int(number) for kind, (_, number) in told.items()}
    assert newest == dict.fromkeys(readers.KINDS, publications + 1) | {"held": 1}
    assert all(int(reads) > publications / 5 for reads, _ in told.values()), told
    versions = sorted(path.name for path in (tmp_path / "published/versions").iterdir())
    assert (versions[0], len(versions)) == (first, publishers.KEEP + 1)


@pytest.mark.parametrize(
    "kills", [pytest.param(5, marks=pytest.mark.slow), pytest.param(40, marks=pytest.mark.long)]
)
def test_killed_publishers_leave_a_whole_version_in_force(tmp_path: Path, kills: int) -> None:
    publisher(tmp_path, "loop", 1, 1)

    with reading(tmp_path) as told:
        publisher(tmp_path, "killed", 100, kills)

    last = 100 + 100 * kills
    newest = {kind: int(number) for kind, (_, number) in told.items()}
    assert newest == dict.fromkeys(readers.KINDS, last) | {"held": 1}
    assert not list((tmp_path / "published").rglob("*.partial"))

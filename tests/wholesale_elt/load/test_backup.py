"""Backups of a warehouse in PostgreSQL, made and restored by the commands of the README."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.documents.readmes import blocks
from support.paths import ROOT
from support.records.changes import LATER
from support.records.samples import order
from support.services.postgres import PROGRAMS
from support.warehouses.destinations import Place
from wholesale_sandbox.server import Sandbox

README = ROOT / "pipelines" / "wholesale_elt" / "warehouse" / "README.md"
WAYS = [
    block.text.splitlines()
    for block in blocks(README.read_text("utf-8").replace("\\\n", ""))
    if block.reason and "test_backup.py" in block.reason
]


@pytest.mark.slow
@pytest.mark.parametrize("commands", WAYS, ids=lambda commands: commands[0].split()[0])
def test_what_is_backed_up_comes_back_whole_and_a_sync_goes_on_from_it(
    sandbox: Sandbox, place_in: Callable[[str], Place], commands: list[str], tmp_path: Path
) -> None:
    place = place_in("postgres")
    path = os.pathsep.join([str(Path(sys.executable).parent), str(PROGRAMS), os.environ["PATH"]])
    environment = {**os.environ, **place.environment, "PATH": path}
    sandbox.put("orders", order("A"))
    place.load("orders")
    before = place.contents()
    back_up, restore = commands

    subprocess.run(["bash", "-c", back_up], cwd=tmp_path, env=environment, check=True)
    place.execute("drop schema wholesale_raw cascade")
    subprocess.run(["bash", "-c", restore], cwd=tmp_path, env=environment, check=True)

    assert place.contents() == before
    sandbox.put("orders", order("A", total="2", updated_at=LATER))
    (orders,) = place.load("orders").certificates
    assert (orders.verdict, orders.new, orders.changed) == ("complete", 0, 1)


def test_both_ways_are_run() -> None:
    assert [way[0].split()[0] for way in WAYS] == ["wholesale", "pg_dump"]

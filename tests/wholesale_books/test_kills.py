"""Killed at any write, a close or its end leaves the old state or the new one, and can be repeated.

Each command runs in a process that is killed (SIGKILL) at its next write: whenever Python opens a
file to write, renames, removes or links one, makes a folder, or changes a mode, below the folder.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.few import by_hand
from support.warehouses.closing import Accounting
from wholesale_elt.publish.pins import pins_in

pytestmark = pytest.mark.slow

KILLED = """
import json, os, signal, sys
from pathlib import Path
from wholesale_books import closing
from wholesale_elt.models import read_lineage
from wholesale_elt.warehouse import Warehouse

read_lineage()  # once for all children
month, worlds = sys.argv[1], Path(sys.argv[2])
WRITES = {"os.rename", "os.remove", "os.mkdir", "os.chmod", "os.link", "os.rmdir"}


def work(folder, kind):
    warehouse, published = Warehouse(folder / "wholesale.duckdb"), folder / "published"
    if kind == "close":
        closing.close_month(warehouse, published, month, by="Ann")
    else:
        closing.reopen_month(warehouse, published, month, by="Ann", reason="why")


def child(folder, kind, at):
    seen = 0

    def note(event, arguments):
        nonlocal seen
        writes = event in WRITES
        if event == "open" and isinstance(arguments[2], int):
            writes = bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if writes and str(folder) in str(arguments[0]):
            seen += 1
            if seen == at:
                os.kill(os.getpid(), signal.SIGKILL)

    if at:
        sys.addaudithook(note)
    work(folder, kind)


def run(folder, kind, at=0):
    pid = os.fork()
    if pid == 0:
        try:
            child(folder, kind, at)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


for line in sys.stdin:
    folder, kind, at = json.loads(line)
    print(run(Path(folder), kind, at), flush=True)
"""


class Killer:
    """Runs commands in processes that are killed at their nth write."""

    def __init__(self, month: str, worlds: Path) -> None:
        command = [sys.executable, "-c", KILLED, month, str(worlds)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, folder: Path, kind: str, at: int = 0) -> int:
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps([str(folder), kind, at]), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def end(self) -> None:
        """Close its pipes; it ends by itself then."""
        self.process.communicate()
        assert self.process.returncode == 0


KINDS = ("close", "reopen")


@pytest.mark.parametrize(
    ("kind", "step"), [*((kind, 3) for kind in KINDS), *(by_hand((kind, 1)) for kind in KINDS)]
)
def test_killed_at_each_write(
    accounting: Accounting, tmp_path_factory: pytest.TempPathFactory, kind: str, step: int
) -> None:
    """Or at one of three, where that is the `step`."""
    month, worlds = accounting.months[0], tmp_path_factory.mktemp("worlds")
    version = accounting.manifest.version
    if kind == "reopen":
        assert accounting.run("close", month).code == 0
    before = [entry.kind for entry in accounting.book.read()]
    killer, at, code = Killer(month, worlds), 1 - step, -9
    while code == -9:
        at += step
        world = accounting.copy(worlds / f"{kind}-{at}")
        code = killer.run(world.folder, kind, at)
        kinds = [entry.kind for entry in world.book.read()]
        assert kinds in (before, [*before, {"close": "closed", "reopen": "reopened"}[kind]])
        verified = world.run("verify", "--book")
        assert (verified.code, verified.answer["findings"]) == (3, [])
        if is_closed := bool(kinds) and kinds[-1] == "closed":
            assert version in pins_in(world.published)
        if (kind == "close") != is_closed:
            assert killer.run(world.folder, kind) == 0
        elif kind == "reopen":  # a pin may be left: the next close takes it away
            other = world.months[1]
            assert world.run("close", other).code == 0
            assert world.run("close", other, "--reopen", "why").code == 0
        entries = [entry.kind for entry in world.book.read()]
        assert entries[: len(before) + 1] == [*before, "closed" if kind == "close" else "reopened"]
        assert {*pins_in(world.published)} == ({version} if kind == "close" else set())
        left = {path.name for path in (world.book.folder / "closed").iterdir()}
        assert left == {each.file.name for each in world.closes}
        assert not [*world.book.folder.glob(".*.partial")]
        shutil.rmtree(world.folder)
    assert code == 0
    assert at > 8
    killer.end()

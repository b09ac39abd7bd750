"""Handers: hand-overs in processes of their own, which are killed where a test wants it.

A process is forked from one that has imported all that a hand-over does, so that most of its time
is the hand-over, and a kill at any moment falls into it.
"""

import multiprocessing
import os
import signal
import sys
import time
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

import pytest

from wholesale.errors import WholesaleError
from wholesale_books.handover.handing import Handing
from wholesale_elt.warehouse import Warehouse

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        "support.warehouses.handers",
        "pandas",  # which DuckDB imports, where it is installed, for any parameter of a statement
        "pyarrow.compute",
        "wholesale_elt.process.memory",
        "wholesale_elt.warehouse.ports.compaction",
        "wholesale_elt.warehouse.ports.duckdb_file",
        "wholesale_elt.warehouse.ports.file_copy",
    ]
)
WRITING = frozenset({"os.rename", "os.remove", "os.mkdir", "os.link", "os.rmdir", "os.truncate"})


def hand_over(
    folder: Path, place: Path, where: str, kill_at: int | None, begun: Connection
) -> None:
    """In a process of its own, which is killed before it writes for that time."""
    left = kill_at

    def count(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        is_write = event in WRITING or (event == "open" and _writes(arguments))
        if left is not None and is_write:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    os.fsync = lambda fd: None  # a kill takes nothing of what was written, as a loss of power does
    sys.addaudithook(count)
    begun.send_bytes(b"begun")
    warehouse = Warehouse(folder / "wholesale.duckdb")
    try:
        handed = Handing.of(
            warehouse, "ledger", folder / "published", str(place), None, [where]
        ).hand_over()
    except WholesaleError:
        os._exit(1)
    os._exit(1 if handed.failure else 0)


def _writes(arguments: tuple[Any, ...]) -> bool:
    _, mode, flags = arguments
    return bool((mode and set("wax+") & set(str(mode))) or (flags or 0) & (os.O_WRONLY | os.O_RDWR))


@dataclass
class Hander:
    """A hand-over that runs."""

    process: Any
    begun: Connection

    @classmethod
    def start(cls, folder: Path, place: Path, where: str, kill_at: int | None = None) -> Self:
        with pytest.MonkeyPatch.context() as patch:  # before 3.13 it knows no path to import from
            patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
            forkserver.ensure_running()
        begun, end = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(target=hand_over, args=(folder, place, where, kill_at, end))
        process.start()
        end.close()
        return cls(process, begun)

    def ended(self, kill_after: float | None = None) -> tuple[int, float]:
        """Its exit code, and the seconds that it took once it had begun; after so many of which it
        is killed."""
        with self.begun:
            self.begun.poll(None)  # also when it is killed before
        began = time.monotonic()
        self.process.join(kill_after)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        code: int = self.process.exitcode
        self.process.close()
        return code, time.monotonic() - began

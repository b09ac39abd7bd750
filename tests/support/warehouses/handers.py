"""Handers: hand-overs in processes of their own, which are killed where a test wants it."""

import multiprocessing
import os
import signal
import sys
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from wholesale.errors import WholesaleError
from wholesale_books.handover.handing import Handing
from wholesale_elt.warehouse import Warehouse

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["support.warehouses.handers"])
WRITING = frozenset({"os.rename", "os.remove", "os.mkdir", "os.link", "os.rmdir", "os.truncate"})


def hand_over(folder: Path, place: Path, where: str, kill_at: int | None) -> None:
    """In a process of its own, which is killed before it writes for that time."""
    left = kill_at

    def count(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        is_write = event in WRITING or (event == "open" and _writes(arguments))
        if left is not None and is_write:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
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


def start(folder: Path, place: Path, where: str, kill_at: int | None) -> Any:
    with pytest.MonkeyPatch.context() as patch:  # before 3.13 it is not told where to import from
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()
    process = PROCESSES.Process(target=hand_over, args=(folder, place, where, kill_at))
    process.start()
    return process


def ended(process: Any, seconds: float | None = None) -> int:
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        process.join()
    code: int = process.exitcode
    process.close()
    return code

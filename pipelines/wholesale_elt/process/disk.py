"""Disk: what was written outlives a loss of power, and has its name at once or not at all."""

import os
from collections.abc import Callable
from pathlib import Path

PARTIAL = ".partial"
"""The end of the hidden name under which something is written."""


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Put at `path` what `write` writes at the path that it is given, beside it."""
    partial = path.with_name(f".{path.name}{PARTIAL}")
    partial.unlink(missing_ok=True)
    write(partial)
    put_in_place(partial, path)


def put_in_place(partial: Path, path: Path) -> None:
    """Give a file the name `path`, in place of what may have it; it is on the disk before that."""
    sync_to_disk(partial)
    os.replace(partial, path)
    sync_to_disk(path.parent)


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

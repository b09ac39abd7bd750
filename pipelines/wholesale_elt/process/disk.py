"""Disk: files are replaced atomically, and survive a loss of power."""

import os
from collections.abc import Callable
from pathlib import Path

PARTIAL = ".partial"
"""The suffix of the hidden name under which a file is written first."""


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Replace `path` by a file that `write` makes at the path it is given, beside it."""
    partial = path.with_name(f".{path.name}{PARTIAL}")
    partial.unlink(missing_ok=True)
    write(partial)
    put_in_place(partial, path)


def put_in_place(partial: Path, path: Path) -> None:
    """Sync a file to the disk, then rename it to `path`, replacing what is there."""
    sync_to_disk(partial)
    os.replace(partial, path)
    sync_to_disk(path.parent)


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the entries of a folder, are on the disk (fsync)."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

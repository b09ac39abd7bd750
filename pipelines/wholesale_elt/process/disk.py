"""Disk: files are replaced atomically, survive a loss of power, and may be this user's alone."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL = ".partial"
"""The suffix of the hidden name under which a file is written first."""
OF_OTHERS = 0o077
OPENS_FOLDERS = hasattr(os, "O_DIRECTORY")
"""Whether the system opens folders, and syncs a file for whoever may read it: not Windows."""


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
    if not OPENS_FOLDERS and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY if OPENS_FOLDERS else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def private(is_wanted: bool = True) -> Iterator[None]:
    """Files and folders made within are this user's alone (0600, 0700), in every thread;
    unless that is not wanted."""
    if not is_wanted:
        yield
        return
    before = os.umask(OF_OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def make_private(*paths: Path) -> None:
    """Remove the permissions of others from these paths, if they exist and are ours."""
    for path in paths:
        if path.exists() and path.stat().st_uid == getattr(os, "geteuid", int)():
            path.chmod(path.stat().st_mode & ~OF_OTHERS)

"""Private files: what may hold personal data is readable by this user alone."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OF_OTHERS = 0o077


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
        if path.exists() and path.stat().st_uid == os.geteuid():
            path.chmod(path.stat().st_mode & ~OF_OTHERS)

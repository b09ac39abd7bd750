"""Disk: what was written stays written when the machine loses its power."""

import os
from pathlib import Path


def sync_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""A publisher in a process of its own: builds and publishes one number after the other.

    python tests/publishers.py loop WAREHOUSE FOLDER FIRST COUNT
    python tests/publishers.py killed WAREHOUSE FOLDER FIRST COUNT

`killed` does so in child processes that it kills after a random time, and tells after each what is
in force then.
"""

import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from unittest.mock import patch

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from wholesale_elt.publish.folder import Folder
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse

KEEP = 10
"""So many publications a reader of Parquet files has for one reading."""
LONGEST = 0.7
"""Seconds after which a publisher is killed at the latest."""


def publish_numbers(warehouse: Warehouse, folder: str, first: int, count: int) -> None:
    for number in range(first, first + count):
        handmade.build(warehouse.database, number)
        assert publish_marts(warehouse, folder, keep=KEEP).result == "published"


def kill_publishers(warehouse: Warehouse, folder: str, first: int, count: int) -> None:
    """A whole version is in force after each death, and no older one than before."""
    draw = Random(first)
    store = Folder(Path(folder), Manifest.of)
    newest = 0
    for number in range(first, first + 100 * count, 100):
        child = os.fork()
        if not child:
            publish_numbers(warehouse, folder, number, 100)
            os._exit(1)
        time.sleep(draw.uniform(0.02, LONGEST))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        current = store.current()
        assert current
        assert store.is_whole(current)
        in_force = int((current.run_id or "").removeprefix("run "))
        assert in_force >= newest
        newest = in_force
    publish_numbers(warehouse, folder, first + 100 * count, 1)


def main(deed: str, database: str, folder: str, first: str, count: str) -> None:
    do = {"loop": publish_numbers, "killed": kill_publishers}[deed]
    with patch.object(publishing, "write_dashboard", handmade.write_site):
        do(Warehouse(Path(database)), folder, int(first), int(count))


if __name__ == "__main__":
    main(*sys.argv[1:])

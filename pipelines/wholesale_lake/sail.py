"""Sail: an engine of this machine in a process of its own, which ends with the one that began it.

Run as `python -m wholesale_lake.sail`: it prints its port, and stops when its standard input ends.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wholesale.errors import ConfigurationError
from wholesale_elt.process import import_extra

EXTRA = "engine"
ROWS_A_GROUP = 65_536
"""Rows that Sail holds until it writes them to a file, and that are read from it at a time."""
QUIET = {"RUST_LOG": "error", "SPARK_HOME": "."}
"""Keeps Sail's log off standard error, and pyspark from looking for a Spark, which it does not need
here."""
BOUNDED = {
    "SAIL_RUNTIME__MEMORY_POOL__TYPE": "fair",
    "SAIL_EXECUTION__DEFAULT_PARALLELISM": "1",
    "SAIL_PARQUET__MAX_ROW_GROUP_SIZE": f"{ROWS_A_GROUP}",
    "SAIL_PARQUET__MAXIMUM_PARALLEL_ROW_GROUP_WRITERS": "1",
    "SAIL_PARQUET__ALLOW_SINGLE_FILE_PARALLELISM": "false",
    "MIMALLOC_PURGE_DELAY": "0",
}
"""By default Sail uses all memory, more with more cores, and frees none. Rows about to be written
and the reserve of its allocator come on top of its pool.

Sorts spill, hash joins do not. Sort-merge joins would, but those of DataFusion 55.1 panic or lose
rows if they have conditions besides their keys."""


@contextmanager
def serving_sail(spill: Path, memory: int) -> Iterator[str]:
    """The address of a Sail with so many megabytes for joins, sorts and groups, which spills there.

    Raises: ConfigurationError where it is not installed, or does not start.
    """
    import_extra("pysail", EXTRA)
    room = {
        "SAIL_RUNTIME__MEMORY_POOL__FAIR__MAX_SIZE": f"{memory * 10**6}",
        "SAIL_RUNTIME__TEMPORARY_FILES__PATHS": json.dumps([str(spill)]),
    }
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | QUIET | BOUNDED | room,
        text=True,
        start_new_session=True,  # else Ctrl-C would end it before the build that asks it
    ) as process:
        assert process.stdout
        port = process.stdout.readline().strip()
        if not port:
            raise ConfigurationError("engine sail does not start, and has said why above")
        yield f"sc://127.0.0.1:{port}"


def main() -> None:
    server = import_extra("pysail.spark", EXTRA).SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    _, port = server.listening_address
    print(port, flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()

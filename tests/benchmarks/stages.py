"""What the processor does in a sync: CPU seconds by stage, of the threads in which each runs.

Run as `python -m benchmarks.stages` in the folder `tests`: a first load of orders into a folder
that is thrown away, in this process. Time that a stage spends in another one counts there alone.
"""

import argparse
import functools
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.__main__ import CACHE
from benchmarks.server import API_KEY, serving
from benchmarks.store import build


class Stages:
    """CPU seconds by stage."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._lock = threading.Lock()
        self._inner = threading.local()

    def time(self, owner: Any, name: str, stage: str) -> None:
        """Count what this function takes, from now on, as that of a stage."""
        function: Callable[..., Any] = getattr(owner, name)

        @functools.wraps(function)
        def timed(*args: Any, **named: Any) -> Any:
            started, outer = time.thread_time(), getattr(self._inner, "seconds", 0.0)
            self._inner.seconds = 0.0
            try:
                return function(*args, **named)
            finally:
                taken = time.thread_time() - started
                with self._lock:
                    self.seconds[stage] += taken - self._inner.seconds
                self._inner.seconds = outer + taken

        setattr(owner, name, timed)


def profile(orders: int, folder: Path) -> Mapping[str, float]:
    """CPU seconds of a first load of so many orders, by stage."""
    stages = Stages()
    started = time.process_time()
    from wholesale.compare import Ledger
    from wholesale.http.client import Client
    from wholesale.pages import list_reader
    from wholesale.sync import batches
    from wholesale.sync.changes import Changes
    from wholesale_elt.cli import main
    from wholesale_elt.warehouse.ports.duckdb_raw import DuckDBRaw

    stages.seconds["start: imports"] = time.process_time() - started
    stages.time(Client, "get", "requests, but for what the library does in threads of its own")
    stages.time(list_reader, "read_page", "pages: envelope, UTF-8, where records begin and end")
    stages.time(batches, "decode", "decode: JSON to Arrow")
    stages.time(Changes, "show", "compare: hash what the list shows")
    for name in ("note", "take", "is_confirmed", "last_seen"):
        stages.time(Ledger, name, "compare: the evidence of the run")
    stages.time(DuckDBRaw, "append", "insert: Arrow to DuckDB")
    stages.time(DuckDBRaw, "commit", "commit: to the file")
    with chdir(folder):
        sys.argv = ["wholesale", "--quiet", "sync", "orders"]
        main.main()
    stages.seconds["all else"] = time.process_time() - started - sum(stages.seconds.values())
    return stages.seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=10_000)
    orders = parser.parse_args().orders
    with (
        serving(build(CACHE / "orders", orders), orders, port=0) as service,
        TemporaryDirectory() as folder,
    ):
        os.environ["SOURCES__WHOLESALE__BASE_URL"] = service.base_url
        os.environ["SOURCES__WHOLESALE__API_KEY"] = API_KEY
        seconds = profile(orders, Path(folder))
    for stage, taken in sorted(seconds.items(), key=lambda item: -item[1]):
        print(f"{taken:6.2f} s {taken / sum(seconds.values()):4.0%}  {stage}")


if __name__ == "__main__":
    main()

"""Readers of a published folder: each a process that reads over and over until it is told to stop.

    python tests/readers.py KIND FOLDER STOP

Whatever it reads at once must carry one number in all tables, and never an older one than before.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import duckdb
import pyarrow.parquet as parquet

from support.warehouses import handmade

SHELL = Path(sys.executable).parent / "duckdb"
NUMBERS = " union ".join(f"select number from {table}" for table in handmade.TABLES)


def _connected(path: Path) -> set[int]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return {number for (number,) in connection.execute(NUMBERS).fetchall()}


def read_held(folder: Path) -> Iterator[set[int]]:
    """One connection for the whole time, and each table by a query of its own."""
    with duckdb.connect(str(folder / "wholesale.duckdb"), read_only=True) as connection:
        (first,) = connection.execute("select number from wholesale_bi.rpt_headlines").fetchall()
        while True:
            for table in handmade.TABLES:
                found = connection.execute(f"select distinct number from {table}").fetchall()
                yield {number for (number,) in [first, *found]}


def read_fixed(folder: Path) -> Iterator[set[int]]:
    while True:
        yield _connected(folder / "wholesale.duckdb")


def read_named(folder: Path) -> Iterator[set[int]]:
    while True:
        current = json.loads((folder / "current.json").read_text("utf-8"))
        yield _connected(folder / current["database"]["path"])


def read_shell(folder: Path) -> Iterator[set[int]]:
    command = [str(SHELL), "-readonly", "-csv", "-noheader", str(folder / "wholesale.duckdb")]
    while True:
        done = subprocess.run([*command, "-c", NUMBERS], capture_output=True, text=True, check=True)
        yield {int(line) for line in done.stdout.split()}


def read_parquet(folder: Path) -> Iterator[set[int]]:
    while True:
        current = json.loads((folder / "current.json").read_text("utf-8"))
        found = set()
        for table in current["tables"]:
            path = folder / table["path"]
            assert sha256(path.read_bytes()).hexdigest() == table["sha256"], path
            column = parquet.read_table(path, columns=["number"])["number"]
            assert len(column) == table["rows"], path
            found.update(column.unique().to_pylist())
        yield found


def read_page(folder: Path) -> Iterator[set[int]]:
    while True:
        page = (folder / "index.html").read_text("utf-8")
        version, _, number = page.partition(": ")
        assert (folder / f"dashboard/{version}/index.html").read_text("utf-8") == page
        yield {int(number)}


KINDS: Mapping[str, Callable[[Path], Iterator[set[int]]]] = {
    "held": read_held,
    "fixed": read_fixed,
    "named": read_named,
    "shell": read_shell,
    "parquet": read_parquet,
    "page": read_page,
}


def main(kind: str, folder: str, stop: str) -> None:
    newest = 0
    for reads, numbers in enumerate(KINDS[kind](Path(folder)), start=1):
        assert len(numbers) == 1, f"half of one and half of another: {numbers}"
        assert max(numbers) >= newest, f"back from {newest} to {numbers}"
        newest = max(numbers)
        if Path(stop).exists():
            print(reads, newest)
            return
        time.sleep(0.05)


if __name__ == "__main__":
    main(*sys.argv[1:])

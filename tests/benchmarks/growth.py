"""Growth: a lake of several accounts, and the models of each, made by DuckDB and by Sail.

Run as `python -m benchmarks.growth` in the folder `tests`. Accounts of one size have the same
orders, each in namespaces of its own of one catalogue. Each command is a process of its own.
"""

import json
import os
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.environments import ROOT
from benchmarks.measure import Cost, run
from benchmarks.server import API_KEY, serving
from benchmarks.store import build
from support.services.service import WHOLESALE

CACHE = ROOT / ".benchmarks"
CATALOGUE = "growth"
ENGINES = ("duckdb", "sail")
TIMEOUT = 7200.0


@dataclass(frozen=True, slots=True)
class Account:
    """What an account of so many orders cost: its sync into the lake, a build of all models by each
    engine, and its bytes there."""

    name: str
    orders: int
    sync: Cost
    builds: Mapping[str, Cost]
    bytes: int


def arguments(given: Sequence[str] | None = None) -> Namespace:
    parser = ArgumentParser(
        prog="python -m benchmarks.growth",
        description="Measure what accounts cost in a lake, and building them by each engine.",
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--orders", type=int, nargs="+", default=[10_000], help="sizes of accounts")
    add("--accounts", type=int, default=1, help="so many of each size")
    add("--cache", type=Path, default=CACHE, help="where orders are kept, and the lake meanwhile")
    add("--save", type=Path, help="a file to append the figures to, a line of JSON an account")
    return parser.parse_args(given)


def main() -> None:
    chosen = arguments()
    accounts = []
    for account in grow(chosen.cache, chosen.orders, chosen.accounts):
        accounts.append(account)
        if chosen.save:
            with chosen.save.open("a") as file:
                print(json.dumps(asdict(account)), file=file)
    Console(width=None if sys.stdout.isatty() else 160).print(table_of(accounts))


def grow(cache: Path, sizes: Sequence[int], count: int) -> Iterator[Account]:
    """Load so many accounts of each size into one lake, one after the other, and build each. The
    copies in which DuckDB works go when an account is done.

    Raises: SystemExit for a command that failed.
    """
    cache.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix="growth-", dir=cache) as folder:
        home = Path(folder)
        for size in sizes:
            with serving(build(cache / "orders", size), size, port=0) as service:
                for number in range(count):
                    yield account_of(home, f"account_{size}_{number}", size, service.base_url)
                    rmtree(home / ".wholesale")


def account_of(home: Path, name: str, orders: int, service: str) -> Account:
    catalogue, files = f"PYICEBERG_CATALOG__{CATALOGUE.upper()}", home / "files"
    variables = os.environ | {
        f"{catalogue}__TYPE": "sql",
        f"{catalogue}__URI": f"sqlite:///{home}/catalog.db",
        f"{catalogue}__WAREHOUSE": str(files),
        "DESTINATION__LAKE__CATALOG": f"{CATALOGUE}/{name}",
        "SOURCES__WHOLESALE__BASE_URL": service,
        "SOURCES__WHOLESALE__API_KEY": API_KEY,
    }

    def measured(command: str, **settings: str) -> Cost:
        line = f"{WHOLESALE} --quiet {command} --destination lake"
        cost = run(line, home, variables | settings, timeout=TIMEOUT)
        if cost.status:
            sys.exit(f"{line} ended with {cost.status}: {(home / 'log').read_text()}")
        return cost

    before = size_of(files)
    sync = measured("sync orders")
    builds = {engine: measured("build --full", BUILD__ENGINE=engine) for engine in ENGINES}
    return Account(name, orders, sync, builds, size_of(files) - before)


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def table_of(accounts: Sequence[Account]) -> Table:
    """A row an account, and one of all: seconds and bytes added up, the largest peak."""
    engines = (f"{engine} {cost}" for engine in ENGINES for cost in ("wall s", "CPU s", "peak MB"))
    ratios = ("wall : DuckDB", "CPU : DuckDB")
    table = Table("orders", "MB in the lake", "sync CPU s", "sync peak MB", *engines, *ratios)
    for rows in (*([account] for account in accounts), accounts):
        costs = [[account.builds[engine] for account in rows] for engine in ENGINES]
        (duckdb_wall, duckdb_cpu, _), (wall, cpu, _) = sums = [summed(cost) for cost in costs]
        _, sync_cpu, sync_peak = summed([account.sync for account in rows])
        table.add_row(
            f"{sum(account.orders for account in rows):,}",
            f"{sum(account.bytes for account in rows) / 1e6:,.0f}",
            f"{sync_cpu:.1f}",
            f"{sync_peak / 1e6:,.0f}",
            *(f"{value:,.1f}" for found in sums for value in (*found[:2], found[2] / 1e6)),
            f"{wall / duckdb_wall:.2f}",
            f"{cpu / duckdb_cpu:.2f}",
        )
    return table


def summed(costs: Sequence[Cost]) -> tuple[float, float, int]:
    """Wall and processor seconds together, and the largest peak in bytes."""
    return (
        sum(cost.wall for cost in costs),
        sum(cost.cpu for cost in costs),
        max(cost.peak for cost in costs),
    )


if __name__ == "__main__":
    main()

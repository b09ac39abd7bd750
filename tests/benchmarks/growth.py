"""Growth: a lake of several accounts, and the models of each, made by DuckDB and by Sail.

Run as `python -m benchmarks.growth` in the folder `tests`. Accounts of one size have the same
orders, each in namespaces of its own of one catalogue. Each command is a process of its own. In the
end all that the lake holds is added up by DuckDB, pyiceberg and Sail.
"""

import json
import os
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.environments import ROOT
from benchmarks.measure import Cost, run
from benchmarks.server import API_KEY, serving
from benchmarks.store import Facts, Store, build
from benchmarks.sums import CATALOGUE, Lake, Sums
from support.services.service import WHOLESALE

CACHE = ROOT / ".benchmarks"
ENGINES = ("duckdb", "sail")
COSTS = ("wall s", "CPU s", "peak MB", "own MB")
TIMEOUT = 7200.0


@dataclass(frozen=True, slots=True)
class Account:
    """What an account of so many orders cost: its sync into the lake, a build of all models by each
    engine, and its bytes there."""

    name: str
    orders: int
    sync: Cost
    bytes: int
    builds: Mapping[str, Cost] = field(default_factory=dict)


def arguments(given: Sequence[str] | None = None) -> Namespace:
    parser = ArgumentParser(
        prog="python -m benchmarks.growth",
        description="Measure what accounts cost in a lake, and building them by each engine.",
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--orders", type=int, nargs="+", default=[10_000], help="sizes of accounts")
    add("--accounts", type=int, default=1, help="so many of each size")
    add("--by-duckdb", type=int, help="so many of each size are built by DuckDB, too; else all")
    add("--cache", type=Path, default=CACHE, help="where orders are kept, and the lake meanwhile")
    add("--lake", type=Path, help="a folder where it stays; goes on from --save after a stop")
    add("--save", type=Path, help="a file to append the figures to: accounts, as far as they are")
    return parser.parse_args(given)


def main() -> None:
    chosen = arguments()
    chosen.cache.mkdir(exist_ok=True)
    with _home(chosen) as home:
        accounts = saved(chosen.save) if chosen.lake and chosen.save else {}
        for account in grow(home, chosen, dict(accounts)):
            accounts[account.name] = account
            if chosen.save:
                with chosen.save.open("a") as file:
                    print(json.dumps(asdict(account)), file=file)
        screen = Console(width=None if sys.stdout.isatty() else 160)
        screen.print(table_of(list(accounts.values())))
        screen.print(added_up(home, chosen.cache, list(accounts.values())))


@contextmanager
def _home(chosen: Namespace) -> Iterator[Path]:
    if chosen.lake:
        chosen.lake.mkdir(exist_ok=True)
        yield chosen.lake.absolute()
        return
    with TemporaryDirectory(prefix="growth-", dir=chosen.cache) as folder:
        yield Path(folder)


def saved(path: Path) -> dict[str, Account]:
    """The accounts of a file, by name; the last line of each counts."""
    lines = path.read_text().splitlines() if path.exists() else []
    accounts = (json.loads(line) for line in lines)
    return {
        row["name"]: Account(
            **row
            | {
                "sync": Cost(**row["sync"]),
                "builds": {engine: Cost(**cost) for engine, cost in row["builds"].items()},
            }
        )
        for row in accounts
    }


def grow(home: Path, chosen: Namespace, before: Mapping[str, Account]) -> Iterator[Account]:
    """Load so many accounts of each size into one lake, one after the other, and build each; an
    account is told of after each command. The copies in which DuckDB works go when it is done.

    Raises: SystemExit for a command that failed.
    """
    for size in chosen.orders:
        with serving(build(chosen.cache / "orders", size), size, port=0) as service:
            for number in range(chosen.accounts):
                name = f"account_{size}_{number}"
                is_compared = chosen.by_duckdb is None or number < chosen.by_duckdb
                engines = ENGINES if is_compared else ("sail",)
                account = before.get(name)
                if account is None:
                    Lake(home).forget(name)
                    rmtree(home / ".wholesale", ignore_errors=True)
                    yield (account := loaded(home, name, size, service.base_url))
                for engine in engines:
                    if engine not in account.builds:
                        cost = _measured(home, name, "build --full", BUILD__ENGINE=engine)
                        account = replace(account, builds={**account.builds, engine: cost})
                        yield account
                rmtree(home / ".wholesale", ignore_errors=True)


def loaded(home: Path, name: str, orders: int, service: str) -> Account:
    files = home / "files"
    before = size_of(files)
    sync = _measured(home, name, "sync orders", SOURCES__WHOLESALE__BASE_URL=service)
    return Account(name, orders, sync, size_of(files) - before)


def _measured(home: Path, name: str, command: str, **settings: str) -> Cost:
    catalogue = f"PYICEBERG_CATALOG__{CATALOGUE.upper()}"
    variables = os.environ | {
        f"{catalogue}__TYPE": "sql",
        f"{catalogue}__URI": f"sqlite:///{home}/catalog.db",
        f"{catalogue}__WAREHOUSE": str(home / "files"),
        "DESTINATION__LAKE__CATALOG": f"{CATALOGUE}/{name}",
        "SOURCES__WHOLESALE__API_KEY": API_KEY,
    }
    line = f"exec {WHOLESALE} --quiet {command} --destination lake"
    cost = run(line, home, variables | settings, timeout=TIMEOUT)
    if cost.status:
        sys.exit(f"{line} ended with {cost.status}: {(home / 'log').read_text()}")
    return cost


def added_up(home: Path, cache: Path, accounts: Sequence[Account]) -> str:
    """What the lake holds, in a sentence.

    Raises: SystemExit where it is not what the service has, or not the same for each reader.
    """
    sizes = {account.orders for account in accounts}
    facts = {size: Store(build(cache / "orders", size), size).facts() for size in sizes}
    wanted = sum_of([facts[account.orders] for account in accounts])
    with closing(Lake(home)) as lake:
        found = lake.sums([account.name for account in accounts])
    if set(found.values()) != {wanted}:
        sys.exit(f"the service has {wanted}, and {found} is found")
    return f"{', '.join(found)} find what the service has: {wanted}"


def sum_of(facts: Sequence[Facts]) -> Sums:
    return Sums(
        orders=sum(one.orders for one in facts),
        total=sum(one.total for one in facts),
        lines=sum(one.lines for one in facts),
        quantity=sum(one.quantity for one in facts),
        comments=sum(one.comments for one in facts),
    )


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def table_of(accounts: Sequence[Account]) -> Table:
    """A row an account, and one of all: seconds and bytes added up, the largest peaks, of all
    processes and of the command alone. Ratios are of the accounts that both engines built."""
    engines = (f"{engine} {cost}" for engine in ENGINES for cost in COSTS)
    ratios = ("wall : DuckDB", "CPU : DuckDB")
    table = Table("orders", "MB in the lake", "sync CPU s", "sync peak MB", *engines, *ratios)
    for rows in (*([account] for account in accounts), accounts):
        _, sync_cpu, sync_peak = summed([account.sync for account in rows])
        table.add_row(
            f"{sum(account.orders for account in rows):,}",
            f"{sum(account.bytes for account in rows) / 1e6:,.0f}",
            f"{sync_cpu:.1f}",
            f"{sync_peak / 1e6:,.0f}",
            *(cell for engine in ENGINES for cell in _cells(rows, engine)),
            *_ratios([account.builds for account in rows if account.builds.keys() >= {*ENGINES}]),
        )
    return table


def _cells(rows: Sequence[Account], engine: str) -> Sequence[str]:
    costs = [account.builds[engine] for account in rows if engine in account.builds]
    if not costs:
        return [""] * len(COSTS)
    wall, cpu, peak = summed(costs)
    own = max(cost.own for cost in costs)
    return (f"{wall:,.1f}", f"{cpu:,.1f}", f"{peak / 1e6:,.1f}", f"{own / 1e6:,.1f}")


def _ratios(builds: Sequence[Mapping[str, Cost]]) -> Sequence[str]:
    if not builds:
        return ("", "")
    by_duckdb, by_sail = (summed([costs[engine] for costs in builds]) for engine in ENGINES)
    return tuple(f"{by_sail[part] / by_duckdb[part]:.2f}" for part in (0, 1))


def summed(costs: Sequence[Cost]) -> tuple[float, float, int]:
    """Wall and processor seconds together, and the largest peak in bytes."""
    return (
        sum(cost.wall for cost in costs),
        sum(cost.cpu for cost in costs),
        max(cost.peak for cost in costs),
    )


if __name__ == "__main__":
    main()

"""The chain: from the service to the published dashboard, again and again, as a whole and in parts.

Run it as `python -m benchmarks.chain` in the folder `tests`. The service is the sandbox, in the
process of the benchmark, which is not counted. One warehouse is kept by `wholesale run`, another by
`wholesale sync`, `build` and `publish`, one after the other; both see the same changes. So does the
peer: dlt's `rest_api` source, tuned as its documentation advises, which loads the orders alone, and
`dbt build` of our models on raw tables that it is given. It publishes nothing.
"""

import json
import os
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, mkdtemp
from uuid import uuid4

import duckdb
from rich.console import Console
from rich.table import Table

from benchmarks.contenders import CONTENDER
from benchmarks.measure import Cost, run
from wholesale_elt.models.dbt import write_project
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

FIRST, NOTHING, CHANGED, LATELY = "first", "nothing changed", "changed", "changed lately"
RUN, SYNC, BUILD, PUBLISH = "run", "sync", "build", "publish"
PEER = "dlt and dbt"
FLOORS = {"the models' SQL alone": "sql", "the Parquet files alone": "parquet"}
PROGRAMS = Path(sys.executable).parent
FLOOR = Path(__file__).with_name("peers") / "chain_floor.py"

Measured = tuple[str, str]
"""A stage and what ran then."""


@cache
def dbt_build() -> str:
    """The command by which dbt builds the same models."""
    project = mkdtemp()
    write_project(Path(project))
    return (
        f"dbt --no-send-anonymous-usage-stats build --project-dir {project}"
        f" --profiles-dir {project}"
        " --exclude-resource-type unit_test --target-path $PWD/target --log-path $PWD/target"
    )


def arguments(given: Sequence[str] | None = None) -> Namespace:
    parser = ArgumentParser(
        prog="python -m benchmarks.chain",
        description="Measure what a scheduler's run costs, from the service to the dashboard.",
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--orders", type=int, nargs="+", default=[10_000], help="sizes")
    add("--changed", type=float, default=0.001, help="share of changed orders")
    add("--only-ours", action="store_true", help="leave out the peer, which takes most of the time")
    add("--repeat", type=int, default=1, help="run so many times; the median counts")
    add("--timeout", type=float, default=3600, help="seconds after which a run has failed")
    return parser.parse_args(given)


def main() -> None:
    chosen = arguments()
    console = Console(width=None if sys.stdout.isatty() else 160)
    for orders in chosen.orders:
        costs: dict[Measured, list[Cost]] = {}
        for turn in range(chosen.repeat):
            for name, cost in chain(
                orders, chosen.changed, chosen.timeout, turn, is_only_ours=chosen.only_ours
            ):
                costs.setdefault(name, []).append(cost)
        console.print(table(orders, chosen.changed, costs))


def chain(
    orders: int, changed: float, timeout: float, turn: int = 0, *, is_only_ours: bool = False
) -> Iterator[tuple[Measured, Cost]]:
    """What each command costs at each stage. The whole goes first, in odd turns the parts.

    Raises: SystemExit for a command that failed.
    """
    with (
        TemporaryDirectory(prefix="chain-") as folder,
        Sandbox(SandboxSettings(orders=orders)) as sandbox,
    ):
        dlt = CONTENDER["dlt-tuned"]
        whole, parts, peer = (Path(folder, name) for name in ("whole", "parts", "peer"))
        for place in (whole, parts, peer):
            place.mkdir()

        def measured(command: str, place: Path) -> Cost:
            cost = run(command, place, variables, timeout=timeout)
            if cost.status:
                sys.exit(f"{command} ended with {cost.status}: {(place / 'log').read_text()}")
            return cost

        variables = os.environ | {
            **dlt.variables(sandbox.base_url, peer),
            "BENCHMARK_API_KEY": "sandbox",
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
            "WHOLESALE_DATABASE": "wholesale.duckdb",
        }
        commands = [(RUN, whole), (SYNC, parts), (BUILD, parts), (PUBLISH, parts)]
        if turn % 2:
            commands = [*commands[1:], commands[0]]
        edit(sandbox, 3)  # the figures end today from the first run on, as those of a business do
        for stage in (FIRST, NOTHING, CHANGED, LATELY):
            if stage in (CHANGED, LATELY):
                edit(sandbox, max(3, round(orders * changed)), is_lately=stage == LATELY)
            for command, place in commands:
                yield (stage, command), measured(f"wholesale --quiet {command}", place)
            if not is_only_ours:
                copy_raw_tables(parts, peer)
                yield (stage, PEER), measured(f"{dlt.command} && {dbt_build()}", peer)
            for name, part in FLOORS.items() if stage == FIRST else ():
                yield (stage, name), measured(f"{sys.executable} {FLOOR} {part}", parts)


def copy_raw_tables(source: Path, target: Path) -> None:
    """What a sync left, beside what dbt has made of what one left before."""
    with duckdb.connect(str(target / "wholesale.duckdb")) as connection:
        connection.execute(f"attach '{source / 'wholesale.duckdb'}' as source (read_only)")
        connection.execute("create schema if not exists wholesale_raw")
        tables = connection.execute(
            "select table_name from duckdb_tables()"
            " where database_name = 'source' and schema_name = 'wholesale_raw'"
        ).fetchall()
        for (table,) in tables:
            connection.execute(
                f"create or replace table wholesale_raw.{table}"
                f" as from source.wholesale_raw.{table}"
            )


def edit(sandbox: Sandbox, count: int, *, is_lately: bool = False) -> None:
    """Change so many orders, all through the list or the newest ones: of three one has another
    state, one another quantity and amounts, and one is ordered again now."""
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    records = list(sandbox.storage.collection("orders").records())  # the oldest first
    chosen = records[-count:] if is_lately else records[:: len(records) // count][:count]
    for number, (_, body) in enumerate(chosen):
        order = json.loads(body, parse_float=Decimal) | {"updated_at": now}
        if number % 3 == 0:
            order |= {"status": "shipped"}
        elif number % 3 == 1 and order["order_line_items"]:
            line = order["order_line_items"][0]
            more = Decimal(line["unit_price"])
            line |= {"quantity": line["quantity"] + 1}
            line |= {"total_price": Decimal(line["total_price"]) + more}
            order |= {name: Decimal(order[name]) + more for name in ("sub_total", "total")}
        else:
            again = uuid4()
            order |= {"id": str(again), "order_number": f"AGAIN-{again}", "created_at": now}
        sandbox.put("orders", order)


def table(orders: int, changed: float, costs: dict[Measured, list[Cost]]) -> Table:
    shown = Table(title=f"{orders:,} orders, {changed:.1%} changed")
    ratios = ("wall : run", "CPU : run", "CPU : first run", "CPU : first")
    for column in ("", "", "wall s", "CPU s", "peak MB", *ratios):
        shown.add_column(column, justify="right" if column else "left")
    walls = {name: median(cost.wall for cost in found) for name, found in costs.items()}
    cpus = {name: median(cost.cpu for cost in found) for name, found in costs.items()}
    for (stage, command), found in costs.items():
        wall, cpu = walls[stage, command], cpus[stage, command]
        shown.add_row(
            stage,
            command,
            f"{wall:.2f}",
            f"{cpu:.2f}",
            f"{median(cost.peak for cost in found) / 1e6:,.0f}",
            f"{wall / walls[stage, RUN]:.2f}",
            f"{cpu / cpus[stage, RUN]:.2f}",
            f"{cpu / cpus[FIRST, RUN]:.2f}",
            f"{cpu / cpus[FIRST, command]:.2f}",
        )
    return shown


if __name__ == "__main__":
    main()

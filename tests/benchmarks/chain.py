"""The chain: `wholesale run` from the service to the published dashboard, again and again.

Run it as `python -m benchmarks.chain` in the folder `tests`. The service is the sandbox, in the
process of the benchmark, which is not counted.
"""

import json
import os
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.measure import Cost, run
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

FIRST = "first run"
NOTHING = "run, nothing changed"
SYNC = "sync alone, nothing changed"
PROGRAM = Path(sys.executable).with_name("wholesale")


def arguments(given: Sequence[str] | None = None) -> Namespace:
    parser = ArgumentParser(
        prog="python -m benchmarks.chain",
        description="Measure what a scheduler's run costs, from the service to the dashboard.",
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--orders", type=int, nargs="+", default=[10_000], help="sizes")
    add("--changed", type=float, default=0.001, help="share of changed orders")
    add("--repeat", type=int, default=1, help="run so many times; the median counts")
    add("--timeout", type=float, default=3600, help="seconds after which a run has failed")
    return parser.parse_args(given)


def main() -> None:
    chosen = arguments()
    console = Console(width=None if sys.stdout.isatty() else 160)
    for orders in chosen.orders:
        costs: dict[str, list[Cost]] = {}
        for _ in range(chosen.repeat):
            for name, cost in chain(orders, chosen.changed, chosen.timeout):
                costs.setdefault(name, []).append(cost)
        console.print(table(orders, costs))


def chain(orders: int, changed: float, timeout: float) -> Iterator[tuple[str, Cost]]:
    """Each run of one warehouse and published folder, in order, with what it cost.

    Raises: SystemExit for a run that failed.
    """
    with (
        TemporaryDirectory(prefix="chain-") as folder,
        Sandbox(SandboxSettings(orders=orders)) as sandbox,
    ):

        def measured(command: str) -> Cost:
            cost = run(f"{PROGRAM} --quiet {command}", Path(folder), variables, timeout=timeout)
            if cost.status:
                sys.exit(
                    f"{command} ended with {cost.status}: {(Path(folder) / 'log').read_text()}"
                )
            return cost

        variables = os.environ | {
            "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        }
        yield FIRST, measured("run")
        yield SYNC, measured("sync")
        yield NOTHING, measured("run")
        edit(sandbox, max(1, round(orders * changed)))
        yield f"run, {changed:.1%} of orders changed", measured("run")


def edit(sandbox: Sandbox, count: int) -> None:
    """Change so many orders, all through the list."""
    records = list(sandbox.storage.collection("orders").records())
    for _, body in records[:: len(records) // count][:count]:
        order = json.loads(body, parse_float=Decimal)
        updated_at = datetime.now(UTC).isoformat(timespec="microseconds")
        sandbox.put("orders", order | {"po_number": "EDITED", "updated_at": updated_at})


def table(orders: int, costs: dict[str, list[Cost]]) -> Table:
    shown = Table(title=f"{orders:,} orders")
    for column in ("", "wall s", "CPU s", "peak MB", "CPU : first run"):
        shown.add_column(column, justify="right" if column else "left")
    first = median(cost.cpu for cost in costs[FIRST])
    for name, found in costs.items():
        cpu = median(cost.cpu for cost in found)
        shown.add_row(
            name,
            f"{median(cost.wall for cost in found):.2f}",
            f"{cpu:.2f}",
            f"{median(cost.peak for cost in found) / 1e6:,.0f}",
            f"{cpu / first:.2f}",
        )
    return shown


if __name__ == "__main__":
    main()

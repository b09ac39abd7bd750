"""Destinations in turns: a first load and a second of the same orders, each held against DuckDB.

Then the models, made of the lake by each engine.

Run as `python -m benchmarks.destinations` in the folder `tests`; it starts a PostgreSQL of its own.
Each run is the command in a process of its own, and counts only if it is certified complete.
"""

import os
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from rich.console import Console
from rich.table import Table

from benchmarks.environments import ROOT
from benchmarks.measure import Cost, run
from benchmarks.server import API_KEY, free_port, serving
from benchmarks.store import build
from support.services.postgres import serving as serving_postgres
from support.services.service import WHOLESALE

CACHE = ROOT / ".benchmarks"
DESTINATIONS = ("duckdb", "postgres", "ducklake", "lake")
ENGINES = ("duckdb", "sail")
TIMEOUT = 3600.0


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--orders", type=int, default=10_000)
    parser.add_argument("--changed", type=float, default=0.01, help="share, in the second run")
    chosen = parser.parse_args()
    store, port = build(CACHE / "orders", chosen.orders), free_port()
    with (
        TemporaryDirectory(dir=CACHE) as home,
        pytest.MonkeyPatch.context() as patch,
        serving_postgres(patch) as socket,
    ):
        settings = {"DESTINATION__POSTGRES__CREDENTIALS": f"host={socket} user=postgres"}
        for title, changed in (("First load", 0.0), ("Second run", chosen.changed)):
            costs = {}
            for destination in DESTINATIONS:
                with serving(store, chosen.orders, port=port, changed=changed) as service:
                    address = {
                        "SOURCES__WHOLESALE__BASE_URL": service.base_url,
                        "SOURCES__WHOLESALE__API_KEY": API_KEY,
                    }
                    costs[destination] = run(
                        f"{WHOLESALE} sync orders --destination {destination}",
                        Path(home),
                        os.environ | settings | address,
                        timeout=TIMEOUT,
                    )
            Console().print(table_of(f"{title}, {chosen.orders:,} orders", costs))
        costs = {
            engine: run(
                f"{WHOLESALE} build --full --destination lake",
                Path(home),
                os.environ | {"BUILD__ENGINE": engine},
                timeout=TIMEOUT,
            )
            for engine in ENGINES
        }
        Console().print(table_of(f"All models, {chosen.orders:,} orders", costs))


def table_of(title: str, costs: dict[str, Cost]) -> Table:
    table = Table("", "wall s", "CPU s", "peak MB", "wall : DuckDB", title=title)
    for name, cost in costs.items():
        assert cost.status == 0, f"{name} ended with {cost.status}"
        ratio = cost.wall / costs["duckdb"].wall
        table.add_row(
            name,
            f"{cost.wall:.1f}",
            f"{cost.cpu:.1f}",
            f"{cost.peak / 1e6:,.0f}",
            f"{ratio:.2f}",
        )
    return table


if __name__ == "__main__":
    main()

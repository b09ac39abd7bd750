"""How often a sync of a service that never rests is certified, and what that takes.

`poe living` measures, and fills the table of the README.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from support.documents.readmes import fill
from support.paths import ROOT
from support.services.service import served
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.warehouse.destination import Warehouse

README = ROOT / "sources/wholesale/sync/README.md"
LATENCY_SECONDS = 0.05
SECONDS_A_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Lives:
    """Runs into one warehouse while so many changes a minute go on; the first load is not counted.

    `seconds` is how long each run took, full scans and full records together.
    """

    orders: int
    changes_a_minute: int
    certified: Sequence[bool]
    full_scans: Sequence[int]
    requests: Sequence[int]
    seconds: Sequence[float]

    @property
    def changes_a_scan(self) -> float:
        return self.changes_a_minute / SECONDS_A_MINUTE * sum(self.seconds) / sum(self.full_scans)


def live(orders: int, changes_a_minute: int, runs: int) -> Lives:
    """Sync a sandbox in which business goes on, again and again; a service shares no interpreter
    with whom it serves."""
    options = ["--orders", str(orders), "--latency", str(LATENCY_SECONDS)]
    if changes_a_minute:
        options += ["--live", "--rate", str(changes_a_minute)]
    with TemporaryDirectory() as folder, served(*options) as base_url:
        of = ApiSettings.of(base_url=base_url, api_key="sandbox")
        warehouse = Warehouse(Path(folder) / "living.duckdb")
        found = [sync_resources(of, warehouse, ["orders"]).certificates[0] for _ in range(1 + runs)]
    found = found[1:]
    return Lives(
        orders,
        changes_a_minute,
        certified=[row.verdict == "complete" for row in found],
        full_scans=[row.sweeps for row in found],
        requests=[row.requests for row in found],
        seconds=[(row.ended_at - row.started_at).total_seconds() for row in found],
    )


def table(lives: Sequence[Lives]) -> str:
    """Markdown: the share of runs that were certified, and the cost, by what went on meanwhile."""
    lines = [
        "| Orders | Changes a minute | Changes a full scan | Certified | Full scans a run"
        " | Requests |",
        "| --: | --: | --: | --: | --: | --: |",
    ]
    lines += [
        f"| {found.orders:,} | {found.changes_a_minute:,} | {found.changes_a_scan:.1f}"
        f" | {sum(found.certified)} of {len(found.certified)}"
        f" | {mean(found.full_scans):.1f} | {mean(found.requests):,.0f} |"
        for found in lives
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "services",
        nargs="*",
        default=["20000:120", "20000:600", "100000:120"],
        metavar="ORDERS:RATE",
        help="sizes, with changes a minute",
    )
    parser.add_argument("--runs", type=int, default=20)
    chosen = parser.parse_args()
    found: list[Lives] = []
    for service in chosen.services:
        orders, rate = map(int, service.split(":"))
        found.append(live(orders, rate, chosen.runs))
        print(table(found[-1:]).splitlines()[-1], file=sys.stderr)
    README.write_text(fill(README.read_text("utf-8"), {"living": table(found)}), "utf-8")


if __name__ == "__main__":
    main()

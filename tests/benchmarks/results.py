"""What was measured: one group a size, latency and share of changed orders, one row a contender."""

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Row:
    """One run of a contender, of several the one with the median wall time.

    Units: seconds and bytes. `other` is the processor time of everything else on the machine
    but the contender and the server. `failure` is empty when all rows and sums were right.
    `parts` are seconds of the floor's parts.
    """

    name: str
    wall: float
    cpu: float
    peak: int
    requests: int
    bytes: int
    server: float
    other: float
    money: str
    failure: str
    runs: int = 1
    parts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that were measured in one go, the contenders taking turns.

    `changed` is the share of the orders that changed before a second run, None in a first load.
    `turns` are all runs in the order in which they went, of which `rows` has one a contender.
    """

    orders: int
    latency: float
    changed: float | None
    rows: tuple[Row, ...]
    at: str
    turns: tuple[Row, ...] = ()

    @property
    def key(self) -> tuple[float, int, float]:
        return -1.0 if self.changed is None else self.changed, self.orders, self.latency

    def row(self, name: str) -> Row | None:
        """The contender's row, when it took part and loaded everything."""
        return next((row for row in self.rows if row.name == name and not row.failure), None)


@dataclass(frozen=True, slots=True)
class Results:
    """All groups, and the machine and server that they were measured on."""

    machine: dict[str, Any]
    groups: tuple[Group, ...] = ()

    def with_group(self, group: Group) -> Self:
        """A group takes the place of an older one of the same kind."""
        groups = {old.key: old for old in self.groups} | {group.key: group}
        return type(self)(self.machine, tuple(groups[key] for key in sorted(groups)))

    def group(
        self, orders: int, latency: float = 0.0, changed: float | None = None
    ) -> Group | None:
        wanted = Group(orders, latency, changed, (), "").key
        return next((group for group in self.groups if group.key == wanted), None)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")


def read(path: Path) -> Results:
    loaded = json.loads(path.read_text())
    groups = (
        Group(**(group | {name: _rows(group.get(name, ())) for name in ("rows", "turns")}))
        for group in loaded["groups"]
    )
    return Results(loaded["machine"], tuple(groups))


def _rows(loaded: Iterable[dict[str, Any]]) -> tuple[Row, ...]:
    return tuple(Row(**row) for row in loaded)


def middle(runs: Iterable[Row]) -> Row:
    """The run with the median wall time, or the first that failed."""
    rows = sorted(runs, key=lambda row: row.wall)
    failed = [row for row in rows if row.failure]
    chosen = failed[0] if failed else rows[(len(rows) - 1) // 2]
    return Row(**(asdict(chosen) | {"runs": len(rows)}))


def machine() -> dict[str, Any]:
    names = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in names if "model name" in line), "")
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "python": platform.python_version(),
    }


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="minutes")

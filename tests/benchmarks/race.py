"""Runs of contenders, in turns, each on a server and in a folder of its own."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.check import check
from benchmarks.contenders import Contender
from benchmarks.measure import run
from benchmarks.results import Group, Row, middle, now
from benchmarks.server import serving
from benchmarks.store import Facts, Store


@dataclass(frozen=True, slots=True)
class Task:
    """Load what a store serves: for the first time, or again after a share `changed` of it has.

    Units: `latency` in seconds.
    """

    store: Path
    facts: Facts
    latency: float
    changed: float | None = None


@dataclass(frozen=True, slots=True)
class Race:
    """What all runs share: a folder, environments, the port, repetitions, and seconds of patience.

    The port stays the same, because ours keeps the data of one service in one warehouse.
    """

    folder: Path
    programs: Callable[[str], Path]
    """Folder of the programs of an environment."""
    port: int
    repeat: int
    timeout: float
    loaded: dict[str, int] = field(default_factory=dict)
    """How many orders of each contender's latest first load are kept for its second runs."""

    def first_loads(
        self, contenders: Sequence[Contender], store: Path, orders: int, latencies: Sequence[float]
    ) -> Iterator[Group]:
        """One group for each latency."""
        facts = Store(store, orders).facts()
        shown = [contender for contender in contenders if not contender.second_only]
        for latency in latencies:
            starters = [one for one in shown if not (one.is_floor and latency)]
            yield self._group(starters, Task(store, facts, latency))

    def second_runs(
        self,
        contenders: Sequence[Contender],
        store: Path,
        orders: int,
        latencies: Sequence[float],
        shares: Sequence[float],
    ) -> Iterator[Group]:
        """One group for each changed share and latency, on what first loads of this race left."""
        runners = [contender for contender in contenders if not contender.first_only]
        first = Task(store, Store(store, orders).facts(), 0.0)
        for contender in runners:
            if self.loaded.get(contender.name) != orders:
                self._once(contender, first)
        for share in shares:
            facts = Store(store, orders, changed=share).facts()
            for latency in latencies:
                yield self._group(runners, Task(store, facts, latency, share))

    def _group(self, contenders: Sequence[Contender], task: Task) -> Group:
        turns = [
            self._once(contender, task)
            for turn in range(self.repeat)
            for contender in rotated(contenders, turn)
        ]
        rows = tuple(
            middle(row for row in turns if row.name == contender.name) for contender in contenders
        )
        return Group(task.facts.orders, task.latency, task.changed, rows, now(), turns=tuple(turns))

    def _once(self, contender: Contender, task: Task) -> Row:
        folder = self.folder / "runs" / contender.name
        shutil.rmtree(folder, ignore_errors=True)
        if task.changed is None:
            folder.mkdir(parents=True)
        else:
            shutil.copytree(self._loaded(contender), folder)
        row = self._run(contender, task, folder)
        if task.changed is None:
            shutil.rmtree(self._loaded(contender), ignore_errors=True)
            shutil.copytree(folder, self._loaded(contender))
            self.loaded[contender.name] = task.facts.orders
        return row

    def _run(self, contender: Contender, task: Task, folder: Path) -> Row:
        programs = self.programs(contender.environment)
        orders, changed = task.facts.orders, task.changed or 0.0
        print(f"{contender.title}: {orders:,} orders", file=sys.stderr)
        with serving(
            task.store, orders, port=self.port, latency=task.latency, changed=changed
        ) as service:
            variables = contender.variables(service.base_url, folder)
            variables["PATH"] = f"{programs}:/usr/bin:/bin"
            cost = run(contender.command, folder, variables, timeout=self.timeout)
        verdict = check(folder, contender.tables, task.facts)
        failure = verdict.reason
        if cost.status:
            failure = f"ended with {cost.status}: {_last_line(folder / 'log')}; {failure}"
        served = service.counters
        return Row(
            name=contender.name,
            wall=cost.wall,
            cpu=cost.cpu,
            peak=cost.peak,
            requests=served.requests,
            bytes=served.bytes,
            server=served.cpu,
            other=cost.busy - cost.cpu - served.cpu,
            money=verdict.money,
            failure=failure,
            parts=_parts(folder / "parts.json", cost.wall),
        )

    def _loaded(self, contender: Contender) -> Path:
        return self.folder / "loaded" / contender.name


def rotated(contenders: Sequence[Contender], turn: int) -> Sequence[Contender]:
    """Another one first in each turn, so that none has the better place."""
    start = turn % max(1, len(contenders))
    return (*contenders[start:], *contenders[:start])


def _last_line(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it printed nothing"


def _parts(path: Path, wall: float) -> dict[str, float]:
    """The floor's parts; what they leave of its wall time is its start and its end."""
    if not path.exists() or not path.stat().st_size:
        return {}
    parts: dict[str, float] = json.loads(path.read_text())
    return {"start": wall - sum(parts.values()), **parts}

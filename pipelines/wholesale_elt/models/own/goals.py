"""Goals: what is to be reached in a month, as a file of the user says it."""

import csv
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path

from wholesale.api import plain_guid
from wholesale.errors import ConfigurationError, legible

GOAL_METRICS = (
    *("sales", "net_sales", "billed", "orders", "units"),
    *("active_buyers", "new_buyers"),
)
"""The metrics that a goal can be of, which `rpt_goals` counts."""
MONTH, METRIC, TARGET, VENDOR, MANAGER = "month", "metric", "target", "vendor", "manager"
REQUIRED, OPTIONAL = (MONTH, METRIC, TARGET), (VENDOR, MANAGER)
A_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
AN_AMOUNT = re.compile(r"\d{1,20}(\.\d{1,9})?")
MOST_BYTES = 2**22
"""A larger file has no goals."""
GOAL_COLUMNS = {
    **{"month_start": "date", "goal_metric": "text", "goal_vendor": "text"},
    **{"account_manager_id": "text", "target": "decimal(38, 9)", "is_of_part": "boolean"},
}
"""Of the rows that the SQL reads goals from."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a metric is to come to in a month: of the whole account, or of one vendor, by id or
    name, of one account manager, or of both. `is_of_part`: only a part of the account is built, and
    a vendor that is not in it counts as none."""

    month_start: date
    metric: str
    vendor: str | None
    manager: str | None
    target: Decimal
    is_of_part: bool = False

    @property
    def row(self) -> Sequence[object]:
        """Its row of `GOAL_COLUMNS`."""
        key = (self.month_start, self.metric, self.vendor, self.manager)
        return (*key, self.target, self.is_of_part)


_part: ContextVar[tuple[str, Collection[str]] | None] = ContextVar("part", default=None)


@contextmanager
def goals_of(kind: str, keys: Collection[str]) -> Iterator[None]:
    """Until the block ends only the goals of a part count: of `vendor`, those of each vendor alone,
    of which a build keeps those that are in the part; of `manager`, those of these account managers
    alone; of anything else, none. In what is built they are then the goals of all that there is."""
    token = _part.set((kind, keys))
    try:
        yield
    finally:
        _part.reset(token)


def read_goals(file: str | None) -> Sequence[Goal]:
    """The goals in a CSV file, in the order of its lines; none without a file.

    Raises: ConfigurationError for a file that is not there or no such table, naming the line.
    """
    if not file:
        return []
    path = Path(file)
    if not path.is_file():
        raise ConfigurationError(f"setting build.goals: {file} is no file that is there")
    if path.stat().st_size > MOST_BYTES:
        raise ConfigurationError(f"setting build.goals: {path.name} is larger than 4 MB")
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            found = list(_goals(path.name, csv.reader(lines, strict=True)))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ConfigurationError(f"setting build.goals: {path.name} is no CSV: {error}") from None
    return list(_of_part(found))


def _of_part(goals: Sequence[Goal]) -> Iterator[Goal]:
    part = _part.get()
    for goal in goals:
        if part is None:
            yield goal
            continue
        kind, keys = part
        is_of_vendor = kind == VENDOR and goal.vendor is not None and goal.manager is None
        is_of_manager = kind == MANAGER and goal.manager in keys and goal.vendor is None
        if is_of_vendor or is_of_manager:
            yield Goal(
                *(goal.month_start, goal.metric, goal.vendor, goal.manager, goal.target),
                is_of_part=True,
            )


def _goals(name: str, rows: Iterator[Sequence[str]]) -> Iterator[Goal]:
    heading = [cell.strip().lower() for cell in next(rows, [])]
    missing = [column for column in REQUIRED if column not in heading]
    others = [column for column in heading if column not in (*REQUIRED, *OPTIONAL)]
    if missing or others or len(set(heading)) < len(heading):
        wanted = f"{', '.join(REQUIRED)} and, if wanted, {' and '.join(OPTIONAL)}"
        told = ", ".join(map(legible, heading))
        raise ConfigurationError(f"{name}: the columns are {wanted}, and not {told or 'none'}")
    lines: dict[tuple[object, ...], int] = {}
    for number, row in enumerate(rows, 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(heading):
            raise ConfigurationError(
                f"{name} line {number}: there are {len(row)} cells, and {len(heading)} columns"
            )
        goal = _goal(
            f"{name} line {number}", dict(zip(heading, (c.strip() for c in row), strict=True))
        )
        key = (goal.month_start, goal.metric, goal.vendor, goal.manager)
        if key in lines:
            raise ConfigurationError(
                f"{name} line {number}: line {lines[key]} has a goal of this month, too: leave one"
                " out"
            )
        lines[key] = number
        yield goal


def _goal(place: str, cells: Mapping[str, str]) -> Goal:
    month, metric, target = (cells[column] for column in REQUIRED)
    if not A_MONTH.fullmatch(month):
        raise ConfigurationError(f"{place}: {legible(month)!r} is no month: write it as 2026-07")
    if metric not in GOAL_METRICS:
        nearest = get_close_matches(metric, GOAL_METRICS, 1)
        meant = f"did you mean {nearest[0]}?" if nearest else f"use {', '.join(GOAL_METRICS)}"
        raise ConfigurationError(
            f"{place}: {legible(metric)!r} is no metric that a goal can be of: {meant}"
        )
    if not AN_AMOUNT.fullmatch(target) or not Decimal(target):
        raise ConfigurationError(
            f"{place}: {legible(target)!r} is no target: write a number above 0 such as 480000 or"
            " 480000.50"
        )
    vendor, manager = (cells.get(column) or None for column in OPTIONAL)
    return Goal(
        date.fromisoformat(f"{month}-01"),
        metric,
        vendor and (plain_guid(vendor) or vendor),
        manager,
        Decimal(target),
    )

"""Moment: as of when a statement is read: the first reading of all orders after its day.

It never changes later: runs are only added after those that there are. What was paid, sent or
cancelled between the end of the day and that moment cannot be told apart from the day.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale.sync import moment_of
from wholesale_elt.models import BUILD, ModelSettings
from wholesale_elt.runs import CompleteRun, first_complete_run
from wholesale_elt.warehouse import Raw, Warehouse

ORDERS = "orders"


class NotYet(WholesaleError):
    """The day is not over, or no reading of all orders after it is certified."""


@dataclass(frozen=True, slots=True)
class Period:
    """The days of a statement, both within it."""

    first: date
    day: date

    @classmethod
    def until(cls, day: date, first: date | None = None) -> Self:
        """Up to that day, by default from the first of its month on.

        Raises: ConfigurationError.
        """
        if first and first > day:
            raise ConfigurationError(f"--from {first} is after --as-of {day}: name an earlier day")
        return cls(first or day.replace(day=1), day)


@dataclass(frozen=True, slots=True)
class Reading:
    """As of when what a statement says was read: as of the beginning of a run, `moment`, in which
    all orders were certified `complete_as_of`; and what was `known_until` before its period."""

    period: Period
    zone: str
    moment: datetime
    complete_as_of: datetime
    known_until: datetime

    @property
    def days_late(self) -> int:
        """How many whole days after the end of the day it began."""
        return (self.moment - end_of(self.period.day, self.zone)).days


def find_reading(warehouse: Warehouse, period: Period) -> Reading:
    """Raises: NotYet; NotLoaded."""
    zone = read_model(ModelSettings, BUILD).time_zone
    if end_of(period.day, zone) > datetime.now(UTC):
        raise NotYet(
            f"{period.day} is not over in {zone}, so nobody knows what is open at its end: name an"
            " earlier --as-of"
        )
    with warehouse.open(is_read_only=True) as raw:
        run = _first_after(raw, period.day, zone)
        known = _first_after(raw, period.first - timedelta(days=1), zone)
    if run is None or known is None:
        raise NotYet(
            f"{warehouse.name} has no reading of all orders that began after {period.day}"
            f" ({zone}) and is certified complete: run `wholesale sync`, then ask again"
        )
    return Reading(period, zone, moment_of(run.run_id), run.complete_as_of, known.ended_at)


def end_of(day: date, zone: str) -> datetime:
    """The moment (UTC) at which a day ends in a time zone."""
    return datetime.combine(day + timedelta(days=1), time(), ZoneInfo(zone)).astimezone(UTC)


def _first_after(raw: Raw, day: date, zone: str) -> CompleteRun | None:
    return first_complete_run(raw, ORDERS, end_of(day, zone))

"""Moment: as of when a statement is read: the first reading of all orders after its day.

It never changes later: runs are only added after those that there are. What was paid, sent or
cancelled between the end of the day and that moment cannot be told apart from the day.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale.names import moment_of
from wholesale_elt.models import BUILD, ModelSettings
from wholesale_elt.past import NotInPast, forgotten_until, next_moment, past_of
from wholesale_elt.runs import CompleteRun, as_utc, first_complete_run
from wholesale_elt.warehouse import RawReader, Warehouse

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
    all orders were certified `complete_as_of`. What was seen `news_from` then on was not known by
    the reading after the day before the period; None if nothing was seen."""

    period: Period
    zone: str
    moment: datetime
    complete_as_of: datetime
    news_from: datetime | None

    @property
    def days_late(self) -> int:
        """How many whole days after the end of the day it began."""
        return (self.moment - end_of(self.period.day, self.zone)).days


def find_reading(warehouse: Warehouse, period: Period) -> Reading:
    """Raises: NotYet; NotInPast if what was known before the period is not kept; NotLoaded."""
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
        moment, before = moment_of(run.run_id), moment_of(known.run_id)
        _require_kept(raw, warehouse, before)
        news = next_moment(raw, [*_in_time(raw)], before)
    news = as_utc(news)
    is_told = news is not None and news <= moment
    return Reading(period, zone, moment, run.complete_as_of, news if is_told else None)


def end_of(day: date, zone: str) -> datetime:
    """The moment (UTC) at which a day ends in a time zone."""
    return datetime.combine(day + timedelta(days=1), time(), ZoneInfo(zone)).astimezone(UTC)


def _require_kept(raw: RawReader, warehouse: Warehouse, moment: datetime) -> None:
    until = forgotten_until(raw)
    if until and moment < until:
        raise NotInPast(
            f"{warehouse.name} cannot tell what was known before the period, at"
            f" {moment.isoformat()}: what was replaced before {until.isoformat()} is not kept"
            " (setting history.keep_days)"
        )


def _in_time(raw: RawReader) -> Iterator[str]:
    """The tables of records that have a past, of which a build as of a moment is made."""
    tables = raw.tables()
    return (name for name in tables if past_of(name) in tables)


def _first_after(raw: RawReader, day: date, zone: str) -> CompleteRun | None:
    return first_complete_run(raw, ORDERS, end_of(day, zone))

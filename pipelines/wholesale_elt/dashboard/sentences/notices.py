"""Notices: what a reader must know before any figure: how old it is, and what is not complete."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_objects
from wholesale_elt.dashboard.entry import STOPPED_AFTER
from wholesale_elt.dashboard.sentences.formats import Formats, count, day_text, plural, word

FORESEEN_DAYS = 7
"""Days after the last known one on which who is due is told."""
FRESHNESS = "select resource, is_complete from wholesale_bi.rpt_freshness order by resource"
RESOURCES = {
    "orders": "Orders",
    "vendors": "Vendors",
    "buyers": "Buyers",
    "buyer_users": "Contacts of buyers",
    "items": "Products",
    "variants": "Variants",
    "item_images": "Pictures",
    "price_lists": "Price lists",
    "prices": "Prices",
    "brands": "Brands",
    "categories": "Categories",
    "custom_fields": "Fields of your own",
}


@dataclass(frozen=True, slots=True)
class Age:
    """How old figures are at a moment; `meta` is what every page knows of their version."""

    meta: Json
    now: datetime

    @property
    def read_at(self) -> datetime:
        """When everything was read, or else when what is there was made."""
        return datetime.fromisoformat(self.meta["as_of"] or self.meta["built_at"])

    @property
    def day(self) -> date:
        """The last day that figures know of, to which silence and waiting are counted."""
        known = self.meta["as_of_date"]
        return date.fromisoformat(known) if known else self.read_at.astimezone(UTC).date()

    @property
    def hours(self) -> float:
        return (self.now - self.read_at).total_seconds() / 3600

    @property
    def is_late(self) -> bool:
        """Whether a newer version should have come by now, or these figures are old anyway."""
        days = float(self.meta["old_after_days"])
        return self.hours > min(float(self.meta["late_after_hours"]), 24 * days)

    @property
    def is_outdated(self) -> bool:
        """Whether what was foreseen from the last known day says nothing any more."""
        up_to = self.meta["figures_up_to"]
        last = date.fromisoformat(up_to) if up_to else self.day
        return (self._own_day(self.now) - last).days > FORESEEN_DAYS

    @property
    def next_at(self) -> datetime:
        """When the next version usually comes; half the time after which it is late, if too few
        came to tell."""
        usual = self.meta["usual_hours"]
        hours = float(self.meta["late_after_hours"]) / 2 if usual is None else float(usual)
        return self.read_at + timedelta(hours=hours)

    @property
    def read_on(self) -> date:
        return self._own_day(self.read_at)

    @property
    def is_of_today(self) -> bool:
        """Whether everything was read today or yesterday."""
        return abs((self._own_day(self.now) - self.read_on).days) <= 1

    def _own_day(self, at: datetime) -> date:
        return at.astimezone(ZoneInfo(self.meta["time_zone"])).date()

    def text(self) -> str:
        """`53 days old`."""
        if self.hours < 1:
            return "less than an hour old"
        passed, unit = (self.hours, "hour") if self.hours < 48 else (self.hours / 24, "day")
        return f"{plural(int(passed), unit)} old"

    @property
    def _is_other_day(self) -> bool:
        return abs((self._own_day(self.now) - self.day).days) > 1

    def counted(self) -> str:
        """What a count of days ends with: the day that it counts to, if that is another."""
        return f" by {day_text(self.day, has_year=True)}" if self._is_other_day else ""

    def ago(self) -> str:
        """What follows a number of days back from the day that they are counted to."""
        return f"before {day_text(self.day, has_year=True)}" if self._is_other_day else "ago"


def notices_of(
    connection: duckdb.DuckDBPyConnection, write: Formats, age: Age
) -> Sequence[tuple[str, str]]:
    """What must be known first: each a title, and what follows from it."""
    return [*_notices(connection, write, age)]


def _notices(
    connection: duckdb.DuckDBPyConnection, write: Formats, age: Age
) -> Iterator[tuple[str, str]]:
    meta = write.meta
    if age.is_late:
        read = "Everything was read" if meta["as_of"] else "They were made"
        due = "no newer version has come"
        if meta["usual_hours"] is not None:
            due = f"a version was due {write.moment(age.next_at)}"
        yield (
            f"These figures are {age.text()}.",
            f"{read} on {write.moment(age.read_at)}; {due}. Days of silence and waiting are"
            f" counted to {day_text(age.day, has_year=True)}.",
        )
    if meta["verdict"] != "complete":
        yield _incomplete(connection)
    last, quiet = meta["last_ordered_date"], meta["quiet_day_count"]
    if last is None:
        yield "No orders yet.", "None with a date was found, so there is nothing to count."
    elif quiet is not None and quiet > STOPPED_AFTER:
        yield (
            "Orders stopped.",
            f"The last one came in on {day_text(last, has_year=True)}, {count(quiet)} days before"
            " all was read.",
        )
    if mixed := meta["mixed_currencies"]:
        yield (
            "More than one currency.",
            f"Records name {', '.join(mixed)}: their amounts are added up as they are.",
        )


def _incomplete(connection: duckdb.DuckDBPyConnection) -> tuple[str, str]:
    rows = read_objects(connection, FRESHNESS)
    missing = [row["resource"] for row in rows if not row["is_complete"]]
    whole = [row["resource"] for row in rows if row["is_complete"]]
    title = f"{_are(missing)} not complete." if missing else "Not complete."
    rest = f" {_are(whole)} complete." if whole and missing else ""
    return title, (
        f"What was not read may be missing from the figures; what is shown was read.{rest}"
    )


def _are(names: Sequence[str]) -> str:
    """`Orders, vendors and buyers are`."""
    called = [RESOURCES.get(name, word(name)) for name in names]
    texts = [text.lower() if place else text for place, text in enumerate(called)]
    told = f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else texts[0]
    return f"{told} {'is' if len(names) == 1 and not names[0].endswith('s') else 'are'}"

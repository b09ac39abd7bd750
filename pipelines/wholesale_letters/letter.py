"""Letter: what it says, from a published version: the words and figures of the first page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256

import duckdb
import msgspec

from wholesale_elt.dashboard import Age, Formats, Said, Words, new_since, notices_of, read_meta
from wholesale_elt.publish import Manifest
from wholesale_letters.moments import day_name, moment_text
from wholesale_letters.sections import Section, Version, so_far, to_do

SECTIONS: Sequence[Callable[[Version], Section | None]] = (to_do, so_far)
"""What a letter has, in its order; one that has nothing to say is None, and left out."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter says. Amounts and days are texts; what has an address leads to the page.

    `notices` are what must be known before anything else, the first of them its first line.
    `digest` is the same for letters that say the same on the same day, whatever their versions.
    """

    company: str
    day: str
    subject: str
    preview: str
    notices: Sequence[tuple[str, str]]
    sentence: Said
    news: Said
    sections: Sequence[Section]
    standing: str
    is_complete: bool
    written: str
    late: str
    page: str | None
    digest: str
    is_news: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A letter that is asked for: written `now`, of what is new `since` the last one, leading to
    `page`; the next one is due on one of `weekdays`, 0 being Monday."""

    now: datetime
    since: datetime | None = None
    page: str | None = None
    weekdays: frozenset[int] = frozenset(range(7))


def letter_of(connection: duckdb.DuckDBPyConnection, manifest: Manifest, asked: Asked) -> Letter:
    """The letter on a version of which the marts are published, too.

    Raises: Unanswerable where only reports were; WholesaleError for a version of an earlier
    release.
    """
    meta = read_meta(connection, manifest.as_dict())
    write, age = Formats(meta), Age(meta, asked.now)
    version = Version(connection, write, age)
    new = new_since(connection, write, asked.since)
    notices = notices_of(connection, write, age)
    sections = [section for make in SECTIONS if (section := make(version))]
    todo = sections[0]
    first = todo.rows[0].title if todo.rows else "Nothing is waiting for you"
    came = f"{_plural(new.orders)}, {_worth(write, new.amount)}" if new.orders else "No order"
    doubts = [title.rstrip(".") for title, _ in notices[: age.is_late + (not _is_whole(meta))]]
    subject = f"{came}; {first[:1].lower()}{first[1:]}"
    standing, is_complete = _standing(write, age, asked.now)
    body = [new.also, new.orders, notices, [section.as_told() for section in sections]]
    return Letter(
        company=meta["company"],
        day=day_name(
            write.local(asked.now).date() if age.is_of_today else age.read_on, has_year=True
        ),
        subject=_line(": ".join([*doubts, subject])),
        preview=_line(". ".join([row.title for row in todo.rows[1:3]])),
        notices=notices,
        sentence=_sentence(write, new.orders, new.amount, new.to),
        news=_news(write, new.since, new.also, new.nothing, asked.now),
        sections=sections,
        standing=standing,
        is_complete=is_complete,
        written=f"Written {moment_text(write, asked.now, asked.now, has_zone=False)}.",
        late=f"The next letter is due on {_due(write, age, asked)}, at the latest; if none has"
        " come, the figures are late",
        page=asked.page,
        digest=sha256(
            msgspec.json.encode([str(write.local(asked.now).date()), body[2:]])
        ).hexdigest()[:16],
        is_news=bool(new.orders or new.also),
    )


def _is_whole(meta: dict[str, object]) -> bool:
    return meta["verdict"] == "complete"


def _plural(orders: int) -> str:
    return f"{orders:,} order{'' if orders == 1 else 's'}"


def _worth(write: Formats, amount: str | None) -> str:
    return "amount not known" if amount is None else write.amount(amount)


def _sentence(write: Formats, orders: int, amount: str | None, to: str) -> Said:
    if not orders:
        is_any = write.meta["last_ordered_date"] is not None
        return (Words("No order came in." if is_any else "There are no orders yet."),)
    worth = "worth " if amount is not None else ""
    return (
        Words(_plural(orders), to),
        Words(f" came in, {worth}"),
        Words(_worth(write, amount), to if worth else None, None if worth else "unknown"),
        Words("."),
    )


def _news(
    write: Formats,
    since: datetime | date,
    also: Sequence[Said],
    nothing: str,
    now: datetime,
) -> Said:
    if isinstance(since, datetime):
        told = moment_text(write, since, now, has_zone=False)
    else:
        told = day_name(since)
    words = [Words(f"Since {told}. ")]
    for number, part in enumerate(also):
        words += [Words(", ")] if number else []
        words += part
    if also:
        words.append(Words("."))
    if nothing:
        words.append(Words(f" {nothing}" if also else nothing))
    return tuple(words)


def _standing(write: Formats, age: Age, now: datetime) -> tuple[str, bool]:
    """How far to trust the figures, and whether they are complete and new."""
    meta = write.meta
    read = moment_text(write, age.read_at, now)
    is_whole = meta["verdict"] == "complete"
    told = f"Complete as of {read}." if is_whole else f"Not complete; read {read}."
    if meta["as_of"] is None:
        told = f"Never read whole; made {read}."
    if up_to := meta["figures_up_to"]:
        told += f" Figures go to the end of {day_name(date.fromisoformat(up_to))}."
    return told, is_whole and not age.is_late


def _due(write: Formats, age: Age, asked: Asked) -> str:
    """The day by which the next letter has come: when versions usually come, and not before the
    next day, as one of the same day that says nothing new is not told of."""
    usual = age.now + (age.next_at - age.read_at)
    today = write.local(asked.now).date()
    day = max(today + timedelta(1), write.local(usual).date())
    while day.weekday() not in asked.weekdays:
        day += timedelta(1)
    return day_name(day)


def _line(text: str) -> str:
    """A text for a heading, without what would begin another line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())

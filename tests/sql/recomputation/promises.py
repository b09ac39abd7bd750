"""Promises: by when vendors say that they ship, and whether they were seen to."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from .arithmetic import Row, grouped, ratio, told, total
from .books import Books, Order, lowered
from .history import Version, versions

FIELDS = (
    *("order_processing_time", "order_processing_on"),
    *("order_processing_cut_off_time", "order_shipping_days"),
)
SENT, UNSENT = ("sent", "done", "returned"), ("waiting", "accepted")
STATES = ("status", "payment_status", "invoice_status", "_deleted_at")
NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHORT = ("mon", "tue|tues", "wed", "thu|thur|thurs", "fri", "sat", "sun")
LENGTH = r"(?:(?:with)?in )?(?:(?P<first>\d{1,3}) ?(?:-|\u2013|to) ?)?(?P<last>\d{1,3}) ?-? ?"


@dataclass(frozen=True)
class Words:
    """What a vendor says of its processing; `unknown` is the first field and text that nothing
    explains."""

    days: int | None = None
    are_business: bool | None = None
    minute: int | None = None
    weekdays: frozenset[int] = frozenset()
    unknown: tuple[str, str] | None = None


def key_of(text: str | None) -> str:
    return "".join((text or "").lower().split())


def read_words(record: Mapping[str, Any], processing: Mapping[str, str]) -> Words:
    texts = [record.get(name) for name in FIELDS]
    if texts[3] is not None and not isinstance(texts[3], str):
        texts[3] = json.dumps(texts[3])
    time, on, cut_off, shipping = (
        processing.get(key_of(text) or ("" if number == 0 else "-"), text)
        for number, text in enumerate(texts)
    )
    time, on = (" ".join((text or "").lower().split()) for text in (time, on))
    days, are_business = read_time(time, on)
    minute, weekdays = read_minute(cut_off or ""), read_weekdays(shipping or "")
    is_told = key_of(shipping) not in ("", "[]", "null")
    known = (
        days is not None,
        are_business is not None,
        not key_of(cut_off) or minute is not None,
        not is_told or weekdays is not None,
    )
    unknown = None
    if time and False in known:
        name = FIELDS[known.index(False)]
        unknown = (name, str(texts[known.index(False)]))
    return Words(days, are_business, minute, weekdays or frozenset(), unknown)


def read_time(time: str, on: str) -> tuple[int | None, bool | None]:
    if re.search(r"(business|working|week) ?days?", time):
        are_business: bool | None = True
    elif "calendar day" in time or not on:
        are_business = False
    else:
        plain = re.sub("[_-]", " ", on)
        business = r"(business|working|week) ?days?( only)?|mon(day)? ?( |\u2013|to) ?fri(day)?"
        calendar = r"(calendar|all|every) ?days?|daily|mon(day)? ?( |\u2013|to) ?sun(day)?"
        are_business = bool(re.fullmatch(business, plain))
        if not are_business and not re.fullmatch(calendar, plain):
            return _days(time, None), None
    return _days(time, are_business), are_business


def _days(time: str, are_business: bool | None) -> int | None:
    time = time.removesuffix(".").strip()
    if found := re.fullmatch(LENGTH + r"(business ?|working ?|calendar ?|week)?(days?|d)", time):
        return _longest(found)
    if found := re.fullmatch(LENGTH + r"(weeks?|wks?)", time):
        return _longest(found) * (5 if are_business else 7) if int(found["last"]) < 100 else None
    if found := re.fullmatch(LENGTH + r"(hours?|hrs?|h)", time):
        return _longest(found) // 24 if int(found["last"]) in (24, 48, 72, 96, 120) else None
    found = re.fullmatch(r"(same|next) ?-? ?(business |working )?day", time)
    return found and ("same", "next").index(found[1])


def _longest(found: re.Match[str]) -> int:
    return max(int(found["first"] or 0), int(found["last"]))


def read_minute(text: str) -> int | None:
    text = " ".join(text.lower().split())
    for form in ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I %p", "%I:%M%p", "%I%p"):
        try:
            found = datetime.strptime(re.sub(r"([ap])\.m\.?$", r"\1m", text), form)
        except ValueError:
            continue
        return found.hour * 60 + found.minute if not found.second else None
    return None


def read_weekdays(text: str) -> frozenset[int] | None:
    words = key_of(text.translate(str.maketrans("", "", '[]"')))
    if re.fullmatch(r"mon(day)?(-|\u2013|to)fri(day)?|(week|business|working)days?", words):
        return frozenset(range(1, 6))
    if re.fullmatch(r"mon(day)?(-|\u2013|to)sun(day)?|everyday|daily", words):
        return frozenset(range(1, 8))
    found = set()
    for word in words.split(","):
        for number, (name, short) in enumerate(zip(NAMES, SHORT, strict=True), 1):
            if re.fullmatch(f"({name}|{short})s?", word):
                found.add(number)
                break
        else:
            return None
    return frozenset(found)


def promised_day(books: Books, order: Order, words: Words) -> date | None:
    if words.days is None or words.unknown or not order.day or not order.at:
        return None
    at = order.at.astimezone(books.zone)
    day = order.day
    if words.minute is not None and at.hour * 60 + at.minute >= words.minute:
        day += timedelta(days=1)

    def counts(day: date) -> bool:
        return not words.are_business or day.isoweekday() < 6

    while not counts(day):
        day += timedelta(days=1)
    left = words.days
    while left:
        day += timedelta(days=1)
        left -= counts(day)
    while words.weekdays and day.isoweekday() not in words.weekdays:
        day += timedelta(days=1)
    return day


def promises(books: Books) -> dict[str, Row]:
    """The promise of each order that is no return."""
    seen = versions(books, "orders", STATES)
    said = {
        key: read_words(record, books.settings.processing)
        for key, record in books.by_id("vendors").items()
    }
    return {
        order.id: _promise(books, order, said.get(order.vendor_key or "", Words()), seen[order.id])
        for order in books.purchases
    }


def _promise(books: Books, order: Order, words: Words, seen: Sequence[Version]) -> Row:
    by = promised_day(books, order, words)
    states = [(lowered(version.record.get("status")), version.seen_at) for version in seen]
    changed = [one for before, one in pairwise([(object(), None), *states]) if before[0] != one[0]]
    steps = [(books.meant("order", state), at) for state, at in changed]  # type: ignore[arg-type]
    sent_at = next((at for means, at in steps if means in SENT), None)
    unsent = books.as_of
    is_unsent = order.order_standing in UNSENT and sent_at is None
    if not is_unsent:
        unsent = books.day(_unsent_at(books, steps, sent_at))
    sent, first = books.day(sent_at), books.day(seen[0].seen_at)
    promise = "unknown"
    if by and first and first <= by:
        if sent and sent <= by:
            promise = "kept"
        elif unsent and unsent > by:
            promise = "broken"
        elif is_unsent:
            promise = "pending"
    return {
        **{"promised_date": by, "known_unsent_date": unsent},
        **{"known_sent_date": sent, "promise": promise},
    }


def _unsent_at(
    books: Books, steps: Sequence[tuple[str, Any]], sent_at: datetime | None
) -> datetime | None:
    """When the last complete sync began that saw the order unsent, before it was no longer so."""
    left = [
        (entered, at)
        for (was, entered), (means, at) in pairwise(steps)
        if was in UNSENT and means not in UNSENT and (sent_at is None or at <= sent_at)
    ]
    if not left:
        return None
    entered, at = left[-1]
    complete = [
        (run["ended_at"], run["started_at"])
        for run in books.rows("sync_runs")
        if run["resource"] == "orders" and run["complete_as_of"] and run["ended_at"] < at
    ]
    ended, began = max(complete, default=(None, None))
    return began if ended and ended >= entered else None


def unknown_words(books: Books) -> Iterator[Row]:
    """Words of vendors on processing that nothing explains, with the orders of these vendors."""
    vendors = {
        key: words.unknown
        for key, record in books.by_id("vendors").items()
        if (words := read_words(record, books.settings.processing)).unknown
    }
    orders = [order for order in books.purchases if order.vendor_key in vendors]

    def word_of(order: Order) -> tuple[str, str]:
        field, text = vendors[order.vendor_key or ""]
        return field, key_of(text)

    for (field, key), found in grouped(orders, word_of).items():
        yield {
            "id": f"{field}-{key}",
            "field_name": field,
            "state": max(vendors[order.vendor_key or ""][1] for order in found),
            "order_count": len(found),
            "amount": total(order.sub_total for order in found),
        }


def of_vendors(books: Books) -> dict[tuple[str, date | None], Row]:
    """By vendor and month the share of promises that were kept, and how many are known or not."""
    found, rows = promises(books), {}
    keys = {order: (told(order.vendor_id), books.month_of(order.day)) for order in books.purchases}
    for key, orders in grouped(books.purchases, lambda order: keys[order]).items():
        each = [found[order.id]["promise"] for order in orders]
        kept, broken = each.count("kept"), each.count("broken")
        rows[key] = {
            "promise_kept_rate": ratio(kept, kept + broken),
            "promise_judged_count": kept + broken,
            "promise_unknown_count": each.count("unknown"),
        }
    return rows

"""New: what came in and what happened since a moment, as the first page says it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import duckdb

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.entry import NO_BREAK
from wholesale_elt.dashboard.news import count_since
from wholesale_elt.dashboard.sentences.formats import Formats, address, count, word
from wholesale_elt.dashboard.sentences.said import Said, Words, said

OF_PAYMENTS = "settled"
RARE, FEWEST = ("deleted", "first"), 3
"""What is told only if there is any, and how many of the others must be known at least."""
UNKNOWN = "What else changed since then is not known: nobody looked before."
Say = Callable[[Formats, Json], Words]


def _is_below(row: Json) -> bool:
    return row["amount"] is not None and row["amount"].startswith("-")


def _fell(write: Formats, row: Json) -> Words:
    return Words(write.compact(row["amount"]), tone="down" if _is_below(row) else None)


def _moved(write: Formats, row: Json) -> Words:
    text = write.signed(write.compact(row["amount"]), row["amount"])
    return Words(text, tone="down" if _is_below(row) else "up")


def _sum(write: Formats, row: Json) -> Words:
    return Words(write.compact(row["amount"]))


def _up_and_down(write: Formats, row: Json) -> Words:
    rises, all_of_them = row["rise_count"], row["event_count"]
    told = f"({count(rises)} up, {count(all_of_them - rises)} down)"
    return Words(told.replace(" ", NO_BREAK))


KINDS: Mapping[str, tuple[str | None, str | None, Say]] = {
    "cancelled": ("cancelled", "cancelled", _fell),
    "edited": ("edited", "edited", _moved),
    "deleted": ("deleted", "deleted", _fell),
    "price": ("prices changed", "price changed", _up_and_down),
    "first": ("first orders", "first order", _sum),
    "sent": (None, None, _sum),
    "settled": (None, None, _sum),
}
"""What is said of several and of one of a kind, and of their money; None: the word of a state."""


@dataclass(frozen=True, slots=True)
class NewOrders:
    """Orders that came in since a moment, or since a day began; and a part of a sentence for each
    thing else that happened; if there is none, `nothing` says so, or that it is not known. An
    `amount` that is not known is None."""

    orders: int
    amount: str | None
    since: datetime | date
    also: tuple[Said, ...]
    nothing: str
    to: str


def new_since(
    connection: duckdb.DuckDBPyConnection, write: Formats, since: datetime | None = None
) -> NewOrders:
    """What is new since this moment; else since the version before, or since yesterday."""
    counts, windows = count_since(connection, since)
    moment = windows["version_before"]
    window = "version" if moment else "yesterday"
    found = {row["kind"]: row for row in counts if row["since"] == window}
    none = {"event_count": 0, "amount": "0"}
    known = [kind for kind in KINDS if _is_known(kind, bool(moment), windows, write.meta)]

    def to(kind: str) -> str:
        # the page has no other moments than its own
        return address("changes") if since else address("changes", since=window, kind=kind)

    return NewOrders(
        found.get("new", none)["event_count"],
        found.get("new", none)["amount"],
        datetime.fromisoformat(moment) if moment else date.fromisoformat(windows["yesterday"]),
        tuple(_said(write, kind, found[kind], to(kind)) for kind in known if kind in found),
        _nothing(known, any(kind in found for kind in known), write.meta),
        to("new"),
    )


def _nothing(known: Sequence[str], is_any: bool, meta: Json) -> str:
    """That nothing else happened, or that nobody knows whether anything did."""
    told = [kind for kind in known if kind not in RARE]
    if len(told) < FEWEST:
        is_asked = meta["last_ordered_date"] is not None
        return UNKNOWN if is_asked else ""
    if is_any:
        return ""
    done = [KINDS[kind][0] or _became(kind, meta) for kind in told if kind != "price"]
    return f"Nothing was {', '.join(done[:-1])} or {done[-1]}, and no price changed."


def _is_known(kind: str, is_version: bool, windows: Json, meta: Json) -> bool:
    """All but new orders are known of days since which records were looked at."""
    if is_version:
        return True
    first = meta["figures_from"] if kind == "first" else windows["observed_since"]
    return first is not None and first < windows["yesterday"]


def _said(write: Formats, kind: str, row: Json, to: str) -> Said:
    many, one, money = KINDS[kind]
    name = (one if row["event_count"] == 1 else many) or _became(kind, write.meta)
    told = f"{count(row['event_count'])} {name}".replace(" ", NO_BREAK)
    return said(Words(told, to), " ", money(write, row))


def _became(kind: str, meta: Json) -> str:
    """The service's own word for what orders became by a step."""
    field = "payment_status" if kind == OF_PAYMENTS else "order_status"
    states = meta["states"].get(field, {})
    return word(next((state for state, means in states.items() if means == kind), kind)).lower()

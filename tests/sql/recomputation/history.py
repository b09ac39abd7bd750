"""History: what was seen of a record, and from which moment on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from .books import Books, Record, lowered

AMOUNTS = ("unit_price", "msrp", "map", "minimum_order_value")


@dataclass(frozen=True)
class Version:
    """A record as it was seen from a moment on."""

    number: int
    record: Record
    seen_at: datetime


@cache
def versions(
    books: Books, resource: str, fields: tuple[str, ...]
) -> Mapping[str, Sequence[Version]]:
    """What syncs noted of every record, and builds saw besides, where it differs from the last."""
    found: dict[str, list[Version]] = {}
    last: dict[str, tuple[object, ...]] = {}
    until = datetime.min.replace(tzinfo=UTC)
    for snapshot in books.snapshots:
        ended = books.ended(resource, snapshot) or books.built_at
        log = books.rows(f"{resource}__observations", snapshot)
        since = [row for row in log if row["observed_at"] > until]
        noted = [row for row in since if not books.is_ahead(row["observed_at"])]
        noted.sort(key=lambda row: row["observed_at"])
        until = max((row["observed_at"] for row in noted), default=until)
        for record in (*noted, *books.rows(resource, snapshot)):
            key = record["id"]
            content = tuple(_value(books, record, name) for name in fields)
            if last.get(key) != content:
                last[key] = content
                seen = found.setdefault(key, [])
                seen_at = max([record.get("observed_at", ended), *(v.seen_at for v in seen[-1:])])
                seen.append(Version(len(seen) + 1, record, seen_at))
    return found


def _value(books: Books, record: Record, name: str) -> object:
    value = record.get(name)
    if name in AMOUNTS:
        return books.amount(value)
    if name == "minimum_order_quantity":
        return books.quantity(value)
    if name == "_deleted_at":
        return value is not None
    return lowered(value) if name == "sku_status" else value


def in_force(seen: Sequence[Version], at: datetime | None) -> Version | None:
    """The version of a moment; none where nothing had been seen by then."""
    return next((one for one in reversed(seen) if at is not None and one.seen_at <= at), None)

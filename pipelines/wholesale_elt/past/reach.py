"""Reach: since when the past is kept."""

from datetime import datetime
from typing import TYPE_CHECKING

from wholesale_elt.runs import as_utc

if TYPE_CHECKING:
    from wholesale_elt.warehouse import RawReader

FORGOTTEN = "sync_forgotten"
"""The table that says until when the past was forgotten: the greatest moment in it."""
UNTIL = "forgotten_until"


def forgotten_until(raw: "RawReader") -> datetime | None:
    """The moment before which it is not known any more what was so; None: all is known."""
    rows = raw.rows(f"select max({UNTIL}) from {raw.name(FORGOTTEN)}")
    return as_utc(rows[0][0]) if rows else None

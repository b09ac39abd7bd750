"""Next orders: who is awaited, with the windows and how often such windows were right."""

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from wholesale.errors import Unanswerable
from wholesale_agents.bounds import fitting
from wholesale_agents.following import after_next_orders
from wholesale_agents.version import PublishedVersion, as_row
from wholesale_elt.answers import NextOrders, Wanted
from wholesale_elt.publish import site_as_of

MOST_ROWS = 1_000
Answer = dict[str, Any]


def next_orders(
    version: PublishedVersion,
    published: Path,
    buyer: str | None,
    manager: str | None,
    is_due_only: bool,
    limit: int,
    as_of: str | None,
) -> Answer:
    """The buyers with a window, who is due first, or one buyer; how many have none, and why; and
    how often windows were right.

    Raises: Unanswerable for a limit beyond MOST_ROWS, and for an unknown buyer or manager.
    """
    if not 0 < limit <= MOST_ROWS:
        raise Unanswerable(f"the limit may be from 1 to {MOST_ROWS:,}")
    manifest = site_as_of(published, as_of).manifest
    today = None if as_of else datetime.now(ZoneInfo(manifest.time_zone)).date()
    wanted = Wanted(buyer, manager, is_due_only, today=today)
    with version.connected() as connection:
        found = NextOrders.read(connection, manifest, wanted)
    told = {name: value for name, value in found.document().items() if name not in version.about}
    answer = {**version.about, **as_row({**told, "rows": []}), "rows_in_all": len(found.rows)}
    answer["next"] = after_next_orders([row["buyer_id"] for row in found.rows])
    answer["rows"] = fitting(answer, [as_row(row) for row in found.rows[:limit]])
    return answer | {"rows_not_shown": len(found.rows) - len(answer["rows"])}

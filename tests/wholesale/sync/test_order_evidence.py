"""A list is stopped early only once it was seen that an edit moves an old order to its head."""

from datetime import UTC, datetime, timedelta
from operator import itemgetter

import pytest

from support.records.kept import Kept, doubted
from support.records.lists import NO_ENTRIES, Lists, Record
from wholesale.names import EARLY_STOP, MANIFEST
from wholesale.prove import head

COUNT = 60
DAWN = datetime.now(UTC) - timedelta(days=20)


def listed_by(column: str) -> "Listed":
    rows = [
        {
            "id": f"id-{number:04}",
            "status": "new",
            "created_at": (DAWN + timedelta(hours=number)).isoformat(),
            "updated_at": (DAWN + timedelta(hours=number)).isoformat(),
            **NO_ENTRIES,
        }
        for number in range(COUNT)
    ]
    service = Listed({})
    service.orders, service.column = {row["id"]: row for row in rows}, column
    service.sort()
    return service


class Listed(Lists):
    """Orders that are listed by one of their columns, newest first."""

    orders: dict[str, Record]
    column: str

    def sort(self) -> None:
        rows = sorted(self.orders.values(), key=itemgetter(self.column, "id"), reverse=True)
        self.lists = {"/orders": rows}

    def edit(self, number: int, status: str = "shipped") -> None:
        at = datetime.now(UTC).isoformat()
        self.orders[f"id-{number:04}"] |= {"status": status, "updated_at": at}
        self.sort()

    def add(self, number: int) -> None:
        at = datetime.now(UTC).isoformat()
        new = {"id": f"id-{number:04}", "created_at": at, "updated_at": at}
        self.orders[new["id"]] = {"status": "new", **NO_ENTRIES, **new}
        self.sort()


def sync(kept: Kept) -> str:
    """How one run read the orders; it is complete, and what is stored is what the service has."""
    reader = kept.sync("orders")["orders"]
    assert doubted(reader) == []
    assert isinstance(kept.service, Listed)
    assert kept.values("orders", "status") == {
        key: order["status"] for key, order in kept.service.orders.items()
    }
    assert reader.doubts.proof
    assert (reader.doubts.proof.kind == "head") == (reader.tally.strategy == EARLY_STOP)
    return reader.tally.strategy


def test_a_list_by_creation_that_looks_like_one_by_edition_is_never_stopped_early() -> None:
    service = listed_by("created_at")
    kept = Kept(service)

    assert [sync(kept), sync(kept)] == [MANIFEST] * 2
    service.add(900)
    assert sync(kept) == MANIFEST, "a new order proves nothing: it is the first in either order"
    service.edit(59)
    assert sync(kept) == MANIFEST, "nor does an edit of the newest one"
    service.edit(3)
    assert [sync(kept), sync(kept)] == [MANIFEST] * 2
    assert kept.known is not None
    assert not kept.known.newest_change_first


def test_a_list_that_moves_an_edited_old_order_to_its_head_is_from_the_run_after() -> None:
    service = listed_by("updated_at")
    kept = Kept(service)
    assert [sync(kept), sync(kept)] == [MANIFEST] * 2

    service.edit(3)
    assert sync(kept) == MANIFEST
    assert sync(kept) == EARLY_STOP

    service.edit(7)
    service.add(901)
    service.asked.clear()
    assert sync(kept) == EARLY_STOP
    assert sorted(service.singles) == ["/orders/id-0007", "/orders/id-0901"]


def test_a_list_that_comes_in_another_order_is_stopped_early_no_more() -> None:
    service = listed_by("updated_at")
    kept = Kept(service)
    sync(kept)
    service.edit(3)
    assert [sync(kept), sync(kept)] == [MANIFEST, EARLY_STOP]

    service.column = "id"
    service.edit(8)
    assert sync(kept) == MANIFEST
    assert kept.known is not None
    assert not kept.known.newest_change_first
    service.column = "updated_at"
    service.sort()
    assert sync(kept) == MANIFEST, "it takes new evidence"


def test_the_list_is_read_whole_once_a_day_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    service = listed_by("updated_at")
    kept = Kept(service)
    sync(kept)
    service.edit(3)
    assert [sync(kept), sync(kept)] == [MANIFEST, EARLY_STOP]

    assert kept.scanned_at
    kept.scanned_at -= head.SCAN_EVERY
    assert [sync(kept), sync(kept)] == [MANIFEST, EARLY_STOP]


def test_a_full_run_keeps_what_was_seen_of_the_order() -> None:
    service = listed_by("updated_at")
    kept = Kept(service)
    sync(kept)
    service.edit(3)
    sync(kept)

    reader = kept.sync("orders", is_full=True)["orders"]

    assert reader.tally.strategy != EARLY_STOP
    assert sync(kept) == EARLY_STOP

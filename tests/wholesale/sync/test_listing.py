"""A list is read to its end, by summaries where it has them; what is new or changed there is then
asked for in full."""

from collections.abc import Mapping

import httpx
import pytest

from support.records.lists import (
    NO_ENTRIES,
    Lists,
    changed,
    ids,
    numbered,
    on,
    orders,
    paged,
    read,
    rows,
    stored,
)
from wholesale.errors import NotFound
from wholesale.names import MANIFEST
from wholesale.sync import batches
from wholesale.sync.tally import Progress


def test_a_first_load_reads_the_summaries_and_then_whole_pages_of_bodies() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", concurrency=1)

    batches = read(reader)

    assert ids(batches) == [f"id-{n:04}" for n in range(25)]
    assert batches[0].decoded.root["po_number"].to_pylist() == ["P"] * 25
    assert not batches[0].is_known.any()
    assert [(query["verbose"], query.get("page")) for query in service.queries] == [
        ("false", "1"),  # a look at the head
        *(("false", page) for page in ("1", "2", "3")),
        ("false", "1"),  # how many are there now?
        *(("true", page) for page in ("1", "2", "3")),
    ]
    tally, doubts = reader.tally, reader.doubts
    assert (tally.strategy, tally.full_scans, tally.pages) == (MANIFEST, 1, 8)
    assert (
        tally.new,
        tally.changed,
        tally.ids_seen,
        doubts.sentences(),
    ) == (25, 0, 25, [])
    assert tally.progress == Progress("loaded", 25, 25)


def test_pages_that_each_say_that_they_are_the_whole_list_lose_no_record() -> None:
    vendors = numbered(30, name="V")

    def page(path: str, number: int) -> httpx.Response:
        limit = int(service.queries[-1]["limit"])
        on_page = vendors[(number - 1) * limit : number * limit]
        return paged(on_page, 1, limit, total_count=len(on_page), total_pages=1)

    service = Lists({"/vendors": vendors}, page)
    for before in (None, stored("vendors", vendors[:20])):
        reader = service.reader("vendors", before, concurrency=1)

        assert set(ids(read(reader))) == {record["id"] for record in vendors}
        assert (reader.tally.alive, reader.doubts.sentences()) == (30, [])
        assert reader.doubts.proof
        assert reader.doubts.proof.kind == "agreement"


def test_few_changes_are_asked_for_by_id() -> None:
    before = orders(25)
    now = [*changed(before, 2, updated_at=on(2)), before[0] | {"id": "new"}]
    service = Lists({"/orders": now})
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    (batch,) = read(reader)

    known = zip(batch.decoded.root["id"].to_pylist(), batch.is_known.tolist(), strict=True)
    assert sorted(known) == [("id-0000", True), ("id-0001", True), ("new", False)]
    assert service.singles == ["/orders/id-0000", "/orders/id-0001", "/orders/new"]
    assert (
        reader.tally.new,
        reader.tally.changed,
        reader.doubts.sentences(),
    ) == (1, 2, [])


def test_nothing_is_asked_for_when_nothing_changed() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", stored("orders", orders(25)))

    assert read(reader) == []
    # The list once, and a look at either end.
    assert service.asked == {("/orders", 1): 2, ("/orders", 2): 1, ("/orders", 3): 2}
    assert (reader.tally.new, reader.tally.changed, reader.tally.ids_seen) == (
        0,
        0,
        25,
    )
    assert reader.doubts.sentences() == []


@pytest.mark.parametrize("updated_at", [None, on(1)])
def test_where_no_version_tells_of_changes_each_order_is_read_again(updated_at: str | None) -> None:
    before = [order | {"updated_at": updated_at} for order in orders(25)]
    service = Lists({"/orders": changed(before, 1, po_number="changed")})  # as no summary shows
    reader = service.reader("orders", stored("orders", before))

    passed_on = {row["id"]: row["po_number"] for b in read(reader) for row in rows(b)}

    assert passed_on == {order["id"]: "P" for order in before} | {"id-0000": "changed"}
    assert (reader.tally.full_scans, reader.doubts.sentences()) == (1, [])


def test_a_full_read_asks_for_everything_once() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", stored("orders", orders(25)), is_full=True)

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(25)]
    assert (
        reader.tally.new,
        reader.tally.changed,
        reader.doubts.sentences(),
    ) == (0, 0, [])


@pytest.mark.parametrize("count", [25, 2])
def test_a_summary_without_an_id_is_passed_on_as_it_came(count: int) -> None:
    before = orders(count)
    service = Lists({"/orders": [*before, {"status": "nobody's"}]})
    reader = service.reader("orders", stored("orders", before[1:]))

    batches = read(reader)

    assert ids(batches) == ["id-0000"]
    assert [one.body for batch in batches for one in batch.decoded.quarantined] == [
        '{"status":"nobody\'s"}'
    ]
    assert reader.doubts.sentences() == ["1 record in quarantine"]


def test_a_summary_without_an_id_is_counted_once_however_often_it_is_read() -> None:
    records = [*numbered(13, **NO_ENTRIES), {"order_number": "odd"}]
    service = Lists({}, lambda path, number: paged(records, number, total_count=25, total_pages=3))
    reader = service.reader("orders")

    ids(read(reader))

    assert reader.tally.full_scans > 1
    assert reader.doubts.quarantined == 1


@pytest.mark.parametrize(
    ("field", "old", "new"),
    [
        ("mood", "good", "bad"),
        ("total", "not a number", "no number"),
        ("created_at", "2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123456788Z"),
    ],
)
def test_a_change_that_only_a_field_without_a_fitting_column_shows_is_read(
    field: str, old: str, new: str
) -> None:
    class Telling(Lists):
        def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
            return paged(self.lists[path], number, int(query["limit"]))

    before = orders(25)
    before = [record | {field: old} for record in before]
    service = Telling({"/orders": changed(before, 1, **{field: new})})
    reader = service.reader("orders", stored("orders", before))

    assert ids(read(reader)) == ["id-0000"]
    assert reader.doubts.sentences() == []


def test_a_list_whose_pages_bring_nothing_new_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page begins elsewhere, so that none repeats another, and all are of the same records."""
    monkeypatch.setattr(batches, "BATCH_BYTES", 1)
    records = orders(12)

    def turning(path: str, number: int) -> httpx.Response | None:
        if service.queries[-1]["verbose"] == "true":
            return None
        turned = records[number % 12 :] + records[: number % 12]
        return paged(turned, 1, 10, total_count=None, total_pages=None) if number else None

    service = Lists({"/orders": records}, turning)
    reader = service.reader("orders")

    assert sorted(set(ids(read(reader)))) == [record["id"] for record in records]
    assert reader.doubts.proof is None
    assert "pages bring nothing new" in reader.doubts.sentences()


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(NotFound, match="/orders"):
        read(Lists({}).reader("orders"))

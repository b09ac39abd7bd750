"""Orders are listed cheaply first; only what is new or changed is then asked for in full."""

from collections.abc import Mapping

import httpx
import numpy as np
import pyarrow as pa
import pytest

from support.lists import Lists, answer, changed, ids, numbered, on, orders, paged, stored
from wholesale.compare.audit import PARTS, is_in_part
from wholesale.sync import batches
from wholesale.sync.reader import MAX_PASSES
from wholesale.sync.report import MANIFEST, Progress
from wholesale.tables.ids import keys_of


def test_a_first_load_reads_the_summaries_and_then_whole_pages_of_bodies() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", concurrency=1)

    batches = list(reader.read())

    assert ids(batches) == [f"id-{n:04}" for n in range(25)]
    assert batches[0].decoded.root["po_number"].to_pylist() == ["P"] * 25
    assert not batches[0].is_known.any()
    assert [(query["verbose"], query["page"]) for query in service.queries] == [
        ("true", "1"),  # does a body have all fields of the summary?
        *((verbose, page) for verbose in ("false", "true") for page in ("1", "2", "3")),
    ]
    report = reader.report
    assert (report.strategy, report.passes, report.pages) == (MANIFEST, 1, 6)
    assert (report.new, report.changed, report.ids_seen, report.doubts()) == (25, 0, 25, [])
    assert report.progress == Progress("loaded", 25, 25)


def test_few_changes_are_asked_for_by_id() -> None:
    before = orders(25)
    now = [*changed(before, 2, updated_at=on(2)), {"id": "new"}]
    service = Lists({"/orders": now})
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    (batch,) = reader.read()

    known = zip(batch.decoded.root["id"].to_pylist(), batch.is_known.tolist(), strict=True)
    assert sorted(known) == [("id-0000", True), ("id-0001", True), ("new", False)]
    assert service.singles == ["/orders/id-0000", "/orders/id-0001", "/orders/new"]
    assert service.queries[3:] == [{"verbose": "true"}] * 3
    assert (reader.report.new, reader.report.changed, reader.report.doubts()) == (1, 2, [])


@pytest.mark.parametrize(("wanted", "singles"), [(8, 8), (9, 0)])
def test_bodies_come_the_way_that_costs_less(wanted: int, singles: int) -> None:
    before = orders(25)
    service = Lists({"/orders": changed(before, wanted, status="shipped")})
    reader = service.reader("orders", stored("orders", before))

    assert sorted(ids(reader.read())) == [f"id-{n:04}" for n in range(wanted)]
    assert len(service.singles) == singles
    assert (reader.report.changed, reader.report.doubts()) == (wanted, [])


def test_nothing_is_asked_for_when_nothing_changed() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", stored("orders", orders(25)))

    assert list(reader.read()) == []
    assert service.asked == {("/orders", page): 1 for page in (1, 2, 3)}
    assert (reader.report.new, reader.report.changed, reader.report.ids_seen) == (0, 0, 25)


def test_a_full_read_asks_for_everything_once() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", stored("orders", orders(25)), is_full=True)

    assert ids(reader.read()) == [f"id-{n:04}" for n in range(25)]
    assert (reader.report.new, reader.report.changed, reader.report.doubts()) == (0, 0, [])


def test_the_part_to_be_audited_is_read_again() -> None:
    before = orders(60)
    everything = np.array([record["id"] for record in before])
    keys = keys_of(pa.array(everything))
    part = next(part for part in range(PARTS) if is_in_part(keys, part).sum() > 1)
    due = everything[is_in_part(keys, part)].tolist()
    reader = Lists({"/orders": before}).reader("orders", stored("orders", before, audit_part=part))

    assert sorted(ids(reader.read())) == due
    assert (reader.report.audited, reader.report.changed) == (len(due), 0)


def test_an_order_that_is_gone_when_it_is_asked_for_is_gone_and_a_doubt() -> None:
    before = orders(25)
    service = Lists({"/orders": before})

    def lose_the_first(path: str, number: int) -> httpx.Response | None:
        if service.asked["/orders", 1] > 1:
            return None
        listed = changed(before, 1, status="shipped")
        if number == 3:  # by the time bodies are asked for the first order is gone
            service.lists = {"/orders": before[1:]}
        return paged(listed, number)

    service.page = lose_the_first
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    assert ids(reader.read()) == []
    assert reader.gone == {"id-0000"}
    assert (reader.report.passes, reader.report.doubts()) == (2, [])


def test_an_order_that_only_the_pages_of_bodies_show_is_passed_on_and_leads_to_another_pass() -> (
    None
):
    everything = orders(25)
    service = Lists({"/orders": everything})

    def hide_the_last(path: str, number: int) -> httpx.Response | None:
        return paged(everything[:24], number) if service.asked[path, number] == 1 else None

    service.page = hide_the_last
    reader = service.reader("orders")

    assert ids(reader.read()) == [record["id"] for record in everything]
    assert (reader.report.passes, reader.report.new, reader.report.doubts()) == (2, 25, [])


@pytest.mark.parametrize("count", [25, 2])
def test_a_summary_without_an_id_is_passed_on_as_it_came(count: int) -> None:
    before = orders(count)
    service = Lists({"/orders": [*before, {"status": "nobody's"}]})
    reader = service.reader("orders", stored("orders", before[1:]))

    batches = list(reader.read())

    assert ids(batches) == ["id-0000"]
    assert [one.body for batch in batches for one in batch.decoded.quarantined] == [
        '{"status":"nobody\'s"}'
    ]
    assert reader.report.doubts() == ["1 records are in quarantine"]


def test_a_single_order_may_come_wrapped() -> None:
    service = Lists({"/orders": orders(2)})
    service.single = lambda path: answer({"order": orders(2)[1]})  # type: ignore[method-assign]
    reader = service.reader("orders", stored("orders", orders(1)))

    batches = list(reader.read())

    assert ids(batches) == ["id-0001"]
    assert batches[0].decoded.root["po_number"].to_pylist() == ["P"]


def test_an_order_that_comes_twice_in_full_was_listed_both_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Repeating(Lists):
        def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
            if query["verbose"] == "true":
                return paged([*self.lists[path], self.lists[path][0]], number)
            return super().slice(path, number, query)

    monkeypatch.setattr(batches, "BATCH_BYTES", 1)
    records = numbered(25, updated_at=on(1))
    reader = Repeating({"/orders": records}).reader("orders")

    assert ids(reader.read()) == [record["id"] for record in records]
    assert (reader.report.passes, reader.report.doubts()) == (1, [])


def test_a_summary_without_an_id_is_counted_once_however_often_it_is_read() -> None:
    records = [*numbered(3), {"order_number": "odd"}]
    service = Lists({}, lambda path, number: paged(records, number, total_count=5))
    reader = service.reader("orders")

    ids(reader.read())

    assert reader.report.passes == MAX_PASSES
    assert reader.report.quarantined == 1


def test_what_a_later_pass_fills_in_comes_from_its_own_summaries() -> None:
    service = Lists({})

    def move(path: str, number: int) -> httpx.Response:
        is_first = service.asked["/orders", 1] <= 3  # a look at a body, summaries, bodies
        day, name = (1, "old") if is_first else (2, "new")
        is_summary = service.queries[-1]["verbose"] == "false"
        more = {"vendor_name": name} if is_summary else {}
        records = numbered(5, updated_at=f"2024-01-0{day}T00:00:00Z", **more)
        return paged(records, number, **({"total_count": 6} if is_first else {}))

    service.page = move
    reader = service.reader("orders", concurrency=1)
    passed_on = [*reader.read(), *reader.late]

    names = pa.concat_arrays(
        chunk for batch in passed_on for chunk in batch.decoded.root["vendor_name"].chunks
    ).to_pylist()
    assert (names[0], names[-1]) == ("old", "new")

"""Orders are listed cheaply first; only what is new or changed is then asked for in full."""

from collections.abc import Sequence

import httpx
import numpy as np
import pyarrow as pa
import pytest

from support.lists import Lists, Record, answer, ids, numbered, paged, stored
from wholesale.compare.audit import PARTS, is_in_part
from wholesale.sync.reader import Reader
from wholesale.sync.report import MANIFEST, Progress
from wholesale.tables.ids import Ids, keys_of, pack

DAY = "2024-01-{:02}T00:00:00Z"


def orders(count: int, day: int = 1) -> list[Record]:
    return numbered(count, updated_at=DAY.format(day), status="received", po_number="P")


def changed(records: Sequence[Record], count: int, **fields: str) -> list[Record]:
    """The same records, of which the first few have other fields."""
    return [record | fields if number < count else record for number, record in enumerate(records)]


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
    assert (report.strategy, report.sweeps, report.pages) == (MANIFEST, 1, 6)
    assert (report.new, report.changed, report.ids_seen, report.doubts()) == (25, 0, 25, [])
    assert report.progress == Progress("loaded", 25, 25)


def test_few_changes_are_asked_for_by_id() -> None:
    before = orders(25)
    now = [*changed(before, 2, updated_at=DAY.format(2)), {"id": "new"}]
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
    assert (reader.report.sweeps, reader.report.doubts()) == (2, [])


def test_an_order_that_only_the_pages_of_bodies_show_is_passed_on_and_leads_to_another_sweep() -> (
    None
):
    everything = orders(25)
    service = Lists({"/orders": everything})

    def hide_the_last(path: str, number: int) -> httpx.Response | None:
        return paged(everything[:24], number) if service.asked[path, number] == 1 else None

    service.page = hide_the_last
    reader = service.reader("orders")

    assert ids(reader.read()) == [record["id"] for record in everything]
    assert (reader.report.sweeps, reader.report.new, reader.report.doubts()) == (2, 25, [])


def test_an_order_that_changes_between_two_sweeps_is_kept_as_late() -> None:
    before = orders(12)
    service = Lists({"/orders": before})

    def change_later(path: str, number: int) -> httpx.Response | None:
        looks = 1 if number == 1 else 0  # at a body, before anything is listed
        if service.asked[path, number] <= looks + 2:
            # Summaries and bodies of the first sweep, which counts one too many.
            return paged(before, number, total_count=13) if number <= 2 else None
        service.lists = {"/orders": changed(before, 1, updated_at=DAY.format(2), status="shipped")}
        return None

    service.page = change_later
    reader = service.reader("orders", concurrency=1)

    assert ids(reader.read()) == [record["id"] for record in before]
    assert [late.decoded.root.select(["id", "status"]).to_pylist() for late in reader.late] == [
        [{"id": "id-0000", "status": "shipped"}]
    ]
    assert (reader.report.sweeps, reader.report.doubts()) == (2, [])


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


def audited(before: Sequence[Record], now: Sequence[Record], part: int) -> Reader:
    """A reader that has read what changed and the part to be audited."""
    reader = Lists({"/orders": now}).reader("orders", stored("orders", before, audit_part=part))
    assert ids(reader.read()) != []
    return reader


def test_what_was_audited_and_differs_was_edited_silently() -> None:
    before = orders(60)
    keys = [record["id"] for record in before]
    part = next(part for part in range(PARTS) if is_in_part(_packed(*keys).keys, part).sum() > 1)
    due = [key for key in keys if is_in_part(_packed(key).keys, part)[0]]
    told = next(key for key in keys if key not in due)
    now = [r | {"status": "shipped"} if r["id"] == told else r for r in before]
    reader = audited(before, now, part)
    assert (reader.report.audited, reader.report.changed) == (len(due), 1)

    reader.settle(_packed(told, due[0]))

    assert (reader.report.changed, reader.report.silent) == (2, 1)


def test_what_was_audited_and_did_not_change_is_no_silent_edit() -> None:
    before = orders(60)
    keys = _packed(*(record["id"] for record in before))
    part = next(part for part in range(PARTS) if is_in_part(keys.keys, part).any())
    reader = audited(before, before, part)

    reader.settle(_packed())

    assert (reader.report.changed, reader.report.silent) == (0, 0)


def _packed(*keys: str) -> Ids:
    return pack(pa.array(keys, pa.string()))

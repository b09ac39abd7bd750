"""Every change is passed on once; what is missing, late, audited or in quarantine is told apart."""

from collections.abc import Sequence

import httpx
import pyarrow as pa

from support.lists import (
    Lists,
    Record,
    changed,
    decoded,
    ids,
    numbered,
    on,
    orders,
    paged,
    stored,
)
from wholesale.api.resources import RESOURCE
from wholesale.compare.audit import PARTS, is_in_part
from wholesale.compare.stored import NOTHING, Stored
from wholesale.sync.changes import Changes
from wholesale.sync.passes import Pass
from wholesale.sync.reader import MAX_PASSES, Reader
from wholesale.sync.report import Report
from wholesale.tables.ids import Ids, pack


def changes_from(resource: str, before: Stored) -> Changes:
    return Changes(RESOURCE[resource], before, Report(resource))


def test_missing_is_what_is_stored_and_alive_and_was_not_listed() -> None:
    this_pass = Pass(None)
    this_pass.see(decoded("vendors", numbered(2)))
    changes = changes_from("vendors", stored("vendors", numbered(6), deleted={"id-0003"}))
    changes.gone.add("id-0005")

    assert sorted(changes.missing(this_pass).keys()) == [("id-0002", None), ("id-0004", None)]
    assert len(changes_from("vendors", NOTHING).missing(this_pass)) == 0


def test_the_parent_of_a_missing_child_is_told_with_it() -> None:
    changes = changes_from("variants", stored("variants", [{"id": "v"}], parent="i"))

    assert list(changes.missing(Pass(None)).keys()) == [("v", "i")]


def test_an_order_that_changes_between_two_passes_is_kept_as_late() -> None:
    before = orders(12)
    service = Lists({"/orders": before})

    def change_later(path: str, number: int) -> httpx.Response | None:
        looks = 1 if number == 1 else 0  # at a body, before anything is listed
        if service.asked[path, number] <= looks + 2:
            # Summaries and bodies of the first pass, which counts one too many.
            return paged(before, number, total_count=13) if number <= 2 else None
        service.lists = {"/orders": changed(before, 1, updated_at=on(2), status="shipped")}
        return None

    service.page = change_later
    reader = service.reader("orders", concurrency=1)

    assert ids(reader.read()) == [record["id"] for record in before]
    assert [late.decoded.root.select(["id", "status"]).to_pylist() for late in reader.late] == [
        [{"id": "id-0000", "status": "shipped"}]
    ]
    assert (reader.report.passes, reader.report.doubts()) == (2, [])


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

    reader.count_differing(_packed(told, due[0]))

    assert (reader.report.changed, reader.report.silent) == (2, 1)


def test_what_was_audited_and_did_not_change_is_no_silent_edit() -> None:
    before = orders(60)
    keys = _packed(*(record["id"] for record in before))
    part = next(part for part in range(PARTS) if is_in_part(keys.keys, part).any())
    reader = audited(before, before, part)

    reader.count_differing(_packed())

    assert (reader.report.changed, reader.report.silent) == (0, 0)


def _packed(*keys: str) -> Ids:
    return pack(pa.array(keys, pa.string()))


def test_a_record_in_quarantine_is_passed_on_and_counted_once_in_all_passes() -> None:
    records: list[Record] = [*numbered(3), {"name": "nobody"}]
    service = Lists({}, lambda path, number: paged(records, number, total_count=5))
    reader = service.reader("vendors")

    bodies = [one.body for batch in reader.read() for one in batch.decoded.quarantined]

    assert reader.report.passes == MAX_PASSES
    assert bodies == ['{"name":"nobody"}']
    assert reader.report.quarantined == 1

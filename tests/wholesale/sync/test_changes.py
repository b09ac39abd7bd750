"""The destination is told of each record once in each of its states, and of none that is older."""

import pyarrow as pa
import pytest

from support.records.lists import Lists, Record, decoded, ids, on, orders, stored
from wholesale.api.resources import RESOURCE
from wholesale.compare.stored import IS_DELETED, NOTHING, Stored
from wholesale.sync.changes import Batch, Changes
from wholesale.sync.reading import Reading
from wholesale.tables.decoded import Decoded

ITEMS = RESOURCE["items"]


GUID = "00000000-0000-4000-8000-00000000000b"
DIGITS = GUID.replace("-", "")


def item(day: int, title: str = "A") -> Record:
    return {"id": "i", "title": title, "options": [], "updated_at": on(day)}


def reading_of(resource: str, before: Stored, *, is_full: bool = False) -> Reading:
    return Lists({}).reader(resource, before, is_full=is_full).reading


class Passed:
    """What is passed on of items, and what of that is late."""

    def __init__(self, before: Stored = NOTHING, *, is_full: bool = False) -> None:
        reading = reading_of("items", before, is_full=is_full)
        self.changes = Changes(reading)
        self.tally, self.doubts, self.expectation = (
            reading.tally,
            reading.doubts,
            reading.expectation,
        )

    def read(self, step: int, *records: Record) -> list[str]:
        batches = read(self.changes, step, decoded("items", records))
        return [title for batch in batches for title in titles(batch)]

    @property
    def late(self) -> list[str]:
        return [title for batch in self.changes.late for title in titles(batch)]


def read(changes: Changes, step: int, records: Decoded) -> list[Batch]:
    """What of these records in full is handed on."""
    batches: list[Batch] = []
    changes.merge = batches.append
    changes.read(step, records)
    return batches


def titles(batch: Batch) -> list[str]:
    found: list[str] = batch.decoded.root["title"].to_pylist()
    return found


def test_a_record_that_comes_again_in_another_state_is_late() -> None:
    passed = Passed()

    assert passed.read(1, item(1, "A")) == ["A"]
    assert passed.read(2, item(1, "A")) == []
    assert passed.read(3, item(2, "B")) == []

    assert passed.late == ["B"]
    assert passed.tally.added == 1


def test_a_record_that_is_older_than_what_was_seen_is_not_passed_on() -> None:
    passed = Passed()
    passed.read(1, item(2, "new"))

    assert passed.read(2, item(1, "old")) == []

    assert passed.late == []


def test_of_two_states_in_one_answer_the_newest_is_passed_on() -> None:
    assert Passed().read(1, item(2, "new"), item(1, "old")) == ["new"]


def test_a_record_that_is_stored_as_it_comes_is_passed_on_in_a_full_run_alone() -> None:
    same, edited = item(1, "A"), item(1, "B") | {"id": "j"}
    rows = decoded("items", [same, edited]).root
    table = rows.append_column(IS_DELETED, pa.repeat(False, len(rows)))
    before = Stored.of([table], is_whole=True, version=ITEMS.version.value)
    now = edited | {"title": "C"}

    assert Passed(before).read(1, same) == []
    assert Passed(before).read(1, same, now) == ["C"]
    assert Passed(before, is_full=True).read(1, same, now) == ["A", "C"]


@pytest.mark.parametrize("lines", [{}, {"order_line_items": None}])
def test_an_order_without_its_lines_is_not_passed_on_where_others_have_them(
    lines: Record,
) -> None:
    whole = [order | {"order_line_items": [{"sku": "A"}]} for order in orders(3)]
    changes = Changes(reading_of("orders", stored("orders", whole)))
    sent = [order | {"updated_at": on(2)} for order in whole]
    sent[0] = {name: value for name, value in sent[0].items() if name != "order_line_items"} | lines

    assert ids(read(changes, 1, decoded("orders", sent))) == ["id-0001", "id-0002"]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [([GUID, GUID.upper(), DIGITS, f"{{{GUID}}}"], [GUID]), (["ab-c", "AB-C"], ["ab-c", "AB-C"])],
)
def test_a_guid_that_a_list_spells_in_several_ways_at_once_is_one_record(
    sent: list[str], shown: list[str]
) -> None:
    changes = Changes(reading_of("items", stored("items", [item(1) | {"id": shown[0]}])))

    found = changes.show(decoded("items", [item(1) | {"id": record_id} for record_id in sent]))

    assert found.decoded.root["id"].to_pylist() == shown
    assert found.compared.is_known.tolist() == [True, False][: len(shown)]

"""Full records come the way that costs less; nothing stored is replaced by one that is incomplete
or contradicts its row in the list."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import pyarrow as pa
import pytest

from support.records.kept import Kept, doubted
from support.records.lists import (
    NO_ENTRIES,
    Lists,
    Record,
    answer,
    changed,
    ids,
    named_settings,
    not_found,
    numbered,
    on,
    orders,
    paged,
    read,
    rows,
    stored,
)
from support.records.samples import guid
from wholesale.api import ServiceProfile
from wholesale.api.resources import ORDER_SUMMARY
from wholesale.sync import batches
from wholesale.sync.doubts import REFUSED
from wholesale.sync.full_records import is_cheaper_by_page

LINES = [{"sku": "A"}, {"sku": "B"}]


class Bodies(Lists):
    """A service whose bodies are not what its summaries say: those of pages, and single ones."""

    in_pages: Mapping[str, Record] = {}
    alone: Mapping[str, Record] = {}

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        if query.get("verbose") == "true":
            records = [self.in_pages.get(row["id"], row) for row in self.lists[path]]
            return paged(records, number, int(query["limit"]))
        return super().slice(path, number, query)

    def single(self, path: str) -> httpx.Response:
        key = path.rpartition("/")[2]
        return answer(self.alone[key]) if key in self.alone else super().single(path)


def whole(count: int = 25, **more: Any) -> list[Record]:
    fields: Record = {"status": "new", "payment_status": "unpaid", **NO_ENTRIES}
    fields["order_line_items"] = LINES
    return numbered(count, **fields, updated_at=on(2), **more)


def without(record: Record, *names: str) -> Record:
    return {name: value for name, value in record.items() if name not in names}


ORDER = whole()[7]

POORER: Mapping[str, Record] = {
    "a summary": {name: value for name, value in ORDER.items() if name in ORDER_SUMMARY},
    "no lines": without(ORDER, "order_line_items"),
    "null for its lines": ORDER | {"order_line_items": None},
    "a tombstone": {"id": ORDER["id"], "deleted": True},
    "an older version": ORDER | {"updated_at": on(1), "status": "older"},
    "at odds with its summary": ORDER | {"status": "other"},
}


@pytest.mark.parametrize(
    ("wanted", "pages", "records", "by_page"),
    [
        (0, 0, 0, False),
        (0, 3, 25, False),
        (1, 1, 1, False),
        (2, 1, 2, True),
        (8, 3, 25, False),
        (9, 3, 25, True),
        (10_000, 10_000, 1_000_000, False),
        (1_000_000, 10_000, 1_000_000, True),
    ],
)
def test_whole_pages_are_chosen_only_where_they_cost_less(
    wanted: int, pages: int, records: int, by_page: bool
) -> None:
    assert is_cheaper_by_page(wanted, pages, records) is by_page


@pytest.mark.parametrize(("wanted", "singles"), [(8, 8), (9, 0)])
def test_bodies_come_the_way_that_costs_less(wanted: int, singles: int) -> None:
    before = orders(25)
    service = Lists({"/orders": changed(before, wanted, status="shipped")})
    reader = service.reader("orders", stored("orders", before))

    assert sorted(ids(read(reader))) == [f"id-{n:04}" for n in range(wanted)]
    assert len(service.singles) == singles
    assert (reader.tally.changed, reader.doubts.sentences()) == (wanted, [])


def test_an_order_whose_body_contradicts_its_summary_in_one_version_is_looked_at_again() -> None:
    before = orders(25)
    now = changed(before, 15, status="shipped", updated_at=on(2))
    service = Lists({"/orders": now})

    def edit(path: str, number: int) -> None:
        if service.queries[-1]["verbose"] == "true":
            now[20] = before[20] | {"status": "shipped"}

    service.page = edit
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    found = {row["id"]: row["status"] for batch in read(reader) for row in rows(batch)}

    assert found == {order["id"]: "shipped" for order in [*now[:15], now[20]]}
    assert reader.doubts.sentences() == []


def test_orders_are_stored_though_their_full_form_shows_no_version() -> None:
    def without_version(path: str) -> httpx.Response:
        order = next(order for order in now if path.endswith(order["id"]))
        return answer({**order, "updated_at": None})

    before = orders(25)
    now = changed(before, 2, status="shipped", updated_at=on(2))
    service = Lists({"/orders": now})
    service.single = without_version  # type: ignore[method-assign]
    reader = service.reader("orders", stored("orders", before))

    (batch,) = read(reader)

    found = {row["id"]: (row["status"], row["updated_at"].isoformat()) for row in rows(batch)}
    assert found == dict.fromkeys(("id-0000", "id-0001"), ("shipped", "2024-01-02T00:00:00+00:00"))
    assert reader.doubts.sentences() == []


@pytest.mark.parametrize("spell", [str.upper, lambda key: key.replace("-", "")])
def test_a_guid_that_is_written_otherwise_in_full_is_the_same(spell: Callable[[str], str]) -> None:
    class Shouting(Bodies):
        def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
            if query.get("verbose") != "true":
                return super().slice(path, number, query)
            records = [row | {"id": spell(row["id"])} for row in self.lists[path]]
            return paged(records, number, int(query["limit"]))

    before = [row | {"id": guid(row["id"])} for row in whole()]
    service = Shouting({"/orders": before})
    service.alone = {row["id"]: row | {"id": spell(row["id"])} for row in before}
    for known in (before[25:], before[:5]):
        reader = service.reader("orders", stored("orders", known), is_full=True)

        batches = read(reader)

        assert sorted(ids(batches)) == sorted(row["id"] for row in before)
        tables = [batch.decoded.tables["orders__order_line_items"] for batch in batches]
        owners = pa.concat_tables(tables)["order_id"].to_pylist()
        assert set(owners) == {row["id"] for row in before}
        assert reader.doubts.sentences() == []


def test_a_single_order_may_come_wrapped() -> None:
    service = Lists({"/orders": orders(2)})
    service.single = lambda path: answer({"order": orders(2)[1]})  # type: ignore[method-assign]
    reader = service.reader("orders", stored("orders", orders(1)))

    batches = read(reader)

    assert ids(batches) == ["id-0001"]
    assert batches[0].decoded.root["po_number"].to_pylist() == ["P"]


def test_an_order_that_comes_twice_in_full_is_passed_on_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Repeating(Lists):
        def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
            if query["verbose"] == "true":
                return paged([*self.lists[path], self.lists[path][0]], number)
            return super().slice(path, number, query)

    monkeypatch.setattr(batches, "BATCH_BYTES", 1)
    records = numbered(25, updated_at=on(1), **NO_ENTRIES)
    reader = Repeating({"/orders": records}).reader("orders")

    assert ids(read(reader)) == [record["id"] for record in records]
    assert (reader.tally.full_scans, reader.doubts.sentences()) == (1, [])


@pytest.mark.parametrize("poorer", POORER.values(), ids=POORER.keys())
def test_a_body_that_is_poorer_than_others_or_older_than_its_summary_is_asked_for_by_id(
    poorer: Record,
) -> None:
    service = Bodies({"/orders": whole()})
    service.in_pages = {ORDER["id"]: poorer}
    reader = service.reader("orders")

    batches = read(reader)

    assert sorted(ids(batches)) == [record["id"] for record in whole()]
    lines = pa.concat_tables(batch.decoded.tables["orders__order_line_items"] for batch in batches)
    assert len(lines) == 50
    assert f"/orders/{ORDER['id']}" in service.singles
    assert reader.doubts.sentences() == []


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        *((kind, {"empty_lists_left_out"}) for kind in [*POORER][:4]),
        ("an older version", set[str]()),
        ("at odds with its summary", {"unlike_fields"}),
    ],
)
def test_an_order_that_comes_in_no_better_form_is_stored_as_it_came_and_stays_due(
    kind: str, settings: set[str]
) -> None:
    service = Bodies({"/orders": whole()})
    service.in_pages = service.alone = {ORDER["id"]: POORER[kind]}
    reader = service.reader("orders")

    assert sorted(ids(read(reader))) == [row["id"] for row in whole()]

    assert (reader.tally.alive, reader.doubts.refused) == (25, (ORDER["id"],))
    assert reader.doubts.sentences()[0] == f"1 record {REFUSED}"
    assert named_settings(reader) == settings


def test_a_list_that_is_shorter_when_it_is_compared_with_a_refused_order_ends_no_run() -> None:
    service = Bodies({"/orders": whole()})
    service.in_pages = service.alone = {ORDER["id"]: POORER["at odds with its summary"]}
    reader = service.reader("orders")
    service.page = lambda path, number: not_found() if reader.doubts.refused else None

    read(reader)

    assert reader.doubts.sentences() == [f"1 record {REFUSED}"]


def test_an_order_that_comes_complete_when_it_is_asked_for_again_is_whole_in_the_end() -> None:
    now = [row | {"updated_at": on(2, number)} for number, row in enumerate(whole())]
    service = Lists({"/orders": now})
    answered = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        answer(without(now[7], "order_line_items"))
        if service.asked[path, 0] == 1
        else answered(path)
    )
    reader = service.reader("orders", stored("orders", [*now[:7], *now[8:]]))

    batches = [*read(reader), *reader.late]

    assert ids(batches) == [ORDER["id"]] * 2
    assert len(batches[-1].decoded.tables["orders__order_line_items"]) == len(LINES)
    assert reader.doubts.sentences() == []


def test_an_order_that_is_never_as_new_as_its_summary_follows_it_as_far_as_it_comes() -> None:
    """From one red run to the next what is stored grows newer, never older."""
    before = [record | {"updated_at": on(1)} for record in whole()]
    now = [*before[:7], ORDER | {"updated_at": on(9)}, *before[8:]]
    for day, loaded in ((1, []), (4, [ORDER["id"]])):
        service = Bodies({"/orders": now})
        service.in_pages = service.alone = {ORDER["id"]: ORDER | {"updated_at": on(day)}}
        reader = service.reader("orders", stored("orders", before))

        assert ids(read(reader)) == loaded
        assert reader.doubts.sentences() == [f"1 record {REFUSED}"]


@pytest.mark.parametrize("poorer", POORER.values(), ids=POORER.keys())
def test_what_is_stored_stays_where_nothing_better_comes(poorer: Record) -> None:
    before = [record | {"updated_at": on(1)} for record in whole()]
    now = [*before[:7], ORDER, *before[8:]]
    service = Bodies({"/orders": now})
    service.in_pages = service.alone = {ORDER["id"]: poorer}
    reader = service.reader("orders", stored("orders", before))

    assert ids(read(reader)) == []
    assert reader.doubts.sentences()[0] == f"1 record {REFUSED}"


def test_what_pages_never_have_is_read_record_by_record() -> None:
    service = Bodies({"/orders": whole(12)})
    service.in_pages = {row["id"]: without(row, "order_line_items") for row in whole(12)}
    reader = service.reader("orders")

    batches = read(reader)

    assert sorted(ids(batches)) == [record["id"] for record in whole(12)]
    assert all(len(batch.decoded.tables["orders__order_line_items"]) for batch in batches)
    assert reader.doubts.sentences() == []


def test_a_field_that_only_some_summaries_have_is_kept_though_bodies_lack_it() -> None:
    listed = whole()
    listed[17] |= {"invoice_status": "open"}
    service = Bodies({"/orders": listed})
    bare = {listed[17]["id"]: without(listed[17], "invoice_status")}
    service.in_pages = service.alone = bare
    reader = service.reader("orders")

    rows = [row for batch in read(reader) for row in batch.decoded.root.to_pylist()]

    assert [row["id"] for row in rows if row["invoice_status"] == "open"] == [listed[17]["id"]]
    assert (len(rows), reader.doubts.sentences()) == (25, [])


def test_orders_without_an_invoice_are_whole_where_the_others_on_the_first_page_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Invoice details come only when an invoice was generated (§2.4), and the newest have none."""
    monkeypatch.setattr(batches, "BATCH_BYTES", 10_000)
    newest = whole(400)
    invoiced = [record | {"invoice_number": f"INV-{record['id']}"} for record in newest[:100]]
    service = Bodies({"/orders": [*invoiced, *newest[100:]]})
    known = ServiceProfile(fields={"orders": frozenset({"payment_status", "invoice_number"})})
    reader = service.reader("orders", known=known)

    found = [row for batch in read(reader) for row in rows(batch)]

    assert sorted(row["id"] for row in found) == sorted(record["id"] for record in newest)
    assert sum(row.get("invoice_number") is not None for row in found) == 100
    assert reader.doubts.sentences() == []


def test_a_second_spelling_of_a_field_that_bodies_alone_have_contradicts_no_summary() -> None:
    other = {"sub_total": "9", "Status": "Open", "subTotal": 5}
    now = [record | other for record in orders(25)]
    service = Lists({"/orders": now})
    reader = service.reader("orders", concurrency=1)
    again = service.reader("orders", stored("orders", now))

    found = [row for batch in read(reader) for row in rows(batch)]

    assert [row["status"] for row in found] == [record["status"] for record in now]
    assert (reader.doubts.sentences(), reader.tally.pages) == ([], 8)
    assert (read(again), again.doubts.sentences()) == ([], [])


def test_an_edit_while_the_list_is_read_arrives_in_its_newest_state() -> None:
    before = orders(25)
    service = Lists({"/orders": before})

    def edit(path: str, number: int) -> httpx.Response | None:
        if service.queries[-1]["verbose"] == "true" and service.asked[path, 3] == 2:
            service.lists = {"/orders": changed(before, 3, status="shipped", updated_at=on(2))}
        return None

    service.page = edit
    reader = service.reader("orders", concurrency=1)
    rows: dict[str, str] = {}
    for batch in [*read(reader), *reader.late]:
        rows |= dict(
            zip(*(batch.decoded.root[name].to_pylist() for name in ("id", "status")), strict=True)
        )

    assert sorted(rows) == [record["id"] for record in before]
    assert reader.doubts.sentences() == []


def test_a_first_page_of_bodies_that_comes_empty_once_loses_nothing() -> None:
    records = orders(25)

    def empty_once(path: str, number: int) -> httpx.Response | None:
        bodies = [query for query in service.queries if query["verbose"] == "true"]
        return paged([], number) if len(bodies) == 1 and bodies[0] is service.queries[-1] else None

    service = Lists({"/orders": records}, empty_once)
    reader = service.reader("orders", concurrency=1)

    assert ids(read(reader)) == [record["id"] for record in records]
    assert reader.doubts.sentences() == []


@dataclass
class Rare(Lists):
    """Lists that no longer show these fields, which detail requests may still show."""

    hidden_fields: frozenset[str] = frozenset()

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        rows = [
            {name: value for name, value in row.items() if name not in self.hidden_fields}
            for row in self.lists.get(path, ())
        ]
        return paged(rows, number, int(query["limit"]))


@pytest.mark.parametrize("name", ["description", "a_field_of_its_own"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_rare_field_that_a_list_ceases_to_show_is_emptied_only_by_detail_requests(
    name: str, count: int
) -> None:
    records = [{"id": f"i{n:02}", "title": f"t{n}"} for n in range(25)]
    for record in records[12 : 12 + count]:
        record[name] = "rare"
    service = Rare({"/items": records})
    kept = Kept(service)
    kept.sync("items")

    service.hidden_fields = frozenset({name})
    for _ in range(2):
        service.asked.clear()
        assert doubted(kept.sync("items")["items"]) == []
        assert len(kept.values("items", name)) == count
        assert {path for path in service.singles if path.startswith("/items/")} >= {
            f"/items/i{n}" for n in range(12, 12 + count)
        }
    service.lists = {"/items": [{"id": row["id"], "title": row["title"]} for row in records]}
    assert doubted(kept.sync("items")["items"]) == []
    assert kept.values("items", name) == {}


def test_a_newer_version_without_a_rare_field_is_evidence_by_itself() -> None:
    records = [{"id": f"v{n:02}", "name": f"n{n}", "updated_at": on(1, n)} for n in range(25)]
    records[20]["memo"], records[21]["memo"] = "newer", "the same"
    service = Rare({"/vendors": records})
    kept = Kept(service)
    kept.sync("vendors")

    service.hidden_fields = frozenset({"memo"})
    records[20]["updated_at"] = on(2)
    service.asked.clear()

    assert doubted(kept.sync("vendors")["vendors"]) == []
    assert kept.values("vendors", "memo") == {"v21": "the same"}
    assert "/vendors/v20" not in service.singles

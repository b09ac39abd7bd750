"""Orders are listed cheaply first; only what is new or changed is then asked for in full, and only
what agrees with the list is passed on."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import numpy as np
import pyarrow as pa
import pytest

from support.records.lists import (
    Lists,
    Record,
    answer,
    changed,
    ids,
    not_found,
    numbered,
    on,
    orders,
    paged,
    read,
    rows,
    stored,
)
from wholesale.api.resources import ORDER_SUMMARY
from wholesale.compare.audit import PARTS, is_in_part
from wholesale.compare.past import Past
from wholesale.errors import NotFound, Unauthorized
from wholesale.sync import batches
from wholesale.sync.report import MANIFEST, Progress
from wholesale.sync.samples import MOST_LONGEST
from wholesale.tables.ids import keys_of, pack

REFUSED = "record came in no form that agrees with the list"
UNPROVED = "no moment was found at which all records had been seen"
LINES = [{"sku": "A"}, {"sku": "B"}]
NO_LISTS: Record = {"order_line_items": [], "order_comments": []}


def test_a_first_load_reads_the_summaries_and_then_whole_pages_of_bodies() -> None:
    service = Lists({"/orders": [order | NO_LISTS for order in orders(25)]})
    reader = service.reader("orders", concurrency=1)

    batches = read(reader)

    assert ids(batches) == [f"id-{n:04}" for n in range(25)]
    assert batches[0].decoded.root["po_number"].to_pylist() == ["P"] * 25
    assert not batches[0].is_known.any()
    assert [(query["verbose"], query.get("page")) for query in service.queries] == [
        ("false", "1"),  # a look at the head
        ("true", "1"),  # what has a body that a summary has not, and the reverse?
        *[("true", None)] * MOST_LONGEST,  # and some that are asked for by themselves?
        *(("false", page) for page in ("1", "2", "3")),
        ("false", "1"),  # how many are there now?
        *(("true", page) for page in ("1", "2", "3")),
    ]
    report = reader.report
    assert (report.strategy, report.sweeps, report.pages) == (MANIFEST, 1, 8)
    assert (report.new, report.changed, report.ids_seen, report.doubts()) == (25, 0, 25, [])
    assert report.progress == Progress("loaded", 25, 25)


SHORT = ["10", "50", *["10"] * 12]


@pytest.mark.parametrize(
    ("most", "above", "limits"),
    [
        (1_000, 200, ["10", "50", *["50"] * 3]),
        (25, 200, ["10", "50", *["25"] * 5]),
        (10, 200, SHORT),
        (10, 400, SHORT),
        (10, 422, SHORT),
        (10, 500, ["10", "50", "50", *["10"] * 12]),
    ],
)
def test_a_long_list_is_swept_by_as_many_summaries_a_page_as_the_service_gives(
    most: int, above: int, limits: list[str]
) -> None:
    held = orders(120)

    def page(path: str, number: int) -> httpx.Response | None:
        query = service.queries[-1]
        if int(query["limit"]) <= most:
            return None
        if above != 200:
            return answer({"error": "limit"}, above)
        return service.slice(path, number, query | {"limit": str(most)})

    service = Lists({"/orders": held}, page)
    reader = service.reader("orders", stored("orders", held), concurrency=1)

    assert (read(reader), reader.report.doubts()) == ([], [])

    asked = [query["limit"] for query in service.queries if query["verbose"] == "false"]
    looks_at_the_end = asked[1:2]
    assert [*asked[:1], *asked[2:]] == limits
    assert looks_at_the_end == ["10"]


def test_a_list_without_long_pages_is_not_asked_for_them() -> None:
    held = orders(99)
    service = Lists({"/orders": held})
    reader = service.reader("orders", stored("orders", held))

    assert (read(reader), reader.report.doubts()) == ([], [])

    assert {query["limit"] for query in service.queries} == {"10"}


def test_a_key_that_is_refused_for_a_long_page_ends_the_reading() -> None:
    held = orders(120)

    def page(path: str, number: int) -> httpx.Response | None:
        is_long = int(service.queries[-1]["limit"]) > 10
        return answer({"error": "Invalid Credentials"}, 401) if is_long else None

    service = Lists({"/orders": held}, page)

    with pytest.raises(Unauthorized):
        read(service.reader("orders", stored("orders", held)))


def test_where_longer_pages_overlap_and_the_last_records_are_on_none_usual_ones_are_read() -> None:
    held = orders(120)

    def page(path: str, number: int) -> httpx.Response | None:
        query = service.queries[-1]
        limit = int(query["limit"])
        if limit <= 10:
            return None
        begin = (number - 1) * 10
        counts = {"total_pages": -(-len(held) // limit), "total_count": len(held)}
        if number > counts["total_pages"]:
            return not_found()
        return paged(held[begin : begin + limit], 1, limit, **counts)

    service = Lists({"/orders": held}, page)
    reader = service.reader("orders", stored("orders", held), concurrency=1)

    assert (read(reader), reader.report.doubts()) == ([], [])

    assert (reader.report.sweeps, service.singles) == (2, [])


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
        assert (reader.report.alive, reader.report.doubts()) == (30, [])
        assert reader.report.proof
        assert reader.report.proof.kind == "agreement"


def test_few_changes_are_asked_for_by_id() -> None:
    before = [order | NO_LISTS for order in orders(25)]
    now = [*changed(before, 2, updated_at=on(2)), before[0] | {"id": "new"}]
    service = Lists({"/orders": now})
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    (batch,) = read(reader)

    known = zip(batch.decoded.root["id"].to_pylist(), batch.is_known.tolist(), strict=True)
    assert sorted(known) == [("id-0000", True), ("id-0001", True), ("new", False)]
    assert service.singles == ["/orders/id-0000", "/orders/id-0001", "/orders/new"]
    assert (reader.report.new, reader.report.changed, reader.report.doubts()) == (1, 2, [])


@pytest.mark.parametrize(("wanted", "singles"), [(8, 8), (9, 0)])
def test_bodies_come_the_way_that_costs_less(wanted: int, singles: int) -> None:
    before = [order | NO_LISTS for order in orders(25)]
    service = Lists({"/orders": changed(before, wanted, status="shipped")})
    reader = service.reader("orders", stored("orders", before))

    assert sorted(ids(read(reader))) == [f"id-{n:04}" for n in range(wanted)]
    assert len(service.singles) == singles
    assert (reader.report.changed, reader.report.doubts()) == (wanted, [])


def test_a_service_that_leaves_out_both_lists_where_they_are_empty_is_understood() -> None:
    """No order lacks both, and so none shows that each is left out by itself."""
    lists = [{"order_line_items": LINES}, {"order_comments": [{"body": "?"}]}]
    now = [order | lists[n % 2] for n, order in enumerate(orders(40))]
    reader = Lists({"/orders": now}).reader("orders", page_size=100)

    assert len(ids(read(reader))) == 40
    assert reader.report.doubts() == []


@pytest.mark.parametrize(("lacking", "of", "loaded"), [(4, 12, 12), (3, 12, 9), (12, 40, 28)])
def test_a_list_without_summaries_may_leave_out_what_is_empty_in_a_third_of_its_records(
    lacking: int, of: int, loaded: int
) -> None:
    items = [
        item | ({} if number < lacking else {"options": [{"name": "Size"}]})
        for number, item in enumerate(numbered(of, title="A"))
    ]
    reader = Lists({"/items": items}).reader("items")

    assert len(ids(read(reader))) == loaded
    assert (reader.report.doubts() == []) == (loaded == of)


def with_lists(records: Sequence[Record], **lists: Any) -> list[Record]:
    """The same records, of which two in three have entries in these lists."""
    return [record | (lists if number % 3 else {}) for number, record in enumerate(records)]


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_list_that_is_no_longer_sent_empties_none_that_is_stored(is_sent: bool) -> None:
    now = changed(orders(40), 20, updated_at=on(2), status="shipped")
    service = Lists({"/orders": with_lists(now, order_line_items=LINES) if is_sent else now})
    before = stored("orders", with_lists(orders(40), order_line_items=LINES))
    reader = service.reader("orders", before, page_size=100)

    assert len(ids(read(reader))) == (20 if is_sent else 0)
    assert (reader.report.refused, reader.report.doubts() == []) == (0 if is_sent else 20, is_sent)


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_list_that_is_no_longer_sent_is_missed_without_summaries_too(is_sent: bool) -> None:
    items = numbered(30, title="A")
    options = {"options": [{"name": "Size", "values": ["S"]}]}
    now = with_lists(items, **options) if is_sent else items
    reader = Lists({"/items": now}).reader("items", stored("items", with_lists(items, **options)))

    read(reader)
    assert (reader.report.refused, reader.report.doubts() == []) == (0 if is_sent else 30, is_sent)


def test_the_few_orders_of_a_small_account_may_come_without_empty_lists() -> None:
    now = orders(3)
    now[0] |= {"order_line_items": LINES}
    reader = Lists({"/orders": now}).reader("orders")

    assert len(ids(read(reader))) == 3
    assert reader.report.doubts() == []


class WithoutComments(Lists):
    """Pages show all lines of an order, and of its comments the last `shown` ones."""

    shown = 0

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        if query["verbose"] == "false":
            return super().slice(path, number, query)
        records = [
            order | {"order_comments": order["order_comments"][::-1][: self.shown]}
            for order in self.lists[path]
        ]
        return paged(records, number, int(query["limit"]))


@pytest.mark.parametrize("shown", [0, 1])
@pytest.mark.parametrize("is_first", [True, False])
def test_comments_that_pages_lack_are_asked_for_though_they_have_all_lines(
    shown: int, is_first: bool
) -> None:
    long, short = {"order_line_items": LINES * 3, "order_comments": []}, [{"body": "?"}] * 2
    before = [
        order | (long if n % 2 else {"order_line_items": LINES, "order_comments": short})
        for n, order in enumerate(orders(25))
    ]
    now = changed(before, 25, status="shipped")
    service = WithoutComments({"/orders": now})
    service.shown = shown
    reader = service.reader("orders", None if is_first else stored("orders", before))

    comments = sum(len(batch.decoded.owners["orders__order_comments"]) for batch in read(reader))

    assert comments == sum(len(order["order_comments"]) for order in now)
    assert reader.report.doubts() == []


def test_nothing_is_asked_for_when_nothing_changed() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", stored("orders", orders(25)))

    assert read(reader) == []
    # The list once, and a look at either end.
    assert service.asked == {("/orders", 1): 2, ("/orders", 2): 1, ("/orders", 3): 2}
    assert (reader.report.new, reader.report.changed, reader.report.ids_seen) == (0, 0, 25)
    assert reader.report.doubts() == []


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
    assert reader.report.doubts() == []


@pytest.mark.parametrize("updated_at", [None, on(1)])
def test_where_no_version_tells_of_changes_each_order_is_read_again(updated_at: str | None) -> None:
    before = [order | {"updated_at": updated_at} for order in orders(25)]
    service = Lists({"/orders": changed(before, 1, po_number="changed")})  # as no summary shows
    reader = service.reader("orders", stored("orders", before))

    passed_on = {row["id"]: row["po_number"] for b in read(reader) for row in rows(b)}

    assert passed_on == {order["id"]: "P" for order in before} | {"id-0000": "changed"}
    assert (reader.report.sweeps, reader.report.doubts()) == (1, [])


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
    assert reader.report.doubts() == []


def test_a_full_read_asks_for_everything_once() -> None:
    service = Lists({"/orders": orders(25)})
    reader = service.reader("orders", stored("orders", orders(25)), is_full=True)

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(25)]
    assert (reader.report.new, reader.report.changed, reader.report.doubts()) == (0, 0, [])


def test_the_part_to_be_audited_is_read_again() -> None:
    before = orders(60)
    everything = np.array([record["id"] for record in before])
    keys = keys_of(pa.array(everything))
    part = next(part for part in range(PARTS) if is_in_part(keys, part).sum() > 1)
    due = everything[is_in_part(keys, part)].tolist()
    reader = Lists({"/orders": before}).reader("orders", stored("orders", before, audit_part=part))

    assert sorted(ids(read(reader))) == due
    assert (reader.report.audited, reader.report.changed) == (len(due), 0)


def test_an_order_that_is_gone_when_it_is_asked_for_is_gone_if_the_list_says_so_too() -> None:
    before = orders(25)
    service = Lists({"/orders": before})

    def lose_the_first(path: str, number: int) -> httpx.Response | None:
        if service.singles:  # by then
            service.lists = {"/orders": before[1:]}
        return None if service.singles else paged(changed(before, 1, status="shipped"), number)

    service.page = lose_the_first
    service_single = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path == "/orders/id-0000" else service_single(path)
    )
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    assert ids(read(reader)) == []
    assert (reader.gone, reader.report.doubts()) == ({"id-0000"}, [])


def test_an_order_that_is_denied_though_the_list_goes_on_showing_it_is_kept_and_named() -> None:
    before = orders(25)
    service = Lists({"/orders": before})
    answered = service.single
    service.single = (  # type: ignore[method-assign]
        lambda path: not_found() if path == "/orders/id-0000" else answered(path)
    )
    service.page = lambda path, number: paged(changed(before, 1, status="shipped"), number)
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    assert ids(read(reader)) == []
    assert (reader.gone, reader.report.doubts()) == (set(), [f"1 {REFUSED}"])


def test_an_id_that_is_written_otherwise_outside_of_lists_is_the_same() -> None:
    class Shouting(Bodies):
        def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
            if query.get("verbose") != "true":
                return super().slice(path, number, query)
            records = [row | {"id": row["id"].upper()} for row in self.lists[path]]
            return paged(records, number, int(query["limit"]))

    service = Shouting({"/orders": whole()})
    service.alone = {row["id"]: row | {"id": row["id"].upper()} for row in whole()}
    reader = service.reader("orders")

    batches = read(reader)

    assert sorted(ids(batches)) == [row["id"] for row in whole()]
    lines = pa.concat_tables(batch.decoded.tables["orders__order_line_items"] for batch in batches)
    assert set(lines["order_id"].to_pylist()) == {row["id"] for row in whole()}
    assert reader.report.doubts() == []


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
    assert reader.report.doubts() == ["1 record in quarantine"]


def test_a_summary_without_an_id_is_counted_once_however_often_it_is_read() -> None:
    records = [*numbered(13), {"order_number": "odd"}]
    service = Lists({}, lambda path, number: paged(records, number, total_count=25, total_pages=3))
    reader = service.reader("orders")

    ids(read(reader))

    assert reader.report.sweeps > 1
    assert reader.report.quarantined == 1


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
    records = numbered(25, updated_at=on(1))
    reader = Repeating({"/orders": records}).reader("orders")

    assert ids(read(reader)) == [record["id"] for record in records]
    assert (reader.report.sweeps, reader.report.doubts()) == (1, [])


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
    fields: Record = {"status": "new", "payment_status": "unpaid", "order_line_items": LINES}
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
    assert reader.report.doubts() == []


@pytest.mark.parametrize("kind", POORER)
def test_an_order_that_comes_in_no_better_form_is_named_and_stored_only_if_whole(kind: str) -> None:
    service = Bodies({"/orders": whole()})
    service.in_pages = service.alone = {ORDER["id"]: POORER[kind]}
    reader = service.reader("orders")
    is_whole = kind in ("an older version", "at odds with its summary")

    loaded = sorted(ids(read(reader)))

    assert loaded == [row["id"] for row in whole() if is_whole or row["id"] != ORDER["id"]]
    assert reader.report.alive == len(loaded)
    assert reader.report.doubts() == [f"1 {REFUSED}"]


def test_an_order_that_is_never_as_new_as_its_summary_follows_it_as_far_as_it_comes() -> None:
    """From one red run to the next what is stored grows newer, never older."""
    before = [record | {"updated_at": on(1)} for record in whole()]
    now = [*before[:7], ORDER | {"updated_at": on(9)}, *before[8:]]
    for day, loaded in ((1, []), (4, [ORDER["id"]])):
        service = Bodies({"/orders": now})
        service.in_pages = service.alone = {ORDER["id"]: ORDER | {"updated_at": on(day)}}
        reader = service.reader("orders", stored("orders", before))

        assert ids(read(reader)) == loaded
        assert reader.report.doubts() == [f"1 {REFUSED}"]


@pytest.mark.parametrize("poorer", POORER.values(), ids=POORER.keys())
def test_what_is_stored_stays_where_nothing_better_comes(poorer: Record) -> None:
    before = [record | {"updated_at": on(1)} for record in whole()]
    now = [*before[:7], ORDER, *before[8:]]
    service = Bodies({"/orders": now})
    service.in_pages = service.alone = {ORDER["id"]: poorer}
    reader = service.reader("orders", stored("orders", before))

    assert ids(read(reader)) == []
    assert reader.report.doubts() == [f"1 {REFUSED}"]


def test_what_pages_never_have_is_read_record_by_record() -> None:
    service = Bodies({"/orders": whole(12)})
    service.in_pages = {row["id"]: without(row, "order_line_items") for row in whole(12)}
    reader = service.reader("orders")

    batches = read(reader)

    assert sorted(ids(batches)) == [record["id"] for record in whole(12)]
    assert all(len(batch.decoded.tables["orders__order_line_items"]) for batch in batches)
    assert reader.report.doubts() == []


def test_a_field_that_only_some_summaries_have_is_kept_though_bodies_lack_it() -> None:
    listed = whole()
    listed[17] |= {"invoice_status": "open"}
    service = Bodies({"/orders": listed})
    bare = {listed[17]["id"]: without(listed[17], "invoice_status")}
    service.in_pages = service.alone = bare
    reader = service.reader("orders")

    rows = [row for batch in read(reader) for row in batch.decoded.root.to_pylist()]

    assert [row["id"] for row in rows if row["invoice_status"] == "open"] == [listed[17]["id"]]
    assert (len(rows), reader.report.doubts()) == (25, [])


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
    assert reader.report.doubts() == []


def test_a_second_spelling_of_a_field_that_bodies_alone_have_contradicts_no_summary() -> None:
    other = {"sub_total": "9", "Status": "Open", "subTotal": 5}
    now = [record | other for record in orders(25)]
    service = Lists({"/orders": now})
    reader = service.reader("orders", concurrency=1)
    again = service.reader("orders", stored("orders", now))

    found = [row for batch in read(reader) for row in rows(batch)]

    assert [row["status"] for row in found] == [record["status"] for record in now]
    assert (reader.report.doubts(), reader.report.pages) == ([], 8)
    assert (read(again), again.report.doubts()) == ([], [])


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
    assert reader.report.doubts() == []


class Uncounted(Lists):
    """Its lists do not say how many records they have."""

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        body = json.loads(super().slice(path, number, query).read())
        return answer(body["data"])


def test_a_record_that_is_listed_again_once_it_was_denied_puts_the_list_in_doubt() -> None:
    before = orders(25)
    service = Uncounted({"/orders": before[1:]})
    service_single = service.single

    def deny(path: str) -> httpx.Response:
        if path != "/orders/id-0000":
            return service_single(path)
        service.lists = {"/orders": before}
        return not_found()

    service.single = deny  # type: ignore[method-assign]
    reader = service.reader("orders", stored("orders", before))

    assert read(reader) == []
    assert reader.gone == set()
    assert reader.report.doubts() == [
        UNPROVED,
        "1 record denied by single reads and listed again",
    ]


def test_two_sweeps_that_agree_prove_nothing_while_a_record_lives_that_neither_shows() -> None:
    before = orders(25)
    hidden = {"/orders/id-0000": before[0]}
    service = Uncounted({"/orders": before[1:]}, hidden=hidden)
    reader = service.reader("orders", stored("orders", before))

    assert ids(read(reader)) == ["id-0000"], "it was asked for"

    assert reader.report.proof is None
    assert reader.gone == set()
    service.lists = {"/orders": before}
    reader = service.reader("orders", stored("orders", before))
    assert ids(read(reader)) == []
    assert reader.report.proof is not None


class Late(Lists):
    """Neither its list nor its single reads know of the first order, until it was asked for."""

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        records = self.lists[path]
        shown = records if self.asked["/orders/id-0000", 0] else records[1:]
        return paged(shown, number, int(query["limit"]), total_count=len(records))

    def single(self, path: str) -> httpx.Response:
        is_late = path == "/orders/id-0000" and self.asked[path, 0] == 1
        return not_found() if is_late else super().single(path)


def test_a_record_that_was_denied_and_is_listed_again_is_not_gone() -> None:
    before = orders(25)
    service = Late({"/orders": before})
    reader = service.reader("orders", stored("orders", before))

    for _ in read(reader):
        pass

    assert reader.gone == set()
    assert reader.report.doubts() == []


def test_an_audited_order_that_turns_out_to_differ_is_a_silent_edit() -> None:
    before = orders(4)
    reader = Lists({"/orders": before}).reader("orders", stored("orders", before))
    reader.listing.audited = np.sort(keys_of(pa.array(["id-0001", "id-0002"])))

    reader.count_differing(pack(pa.array(["id-0002", "id-0003"])))

    assert (reader.report.changed, reader.report.silent) == (2, 1)


@pytest.mark.parametrize(
    ("silent", "audited", "is_restless", "finds_most"),
    [(2, 3, False, True), (2, 4, False, False), (1, 1, False, False), (3, 3, True, False)],
)
def test_an_audit_that_finds_most_orders_changed_tells_of_all_unless_it_always_does(
    silent: int, audited: int, *, is_restless: bool, finds_most: bool
) -> None:
    before = stored("orders", orders(4)).after(Past(is_restless=is_restless))
    reader = Lists({"/orders": orders(4)}).reader("orders", before)
    reader.report.silent, reader.report.audited = silent, audited

    assert reader.audit_finds_most_changed is finds_most


def test_a_reading_of_all_accounts_for_the_one_that_asked_for_it() -> None:
    service = Lists({"/orders": orders(4)})
    earlier, later = service.reader("orders"), service.reader("orders")
    earlier.report.loaded = 7

    assert later.following(earlier) is later
    assert later.report.loaded == 7


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
    assert reader.report.proof is None
    assert "pages bring nothing new" in reader.report.doubts()


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(NotFound, match="/orders"):
        read(Lists({}).reader("orders"))


def test_a_first_page_of_bodies_that_comes_empty_once_loses_nothing() -> None:
    records = orders(25)

    def empty_once(path: str, number: int) -> httpx.Response | None:
        bodies = [query for query in service.queries if query["verbose"] == "true"]
        return paged([], number) if len(bodies) == 1 and bodies[0] is service.queries[-1] else None

    service = Lists({"/orders": records}, empty_once)
    reader = service.reader("orders", concurrency=1)

    assert ids(read(reader)) == [record["id"] for record in records]
    assert reader.report.doubts() == []


def test_what_a_window_hides_is_there_if_it_answers_by_its_id_and_is_counted() -> None:
    records = orders(25)
    service = Lists(
        {"/orders": records},
        lambda path, number: answer({"error": "no"}, 422) if number > 2 else None,
    )
    reader = service.reader("orders", stored("orders", records))

    assert sorted(ids(read(reader))) == [record["id"] for record in records[20:]]
    assert (reader.gone, reader.report.doubts()) == (set(), [])


@pytest.mark.parametrize(("resource", "field"), [("items", "title"), ("vendors", "name")])
def test_a_listed_record_that_answers_otherwise_by_its_id_is_as_the_list_shows_it_without_versions(
    resource: str, field: str
) -> None:
    """It is asked for as another one is missing; a replica that lags may answer."""
    versions = {"updated_at": on(2)} if resource == "vendors" else {}
    records = [record | {field: "new"} | versions for record in numbered(3)]
    service = Lists({f"/{resource}": records[:2]})
    listed = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        answer(records[0] | {field: "other"}) if path.endswith("/id-0000") else listed(path)
    )
    reader = service.reader(resource, stored(resource, records))

    loaded = [row for batch in read(reader) for row in batch.decoded.root.to_pylist()]
    loaded += [row for batch in reader.late for row in batch.decoded.root.to_pylist()]

    assert (reader.gone, reader.report.doubts()) == ({"id-0002"}, [])
    assert [row[field] for row in loaded if row["id"] == "id-0000"][-1:] == (
        ["other"] if versions else ["new"]
    )


def test_a_record_that_is_stored_under_two_spellings_of_its_id_is_not_certified() -> None:
    key = "0f8fad5b-d9cb-469f-a165-70867728950e"
    vendors: list[Record] = [{"id": key, "name": "A", "updated_at": on(1)}]
    service = Lists({"/vendors": vendors})
    service.single = lambda path: answer(vendors[0])  # type: ignore[method-assign]
    twice = [*vendors, vendors[0] | {"id": key.upper()}]
    reader = service.reader("vendors", stored("vendors", twice))

    read(reader)

    assert reader.gone == set()
    assert reader.report.doubts()[1:] == ["1 record there that the list neither shows nor counts"]


@pytest.mark.parametrize("key", ["0f8fad5b-d9cb-469f-a165-70867728950e", "ab-c"])
def test_a_deleted_record_that_says_so_is_gone_though_its_id_comes_in_capital_letters(
    key: str,
) -> None:
    other = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    vendors = [{"id": each, "name": "A", "updated_at": on(1)} for each in (key, other)]
    service = Lists({"/vendors": vendors[1:]})
    listed = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        answer({**vendors[0], "id": key.upper(), "deleted": True})
        if path.endswith(key)
        else listed(path)
    )
    reader = service.reader("vendors", stored("vendors", vendors))

    read(reader)

    assert (reader.gone, reader.report.doubts()) == ({key}, [])

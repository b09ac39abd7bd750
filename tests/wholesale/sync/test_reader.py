"""A read brings every record once, in order, and keeps a true account of what it took."""

import threading
from collections.abc import Sequence
from typing import Any

import httpx
import pyarrow as pa
import pytest

from support.records.lists import (
    Lists,
    answer,
    fetchers,
    ids,
    named_settings,
    numbered,
    paged,
    read,
    read_lists,
)
from wholesale.api.profile import ServiceFacts, ServiceProfile
from wholesale.errors import ContentError, ServiceError, Unauthorized, Unavailable
from wholesale.privacy.masking import Masking
from wholesale.privacy.policy import Policy
from wholesale.sync import batches
from wholesale.sync.changes import Batch
from wholesale.sync.doubts import REFUSED
from wholesale.sync.reader import Reader
from wholesale.sync.tally import Progress
from wholesale.tables.decoded import Quarantined


def account(reader: Reader) -> dict[str, Any]:
    """What its reading came to, without times."""
    tally, doubts = reader.tally, reader.doubts
    return {
        "requests": tally.traffic.requests,
        "retries": tally.traffic.retries,
        "sweeps": tally.full_scans,
        "pages": tally.pages,
        "ids_seen": tally.ids_seen,
        "first_total": tally.first_total,
        "last_total": tally.last_total,
        "duplicates": tally.duplicates,
        "quarantined": doubts.quarantined,
        "doubts": doubts.sentences(),
    }


def test_a_list_is_read_in_order_whatever_is_under_way() -> None:
    service = Lists({"/vendors": numbered(95)})
    reader = service.reader("vendors", concurrency=4)

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(95)]
    # Nothing tells yet who was there before: twice, and the head in between.
    pages = {("/vendors", n): 3 if n == 1 else 2 for n in range(1, 11)}
    assert service.asked == pages
    assert account(reader) == {
        "requests": 21,
        "retries": 0,
        "sweeps": 2,
        "pages": 21,
        "ids_seen": 95,
        "first_total": 95,
        "last_total": 95,
        "duplicates": 0,
        "quarantined": 0,
        "doubts": [],
    }
    assert reader.doubts.is_finished


def test_pages_that_come_out_of_order_are_put_in_order() -> None:
    arrived: set[int] = set()
    third = threading.Event()

    def hold_back(path: str, number: int) -> None:
        if number == 2:
            assert third.wait(10), "page 3 is asked for while page 2 is under way"
        arrived.add(number)
        if number == 3:
            third.set()

    service = Lists({"/vendors": numbered(40)}, hold_back)

    assert ids(read(service.reader("vendors", concurrency=2))) == [f"id-{n:04}" for n in range(40)]
    assert arrived == {1, 2, 3, 4}
    assert service.most_under_way == 2


def test_a_page_that_fails_once_is_not_lost() -> None:
    broken = {2: b"[", 4: b"<html>"}

    def break_once(path: str, number: int) -> httpx.Response | None:
        body = broken.pop(number, None)
        return None if body is None else httpx.Response(200, stream=httpx.ByteStream(body))

    service = Lists({"/vendors": numbered(95)}, break_once)
    reader = service.reader("vendors")

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(95)]
    assert (reader.tally.traffic.requests, reader.tally.traffic.retries) == (
        21 + 2,
        2,
    )
    assert reader.doubts.sentences() == []


def test_null_for_a_page_ends_a_list_and_costs_another_sweep_if_more_are_named() -> None:
    null = iter([b"null"])

    def page(path: str, number: int) -> httpx.Response | None:
        body = next(null, None) if number == 5 else None
        return httpx.Response(200, stream=httpx.ByteStream(body)) if body else None

    reader = Lists({"/vendors": numbered(95)}, page).reader("vendors", concurrency=1)

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(95)]
    assert (reader.tally.full_scans, reader.doubts.sentences()) == (3, [])


def test_a_bare_list_is_read_to_its_end() -> None:
    def bare(path: str, number: int) -> httpx.Response:
        limit = int(service.queries[-1]["limit"])
        return answer(numbered(25)[(number - 1) * limit : number * limit])

    service = Lists({}, bare)
    reader = service.reader("brands")

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(25)]
    # Two readings that agree, each to an empty page, and the head in between.
    assert service.asked == {("/brands", 1): 3, **{("/brands", page): 2 for page in (2, 3, 4)}}
    assert reader.tally.pages == 9
    assert (reader.tally.first_total, reader.doubts.sentences()) == (None, [])


def test_a_server_that_ignores_page_gives_its_list_once() -> None:
    reader = Lists({}, lambda path, number: answer(numbered(25))).reader("categories")

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(25)]
    assert reader.doubts.sentences() == []


def test_batches_end_where_enough_bytes_are_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_BYTES", 500)
    told: list[Progress | None] = []
    reader = Lists({"/vendors": numbered(95)}).reader(
        "vendors", observe=lambda tally: told.append(tally.progress)
    )

    sizes = [batch.decoded.records for batch in read(reader)]

    assert sizes == [20, 20, 20, 20, 15]
    assert told[:5] == [Progress("loaded", done, 95) for done in (20, 40, 60, 80, 95)]
    assert set(told[5:]) == {Progress("loaded", 95, 95)}


def test_a_small_list_is_one_batch() -> None:
    reader = Lists({"/vendors": numbered(95)}).reader("vendors")

    assert [len(batch.decoded.root) for batch in read(reader)] == [95]


def test_a_record_without_an_id_is_named_by_page_and_index() -> None:
    records = numbered(25)
    records[17] = {"name": "nobody"}
    reader = Lists({"/vendors": records}).reader("vendors")

    batches = read(reader)

    assert len(ids(batches)) == 24
    assert [one for batch in batches for one in batch.decoded.quarantined] == [
        Quarantined(2, 7, "has no id", '{"name":"nobody"}')
    ]
    assert (reader.doubts.quarantined, reader.tally.ids_seen) == (1, 24)
    assert reader.doubts.sentences() == ["1 record in quarantine"]


def test_what_is_found_and_what_does_not_fit_is_reported() -> None:
    records = numbered(12, colour="red", minimum_order_quantity="many")
    records[3]["shipping_scheme"] = {"kind": "flat"}
    reader = Lists({"/vendors": records}).reader("vendors")

    read(reader)

    assert reader.tally.found == ["vendors.colour"]
    assert reader.tally.misfits == {("vendors", "minimum_order_quantity"): 12}
    assert (reader.tally.unreadable, reader.tally.careful_pages) == (12, 2)
    assert "colour" in {mapping.column for mapping in reader.shape.mappings}


def test_answers_of_a_cache_certify_nothing() -> None:
    def aged(path: str, number: int) -> httpx.Response:
        page = paged(numbered(2), number)
        page.headers["Age"] = "1200"
        return page

    reader = Lists({"/vendors": numbered(2)}, aged).reader("vendors")

    assert len(ids(read(reader))) == 2
    assert reader.doubts.sentences() == [
        "responses came out of a cache, up to 1,200 s old: ask whoever runs the service to let"
        " `no-cache` through",
    ]


def test_an_empty_list_is_complete() -> None:
    reader = Lists({"/vendors": []}).reader("vendors")

    assert ids(read(reader)) == []
    assert account(reader) == {
        "requests": 2,
        "retries": 0,
        "sweeps": 1,
        "pages": 1,
        "ids_seen": 0,
        "first_total": 0,
        "last_total": 0,
        "duplicates": 0,
        "quarantined": 0,
        "doubts": [],
    }


@pytest.mark.parametrize(
    ("broken", "error", "message", "loaded"),
    [
        (
            answer({"error": "gone"}, 500),
            Unavailable,
            "GET /vendors?page=6&limit=10 got no usable",
            [*range(50), *range(60, 200)],
        ),
        (
            answer({"error": "no"}, 401),
            Unauthorized,
            "GET /vendors?page=6&limit=10 answered 401 no",
            range(50),
        ),
        (
            answer({"error": "no"}),
            ContentError,
            "GET /vendors?page=6&limit=10: it names an error: no",
            [*range(50), *range(60, 200)],
        ),
    ],
)
def test_an_error_in_the_middle_names_the_page_and_ends_the_read(
    broken: httpx.Response, error: type[ServiceError], message: str, loaded: Sequence[int]
) -> None:
    def break_six(path: str, number: int) -> httpx.Response | None:
        return httpx.Response(broken.status_code, stream=broken.stream) if number == 6 else None

    reader = Lists({"/vendors": numbered(200)}, break_six).reader("vendors")
    merged: list[Batch] = []

    with pytest.raises(error) as failure:
        reader.read(merged.append)

    assert str(failure.value).startswith(message)
    assert ids(merged) == [f"id-{n:04}" for n in loaded]
    assert not reader.doubts.is_finished
    assert "the read did not reach the end" in reader.doubts.sentences()
    assert fetchers() == []


def test_a_record_that_names_its_id_twice_keeps_no_other_from_being_loaded() -> None:
    body = (
        b'{"data":[{"id":"a","id":"b"},{"id":"c"}],"pagination":{"total_pages":1,"total_count":2}}'
    )
    service = Lists({}, lambda *_: httpx.Response(200, stream=httpx.ByteStream(body)))
    reader = service.reader("vendors")

    assert ids(read(reader)) == ["c"]
    assert reader.doubts.sentences() == ["1 record in quarantine"]


def test_a_read_that_cannot_be_merged_leaves_no_thread_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batches, "BATCH_BYTES", 1)
    service = Lists({"/vendors": numbered(2000)})
    reader = service.reader("vendors", concurrency=4)
    merged: list[Batch] = []

    def merge(batch: Batch) -> None:
        merged.append(batch)
        if len(merged) == 2:
            assert fetchers() != []
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        reader.read(merge)

    assert fetchers() == []
    assert sum(service.asked.values()) < 30
    assert not reader.doubts.is_finished


def test_the_lists_of_all_parents_are_read_in_their_order() -> None:
    lists = {
        f"/buyers/{buyer}/buyer_users": [{"id": f"{buyer}-{n}"} for n in range(count)]
        for buyer, count in (("b1", 12), ("b2", 0), ("b3", 1), ("b4", 25))
    }
    service = Lists(lists)
    reader = service.reader("buyer_users")

    batches = read_lists(reader, ["b1", "b2", "b3", "b4"])

    rows = pa.concat_tables(batch.decoded.root.select(["id", "buyer_id"]) for batch in batches)
    assert rows.to_pylist() == [
        {"id": f"{buyer}-{n}", "buyer_id": buyer}
        for buyer, count in (("b1", 12), ("b3", 1), ("b4", 25))
        for n in range(count)
    ]
    assert account(reader) == {
        "requests": 7,
        "retries": 0,
        "sweeps": 1,
        "pages": 7,
        "ids_seen": 38,
        "first_total": 38,
        "last_total": 38,
        "duplicates": 0,
        "quarantined": 0,
        "doubts": [],
    }


def test_many_lists_keep_the_bound_of_requests_under_way() -> None:
    lists = {f"/items/i{n}/variants": [{"id": f"v{n}", "options": []}] for n in range(60)}
    service = Lists(lists)

    reader = service.reader("variants", concurrency=3)
    batches = read_lists(reader, [f"i{n}" for n in range(60)])

    assert ids(batches) == [f"v{n}" for n in range(60)]
    assert batches[0].decoded.root["parent_id"].to_pylist() == [f"i{n}" for n in range(60)]
    assert service.most_under_way <= 3
    assert set(service.asked.values()) == {1}
    assert fetchers() == []


def test_a_list_whose_parent_is_gone_is_empty() -> None:
    items = [f"i{n}" for n in range(9) if n != 4]
    lists = {
        f"/items/{item}/variants": [{"id": item.replace("i", "v"), "options": []}] for item in items
    }
    service = Lists(lists | {"/items": [{"id": item} for item in items]})
    reader = service.reader("variants")

    batches = read_lists(reader, [f"i{n}" for n in range(9)])

    assert ids(batches) == [f"v{n}" for n in range(9) if n != 4]
    assert reader.doubts.sentences() == []


def test_an_error_in_most_lists_ends_the_reading_and_names_one() -> None:
    def refuse(path: str, number: int) -> httpx.Response | None:
        return answer({"error": "no"}, 422)

    service = Lists({f"/items/i{n}/variants": [] for n in range(60)}, refuse)

    with pytest.raises(
        ServiceError, match=r"^GET /items/i\d+/variants\?page=1&limit=10 answered 422"
    ):
        read_lists(service.reader("variants"), [f"i{n}" for n in range(60)])

    assert fetchers() == []


def test_a_read_of_no_parents_asks_for_nothing() -> None:
    service = Lists({})

    assert read_lists(service.reader("variants"), []) == []
    assert service.asked == {}


def test_a_record_in_a_poorer_form_that_cannot_be_asked_for_is_counted() -> None:
    service = Lists({"/categories": [*numbered(12, title="A"), {"id": "x"}]})
    known = ServiceProfile(fields={"categories": frozenset({"title"})})
    reader = service.reader("categories", known=known)

    assert len(ids(read(reader))) == 13
    assert reader.doubts.sentences()[0] == f"1 record {REFUSED}"
    assert named_settings(reader) == {"lists_in_short"}
    assert service.singles == []


# What the list proves, and the records do not show

FIELD = "minimum_order_value"


def vendors(value: str | None, **given: Any) -> Reader:
    """A reader of four vendors that have this value of a documented amount."""
    return Lists({"/vendors": numbered(4, **{FIELD: value})}).reader("vendors", **given)


def test_a_field_that_no_record_can_be_read_in_is_doubted_until_one_can_be() -> None:
    first = vendors("12,50 EUR")
    known = after(first)

    assert named_settings(first) == {"unreadable_fields"}
    assert first.doubts.is_finished
    assert known.unread == {f"vendors.{FIELD}"}
    second = vendors(None, known=known)
    assert (after(second).unread, named_settings(second)) == (known.unread, {"unreadable_fields"})
    third = vendors("12.50", known=known)
    assert after(third).unread == frozenset()
    assert third.doubts.sentences() == []


def test_who_has_said_that_a_field_is_unreadable_is_not_told_again() -> None:
    names = {f"vendors.{FIELD}"}
    reader = vendors("?", service=ServiceFacts(unreadable_fields=frozenset(names)))

    assert after(reader).unread == names
    assert reader.doubts.sentences() == []


def test_of_a_field_that_is_not_stored_nothing_is_doubted() -> None:
    masking = Masking(Policy(by_column={f"vendors.{FIELD}": "drop"}))
    reader = vendors("?", masking=masking)

    assert after(reader).unread == frozenset()
    assert reader.doubts.sentences() == []


TREE = [{"id": "a", "children": [{"id": "b", "children": []}, {"id": "c", "children": []}]}]


def test_records_that_stand_inside_others_alone_are_doubted() -> None:
    reader = Lists({"/categories": TREE}).reader("categories")
    read(reader)

    assert named_settings(reader) == {"nested_records"}
    assert reader.doubts.sentences()[0].startswith("2 records inside others")


@pytest.mark.parametrize("shown", [("b", "c"), ()])
def test_records_inside_others_are_no_doubt_if_the_list_shows_them_or_the_user_knows(
    shown: tuple[str, ...],
) -> None:
    pins = ServiceFacts(nested_records=frozenset(() if shown else {"categories.children"}))
    records = [*TREE, *({"id": key} for key in shown)]
    reader = Lists({"/categories": records}).reader("categories", service=pins)
    read(reader)

    assert reader.doubts.sentences() == []


def after(reader: Reader) -> ServiceProfile:
    """What is known of the service after a reading."""
    read(reader)
    return reader.fetcher.service.profile

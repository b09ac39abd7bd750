"""A list without records is an empty one only as §2.3 writes it, or as its responses are known."""

import json
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from support.records.lists import LOOKED_AT, Lists, Record, answer, numbered, read, stored
from support.records.no_records import EMPTY, EMPTY_ONES, FAILURES, NO_EMPTY_ONES
from wholesale.api.profile import ServiceProfile
from wholesale.api.resources import RESOURCE
from wholesale.compare.stored import NOTHING
from wholesale.errors import NoRecords
from wholesale.settings import ApiSettings
from wholesale.sync.children.parents import has_lists
from wholesale.sync.doubts import Doubts
from wholesale.sync.run import Run
from wholesale.tables.shapes import shape_of

GOOD: Record = {"pagination": {"total_count": 8, "total_pages": 1}, "data": numbered(8)}
SETTINGS = ApiSettings.of(base_url="http://127.0.0.1/api/external/v1", api_key="k")

NAMED = "set empty_lists = "
"""What each sentence on an empty list says, before the value."""


def answering(*bodies: bytes, lists: Any = ()) -> Lists:
    """A service that answers each page with the next of these bodies, with the last for ever."""
    left = list(bodies)

    def page(path: str, number: int) -> httpx.Response | None:
        if path in lists:
            return None
        body = left.pop(0) if len(left) > 1 else left[0]
        return httpx.Response(200, stream=httpx.ByteStream(body))

    return Lists(lists or {}, page)


def run(
    service: Lists,
    resource: str,
    kept: int,
    *,
    known: ServiceProfile | None = LOOKED_AT,
    is_full: bool = False,
    **facts: Any,
) -> tuple[Doubts, set[str], ServiceProfile]:
    """What a run that goes on doubts, which ids it found deleted, and what it knows afterwards."""
    row, before = RESOURCE[resource], stored(resource, numbered(kept)) if kept else NOTHING
    settings = SETTINGS.model_copy(update={"service": SETTINGS.service.model_copy(update=facts)})
    started = Run(settings, lambda *_: before, known=known, is_full=is_full, goes_on=True)
    started.service = service.service(known, attempts=4, service=facts)
    reader = started.begin(row, shape_of(row))
    started.read(reader, lambda batch: None)
    return reader.doubts, reader.gone, started.profile


@pytest.mark.parametrize("kept", [0, 8])
@pytest.mark.parametrize("resource", ["categories", "brands"])
@pytest.mark.parametrize("body", NO_EMPTY_ONES)
def test_what_is_no_empty_list_is_a_doubt_and_deletes_nothing(
    body: bytes, resource: str, kept: int
) -> None:
    for is_full in (False, True):
        doubts, gone, _ = run(answering(body), resource, kept, is_full=is_full)

        assert (gone, doubts.proof, doubts.failure) == (set(), None, None)
        assert NAMED in doubts.sentences()[-1]


@pytest.mark.parametrize("kept", [0, 8])
@pytest.mark.parametrize("body", FAILURES)
def test_what_is_no_list_at_all_is_unread_and_deletes_nothing(body: bytes, kept: int) -> None:
    doubts, gone, _ = run(answering(body), "categories", kept)

    assert (gone, doubts.proof) == (set(), None)
    assert doubts.failure


@pytest.mark.parametrize("body", EMPTY_ONES)
def test_an_empty_list_as_it_is_documented_is_one_without_any_setting(body: bytes) -> None:
    doubts, _, _ = run(answering(body), "categories", 0)

    assert doubts.sentences() == []


@pytest.mark.parametrize("body", [body for body in NO_EMPTY_ONES if b'_count":3' not in body])
def test_the_sentence_names_the_setting_with_its_whole_value_and_is_followed_once(
    body: bytes,
) -> None:
    doubts, _, profile = run(answering(body), "categories", 0, empty_lists={"brands: []"})
    sentence = doubts.sentences()[-1]
    value = sentence.partition("set empty_lists = ")[2]

    entries, _ = json.JSONDecoder().raw_decode(value)
    followed, _, _ = run(answering(body), "categories", 0, empty_lists=set(entries))

    assert "brands: []" in entries
    assert followed.sentences() == []
    assert profile.lists_seen == set(), "the next run looks anew"


def test_a_setting_is_of_one_list_and_of_what_it_names() -> None:
    facts: Any = {"empty_lists": {"brands: detail", "categories: trace_id"}}
    for member, is_empty in (("trace_id", True), ("detail", False)):
        body = EMPTY.replace(b"{", b'{"%b":"x",' % member.encode(), 1)

        doubts, _, _ = run(answering(body), "categories", 0, **facts)

        assert (not doubts.sentences()) is is_empty


@pytest.mark.parametrize("said", ["failure", "partial", "", 5, None])
def test_who_follows_the_sentence_on_a_success_still_doubts_what_says_otherwise(said: Any) -> None:
    def body(result: object) -> bytes:
        return EMPTY.replace(b"{", b'{"result":%b,' % json.dumps(result).encode(), 1)

    doubts, _, _ = run(answering(body("success")), "categories", 0)
    value = doubts.sentences()[-1].partition(NAMED)[2]
    entries, _ = json.JSONDecoder().raw_decode(value)

    doubted, _, _ = run(answering(body(said)), "categories", 0, empty_lists=set(entries))
    assert NAMED in doubted.sentences()[-1]
    believed, _, _ = run(answering(body(said)), "categories", 0, empty_lists={"categories: result"})
    assert believed.sentences() == []


META: Sequence[tuple[Record, Record, bool]] = (
    ({"meta": {"took": 3}}, {"meta": {"took": 12}}, True),
    ({"meta": {"took": 3}}, {"meta": {"took": 3, "error": "x"}}, False),
    ({"meta": {"took": 3}}, {}, True),
    ({"meta": {"took": 3}}, {"meta": None}, True),
    ({"meta": {"took": 3}}, {"meta": "down"}, False),
    ({"result": "success"}, {"result": "success"}, True),
    ({"result": "success"}, {"result": "failure"}, False),
    ({"partial": False}, {"partial": True}, False),
    ({"warnings": []}, {"warnings": []}, True),
    ({"warnings": []}, {"warnings": ["one shard"]}, False),
    ({"message": None}, {"message": "Not authenticated"}, False),
    ({"message": ""}, {"message": "No. 42 failed"}, False),
    ({"request": "a1"}, {"request": "b2"}, True),
    ({"links": {"self": "/a?b", "next": None}}, {"links": {"self": "/c", "next": None}}, True),
    ({"included": {str(n): n for n in range(99)}}, {"included": {}}, True),
    ({"a": {"b": {"c": {"d": {"e": 1}}}}}, {"a": {"b": {"c": {"d": {"e": 2}}}}}, True),
)


@pytest.mark.parametrize(("beside", "then", "is_empty"), META)
def test_members_that_were_there_beside_records_are_no_doubt(
    beside: Record, then: Record, is_empty: bool
) -> None:
    """The first response is looked at to see how this list is written."""
    empty = json.loads(EMPTY)
    first = run(answering(json.dumps(GOOD | beside).encode()), "brands", 8, known=LOOK)
    assert first[0].sentences() == []

    doubts, gone, _ = run(answering(json.dumps(empty | then).encode()), "brands", 8, known=first[2])

    assert gone == set()
    is_doubted = any(NAMED in doubt for doubt in doubts.sentences())
    assert is_doubted is not is_empty


LOOK = ServiceProfile(observed=LOOKED_AT.observed)
"""A service of which no list was looked at."""


def test_members_of_another_list_say_nothing_of_this_one() -> None:
    known = LOOKED_AT.observing(members={"brands": frozenset({"detail", "detail: a text"})})
    body = EMPTY.replace(b"{", b'{"detail":"x",', 1)

    doubts, _, _ = run(answering(body), "categories", 0, known=known)

    assert NAMED in doubts.sentences()[-1]


def test_a_list_that_is_no_empty_one_twice_and_then_there_is_read() -> None:
    service = answering(b"null", b"[]", json.dumps(GOOD).encode())
    reader = service.reader("categories", stored("categories", numbered(8)), attempts=4)

    read(reader)

    assert (reader.doubts.sentences(), reader.gone) == ([], set())


def test_a_list_that_counts_none_is_empty_without_a_total() -> None:
    body = b'{"pagination":{"current":1},"data":[]}'
    facts: Any = {"lists_not_counted": {"categories"}}

    assert run(answering(body), "categories", 0, **facts)[0].sentences() == []
    assert run(answering(b"[]"), "categories", 0, **facts)[0].sentences() != []


@pytest.mark.parametrize("at", [2, 3])
def test_an_end_that_has_what_no_page_has_is_doubted_where_nothing_is_counted(at: int) -> None:
    def page(path: str, number: int) -> httpx.Response:
        rows = numbered(30)[(number - 1) * 10 : number * 10]
        odd: Record = {"data": [], "detail": "Not authenticated"}
        return answer(odd if number >= at else {"data": rows})

    service = Lists({}, page)
    facts = {"lists_not_counted": {"brands"}}
    reader = service.reader("brands", stored("brands", numbered(30)), service=facts)

    read(reader)

    assert reader.gone == set()
    assert any(NAMED in doubt for doubt in reader.doubts.sentences())
    reader = service.reader("brands", service=facts | {"empty_lists": {"brands: detail"}})
    read(reader)
    assert reader.tally.alive == 10 * (at - 1)


def test_what_is_beside_records_that_are_all_there_is_no_doubt() -> None:
    """As many came as are counted, and nothing is asked of what else is said."""
    body = GOOD | {"warnings": ["partial"], "meta": {"error": "x"}}
    reader = answering(json.dumps(body).encode()).reader("brands")

    read(reader)

    assert (reader.doubts.sentences(), reader.tally.alive) == ([], 8)


def test_a_sentence_is_short_and_holds_no_long_text() -> None:
    many = {f"member {n} {'x' * 200}": f"secret {n}" for n in range(2000)}
    body = json.dumps(json.loads(EMPTY) | many | {"detail": "1 secret"}).encode()
    reader = answering(body).reader("brands", attempts=1)

    with pytest.raises(NoRecords) as refusal:
        read(reader)

    assert "secret" not in str(refusal.value)
    assert len(str(refusal.value)) < 3000


def test_child_lists_that_are_no_empty_ones_are_doubted_until_it_is_set() -> None:
    parents = ["a", "b", "c", "d"]
    lists = {f"/buyers/{key}/buyer_users": [{"id": f"of {key}"}] for key in parents[:3]}
    service = answering(b"[]", lists=lists)
    reader = service.reader("buyer_users", attempts=4)

    reader.read_lists(parents, {}, lambda batch: None, are_all=True)

    assert any(NAMED in doubt for doubt in reader.doubts.sentences())
    assert (reader.doubts.proof, reader.gone, reader.tally.alive) == (None, set(), 3)
    assert service.asked["/buyers/d/buyer_users", 1] == 3

    set_so = {"empty_lists": {"buyer_users: []"}}
    reader = service.reader("buyer_users", service=set_so)
    reader.read_lists(parents, {}, lambda batch: None, are_all=True)
    assert reader.doubts.sentences() == []


def test_items_that_count_no_variants_are_believed_though_their_list_is_written_oddly() -> None:
    service = answering(b"[]", lists={"/items/a/variants": [{"id": "v", "parent_id": "a"}]})
    reader = service.reader("variants")

    assert not has_lists(reader.reading, ["none"])
    assert has_lists(reader.reading, ["a"])

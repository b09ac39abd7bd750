"""Every order of events on a tiny list: no false certificate, and none withheld in peace."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations, combinations_with_replacement, product
from typing import Any, get_args

import httpx
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
    stored,
)
from support.services.tiny import (
    Delete,
    Edit,
    Event,
    Fault,
    Insert,
    MovesTo,
    State,
    TinyListing,
    TinyService,
    keys_of,
)
from wholesale.compare.ledger import Ledger
from wholesale.compare.past import Past
from wholesale.prove import absence
from wholesale.prove.course import MAX_SWEEPS, Course

Faults = Sequence[tuple[int, Fault]]
NAMES = ("a", "b", "c", "d")
LAST_REQUEST = 4
UNPROVED = "no moment was found at which all records had been seen"


def run(
    listed: Sequence[str],
    stored: State,
    limit: int,
    events: Sequence[tuple[int, Event]] = (),
    faults: Sequence[tuple[int, Fault]] = (),
    *,
    has_summaries: bool = True,
    can_ask: bool = True,
    has_totals: bool = True,
    may_count: bool = True,
) -> tuple[Course, TinyListing]:
    service = TinyService([(name, 1) for name in listed], events, faults, has_totals=has_totals)
    ledger = Ledger()
    listing = TinyListing(service, ledger, limit, dict(stored), has_summaries)
    course: Course = Course(
        ledger,
        listing,
        keys_of(sorted(stored)),
        keys_of([]),
        limit,
        can_ask=can_ask,
        has_summaries=has_summaries,
        may_count=may_count,
    )
    course.read()
    return course, listing


def wrongs(course: Course, listing: TinyListing) -> list[str]:
    """What a certificate of this reading would hide."""
    if course.proof is None or len(course.refused) or len(course.suspects):
        return []
    states = listing.service.states_since(course.proof.complete_as_of)
    gone = {key.decode() for key in course.gone.tolist()}
    alive = listing.held.keys() - gone
    found = []
    for name, version in states[0].items():
        if name not in alive and all(name in state for state in states):
            found.append(f"{name} is missing")
        if name in alive and listing.held[name] < version:
            found.append(f"{name} is older than it was")
    found += [f"{name} is a phantom" for name in alive if not any(name in s for s in states)]
    return found


EVENTS: Sequence[Event] = (
    Insert(at_head=True),
    Insert(at_head=False),
    *(Delete(place) for place in range(3)),
    *(Edit(place, to) for place in (0, 2) for to in get_args(MovesTo)),
)


def schedules(changes: int, last: int) -> Iterator[Sequence[tuple[int, Event]]]:
    for moments in combinations_with_replacement(range(last + 1), changes):
        for events in product(EVENTS, repeat=changes):
            yield tuple(zip(moments, events, strict=True))


@pytest.mark.parametrize("has_summaries", [True, False])
@pytest.mark.parametrize("limit", [1, 2])
@pytest.mark.parametrize("size", range(5))
def test_a_list_that_stands_still_is_certified(size: int, limit: int, has_summaries: bool) -> None:
    listed = NAMES[:size]
    for held in (
        {},
        dict.fromkeys(listed, 1),
        dict.fromkeys(listed[1:], 1),
        dict.fromkeys("az", 1),
    ):
        course, listing = run(listed, held, limit, has_summaries=has_summaries)

        gone = {key.decode() for key in course.gone.tolist()}
        if listed:
            assert course.proof is not None
            assert len(course.suspects) == 0
            assert listing.held.keys() - gone == set(listed)


@dataclass(frozen=True, slots=True)
class Exploration:
    """Every order of so many changes and faults, on lists of `size` in pages of `limit`."""

    changes: int
    faults: int
    limit: int
    has_summaries: bool
    size: int = 3
    can_ask: bool = True
    has_totals: bool = True
    destinations: int = 3

    def worlds(self) -> Iterator[tuple[State, Sequence[tuple[int, Event]], Faults]]:
        """What is stored, what happens when, and what fails when."""
        names = NAMES[: self.size]
        helds: list[State] = [dict.fromkeys([*names[1:], "z"], 1), {}, dict.fromkeys(names, 1)]
        for events in schedules(self.changes, LAST_REQUEST):
            for moments in combinations(range(LAST_REQUEST + 1), self.faults):
                for faults in product(get_args(Fault), repeat=self.faults):
                    for held in helds[: self.destinations]:
                        yield held, events, tuple(zip(moments, faults, strict=True))


@pytest.mark.parametrize(
    "exploration",
    [
        Exploration(changes=1, faults=0, limit=1, has_summaries=True, size=4),
        Exploration(changes=1, faults=0, limit=2, has_summaries=False, size=4),
        Exploration(changes=1, faults=0, limit=2, has_summaries=True, has_totals=False),
        Exploration(changes=1, faults=0, limit=2, has_summaries=False, can_ask=False),
        Exploration(changes=1, faults=1, limit=2, has_summaries=False),
        *(
            pytest.param(exploration, marks=pytest.mark.slow)
            for exploration in (
                Exploration(changes=2, faults=0, limit=2, has_summaries=True),
                Exploration(changes=2, faults=0, limit=1, has_summaries=True),
                Exploration(changes=2, faults=0, limit=1, has_summaries=False),
                Exploration(changes=2, faults=0, limit=2, has_summaries=False, size=4),
                Exploration(changes=2, faults=0, limit=2, has_summaries=True, has_totals=False),
                Exploration(changes=2, faults=0, limit=2, has_summaries=False, can_ask=False),
                Exploration(changes=1, faults=1, limit=2, has_summaries=True, size=4),
                Exploration(changes=1, faults=2, limit=2, has_summaries=False),
                Exploration(changes=3, faults=0, limit=2, has_summaries=True, destinations=1),
            )
        ),
    ],
    ids=str,
)
def test_no_order_of_events_leads_to_a_false_certificate(exploration: Exploration) -> None:
    certified = 0
    for held, events, faults in exploration.worlds():
        course, listing = run(
            NAMES[: exploration.size],
            held,
            exploration.limit,
            events,
            faults,
            has_summaries=exploration.has_summaries,
            can_ask=exploration.can_ask,
            has_totals=exploration.has_totals,
        )
        certified += course.proof is not None
        assert wrongs(course, listing) == [], (held, events, faults)
    assert certified


def test_a_stored_record_that_the_service_denies_is_gone() -> None:
    service = Lists({"/vendors": numbered(9, updated_at=on(1))})
    reader = service.reader("vendors", stored("vendors", numbered(12, updated_at=on(1))))

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(9)]
    assert reader.gone == {"id-0009", "id-0010", "id-0011"}
    assert {f"/vendors/id-{n:04}" for n in (9, 10, 11)} < set(service.singles)  # and controls
    assert (reader.report.alive, reader.report.doubts()) == (9, [])


def test_a_record_that_is_marked_as_deleted_is_not_asked_for_again() -> None:
    service = Lists({"/vendors": numbered(2)})
    reader = service.reader("vendors", stored("vendors", numbered(3), deleted={"id-0002"}))

    assert ids(read(reader)) == ["id-0000", "id-0001"]
    assert (reader.gone, service.singles) == (set(), [])


@pytest.mark.parametrize("left", [49, 1])
def test_any_number_of_deletions_is_believed_after_asking_for_each(left: int) -> None:
    service = Lists({"/vendors": numbered(left)})
    reader = service.reader("vendors", stored("vendors", numbered(100)))

    assert len(ids(read(reader))) == left
    assert reader.gone == {f"id-{n:04}" for n in range(left, 100)}
    assert reader.report.doubts() == []


def test_what_a_run_may_not_ask_for_any_more_is_left_to_the_next_the_oldest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "LEAST_ASKS", 5)
    service = Lists({"/vendors": numbered(4)})
    before = numbered(12)
    first = service.reader("vendors", stored("vendors", before))
    read(first)

    assert len(first.gone) == 5
    assert len(first.report.suspects) == 3
    assert first.report.doubts() == ["3 stored records not listed, and not settled yet"]

    absent = list(first.report.suspects)
    left = stored("vendors", before, deleted=first.gone, absent=absent)
    second = service.reader("vendors", left)
    read(second)

    assert second.gone == set(absent)
    assert second.report.doubts() == []


def test_denials_are_not_believed_where_single_reads_deny_what_the_list_shows() -> None:
    service = Lists({"/vendors": numbered(9)})
    service.single = lambda path: not_found()  # type: ignore[method-assign]
    reader = service.reader("vendors", stored("vendors", numbered(12)))

    read(reader)

    assert reader.gone == set()
    assert reader.report.suspects == ("id-0009", "id-0010", "id-0011")
    assert reader.report.doubts() == [
        "3 stored records not listed, and not settled yet",
        "single reads deny records that the list shows",
    ]


def test_a_denial_is_believed_though_some_that_the_list_shows_are_denied_too() -> None:
    service = Lists({"/vendors": numbered(20)})
    answered = service.single
    odd = {f"/vendors/{row['id']}" for row in numbered(5)}
    service.single = (  # type: ignore[method-assign]
        lambda path: not_found() if path in odd else answered(path)
    )
    reader = service.reader("vendors", stored("vendors", numbered(22)))

    read(reader)

    assert (reader.gone, reader.report.doubts()) == ({"id-0020", "id-0021"}, [])


def test_where_nothing_that_the_list_shows_answers_a_record_is_gone_that_two_runs_missed() -> None:
    service = Lists({"/vendors": numbered(9)})
    service.single = lambda path: not_found()  # type: ignore[method-assign]
    before = stored("vendors", numbered(11), absent=["id-0010"])
    reader = service.reader("vendors", before)

    read(reader)

    assert (reader.gone, reader.report.suspects) == ({"id-0010"}, ("id-0009",))


def test_without_a_proof_no_denial_is_believed_where_one_is_taken_back() -> None:
    """One of two servers knows nothing of a record; nor does the list, which counts it."""
    before = numbered(12)
    service = Lists(
        {"/vendors": before[:10]},
        lambda path, number: paged(before[:10], number, total_count=11),
        {"/vendors/id-0010": before[10]},
    )
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path.endswith("10") and service.asked[path, 0] == 1 else whole(path)
    )
    reader = service.reader("vendors", stored("vendors", before), concurrency=1)

    read(reader)

    assert (reader.gone, reader.report.suspects) == (set(), ("id-0011",))
    assert "single reads deny records that answer when asked again" in reader.report.doubts()


def test_though_a_count_proves_it_a_deletion_is_believed_where_a_record_is_denied_twice() -> None:
    """One of two servers lacks a record: the list, which is one answer, and the first denial are
    its own."""
    before = numbered(9)
    service = Lists({"/vendors": before[:8]}, hidden={"/vendors/id-0008": before[8]})
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path.endswith("8") and service.asked[path, 0] == 1 else whole(path)
    )
    reader = service.reader("vendors", stored("vendors", before), concurrency=1)

    read(reader)

    assert reader.gone == set()
    assert "single reads deny records that answer when asked again" in reader.report.doubts()


def test_what_cannot_be_asked_for_is_missed_by_two_answers_before_it_is_gone() -> None:
    records = numbered(3)
    service = Lists({"/categories": records})
    service.page = lambda path, number: (
        paged(records[:2], number) if service.asked[path, 1] == 1 else None
    )
    reader = service.reader("categories", stored("categories", records))

    read(reader)

    assert (reader.gone, reader.report.doubts()) == (set(), [])
    assert service.asked["/categories", 1] == 2


def test_an_empty_list_marks_nothing_while_records_answer() -> None:
    hidden = {f"/vendors/{row['id']}": row for row in numbered(3)}
    reader = Lists({"/vendors": []}, hidden=hidden).reader(
        "vendors", stored("vendors", numbered(3), absent=["id-0000", "id-0001", "id-0002"])
    )

    read(reader)

    assert reader.gone == set()
    assert "the list is empty although stored records answer" in reader.report.doubts()


def test_an_empty_list_behind_which_nobody_answers_is_believed_the_second_time() -> None:
    service = Lists({"/vendors": []})
    everybody = [row["id"] for row in numbered(3)]
    for absent in ([], everybody):
        reader = service.reader("vendors", stored("vendors", numbered(3), absent=absent))
        read(reader)

        assert reader.gone == set(absent)
        assert list(reader.report.suspects) == ([] if absent else everybody)


def test_a_full_read_believes_an_empty_list_after_asking_for_everybody() -> None:
    service = Lists({"/vendors": []})
    reader = service.reader("vendors", stored("vendors", numbered(30)), is_full=True)

    read(reader)

    assert (len(reader.gone), len(service.singles)) == (30, 30 + absence.MOST_CONTROLS)
    assert reader.report.doubts() == []


def test_a_stored_record_that_is_never_listed_and_answers_is_kept_and_counted_or_doubted() -> None:
    """Counted by the service it is a record like any other; if not, the count is no proof."""
    left_out = "1 record there that the list neither shows nor counts"
    for total, doubts in ((13, []), (12, [UNPROVED, left_out])):
        records = numbered(12)
        service = Lists(
            {"/vendors": records},
            lambda path, number, total=total: paged(numbered(12), number, total_count=total),  # type: ignore[misc]
            hidden={"/vendors/x": {"id": "x"}},
        )
        reader = service.reader("vendors", stored("vendors", [*records, {"id": "x"}]))

        assert sorted(ids(read(reader))) == sorted([*(row["id"] for row in records), "x"])
        assert (reader.gone, reader.report.doubts()) == (set(), doubts)


@pytest.mark.parametrize(
    "left",
    [
        {},
        {"id": "x", "deleted": True},
        None,
        {"brand": {}},
        {"brand": None},
        [],
        {"id": None, "title": None, "handle": None},
    ],
)
def test_a_record_of_which_nothing_is_left_is_gone(left: Any) -> None:
    records = numbered(12, title="T", handle="H")
    service = Lists({"/brands": records})
    whole = service.single
    service.single = lambda path: answer(left) if path.endswith("/x") else whole(path)  # type: ignore[method-assign]
    reader = service.reader("brands", stored("brands", [*records, records[0] | {"id": "x"}]))

    read(reader)

    assert (reader.gone, reader.report.doubts()) == ({"x"}, [])


SIGNS: Sequence[Record] = [
    {"deleted": True},
    {"deleted": 1},
    {"is_deleted": "true"},
    {"deleted_at": on(2)},
    {"status": "Deleted"},
]


@pytest.mark.parametrize("sign", SIGNS)
def test_a_record_that_is_listed_no_more_and_says_that_it_is_deleted_is_gone(sign: Record) -> None:
    records = numbered(12, name="V")
    left = records[0] | {"id": "x"}
    service = Lists({"/vendors": records}, hidden={"/vendors/x": left | sign})
    reader = service.reader("vendors", stored("vendors", [*records, left]))

    read(reader)

    assert (reader.gone, reader.report.doubts()) == ({"x"}, [])


@pytest.mark.parametrize(
    "sign", [{"deleted": False}, {"deleted": 0}, {"deleted_at": None}, {"status": "archived"}]
)
def test_a_record_that_is_listed_no_more_and_does_not_say_so_is_kept(sign: Record) -> None:
    records = numbered(12, name="V")
    left = records[0] | {"id": "x"}
    service = Lists({"/vendors": records}, hidden={"/vendors/x": left | sign})
    reader = service.reader("vendors", stored("vendors", [*records, left]))

    read(reader)

    assert (reader.gone, len(reader.report.doubts())) == (set(), 2)


@pytest.mark.parametrize("sign", SIGNS)
def test_a_record_that_is_listed_and_says_that_it_is_deleted_is_stored_as_deleted(
    sign: Record,
) -> None:
    records = numbered(12, name="V")
    reader = Lists({"/vendors": [*records[:11], records[11] | sign]}).reader("vendors")

    (batch,) = read(reader)

    marks = batch.decoded.root["_deleted_at"].to_pylist()
    assert marks == [None] * 11 + [reader.report.started_at]
    assert (reader.report.doubts(), reader.report.alive) == ([], 11)


def test_a_record_that_is_deleted_while_it_is_read_is_marked_and_one_that_returns_is_not() -> None:
    records = numbered(20, name="V")
    before, after = records[0] | {"deleted_at": on(2)}, records[1] | {"deleted_at": on(2)}

    def page(path: str, number: int) -> httpx.Response | None:
        is_first = service.asked[path, 1] == 1
        shown = [before, records[1]] if is_first else [records[0], after]
        return paged([*shown, *records[2:]], number)

    service = Lists({"/vendors": records}, page)
    reader = service.reader("vendors")
    batches = [*read(reader), *reader.late]

    marks: Record = {}
    for batch in batches:
        ids, marked = batch.decoded.root["id"], batch.decoded.root["_deleted_at"]
        marks |= dict(zip(ids.to_pylist(), marked.to_pylist(), strict=True))
    assert [key for key, mark in marks.items() if mark] == ["id-0001"]
    assert reader.report.alive == 19


def test_a_list_that_shows_deleted_records_is_read_to_its_end() -> None:
    """It counts them, so a stored record that is gone would be hidden by one of them."""
    records = orders(40)[::-1]
    left = records[39] | {"status": "deleted"}
    lost = records[20] | {"id": "lost"}
    before = stored("orders", [*records[:39], left, lost], deleted={"id-0000"})
    before = before.after(replace(before.past, swept_at=datetime.now(UTC)))
    service = Lists({"/orders": [*records[:39], left]})
    reader = service.reader("orders", before)

    assert read(reader) == []
    assert (reader.gone, reader.report.strategy) == ({"lost"}, "manifest")
    assert (reader.report.doubts(), reader.report.alive) == ([], 39)


def test_a_record_that_went_from_the_list_and_still_answers_is_hidden_by_no_new_one() -> None:
    """As many records are listed as are counted, and as many as are stored."""
    records = orders(40)
    service = Lists({"/orders": [*records[1:], orders(41)[40]]})
    service.hidden = {"/orders/id-0000": records[0]}
    reader = service.reader("orders", stored("orders", records))

    assert sorted(ids(read(reader))) == ["id-0000", "id-0040"]
    assert (reader.gone, reader.report.sweeps) == (set(), 2)
    left_out = "1 record there that the list neither shows nor counts"
    assert reader.report.doubts() == [UNPROVED, left_out]


@pytest.mark.parametrize("count", [1, 20])
def test_a_record_that_cannot_be_asked_for_is_gone_where_the_count_says_so(count: int) -> None:
    service = Lists({"/categories": numbered(count)})
    reader = service.reader("categories", stored("categories", numbered(count + 1)))

    assert len(ids(read(reader))) == count
    assert (reader.gone, service.singles) == ({f"id-{count:04}"}, [])
    assert reader.report.doubts() == []


@pytest.mark.parametrize(("known", "listed"), [(30, 10), (6, 4), (3, 1)])
def test_more_that_cannot_be_asked_for_than_deletions_explain_must_be_absent_twice(
    known: int, listed: int
) -> None:
    service = Lists({"/categories": numbered(listed)})
    missing = [row["id"] for row in numbered(known)[listed:]]
    for absent in ([], missing):
        before = stored("categories", numbered(known), absent=absent)
        reader = service.reader("categories", before)
        read(reader)

        assert reader.gone == set(absent)
        assert len(reader.report.suspects) == (0 if absent else known - listed)


def test_absence_from_a_list_that_proves_nothing_is_no_deletion() -> None:
    records = numbered(25)
    service = Lists({}, lambda path, number: paged(records, 1))
    reader = service.reader("categories", stored("categories", records))

    read(reader)

    assert reader.gone == set()
    assert UNPROVED in reader.report.doubts()


def test_a_record_that_comes_back_is_not_gone() -> None:
    records = numbered(12)
    service = Lists({"/vendors": records[:11]})

    def come_back(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, 2] < 2:
            return paged(records[:11], number, total_count=12)
        service.lists = {"/vendors": records}
        return None

    service.page = come_back
    reader = service.reader("vendors", stored("vendors", records))

    assert sorted(ids(read(reader))) == [record["id"] for record in records]
    assert (reader.gone, reader.report.doubts()) == (set(), [])


def test_a_single_answer_with_another_record_is_not_believed() -> None:
    records = orders(30)
    service = Lists({"/orders": records})
    answered = service.single
    service.single = (  # type: ignore[method-assign]
        lambda path: answered(path.replace("id-0000", "id-0001"))
    )
    reader = service.reader("orders", stored("orders", records[1:]))

    assert ids(read(reader)) == []

    assert reader.report.doubts() == [
        "1 record cannot be read: GET /orders/id-0000?verbose=true: body is another record than the"
        " one asked for; the next run asks again: if it fails too, ask whoever runs the service"
    ]


def test_a_record_that_comes_twice_is_passed_on_once() -> None:
    records = numbered(15)
    service = Lists({"/vendors": records})

    def shift(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, number] > 1:
            return None
        return paged(records[:10] + records[9:], number, total_count=15)

    service.page = shift
    reader = service.reader("vendors")

    assert ids(read(reader)) == [record["id"] for record in records]
    assert (reader.report.duplicates, reader.report.ids_seen, reader.report.new) == (1, 15, 15)
    assert reader.report.doubts() == []


def test_what_one_sweep_misses_the_next_brings() -> None:
    records = numbered(30)
    service = Lists({"/vendors": records})

    def skip(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, number] > 1 or number == 1:
            return None
        return paged(records[:10] + records[11:], number, total_count=30, total_pages=3)

    service.page = skip
    reader = service.reader("vendors")

    assert sorted(ids(read(reader))) == [record["id"] for record in records]
    assert reader.report.doubts() == []


@pytest.mark.parametrize("total", [24, 26, 27])
def test_a_total_that_is_wrong_for_ever_costs_a_second_sweep_and_no_certificate(total: int) -> None:
    records = numbered(25)
    service = Lists({}, lambda path, number: paged(records, number, total_count=total))
    reader = service.reader("vendors")

    assert ids(read(reader)) == [record["id"] for record in records]
    assert (reader.report.sweeps, reader.report.doubts()) == (2, [])
    assert reader.report.proof is not None
    assert reader.report.proof.kind == "agreement"


class Gaps(Lists):
    """Full pages lack their last record, and none has more than ten."""

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        records, limit = self.lists[path], min(10, int(query["limit"]))
        start, end = (number - 1) * limit, number * limit
        end -= end < len(records)
        pages = -(-len(records) // limit)
        following = number + 1 if number < pages else None
        return answer({"pagination": {"next": following}, "data": records[start:end]})


def test_what_falls_between_capped_pages_is_missed_by_no_agreement() -> None:
    reader = Gaps({"/vendors": numbered(35)}).reader("vendors", page_size=100)

    read(reader)

    assert (reader.report.proof, reader.report.doubts()) == (None, [UNPROVED])


@pytest.mark.parametrize("resource", ["vendors", "orders", "categories"])
def test_a_list_that_counts_fewer_than_it_shows_proves_nothing_by_its_count(resource: str) -> None:
    records = orders(25)
    reader = Lists(
        {}, lambda path, number: paged(records, number, total_count=0, total_pages=0)
    ).reader(resource)

    assert sorted(set(ids(read(reader)))) == [record["id"] for record in records]
    assert reader.report.proof
    assert (reader.report.proof.kind, reader.report.sweeps) == ("agreement", 2)
    assert (reader.report.suspects, reader.report.doubts()) == ((), [])


def test_a_total_beyond_the_pages_that_come_is_believed() -> None:
    records = numbered(25)
    service = Lists(
        {}, lambda path, number: paged(records, number, total_count=250, total_pages=25)
    )
    reader = service.reader("vendors")

    assert ids(read(reader)) == [record["id"] for record in records]
    assert (reader.report.sweeps, reader.report.doubts()) == (
        MAX_SWEEPS,
        [UNPROVED, "the list counts 250 and shows 25"],
    )


def test_page_one_for_ever_is_no_list() -> None:
    service = Lists({}, lambda path, number: paged(numbered(10), 1, total_pages=3, total_count=25))
    reader = service.reader("vendors")

    assert len(ids(read(reader))) == 10
    assert reader.report.doubts() == [
        UNPROVED,
        "the list counts 25 and shows 10",
        "page 2 repeats page 1",
    ]


def test_a_list_that_is_known_to_count_nothing_is_proved_by_two_sweeps() -> None:
    held = dict.fromkeys(NAMES, 1)

    course, listing = run(NAMES, held, 2, has_totals=False, may_count=False)

    assert course.proof
    assert course.proof.kind == "agreement"
    assert [sweep.records for sweep in course.sweeps] == [4, 4]
    assert listing.held == held


NEW = {"id": "new"}


@pytest.mark.parametrize(
    ("now", "comes_at", "sweeps"),
    [
        (numbered(25), None, 1),
        (numbered(25)[1:], None, 2),
        ([NEW, *numbered(25)[1:]], None, 2),
        (numbered(25), 2, 2),
        (numbered(25), 3, 3),  # behind the sweep
    ],
    ids=["the same", "one less", "another one", "a new one", "a new one, late"],
)
def test_a_list_without_totals_is_as_the_last_run_proved_it_if_its_ends_are(
    now: list[Record], comes_at: int | None, sweeps: int
) -> None:
    before = numbered(25)
    service = Lists({"/vendors": now})

    def uncounted(path: str, number: int) -> httpx.Response:
        records = list(service.lists[path])
        if comes_at and service.asked[path, 1] >= comes_at:
            records = [NEW, *records]
        return paged(records, number, total_count=None, total_pages=None)

    service.page = uncounted
    kept = stored("vendors", before).after(Past(is_proved=True))
    reader = service.reader("vendors", kept)

    found = ids(read(reader))

    assert ("new" in found) == (comes_at is not None or NEW in now)
    assert reader.report.sweeps == sweeps
    assert reader.gone == {row["id"] for row in before if row not in now}


@pytest.mark.parametrize("resource", ["orders", "vendors"])
def test_a_list_that_goes_back_to_an_older_version_proves_nothing(resource: str) -> None:
    """As from two replicas, of which one lags: each counts the same."""
    before = orders(25)
    now = changed(before, 1, status="shipped", updated_at=on(2))
    service = Lists({f"/{resource}": now})

    def page(path: str, number: int) -> httpx.Response | None:
        is_from_the_other = service.asked[path, number] % 2 == 0
        return paged(before, number) if is_from_the_other else None

    service.page = page
    reader = service.reader(resource, stored(resource, before), concurrency=1)

    read(reader)

    assert reader.report.doubts() == [
        "no moment was found at which all records had been seen",
        "1 record listed in an older version than before",
    ]


def test_an_order_that_a_list_hides_after_it_was_swept_proves_nothing_by_count() -> None:
    now = orders(20)
    service = Lists({"/orders": now})

    def page(path: str, number: int) -> httpx.Response | None:
        ends_seen = service.asked[path, 2]  # by two looks, then by the sweep
        if ends_seen > 3 or (ends_seen == 3 and number != 2):
            return paged(now[:19], number)
        is_short = service.queries[-1]["verbose"] == "false"
        return paged(now, number, total_count=20 if ends_seen == 3 else 21) if is_short else None

    service.page = page
    reader = service.reader("orders", stored("orders", now[19:]), concurrency=1)

    assert sorted(ids(read(reader))) == [order["id"] for order in now[:19]]

    assert reader.report.doubts() == [
        UNPROVED,
        "1 record there that the list neither shows nor counts",
    ]

"""The early stop: a few pages stand for the whole list, or the whole list is read."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import httpx
import numpy as np
import pytest

from support.records.lists import NO_ENTRIES, Lists, Record, answer, ids, paged, read, stored
from wholesale.api.profile import ServiceProfile
from wholesale.compare.ledger import Sightings
from wholesale.compare.past import Past
from wholesale.compare.stored import NOTHING
from wholesale.compare.versions import NO_VERSION
from wholesale.names import EARLY_STOP, MANIFEST
from wholesale.prove import head
from wholesale.sync import reader as sync_reader
from wholesale.sync.reader import Reader
from wholesale.tables.ids import KEY

LAST_SWEEP = datetime.now(UTC) - timedelta(hours=3)
OLD = datetime(2024, 1, 1, tzinfo=UTC)
MOVES = ServiceProfile(newest_change_first=True)
"""An edit was seen to move an old order to the head of the list."""


@pytest.fixture(autouse=True)
def same_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run probes the pages that it would on any other day."""
    monkeypatch.setattr(sync_reader, "Random", lambda seed: Random(1))


def order(number: int, **more: Any) -> Record:
    """Orders of which those with a higher number are younger."""
    at = OLD + timedelta(hours=number)
    return {
        "id": f"id-{number:04}",
        "updated_at": at.isoformat(),
        "status": "new",
        **NO_ENTRIES,
        **more,
    }


def newest_first(count: int) -> list[Record]:
    return [order(number) for number in reversed(range(count))]


def changed(record: Record, at: datetime | None = None, **more: Any) -> Record:
    return record | {"updated_at": (at or datetime.now(UTC)).isoformat()} | more


def reader(service: Lists, before: list[Record], **due: Any) -> Reader:
    kept = stored("orders", before).after(Past(**({"scanned_at": LAST_SWEEP} | due)))
    return service.reader("orders", kept, known=MOVES, concurrency=1)


def test_where_nothing_changed_a_handful_of_requests_tell_so() -> None:
    service = Lists({"/orders": newest_first(1_000)})
    reading = reader(service, newest_first(1_000))

    assert ids(read(reading)) == []
    tally, doubts = reading.tally, reading.doubts
    assert (tally.strategy, tally.alive, doubts.sentences()) == (
        EARLY_STOP,
        1_000,
        [],
    )
    assert service.asked.total() == tally.pages == 1 + 3 + 1


def test_a_list_that_does_not_tell_how_many_pages_it_has_is_read_whole() -> None:
    records = newest_first(100)

    def untold(path: str, number: int) -> httpx.Response | None:
        return paged(records, number, total_pages=None) if number else None

    reading = reader(Lists({"/orders": records}, untold), newest_first(100))

    assert ids(read(reading)) == []
    assert (reading.tally.strategy, reading.doubts.sentences()) == (MANIFEST, [])


def test_the_last_page_is_always_looked_at() -> None:
    service = Lists({"/orders": newest_first(1_000)})

    assert ids(read(reader(service, newest_first(1_000)))) == []
    assert service.asked["/orders", 100] == 1


def test_new_and_changed_orders_at_the_head_are_read_by_id() -> None:
    before = newest_first(300)
    now = [changed(before[0], total="9"), order(900), *before[1:]]
    service = Lists({"/orders": sorted(now, key=lambda row: row["updated_at"], reverse=True)})
    reading = reader(service, before)

    assert sorted(ids(read(reading))) == sorted([before[0]["id"], "id-0900"])
    assert reading.tally.strategy == EARLY_STOP
    assert (reading.tally.new, reading.tally.changed, reading.tally.alive) == (
        1,
        1,
        301,
    )
    assert set(service.singles) == {f"/orders/{record['id']}" for record in now[:2]}


def test_what_only_the_summary_has_is_kept_where_the_body_lacks_it() -> None:
    before = [order(n, vendor_id="v") for n in reversed(range(100))]
    moved = changed(before[50], vendor_id="w")
    body = {name: value for name, value in moved.items() if name != "vendor_id"}
    service = Lists({"/orders": [moved, *before[:50], *before[51:]]})
    service.single = lambda path: answer(body)  # type: ignore[method-assign]

    (batch,) = read(reader(service, before))

    assert batch.decoded.root.select(["id", "vendor_id"]).to_pylist() == [
        {"id": moved["id"], "vendor_id": "w"}
    ]


def test_the_head_goes_down_to_what_is_older_than_the_sweep() -> None:
    old, young = newest_first(100), datetime.now(UTC) - timedelta(hours=3, minutes=30)
    head = [changed(order(500 + n), young - timedelta(seconds=n)) for n in range(25)]
    service = Lists({"/orders": [*head, *old]})
    reading = reader(service, [*head, *old])

    assert ids(read(reading)) == []
    assert reading.tally.strategy == EARLY_STOP
    assert service.asked["/orders", 4] >= 1


def unordered(records: list[Record]) -> list[Record]:
    return [*reversed(records[:10]), *records[10:]]


def late_date(records: list[Record]) -> list[Record]:
    """A change with a date of long ago stands far behind the head, on every page there."""
    return [*records[:10], *(row | {"total": "7"} for row in records[10:])]


def one_gone(records: list[Record]) -> list[Record]:
    return records[:-1]


def undated(records: list[Record]) -> list[Record]:
    return [records[0] | {"updated_at": None}, *records[1:]]


def of_one_time(records: list[Record]) -> list[Record]:
    """Any order is right where all are of one time, and a change of one stands anywhere; not at
    midnight, as such versions count whole days, and so the last scan may be of yesterday."""
    return [row | {"updated_at": records[0]["updated_at"]} for row in records]


@pytest.mark.parametrize("change", [unordered, late_date, one_gone, undated])
def test_any_sign_against_the_head_leads_to_the_whole_list(change: Any) -> None:
    before = newest_first(100)
    now = change(before)
    service = Lists({"/orders": now})
    reading = reader(service, before)

    wanted = [row["id"] for row, old in zip(now, before, strict=False) if row not in before]
    assert sorted(ids(read(reading))) == sorted(wanted)
    assert reading.tally.strategy == MANIFEST
    assert reading.gone == {row["id"] for row in before} - {row["id"] for row in now}


def test_orders_all_of_one_time_have_no_head() -> None:
    before = of_one_time(newest_first(100))
    now = [*before[:37], before[37] | {"total": "7"}, *before[38:]]
    reading = reader(Lists({"/orders": now}), before)

    assert "id-0037" in ids(read(reading))
    assert reading.tally.strategy == MANIFEST


def test_nothing_says_that_orders_all_of_one_time_are_as_they_were() -> None:
    before = of_one_time(newest_first(100))
    reading = reader(Lists({"/orders": before}), before)

    assert sorted(ids(read(reading))) == sorted(row["id"] for row in before)
    assert (reading.tally.strategy, reading.tally.full_scans) == (MANIFEST, 1)


@pytest.mark.parametrize(
    "due",
    [
        {"scanned_at": None},
        {"scanned_at": datetime.now(UTC) - timedelta(hours=25)},
        {"audit_part": 3},
    ],
)
def test_without_a_young_sweep_or_when_an_audit_is_due_the_whole_list_is_read(due: Any) -> None:
    reading = reader(Lists({"/orders": newest_first(50)}), newest_first(50), **due)

    read(reading)

    assert (reading.tally.strategy, reading.tally.full_scans) == (MANIFEST, 1)


def test_an_order_that_changes_while_the_head_is_read_is_not_missed() -> None:
    before = newest_first(200)
    moved = changed(before[150], total="5")
    after = [moved, *before[:150], *before[151:]]
    service = Lists({"/orders": before})
    count = iter(range(100))

    def page(path: str, number: int) -> None:
        if number == 1 and next(count) == 1:  # the head is looked at again
            service.lists = {"/orders": after}

    service.page = page
    reading = reader(service, before)

    assert ids(read(reading)) == [moved["id"]]
    assert reading.tally.strategy == EARLY_STOP


def test_a_head_that_goes_back_to_an_older_version_is_none() -> None:
    before = newest_first(200)
    service = Lists({"/orders": [changed(before[0], total="5"), *before[1:]]})
    count = iter(range(100))

    def page(path: str, number: int) -> None:
        if number == 1 and next(count) == 1:  # the head is looked at again
            service.lists = {"/orders": before}

    service.page = page
    reading = reader(service, before)

    read(reading)

    assert (reading.tally.strategy, reading.doubts.proof) == (MANIFEST, None)
    assert "1 record listed in an older version than before" in reading.doubts.sentences()


def test_an_order_that_was_put_back_to_an_older_version_is_found() -> None:
    """As many are listed as before, and the head shows nothing new: the order stands far below."""
    before = newest_first(1_000)
    edited = changed(before[500], OLD + timedelta(hours=999, minutes=30), status="shipped")
    service = Lists({"/orders": before})
    reading = reader(service, [edited, *before[:500], *before[501:]])

    assert ids(read(reading)) == [before[500]["id"]]
    assert (reading.tally.strategy, reading.doubts.sentences()) == (MANIFEST, [])


def test_what_an_early_stop_should_have_seen_is_counted_as_missed() -> None:
    before = newest_first(60)
    stopped = datetime.now(UTC) - timedelta(hours=2)
    backdated = changed(before[40], stopped - timedelta(hours=5), total="3")
    recent = changed(before[41], total="4")
    now = [
        backdated if row is before[40] else recent if row is before[41] else row for row in before
    ]
    reading = reader(Lists({"/orders": now}), before, scanned_at=None, stopped_at=stopped)

    assert sorted(ids(read(reading))) == sorted([backdated["id"], recent["id"]])
    assert reading.tally.missed == 1


@pytest.mark.parametrize("seed", range(12))
def test_over_many_runs_early_stops_leave_nothing_out(seed: int) -> None:
    """Orders come, change and go between the runs; what is stored is what the service has."""
    draw = Random(seed)
    service = {row["id"]: row for row in newest_first(draw.randrange(5, 120))}
    held = dict(service)
    strategies = set()
    for round_number in range(6):
        for _ in range(draw.randrange(6)):
            act_on(service, draw, round_number)
        listed = sorted(service.values(), key=lambda row: row["updated_at"], reverse=True)
        reading = reader(Lists({"/orders": listed}), list(held.values()))
        for key in ids(read(reading)):
            held[key] = service[key]
        for key in reading.gone:
            del held[key]

        assert held == service
        assert reading.doubts.sentences() == []
        assert reading.tally.alive == len(service)
        strategies.add(reading.tally.strategy)
    assert EARLY_STOP in strategies


def act_on(service: dict[str, Record], draw: Random, number: int) -> None:
    """One order comes, changes or goes; now and then one goes in the place of one that comes."""
    acts = draw.choice(["insert", "edit", "edit", "delete", "swap"])
    if acts in ("delete", "swap") and len(service) > 1:
        del service[draw.choice(sorted(service))]
    if acts in ("insert", "swap"):
        new = changed(order(draw.randrange(10**6, 10**7)))
        service[new["id"]] = new
    if acts == "edit":
        key = draw.choice(sorted(service))
        service[key] = changed(service[key], total=str(number))


@pytest.mark.parametrize("place", [1, 5])
def test_a_page_that_is_refused_or_cannot_be_counted_is_no_head(place: int) -> None:
    records = newest_first(100)

    def refuse(path: str, number: int) -> httpx.Response | None:
        is_first_run = service.asked[path, 1] <= 1
        if number == place == 1 and is_first_run:
            return paged(records, number, total_count=None)
        return answer({"error": "no"}, 422) if place == 5 and number > 5 and is_first_run else None

    service = Lists({"/orders": records}, refuse)
    reading = reader(service, newest_first(100))

    assert ids(read(reading)) == []
    assert (reading.tally.strategy, reading.doubts.sentences()) == (MANIFEST, [])


def test_a_head_that_is_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head, "MOST_PAGES", 1)
    before = newest_first(100)
    now = [changed(row, datetime.now(UTC) - timedelta(seconds=n)) for n, row in enumerate(before)]
    reading = reader(Lists({"/orders": now}), before)

    assert len(ids(read(reading))) == 100
    assert reading.tally.strategy == MANIFEST


@pytest.mark.parametrize("pages", [1, 100])
def test_a_head_that_never_rests_is_none(monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    monkeypatch.setattr(head, "MOST_PAGES", pages)
    before = newest_first(100)

    def bump(path: str, number: int) -> httpx.Response | None:
        if number == 1 and service.queries[-1]["verbose"] == "false":
            first = changed(before[0], datetime.now(UTC) + timedelta(seconds=service.asked.total()))
            service.lists = {"/orders": [first, *before[1:]]}
        return None

    service = Lists({"/orders": before}, bump)
    reading = reader(service, before)

    assert ids([*read(reading), *reading.late]).count(before[0]["id"]) >= 1
    assert reading.tally.strategy == MANIFEST


def test_a_head_of_which_every_record_changes_meanwhile_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(head, "MOST_PAGES", 1)
    before = newest_first(100)

    def bump(path: str, number: int) -> httpx.Response | None:
        if number == 1 and service.asked[path, 1] > 1:
            at = datetime.now(UTC) + timedelta(seconds=service.asked.total())
            service.lists = {path: [*(changed(row, at) for row in before[:10]), *before[10:]]}
        return None

    service = Lists({"/orders": before}, bump)
    reading = reader(service, before)

    found = ids([*read(reading), *reading.late])
    assert {*found} >= {row["id"] for row in before[:10]}
    assert reading.tally.strategy == MANIFEST


@pytest.mark.parametrize("place", [1, 10])
def test_a_page_that_stays_empty_is_none_of_an_ordered_list(place: int) -> None:
    records = newest_first(100)

    def page(path: str, number: int) -> httpx.Response | None:
        is_asked = number == place and service.asked[path, place] <= 2  # once and once more
        return paged([], number, total_count=100, total_pages=10) if is_asked else None

    service = Lists({"/orders": records}, page)
    reading = reader(service, newest_first(100))

    assert ids(read(reading)) == []
    assert (reading.tally.strategy, reading.doubts.sentences()) == (MANIFEST, [])


def test_an_empty_page_at_the_head_says_nothing_of_the_order() -> None:
    records = newest_first(100)
    service = Lists({"/orders": records})
    service.page = lambda path, number: (
        paged([], number, total_count=100, total_pages=10)
        if number == 1 and service.asked[path, 1] == 1
        else None
    )
    reading = reader(service, newest_first(100))

    assert ids(read(reading)) == []
    assert (reading.tally.strategy, reading.doubts.sentences()) == (EARLY_STOP, [])


@pytest.mark.parametrize(
    ("pages", "is_newest_first"),
    [
        ([[3, 2], [2, 1]], True),
        ([[1, 2], [2, 3]], False),
        ([[3, 2], [3]], False),
        ([[2, 2], [2]], False),
        ([[], [2], []], False),
        ([[3], [NO_VERSION]], False),
    ],
)
def test_an_order_holds_across_pages_and_ties_are_no_sign(
    pages: list[list[int]], is_newest_first: bool
) -> None:
    shown = head.Order(NOTHING)
    for page in pages:
        versions, states = np.array(page, np.int64), np.zeros(len(page), np.uint64)
        shown.see(Sightings(np.zeros(len(page), KEY), versions, states, states > 0))

    assert shown.is_newest_first is is_newest_first

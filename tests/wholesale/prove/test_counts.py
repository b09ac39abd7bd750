"""What a list counts, repeats or leaves out proves only what it can prove."""

from collections.abc import Mapping

import httpx
import pytest

from support.records.lists import (
    Lists,
    Record,
    answer,
    changed,
    ids,
    named_settings,
    numbered,
    on,
    orders,
    paged,
    read,
    stored,
)
from wholesale.api.profile import ServiceProfile
from wholesale.compare.past import Past


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
    assert (
        reader.tally.duplicates,
        reader.tally.ids_seen,
        reader.tally.new,
    ) == (1, 15, 15)
    assert reader.doubts.sentences() == []


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
    assert reader.doubts.sentences() == []


def test_a_total_that_is_too_low_is_outweighed_by_two_sweeps_that_agree() -> None:
    records = numbered(25)
    service = Lists({}, lambda path, number: paged(records, number, total_count=24))
    reader = service.reader("vendors")

    assert ids(read(reader)) == [record["id"] for record in records]
    assert (reader.tally.full_scans, reader.doubts.sentences()) == (2, [])
    assert reader.doubts.proof is not None
    assert reader.doubts.proof.kind == "agreement"


@pytest.mark.parametrize(("total", "pages"), [(26, 3), (27, 3), (250, 25)])
def test_a_total_that_is_too_high_is_believed_until_the_setting_says_otherwise(
    total: int, pages: int
) -> None:
    """There may be more than the list shows. Two sweeps that show the same will show no more."""
    records = numbered(25)
    service = Lists(
        {"/vendors": records},
        lambda path, number: paged(
            records, number, int(service.queries[-1]["limit"]), total_count=total, total_pages=pages
        ),
    )
    for known, settings in (
        (ServiceProfile(), {"lists_not_counted"}),
        (ServiceProfile(lists_not_counted=frozenset({"vendors"})), set()),
    ):
        reader = service.reader("vendors", stored("vendors", numbered(24)), known=known)

        assert len(ids(read(reader))) == 25
        assert (reader.tally.full_scans, named_settings(reader)) == (2, settings)
        assert (reader.doubts.proof is None) == bool(reader.doubts.sentences())
        assert (reader.doubts.proof is None) == bool(settings)


class Gaps(Lists):
    """Full pages lack their last record, and none has more than ten."""

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        records, limit = self.lists[path], min(10, int(query["limit"]))
        start, end = (number - 1) * limit, number * limit
        end -= end < len(records)
        pages = -(-len(records) // limit)
        following = number + 1 if number < pages else None
        return answer({"pagination": {"next": following}, "data": records[start:end]})


@pytest.mark.parametrize("page_size", [None, 10])
def test_what_falls_between_capped_pages_is_missed_by_no_agreement(page_size: int | None) -> None:
    known = ServiceProfile(page_size=page_size)
    reader = Gaps({"/vendors": numbered(35)}).reader("vendors", known=known, page_size=100)

    read(reader)

    assert (reader.doubts.proof, len(reader.doubts.sentences())) == (None, 1)


@pytest.mark.parametrize(("most", "is_proved"), [(10, True), (None, False)])
def test_two_sweeps_agree_only_if_they_are_cut_into_different_pages(
    most: int | None, is_proved: bool
) -> None:
    """The first service gives ten records a page at most, the second always as many."""
    records = numbered(35)

    def page(path: str, number: int) -> httpx.Response:
        limit = min(most, int(service.queries[-1]["limit"])) if most else 10
        return paged(records, number, limit, total_count=None, total_pages=None)

    service = Lists({}, page)
    reader = service.reader("vendors", page_size=100)

    assert len(ids(read(reader))) == 35
    assert (reader.doubts.proof is not None) == (not reader.doubts.sentences()) == is_proved


@pytest.mark.parametrize("resource", ["vendors", "orders", "categories"])
def test_a_list_that_counts_fewer_than_it_shows_proves_nothing_by_its_count(resource: str) -> None:
    records = orders(25)
    reader = Lists(
        {}, lambda path, number: paged(records, number, total_count=0, total_pages=0)
    ).reader(resource)

    assert sorted(set(ids(read(reader)))) == [record["id"] for record in records]
    assert reader.doubts.proof
    assert (reader.doubts.proof.kind, reader.tally.full_scans) == ("agreement", 2)
    assert (reader.doubts.suspects, reader.doubts.sentences()) == ((), [])


def test_page_one_for_ever_is_no_list() -> None:
    service = Lists({}, lambda path, number: paged(numbered(10), 1, total_pages=3, total_count=25))
    reader = service.reader("vendors")

    assert len(ids(read(reader))) == 10
    assert (reader.tally.full_scans, named_settings(reader)) == (2, {"lists_not_counted"})
    assert reader.doubts.sentences()[-1] == "page 2 repeats another, and the list names 3"


NEW = {"id": "new"}


@pytest.mark.parametrize(
    ("now", "comes_at", "sweeps"),
    [
        (numbered(25), None, 1),
        (numbered(25)[1:], None, 2),
        ([NEW, *numbered(25)[1:]], None, 2),
        (numbered(25), 2, 2),
        (numbered(25), 3, 3),  # behind the scan
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
    assert reader.tally.full_scans == sweeps
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

    assert reader.doubts.sentences() == [
        "1 record listed in an older version than before",
    ]


def test_an_order_that_a_list_hides_after_it_was_swept_proves_nothing_by_count() -> None:
    now = orders(20)
    service = Lists({"/orders": now})

    def page(path: str, number: int) -> httpx.Response | None:
        ends_seen = service.asked[path, 2]  # by two looks, then by the scan
        if ends_seen > 3 or (ends_seen == 3 and number != 2):
            return paged(now[:19], number)
        is_short = service.queries[-1]["verbose"] == "false"
        return paged(now, number, total_count=20 if ends_seen == 3 else 21) if is_short else None

    service.page = page
    reader = service.reader("orders", stored("orders", now[19:]), concurrency=1)

    assert sorted(ids(read(reader))) == [order["id"] for order in now[:19]]

    assert reader.doubts.sentences() == [
        "1 record there that the list neither shows nor counts",
    ]

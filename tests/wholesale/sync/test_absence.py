"""A stored record that is not listed is gone only if no answer of the service contradicts that."""

import json
from collections.abc import Mapping

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
from wholesale.sync.doubts import REFUSED


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
    assert (reader.gone, reader.doubts.sentences()) == ({"id-0000"}, [])


def test_an_order_that_is_404_though_the_list_goes_on_showing_it_is_kept_and_named() -> None:
    before = orders(25)
    service = Lists({"/orders": before})
    answered = service.single
    service.single = (  # type: ignore[method-assign]
        lambda path: not_found() if path == "/orders/id-0000" else answered(path)
    )
    service.page = lambda path, number: paged(changed(before, 1, status="shipped"), number)
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    assert ids(read(reader)) == []
    assert (reader.gone, reader.doubts.sentences()) == (set(), [f"1 record {REFUSED}"])


class Uncounted(Lists):
    """Its lists do not say how many records they have."""

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        body = json.loads(super().slice(path, number, query).read())
        return answer(body["data"])


def test_a_record_that_is_listed_again_once_it_was_404_puts_the_list_in_doubt() -> None:
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
    assert reader.doubts.sentences() == [
        "1 record 404 by detail requests and listed again",
    ]


def test_two_sweeps_that_agree_prove_nothing_while_a_record_lives_that_neither_shows() -> None:
    before = orders(25)
    hidden = {"/orders/id-0000": before[0]}
    service = Uncounted({"/orders": before[1:]}, hidden=hidden)
    reader = service.reader("orders", stored("orders", before))

    assert ids(read(reader)) == ["id-0000"], "it was asked for"

    assert reader.doubts.proof is None
    assert reader.gone == set()
    service.lists = {"/orders": before}
    reader = service.reader("orders", stored("orders", before))
    assert ids(read(reader)) == []
    assert reader.doubts.proof is not None


class Late(Lists):
    """Neither its list nor its detail requests know of the first order, until it was asked for."""

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        records = self.lists[path]
        shown = records if self.asked["/orders/id-0000", 0] else records[1:]
        return paged(shown, number, int(query["limit"]), total_count=len(records))

    def single(self, path: str) -> httpx.Response:
        is_late = path == "/orders/id-0000" and self.asked[path, 0] == 1
        return not_found() if is_late else super().single(path)


def test_a_record_that_was_404_and_is_listed_again_is_not_gone() -> None:
    before = orders(25)
    service = Late({"/orders": before})
    reader = service.reader("orders", stored("orders", before))

    for _ in read(reader):
        pass

    assert reader.gone == set()
    assert reader.doubts.sentences() == []


def test_what_a_window_hides_is_there_if_it_answers_by_its_id_and_is_counted() -> None:
    records = orders(25)
    service = Lists(
        {"/orders": records},
        lambda path, number: answer({"error": "no"}, 422) if number > 2 else None,
    )
    reader = service.reader("orders", stored("orders", records))

    assert sorted(ids(read(reader))) == [record["id"] for record in records[20:]]
    assert (reader.gone, reader.doubts.sentences()) == (set(), [])


@pytest.mark.parametrize(("resource", "field"), [("items", "title"), ("vendors", "name")])
def test_a_listed_record_that_answers_otherwise_by_its_id_is_as_the_list_shows_it_without_versions(
    resource: str, field: str
) -> None:
    """It is asked for as another one is missing; a replica that lags may answer."""
    versions = {"updated_at": on(2)} if resource == "vendors" else {}
    lists: Record = {} if resource == "vendors" else {"options": []}
    records = [record | {field: "new"} | versions for record in numbered(3, **lists)]
    service = Lists({f"/{resource}": records[:2]})
    listed = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        answer(records[0] | {field: "other"}) if path.endswith("/id-0000") else listed(path)
    )
    reader = service.reader(resource, stored(resource, records))

    loaded = [row for batch in read(reader) for row in batch.decoded.root.to_pylist()]
    loaded += [row for batch in reader.late for row in batch.decoded.root.to_pylist()]

    assert (reader.gone, reader.doubts.sentences()) == ({"id-0002"}, [])
    assert [row[field] for row in loaded if row["id"] == "id-0000"][-1:] == (
        ["other"] if versions else ["new"]
    )

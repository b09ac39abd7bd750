"""What contradicts the profile of a service makes a resource incomplete, in a sentence that names
the setting; nothing stored is lost, and the next run, or the setting, makes it complete."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import httpx
import pytest

from support.records.kept import Kept, doubted
from support.records.lists import (
    Lists,
    Record,
    answer,
    changed,
    named_settings,
    numbered,
    on,
    orders,
    paged,
)

LINES = [{"sku": "A"}, {"sku": "B"}]
RUNS = 3


class Dialect(Lists):
    """A service whose rows of the order list, pages in full and detail requests may differ: each is
    told what it would send."""

    def row(self, record: Record) -> Record:
        return record

    def full(self, record: Record) -> Record:
        return record

    def alone(self, record: Record) -> Record:
        return self.full(record)

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        limit, records = int(query["limit"]), self.lists.get(path, ())
        if query.get("verbose") == "false":
            shown = [self.row(record) for record in records]
            return Lists({path: shown}).slice(path, number, query)
        return paged([self.full(record) for record in records], number, limit)

    def single(self, path: str) -> httpx.Response:
        parent, _, key = path.rpartition("/")
        for record in self.lists.get(parent, ()):
            if record["id"] == key:
                return answer(self.alone(record))
        return super().single(path)


def with_lines(count: int, day: int = 1, lines: Any = LINES) -> list[Record]:
    return [order | {"order_line_items": lines} for order in orders(count, day)]


def complete_runs(kept: Kept, *names: str, **facts: Any) -> None:
    """Runs while nothing changes: the last one is complete at the latest."""
    for _ in range(RUNS):
        readers = kept.sync(*names, **facts)
    assert {name: doubted(readers[name]) for name in names} == {name: [] for name in names}


class Shouting(Dialect):
    """The order list shows each status in capital letters, or those of some."""

    some: frozenset[str] | None = None

    def row(self, record: Record) -> Record:
        is_one = self.some is None or record["id"] in self.some
        return record | {"status": record["status"].upper()} if is_one else record


def test_a_field_that_all_rows_of_the_list_show_otherwise_is_found_at_first_contact() -> None:
    kept = Kept(Shouting({"/orders": orders(45)}))

    complete_runs(kept, "orders")

    assert kept.values("orders", "status") == {row["id"]: "received" for row in orders(45)}


@pytest.mark.parametrize(("count", "unlike"), [(128, 11), (1_280, 101)])
def test_a_field_that_some_rows_show_otherwise_leaves_their_orders_due_until_it_is_set(
    count: int, unlike: int
) -> None:
    """Every record is in the table all the same, and the sentence names the same in every run."""
    service = Shouting({"/orders": orders(count)})
    service.some = frozenset(row["id"] for row in orders(count)[20:])
    service.some = frozenset(sorted(service.some)[:unlike])
    kept = Kept(service, page_size=100)

    for _ in range(2):
        reader = kept.sync("orders")["orders"]

        assert set(kept.rows["orders"]) == {row["id"] for row in orders(count)}
        assert set(reader.doubts.refused) == service.some
        assert doubted(reader) == ["unlike_fields"]
        assert any("status" in doubt for doubt in reader.doubts.sentences())
        assert kept.deleted["orders"] == set()

    complete_runs(kept, "orders", unlike_fields={"orders.status"})
    assert kept.values("orders", "status") == {row["id"]: "received" for row in orders(count)}


class LeavingOut(Dialect):
    """Full orders show no list of lines where there are none: it is `null`, or missing."""

    is_null = True

    def full(self, record: Record) -> Record:
        if record["order_line_items"]:
            return record
        without = {name: value for name, value in record.items() if name != "order_line_items"}
        return without | {"order_line_items": None} if self.is_null else without


@pytest.mark.parametrize("is_null", [True, False])
def test_lists_that_are_left_out_where_they_are_empty_are_found_at_first_contact(
    is_null: bool,
) -> None:
    mixed = [*with_lines(5), *orders(45)[5:]]
    service = LeavingOut({"/orders": mixed})
    service.is_null = is_null
    kept = Kept(service)

    complete_runs(kept, "orders")

    assert kept.counts("orders__order_line_items") == {
        row["id"]: len(row["order_line_items"]) for row in mixed
    }


@pytest.mark.parametrize("lines", [None, {"17": {"sku": "A"}}, "none"])
def test_lists_that_come_otherwise_from_the_second_run_on_empty_nothing(lines: Any) -> None:
    service = Dialect({"/orders": with_lines(45)})
    kept = Kept(service)
    complete_runs(kept, "orders")

    odd = with_lines(45, day=2, lines=lines)
    service.lists = {"/orders": [*with_lines(20), *odd[20:32], *with_lines(45)[32:]]}
    for _ in range(2):
        reader = kept.sync("orders")["orders"]

        assert named_settings(reader) == (set() if lines else {"empty_lists_left_out"})
        assert len(reader.doubts.refused) == 12
        assert kept.counts("orders__order_line_items") == {row["id"]: 2 for row in orders(45)}

    reader = kept.sync("orders", empty_lists_left_out={"orders__order_line_items"})["orders"]
    if lines is None:
        assert doubted(reader) == []
    else:
        assert len(reader.doubts.refused) == 12, "an object is no empty list"
        assert kept.counts("orders__order_line_items") == {row["id"]: 2 for row in orders(45)}


@pytest.mark.parametrize("lacking", [12, 45])
def test_lists_that_a_whole_page_lacks_from_the_second_run_on_empty_nothing(lacking: int) -> None:
    service = Dialect({"/orders": with_lines(45)})
    kept = Kept(service)
    complete_runs(kept, "orders")

    odd = with_lines(lacking, day=2, lines=None)
    service.lists = {"/orders": [*odd, *with_lines(45)[lacking:]]}
    for run in range(RUNS):
        # another fact is set in the second run, so that all is looked at anew
        sync = partial(kept.sync, unlike_fields=set()) if run == 1 else kept.sync
        reader = sync("orders")["orders"]

        assert doubted(reader) == ["empty_lists_left_out"]

    assert kept.counts("orders__order_line_items") == {row["id"]: 2 for row in orders(45)}


class Shrinking(Dialect):
    """Its lists show a field no more, from a moment on; detail requests may go on to show it."""

    field = "title"
    shows_less = False
    alone_too = False

    def full(self, record: Record) -> Record:
        if not self.shows_less:
            return record
        return {name: value for name, value in record.items() if name != self.field}

    def alone(self, record: Record) -> Record:
        return self.full(record) if self.alone_too else record


@pytest.mark.parametrize("resource", ["vendors", "brands"])
def test_a_field_that_a_short_list_loses_altogether_is_kept_until_it_is_looked_at_anew(
    resource: str,
) -> None:
    records = numbered(3, name="V", title="T", email="e", updated_at=on(1))
    service = Shrinking({f"/{resource}": records})
    service.field, service.alone_too = "email", True
    kept = Kept(service)
    complete_runs(kept, resource)
    before = kept.values(resource, "email")

    service.shows_less = True
    reader = kept.sync(resource)[resource]

    assert doubted(reader) == ["lists_in_short"]
    assert kept.values(resource, "email") == before
    complete_runs(kept, resource)


def test_a_list_of_two_that_shows_less_takes_nothing_from_what_is_stored() -> None:
    service = Shrinking({"/vendors": numbered(2, name="V", email="e", updated_at=on(1))})
    service.field = "email"
    kept = Kept(service)
    complete_runs(kept, "vendors")
    before = kept.values("vendors", "email")

    service.shows_less = True
    kept.sync("vendors")

    assert kept.values("vendors", "email") == before


@pytest.mark.parametrize("alone_too", [False, True])
@pytest.mark.parametrize("resource", ["vendors", "items", "orders"])
def test_a_list_that_suddenly_shows_less_takes_nothing_from_what_is_stored(
    resource: str, alone_too: bool
) -> None:
    name = {"orders": "payment_status", "vendors": "name", "items": "title"}[resource]
    lists: Record = {"options": []} if resource == "items" else {}
    records = [row | {name: "T", "updated_at": on(1), **lists} for row in orders(45)]
    service = Shrinking({f"/{resource}": records})
    service.field = name
    kept = Kept(service)
    complete_runs(kept, resource)
    before = kept.values(resource, name)
    assert len(before) == 45

    service.shows_less, service.alone_too = True, alone_too
    service.lists = {f"/{resource}": changed(records, 20, updated_at=on(2))}
    reader = kept.sync(resource)[resource]

    assert doubted(reader) == (["lists_in_short"] if alone_too else []), "each is asked for by id"
    assert kept.values(resource, name) == before
    complete_runs(kept, resource)
    if not alone_too:
        assert kept.values(resource, name) == before


@pytest.mark.parametrize("status", [422, 413])
def test_a_page_size_that_is_refused_from_a_run_on_is_found_out_by_the_next(status: int) -> None:
    def page(path: str, number: int) -> httpx.Response | None:
        limit = int(service.queries[-1]["limit"])
        return answer({"error": "limit"}, status) if limit > most else None

    most = 100
    service = Lists({"/orders": orders(60), "/vendors": numbered(60)}, page)
    kept = Kept(service, page_size=20)
    complete_runs(kept, "vendors", "orders")

    most = 10
    readers = kept.sync("vendors", "orders")
    assert {name: doubted(reader) for name, reader in readers.items()} == {
        "vendors": ["page_size"],
        "orders": ["page_size"],
    }
    assert (len(kept.rows["orders"]), kept.deleted) == (60, {"vendors": set(), "orders": set()})

    readers = kept.sync("vendors", "orders")
    assert {name: doubted(reader) for name, reader in readers.items()} == {
        "vendors": [],
        "orders": [],
    }


def test_items_that_count_other_variants_than_their_lists_show_are_told_until_it_is_set() -> None:
    items = [{"id": f"i{n}", "variants_count": 2 + (n == 3), "options": []} for n in range(5)]
    lists = {
        f"/items/i{n}/variants": [{"id": f"v{n}{m}", "options": []} for m in "ab"] for n in range(5)
    }
    kept = Kept(Lists({"/items": items, **lists}))

    for _ in range(2):
        reader = kept.sync("items", "variants")["variants"]

        assert doubted(reader) == ["variants_are_counted"]
        assert len(kept.rows["variants"]) == 10

    complete_runs(kept, "items", "variants", variants_are_counted=False)
    assert kept.deleted["variants"] == set()


def test_lists_of_items_that_count_none_are_read_where_counts_are_not_believed() -> None:
    items = [{"id": f"i{n}", "variants_count": 0, "options": []} for n in range(20)]
    lists: dict[str, list[Record]] = {f"/items/i{n}/variants": [] for n in range(20)}
    lists["/items/i7/variants"] = [{"id": "v", "options": []}]
    kept = Kept(Lists({"/items": items, **lists}))

    readers = kept.sync("items", "variants", variants_are_counted=False)

    assert doubted(readers["variants"]) == []
    assert set(kept.rows["variants"]) == {"v"}

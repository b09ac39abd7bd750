"""Some orders are read again by themselves; nothing else of the warehouse changes."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from conftest import Loader
from support.records.changes import LATER
from support.records.samples import guid, line, order
from wholesale.api import RESOURCES, ServiceFacts
from wholesale.errors import WholesaleError
from wholesale_elt.load.rereading import Reread, Wanted, reread_records
from wholesale_sandbox.server import Sandbox

ORDERS = 9
STORED = "select order_number, status, total from orders where _deleted_at is null order by 1"
RUNS = "select count(*), max(run_id) from sync_runs"


def reread(loader: Loader, *ids: str, **wanted: Any) -> Reread:
    return reread_records(loader.settings, loader.warehouse, Wanted(ids, **wanted))


FIELD = {
    "vendors": "name",
    "buyers": "company_name",
    "buyer_users": "full_name",
    "items": "title",
    "variants": "sku",
    "item_images": "url",
    "price_lists": "name",
    "prices": "currency",
    "brands": "title",
}
"""A field of each other resource that can be asked for by id."""
PARENTS = {"buyer_users": "buyers", "variants": "items"}


def pinned(loader: Loader, **facts: Any) -> Loader:
    settings = loader.settings.model_copy(update={"service": ServiceFacts(**facts)})
    return replace(loader, settings=settings)


@pytest.fixture
def loaded(sandbox: Sandbox, loader: Loader) -> Loader:
    for number in range(ORDERS):
        at = f"2026-01-{1 + number:02}T10:00:00Z"
        sandbox.put("orders", order(f"A{number}", updated_at=at, order_line_items=[line("x")]))
    assert loader.load("orders").is_complete
    sandbox.requests.clear()
    return loader


def test_an_order_is_as_the_service_has_it_with_its_children_and_others_stay(
    sandbox: Sandbox, loaded: Loader
) -> None:
    runs, others = loaded.rows(RUNS), [(f"A{n}", "received", Decimal("10.5")) for n in range(2, 9)]
    lines = [line("y"), line("z")]
    sandbox.put("orders", order("A0", status="shipped", updated_at=LATER, order_line_items=lines))
    sandbox.put("orders", order("A1", total="7"))  # edited without a new updated_at
    sandbox.put("orders", order("A2", status="shipped", updated_at=LATER))  # not asked for

    read = reread(loaded, guid("A0").upper().replace("-", ""), numbers=["A1"])

    assert (read.tally.ids_seen, read.tally.new, read.tally.changed) == (
        2,
        0,
        2,
    )
    assert loaded.rows(STORED) == [
        ("A0", "shipped", Decimal("10.5")),
        ("A1", "received", Decimal("7")),
        *others,
    ]
    assert loaded.rows(
        "select order_number, sku from orders__order_line_items as line"
        " join orders on orders.id = line.order_id where order_number < 'A2' order by all"
    ) == [("A0", "y"), ("A0", "z")]
    assert loaded.rows(RUNS) == runs
    assert sandbox.requests.counts() == {"list_orders": 1, "get_order": 2}


def test_an_edit_that_the_list_does_not_show_is_read_too(sandbox: Sandbox, loaded: Loader) -> None:
    for number in range(2):
        at, lines = f"2026-01-{1 + number:02}T10:00:00Z", [line("x", quantity=7)]
        sandbox.put("orders", order(f"A{number}", updated_at=at, order_line_items=lines))

    assert reread(loaded, guid("A0"), guid("A1")).tally.changed == 2
    assert loaded.rows("select count(*) from orders__order_line_items where quantity = 7") == [(2,)]


def test_a_sync_after_it_finds_what_is_left_and_is_complete(
    sandbox: Sandbox, loaded: Loader
) -> None:
    sandbox.put("orders", order("A0", status="shipped", updated_at=LATER))
    sandbox.put("orders", order("A1", status="shipped", updated_at=LATER))
    sandbox.put("orders", order("new", updated_at=LATER))
    assert reread(loaded, guid("A0"), guid("new")).tally.new == 1

    outcome = loaded.load("orders")

    assert outcome.is_complete
    assert [(row.new, row.changed) for row in outcome.certificates] == [(0, 1)]
    assert loaded.rows("select order_number from orders where status = 'shipped' order by 1") == [
        ("A0",),
        ("A1",),
    ]


def test_what_is_as_it_was_writes_nothing(loaded: Loader) -> None:
    before = loaded.contents()

    read = reread(loaded, guid("A3"))

    assert (read.tally.ids_seen, read.tally.changed) == (1, 0)
    assert loaded.contents() == before


def test_an_order_that_is_not_found_is_named_and_not_marked_as_deleted(
    sandbox: Sandbox, loaded: Loader
) -> None:
    sandbox.delete("orders", guid("A0"))

    read = reread(loaded, guid("A0"), guid("nowhere"), guid("A1"))

    assert sorted(read.not_found) == sorted([guid("A0"), guid("nowhere")])
    assert read.tally.ids_seen == 1
    assert len(loaded.rows(STORED)) == ORDERS


def test_an_order_that_comes_incomplete_changes_nothing_that_is_stored(
    sandbox: Sandbox, loaded: Loader
) -> None:
    before = loaded.contents()
    less = order("A0", status="shipped", updated_at=LATER)
    del less["order_line_items"]
    sandbox.put("orders", less)

    read = reread(loaded, guid("A0"))

    assert read.doubts.refused == (guid("A0"),)
    assert loaded.contents() == before


def test_an_older_version_than_is_stored_is_refused(sandbox: Sandbox, loaded: Loader) -> None:
    before = loaded.contents()
    sandbox.put("orders", order("A5", status="shipped", updated_at="2026-01-01T10:00:00Z"))

    read = reread(loaded, guid("A5"), guid("A6"))

    assert (read.tally.ids_seen, read.doubts.refused) == (2, (guid("A5"),))
    assert [fault for fault in read.doubts.faults if "older version" in fault] != []
    assert loaded.contents() == before


SINCE = datetime(2026, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize("list_order", ["oldest", "newest", "updated", "shuffled"])
@pytest.mark.parametrize("is_head_known", [False, True])
def test_all_orders_updated_since_a_day_are_read_whatever_the_order_of_the_list(
    sandbox: Sandbox, loaded: Loader, list_order: str, is_head_known: bool
) -> None:
    sandbox.dials.change({"list_order": {"orders": list_order}})
    loader = pinned(loaded, newest_change_first=is_head_known)
    loader.load("orders")
    sandbox.requests.clear()
    for number in (2, 5):
        sandbox.put("orders", order(f"A{number}", status="shipped", updated_at=LATER))
    sandbox.put("orders", order("A8", total="3", updated_at="2026-01-09T10:00:00Z"))  # silent
    sandbox.put("orders", order("A0", total="3", updated_at="2026-01-01T10:00:00Z"))  # too old

    read = reread(loader, since=SINCE)

    assert (read.tally.ids_seen, read.tally.changed, read.doubts.mismatch) == (
        4,  # with A7, which is as it was
        3,
        "",
    )
    assert loader.rows("select order_number from orders where status = 'shipped' order by 1") == [
        ("A2",),
        ("A5",),
    ]
    assert loader.rows("select order_number from orders where total = 3") == [("A8",)]
    assert sandbox.requests.counts()["get_order"] == 4


def test_since_a_day_with_nothing_new_asks_for_what_is_of_that_day_alone(
    sandbox: Sandbox, loaded: Loader
) -> None:
    before = loaded.contents()

    read = reread(loaded, since=SINCE)

    assert (read.tally.ids_seen, read.tally.changed, read.doubts.mismatch) == (2, 0, "")
    assert loaded.contents() == before


def test_since_a_day_deleted_orders_stay_and_new_ones_come(
    sandbox: Sandbox, loaded: Loader
) -> None:
    sandbox.delete("orders", guid("A8"))
    sandbox.put("orders", order("new", updated_at=LATER))

    read = reread(loaded, since=SINCE)

    assert (read.tally.new, read.not_found, read.doubts.mismatch) == (1, (), "")
    assert len(loaded.rows(STORED)) == ORDERS + 1


def test_a_list_that_is_not_proved_may_hide_orders_of_that_day(
    sandbox: Sandbox, loaded: Loader
) -> None:
    sandbox.put("orders", order("A8", status="shipped", updated_at=LATER))
    sandbox.dials.change({"faults": [{"fault": "totals-above"}]})

    read = reread(loaded, since=SINCE)

    assert read.doubts.mismatch != ""
    assert read.tally.changed == 1


def test_where_the_list_alone_shows_a_field_an_order_by_itself_is_refused(loaded: Loader) -> None:
    with pytest.raises(WholesaleError, match="vendor_name"):
        reread(pinned(loaded, list_only_fields=["vendor_name"]), guid("A0"))


def test_a_number_that_no_stored_order_has_is_refused(loaded: Loader) -> None:
    with pytest.raises(WholesaleError, match="A77"):
        reread(loaded, numbers=["A77"])


def test_before_the_first_sync_of_orders_it_is_refused(sandbox: Sandbox, loader: Loader) -> None:
    with pytest.raises(WholesaleError, match="wholesale sync"):
        reread(loader, guid("A0"))


def test_every_resource_with_a_detail_request_can_be_named_by_id() -> None:
    assert {"orders", *FIELD} == {row.name for row in RESOURCES if row.get_endpoint}


@pytest.mark.parametrize(("resource", "field"), FIELD.items())
def test_a_record_is_as_the_service_has_it_and_its_neighbours_stay(
    sandbox: Sandbox, loader: Loader, resource: str, field: str
) -> None:
    if parent := PARENTS.get(resource):
        sandbox.put(parent, {"id": guid("parent"), FIELD[parent]: "parent"})

    def put(name: str, value: str) -> None:
        record = {"id": guid(name), field: value}
        sandbox.put(resource, record, parent_id=guid("parent") if parent else None)

    for name in ("a", "b", "c", "d"):
        put(name, "before")
    loader.load(*([parent] if parent else []), resource)
    stored = f"select {field} from {resource} where _deleted_at is null order by id"
    assert loader.rows(stored) == [("before",)] * 4
    runs = loader.rows(RUNS)
    put("a", "now")
    put("b", "now")
    sandbox.delete(resource, guid("c"))
    sandbox.requests.clear()

    read = reread(loader, guid("a").upper(), guid("c"), guid("d"), resource=resource)

    assert (read.tally.ids_seen, read.tally.new, read.tally.changed) == (2, 0, 1)
    assert (read.not_found, read.doubts.refused) == ((guid("c"),), ())
    assert sorted(loader.rows(stored)) == [("before",)] * 3 + [("now",)]
    assert loader.rows(RUNS) == runs
    (endpoint,) = {str(row.get_endpoint) for row in RESOURCES if row.name == resource}
    assert sandbox.requests.counts()[endpoint] == 3


def test_a_record_that_is_not_stored_comes_by_its_id(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("vendors", {"id": guid("a"), "name": "a"})
    loader.load("vendors")
    sandbox.put("vendors", {"id": guid("b"), "name": "b"})

    assert reread(loader, guid("b"), resource="vendors").tally.new == 1
    assert loader.rows("select name from vendors order by 1") == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("wanted", "named"),
    [
        ({"resource": "categories", "ids": ["x"]}, "categories"),
        ({"resource": "custom_fields", "ids": ["x"]}, "custom_fields"),
        ({"resource": "vendors", "numbers": ["x"]}, "--number"),
        ({"resource": "vendors", "since": SINCE}, "--updated-since"),
        ({"resource": "variants", "ids": ["x"]}, "items"),
        ({"resource": "vendor", "ids": ["x"]}, "no such resource"),
    ],
)
def test_what_no_request_can_answer_is_refused_in_a_line(
    sandbox: Sandbox, loaded: Loader, wanted: Any, named: str
) -> None:
    with pytest.raises(WholesaleError, match=named):
        reread_records(loaded.settings, loaded.warehouse, Wanted(**wanted))
    assert sandbox.requests.counts().get("list_variants") is None

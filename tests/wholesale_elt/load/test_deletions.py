"""A record that is gone is marked and stays, as soon as its absence is certain."""

import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale_elt.load.sync import sync_resources
from wholesale_sandbox.server import Sandbox


def test_a_record_that_is_gone_is_marked_and_stays_and_loses_the_mark_when_it_returns(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.put("orders", order("B", order_line_items=[line("x")]))
    loader.load("orders")
    sandbox.delete("orders", guid("B"))

    gone = loader.load("orders")
    marks = loader.rows("select order_number, _deleted_at is not null from orders order by 1")
    lines = loader.rows("select sku from orders__order_line_items")
    again = loader.load("orders")
    sandbox.put("orders", order("B"))
    back = loader.load("orders")

    assert (gone.is_complete, again.is_complete, back.is_complete) == (True, True, True)
    assert [run.certificates[0].deleted for run in (gone, again, back)] == [1, 0, 0]
    assert marks == [("A", False), ("B", True)]
    assert lines == [("x",)]
    assert loader.rows("select order_number, _deleted_at from orders order by 1") == [
        ("A", None),
        ("B", None),
    ]
    assert loader.rows("select sku from orders__order_line_items") == []


@pytest.mark.slow
@pytest.mark.parametrize("resource", ["prices", "categories", "buyer_users", "variants"])
def test_deletes_are_seen_in_every_resource_however_it_is_read(
    sandbox: Sandbox, loader: Loader, resource: str
) -> None:
    sandbox.put("items", {"id": guid("parent")})
    sandbox.put("buyers", {"id": guid("parent")})
    parent = guid("parent") if resource in ("buyer_users", "variants") else None
    for name in ("stays", "goes"):
        sandbox.put(resource, {"id": guid(name)}, parent_id=parent)
    loader.load()
    sandbox.delete(resource, guid("goes"))

    assert loader.load().is_complete

    rows = loader.rows(f"select id, _deleted_at is not null from {resource} order by 2")
    assert rows == [(guid("stays"), False), (guid("goes"), True)]


def test_an_empty_list_is_not_believed_unless_a_full_run_asks_for_every_record(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    sandbox.delete("orders", guid("A"))

    (doubtful,) = loader.load("orders").certificates
    marks = loader.rows("select _deleted_at from orders")
    certain = sync_resources(loader.settings, loader.warehouse, ["orders"], is_full=True)

    assert (doubtful.verdict, doubtful.complete_as_of, doubtful.open_suspects, doubtful.reason) == (
        *("incomplete", None, 1),
        "1 stored record not listed, and not settled yet",
    )
    assert loader.rows("select run_id, resource, id from sync_suspects") == [
        (doubtful.run_id, "orders", guid("A"))
    ]
    assert marks == [(None,)]
    assert certain.is_complete
    assert loader.rows("select _deleted_at is not null from orders") == [(True,)]


@pytest.mark.slow
@pytest.mark.parametrize(("minutes", "is_gone"), [(1, False), (3, True)])
def test_an_empty_list_is_believed_when_a_run_found_it_as_empty_two_minutes_before(
    sandbox: Sandbox, loader: Loader, minutes: int, is_gone: bool
) -> None:
    for name in "ABC":
        sandbox.put("orders", order(name))
    loader.load("orders")
    for name in "ABC":
        sandbox.delete("orders", guid(name))
    loader.load("orders")
    loader.execute(f"update sync_runs set ended_at = ended_at - interval '{minutes} minutes'")

    (again,) = loader.load("orders").certificates

    assert (again.verdict, again.open_suspects, again.deleted) == (
        ("complete", 0, 3) if is_gone else ("incomplete", 3, 0)
    )
    assert loader.rows("select distinct _deleted_at is not null from orders") == [(is_gone,)]

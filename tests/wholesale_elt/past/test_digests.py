"""A digest that goes on from the last one is that of all that is stored."""

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale.api import RESOURCE
from wholesale.sync import moment_of
from wholesale.tables import shape_of
from wholesale_elt.past.digests import digest_as_of
from wholesale_sandbox.server import Sandbox


def noted(loader: Loader) -> list[tuple[str, str | None]]:
    return loader.rows("select run_id, digest from sync_runs where resource = 'orders' order by 1")


def test_each_digest_is_that_of_what_was_stored_then(sandbox: Sandbox, loader: Loader) -> None:
    at = "2026-03-01T00:00:{:02}Z"
    sandbox.put("orders", order("A", order_line_items=[line("1"), line("2")]))
    sandbox.put("orders", order("B"))
    loader.load("orders")
    loader.load("orders")
    edited = order("A", total="2", order_line_items=[line("2")], updated_at=at.format(1))
    sandbox.put("orders", edited | {"more": "new"})
    sandbox.put("orders", order("C"))
    loader.load("orders")
    sandbox.delete("orders", guid("B"))
    loader.load("orders")
    sandbox.put("orders", order("B", updated_at=at.format(2)))
    loader.load("orders")

    found = noted(loader)
    with loader.warehouse.open(is_read_only=True) as raw:
        shape = shape_of(RESOURCE["orders"], raw.columns())
        afresh = [(run, digest_as_of(raw, shape, moment_of(run)).text) for run, _ in found]
    assert found == afresh
    first, unchanged, *others = (text for _, text in found)
    assert first == unchanged
    assert len({first, *others}) == 4


def test_what_was_changed_by_hand_differs_until_all_is_looked_at_again(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("1"), line("2")]))
    loader.load("orders")
    [(_, before)] = noted(loader)
    loader.execute("delete from orders__order_line_items where line_number = 2")
    loader.load("orders")

    assert [text for _, text in noted(loader)] == [None, before]

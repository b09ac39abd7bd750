"""Warehouses that a run left unfinished, or that somebody changed by hand."""

import duckdb
import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale_sandbox.server import Sandbox


@pytest.mark.parametrize("made", ["create schema wholesale_raw", ""])
def test_a_run_goes_on_where_one_died_before_there_was_a_table(
    sandbox: Sandbox, loader: Loader, made: str
) -> None:
    sandbox.put("brands", {"id": guid("brand"), "name": "Nord"})
    with duckdb.connect(str(loader.warehouse.database)) as connection:
        connection.execute(made)

    assert loader.load("brands").is_complete

    assert loader.rows("select name from brands") == [("Nord",)]


def test_what_was_dropped_by_hand_is_there_again_after_the_next_sync(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    loader.load("orders")
    before = loader.contents()
    loader.execute("alter table orders drop column total; drop table orders__order_line_items")
    loader.execute("drop table sync_suspects; alter table sync_runs drop column proof")

    assert loader.load("orders").is_complete

    columns = "id, order_number, total, updated_at"
    assert loader.rows(f"select {columns} from orders") == [
        (guid("A"), "A", 10.5, loader.rows("select updated_at from orders")[0][0])
    ]
    assert loader.contents().keys() == before.keys()
    assert loader.rows("select proof from sync_runs order by run_id") == [(None,), ("count",)]
    assert loader.rows("select sku from orders__order_line_items") == [("x",)]

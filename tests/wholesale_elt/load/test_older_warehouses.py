"""Warehouses that an earlier version left, or that somebody changed by hand."""

import json

import duckdb
import pytest
from dlt.common.schema import Schema

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale_elt.inspect.status import read_overview
from wholesale_elt.load.observations import WATCHED, log_of
from wholesale_elt.runs.history import read_complete_moments
from wholesale_sandbox.server import Sandbox

ADDED = ("complete_as_of", "proof", "open_suspects", "alive")
LOGS = tuple(map(log_of, WATCHED))
LATER = ("sync_changes", "sync_child_rows", "sync_suspects", "sync_versions", *LOGS)


@pytest.fixture
def older(sandbox: Sandbox, loader: Loader) -> Loader:
    """A warehouse without what certificates have since then, of which dlt knows nothing either."""
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    sandbox.put("items", {"id": guid("item"), "title": "Mug", "variants_count": 1})
    sandbox.put("variants", {"id": guid("red"), "sku": "R"}, parent_id=guid("item"))
    assert loader.load().is_complete
    with duckdb.connect(str(loader.warehouse.database)) as connection:
        connection.execute("set schema = 'wholesale_raw'")
        for table in LATER:
            connection.execute(f"drop table {table}")
        for column in ADDED:
            connection.execute(f"alter table sync_runs drop column {column}")
        for version, text in connection.execute(
            "select version_hash, schema from _dlt_version"
        ).fetchall():
            schema = json.loads(text)
            for table in LATER:
                schema["tables"].pop(table, None)
            for column in ADDED:
                schema["tables"].get("sync_runs", {"columns": {}})["columns"].pop(column, None)
            then = Schema.from_dict(schema, bump_version=True)
            connection.execute(
                "update _dlt_version set schema = $1, version_hash = $2 where version_hash = $3",
                [json.dumps(then.to_dict()), then.version_hash, version],
            )
    return loader


def test_status_tells_of_an_older_warehouse_that_it_was_not_proved_complete(older: Loader) -> None:
    orders = read_overview(older.warehouse).resources[0]

    assert (orders.resource, orders.rows, orders.verdict) == ("orders", 1, "complete")
    assert (orders.complete_as_of, orders.proof, orders.open_suspects) == (None, None, 0)
    assert orders.last_run_at is not None
    assert orders.is_older_than(1_000)


@pytest.mark.slow
def test_a_sync_brings_an_older_warehouse_up_to_date_and_reads_what_would_not_be_due(
    sandbox: Sandbox, older: Loader
) -> None:
    before = older.contents()
    sandbox.put("orders", order("B"))

    outcome = older.load()

    assert (outcome.is_complete, outcome.not_due) == (True, ())
    assert older.rows("select order_number from orders order by 1") == [("A",), ("B",)]
    assert older.contents() == before | {
        "orders": older.rows("select * from orders order by all"),
        "sync_changes": [],
        "sync_child_rows": [("items", 0), ("orders", 1), ("variants", 0)],
        "sync_suspects": [],
        **{log: [] for log in LOGS},
        "orders__observations": [(guid("B"), "received", None, None, None)],
    }
    assert older.rows(
        "select run_id = max(run_id) over () as is_new, count(*), count(complete_as_of),"
        " count(proof), count(open_suspects) from sync_runs group by run_id order by 1"
    ) == [(False, 12, 0, 0, 0), (True, 12, 12, 12, 12)]
    with older.warehouse.open(is_read_only=True) as raw:
        assert "variants" in read_complete_moments(raw)


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

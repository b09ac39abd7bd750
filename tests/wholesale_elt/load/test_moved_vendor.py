"""The part of one vendor, of what was of another one before."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale_elt.load import copy_as_of
from wholesale_elt.warehouse import Warehouse
from wholesale_sandbox.server import Sandbox

A, B = guid("A"), guid("B")
STAMPS = {"created_at": "2026-01-01T10:00:00Z", "updated_at": "2026-01-02T10:00:00Z"}
LATER = {"updated_at": "2026-02-02T10:00:00Z"}


def item(name: str, vendor: str, **fields: Any) -> dict[str, Any]:
    return {"id": guid(name), "title": f"{name} now", "vendor_id": vendor, **fields}


@pytest.fixture
def part(sandbox: Sandbox, loader: Loader, tmp_path: Path) -> duckdb.DuckDBPyConnection:
    """What A has once an item and an order of B have become its own."""
    for vendor in "AB":
        sandbox.put("vendors", {"id": guid(vendor), "name": vendor, **STAMPS})
    sandbox.put("items", item("stays", A))
    sandbox.put("items", item("moves", B))
    lines = [
        line(name, item_id=guid(name), title=f"{name} then") for name in ("stays", "moves", "none")
    ]
    mixed = {"vendor_id": A, "order_line_items": lines, "vendor_minimum_order_value": 100}
    sandbox.put("orders", order("own", **mixed))
    sandbox.put("orders", order("moved", vendor_id=B, vendor_minimum_order_value="7013.41"))
    loader.load("vendors", "items", "orders")
    sandbox.put("items", item("moves", A))
    sandbox.put("orders", order("moved", vendor_id=A, vendor_minimum_order_value="7013.41") | LATER)
    after = [line("moves", item_id=guid("moves"), title="moves now")]
    created = {"created_at": "2999-01-01T00:00:00Z", "updated_at": "2999-01-01T00:00:00Z"}
    sandbox.put("orders", order("after", vendor_id=A, order_line_items=after) | created)
    loader.load("vendors", "items", "orders")

    target = Warehouse(tmp_path / "part.duckdb")
    copy_as_of(loader.warehouse, target, datetime.now(UTC), part=f"vendor={A}")
    connection = duckdb.connect(str(target.database), read_only=True)
    connection.execute("set schema = 'wholesale_raw'")
    return connection


def test_a_line_is_of_whose_its_item_was_on_its_day_and_an_order_tells_no_minimum_of_another(
    part: duckdb.DuckDBPyConnection,
) -> None:
    lines = part.execute(
        "select order_number, title from orders__order_line_items as line"
        " join orders on orders.id = order_id order by all"
    ).fetchall()
    minimums = part.execute(
        "select order_number, vendor_minimum_order_value, total from orders order by all"
    ).fetchall()

    # A line of an unknown item and no name is the order's vendor's.
    assert lines == [("after", "moves now"), ("own", "none then"), ("own", "stays then")]
    assert minimums == [
        ("after", None, Decimal("10.5")),
        ("moved", None, Decimal("10.5")),
        ("own", Decimal(100), None),
    ]

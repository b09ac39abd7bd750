"""Many orders: served page by page from nothing, and synced in bounded memory.

`poe million` takes a million, under the same bounds.
"""

import os
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from support.services.peaks import peak_kib
from support.services.service import WHOLESALE, served
from wholesale.settings import ApiSettings
from wholesale_elt.load.copies import copy_as_of
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

ORDERS = int(os.environ.get("MANY_ORDERS", "25000"))
MOST_MEMORY_KIB = 750_000


@pytest.mark.slow
def test_many_orders_are_synced_completely_in_bounded_memory(tmp_path: Path) -> None:
    database = tmp_path / "wholesale.duckdb"
    with served("--orders", str(ORDERS)) as url:
        environment = os.environ | {
            "SOURCES__WHOLESALE__BASE_URL": url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        }
        sync = [WHOLESALE, "sync", "orders", "--database", str(database)]
        assert peak_kib(sync, environment) < MOST_MEMORY_KIB
        assert peak_kib(sync, environment) < MOST_MEMORY_KIB  # again, with nothing changed

        with duckdb.connect(str(database)) as connection:
            connection.execute(
                "update wholesale_raw.orders set sub_total = sub_total + 1 where hash(id) % 100 = 7"
            )
        # Each order is compared with what is stored, and replaced if it differs.
        assert peak_kib([*sync, "--full"], environment) < MOST_MEMORY_KIB

    with duckdb.connect(str(database), read_only=True) as connection:
        (counts,) = connection.execute(
            "select count(*), count(distinct id), min(order_number), max(order_number)"
            " from wholesale_raw.orders"
        ).fetchall()
        (difference,) = connection.execute(
            "select count(*) from wholesale_raw.orders join ("
            " select order_id as id, sum(total_price) as lines"
            " from wholesale_raw.orders__order_line_items group by 1"
            ") using (id) where lines <> sub_total"
        ).fetchall()
    assert counts[:2] == (ORDERS, ORDERS)
    assert difference == (0,)


@pytest.mark.slow
def test_the_part_of_one_vendor_is_copied_of_many_orders(tmp_path: Path) -> None:
    whole, part = (tmp_path / name for name in ("whole.duckdb", "part.duckdb"))
    with Sandbox(SandboxSettings(orders=ORDERS)) as sandbox:
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        sync_resources(settings, Warehouse(whole), ("vendors", "orders"))
    count = "select vendor_id, count(*) from wholesale_raw.orders group by 1 order by 2 desc, 1"
    with duckdb.connect(str(whole), read_only=True) as connection:
        (vendor, orders), *_ = connection.execute(count).fetchall()

    copy_as_of(Warehouse(whole), Warehouse(part), datetime.now(UTC), part=f"vendor={vendor}")

    with duckdb.connect(str(part), read_only=True) as connection:
        assert connection.execute(count).fetchall() == [(vendor, orders)]

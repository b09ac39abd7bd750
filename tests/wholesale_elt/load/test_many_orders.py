"""Many orders: served page by page from nothing, and synced in bounded memory.

`poe million` takes a million, under the same bounds.
"""

import os
from pathlib import Path

import duckdb
import pytest

from support.services.peaks import peak_kib
from support.services.service import WHOLESALE, served

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

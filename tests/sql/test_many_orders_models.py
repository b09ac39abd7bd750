"""Many orders: built in bounded memory, and rebuilt after a small change to the same rows.

`poe million` takes a million, under the same bound. The seconds of both builds, and their ratio,
are printed: run with `-s` to see them.
"""

import os
import time
from functools import partial
from pathlib import Path

import pytest

from support.services.peaks import peak_kib
from support.services.service import WHOLESALE
from support.warehouses.many import multiplying
from support.warehouses.marts import OF_THE_MOMENT, Marts

pytestmark = pytest.mark.slow

ORDERS = int(os.environ.get("MANY_ORDERS", "24000"))
MOST_MEMORY_KIB = 1_000_000


@pytest.fixture
def many(loaded: Marts, tmp_path: Path) -> Marts:
    """The loaded orders over and over, each time under other ids."""
    marts = loaded.copy(tmp_path)
    ((orders,),) = marts.rows("select count(*) from wholesale_raw.orders")
    marts.change(*multiplying(partial(columns_of, marts), ORDERS // orders))
    return marts


def columns_of(marts: Marts, table: str) -> list[str]:
    rows = marts.rows(
        "select column_name from duckdb_columns() where schema_name = 'wholesale_raw'"
        f" and table_name = '{table}' order by column_index"
    )
    return [name for (name,) in rows]


def seconds_to_build(marts: Marts, *options: str) -> float:
    began = time.monotonic()
    command = [WHOLESALE, "build", "--database", str(marts.database), *options]
    assert peak_kib(command, os.environ | {"NO_COLOR": "1"}) < MOST_MEMORY_KIB
    return time.monotonic() - began


def test_many_orders_are_built_in_bounded_memory_and_again_after_a_change(
    many: Marts, tmp_path: Path
) -> None:
    assert many.rows("select count(*) from wholesale_raw.orders") == [(ORDERS,)]
    full = seconds_to_build(many)

    many.change(
        "update wholesale_raw.orders set sub_total = sub_total + 0.01 where hash(id) % 1000 = 7"
    )
    after_change = seconds_to_build(many)
    print(f"full {full:.1f} s, after 0.1 % {after_change:.1f} s, 1/{full / after_change:.1f}")

    twin = many.copy(tmp_path / "twin")
    seconds_to_build(twin, "--full")
    for table, names in many.columns().items():
        columns = ", ".join(name for name in names if name not in OF_THE_MOMENT)
        one, other = (f"select {columns} from {where}.{table}" for where in ("one", "other"))
        difference = many.rows(
            f"set memory_limit = '2GB'; attach '{many.database}' as one (read_only);"
            f" attach '{twin.database}' as other (read_only); select count(*)"
            f" from (({one} except all {other}) union all ({other} except all {one}))"
        )
        assert difference == [(0,)], table

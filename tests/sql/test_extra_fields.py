"""Undocumented fields that a setting names are columns of marts, and dimensions of figures."""

import json
from collections.abc import Callable, Sequence

import pytest

from support.warehouses.marts import Marts

Name = Callable[..., None]


@pytest.fixture
def name(monkeypatch: pytest.MonkeyPatch) -> Name:
    def set_(*fields: str) -> None:
        monkeypatch.setenv("BUILD__EXTRA_FIELDS", json.dumps(fields))

    return set_


def test_try(marts: Marts, name: Name) -> None:
    marts.change(
        "alter table wholesale_raw.orders add column gift_note varchar",
        "alter table wholesale_raw.orders add column weight varchar",
        "update wholesale_raw.orders set gift_note = 'for ' || order_number, weight='1.50'"
        " where id in (select id from wholesale_raw.orders order by id limit 3)",
        "update wholesale_raw.orders set weight='heavy'"
        " where id in (select id from wholesale_raw.orders order by id limit 1)",
    )
    name("orders.gift_note", "orders.weight decimal", "buyers.tier as buyer_tier bigint", "items.material")
    built = marts.build()
    print(built)
    print(marts.rows("select order_id, gift_note, weight, typeof(weight) from wholesale_marts.fct_orders order by order_id limit 5"))
    print(marts.rows("select * from wholesale_marts.dim_extra_fields"))
    print(marts.rows("select distinct buyer_tier, typeof(buyer_tier) from wholesale_marts.dim_buyers"))
    print(marts.rows("select column_name, comment from duckdb_columns() where column_name in ('gift_note','weight','material')"))
    assert marts.build().models == 0

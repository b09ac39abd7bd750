"""An order is found by the number of its purchase order, in one small file."""

from pathlib import Path

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish


@pytest.fixture(scope="module")
def numbered(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Orders with such numbers, in all ways in which people write them, in many files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wholesale_elt.dashboard.search.purchases.MOST_IN_A_FILE", 200)
        return publish(
            built,
            tmp_path_factory.mktemp("numbered"),
            "create table odd as select order_id, row_number() over (order by order_id) as number"
            " from wholesale_marts.fct_orders",
            "update wholesale_marts.fct_orders set po_number = (select case number % 6"
            " when 0 then 'PO-' || (1000 + number) when 1 then 'Ümlaut ' || number || 'É'"
            " when 2 then '\U0001f6d2' when 3 then null when 4 then '北'"
            " else ' po / ' || number || ' ' end from odd"
            " where odd.order_id = fct_orders.order_id)",
            "drop table odd",
        )


def test_each_order_with_a_number_stands_in_the_file_of_its_ending(numbered: Site) -> None:
    endings = numbered.content("meta")["purchase_endings"]
    rows = [
        (ending, row["po_number"], row["order_number"], row["buyer_id"], row["amount"])
        for ending in endings
        for row in numbered.table(f"purchases/{ending}")
    ]
    assert sorted((row[1:] for row in rows), key=str) == sorted(
        numbered.answer(
            "select po_number, coalesce(order_number, order_id), buyer_id, sub_total"
            " from wholesale_marts.fct_orders where regexp_matches(po_number, '[\\p{L}\\p{N}]')"
        ),
        key=str,
    )
    assert {ending for ending, po, *_ in rows if "北" in po} == {"other"}
    assert {ending for ending, po, *_ in rows if "É" in po} == {"e"}


def test_files_stay_small_where_numbers_are_many(
    built: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wholesale_elt.dashboard.search.purchases.MOST_IN_A_FILE", 1)
    site = publish(
        built, tmp_path, "update wholesale_marts.fct_orders set po_number = order_number"
    )
    endings = site.content("meta")["purchase_endings"]
    assert {len(ending) for ending in endings} == {2}
    assert len(endings) > 10

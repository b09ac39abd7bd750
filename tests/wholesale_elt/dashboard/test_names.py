"""A buyer, a vendor and a product are called the same in all data files, whatever orders say."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish, rows_of

ORDERS = "wholesale_marts.fct_orders"
LINES = "wholesale_marts.fct_order_lines"
NAMES = "wholesale_marts.dim_names"
KINDS = ("buyer", "vendor")
HOSTILE = (
    # each order and line tells another name than the list, or none
    f"update {ORDERS} set buyer_company_name = case when order_number like '%1' then 'zz ' ||"
    " order_number when order_number like '%2' then ' ' when order_number like '%3' then null"
    " else 'Told' end, vendor_name = case when order_number like '%4' then 'zz'"
    " when order_number like '%5' then '' else 'Sold' end",
    f"update {LINES} set item_title = 'zz faulty' where line_number = 1 and order_id in"
    f" (select order_id from {ORDERS} where order_number like '%7')",
    # some have the same name, some none, and some no id
    f"update {NAMES} set display_name = 'Same' where ascii(right(name_key, 1)) % 4 = 1",
    f"delete from {NAMES} where ascii(right(name_key, 1)) % 4 = 2",
    f"insert into {NAMES} values ('buyer', 'name:Beta', 'Beta'), ('item', 'name:Pot', 'Pot')",
    f"update {ORDERS} set buyer_id = null, buyer_key = 'name:Beta' where order_number like '%61'",
    f"update {LINES} set item_id = null, item_key = 'name:Pot', product_id = null"
    " where line_number = 2",
    # the lists say others, or nothing
    "update wholesale_marts.dim_buyers set company_name = 'Listed'",
    "delete from wholesale_marts.dim_vendors where ascii(right(vendor_id, 1)) % 4 = 0",
    "delete from wholesale_marts.dim_items where ascii(right(item_id, 1)) % 3 = 1",
    "update wholesale_bi.rpt_catalogue set item_title = 'In the catalogue', vendor_name = 'V'",
    # everybody is late, and much is to do
    "update wholesale_bi.rpt_reorders set is_late = true, is_lapsed = false, company_name = 'Late'",
    f"update {ORDERS} set order_status = 'received', ordered_date = (select as_of_date - 9 from"
    " wholesale_marts.dim_as_of) where is_sale and order_number like '%8'",
    f"update {ORDERS} set order_status = 'shipped', payment_standing = 'open' where order_number"
    " like '%9'",
)


@pytest.fixture(scope="module")
def hostile(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return publish(built, tmp_path_factory.mktemp("hostile"), *HOSTILE)


def rows_in(site: Site) -> Iterator[dict[str, Any]]:
    """The rows of all tables that name something."""
    names = [*site.names()]
    for name in names:
        content = site.content(name)
        tables = [content] if "columns" in content else content.values()
        for table in tables:
            if isinstance(table, Mapping) and "columns" in table:
                yield from rows_of(table)


@pytest.mark.parametrize("kind", KINDS)
def test_one_id_has_one_name_on_all_pages(hostile: Site, kind: str) -> None:
    found: dict[str, set[str | None]] = defaultdict(set)
    for row in hostile.table("facts/members", kind):
        found[row["key"]].add(row["name"])
    for row in rows_in(hostile):
        names = [row[key] for key in (f"{kind}_name", "company_name") if key in row]
        if row.get(f"{kind}_id") and names and (kind == "buyer" or f"{kind}_name" in row):
            found[row[f"{kind}_id"]].add((names[0] or "").strip() or None)
    assert len(found) > 3
    assert {key: names for key, names in found.items() if len(names) > 1} == {}


def test_a_product_is_called_the_same_wherever_it_stands(hostile: Site) -> None:
    titles: dict[str, set[str | None]] = defaultdict(set)
    items = {row["product_id"]: row["item_id"] for row in hostile.table("products")}
    for row in rows_in(hostile):
        if row.get("product_id") in items and "item_title" in row:
            titles[items[row["product_id"]]].add((row["item_title"] or "").strip() or None)
    for row in hostile.table("facts/kinds"):
        if row["product"] in titles:
            titles[row["product"]].add(row["product_name"])
    assert len(titles) > 3
    assert {key: names for key, names in titles.items() if len(names) > 1} == {}

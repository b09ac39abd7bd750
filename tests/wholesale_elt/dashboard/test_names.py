"""A buyer, a vendor and a product are called the same in all data files, whatever orders say."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish, rows_of

RAW = "wholesale_raw"
KINDS = ("buyer", "vendor")
NAMED = {
    "vendor": {"vendor_name"},
    "buyer": {"buyer_company_name", "buyer_name", "company_name"},
    "item": {"item_title"},
    "product": {"item_title"},
}
"""Columns with the name of what an id stands for."""
HOSTILE = (
    # each order and line tells another name than the list, or none
    f"update {RAW}.orders set buyer_company_name = case when order_number like '%1' then 'zz ' ||"
    " order_number when order_number like '%2' then ' ' when order_number like '%3' then null"
    " else 'Told' end, vendor_name = case when order_number like '%4' then 'zz'"
    " when order_number like '%5' then '' else 'Sold' end",
    f"update {RAW}.orders__order_line_items set title = 'zz faulty' where line_number = 1",
    # the lists have the same name for some, none for some, and know nothing of some
    f"update {RAW}.buyers set company_name = 'Same' where ascii(right(id, 1)) % 4 = 1",
    f"update {RAW}.buyers set company_name = '' where ascii(right(id, 1)) % 4 = 2",
    f"delete from {RAW}.buyers where ascii(right(id, 1)) % 4 = 3",
    f"update {RAW}.vendors set name = null where ascii(right(id, 1)) % 4 = 1",
    f"delete from {RAW}.vendors where ascii(right(id, 1)) % 4 = 0",
    f"update {RAW}.items set title = '', vendor_name = 'Offered' where ascii(right(id, 1)) % 3 = 0",
    f"delete from {RAW}.items where ascii(right(id, 1)) % 3 = 1",
    f"update {RAW}.variants set parent_title = 'In the catalogue', vendor_name = 'V'",
    # some have no id
    f"update {RAW}.orders set buyer_id = null, buyer_company_name = 'Beta'"
    " where order_number like '%61'",
    f"update {RAW}.orders__order_line_items set item_id = null, title = 'Pot'"
    " where line_number = 2",
    # much is to do
    f"update {RAW}.orders set status = 'received' where order_number like '%8'",
    f"update {RAW}.orders set status = 'shipped', payment_status = 'unpaid'"
    " where order_number like '%9'",
)


@pytest.fixture(scope="module")
def hostile(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    marts = loaded.copy(tmp_path_factory.mktemp("hostile"))
    marts.change(*HOSTILE)
    marts.build()
    return publish(marts, tmp_path_factory.mktemp("site"))


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
    for row in hostile.table("facts/members_of_orders", kind):
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


def test_a_name_is_the_same_in_all_published_tables(hostile: Site) -> None:
    """By id, over every table that has one beside a name; `all` is a sum."""
    tables = defaultdict(set)
    for table, column in hostile.answer(
        "select schema_name || '.' || table_name, column_name from duckdb_columns()"
        " where schema_name in ('wholesale_marts', 'wholesale_bi') and not internal"
    ):
        tables[table].add(column)
    named: dict[str, set[str | None]] = defaultdict(set)
    for kind, names in NAMED.items():
        for table, columns in tables.items():
            for name in names & columns if f"{kind}_id" in columns else ():
                for key, told in hostile.answer(
                    f"select distinct {kind}_id, {name} from {table} where {kind}_id <> 'unknown'"
                ):
                    named[f"{kind} {key}"].add(told or None)
    assert len(named) > 100
    assert {key: names for key, names in named.items() if len(names) > 1} == {}

"""Columns: what the service tells arrives in what is published, unless it may be personal."""

from collections import defaultdict
from typing import Any

import pytest

from support.documents.readme_tables import arrivals
from support.warehouses.marts import Marts
from wholesale.api import CLASS_OF_FIELD
from wholesale_elt.warehouse import RAW_DATASET

RAW, OWN = RAW_DATASET, "wholesale_marts"


def test_a_column_that_arrives_nowhere_may_be_personal() -> None:
    lost = {
        f"{table}.{name}": class_
        for table, fields in CLASS_OF_FIELD.items()
        for name, class_ in fields.items()
        if f"{RAW}.{table}.{name}" not in arrivals()
    }
    assert [name for name, class_ in lost.items() if class_ is None] == []
    assert len(lost) == 22


SAME = {
    "dim_item_images": (
        "item_images",
        {"item_image_id": "id", "item_id": "item_id", "image_position": "position", "url": "url"}
        | {"created_at": "created_at", "updated_at": "updated_at"},
    ),
    "dim_item_options": (
        "items__options",
        {"item_id": "item_id", "option_number": "option_number", "option_name": "name"}
        | {"option_values": '"values"'},
    ),
    "dim_brands": ("brands", {"brand_id": "id", "logo": "logo"}),
    "dim_vendors": ("vendors", {"vendor_id": "id", "logo": "logo", "description": "description"}),
    "dim_variants": ("variants", {"variant_id": "id", "description": "description"}),
    "fct_orders": ("orders", {"order_id": "id", "billing_city": "billing_city"}),
}
"""By mart its raw table, and by column the raw column that it has as it is."""
GIVEN = (
    f"update {RAW}.orders set billing_city = 'City of ' || order_number",
    *(f"update {RAW}.{name} set logo = 'logo of ' || id" for name in ("vendors", "brands")),
    *(
        f"update {RAW}.{name} set description = 'words on ' || id"
        for name in ("vendors", "variants")
    ),
    f"update {RAW}.item_images set url = 'at ' || id, position = hash(id) % 3",
    f"update {RAW}.item_images set item_id = (select min(item_id) from {RAW}.item_images)"
    " where hash(id) % 5 = 0",
    f"update {RAW}.item_images set _deleted_at = now() where hash(id) % 7 = 0",
    f"update {RAW}.prices set created_at = '2020-01-02 03:04:05Z',"
    " updated_at = '2021-02-03 00:00:00Z'",
)


@pytest.fixture(scope="module")
def marts(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    marts = loaded.copy(tmp_path_factory.mktemp("columns"))
    marts.change(*GIVEN)
    marts.build(*SAME, "fct_list_prices", "dim_items")
    return marts


@pytest.mark.parametrize("mart", SAME)
def test_a_column_is_as_the_service_sent_it(marts: Marts, mart: str) -> None:
    table, columns = SAME[mart]
    raw = marts.rows(f"select {', '.join(columns.values())} from {RAW}.{table} order by all")
    assert marts.rows(f"select {', '.join(columns)} from {OWN}.{mart} order by all") == raw
    assert all(any(row[place] is not None for row in raw) for place in range(len(columns)))


def test_prices_have_the_times_that_the_service_says(marts: Marts) -> None:
    times = marts.rows(
        "select distinct price_created_at = '2020-01-02 03:04:05Z',"
        f" price_updated_at = '2021-02-03 00:00:00Z' from {OWN}.fct_list_prices"
    )
    assert times == [(True, True)]


def test_an_item_has_the_first_of_its_living_pictures(marts: Marts) -> None:
    by_item: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for item, position, image, url in marts.rows(
        f"select item_id, position, id, url from {RAW}.item_images where _deleted_at is null"
    ):
        by_item[item].append((position, image, url))
    found = marts.rows(f"select item_id, image_count, first_image_url from {OWN}.dim_items")
    assert sorted(found) == sorted(
        (item, len(by_item[item]), min(by_item[item])[2] if by_item[item] else None)
        for (item,) in marts.rows(f"select id from {RAW}.items")
    )
    assert max(map(len, by_item.values())) > 2

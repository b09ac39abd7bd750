"""The catalogue as the pages show it: products with their sizes, steps of prices, categories."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts

SIZE: Mapping[str, Any] = {
    **{"item_id": "i1", "item_title": "Bowl", "variant_title": "Small", "sku": "B-1"},
    **{"unit_price": "9.50", "is_orderable": True, "is_never_ordered": False},
    **{"sales_amount": "10.000000001", "first_ordered_date": "2026-02-01"},
    "last_ordered_date": "2026-03-01",
}
PRODUCTS: Sequence[Mapping[str, Any]] = (
    {**SIZE, "product_id": "v1"},
    {
        **{**SIZE, "product_id": "v2", "variant_title": "Large", "sku": "B-2"},
        **{"unit_price": "10.00", "is_orderable": False, "sales_amount": "0.000000002"},
        **{"first_ordered_date": "2026-01-05", "last_ordered_date": None},
    },
    {**SIZE, "product_id": "i2", "item_id": "i2", "variant_title": None, "unit_price": None},
    {**SIZE, "product_id": "x", "item_id": None, "item_title": None, "variant_title": None},
)
CATEGORIES = (("Home", None), ("Light", "Home"), ("Candles", "Light"), ("A", "B"), ("B", "A"))


ASKED = """Object.assign(wholesale, {
    found: (id) => wholesale.catalogue.find(new Map(wholesale.products), id),
    below: (title) => wholesale.catalogue.below(new Map(wholesale.categories), title),
    above: (title) => wholesale.catalogue.above(new Map(wholesale.categories), title),
    steps: (changes, now) => [...wholesale.catalogue.steps(changes, new Map(now))],
}) && 1"""
"""What passes through JSON has no maps."""


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Scripts]:
    products = [[row["product_id"], row] for row in PRODUCTS]
    categories = [
        [title, {"category_title": title, "parent_category_title": above}]
        for title, above in CATEGORIES
    ]
    with loaded_scripts("data", "decimals", "days", "format", "objects", "catalogue") as scripts:
        scripts.evaluate(ASKED)
        scripts.evaluate(f"(wholesale.products = {json.dumps(products)}) && 1")
        scripts.evaluate(f"(wholesale.categories = {json.dumps(categories)}) && 1")
        yield scripts


def test_a_product_has_the_prices_codes_and_sales_of_all_its_sizes(catalogue: Scripts) -> None:
    item = catalogue.call("found", "i1")["item"]
    assert [size["product_id"] for size in item["sizes"]] == ["v1", "v2"]
    assert {name: item[name] for name in ("key", "skus", "least_price", "most_price")} == {
        "key": "i1",
        "skus": ["B-1", "B-2"],
        "least_price": "9.50",
        "most_price": "10.00",
    }
    assert (item["is_orderable"], item["is_never_ordered"]) == (True, False)
    assert item["sales_amount"] == "10.000000003"
    assert (item["first_ordered_date"], item["last_ordered_date"]) == ("2026-01-05", "2026-03-01")


@pytest.mark.parametrize(
    ("are_orderable", "text"),
    [
        ([], ", 0 on offer"),
        ([False, False], ", 0 on offer"),
        ([True, None], ", 1 on offer"),
        ([None, None], ""),
    ],
)
def test_without_a_catalogue_it_is_not_told_what_is_on_offer(
    catalogue: Scripts, are_orderable: Sequence[bool | None], text: str
) -> None:
    rows = [{"is_orderable": each} for each in are_orderable]
    assert catalogue.call("catalogue.offered", rows) == text


@pytest.mark.parametrize(
    ("id_", "item", "size"),
    [("i1", "i1", None), ("v2", "i1", "v2"), ("i2", "i2", None), ("x", "x", None)],
)
def test_an_address_names_a_product_or_one_of_its_sizes(
    catalogue: Scripts, id_: str, item: str, size: str | None
) -> None:
    found = catalogue.call("found", id_)
    assert found["item"]["key"] == item
    assert (found["size"] and found["size"]["product_id"]) == size


def test_an_address_may_name_no_product(catalogue: Scripts) -> None:
    assert catalogue.call("found", "v9") is None


def change(day: str, before: str, after: str, price_list: str | None = None) -> Mapping[str, Any]:
    at = f"{day}T08:00:00.000Z"
    return {
        "price_list": price_list,
        "observed_at": at,
        "price_before": before,
        "price": after,
    }


def test_a_price_steps_from_what_it_was_before_it_was_first_seen_to_change(
    catalogue: Scripts,
) -> None:
    changes = [
        change("2026-03-01", "11.00", "12.00"),
        change("2026-02-01", "10.00", "11.00"),
        change("2026-02-15", "8.00", "7.50", "Preferred"),
    ]
    now = [["Export", "6.00"], ["Preferred", "7.50"], [None, "12.00"]]
    found = [
        (name, [(step["day"], step["price"]) for step in course])
        for name, course in catalogue.call("steps", changes, now)
    ]
    assert found == [
        (None, [(None, "10.00"), ("2026-02-01", "11.00"), ("2026-03-01", "12.00")]),
        ("Export", [(None, "6.00")]),
        ("Preferred", [(None, "8.00"), ("2026-02-15", "7.50")]),
    ]
    assert catalogue.call("steps", [], []) == []


def test_a_category_has_all_below_it_and_knows_those_above(catalogue: Scripts) -> None:
    assert catalogue.call("below", "Home") == ["Home", "Light", "Candles"]
    assert catalogue.call("below", "Unknown") == ["Unknown"]
    assert catalogue.call("above", "Candles") == ["Home", "Light"]
    assert catalogue.call("above", "Home") == []


def test_a_category_above_itself_ends_the_search(catalogue: Scripts) -> None:
    assert catalogue.call("below", "A") == ["A", "B"]
    assert catalogue.call("above", "A") == ["B"]

"""Wares are what is for sale, in the JSON that a line of an order begins and ends with."""

import json
from dataclasses import replace

import pytest

from wholesale_sandbox.world.assortment import Item, Variant
from wholesale_sandbox.world.pricing import PriceList
from wholesale_sandbox.world.wares import wares_by_vendor


def variant(number: int, *, is_active: bool = True) -> Variant:
    return Variant(f"v{number}", f"Size {number}", f"SKU-{number}", 10_000 * number, is_active, {})


ITEM = Item(
    id="i",
    vendor=1,
    title="Mug",
    sku="MUG",
    category_title="Kitchen",
    unit_price=12_500,
    moq=12,
    quantity_multiplier=6,
    is_published=True,
    variants=(),
    images=(),
    record={"vendor_name": 'Clay "& Co"'},
)
PRICE_LISTS = [PriceList("p", "Standard", 0, {}), PriceList("q", "Key", 12, {})]


def test_an_item_without_variants_is_sold_as_itself_by_its_vendor() -> None:
    nothing, (ware,) = wares_by_vendor(2, [ITEM], PRICE_LISTS)

    assert nothing == []
    assert ware.unit_prices == ((12_500, "12.5"), (11_000, "11"), (12_500, "12.5"))
    assert (ware.multiple, ware.least) == (6, 12)
    assert json.loads(f'{ware.head}12,"unit_price":{ware.unit_prices[1][1]},{ware.tail}') == {
        "item_id": "i",
        "title": "Mug",
        "variant": None,
        "sku": "MUG",
        "quantity": 12,
        "unit_price": 11,
        "categoy_name": "Kitchen",
        "vendor_name": 'Clay "& Co"',
    }


def test_active_variants_are_sold_in_the_place_of_their_item() -> None:
    item = replace(ITEM, variants=(variant(1), variant(2, is_active=False), variant(3)))

    _, wares = wares_by_vendor(2, [item], [])

    assert [json.loads(f"{ware.head}1,{ware.tail}")["variant"] for ware in wares] == [
        "Size 1",
        "Size 3",
    ]
    assert [ware.unit_prices for ware in wares] == [((10_000, "10"),), ((30_000, "30"),)]


def test_a_draft_is_not_for_sale() -> None:
    assert wares_by_vendor(2, [replace(ITEM, is_published=False)], PRICE_LISTS) == [[], []]


@pytest.mark.parametrize(
    ("moq", "multiplier", "least", "multiple"),
    [(None, None, 1, 1), (None, 6, 6, 6), (12, None, 12, 1)],
)
def test_what_is_not_said_of_quantities_is_one(
    moq: int | None, multiplier: int | None, least: int, multiple: int
) -> None:
    item = replace(ITEM, moq=moq, quantity_multiplier=multiplier)

    (ware,) = wares_by_vendor(2, [item], PRICE_LISTS)[1]

    assert (ware.least, ware.multiple) == (least, multiple)

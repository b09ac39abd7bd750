"""Wares: the items and variants for sale, which order lines refer to."""

from typing import NamedTuple

from wholesale_sandbox.values import encoded, literal, members
from wholesale_sandbox.world.assortment import Item
from wholesale_sandbox.world.pricing import PriceList


class Ware(NamedTuple):
    """`head` and `tail`: the JSON of a line up to its quantity and behind its discount.

    `unit_prices`: in thousandths and as JSON, by the number of the price list, the last one
    under default pricing.
    """

    head: str
    tail: str
    unit_prices: tuple[tuple[int, str], ...]
    multiple: int
    least: int


def wares_by_vendor(
    vendors: int, items: list[Item], price_lists: list[PriceList]
) -> list[list[Ware]]:
    """For each vendor, by its number, what it sells; an item without variants as itself."""
    wares: list[list[Ware]] = [[] for _ in range(vendors)]
    for item in items:
        if not item.is_published:
            continue
        if not item.variants:
            wares[item.vendor].append(_ware(item, None, item.sku, item.unit_price, price_lists))
        for variant in item.variants:
            if variant.is_active:
                wares[item.vendor].append(
                    _ware(item, variant.title, variant.sku, variant.unit_price, price_lists)
                )
    return wares


def _ware(
    item: Item, variant: str | None, sku: str, unit_price: int, price_lists: list[PriceList]
) -> Ware:
    head = members({"item_id": item.id, "title": item.title, "variant": variant, "sku": sku})
    tail = {
        "categoy_name": item.category_title,  # sic, §2.4
        "vendor_name": item.record["vendor_name"],
    }
    multiple = item.quantity_multiplier or 1
    unit_prices = [*(listed.unit_price(unit_price) for listed in price_lists), unit_price]
    return Ware(
        head=f'{{{head}"quantity":',
        tail=encoded(tail)[1:],
        unit_prices=tuple((mills, literal(mills)) for mills in unit_prices),
        multiple=multiple,
        least=item.moq or multiple,
    )

"""Pricing: price lists, and the price of each variant on each of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wholesale_sandbox.values import DAY, between, chance, decimal, guid, iso
from wholesale_sandbox.world.assortment import Item
from wholesale_sandbox.world.calendar import Calendar

_TERMS = (
    ("Standard", 0),
    ("Preferred", 5),
    ("Key accounts", 12),
    ("Distributors", 20),
    ("Export", 8),
)


@dataclass(frozen=True, slots=True)
class PriceList:
    """`discount` in percent of the default unit price."""

    id: str
    title: str
    discount: int
    record: dict[str, Any]

    def unit_price(self, default: int) -> int:
        """In thousandths, to the two hundredth of a unit."""
        return default * (100 - self.discount) // 500 * 5


def make_price_lists(seed: int, calendar: Calendar) -> list[PriceList]:
    """Three to five, the one without a discount first."""
    rng = chance(seed, "price lists")
    made = []
    for title, discount in _TERMS[: rng.randrange(3, 6)]:
        at = iso(between(calendar.start - 1500 * DAY, calendar.start, rng))
        price_list_id = guid(seed, "price list", title)
        record = {
            "id": price_list_id,
            "title": title,
            "description": f"{discount} % below default pricing" if discount else None,
            "created_at": at,
            "updated_at": at,
        }
        made.append(PriceList(price_list_id, title, discount, record))
    return made


def make_prices(
    seed: int, price_lists: list[PriceList], items: list[Item], calendar: Calendar
) -> Iterator[dict[str, Any]]:
    """A record for each price list and variant."""
    rng = chance(seed, "prices")
    for price_list in price_lists:
        for item in items:
            for variant in item.variants:
                created_at = between(calendar.start - 300 * DAY, calendar.start, rng)
                changed_at = rng.choice(
                    (created_at, created_at, between(created_at, calendar.end, rng))
                )
                yield {
                    "id": guid(seed, "price", price_list.id, variant.id),
                    "price_list_id": price_list.id,
                    "variant_id": variant.id,
                    "item_id": item.id,
                    "unit_price": decimal(price_list.unit_price(variant.unit_price), rng),
                    "created_at": iso(created_at),
                    "updated_at": iso(changed_at),
                }

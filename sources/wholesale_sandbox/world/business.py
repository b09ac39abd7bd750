"""Business: wholesale trade of two years, computed from a seed."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

import msgspec

from wholesale_sandbox.world.assortment import make_brands, make_categories, make_items
from wholesale_sandbox.world.calendar import Calendar
from wholesale_sandbox.world.custom_fields import make_custom_fields
from wholesale_sandbox.world.orders import OrderWorld
from wholesale_sandbox.world.parties import make_buyers, make_vendors
from wholesale_sandbox.world.pricing import make_price_lists, make_prices

__all__ = ["UNTIL", "OrderWorld", "World"]

# A fixed end, so that the world does not depend on the present day.
UNTIL = date(2026, 7, 1)


class World:
    """The same seed, number of orders and end make the same world, byte for byte.

    `catalogue` yields all records but the orders; `orders` computes those when asked.
    """

    def __init__(self, seed: int, orders: int, until: date = UNTIL) -> None:
        self.seed = seed
        self._calendar = calendar = Calendar(seed, orders, until)
        self._categories = make_categories(seed, calendar)
        self._brands = make_brands(seed, 12, calendar)
        self._price_lists = make_price_lists(seed, calendar)
        self._vendors = make_vendors(seed, min(12 + orders // 2_500, 60), calendar)
        self._buyers = make_buyers(
            seed,
            min(max(orders // 25, 40), 5_000),
            calendar,
            [price_list.id for price_list in self._price_lists],
        )
        self._items = make_items(seed, self._vendors, self._categories, self._brands, calendar)
        self.orders = OrderWorld(
            seed,
            orders,
            calendar,
            self._vendors,
            self._buyers,
            self._items,
            self._price_lists,
        )

    def catalogue(self) -> Iterator[tuple[str, str | None, str, bytes]]:
        """Resource, id of the parent, id and JSON object of each record, parents first."""
        encode = msgspec.json.Encoder().encode
        for resource, records in self._resources():
            for parent_id, record in records:
                yield resource, parent_id, record["id"], encode(record)

    def _resources(self) -> Iterator[tuple[str, Iterable[tuple[str | None, dict[str, Any]]]]]:
        items = self._items
        yield "categories", ((None, category.record) for category in self._categories)
        yield "brands", ((None, brand.record) for brand in self._brands)
        yield "vendors", ((None, vendor.record) for vendor in self._vendors)
        yield "price_lists", ((None, price_list.record) for price_list in self._price_lists)
        yield (
            "custom_fields",
            ((None, field) for field in make_custom_fields(self.seed, self._calendar)),
        )
        yield "buyers", ((None, buyer.record) for buyer in self._buyers)
        yield (
            "buyer_users",
            ((buyer.id, user.record) for buyer in self._buyers for user in buyer.users),
        )
        yield "items", ((None, item.record) for item in items)
        yield "variants", ((item.id, variant.record) for item in items for variant in item.variants)
        yield "item_images", ((None, image) for item in items for image in item.images)
        prices = make_prices(self.seed, self._price_lists, items, self._calendar)
        yield "prices", ((None, price) for price in prices)

"""Assortment of the vendors: categories, brands, items, their variants and images."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product as combinations
from random import Random
from typing import Any

from wholesale_sandbox.contract import VARIANT_TITLE_SEPARATOR
from wholesale_sandbox.values import DAY, between, chance, decimal, guid, iso, percent
from wholesale_sandbox.world.calendar import Calendar
from wholesale_sandbox.world.parties import Vendor, slug
from wholesale_sandbox.world.vocabulary import (
    ASSORTMENT,
    BRAND_WORDS,
    OPTION_VALUES,
    STYLES,
    Product,
)

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Category:
    id: str
    title: str
    record: Values


@dataclass(frozen=True, slots=True)
class Brand:
    id: str
    title: str
    record: Values


@dataclass(frozen=True, slots=True)
class Variant:
    """`unit_price` in thousandths, under default pricing."""

    id: str
    title: str
    sku: str
    unit_price: int
    is_active: bool
    record: Values


@dataclass(frozen=True, slots=True)
class Item:
    """`vendor` by its number; `unit_price` in thousandths."""

    id: str
    vendor: int
    title: str
    sku: str
    category_title: str
    unit_price: int
    moq: int | None
    quantity_multiplier: int | None
    is_published: bool
    variants: tuple[Variant, ...]
    images: tuple[Values, ...]
    record: Values


def make_categories(seed: int, calendar: Calendar) -> list[Category]:
    """Each top category, followed by its own."""
    return list(_categories(seed, iso(calendar.start - 1600 * DAY)))


def _categories(seed: int, at: str) -> Iterator[Category]:
    def category(title: str, parent_id: str | None) -> Category:
        category_id = guid(seed, "category", title)
        record = {
            "id": category_id,
            "title": title,
            "parent_id": parent_id,
            "created_at": at,
            "updated_at": at,
        }
        return Category(category_id, title, record)

    for top_title, titles in ASSORTMENT.items():
        top = category(top_title, None)
        yield top
        yield from (category(title, top.id) for title in titles)


def make_brands(seed: int, count: int, calendar: Calendar) -> list[Brand]:
    rng = chance(seed, "brands")
    return [_brand(seed, title, calendar, rng) for title in rng.sample(BRAND_WORDS, count)]


def _brand(seed: int, title: str, calendar: Calendar, rng: Random) -> Brand:
    created_at = between(calendar.start - 1500 * DAY, calendar.start, rng)
    handle = slug(title)
    brand_id = guid(seed, "brand", title)
    record = {
        "id": brand_id,
        "title": title,
        "handle": handle,
        "description": rng.choice((None, f"{title}: quiet things for every day.")),
        "logo": rng.choice((None, f"https://cdn.brands.example/{handle}.svg")),
        "created_at": iso(created_at),
        "updated_at": iso(between(created_at, calendar.end, rng)),
    }
    return Brand(brand_id, title, record)


def make_items(
    seed: int,
    vendors: list[Vendor],
    categories: list[Category],
    brands: list[Brand],
    calendar: Calendar,
) -> list[Item]:
    """Those of the first vendor first; each vendor has one at least that can be ordered."""
    by_title = {category.title: category for category in categories}
    items = []
    for number, vendor in enumerate(vendors):
        rng = chance(seed, "items of vendor", number)
        for place in range(rng.randrange(8, 41)):
            maker = _Maker(seed, number, place, vendor, rng)
            items.append(maker.item(by_title, rng.choice((None, *brands)), calendar))
    return items


class _Maker:
    """Makes one item with its variants and images; `number` is its vendor's."""

    def __init__(self, seed: int, number: int, place: int, vendor: Vendor, rng: Random) -> None:
        self._seed = seed
        self._number = number
        self._place = place
        self._vendor = vendor
        self._rng = rng
        self._code = f"{slug(vendor.name)[:3].upper()}{number:02d}-{place * 7 + 11:04d}"
        self._id = guid(seed, "item", number, place)

    def item(
        self, categories: dict[str, Category], brand: Brand | None, calendar: Calendar
    ) -> Item:
        rng = self._rng
        trade = self._vendor.trade if rng.randrange(8) else "Seasonal"
        top = ASSORTMENT[trade]
        category = categories[rng.choice(list(top))]
        product = rng.choice(top[category.title])
        title = f"{rng.choice(STYLES)} {product.noun}"
        unit_price = rng.randrange(product.lowest, product.highest + 1, 125)
        multiplier = rng.choice((None, 1, 2, 3, 4, 6, 6, 12))
        moq = rng.choice((None, multiplier, 2 * multiplier, 4 * multiplier)) if multiplier else None
        is_published = self._place == 0 or rng.randrange(12) > 0
        inherited = {
            "category_id": category.id,
            "vendor_id": self._vendor.id,
            "brand_id": brand.id if brand else None,
            "category_name": category.title,
            "vendor_name": self._vendor.name,
            "brand_name": brand.title if brand else None,
            "moq": moq,
            "quantity_multiplier": multiplier,
        }
        options = self._options(product)
        of_parent = {
            "parent_id": self._id,
            "parent_title": title,
            "parent_product_code": self._code,
            **inherited,
        }
        variants = tuple(
            self._variant(number, dict(zip(options, values, strict=True)), unit_price, of_parent)
            for number, values in enumerate(combinations(*options.values()) if options else ())
        )
        record = {
            "id": self._id,
            "title": title,
            "description": rng.choice((None, "", f"{title}. Made by {self._vendor.name}.")),
            "product_code": self._code,
            "sku": rng.choice((self._code, None)),
            "upc": self._upc(),
            "status": "published" if is_published else "draft",
            "options": [{"name": name, "values": values} for name, values in options.items()],
            **self._prices(unit_price),
            "variants_count": len(variants),
            **inherited,
        }
        return Item(
            id=self._id,
            vendor=self._number,
            title=title,
            sku=self._code,
            category_title=category.title,
            unit_price=unit_price,
            moq=moq,
            quantity_multiplier=multiplier,
            is_published=is_published,
            variants=variants,
            images=tuple(self._images(calendar)),
            record=record,
        )

    def _options(self, product: Product) -> dict[str, list[str]]:
        """The values of each option: at most six variants in all."""
        most = 6 if len(product.options) == 1 else 2
        values = {}
        for name in product.options:
            known = OPTION_VALUES[name][:most]
            values[name] = list(known[: self._rng.randrange(1, len(known) + 1)])
            most = 3
        return values

    def _variant(
        self, number: int, options: dict[str, str], item_price: int, of_parent: Values
    ) -> Variant:
        is_active = (self._place == 0 and number == 0) or self._rng.randrange(14) > 0
        unit_price = _variant_price(item_price, options)
        title = VARIANT_TITLE_SEPARATOR.value.join(options.values())
        sku = f"{self._code}-{number + 1}"
        record = {
            "id": guid(self._seed, "variant", self._id, number),
            "title": title,
            "description": None,
            "sku": sku,
            "upc": self._upc(),
            **self._prices(unit_price),
            "options": [{"name": name, "value": value} for name, value in options.items()],
            "sku_status": "active" if is_active else "inactive",
            **of_parent,
        }
        return Variant(record["id"], title, sku, unit_price, is_active, record)

    def _prices(self, unit_price: int) -> Values:
        rng = self._rng
        msrp = unit_price * 2 // 1000 * 1000 + 990
        return {
            "msrp": decimal(rng.choice((msrp, msrp, None)), rng),
            "unit_price": decimal(unit_price, rng),
            "map": decimal(rng.choice((percent(msrp, 90), None)), rng),
        }

    def _images(self, calendar: Calendar) -> Iterator[Values]:
        for position in range(1, self._rng.randrange(4) + 1):
            at = iso(between(calendar.start - 900 * DAY, calendar.end, self._rng))
            yield {
                "id": guid(self._seed, "item image", self._id, position),
                "item_id": self._id,
                "url": f"https://cdn.images.example/{self._code.lower()}/{position}.jpg",
                "position": position,
                "created_at": at,
                "updated_at": at,
            }

    def _upc(self) -> str | None:
        """Twelve digits, the last one their check digit; some begin with a zero."""
        if self._rng.randrange(6) == 0:
            return None
        digits = f"{self._rng.randrange(10**11):011d}"
        odd, even = sum(map(int, digits[::2])), sum(map(int, digits[1::2]))
        return f"{digits}{-(3 * odd + even) % 10}"


def _variant_price(item_price: int, options: dict[str, str]) -> int:
    """Larger sizes and packs cost more; to the fortieth of a unit."""
    steps = sum(
        OPTION_VALUES[name].index(options[name]) for name in ("Size", "Pack") if name in options
    )
    return item_price * (100 + 35 * steps) // 2500 * 25

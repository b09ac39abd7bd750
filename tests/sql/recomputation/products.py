"""Products: what sells, what does not, and what should not."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import IntEnum
from typing import Any

from .arithmetic import (
    Row,
    commonest,
    greatest,
    grouped,
    hashed,
    known_total,
    least,
    ratio,
    told,
    total,
)
from .books import Books, Line, Record, item_key, lowered, sku_key, vendor_key
from .periods import Span, periods

CLASSES = (("A", Decimal("0.80")), ("B", Decimal("0.95")))
Named = tuple[str | None, str | None]
Names = tuple[str | None, str | None, str | None]
"""What a line says of its product: item, sku and variant."""


@dataclass
class Product:
    id: str
    kind: str
    record: Record
    item_title: str | None
    is_orderable: bool
    lines: list[Line] = field(default_factory=list)
    unsold: list[Line] = field(default_factory=list)
    """Those of orders that count as no sale."""
    may_be_meant: bool = False

    @property
    def sales_amount(self) -> Decimal | None:
        return total(line.total_price for line in self.lines)

    def told_by(self, books: Books) -> Line:
        """The latest of the lines with the commonest title; of titles as common the latest counts,
        then the first in the alphabet. Of two moments alike the other names decide."""

        def place(line: Line) -> list[Any]:
            names = (
                *(line.variant_title, line.category_name),
                *(line.order.vendor_id, vendor_of(books, line), line.sku),
            )
            spelled = [(name is not None, name or "") for name in names]
            at = line.order.at
            return [at is not None, at or 0, *spelled]

        lines = [*self.lines, *self.unsold]
        title = commonest((books.title(line), line.order.at) for line in lines)
        return max((line for line in lines if books.title(line) == title), key=place)


class Catalogue:
    """The products of the catalogue and what was sold beside it, each with its lines."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.items = books.items
        self.variants = books.by_id("variants")
        self.products = {product.id: product for product in self._listed()}
        self.by_item = grouped(
            self.products.values(),
            lambda product: product.record.get("parent_id") or product.record["id"],
        )
        self.former = self._former_skus()
        named: dict[Names, list[Line]] = grouped(
            (line for order in books.orders.values() for line in order.lines),
            lambda line: (line.item_id, line.sku, line.variant_id),
        )
        for names, lines in named.items():
            self._give(names, lines)

    def _listed(self) -> Iterator[Product]:
        with_variants = {
            variant.get("parent_id")
            for variant in self.variants.values()
            if variant["_deleted_at"] is None
        }
        for key, variant in self.variants.items():
            item = self.items.get(variant.get("parent_id") or "")
            title = self.books.called("items", item_key(variant))
            is_active = lowered(variant.get("sku_status")) in (None, "active")
            is_orderable = (
                variant["_deleted_at"] is None and is_active and (item is None or _is_offered(item))
            )
            yield Product(key, "variant", variant, title, is_orderable)
        for key, item in self.items.items():
            if key not in with_variants:
                title = self.books.called("items", key)
                yield Product(key, "item", item, title, _is_offered(item))

    def _former_skus(self) -> dict[Named, set[str]]:
        """The variants that were seen with an item and sku, at any build."""
        former: dict[Named, set[str]] = defaultdict(set)
        for snapshot in self.books.snapshots:
            for variant in self.books.rows("variants", snapshot):
                former[variant.get("parent_id"), sku_key(variant.get("sku"))].add(variant["id"])
        return former

    def _give(self, names: Names, lines: Sequence[Line]) -> None:
        """The lines to the product that they mean, or to one beside the catalogue."""
        distances = self._distances(names)
        places: dict[tuple[int, bool, bool], list[Product]] = grouped(
            (self.products[key] for key in distances),
            lambda product: (
                distances[product.id],
                product.record.get("sku") != names[1],
                not product.is_orderable,
            ),
        )
        sold = [line for line in lines if line.order.is_sale]
        unsold = [line for line in lines if not line.order.is_sale]
        nearest = min(distances.values(), default=None)
        best = places[min(places)] if places else []
        if len(best) == 1 and nearest is not None and nearest < Distance.SOME_VARIANT:
            product, perhaps = best[0], {nearest, Distance.ITEM}
            if nearest is Distance.SKU:
                perhaps.add(Distance.FORMER_SKU)
        else:
            item_id, sku, variant_id = names
            key = hashed(item_id, sku_key(sku), variant_id)
            is_orderable = any(self.products[one].is_orderable for one in distances)
            record = {"item_id": item_id, "sku": sku}
            product = self.products.setdefault(
                key, Product(key, "unlisted", record, None, is_orderable)
            )
            product.record = {**record, "sku": greatest([product.record["sku"], sku])}
            perhaps = set(distances.values())
        for one, distance in distances.items():
            self.products[one].may_be_meant |= bool(sold) and distance in perhaps
        product.lines += sold
        product.unsold += unsold

    def _distances(self, names: Names) -> dict[str, "Distance"]:
        """How little a line says of each product that it may mean."""
        item_id, sku, variant_id = names
        distances: dict[str, Distance] = {}
        for product in self.by_item.get(item_id, ()) if item_id is not None else ():
            is_named = sku_key(product.record.get("sku")) == sku_key(sku)
            of_variant = Distance.SKU if is_named else Distance.SOME_VARIANT
            distances[product.id] = Distance.ITEM if product.kind == "item" else of_variant
        if item_id is not None and sku is not None:
            for key in self.former.get((item_id, sku_key(sku)), ()):
                known = distances.get(key, Distance.SOME_VARIANT)
                distances[key] = min(known, Distance.FORMER_SKU)
        named = item_id if variant_id is None else variant_id
        if named in self.variants:
            distances[named] = Distance.VARIANT
        return distances


class Distance(IntEnum):
    """From what says most of a product to what says least."""

    VARIANT = 1
    SKU = 2
    FORMER_SKU = 3
    ITEM = 4
    SOME_VARIANT = 5


def vendor_of(books: Books, line: Line) -> str | None:
    """The name of the vendor: of its order, else as the line tells it."""
    key = line.order.vendor_key
    return books.called("vendors", key) if key else line.vendor_name or None


def _is_offered(item: Record) -> bool:
    return item["_deleted_at"] is None and lowered(item.get("status")) in (None, "published")


def catalogue(books: Books) -> Iterator[Row]:
    products = Catalogue(books).products.values()
    classes = _classes(products)
    categories = {row["id"]: row.get("title") for row in books.rows("categories")}
    for product in products:
        lines, record = product.lines, product.record
        listed = record if product.kind != "unlisted" else {}
        is_variant = product.kind == "variant"
        item_id = {"variant": "parent_id", "item": "id", "unlisted": "item_id"}[product.kind]
        item = books.items.get(record.get(item_id) or "", {})
        told_by = record if is_variant else item
        category_name = told_by.get("category_name")
        if category_name is None and not is_variant:
            category_name = categories.get(item.get("category_id"))
        titles = (product.item_title, record.get("title") if is_variant else None)
        vendor = told_by.get("vendor_id"), books.called("vendors", vendor_key(told_by))
        if product.kind == "unlisted":
            last = product.told_by(books)
            titles = books.title(last), last.variant_title
            category_name = last.category_name if category_name is None else category_name
            if vendor[0] is None:
                vendor = last.order.vendor_id, vendor_of(books, last)
        orders = {line.order.id: line.order for line in lines}.values()
        buyers = {order.buyer_id for order in orders if order.buyer_id is not None}
        repeats = Counter(order.buyer_id for order in orders if not order.is_return)
        repeat_count = sum(repeats[buyer] > 1 for buyer in buyers)
        yield {
            "product_id": product.id,
            "product_kind": product.kind,
            "item_id": record.get(item_id),
            "sku": record.get("sku"),
            "item_title": titles[0],
            "variant_title": titles[1],
            "vendor_id": vendor[0],
            "vendor_name": vendor[1],
            "category_name": category_name,
            "unit_price": books.amount(listed.get("unit_price")),
            "is_orderable": product.is_orderable,
            "order_count": len(orders),
            "buyer_count": len(buyers),
            "repeat_buyer_count": repeat_count,
            "repeat_buyer_rate": ratio(repeat_count, len(buyers)),
            "unit_count": total(line.quantity for line in lines),
            "sales_amount": product.sales_amount,
            "first_ordered_date": least(order.day for order in orders),
            "last_ordered_date": greatest(order.day for order in orders),
            "abc_class": classes[product.id],
            "is_never_ordered": (
                product.kind != "unlisted"
                and product.is_orderable
                and not lines
                and not product.may_be_meant
            ),
            "is_ordered_but_inactive": bool(lines) and not product.is_orderable,
        }


def product_sales_by_period(books: Books) -> Iterator[Row]:
    rows = {row["product_id"]: row for row in catalogue(books)}
    products = Catalogue(books).products.values()
    names = ("item_id", "sku", "item_title", "variant_title", "vendor_id", "vendor_name")
    for period in periods(books):
        for product in products:
            now = [line for line in product.lines if _is_within(line, period.span)]
            is_covered = period.reaches(books.first_day)
            before = [
                line
                for line in product.lines
                if is_covered and _is_within(line, period.year_before)
            ]
            if now or before:
                yield {
                    "product_sales_by_period_id": hashed(period.key, product.id),
                    "period_key": period.key,
                    "is_finished": period.is_finished,
                    "product_id": product.id,
                    **{name: rows[product.id][name] for name in names},
                    "unit_count": total(line.quantity for line in now),
                    "sales_amount": total(line.total_price for line in now),
                    "sales_amount_year_before": (
                        total(line.total_price for line in before) if before else None
                    ),
                }


def _is_within(line: Line, span: Span | None) -> bool:
    """Whether the line was sold on one of the days; of all time, which is no span, all were."""
    day = line.order.day
    return span is None or (day is not None and span[0] <= day <= span[1])


def _classes(products: Iterable[Product]) -> dict[str, str]:
    """The class of each product, by the share of sales that the larger ones make before it."""
    amounts = {product.id: product.sales_amount or Decimal() for product in products}
    ordered = sorted(amounts, key=lambda product: (-amounts[product], product))
    everything = known_total(amounts.values())
    classes: dict[str, str] = {}
    before = Decimal()
    for product in ordered:
        below = [name for name, share in CLASSES if before < share * everything]
        classes[product] = below[0] if below and amounts[product] > 0 else "C"
        before += amounts[product]
    return classes


def catalogue_classes(books: Books) -> Iterator[Row]:
    rows = list(catalogue(books))
    for vendor, of_vendor in (
        *grouped(rows, lambda row: told(row["vendor_id"])).items(),
        ("all", rows),
    ):
        sold_of_vendor = [row for row in of_vendor if row["order_count"]]
        amount = total(row["sales_amount"] for row in sold_of_vendor)
        for abc_class, found in grouped(of_vendor, lambda row: row["abc_class"]).items():
            sold = total(row["sales_amount"] for row in found if row["order_count"])
            yield {
                "catalogue_class_id": f"{vendor}-{abc_class}",
                "vendor_id": vendor,
                "vendor_name": books.vendor_name(vendor),
                "abc_class": abc_class,
                "product_count": len(found),
                "product_share": ratio(len(found), len(of_vendor)),
                "never_ordered_count": sum(row["is_never_ordered"] for row in found),
                "ordered_but_inactive_count": sum(row["is_ordered_but_inactive"] for row in found),
                "sales_amount": sold,
                "sales_share": ratio(sold, amount),
            }

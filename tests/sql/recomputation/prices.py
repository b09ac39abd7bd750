"""Prices: what changed, and how much of the list price is paid."""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise

from .arithmetic import Row, grouped, month_key, ratio, total, total_or_none
from .books import Books, Line, vendor_key
from .history import Version, in_force, versions
from .products import Catalogue, Product

OF_VARIANTS = ("unit_price", "msrp", "map", "sku_status", "_deleted_at")
OF_PRICES = ("price_list_id", "variant_id", "item_id", "unit_price", "_deleted_at")

Priced = tuple[Line, Decimal, bool]
"""A line with its list price, and whether that had been seen by then."""


def price_of(books: Books, version: Version) -> Decimal | None:
    return books.amount(version.record.get("unit_price"))


def price_changes(books: Books) -> Iterator[Row]:
    variants, items = books.by_id("variants"), books.by_id("items")
    lists = books.by_id("price_lists")

    def changes(kind: str, seen: dict[str, list[Version]]) -> Iterator[Row]:
        for key, found in seen.items():
            known = [(price, one) for one in found if (price := price_of(books, one)) is not None]
            for (price_before, _), (price, now) in pairwise(known):
                if price_before == price:
                    continue
                variant_id = key if kind == "variant" else now.record.get("variant_id")
                variant = variants.get(variant_id or "")
                item_id = now.record.get("item_id") if kind == "price" else None
                if variant is not None:
                    item_id = variant.get("parent_id")
                told_by = variant or items.get(item_id or "") or {}
                list_id = now.record.get("price_list_id") if kind == "price" else None
                yield {
                    "price_change_id": f"{kind}-{key}-{now.number}",
                    "variant_id": variant_id,
                    "item_id": item_id,
                    "sku": told_by.get("sku"),
                    "item_title": books.called("items", item_id),
                    "variant_title": variant.get("title") if variant is not None else None,
                    "vendor_id": told_by.get("vendor_id"),
                    "vendor_name": books.called("vendors", vendor_key(told_by)),
                    "price_list": lists.get(list_id or "", {}).get("title") or list_id,
                    "observed_at": now.seen_at,
                    "price_before": price_before,
                    "price": price,
                    "change_rate": ratio(price - price_before, price_before),
                }

    yield from changes("variant", versions(books, "variants", OF_VARIANTS))
    yield from changes("price", versions(books, "prices", OF_PRICES))


class ListPrices:
    """What lines should have cost: by the list that the buyer has, or else by the variant."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.variants = versions(books, "variants", OF_VARIANTS)
        self.buyers = books.by_id("buyers")
        self.listed = grouped(
            {
                (one.record.get("price_list_id"), one.record.get("variant_id"), price_id)
                for price_id, seen in versions(books, "prices", OF_PRICES).items()
                for one in seen
            },
            lambda each: each[:2],
        )
        self.prices = versions(books, "prices", OF_PRICES)

    def of(self, line: Line, variant_id: str) -> tuple[Decimal, bool] | None:
        """The list price, and whether it had been seen by then."""
        list_id = self.buyers.get(line.order.buyer_id or "", {}).get("price_list_id")
        own = [
            found
            for *_, price_id in (self.listed.get((list_id, variant_id), ()) if list_id else ())
            for version, is_seen in [_then(self.prices[price_id], line)]
            if version.record.get("price_list_id") == list_id
            and version.record.get("variant_id") == variant_id
            and (found := self._alive(version, is_seen))
        ]
        if own:
            return min(price for price, _ in own), all(is_seen for _, is_seen in own)
        seen = self.variants.get(variant_id, ())
        return self._alive(*_then(seen, line)) if seen else None

    def _alive(self, version: Version, is_seen: bool) -> tuple[Decimal, bool] | None:
        price = price_of(self.books, version)
        is_gone = version.record.get("_deleted_at") is not None
        return None if price is None or is_gone else (price, is_seen)


def price_realisation(books: Books) -> Iterator[Row]:
    prices = ListPrices(books)
    for product in Catalogue(books).products.values():
        if product.kind != "variant":
            continue
        by_month = grouped(product.lines, lambda line: books.month_of(line.order.day))
        for month, lines in by_month.items():
            known = [(line, *found) for line in lines if (found := prices.of(line, product.id))]
            if known:
                yield _realised(books, product, month, known)


def _realised(books: Books, product: Product, month: date | None, priced: list[Priced]) -> Row:
    lines, variant = [line for line, *_ in priced], product.record
    compared = [
        (line, amount)
        for line, price, _ in priced
        if line.quantity is not None
        and (amount := books.amount(line.quantity * price)) is not None
        and line.total_price is not None
    ]
    observed = [(line, price) for line, price, is_seen in priced if is_seen]
    listed = total_or_none(amount for _, amount in compared)
    paid = total_or_none(books.after(line.total_price, line.discount) for line, _ in compared)
    return {
        "price_realisation_id": f"{product.id}-{month_key(month)}",
        "variant_id": product.id,
        "item_id": variant.get("parent_id"),
        "vendor_id": variant.get("vendor_id"),
        "vendor_name": books.called("vendors", vendor_key(variant)),
        "item_title": product.item_title,
        "variant_title": variant.get("title"),
        "month_start": month,
        "is_month_finished": books.is_finished(month),
        "seen_day_count": books.seen_days_of(month),
        "line_count": len(lines),
        "off_list_price_line_count": sum(
            line.unit_price is not None and line.unit_price != price for line, price in observed
        )
        if observed
        else None,
        "unobserved_line_count": sum(not is_observed for *_, is_observed in priced),
        "uncompared_line_count": len(lines) - len(compared),
        "unit_count": total(line.quantity for line in lines),
        "list_price_amount": listed,
        "charged_amount": total_or_none(line.total_price for line, _ in compared),
        "discount_amount": total_or_none(line.discount for line, _ in compared),
        "paid_amount": paid,
        "price_realisation_rate": ratio(paid, listed),
    }


def _then(seen: Sequence[Version], line: Line) -> tuple[Version, bool]:
    """What was in force on its day, and whether that had been seen; before all, the first."""
    version = in_force(seen, line.order.at)
    return version or seen[0], version is not None

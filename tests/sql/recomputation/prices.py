"""Prices: what changed, and how much of the list price is paid."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from .arithmetic import Row, distinct, grouped, month_key, ratio, total, total_or_none
from .books import Books, Line, vendor_key
from .history import Version, in_force, versions
from .products import Catalogue, Product

OF_VARIANTS = ("unit_price", "msrp", "map", "sku_status", "_deleted_at")
OF_PRICES = ("price_list_id", "variant_id", "item_id", "unit_price", "_deleted_at")

Priced = tuple[Line, Decimal, bool]
"""A line with its list price, and whether that had been seen by then."""


def price_of(books: Books, version: Version) -> Decimal | None:
    return books.amount(version.record.get("unit_price"))


class Around:
    """What was sold in the days before and after each change of a price."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.days = books.settings.price_change_days
        self.products = Catalogue(books).products
        self.by_item = grouped(self.products.values(), _item_of)
        self.buyers = grouped(books.rows("buyers"), lambda buyer: buyer.get("price_list_id"))

    def told(self, kind: str, key: str, changes: Sequence[Version], place: int) -> Row:
        record = changes[place].record
        variant_id = key if kind == "variant" else record.get("variant_id")
        if variant_id is None:
            item_id = record.get("item_id")
            products = [] if item_id is None else self.by_item.get(item_id, [])
        else:
            product = self.products.get(variant_id)
            products = [product] if product is not None and product.kind == "variant" else []
        lines = [line for product in products for line in product.lines]
        buyers: set[str] | None = None
        if kind == "price":
            list_id = record.get("price_list_id")
            buyers = {row["id"] for row in self.buyers.get(list_id, ())} if list_id else set()
            lines = [line for line in lines if line.order.buyer_id in buyers]
        is_known = bool(products) and buyers != set()
        return {
            "list_buyer_count": None if buyers is None else len(buyers),
            "window_days": self.days,
            **self._side("before", -1, lines if is_known else None, changes, place),
            **self._side("after", 1, lines if is_known else None, changes, place),
        }

    def _side(
        self,
        name: str,
        sign: int,
        lines: list[Line] | None,
        changes: Sequence[Version],
        place: int,
    ) -> Row:
        days = [self._day(one) for one in changes]
        window = {days[place] + timedelta(days=sign * n) for n in range(1, self.days + 1)}
        first, last = self.books.first_day, self.books.figures_up_to
        seen = [day for day in window if first and last and first <= day <= last]
        sold = [line for line in lines or () if line.order.day in window]
        is_told = lines is not None and len(seen) == self.days
        others = days[:place] if sign < 0 else days[place + 1 :]
        figures = {
            "unit_count": total(line.quantity for line in sold),
            "sales_amount": total(line.total_price for line in sold),
            "order_count": distinct(line.order.id for line in sold),
            "buyer_count": distinct(line.order.buyer_id for line in sold),
        }
        return {
            f"seen_days_{name}": len(seen),
            f"has_other_change_{name}": any(day in window or day == days[place] for day in others),
            **{f"{key}_{name}": value if is_told else None for key, value in figures.items()},
        }

    def _day(self, version: Version) -> date:
        return version.seen_at.astimezone(self.books.zone).date()


def _item_of(product: Product) -> str | None:
    key = {"variant": "parent_id", "item": "id", "unlisted": "item_id"}[product.kind]
    item_id: str | None = product.record.get(key)
    return item_id


def price_changes(books: Books) -> Iterator[Row]:
    variants, items = books.by_id("variants"), books.by_id("items")
    lists = books.by_id("price_lists")
    around = Around(books)

    def changes(kind: str, seen: Mapping[str, Sequence[Version]]) -> Iterator[Row]:
        for key, found in seen.items():
            known = [(price, one) for one in found if (price := price_of(books, one)) is not None]
            changed = [
                (price_before, price, now)
                for (price_before, _), (price, now) in pairwise(known)
                if price_before != price
            ]
            seen_at = [now for *_, now in changed]
            for place, (price_before, price, now) in enumerate(changed):
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
                    **around.told(kind, key, seen_at, place),
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

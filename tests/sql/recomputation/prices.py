"""Prices: what changed, and how much of the list price is paid."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import pairwise

from .arithmetic import Row, grouped, month_key, ratio, total_or_none
from .books import Books, Line, Record, lowered
from .products import Catalogue, Product, item_title

AMOUNTS = ("unit_price", "msrp", "map")
OF_VARIANTS = ("unit_price", "msrp", "map", "sku_status")
OF_PRICES = ("price_list_id", "variant_id", "item_id", "unit_price")


@dataclass(frozen=True)
class Version:
    """A price as it was seen from a moment on."""

    number: int
    record: Record
    price: Decimal | None
    seen_at: datetime


Priced = tuple[Line, Version, bool]
"""A line with the price in force on its day, and whether that had been seen by then."""


def versions(books: Books, resource: str, fields: tuple[str, ...]) -> dict[str, list[Version]]:
    """What syncs noted of every record, and builds saw besides, where it differs from the last."""
    found: dict[str, list[Version]] = {}
    last: dict[str, tuple[object, ...]] = {}
    until = datetime.min.replace(tzinfo=UTC)
    for snapshot in books.snapshots:
        ended = books.ended(resource, snapshot) or books.built_at
        log = books.rows(f"{resource}__observations", snapshot)
        noted = [row for row in log if row["observed_at"] > until]
        noted.sort(key=lambda row: row["observed_at"])
        until = max((row["observed_at"] for row in noted), default=until)
        for record in (*noted, *books.rows(resource, snapshot)):
            key = record["id"]
            content = (
                *(_value(books, record, name) for name in fields),
                record["_deleted_at"] is not None,
            )
            if last.get(key) != content:
                last[key] = content
                seen = found.setdefault(key, [])
                price = books.amount(record.get("unit_price"))
                seen_at = max([record.get("observed_at", ended), *(v.seen_at for v in seen[-1:])])
                seen.append(Version(len(seen) + 1, record, price, seen_at))
    return found


def _value(books: Books, record: Record, name: str) -> object:
    value = record.get(name)
    if name in AMOUNTS:
        return books.amount(value)
    return lowered(value) if name == "sku_status" else value


def price_changes(books: Books) -> Iterator[Row]:
    variants, items = books.by_id("variants"), books.by_id("items")
    lists = books.by_id("price_lists")

    def changes(kind: str, seen: dict[str, list[Version]]) -> Iterator[Row]:
        for key, found in seen.items():
            known = [version for version in found if version.price is not None]
            for before, now in pairwise(known):
                if before.price == now.price or before.price is None or now.price is None:
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
                    "item_title": item_title(books, variant, item_id),
                    "variant_title": variant.get("title") if variant is not None else None,
                    "vendor_id": told_by.get("vendor_id"),
                    "vendor_name": told_by.get("vendor_name"),
                    "price_list": lists.get(list_id or "", {}).get("title") or list_id,
                    "observed_at": now.seen_at,
                    "price_before": before.price,
                    "price": now.price,
                    "change_rate": ratio(now.price - before.price, before.price),
                }

    yield from changes("variant", versions(books, "variants", OF_VARIANTS))
    yield from changes("price", versions(books, "prices", OF_PRICES))


def price_realisation(books: Books) -> Iterator[Row]:
    seen = versions(books, "variants", OF_VARIANTS)
    for product in Catalogue(books).products.values():
        if product.kind != "variant":
            continue
        for month, lines in grouped(product.lines, lambda line: line.order.month).items():
            priced = [_priced(seen[product.id], line) for line in lines]
            known = [found for found in priced if found[1].price is not None]
            if known:
                yield _realised(books, product, month, known)


def _realised(books: Books, product: Product, month: date | None, priced: list[Priced]) -> Row:
    lines, variant = [line for line, *_ in priced], product.record
    listed = total_or_none(
        books.amount(line.quantity * version.price)
        for line, version, _ in priced
        if line.quantity is not None and version.price is not None
    )
    paid = total_or_none(books.after(line.total_price, line.discount) for line in lines)
    return {
        "price_realisation_id": f"{product.id}-{month_key(month)}",
        "variant_id": product.id,
        "item_id": variant.get("parent_id"),
        "vendor_id": variant.get("vendor_id"),
        "vendor_name": variant.get("vendor_name"),
        "item_title": product.item_title,
        "variant_title": variant.get("title"),
        "month_start": month,
        "line_count": len(lines),
        "off_list_line_count": sum(
            line.unit_price is not None and line.unit_price != version.price
            for line, version, _ in priced
        ),
        "unobserved_line_count": sum(not is_observed for *_, is_observed in priced),
        "unit_count": sum(line.quantity or 0 for line in lines),
        "list_amount": listed,
        "charged_amount": total_or_none(line.total_price for line in lines),
        "discount_amount": total_or_none(line.discount for line in lines),
        "paid_amount": paid,
        "price_realisation_rate": ratio(paid, listed),
    }


def _priced(seen: list[Version], line: Line) -> Priced:
    """With the price in force on its day; before the first one that was seen, that one."""
    at = line.order.at
    in_force = [version for version in seen if at is not None and version.seen_at <= at]
    return line, in_force[-1] if in_force else seen[0], bool(in_force)

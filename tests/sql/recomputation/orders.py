"""Orders: those behind a number, what is open of them, and what missed a minimum."""

from collections.abc import Iterator
from decimal import Decimal

from .arithmetic import Row, grouped, hashed, least, summed_up, told, total
from .books import MEANINGS, Books, Order, totals
from .history import in_force, versions


def age_bucket(days: int | None) -> str:
    if days is None or days > 90:
        return "over 90"
    return "0-30" if days <= 30 else "31-60" if days <= 60 else "61-90"


def age(books: Books, order: Order) -> int | None:
    return (books.as_of - order.day).days if books.as_of and order.day else None


def vendor_of(books: Books, order: Order) -> str | None:
    """The vendor's name of now, or as the order tells it."""
    return books.vendor_name(order.vendor) or order.vendor_name


def orders(books: Books) -> Iterator[Row]:
    for order in books.sales:
        days = age(books, order)
        yield {
            "order_id": order.id,
            "order_number": order.number,
            "ordered_date": order.day,
            "vendor_id": order.vendor,
            "vendor_name": vendor_of(books, order),
            "buyer_id": order.buyer_id,
            "buyer_company_name": order.buyer_name,
            "state": order.place,
            "order_status": order.status,
            "payment_status": order.payment,
            "sub_total": order.sub_total,
            "total": order.total,
            "unit_count": order.units,
            "is_return": order.is_return,
            "order_standing": order.order_standing,
            "payment_standing": order.standing,
            "is_open": order.standing == "open",
            "age_in_days": days,
            "age_bucket": age_bucket(days),
            "is_below_minimum_value": order.is_below_minimum_value,
        }


def order_states(books: Books) -> Iterator[Row]:
    alive = [order for order in books.orders.values() if not order.is_deleted]
    for kind, standings in MEANINGS.items():
        of = {"order": lambda order: order.status, "payment": lambda order: order.payment}[kind]
        there = grouped(alive, lambda order, of=of: of(order) or None)  # type: ignore[misc]
        settings = (getattr(books.settings, f"{name}_{kind}_statuses") for name in standings)
        for state in {*there, *(state for names in settings for state in names)}:
            found = there.get(state, [])
            amounts = [
                order.total if kind == "payment" or order.sub_total is None else order.sub_total
                for order in found
            ]
            known = [amount for amount in amounts if amount is not None]
            yield {
                "order_state_id": f"{kind}_status-{state or ''}",
                "field_name": f"{kind}_status",
                "state": state,
                "standing": books.meaning_of(kind, state),
                "order_count": len(found),
                "amount": None if found and not known else sum(known, Decimal(0)),
            }


def _open_figures(orders: list[Order]) -> Row:
    by_standing = grouped(orders, lambda order: order.standing)
    open_orders, unknown = by_standing.get("open", []), by_standing.get("unknown", [])
    return {
        "order_count": len(open_orders),
        "open_amount": totals(open_orders) if open_orders or not unknown else None,
        "open_without_total_count": sum(order.total is None for order in open_orders),
        "oldest_ordered_date": least(order.day for order in open_orders),
        "unknown_order_count": len(unknown),
        "unknown_amount": totals(unknown),
        "unknown_without_total_count": sum(order.total is None for order in unknown),
    }


def _not_settled(books: Books) -> list[Order]:
    return [order for order in books.sales if order.standing != "settled"]


def open_orders(books: Books) -> Iterator[Row]:
    groups = summed_up(
        _not_settled(books),
        lambda order: (order.vendor, order.place, age_bucket(age(books, order))),
    )
    groups.setdefault(("all", "all", "all"), [])
    for (vendor, state, bucket), found in groups.items():
        yield {
            "open_orders_id": hashed(vendor, state, bucket),
            "vendor_id": vendor,
            "vendor_name": books.vendor_name(vendor),
            "state": state,
            "age_bucket": bucket,
            **_open_figures(found),
        }


def payment_ageing(books: Books) -> Iterator[Row]:
    groups = grouped(
        _not_settled(books), lambda order: (told(order.buyer_id), age_bucket(age(books, order)))
    )
    for (buyer, bucket), found in groups.items():
        yield {
            "payment_ageing_id": f"{buyer}-{bucket}",
            "buyer_id": buyer,
            "buyer_company_name": books.buyer_name(found[0].buyer_id),
            "age_bucket": bucket,
            **_open_figures(found),
            "as_of_date": books.as_of,
        }


def _shortfall(found: Decimal | int | None, least: Decimal | int | None) -> Decimal | int | None:
    """What is lacking to a minimum; 0 where there is none, None with nothing to hold against it."""
    if least is None:
        return 0
    return None if found is None else max(least - found, 0)


def minimum_orders(books: Books) -> Iterator[Row]:
    vendors = books.by_id("vendors")
    minimums = versions(books, "vendors", ("minimum_order_value", "minimum_order_quantity"))
    share = books.settings.near_miss_share
    for order in books.purchases:
        vendor_id = order.vendor_id or ""
        seen = minimums.get(vendor_id, [])
        of_then = seen[0] if len(seen) == 1 else in_force(seen, order.at)
        told_by = of_then.record if of_then else vendors.get(vendor_id, {})
        quantity = books.quantity(told_by.get("minimum_order_quantity"))
        value_lacks = _shortfall(order.sub_total, order.minimum_value)
        units_lack = _shortfall(order.units, quantity)
        if not value_lacks and not units_lack:
            continue
        reached = [
            found is not None and found >= share * wanted
            for found, wanted in ((order.sub_total, order.minimum_value), (order.units, quantity))
            if wanted is not None
        ]
        yield {
            "order_id": order.id,
            "order_number": order.number,
            "vendor_id": order.vendor,
            "vendor_name": vendor_of(books, order),
            "buyer_id": order.buyer_id,
            "buyer_company_name": order.buyer_name,
            "state": order.place,
            "ordered_date": order.day,
            "sub_total": order.sub_total,
            "minimum_order_value": order.minimum_value,
            "value_shortfall": value_lacks,
            "unit_count": order.units,
            "minimum_order_quantity": quantity,
            "quantity_shortfall": units_lack,
            "is_minimum_as_of_order": of_then is not None,
            "is_near_miss": all(reached),
        }


def minimum_order_totals(books: Books) -> Iterator[Row]:
    groups = summed_up(minimum_orders(books), lambda row: (row["vendor_id"], row["state"]))
    groups.setdefault(("all", "all"), [])
    for (vendor, state), rows in groups.items():
        yield {
            "minimum_order_totals_id": hashed(vendor, state),
            "vendor_id": vendor,
            "vendor_name": books.vendor_name(vendor),
            "state": state,
            "order_count": len(rows),
            "near_miss_count": sum(row["is_near_miss"] for row in rows),
            "value_shortfall": total(row["value_shortfall"] for row in rows),
        }

"""Events: what became of each order from one sync to another, and which prices changed."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from itertools import pairwise

from .arithmetic import Row, grouped
from .books import Books, Order, Record, lowered
from .history import versions
from .prices import price_changes

STATES = ("status", "payment_status", "invoice_status")
OF_TIMES = ("updated_at", "valid_from", "valid_to", "_deleted_at")
LONG_AGO = datetime.min.replace(tzinfo=UTC)


def events(books: Books) -> Iterator[Row]:
    lines = grouped(_line_changes(books), lambda change: change[0])
    firsts = _first_orders(books)
    for order_id, seen in in_force(books).items():
        number = 0
        for before, after, at, count in _pairs(seen, lines.get(order_id, ())):
            kind = _kind(books, before, after, count)
            number += 1
            if kind is None:
                continue
            order = books.orders[order_id]
            yield {
                **_EMPTY,
                **_of_order(books, order),
                **_of_states(books, before, after),
                **_of_money(books, before, after),
                "event_id": f"order-{order_id}-{number}",
                "event_kind": kind,
                "event_date": (order.day if kind == "new" else None) or books.day(at),
                "observed_at": at,
                "changed_line_count": count,
                "is_first_order": kind in ("new", "found late") and order_id in firsts,
            }
    yield from _of_prices(books)


@cache
def in_force(books: Books) -> Mapping[str, Sequence[Record]]:
    """The rows of each order that were in force at some moment, one after the other."""
    rows = [*books.rows("orders__past"), *books.rows("orders")]
    rows.sort(key=lambda row: (row["valid_from"] or LONG_AGO, row.get("valid_to") is None))
    return grouped(filter(_is_in_force, rows), lambda row: row["id"])


@cache
def found_late(books: Books) -> Collection[str]:
    """Orders that nobody knew of on their day."""
    return {
        order_id
        for order_id, (first, *_) in in_force(books).items()
        if _kind(books, None, first, 0) == "found late"
    }


def _is_in_force(row: Record) -> bool:
    since, until = row["valid_from"], row.get("valid_to")
    return since is None or until is None or since < until


def _line_changes(books: Books) -> set[tuple[str, int, datetime]]:
    table = "orders__order_line_items"
    return {
        (row["order_id"], row["line_number"], moment)
        for row in (*books.rows(table), *books.rows(f"{table}__past"))
        for moment in (row["valid_from"], row.get("valid_to"))
        if moment is not None
    }


def _pairs(
    seen: Sequence[Record], lines: Iterable[tuple[str, int, datetime]]
) -> Iterator[tuple[Record | None, Record, datetime | None, int]]:
    """The row before, the row after, the moment between, and how many lines are others."""
    counts = Counter(moment for *_, moment in lines)
    yield None, seen[0], seen[0]["valid_from"], 0
    for row, following in [*pairwise(seen), (seen[-1], None)]:
        until: datetime | None = following["valid_from"] if following else None
        for moment in sorted(counts):
            if (row["valid_from"] or LONG_AGO) < moment and (until is None or moment < until):
                yield row, row, moment, counts[moment]
        if following:
            yield row, following, until, counts[following["valid_from"]]


def _kind(books: Books, before: Record | None, after: Record, lines: int) -> str | None:
    is_gone = after["_deleted_at"] is not None
    if before is None:
        if is_gone:
            return None
        known, placed = _known_until(books, after), after["created_at"]
        is_late = known is not None and placed is not None and placed <= known
        return "found late" if is_late else "new"
    if before["_deleted_at"] is not None:
        return None if is_gone else "reappeared"
    if is_gone:
        return "deleted"
    if _is_cancelled(books, after) and not _is_cancelled(books, before):
        return "cancelled"
    has_moved = any(before.get(name) != after.get(name) for name in STATES)
    has_more = lines > 0 or any(
        before.get(name) != after.get(name)
        for name in after
        if name not in (*STATES, *OF_TIMES) and not name.startswith("invoice")
    )
    return "state changed" if has_moved and not has_more else "edited"


def _known_until(books: Books, first: Record) -> datetime | None:
    """As of when orders were complete before the sync that brought this one, if it is known."""
    if (seen_at := first["valid_from"]) is None:
        return None
    observed = versions(books, "orders", (*STATES, "_deleted_at"))[first["id"]][0].seen_at
    if observed < seen_at:
        return None
    return max((moment for moment in _complete(books) if moment < seen_at), default=None)


@cache
def _complete(books: Books) -> Sequence[datetime]:
    return [
        run["complete_as_of"]
        for run in books.rows("sync_runs")
        if run["resource"] == "orders" and run["complete_as_of"] is not None
    ]


def _is_cancelled(books: Books, row: Record) -> bool:
    return lowered(row.get("status")) in books.settings.cancelled_order_statuses


def counts(books: Books, row: Record | None) -> bool:
    return row is not None and row["_deleted_at"] is None and not _is_cancelled(books, row)


def _of_money(books: Books, before: Record | None, after: Record) -> Row:
    was, now = (
        books.amount(row["sub_total"]) if row and counts(books, row) else Decimal()
        for row in (before, after)
    )
    is_known = bool(was or now) or None not in (was, now)
    return {
        "amount_before": was,
        "amount_after": now,
        "amount_effect": (now or 0) - (was or 0) if is_known else None,
        "total_after": books.amount(after["total"]),
    }


def _of_states(books: Books, before: Record | None, after: Record) -> Row:
    told = {}
    for kind, field in (("order", "status"), ("payment", "payment_status")):
        for side, row in (("before", before), ("after", after)):
            state = lowered(row.get(field)) if row else None
            told[f"{kind}_status_{side}"] = state
            told[f"{kind}_standing_{side}"] = books.meant(kind, state) if row else None
    return told


def _first_orders(books: Books) -> set[str]:
    found = grouped(
        (
            order
            for order in books.orders.values()
            if order.is_sale and not order.is_return and order.buyer_key and order.day
        ),
        lambda order: order.buyer_key,
    )
    return {min(orders, key=lambda order: (order.at, order.id)).id for orders in found.values()}


def _of_order(books: Books, order: Order) -> Row:
    return {
        **{"order_id": order.id, "order_number": order.number},
        **{"buyer_id": order.buyer_key, "buyer_name": books.called("buyers", order.buyer_key)},
        "vendor_id": order.vendor_key,
        "vendor_name": books.called("vendors", order.vendor_key),
        **{"order_status": order.status, "payment_status": order.payment},
    }


def _of_prices(books: Books) -> Iterator[Row]:
    for change in price_changes(books):
        yield {
            **_EMPTY,
            "event_id": f"price-{change['price_change_id']}",
            "event_kind": "price changed",
            "event_date": books.day(change["observed_at"]),
            "observed_at": change["observed_at"],
            "vendor_id": change["vendor_id"],
            "vendor_name": books.called("vendors", change["vendor_id"]),
            "product_id": change["variant_id"] or change["item_id"],
            "item_title": books.called("items", change["item_id"]),
            **{name: change[name] for name in ("variant_title", "sku", "price_list")},
            "price_before": change["price_before"],
            "price_after": change["price"],
        }


_EMPTY: Row = dict.fromkeys(
    (
        *("order_id", "order_number", "buyer_id", "buyer_name", "vendor_id", "vendor_name"),
        *("is_first_order", "order_status", "payment_status", "changed_line_count"),
        *(
            f"{kind}_{what}_{side}"
            for kind in ("order", "payment")
            for what in ("status", "standing")
            for side in ("before", "after")
        ),
        *("amount_before", "amount_after", "amount_effect", "total_after"),
        *("product_id", "item_title", "variant_title", "sku", "price_list"),
        *("price_before", "price_after"),
    )
)

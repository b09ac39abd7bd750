"""Owed: what was sent and is not paid, and when it is due."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from .arithmetic import Row, grouped, hashed, least, summed_up, told, total
from .books import Books, Order, lowered
from .history import versions
from .orders import age, age_bucket

STATES = ("status", "payment_status", "invoice_status", "_deleted_at")
Change = tuple[str, str, date]
"""The standing before and after, and the day on which that was seen."""
CORES = (
    r"(?:(?P<discount>\d{1,2}(?:\.\d+)? ?(?:%|/|% ?/) ?\d{1,3}(?: ?days?)? ?[-,;:/]? ?))?"
    r"(?:net|n) ?[-:/.]? ?(?P<days>\d{1,3})(?: ?(?:days?|d))?",
    r"(?:(?:payment )?(?:due )?(?:within|in) )?(?P<days>\d{1,3}) ?-? ?(?:days?|d)(?: ?net)?",
)
RECEIPT = r"(?:payment )?(?:is )?(?:due |payable )?(?:on|upon) receipt(?: of (?:the )?invoice)?"
BEFORE = r"(?:(?:payment )?terms? ?[-:]? ?)?"
INVOICE = r"(?: (?:from|after|of) (?:the )?(?:date of (?:the )?)?invoice(?: date)?)?"


def days_in(terms: str | None) -> int | None:
    """The days that terms say, as SQL reads them, of texts whose words have blanks in between."""
    text = " ".join((terms or "").lower().split()).removesuffix(".").strip()
    for core in CORES:
        if found := re.fullmatch(BEFORE + core + INVOICE, text):
            return int(found["days"])
    return 0 if re.fullmatch(BEFORE + RECEIPT, text) else None


def key_of(terms: str | None) -> str:
    return "".join((terms or "").lower().split())


def terms_of(books: Books, order: Order) -> tuple[str | None, int | None]:
    """The terms of an order's vendor, and their days."""
    vendor = books.by_id("vendors").get(order.vendor_key or "", {})
    terms = vendor.get("order_terms")
    return terms, books.settings.terms.get(key_of(terms), days_in(terms))


def due(books: Books, order: Order, seen: Sequence[Change]) -> tuple[int | None, date | None, str]:
    """The days of its terms, the day on which the money is due, and where those days begin."""
    _, days = terms_of(books, order)
    left = ("sent", "done")
    sent = least(day for before, to, day in seen if to in left and before not in left)
    for name, day in (("invoiced", order.invoiced_day), ("sent", sent), ("ordered", order.day)):
        if day and days is not None:
            return days, day + timedelta(days=days), name
    return days, None, "unknown"


def receivables(books: Books) -> Iterator[Row]:
    seen, overdue = steps(books), books.settings.overdue_days
    for order in books.purchases:
        is_open = order.standing == "open"
        is_owed = is_open and order.order_standing in ("sent", "done")
        is_untold = is_open and order.order_standing == "unknown"
        if not (is_owed or is_untold or order.standing == "unknown"):
            continue
        days = age(books, order)
        of_terms, due_day, due_from = due(books, order, seen.get(order.id, ()))
        past = (books.as_of - due_day).days if books.as_of and due_day else None
        yield {
            **of_order(books, order),
            "order_standing": order.order_standing,
            "payment_standing": order.standing,
            "total": order.total,
            "age_in_days": days,
            "age_bucket": "undated" if days is None else age_bucket(days),
            "order_terms": terms_of(books, order)[0],
            "terms_days": of_terms,
            "due_from": due_from,
            "due_date": due_day,
            "days_overdue": None if past is None else max(past, 0),
            "due_bucket": _bucket(past),
            "is_open": is_owed,
            "is_overdue": is_owed and ((days or 0) > overdue if past is None else past > 0),
            "overdue_days": overdue,
        }


def _bucket(past: int | None) -> str:
    if past is None:
        return "unknown"
    for most, name in ((0, "not due"), (30, "1-30"), (60, "31-60"), (90, "61-90")):
        if past <= most:
            return name
    return "over 90"


def by_buyer(books: Books) -> Iterator[Row]:
    rows = list(receivables(books))
    groups = summed_up(rows, lambda row: (told(row["buyer_id"]), row["due_bucket"]))
    groups.setdefault(("all", "all"), [])
    for (buyer, bucket), found in groups.items():
        owed = [row for row in found if row["is_open"]]
        late = [row for row in found if row["is_overdue"]]
        unknown = [row for row in found if not row["is_open"]]
        is_known = bool(owed or not unknown)
        yield {
            "receivables_id": hashed(buyer, bucket),
            "buyer_id": buyer,
            "buyer_name": "all" if buyer == "all" else found[0]["buyer_name"],
            "due_bucket": bucket,
            "order_count": len(owed),
            "open_amount": _sum(owed) if is_known else None,
            "open_without_total_count": sum(row["total"] is None for row in owed),
            "overdue_order_count": len(late),
            "overdue_amount": _sum(late) if is_known else None,
            "first_due_date": least(row["due_date"] for row in owed),
            "oldest_ordered_date": least(row["ordered_date"] for row in owed),
            "unknown_order_count": len(unknown),
            "unknown_amount": _sum(unknown),
            "unknown_without_total_count": sum(row["total"] is None for row in unknown),
        }


def order_terms(books: Books) -> Iterator[Row]:
    vendors = grouped(books.rows("vendors"), lambda each: key_of(each.get("order_terms")))
    orders = {order.id: order for order in books.purchases}
    unpaid = grouped(
        receivables(books), lambda row: key_of(terms_of(books, orders[row["order_id"]])[0])
    )
    named = books.settings.terms
    for key in {*vendors, *unpaid, *named}:
        of_vendors, rows = vendors.get(key, []), unpaid.get(key, [])
        texts = [each["order_terms"] for each in of_vendors if each.get("order_terms")]
        text = max(texts, default=key if key in named else None)
        days = named.get(key, days_in(text))
        meaning = "set" if key in named else "read" if days is not None else "unknown"
        yield {
            "order_terms_id": f"terms-{key}",
            "order_terms": text or None,
            "terms_days": days,
            "meaning": meaning,
            "vendor_count": len(of_vendors),
            "order_count": len(rows),
            "amount": _sum(rows),
        }


def _sum(rows: Sequence[Row]) -> Decimal | None:
    return total(row["total"] for row in rows)


def of_order(books: Books, order: Order) -> Row:
    return {
        **{"order_id": order.id, "order_number": order.number},
        **{"buyer_id": order.buyer_key, "vendor_id": order.vendor_key},
        "buyer_name": books.called("buyers", order.buyer_key),
        "vendor_name": books.called("vendors", order.vendor_key),
        **{"order_status": order.status, "payment_status": order.payment},
        "ordered_date": order.day,
    }


def steps(books: Books) -> dict[str, list[Change]]:
    """What each order was seen to become, in turn: of payments only that they are settled."""
    found: dict[str, list[Change]] = {}
    for key, seen in versions(books, "orders", STATES).items():
        for before, now in pairwise(seen):
            day = books.day(now.seen_at)
            for kind, name in (("order", "status"), ("payment", "payment_status")):
                means = [books.meant(kind, lowered(one.record.get(name))) for one in (before, now)]
                is_told = kind == "order" or means[1] == "settled"
                if means[0] != means[1] and is_told and day:
                    found.setdefault(key, []).append((means[0], means[1], day))
    return found

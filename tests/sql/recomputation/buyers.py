"""Buyers: who comes back, who is late, how much hangs on few, and whose books they are in."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from math import ceil

from .arithmetic import (
    Number,
    Row,
    distinct,
    greatest,
    grouped,
    known_total,
    least,
    month_key,
    months_between,
    months_from,
    percentile,
    ratio,
    rounded,
    told,
    total,
    total_or_none,
)
from .books import Books, Order, sub_totals
from .forecasts import late_after as late_after_of_alike
from .sales import average

REORDERED_WITHIN = (30, 60, 90)


def _orders_of_buyers(orders: Sequence[Order]) -> dict[str, list[Order]]:
    return grouped(
        (order for order in orders if order.buyer_id is not None), lambda order: order.buyer_id
    )


def _purchase_days(orders: Sequence[Order]) -> list[date]:
    """The day of each purchase: whatever is ordered on one day is one."""
    return sorted({order.day for order in orders if order.day})


def reorders(books: Books) -> Iterator[Row]:
    buyers, settings = books.by_id("buyers"), books.settings
    months = monthly_amounts(books)
    for buyer, orders in _orders_of_buyers(books.sales).items():
        record = buyers.get(buyer, {})
        is_gone = record.get("_deleted_at") is not None
        days = _purchase_days([order for order in orders if not order.is_return])
        gaps = [(later - earlier).days for earlier, later in pairwise(days)]
        median = percentile(gaps, Fraction(1, 2))
        rank = ceil((len(gaps) + 1) * Fraction(settings.late_percentile))
        alike = late_after_of_alike(books, buyer)
        late_after = sorted(gaps)[min(rank, len(gaps)) - 1] if gaps else None
        if rank > len(gaps) and alike is not None:
            late_after = alike
        first, last = least(days), greatest(days)
        since_first, since_last = _days_to(books.as_of, first), _days_to(books.as_of, last)
        is_late = (
            len(days) >= settings.late_minimum_orders
            and late_after is not None
            and since_last is not None
            and since_last > late_after
            and not is_gone
        )
        is_lapsed = None if since_last is None else since_last > settings.lapse_days
        is_lapsed = False if is_gone else is_lapsed
        latest = max(orders, key=lambda order: (order.at is not None, order.at, order.id))
        yield {
            "buyer_id": buyer,
            "company_name": books.called("buyers", buyer),
            "account_manager_id": record.get("account_manager_id"),
            "is_deleted": is_gone,
            "state": latest.place,
            "vendor_count": distinct(order.vendor_id for order in orders),
            "order_count": len(orders),
            "purchase_count": len(days),
            "sales_amount": sub_totals(orders),
            "monthly_amount": months.get(buyer, (None, None))[1],
            "first_ordered_date": first,
            "last_ordered_date": last,
            "days_to_reorder": gaps[0] if gaps else None,
            **{
                f"has_reordered_within_{n}_days": _has_reordered(gaps, since_first, n)
                for n in REORDERED_WITHIN
            },
            "median_days_between_orders": median,
            "late_after_days": late_after,
            "has_late_percentile": rank <= len(gaps) or alike is not None,
            "expected_next_order_date": _days_after(last, median),
            "days_since_last_order": since_last,
            "is_late": is_late,
            "is_lapsed": is_lapsed,
            "is_at_risk": is_late or is_lapsed,
            "as_of_date": books.as_of,
        }


LOST = (
    *("buyer_id", "company_name", "account_manager_id", "is_deleted", "state", "purchase_count"),
    *("sales_amount", "monthly_amount", "last_ordered_date", "is_lapsed", "as_of_date"),
)


def lost_buyers(books: Books) -> Iterator[Row]:
    for row in reorders(books):
        last = row["last_ordered_date"]
        first_day = last and last + timedelta(days=books.settings.lapse_days + 1)
        if first_day and books.as_of and first_day <= books.as_of:
            yield {**{name: row[name] for name in LOST}, "lost_date": first_day}


def monthly_amounts(books: Books) -> dict[str, tuple[Order, Number | None]]:
    """The last dated purchase of each buyer, and what the buyer spent in a month up to it."""
    found: dict[str, tuple[Order, Number | None]] = {}
    days = books.settings.spending_days
    dated = [(order.day, order) for order in books.purchases if order.day and order.buyer_key]
    for buyer, orders in grouped(dated, lambda each: each[1].buyer_key).items():
        until, last = max(orders, key=lambda each: (each[1].at, each[1].id))
        spent = total_or_none(
            order.sub_total for day, order in orders if 0 <= (until - day).days < days
        )
        month = None if spent is None else ratio(30 * spent, days)
        found[buyer] = (last, None if month is None else rounded(Fraction(month), 2))
    return found


def _days_to(as_of: date | None, day: date | None) -> int | None:
    return (as_of - day).days if as_of and day else None


def _days_after(day: date | None, days: int | None) -> date | None:
    return day + timedelta(days) if day and days is not None else None


def _has_reordered(gaps: Sequence[int], since_first: int | None, days: int) -> bool | None:
    """Whether the second purchase came in time; None while that time is not over, whose
    last day may be the one of the sync."""
    if since_first is None or since_first <= days:
        return None
    return bool(gaps) and gaps[0] <= days


def buyer_headlines(books: Books) -> Iterator[Row]:
    rows = list(reorders(books))
    late, lapsed = ([row for row in rows if row[name]] for name in ("is_late", "is_lapsed"))
    reordered = [row["has_reordered_within_90_days"] for row in rows]
    known = [answer for answer in reordered if answer is not None]

    def amount(rows: Sequence[Row]) -> Number | None:
        return total(row["sales_amount"] for row in rows)

    yield {
        "buyer_count": len(rows),
        "sales_amount": total(row["sales_amount"] for row in rows),
        "reorder_90_days_count": sum(known),
        "reorder_90_days_known_count": len(known),
        "reorder_90_days_rate": ratio(sum(known), len(known)),
        "late_count": len(late),
        "late_sales_amount": amount(late),
        "lapsed_count": len(lapsed),
        "lapsed_sales_amount": amount(lapsed),
        "at_risk_count": sum(row["is_at_risk"] is True for row in rows),
        "top_5_share": _concentration(books, "all", books.sales)["top_5_share"],
    }


def buyer_cohorts(books: Books) -> Iterator[Row]:
    cohorts = grouped(
        _orders_of_buyers(books.dated_sales).values(),
        lambda orders: least(books.month_of(order.day) for order in orders if not order.is_return),
    )
    cohorts.pop(None, None)
    for cohort, buyers in cohorts.items():
        by_month = grouped(
            (order for orders in buyers for order in orders),
            lambda order: books.month_of(order.day),
        )
        at_first = sub_totals(by_month[cohort])
        so_far: list[Order] = []
        for month in months_from(cohort, books.figures_up_to or cohort):
            orders = by_month.get(month, [])
            number = months_between(cohort, month)
            active = distinct(order.buyer_id for order in orders if not order.is_return)
            amount = sub_totals(orders)
            so_far += orders
            yield {
                "buyer_cohort_id": f"{cohort}-{number}",
                "cohort_month": cohort,
                "month_start": month,
                "is_month_finished": books.is_finished(month),
                "seen_day_count": books.seen_days_of(month),
                "month_number": number,
                "cohort_buyer_count": len(buyers),
                "active_buyer_count": active,
                "order_count": len(orders),
                "sales_amount": amount,
                "retention_rate": ratio(active, len(buyers)),
                "sales_retention_rate": ratio(amount, at_first),
                "cumulative_sales_amount": sub_totals(so_far),
            }


def buyer_concentration(books: Books) -> Iterator[Row]:
    for vendor, orders in grouped(books.sales, lambda order: order.vendor).items():
        yield _concentration(books, vendor, orders)
    yield _concentration(books, "all", books.sales)


def _concentration(books: Books, vendor: str, orders: Sequence[Order]) -> Row:
    amount = sub_totals(orders)
    sums = {buyer: sub_totals(bought) for buyer, bought in _orders_of_buyers(orders).items()}
    known = {buyer: found for buyer, found in sums.items() if found is not None}
    largest = [*sorted(known, key=lambda buyer: (-known[buyer], buyer))]
    largest += sorted(sums.keys() - known.keys())
    top_5 = total(sums[buyer] for buyer in largest[:5])
    unassigned = sub_totals(order for order in orders if order.buyer_id is None)
    whole = known_total(max(part or 0, 0) for part in (*sums.values(), unassigned))
    shares = [Fraction(max(sums[b] or 0, 0)) / Fraction(whole) for b in largest if whole]
    index = rounded(sum((share**2 for share in shares), Fraction()), 12) if whole else None
    return {
        "vendor_id": vendor,
        "vendor_name": books.vendor_name(vendor),
        "buyer_count": len(sums),
        "sales_amount": amount,
        "unassigned_sales_amount": unassigned,
        "top_buyer_id": largest[0] if known else None,
        "top_5_sales_amount": top_5,
        "top_5_share": rounded(sum(shares[:5], Fraction()), 6) if whole else None,
        "herfindahl_index": index,
    }


def account_managers(books: Books) -> Iterator[Row]:
    managers = {
        buyer["id"]: told(buyer.get("account_manager_id"), "none") for buyer in books.rows("buyers")
    }
    assigned = grouped(
        (buyer["id"] for buyer in books.rows("buyers") if buyer["_deleted_at"] is None),
        lambda buyer: managers[buyer],
    )
    groups = grouped(
        (order for order in books.sales if order.buyer_id in managers),
        lambda order: (managers[order.buyer_id or ""], books.month_of(order.day)),
    )
    for (manager, month), orders in groups.items():
        here = {order.buyer_id for order in orders}
        book = assigned.get(manager, [])
        yield {
            "account_manager_month_id": f"{manager}-{month_key(month)}",
            "account_manager_id": manager,
            "month_start": month,
            "is_month_finished": books.is_finished(month),
            "seen_day_count": books.seen_days_of(month),
            "assigned_buyer_count": len(book),
            "active_buyer_count": len(here),
            "order_count": len(orders),
            "sales_amount": sub_totals(orders),
            "average_order_value": average(orders),
            "active_rate": ratio(len(here & set(book)), len(book)),
        }

"""Sales: what was sold when, from whom and to where."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import partial

from .arithmetic import (
    Number,
    Row,
    days_from,
    distinct,
    grouped,
    growth,
    hashed,
    known_total,
    least,
    month_key,
    ratio,
    summed_up,
    told,
    total,
    total_or_none,
)
from .books import Books, Order, discounts, lowered, sub_totals, totals, units
from .periods import A_YEAR_OF_WEEKS, periods
from .promises import of_vendors


def average(orders: Sequence[Order]) -> Decimal | None:
    return ratio(sub_totals(orders), sum(order.sub_total is not None for order in orders))


def buyers(orders: Sequence[Order]) -> int:
    return distinct(order.buyer_id for order in orders)


def below_minimum(orders: Sequence[Order]) -> int:
    return sum(order.is_below_minimum_value for order in orders)


def discount_rate(books: Books, orders: Sequence[Order]) -> Decimal | None:
    return ratio(
        discounts(orders), total(books.before(order.sub_total, order.discount) for order in orders)
    )


MEASURES: Mapping[str, Callable[[Sequence[Order]], Number | None]] = {
    "order_count": len,
    "buyer_count": buyers,
    "sales_amount": sub_totals,
    "average_order_value": average,
}


def fee_rate(orders: Sequence[Order]) -> Decimal | None:
    return ratio(total_or_none(order.fee for order in orders), totals(orders))


def headlines(books: Books) -> Iterator[Row]:
    sales = books.sales
    refunded = [order for order in sales if order.is_refunded]
    returns = [order for order in sales if order.is_return]
    lines = [line for order in sales for line in order.lines]
    quiet = None
    if books.synced_at and books.last_day:
        quiet = (books.synced_at.astimezone(books.zone).date() - books.last_day).days
    yield {
        "as_of_date": books.as_of,
        "figures_from": books.first_day,
        "figures_up_to": books.figures_up_to,
        "last_ordered_date": books.last_day,
        "synced_at": books.synced_at,
        "quiet_day_count": quiet,
        "currency": books.settings.currency,
        "time_zone": books.settings.time_zone,
        "order_count": len(sales),
        "buyer_count": buyers(sales),
        "unit_count": units(sales),
        "line_count": len(lines),
        "sales_amount": sub_totals(sales),
        "net_sales_amount": total(books.after(order.sub_total, order.discount) for order in sales),
        "return_count": len(returns),
        "returned_amount": sub_totals(returns),
        "refunded_order_count": len(refunded),
        "refunded_amount": sub_totals(refunded),
        "billed_amount": totals(sales),
        "discount_amount": discounts(sales),
        "fee_amount": total_or_none(order.fee for order in sales),
        "missing_amount_count": sum(None in (order.sub_total, order.total) for order in sales),
        "undated_order_count": sum(order.day is None for order in sales),
        "lines_without_quantity_count": sum(line.quantity is None for line in lines),
        "lines_without_amount_count": sum(line.total_price is None for line in lines),
        "average_order_value": average(sales),
        "units_per_order": ratio(units(sales), len(sales)),
        "lines_per_order": ratio(len(lines), len(sales)),
        "discount_rate": discount_rate(books, sales),
        "fee_rate": fee_rate(sales),
        "below_minimum_value_rate": ratio(below_minimum(sales), len(sales)),
    }


def daily_sales(books: Books) -> Iterator[Row]:
    for vendor, orders in grouped(books.dated_sales, lambda order: order.vendor).items():
        by_day = grouped(orders, lambda order: order.day)
        first = min(by_day)
        window = partial(_window, by_day, first)
        for day in days_from(first, books.last_day or first):
            sold = by_day.get(day, [])
            before = window(day - A_YEAR_OF_WEEKS, 28)
            is_over = books.figures_up_to is not None and day <= books.figures_up_to
            weeks = window(day, 28) if is_over else None
            yield {
                "daily_sales_id": f"{vendor}-{day}",
                "date_day": day,
                "vendor_id": vendor,
                "vendor_name": books.vendor_name(vendor),
                "order_count": len(sold),
                "buyer_count": buyers(sold),
                "unit_count": units(sold),
                "sales_amount": sub_totals(sold),
                "billed_amount": totals(sold),
                "discount_amount": discounts(sold),
                "average_order_value": average(sold),
                "sales_amount_7_days": window(day, 7) if is_over else None,
                "sales_amount_28_days": weeks,
                "sales_amount_28_days_year_before": before,
                "year_on_year_growth": growth(weeks, before),
            }


def _window(
    sold: Mapping[date, Sequence[Order]], first: date, last: date, days: int
) -> Decimal | None:
    """Sales of so many days up to the last; None where they begin before the first sale."""
    begin = last - timedelta(days=days - 1)
    if begin < first:
        return None
    return sub_totals(order for day in days_from(begin, last) for order in sold.get(day, ()))


def sales_by_period(books: Books) -> Iterator[Row]:
    first_days = _days_of_vendors(books)
    for period in periods(books):
        now = _of_span(books, period.span)
        is_covered = period.reaches(books.first_day)
        before = _of_span(books, period.year_before) if is_covered else {}
        for vendor, state in now.keys() | before.keys():
            sold, sold_before = now.get((vendor, state), []), before.get((vendor, state), [])
            first_day = books.first_day if vendor == "all" else first_days.get(vendor)
            is_told = is_covered and period.reaches(first_day)
            yield {
                "sales_by_period_id": hashed(period.key, vendor, state),
                "period_key": period.key,
                "is_finished": period.is_finished,
                "vendor_id": vendor,
                "vendor_name": books.vendor_name(vendor),
                "state": state,
                "order_count": len(sold),
                "buyer_count": buyers(sold),
                "unit_count": units(sold),
                "sales_amount": sub_totals(sold),
                "net_sales_amount": total(
                    books.after(order.sub_total, order.discount) for order in sold
                ),
                "billed_amount": totals(sold),
                "refunded_amount": sub_totals(order for order in sold if order.is_refunded),
                "discount_amount": discounts(sold),
                "average_order_value": average(sold),
                "discount_rate": discount_rate(books, sold),
                "below_minimum_value_count": below_minimum(sold),
                "below_minimum_value_rate": ratio(below_minimum(sold), len(sold)),
                **_against(sold, sold_before, is_told=is_told),
                "is_growth_told": is_told,
            }


def _against(now: Sequence[Order], before: Sequence[Order], *, is_told: bool) -> Row:
    figures = {name: measure(before) if before else None for name, measure in MEASURES.items()}
    told = {f"{name}_year_before": figure for name, figure in figures.items()} | {
        f"{name}_growth": growth(MEASURES[name](now), figure) if is_told else None
        for name, figure in figures.items()
    }
    counts = [sum(order.sub_total is not None for order in orders) for orders in (now, before)]
    if is_told and all(counts):  # of the averages themselves, and not as they are rounded
        amounts = [known_total(order.sub_total for order in orders) for orders in (now, before)]
        told["average_order_value_growth"] = growth(amounts[0] * counts[1], amounts[1] * counts[0])
    return told


def _of_span(books: Books, span: tuple[date, date] | None) -> dict[tuple[str, str], list[Order]]:
    """Sales of a span of days, of all time without one, by vendor and state."""
    orders = (
        books.sales
        if span is None
        else [order for order in books.sales if order.day and span[0] <= order.day <= span[1]]
    )
    return summed_up(orders, lambda order: (order.vendor, order.place))


def _days_of_vendors(books: Books) -> dict[str, date | None]:
    """The first day on which each vendor of the list was there: created, or with a sale."""
    sold = grouped(books.dated_sales, lambda order: order.vendor)
    return {
        (key := told(vendor["id"])): least(
            [books.day(vendor.get("created_at")), *(order.day for order in sold.get(key, ()))]
        )
        for vendor in books.rows("vendors")
    }


def geography(books: Books) -> Iterator[Row]:
    groups = grouped(
        books.sales,
        lambda order: (
            told(order.country or None),
            told(order.state or None),
            books.month_of(order.day),
        ),
    )
    for (country, state, month), orders in groups.items():
        yield {
            "geography_id": hashed(country, state, month_key(month)),
            "shipping_country": country,
            "shipping_state": state,
            "state": orders[0].place,
            "month_start": month,
            "is_month_finished": books.is_finished(month),
            "seen_day_count": books.seen_days_of(month),
            "order_count": len(orders),
            "buyer_count": buyers(orders),
            "sales_amount": sub_totals(orders),
            "billed_amount": totals(orders),
            "average_order_value": average(orders),
        }


NO_PROMISE = {
    "promise_kept_rate": None,
    "promise_judged_count": 0,
    "promise_unknown_count": 0,
}


def vendor_scorecard(books: Books) -> Iterator[Row]:
    published: dict[str, set[str]] = defaultdict(set)
    for item in books.rows("items"):
        is_published = item["_deleted_at"] is None and lowered(item.get("status")) == "published"
        if is_published and item.get("vendor_id") is not None:
            published[told(item["vendor_id"])].add(item["id"])
    first_sales = {
        pair: least(order.day for order in orders)
        for pair, orders in grouped(
            books.purchases, lambda order: (order.vendor, order.buyer_id)
        ).items()
    }
    promised = of_vendors(books)
    groups = grouped(books.sales, lambda order: (order.vendor, books.month_of(order.day)))
    for (vendor, month), orders in groups.items():
        lines = [line for order in orders for line in order.lines]
        sold = {line.item_id for line in lines if line.item_id is not None}
        here = {pair[1] for pair in first_sales if pair[0] == vendor and pair[1] is not None}
        new = [buyer for buyer in here if books.month_of(first_sales[vendor, buyer]) == month]
        listed = published[vendor]
        yield {
            "vendor_scorecard_id": f"{vendor}-{month_key(month)}",
            "vendor_id": vendor,
            "vendor_name": books.vendor_name(vendor),
            "month_start": month,
            "is_month_finished": books.is_finished(month),
            "seen_day_count": books.seen_days_of(month),
            "order_count": len(orders),
            "sales_amount": sub_totals(orders),
            "billed_amount": totals(orders),
            "buyer_count": buyers(orders),
            "new_buyer_count": len(new),
            "average_order_value": average(orders),
            "units_per_order": ratio(units(orders), len(orders)),
            "discount_rate": discount_rate(books, orders),
            "fee_rate": fee_rate(orders),
            "below_minimum_value_rate": ratio(below_minimum(orders), len(orders)),
            **promised.get((vendor, month), dict(NO_PROMISE)),
            "sold_item_count": len(sold),
            "published_item_count": len(listed),
            "catalogue_sold_rate": ratio(len(sold & listed), len(listed)),
        }

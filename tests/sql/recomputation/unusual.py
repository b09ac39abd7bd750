"""Unusual: which weeks were outside those of the year before, in shares of twelve weeks each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from .arithmetic import Number, Row, grouped, known_total, ratio
from .books import Books
from .forecasts import is_share, share_of
from .products import Catalogue, catalogue

COMPARED, FEWEST, BASE = 52, 26, 12


@dataclass(frozen=True)
class Week:
    """A week of a member, by its first day; `compared` are the shares of the year before it."""

    first_day: date
    amount: Number
    base: Decimal
    share: Decimal
    compared: Sequence[Decimal]

    @property
    def is_unusual(self) -> bool:
        return not min(self.compared) <= self.share <= max(self.compared)


def unusual(books: Books) -> Iterator[Row]:
    for (dimension, member), weeks in _weeks(books).items():
        for week in weeks:
            if week.first_day == _first_day(books, 0) and week.is_unusual:
                low, high = (share_of(end(week.compared), week.base) for end in (min, max))
                yield {
                    "unusual_id": f"{dimension}-{member}",
                    "dimension": dimension,
                    "member": member,
                    "member_name": _called(books, dimension, member),
                    "first_day": week.first_day,
                    "last_day": week.first_day + timedelta(days=6),
                    "amount": week.amount,
                    "low_amount": low,
                    "high_amount": high,
                    "is_above": week.amount > high,
                    "compared_count": len(week.compared),
                }


def unusual_weeks(books: Books) -> Iterator[Row]:
    found = [(dimension, week) for (dimension, _), weeks in _weeks(books).items() for week in weeks]
    for (dimension, first_day), of in grouped(
        found, lambda one: (one[0], one[1].first_day)
    ).items():
        yield {
            "unusual_week_id": f"{dimension}-{first_day}",
            "dimension": dimension,
            "first_day": first_day,
            "judged_count": len(of),
            "unusual_count": sum(week.is_unusual for _, week in of),
            "count_by_chance": known_total(ratio(2, len(week.compared) + 1) for _, week in of),
        }


def _called(books: Books, dimension: str, member: str) -> str | None:
    if dimension in ("vendor", "buyer"):
        return books.called(f"{dimension}s", member)
    if dimension == "product":
        titles = {row["product_id"]: row["item_title"] for row in catalogue(books)}
        return titles.get(member)
    return member


def _first_day(books: Books, number: int) -> date:
    assert books.figures_up_to
    return books.figures_up_to - timedelta(days=7 * number + 6)


def _weeks(books: Books) -> Mapping[tuple[str, str], Sequence[Week]]:
    until, first = books.figures_up_to, books.first_day
    if not until or not first:
        return {}
    count = ((until - first).days + 1) // 7
    found = {}
    for key, sold in _sold(books, until).items():
        weeks: dict[int, list[Number | None]] = {
            number: [] for number in range(max(number for number, _ in sold) + 1)
        }
        for number, amount in sold:
            weeks[number].append(amount)
        amounts: list[Number | None] = [
            (None if None in weeks[number] else known_total(weeks[number]))
            for number in sorted(weeks, reverse=True)
            if number < count
        ]
        found[key] = list(_judged(books, amounts))
    return found


def _judged(books: Books, amounts: Sequence[Number | None]) -> Iterator[Week]:
    """Of amounts from the first week to the last."""
    bases = [
        known_total(amounts[at - BASE : at])
        if at >= BASE and None not in amounts[at - BASE : at]
        else None
        for at in range(len(amounts))
    ]
    shares = [
        ratio(amount, base) if is_share(amount, base) else None
        for amount, base in zip(amounts, bases, strict=True)
    ]
    for at, (amount, base, share) in enumerate(zip(amounts, bases, shares, strict=True)):
        begin = max(at - COMPARED, 0)
        compared = [one for one in shares[begin:at] if one is not None]
        sold = sum(bool(one) for one in amounts[begin:at])
        if amount is None or share is None or base is None:
            continue
        if len(compared) < FEWEST or 2 * sold < len(compared):
            continue
        yield Week(_first_day(books, len(amounts) - 1 - at), amount, base, share, compared)


def _sold(books: Books, until: date) -> Mapping[tuple[str, str], list[tuple[int, Number | None]]]:
    managers = {
        id_: record.get("account_manager_id") for id_, record in books.by_id("buyers").items()
    }
    products = {
        id(line): product.id
        for product in Catalogue(books).products.values()
        for line in (*product.lines, *product.unsold)
    }
    sold: list[tuple[tuple[str, str | None], tuple[int, Number | None]]] = []
    for order in books.dated_sales:
        if order.day and order.day <= until:
            week = (until - order.day).days // 7
            members = {
                "all": "all",
                "vendor": order.vendor_key,
                "account_manager": managers.get(order.buyer_id or ""),
                "buyer": order.buyer_key,
            }
            sold += [(each, (week, order.sub_total)) for each in members.items()]
            sold += [
                (("product", products.get(id(line))), (week, line.total_price))
                for line in order.lines
            ]
    told = [(key, amount) for key, amount in sold if key[1] is not None]
    return {
        key: [amount for _, amount in of] for key, of in grouped(told, lambda one: one[0]).items()
    }

"""Unusual: which weeks and days were outside those of the year before, in shares of weeks."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache

from .arithmetic import Number, Row, grouped, known_total, ratio
from .books import Books
from .forecasts import is_share, share_of
from .products import Catalogue, catalogue

COMPARED, FEWEST, BASE = 52, 26, 12
DAYS = {"week": 7, "day": 1}
BY_DAY = ("sales", "vendor", "account_manager")
Sold = tuple[date, Number | None]


@dataclass(frozen=True)
class Period:
    """A week or day of a member; `compared` are the shares of the year before it."""

    grain: str
    dimension: str
    member: str
    last_day: date
    amount: Number
    base: Decimal
    share: Decimal
    compared: Sequence[Decimal]

    @property
    def first_day(self) -> date:
        return self.last_day - timedelta(days=DAYS[self.grain] - 1)

    @property
    def is_unusual(self) -> bool:
        return not min(self.compared) <= self.share <= max(self.compared)

    @property
    def why(self) -> str:
        if self.dimension == "product":
            statement = (
                "select buyer_id, order_id, ordered_date, quantity, total_price from order_lines"
                f" where product_id = {text(self.member)} and is_sale and ordered_date between"
                f" '{self.first_day}' and '{self.last_day}' order by total_price desc"
            )
            return f"wholesale sql {shlex.quote(statement)}"
        by = "vendor" if self.dimension == "buyer" else "buyer"
        days = dict.fromkeys((f"{self.first_day}", f"{self.last_day}"))
        command = f"wholesale figures sales by {by} --period {'..'.join(days)} --compare period"
        if self.dimension == "sales":
            return command
        # A blank is never safe in a shell, so that the text is quoted.
        member = shlex.quote(f" {self.dimension}={self.member}")
        return f"{command} --where {member.replace(' ', '', 1)}"


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def unusual(books: Books) -> Iterator[Row]:
    for period in _periods(books):
        if period.last_day == books.figures_up_to and period.is_unusual:
            low, high = (share_of(end(period.compared), period.base) for end in (min, max))
            dimension, member = period.dimension, period.member
            yield {
                "unusual_id": f"{period.grain}-{dimension}-{member}",
                "grain": period.grain,
                "dimension": dimension,
                "member": member,
                "member_name": _called(books, dimension, member),
                "first_day": period.first_day,
                "last_day": period.last_day,
                "amount": period.amount,
                "low_amount": low,
                "high_amount": high,
                "is_above": period.amount > high,
                "compared_count": len(period.compared),
                "why": period.why,
            }


def unusual_record(books: Books) -> Iterator[Row]:
    for (grain, dimension, first_day), of in grouped(
        _periods(books), lambda one: (one.grain, one.dimension, one.first_day)
    ).items():
        yield {
            "unusual_period_id": f"{grain}-{dimension}-{first_day}",
            "grain": grain,
            "dimension": dimension,
            "first_day": first_day,
            "judged_count": len(of),
            "unusual_count": sum(period.is_unusual for period in of),
            "count_by_chance": known_total(ratio(2, len(period.compared) + 1) for period in of),
        }


def _called(books: Books, dimension: str, member: str) -> str | None:
    if dimension in ("vendor", "buyer"):
        return books.called(f"{dimension}s", member)
    if dimension == "product":
        return _titles(books).get(member)
    return member


@cache
def _titles(books: Books) -> Mapping[str, str | None]:
    return {row["product_id"]: row["item_title"] for row in catalogue(books)}


def _periods(books: Books) -> Iterator[Period]:
    until, first = books.figures_up_to, books.first_day
    if not until or not first:
        return
    for (dimension, member), sold in _sold(books, until).items():
        for grain, length in DAYS.items():
            if grain == "week" or dimension in BY_DAY:
                amounts = _amounts(sold, until, length)
                count = ((until - first).days + 1) // length
                of = (grain, dimension, member)
                yield from _judged(of, until, amounts[-count:] if count else [])


def _amounts(sold: Sequence[Sold], until: date, length: int) -> list[Number | None]:
    """Of each period from the first with a sale to the last."""
    numbered = [((until - day).days // length, amount) for day, amount in sold]
    periods: dict[int, list[Number | None]] = {
        number: [] for number in range(max(number for number, _ in numbered), -1, -1)
    }
    for number, amount in numbered:
        periods[number].append(amount)
    return [None if None in of else known_total(of) for of in periods.values()]


def _judged(
    of: tuple[str, str, str], until: date, amounts: Sequence[Number | None]
) -> Iterator[Period]:
    """Of amounts from the first period to the last."""
    length = DAYS[of[0]]
    apart = 7 // length
    bases = [
        known_total(amounts[at - BASE * apart : at])
        if at >= BASE * apart and None not in amounts[at - BASE * apart : at]
        else None
        for at in range(len(amounts))
    ]
    shares = [
        ratio(amount, base) if is_share(amount, base) else None
        for amount, base in zip(amounts, bases, strict=True)
    ]
    for at, (amount, base, share) in enumerate(zip(amounts, bases, shares, strict=True)):
        weeks = [at - apart * week for week in range(1, COMPARED + 1) if at >= apart * week]
        compared = [each for week in weeks if (each := shares[week]) is not None]
        sold = sum(bool(amounts[week]) for week in weeks)
        if amount is None or share is None or base is None:
            continue
        if len(compared) < FEWEST or 2 * sold < len(compared):
            continue
        last_day = until - timedelta(days=length * (len(amounts) - 1 - at))
        yield Period(*of, last_day, amount, base, share, compared)


def _sold(books: Books, until: date) -> Mapping[tuple[str, str], Sequence[Sold]]:
    managers = {
        id_: record.get("account_manager_id") for id_, record in books.by_id("buyers").items()
    }
    products = {
        id(line): product.id
        for product in Catalogue(books).products.values()
        for line in (*product.lines, *product.unsold)
    }
    sold: list[tuple[tuple[str, str | None], Sold]] = []
    for order in books.dated_sales:
        if order.day and order.day <= until:
            members = {
                "sales": "sales",
                "vendor": order.vendor_key,
                "account_manager": managers.get(order.buyer_id or ""),
                "buyer": order.buyer_key,
            }
            sold += [(each, (order.day, order.sub_total)) for each in members.items()]
            sold += [
                (("product", products.get(id(line))), (order.day, line.total_price))
                for line in order.lines
            ]
    told = [(key, amount) for key, amount in sold if key[1] is not None]
    return {
        key: [amount for _, amount in of] for key, of in grouped(told, lambda one: one[0]).items()
    }

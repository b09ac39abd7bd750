"""Outlooks: where the running month and the next may end, as it was set and as it came."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from math import ceil

from .arithmetic import Row, grouped, known_total, ratio, total_or_none
from .books import Books, Order
from .events import found_late
from .forecasts import DAY, SHARES, is_share, share_of

MIDDLE = 0
"""The share of the window that is the middle alone, at its upper end."""


def sales_outlook(books: Books) -> Iterator[Row]:
    until = books.figures_up_to
    if not until or not books.first_day or books.first_day > until:
        return
    running = (until + DAY).replace(day=1)
    seen = (until + DAY - running).days
    for dimension, member, orders in _members(books):
        sold = Sold(orders, until, found_late(books))
        for is_next in (False, True):
            month = _months_after(running, 1) if is_next else running
            claims = [
                (set_on, start)
                for back in range(13)
                for begin in [_months_after(running, -back)]
                for set_on in [min(begin + (seen - 1) * DAY, _months_after(begin, 1) - DAY)]
                for start in [_months_after(begin, 1) if is_next else begin]
                if set_on < _months_after(start, 1) - DAY
            ]
            verdicts = [
                low <= amount <= high
                for set_on, start in claims
                if set_on != until
                for windows in [sold.windows(set_on, start)]
                for end in [_months_after(start, 1) - DAY]
                if windows and end <= until and 80 in windows
                for low, high in [windows[80]]
                for amount in [sold.between(start, end)]
                if amount is not None
            ]
            if not sold.knows(until) or (until, month) not in claims:
                continue
            windows = sold.windows(until, month) or {}
            row: Row = {
                "outlook_id": f"{dimension}-{member}-{month}",
                "month_start": month,
                "is_next": is_next,
                "dimension": dimension,
                "member": member,
                "member_name": books.called("vendors", member) if dimension == "vendor" else member,
                "known_amount": Decimal() if is_next else sold.between(month, until),
            }
            _, row["expected_amount"] = windows.get(MIDDLE, (None, None))
            for share in SHARES:
                row[f"low_{share}"], row[f"high_{share}"] = windows.get(share, (None, None))
            yield row | {
                "judged_count": len(verdicts),
                "right_count": sum(verdicts),
                "figures_up_to": until,
            }


def _members(books: Books) -> Iterator[tuple[str, str, Sequence[Order]]]:
    sales, buyers = books.dated_sales, books.by_id("buyers")
    yield "all", "all", sales
    managers = {id_: record.get("account_manager_id") for id_, record in buyers.items()}
    for dimension, key in (
        ("vendor", lambda order: order.vendor_key),
        ("account_manager", lambda order: managers.get(order.buyer_id)),
    ):
        for member, orders in grouped(sales, key).items():
            if member is not None:
                yield dimension, member, orders


def _months_after(month: date, count: int) -> date:
    place = month.year * 12 + month.month - 1 + count
    return date(place // 12, place % 12 + 1, 1)


class Sold:
    """What was sold up to the end of each day, from the day before the first sale."""

    def __init__(self, orders: Sequence[Order], until: date, found: Mapping[str, date]) -> None:
        self._late = [
            (order.day, found[order.id], order.sub_total)
            for order in orders
            if order.day and order.id in found
        ]
        self._by_day = {
            day: total_or_none(order.sub_total for order in of)
            for day, of in grouped(orders, lambda order: order.day).items()
        }
        told = [day for day, amount in self._by_day.items() if amount is not None]
        self._so_far: dict[date, Decimal] = {}
        if told:
            day, amount = min(told) - DAY, Decimal()
            while day <= until:
                amount += self._by_day.get(day) or 0
                self._so_far[day] = amount
                day += DAY

    def knows(self, day: date) -> bool:
        return day in self._so_far

    def between(self, first: date, last: date) -> Decimal | None:
        """None where there were sales, and none of them tells its amount."""
        begun = max(first, min(self._so_far))
        amounts = [amount for day, amount in self._by_day.items() if begun <= day <= last]
        if amounts and total_or_none(amounts) is None:
            return None
        return known_total(amounts)

    def late(self, first: date, last: date, set_on: date) -> Decimal:
        """What was found after the day of the claim."""
        return known_total(
            amount
            for day, found, amount in self._late
            if amount is not None and first <= day <= last and day <= set_on < found
        )

    def known(self, first: date, last: date, set_on: date) -> Decimal:
        sold = self._so_far[last] - self._so_far[first - DAY]
        return sold - self.late(first, last, set_on)

    def windows(self, set_on: date, month: date) -> Mapping[int, tuple[Decimal, Decimal]] | None:
        """The windows of each share, set on a day; None where too few weeks tell it."""
        end = _months_after(month, 1) - DAY
        begin = max(month, set_on + DAY)
        near, far = (begin - set_on).days, (end - set_on).days
        shares = []
        for week in range(52):
            at = set_on - timedelta(days=7 * (week + ceil(far / 7)))
            if self.knows(at) and self.knows(at - timedelta(days=84)):
                base = self.known(at - timedelta(days=83), at, set_on)
                came = self.known(at + timedelta(days=near), at + timedelta(days=far), set_on)
                if is_share(came, base):
                    shares.append(ratio(came, base) or Decimal())
        if len(shares) < 26 or not self.knows(set_on - timedelta(days=84)):
            return None
        shares.sort()
        base = self.known(set_on - timedelta(days=83), set_on, set_on)
        known = self.between(month, set_on) if month <= set_on else Decimal()
        if known is None:
            return None
        known -= self.late(month, set_on, set_on)
        found = {}
        for share in (MIDDLE, *SHARES):
            low = (100 - share) * (len(shares) + 1) // 200
            high = ceil(Fraction((100 + share) * (len(shares) + 1), 200))
            found[share] = (
                known + share_of(shares[low - 1], base),
                known + share_of(shares[high - 1], base),
            )
        return found

"""Outlooks: where the running month and the next may end, as it was set and as it came."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from math import ceil

from .arithmetic import Row, grouped, known_total, ratio
from .books import Books, Order
from .forecasts import DAY, SHARES, is_share, share_of
from .known import sales_known_on

MIDDLE = 0
"""The share of the window that is the middle alone, at its upper end."""


def sales_outlook(books: Books) -> Iterator[Row]:
    until = books.figures_up_to
    if not until or not books.first_day or books.first_day > until:
        return
    running = (until + DAY).replace(day=1)
    seen = (until + DAY - running).days
    earlier = [
        claim
        for back in range(1, 13)
        for begin in [_months_after(running, -back)]
        for claim in claims_of(books, min(begin + (seen - 1) * DAY, _last_of(begin)), begin)
    ]
    sold = {
        (dimension, member): Sold.of(orders, sales_known_on(books, until), until)
        for dimension, member, orders in _members(books)
    }
    verdicts = grouped(
        (
            (_of(claim), claim["low_80"] <= amount <= claim["high_80"])
            for claim in earlier
            if claim["low_80"] is not None and _last_of(claim["month_start"]) <= until
            for start in [claim["month_start"]]
            for amount in [
                sold[claim["dimension"], claim["member"]].between(start, _last_of(start))
            ]
            if amount is not None
        ),
        lambda verdict: verdict[0],
    )
    for claim in claims_of(books, until, running):
        member = claim["member"]
        is_vendor = claim["dimension"] == "vendor"
        right = [is_right for _, is_right in verdicts[_of(claim)]]
        yield claim | {
            "outlook_id": f"{claim['dimension']}-{member}-{claim['month_start']}",
            "member_name": books.called("vendors", member) if is_vendor else member,
            "judged_count": len(right),
            "right_count": sum(right),
            "figures_up_to": until,
        }


def claims_of(books: Books, day: date, running: date) -> Iterator[Row]:
    """What is claimed on a day of the running month and the next, from what was known then."""
    until = books.figures_up_to
    assert until
    now, then = (sales_known_on(books, on) for on in (until, day))
    for dimension, member, orders in _members(books):
        since = _begin(orders, now)
        if since is None or since > day:
            continue
        sold = Sold.of(orders, then, day)
        for is_next in (False, True):
            month = _months_after(running, 1) if is_next else running
            if day >= _last_of(month):
                continue
            windows = _windows(sold, since, day, month) or {}
            row: Row = {
                "month_start": month,
                "is_next": is_next,
                "dimension": dimension,
                "member": member,
                "known_amount": Decimal() if is_next else sold.between(month, day),
            }
            _, row["expected_amount"] = windows.get(MIDDLE, (None, None))
            for share in SHARES:
                row[f"low_{share}"], row[f"high_{share}"] = windows.get(share, (None, None))
            yield row


def _of(claim: Row) -> tuple[str, str, bool]:
    return claim["dimension"], claim["member"], claim["is_next"]


def _members(books: Books) -> Iterator[tuple[str, str, Sequence[Order]]]:
    """Orders of a day, whether they are sales or not."""
    dated = [order for order in books.orders.values() if order.day]
    yield "all", "all", dated
    buyers = books.by_id("buyers")
    managers = {id_: record.get("account_manager_id") for id_, record in buyers.items()}
    for dimension, key in (
        ("vendor", lambda order: order.vendor_key),
        ("account_manager", lambda order: managers.get(order.buyer_id)),
    ):
        for member, orders in grouped(dated, key).items():
            if member is not None:
                yield dimension, member, orders


def _months_after(month: date, count: int) -> date:
    place = month.year * 12 + month.month - 1 + count
    return date(place // 12, place % 12 + 1, 1)


def _last_of(month: date) -> date:
    return _months_after(month, 1) - DAY


def _begin(orders: Iterable[Order], sales: Mapping[str, Decimal | None]) -> date | None:
    """The day before the first sale, if any sale tells its amount."""
    sold = [order for order in orders if order.id in sales]
    days = [order.day for order in sold if order.day]
    return min(days) - DAY if any(sales[order.id] is not None for order in sold) else None


class Sold:
    """What was sold up to the end of each day."""

    def __init__(self, sales: Iterable[tuple[date, Decimal | None]], until: date) -> None:
        by_day = grouped(sales, lambda sale: sale[0])
        self._first: date = min((*by_day, until))
        self._so_far = [(Decimal(), 0, 0)]
        for after in range((until - self._first).days + 1):
            amounts = [amount for _, amount in by_day.get(self._first + after * DAY, ())]
            amount, told, count = self._so_far[-1]
            told += sum(one is not None for one in amounts)
            self._so_far.append((amount + known_total(amounts), told, count + len(amounts)))

    @classmethod
    def of(
        cls, orders: Iterable[Order], sales: Mapping[str, Decimal | None], until: date
    ) -> "Sold":
        """By those of these orders that are among the sales, which are known with their amounts."""
        return cls(
            ((one.day, sales[one.id]) for one in orders if one.day and one.id in sales), until
        )

    def between(self, first: date, last: date) -> Decimal | None:
        """None where there were sales, and none of them tells its amount."""
        (before, told_before, count_before), (amount, told, count) = (
            self._so_far[max(0, (day - self._first).days)] for day in (first, last + DAY)
        )
        return amount - before if told > told_before or count == count_before else None

    def known(self, first: date, last: date) -> Decimal:
        return self.between(first, last) or Decimal()


def _windows(
    sold: Sold, since: date, set_on: date, month: date
) -> Mapping[int, tuple[Decimal, Decimal]] | None:
    """The windows of each share, set on a day; None where too few weeks tell it."""
    end = _last_of(month)
    begin = max(month, set_on + DAY)
    near, far = (begin - set_on).days, (end - set_on).days
    shares = []
    for week in range(52):
        at = set_on - timedelta(days=7 * (week + ceil(far / 7)))
        if since <= at - timedelta(days=84):
            base = sold.known(at - timedelta(days=83), at)
            came = sold.known(at + timedelta(days=near), at + timedelta(days=far))
            if is_share(came, base):
                shares.append(ratio(came, base) or Decimal())
    if len(shares) < 26:
        return None
    shares.sort()
    base = sold.known(set_on - timedelta(days=83), set_on)
    known = sold.between(month, set_on) if month <= set_on else Decimal()
    if known is None:
        return None
    found = {}
    for share in (MIDDLE, *SHARES):
        low = (100 - share) * (len(shares) + 1) // 200
        high = ceil(Fraction((100 + share) * (len(shares) + 1), 200))
        found[share] = (
            known + share_of(shares[low - 1], base),
            known + share_of(shares[high - 1], base),
        )
    return found

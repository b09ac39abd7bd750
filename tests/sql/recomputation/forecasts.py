"""Forecasts: when each next purchase was awaited, of what amount, and what came."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil, floor
from operator import itemgetter

from .arithmetic import Number, Row, grouped, known_total, ratio, rounded, total, total_or_none
from .books import Books
from .events import found_late

HORIZONS = ((1, 14), (15, 30), (31, 90))
SHARES = (50, 80, 90)
FEWEST_ORDERS = 30
FEWEST_PURCHASES = 6
DAY = timedelta(days=1)
Scores = tuple[Decimal, Decimal]


@dataclass(frozen=True)
class Curve:
    """By which score so many millionths of those alike had ordered again; how much they ordered."""

    scores: Sequence[Decimal]
    ordered: Sequence[int]
    amounts: Sequence[Decimal]

    def by(self, score: Number) -> int:
        place = bisect_right(self.scores, score)
        return self.ordered[place - 1] if place else 0

    def windows(self, share: int) -> Mapping[int, Scores]:
        """By how many thirds had ordered before it of those that it leaves out: the first."""
        scores, ordered = [Decimal(), *self.scores], [0, *self.ordered]
        thirds = [3 * each // (10_000 * (100 - share)) for each in ordered]
        return {
            thirds[low]: (scores[low], scores[high])
            for low in range(len(scores))
            if low == 0 or thirds[low] > thirds[low - 1]
            for high in [_first(ordered, ordered[low] + 10_000 * share)]
            if high is not None
        }

    def late(self, share: Decimal) -> Decimal | None:
        return next(
            (
                score
                for score, ordered in zip(self.scores, self.ordered, strict=True)
                if ordered >= share * 1_000_000
            ),
            None,
        )


def _first(ordered: Sequence[int], least: int) -> int | None:
    return next((place for place, each in enumerate(ordered) if each >= least), None)


def _chosen(curves: Sequence[Curve | None], share: int) -> Iterator[Scores | None]:
    """Of each month in turn: the window that begins where windows were the shortest in the mean of
    the last twelve months that have one there, the earliest of several."""
    widths: dict[int, list[Decimal]] = {}
    for curve in curves:
        found = []
        for third, (low, high) in (curve.windows(share) if curve else {}).items():
            widths[third] = [*widths.get(third, [])[-11:], high - low]
            mean = ratio(known_total(widths[third]), len(widths[third])) or Decimal()
            found.append((mean, low, high))
        yield min(found)[1:] if found else None


@dataclass(frozen=True)
class Awaited:
    """What was awaited of a buyer from the day of a purchase on, and what came."""

    buyer: str
    day: date
    number: int
    age: str
    month: date
    usual_days: Decimal
    usual_amount: Decimal | None
    next_day: date | None
    next_amount: Number | None
    curve: Curve | None
    scores: Mapping[int, Scores | None]
    is_known_then: bool

    @property
    def is_shown(self) -> bool:
        return self.number >= FEWEST_PURCHASES

    def window(self, share: int) -> tuple[date, date] | None:
        scores = self.scores.get(share)
        if not scores:
            return None
        low, high = (floor(score * self.usual_days) for score in scores)
        return self.day + timedelta(days=low + 1), self.day + timedelta(days=high)

    def late_after(self, share: Decimal) -> int | None:
        score = self.curve.late(share) if self.curve else None
        return None if score is None else floor(score * self.usual_days)

    @property
    def amounts(self) -> tuple[Decimal, Decimal] | None:
        """Of n shares of usual amounts, the ranks in a tenth and nine tenths of n + 1."""
        scores = sorted(self.curve.amounts) if self.curve else []
        if len(scores) < FEWEST_ORDERS or self.usual_amount is None or self.usual_amount <= 0:
            return None
        ranks = (len(scores) + 1) // 10, ceil(Fraction(9 * (len(scores) + 1), 10))
        low, high = (scores[rank - 1] for rank in ranks)
        return share_of(low, self.usual_amount), share_of(high, self.usual_amount)

    def is_right(self, share: int, until: date) -> bool | None:
        window = self.window(share)
        if not self.is_known_then or window is None or window[1] > until:
            return None
        return self.next_day is not None and window[0] <= self.next_day <= window[1]

    def is_amount_right(self, until: date) -> bool | None:
        if not self.is_known_then or self.amounts is None or self.next_amount is None:
            return None
        if self.next_day is None or self.next_day > until:
            return None
        return self.amounts[0] <= self.next_amount <= self.amounts[1]

    def ends(self) -> date | None:
        window = self.window(90) or self.window(80)
        return window[1] if window else None

    def has_window(self) -> bool:
        return self.is_shown and self.window(80) is not None

    def chances(self, before: date) -> tuple[Decimal | None, Decimal | None]:
        """With which it orders in the seven days after one, and at all."""
        if self.curve is None:
            return None, None
        silent = (before - self.day).days
        now, then = (
            self.curve.by(ratio(days, self.usual_days) or 0) for days in (silent, silent + 7)
        )
        rest, last = 1_000_000 - now, self.curve.ordered[-1]
        if now == last:  # none of them is known to have ordered later
            return None, None
        return ratio(then - now, rest), ratio(last - now, rest)


def share_of(share: Decimal, amount: Decimal) -> Decimal:
    return _cents(share * _cents(amount))


def is_share(part: Number | None, whole: Number | None) -> bool:
    """Odd amounts make shares of a million and more, which are none."""
    if part is None or whole is None:
        return False
    return Decimal(whole) > 0 and abs(Decimal(part)) < 1_000_000 * Decimal(whole)


def _cents(amount: Decimal) -> Decimal:
    return rounded(Fraction(amount), 2)


def _age(number: int) -> str:
    for first, name in ((30, "30+"), (12, "12-29"), (6, "6-11"), (3, "3-5"), (2, "2")):
        if number >= first:
            return name
    return "1"


def _year_before(month: date) -> date:
    return month.replace(year=month.year - 1)


@cache
def awaited(books: Books) -> Mapping[str, Sequence[Awaited]]:
    """By buyer, one for each purchase in a month before which gaps were known."""
    purchases: list[tuple[str, date, int, list[int], list[Number | None], Purchase | None]] = []
    for buyer, days in _days_of_buyers(books).items():
        for place, (day, _) in enumerate(days):
            gaps = [(b - a).days for (a, _), (b, _) in pairwise(days[: place + 1])]
            following = days[place + 1] if place + 1 < len(days) else None
            purchases.append(
                (buyer, day, place + 1, gaps, [each for _, each in days[: place + 1]], following)
            )
    late = found_late(books)
    known = {(order.buyer_id, order.day) for order in books.purchases if order.id not in late}
    usual: dict[date, Decimal] = {}
    for month in {day.replace(day=1) for _, day, *_ in purchases}:
        gaps = [
            gaps[-1]
            for _, day, _, gaps, *_ in purchases
            if gaps and _year_before(month) <= day < month
        ]
        if told := ratio(sum(gaps), len(gaps)):
            usual[month] = told
    bases = [
        Awaited(
            buyer=buyer,
            day=day,
            number=number,
            age=_age(number),
            month=month,
            usual_days=ratio(sum(gaps) + 3 * usual[month], number + 2) or Decimal(),
            usual_amount=_mean(amounts),
            next_day=following[0] if following else None,
            next_amount=following[1] if following else None,
            curve=None,
            scores={},
            is_known_then=(buyer, day) in known,
        )
        for buyer, day, number, gaps, amounts, following in purchases
        for month in [day.replace(day=1)]
        if month in usual
    ]
    curves: dict[tuple[date, str], Curve | None] = {}
    windows: dict[tuple[date, str], dict[int, Scores | None]] = {}
    for age, of_age in grouped(bases, lambda base: base.age).items():
        told_by = {month: _curve(month, of_age, usual[month]) for month in sorted(usual)}
        chosen = zip(*(_chosen(list(told_by.values()), share) for share in SHARES), strict=True)
        for (month, curve), scores in zip(told_by.items(), chosen, strict=True):
            curves[month, age] = curve
            windows[month, age] = dict(zip(SHARES, scores, strict=True))
    told_of = [
        Awaited(**{**_fields(base), "curve": curves[key], "scores": windows[key]})
        for base in bases
        for key in [(base.month, base.age)]
    ]
    return grouped(told_of, lambda each: each.buyer)


Purchase = tuple[date, Number | None]


def _fields(base: Awaited) -> Row:
    return {name: getattr(base, name) for name in Awaited.__dataclass_fields__}


def _mean(amounts: Sequence[Number | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return ratio(known_total(known), len(known)) if known else None


def _days_of_buyers(books: Books) -> Mapping[str, Sequence[Purchase]]:
    dated = [order for order in books.purchases if order.day and order.buyer_id is not None]
    found = {}
    for buyer, orders in grouped(dated, lambda order: order.buyer_id).items():
        by_day = grouped(orders, lambda order: order.day)
        found[buyer] = [
            (day, total_or_none(order.sub_total for order in by_day[day])) for day in sorted(by_day)
        ]
    return found


def _curve(month: date, bases: Sequence[Awaited], usual_gap: Decimal) -> Curve | None:
    """What was known when the month began, of purchases in so many days before it: how they were
    followed in the latest days, and back to the sixtieth that was followed."""
    days = max(120, ceil(3 * usual_gap))
    asked = [base for base in bases if 0 < (month - base.day).days <= days]
    followed = [base for base in asked if base.next_day is not None and base.next_day < month]
    enough = sorted((base.day for base in followed), reverse=True)[59:60]
    seen_after = min(
        month - timedelta(days=max(30, ceil(Fraction(3, 2) * Fraction(usual_gap)))),
        *(enough or [month - timedelta(days=days)]),
    )
    waits = [
        (since, until, base.next_day is not None and base.next_day < month)
        for base in asked
        if min(base.next_day or month, month) > seen_after
        for since, until in [
            (
                _score((seen_after - base.day).days, base) if seen_after > base.day else Decimal(),
                _score((min(base.next_day or month, month) - base.day).days, base),
            )
        ]
    ]
    ordered = Counter(until for _, until, is_there in waits if is_there)
    if sum(ordered.values()) < FEWEST_ORDERS:
        return None
    begun, ended = (sorted(wait[end] for wait in waits) for end in (0, 1))
    there = {score: bisect_left(begun, score) - bisect_left(ended, score) for score in ordered}
    largest = max(there.values())
    silent, shares = Fraction(1), []
    for score in sorted(ordered):
        silent *= Fraction(there[score] - ordered[score], there[score])
        share = 1_000_000 * (1 - silent) * Fraction(largest, largest + 1)
        shares.append(floor(share + Fraction(500_001, 1_000_000)))
    amounts = [
        score
        for base in followed
        if is_share(base.next_amount, base.usual_amount)
        for score in [ratio(base.next_amount, base.usual_amount)]
        if score is not None
    ]
    return Curve(sorted(ordered), shares, amounts)


def _score(days: int, base: Awaited) -> Decimal:
    return ratio(days, base.usual_days) or Decimal()


def _all(books: Books) -> Iterator[Awaited]:
    for of_buyer in awaited(books).values():
        yield from of_buyer


def late_after(books: Books, buyer: str) -> int | None:
    """By those with about as many purchases."""
    found = awaited(books).get(buyer)
    return found[-1].late_after(Decimal(books.settings.late_percentile)) if found else None


def next_orders(books: Books, reorders: Iterable[Row]) -> Iterator[Row]:
    until = books.figures_up_to
    assert until
    judged = [
        each for each in _all(books) if each.is_shown and each.is_right(80, until) is not None
    ]
    judged.sort(key=lambda each: each.buyer)
    judged.sort(key=lambda each: (_last_day(each), each.day), reverse=True)
    last_of_all = [each.is_right(80, until) for each in judged[:200]]
    is_all_bad = len(last_of_all) >= 200 and 100 * sum(map(bool, last_of_all)) < 70 * 200
    of_buyers = grouped(sorted(judged, key=lambda each: each.day), lambda each: each.buyer)
    for row in reorders:
        if row["is_deleted"] or not row["purchase_count"]:
            continue
        found = awaited(books).get(row["buyer_id"])
        last = found[-1] if found else None
        verdicts = [each.is_right(80, until) for each in of_buyers.get(row["buyer_id"], ())]
        lasts = verdicts[-10:]
        in_week, again = last.chances(until) if last else (None, None)
        ends = last.ends() if last else None
        if row["purchase_count"] < FEWEST_PURCHASES:
            standing = "too_few_purchases"
        elif last is None or not last.has_window():
            standing = "too_few_alike"
        elif is_all_bad:
            standing = "all_right_too_seldom"
        elif len(lasts) == 10 and sum(map(bool, lasts)) < 7:
            standing = "right_too_seldom"
        elif ends and ends <= until:
            standing = "passed"
        elif in_week is not None and in_week >= Decimal("0.5"):
            standing = "due"
        else:
            standing = "later"
        has = standing in ("passed", "due", "later")
        told: Row = {}
        for share in SHARES:
            window = last.window(share) if last and has else None
            told[f"first_day_{share}"], told[f"last_day_{share}"] = window or (None, None)
        amounts = last.amounts if last and has else None
        yield {
            "buyer_id": row["buyer_id"],
            "buyer_name": row["company_name"],
            "account_manager_id": row["account_manager_id"],
            "state": row["state"],
            "standing": standing,
            "purchase_count": row["purchase_count"],
            "last_ordered_date": row["last_ordered_date"],
            **told,
            "usual_amount": last.usual_amount if last else None,
            "low_amount": amounts[0] if amounts else None,
            "high_amount": amounts[1] if amounts else None,
            "order_in_week_share": in_week if has else None,
            "order_again_share": again if has else None,
            "judged_count": len(verdicts),
            "right_count": sum(map(bool, verdicts)),
            "figures_up_to": until,
        }


def _last_day(judged: Awaited) -> date:
    window = judged.window(80)
    assert window
    return window[1]


def record(books: Books) -> Iterator[Row]:
    until = books.figures_up_to
    assert until
    claims: list[Row] = []
    for each in _all(books):
        told = {"age": each.age, "month": f"{each.month}", "all": "all", "day": each.day}
        for share in SHARES:
            window, is_right = each.window(share), each.is_right(share, until)
            if window and is_right is not None:
                ahead, width = (window[1] - each.day).days, (window[1] - window[0]).days + 1
                horizon = next(
                    (f"{low}-{high} days" for low, high in HORIZONS if ahead <= high),
                    "over 90 days",
                )
                claims.append(
                    told
                    | {"horizon": horizon, "claimed": str(share), "percent": share}
                    | {"is_shown": each.is_shown, "is_right": is_right, "width": width}
                )
        is_right = each.is_amount_right(until)
        if is_right is not None:
            claims.append(
                told
                | {"horizon": None, "claimed": "amount", "percent": 80}
                | {"is_shown": each.is_shown, "is_right": is_right, "width": None}
            )
    for part in ("all", "age", "month", "horizon"):
        told_of = [one for one in claims if one[part] is not None]
        groups = grouped(told_of, itemgetter(part, "claimed", "is_shown"))
        for (member, claimed, is_shown), of in groups.items():
            widths = [one["width"] for one in of if one["width"] is not None]
            right = sum(one["is_right"] for one in of)
            yield {
                "record_id": f"{part}-{member}-{claimed}{'' if is_shown else '-unshown'}",
                "part": part,
                "member": member,
                "claimed": claimed,
                "claimed_percent": of[0]["percent"],
                "is_shown": is_shown,
                "judged_count": len(of),
                "right_count": right,
                "right_share": ratio(right, len(of)),
                "mean_width_days": ratio(sum(widths), len(of)) if widths else None,
                "first_date": min(one["day"] for one in of),
                "last_date": max(one["day"] for one in of),
            }


def due_weeks(books: Books) -> Iterator[Row]:
    first, until, last_order = books.first_day, books.figures_up_to, books.last_day
    if not first or not until or not last_order:
        return
    week = first + timedelta(days=7 - first.weekday())
    while week + 6 * DAY <= until and week <= last_order:
        in_force = [
            each
            for each in _all(books)
            if each.day < week and (each.next_day is None or each.next_day >= week)
        ]
        if in_force:
            yield _week(week, in_force)
        week += 7 * DAY


def _week(week: date, in_force: Sequence[Awaited]) -> Row:
    ordered = [each for each in in_force if each.next_day and each.next_day < week + 7 * DAY]
    due = [each for each in in_force if _is_due(each, week)]
    both = [each for each in due if each in ordered]
    return {
        "week_start": week,
        "due_count": len(due),
        "due_and_ordered_count": len(both),
        "ordered_count": sum(each.has_window() for each in ordered),
        "ordered_without_window_count": sum(not each.has_window() for each in ordered),
        "due_share_sum": known_total(each.chances(week - DAY)[0] for each in due),
        "due_usual_amount": total(each.usual_amount for each in due),
        "due_amount": total(each.next_amount for each in both),
    }


def _is_due(each: Awaited, week: date) -> bool:
    if not each.has_window():
        return False
    ends = each.ends()
    share, _ = each.chances(week - DAY)
    return bool(ends and ends >= week and share is not None and share >= Decimal("0.5"))

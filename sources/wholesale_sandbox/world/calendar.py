"""Calendar of the orders: growth over two years, seasons, weeks and hours of the day."""

from bisect import bisect_right
from datetime import date, timedelta
from itertools import accumulate

from wholesale_sandbox.values import DAY, SECOND, chance, midnight

DAYS = 730

_WEEKDAYS = (21, 23, 22, 21, 19, 5, 4)  # from Monday on
_MONTHS = (84, 90, 98, 100, 96, 88, 72, 76, 104, 116, 150, 142)  # from January on
_HOURS = (9, 6, 4, 2, 1, 1, 1, 1, 1, 2, 4, 8, 22, 46, 68, 80, 82, 76, 70, 72, 66, 50, 30, 16)  # UTC

_HOUR_STARTS = tuple(accumulate(_HOURS, initial=0))
_HOURS_TOTAL = _HOUR_STARTS[-1]


class Calendar:
    """The days up to `until` (not included) and how many of the orders each of them has."""

    def __init__(self, seed: int, orders: int, until: date) -> None:
        self.first_day = until - timedelta(days=DAYS)
        self.start = midnight(self.first_day)
        self.end = midnight(until)
        sums = list(accumulate(_day_weights(seed, self.first_day), initial=0))
        self._starts = [orders * below // sums[-1] for below in sums]

    def day(self, number: int) -> int:
        """The day, from 0 on, of the order of that number, from 0 on."""
        return bisect_right(self._starts, number) - 1

    def moment(self, number: int, day: int, draw: int, fraction: int) -> int:
        """When that order of that day is placed; never before the one of the number below.

        `draw`, below 2**16, places the order between its neighbours; `fraction`, in
        microseconds below a second, is added where the order has a second of its own.
        """
        first = self._starts[day]
        count = self._starts[day + 1] - first
        place = number - first
        second = _second(place, count)
        room = _second(place + 1, count) - second
        moment = self.start + day * DAY + (second + (draw * room >> 16)) * SECOND
        return moment + fraction if room else moment


def _day_weights(seed: int, first_day: date) -> list[int]:
    rng = chance(seed, "days")
    weights = []
    for number in range(DAYS):
        day = first_day + timedelta(days=number)
        weight = (DAYS + number) * _WEEKDAYS[day.weekday()] * _MONTHS[day.month - 1]
        is_holiday = (day.month, day.day) in {(1, 1), (7, 4), (12, 24), (12, 25), (12, 31)}
        weights.append(weight * rng.randrange(85, 116) // (4 if is_holiday else 1))
    return weights


def _second(place: int, count: int) -> int:
    """The second of the day before which `place` of `count` orders are placed."""
    share, rest = divmod(place * _HOURS_TOTAL, count)
    if share >= _HOURS_TOTAL:
        return 24 * 3600
    hour = bisect_right(_HOUR_STARTS, share) - 1
    within = (share - _HOUR_STARTS[hour]) * count + rest
    return hour * 3600 + within * 3600 // (_HOURS[hour] * count)

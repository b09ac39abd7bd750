"""Claims: after each purchase, when ours and others awaited the next one, and when it came."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

SHARES = (50, 80, 90)
LEVELS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
"""Of the days until the next order: the ends of the windows in the middle, and their middle."""
LIST = f"[{', '.join(map(str, LEVELS))}]"
SHOWN = 6
"""From this purchase on windows are shown."""
FEWEST_ALIKE = 30
FARTHEST_DAYS = 180
"""Points and ends of windows are compared no farther ahead."""


@dataclass(frozen=True, slots=True)
class Contender:
    """What is said of each claim: quantiles, in days after it, at each level, and windows, as the
    first and the last day after it of each share; infinite or nan where nothing is said."""

    name: str
    quantiles: Numbers
    windows: Numbers


@dataclass(frozen=True, slots=True)
class Claims:
    """A purchase from the third on is a claim of the next; `columns` say what was known on its day.

    The next day is infinite where there is none.
    """

    columns: Mapping[str, NDArray[Any]]
    until: int

    @property
    def gap(self) -> Numbers:
        return np.asarray(self.columns["next_day"] - self.columns["day"], dtype=float)

    @property
    def is_told(self) -> Flags:
        return np.asarray(self.columns["is_told"], dtype=bool)


def claims_of(connection: duckdb.DuckDBPyConnection) -> tuple[Claims, list[Contender]]:
    """With what ours says: the windows shown, and those in the middle of the same curves."""
    days = "coalesce({0} - date '1970-01-01', 'infinity'::double)::double"
    levels = ", ".join(
        f"coalesce(min(score) filter (ordered_millionths >= {1_000_000 * level:.0f}),"
        " 'infinity'::double)::double"
        for level in LEVELS
    )
    windows = ", ".join(
        f"coalesce({end}_day_{share} - told.ordered_date, 'infinity'::double)::double"
        for share in SHARES
        for end in ("first", "last")
    )
    found = connection.execute(
        f"""
        with differing as (
            select *, days_since_previous - lag(days_since_previous) over (
                partition by buyer_id order by ordered_date) as difference
            from int_purchase_days
        ),
        known as (
            select
                buyer_id, ordered_date, days_since_previous as last,
                quantile_cont(days_since_previous, {LIST}) over so_far as own,
                quantile_cont(difference, {LIST}) over so_far as differences,
                avg(days_since_previous) over so_far as mean,
                coalesce(stddev_samp(days_since_previous) over so_far, 0) as spread
            from differing
            window so_far as (partition by buyer_id order by ordered_date)
        ),
        curves as (
            select month_start, age, [{levels}] as scores
            from int_forecast_curves
            where order_count_alike >= {FEWEST_ALIKE}
            group by month_start, age
        )
        select
            {days.format("told.ordered_date")} as day,
            {days.format("told.next_ordered_date")} as next_day,
            {days.format("told.month_start")} as month,
            told.purchase_number::double as number,
            told.purchase_number >= {SHOWN} and told.last_day_80 is not null as is_told,
            told.usual_days::double as usual_days,
            known.last::double as last, known.own[4]::double as median, known.mean, known.spread,
            known.own, known.differences, curves.scores, [{windows}] as windows
        from int_forecasts as told
        inner join known using (buyer_id, ordered_date)
        left join curves using (month_start, age)
        where told.purchase_number >= 3
        order by told.buyer_id, told.ordered_date
        """
    ).fetchnumpy()
    [(until,)] = connection.execute(
        "select figures_up_to - date '1970-01-01' from int_as_of"
    ).fetchall()
    columns = {name: np.ma.getdata(column) for name, column in found.items()}
    none = [np.inf] * len(LEVELS)
    said = {
        name: np.array(
            [none if row is None else row for row in columns.pop(name).tolist()], dtype=float
        )
        for name in ("own", "differences", "scores", "windows")
    }
    last, usual = columns["last"], columns["usual_days"]
    by = np.where(np.isinf(said["scores"]), np.inf, said["scores"] * usual[:, None])
    middle = np.floor(in_the_middle(by))
    middle[:, :, 0] += 1
    again = np.maximum(last[:, None] + said["differences"], 1)
    return Claims(columns, until), [
        Contender("**ours**", by, said["windows"].reshape(-1, len(SHARES), 2)),
        Contender("ours, in the middle", by, middle),
        Contender("last gap again", again, whole(in_the_middle(again))),
        Contender("median gap", said["own"], whole(in_the_middle(said["own"]))),
    ]


def in_the_middle(quantiles: Numbers) -> Numbers:
    """The windows whose ends are levels: of each share as much is before it as after it."""
    return np.stack([quantiles[:, [2, 4]], quantiles[:, [1, 5]], quantiles[:, [0, 6]]], axis=1)


def whole(windows: Numbers) -> Numbers:
    """Days that are at most half a day outside."""
    return np.maximum(np.floor(windows + 0.5), 1)


def learned(claims: Claims) -> Iterator[Contender]:
    """Peers that are installed, or their names alone."""
    try:
        peers = import_module("benchmarks.peers.next_orders")
    except ImportError:
        yield Contender("lifelines, scikit-learn", np.empty(0), np.empty(0))
        return
    for name, fit in (
        ("lifelines", peers.failure_times(LEVELS)),
        ("scikit-learn, MAPIE", peers.boosting(LEVELS)),
    ):
        print(name, file=sys.stderr)
        quantiles, windows = peers.monthly(claims.columns, fit)
        yield Contender(name, quantiles, whole(windows))


def is_judged(claims: Claims, windows: Numbers) -> Flags:
    """A window is judged when its last day is over, not when an order ends it."""
    return np.asarray(claims.columns["day"] + windows[:, 1] <= claims.until, dtype=bool)


def pinball(claims: Claims, quantiles: Numbers) -> Numbers:
    """Of each claim the mean loss of the ends, in days; it sees no further than the history, nor
    than half a year, so those that did not order count as silent until then."""
    seen = np.minimum(claims.until - claims.columns["day"], FARTHEST_DAYS)
    came = np.minimum(claims.gap, seen)[:, None]
    off = came - np.minimum(quantiles, seen[:, None])
    levels = np.array(LEVELS)
    loss = np.maximum(levels * off, (levels - 1) * off)
    return np.asarray(np.delete(loss, 3, axis=1).mean(axis=1))


def days_off(claims: Claims, quantiles: Numbers, points: Numbers | None = None) -> Numbers:
    seen = np.minimum(claims.until - claims.columns["day"], FARTHEST_DAYS)
    point = quantiles[:, 3] if points is None else points
    return np.asarray(abs(np.minimum(claims.gap, seen) - np.minimum(point, seen)))


def of_peers(claims: Claims, contenders: Sequence[Contender]) -> Iterator[Sequence[str]]:
    """On the claims of which everyone says something; windows, where those of all are over."""
    there = [each for each in contenders if each.quantiles.size]
    same = claims.is_told & np.all([~np.isnan(each.quantiles[:, 3]) for each in there], axis=0)
    judged = [
        same & np.all([is_judged(claims, each.windows[:, place]) for each in there], axis=0)
        for place in range(len(SHARES))
    ]
    for each in contenders:
        if not each.quantiles.size:
            yield [each.name, "not installed"]
            continue
        points = claims.columns["last"] if each.name == "last gap again" else None
        row = [each.name, f"{days_off(claims, each.quantiles, points)[same].mean():.1f}"]
        widths = []
        for place, rows in enumerate(judged):
            first, last = each.windows[rows, place].T
            gap = claims.gap[rows]
            row.append(f"{100 * ((first <= gap) & (gap <= last)).mean():.1f}")
            widths.append(f"{(last - first + 1).mean():.1f}")
        loss = pinball(claims, each.quantiles)[same].mean()
        yield [*row, *widths, f"{loss:.2f}"]
    yield ["claims", f"{same.sum():,}", *(f"{rows.sum():,}" for rows in judged)]

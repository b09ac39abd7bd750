"""Goals: how far what is asked for is on its way to what the file of goals says."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import duckdb

from wholesale_elt.figures.answer import keys_of
from wholesale_elt.figures.asking import Question
from wholesale_elt.figures.metrics import read_metrics
from wholesale_elt.figures.periods import Span
from wholesale_elt.figures.statement import plan
from wholesale_elt.figures.wording import Writer, compact, count_text, percent_text

SCOPES = {"vendor": "vendor_key", "account_manager": "account_manager_id"}
"""The dimensions that a goal can be of, and their columns of `rpt_goals`."""
GOALS = """
    select goal_metric, target, so_far, day_count, seen_day_count, target_share, month_share,
        pace_rate
    from wholesale_bi.rpt_goals
    where month_start = ? and list_contains(?, goal_metric)
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """A goal of a month: what there is so far, None if that is not known, and how much of the goal
    and of the month that is. A `pace_rate` of 1 is as far as the month is."""

    metric: str
    target: Decimal
    so_far: Decimal | None
    day_count: int
    seen_day_count: int
    target_share: Decimal | None
    month_share: Decimal
    pace_rate: Decimal | None

    def line(self, write: Writer = compact) -> str:
        """`207 k of 480 k, 43% with 45% of the month gone`; `write` writes an amount."""
        if read_metrics()[self.metric].unit != "amount":
            write = count_text
        if self.so_far is None or self.target_share is None:
            return f"not known of {write(self.target)}"
        reached = f"{write(self.so_far)} of {write(self.target)}, {percent_text(self.target_share)}"
        if self.seen_day_count == self.day_count:
            return reached
        return f"{reached} with {percent_text(self.month_share)} of the month gone"

    def as_document(self, write: Writer = compact) -> dict[str, Any]:
        """What `--json` prints."""
        names = ("metric", "target", "so_far", "day_count", "seen_day_count")
        shares = ("target_share", "month_share", "pace_rate")
        return {name: getattr(self, name) for name in (*names, *shares)} | {
            "line": self.line(write)
        }


def progress_of(
    connection: duckdb.DuckDBPyConnection, question: Question, span: Span | None
) -> Sequence[Progress]:
    """The goals of what is asked for, `span` being the days that it is of: those of a month, of all
    or of one vendor or account manager; none where there is no such goal."""
    if span is None or span.first.day != 1 or not _is_month(question.period, span):
        return []
    if set(question.where) - set(SCOPES) or any(len(m) != 1 for m in question.where.values()):
        return []
    keys = keys_of(plan(question), question, [connection])
    if any(len(found) != 1 for found in keys.values()):
        return []
    wanted = [next(iter(keys[name]), None) if name in keys else None for name in SCOPES]
    of = "".join(f"\n    and {column} is not distinct from ?" for column in SCOPES.values())
    of += "" if "vendor" in keys else "\n    and vendor_name is null"
    order = "\norder by list_position(?, goal_metric)"
    names = list(question.metrics)
    try:
        found = connection.execute(f"{GOALS}{of}{order}", [span.first, names, *wanted, names])
    except duckdb.CatalogException:  # an earlier release published it, or not this report
        return []
    return [Progress(*row) for row in found.fetchall()]


def _is_month(period: str, span: Span) -> bool:
    """Whether the days are those of one month: the whole of it, or what is over of it."""
    following = date(span.first.year + span.first.month // 12, span.first.month % 12 + 1, 1)
    names_month = period in ("this_month", "last_month", "month_to_date") or len(period) == 7
    return names_month and span.last < following

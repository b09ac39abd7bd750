"""Rules: figures that somebody wants to hear of when they are too low or too high."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from wholesale.errors import WholesaleError
from wholesale_elt.monitoring.alerts import Alert, Item, number
from wholesale_elt.monitoring.items import buyers_of, items_of

if TYPE_CHECKING:
    from wholesale_elt.figures import Question

log = logging.getLogger("wholesale.monitoring")

THIS_MONTH = "this_month"
FIRST_DAY = "0001-01-01"
UP_TO = "select figures_up_to from wholesale_bi.rpt_headlines"


class Rule(BaseModel):
    """What is told when a figure of the published version is `below` or `above` an amount.

    `tasks` is the number of tasks of a kind, `events` that of what happened since yesterday, as the
    first page counts them. `goal` is how far a metric is on the way to its goal of the month of the
    last day that is known: 1 is as far as the month is. `older_than_days` counts only what was
    ordered more than so many days before the last day that figures know of.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str | None = None
    goal: str | None = None
    tasks: str | None = None
    events: str | None = None
    period: str = "all_time"
    where: Mapping[str, str] = Field(default_factory=dict)
    older_than_days: int | None = Field(default=None, ge=0)
    below: Decimal | None = None
    above: Decimal | None = None

    @model_validator(mode="after")
    def _tells_something(self) -> Self:
        if [self.metric, self.goal, self.tasks, self.events].count(None) != 3:
            raise ValueError("a rule is on either a metric, a goal, tasks or events")
        if (self.below is None) == (self.above is None):
            raise ValueError(f"a rule on {self._figure} needs either below or above")
        is_aged = self.older_than_days is not None
        if is_aged and self.period != "all_time":
            raise ValueError(f"a rule on {self._figure} has either a period or older_than_days")
        has_days = is_aged or self.period != "all_time"
        if self.metric is None and (has_days or (self.where and self.goal is None)):
            raise ValueError(f"a rule on {self._figure} has nothing but below or above")
        return self

    @property
    def _figure(self) -> str:
        if self.metric is not None:
            return self.metric
        if self.goal is not None:
            return f"the goal of {self.goal}"
        return (
            f"tasks of the kind {self.tasks}" if self.tasks else f"events of the kind {self.events}"
        )

    @property
    def text(self) -> str:
        """The rule in words, the same for the same rule."""
        which = "".join(f", {name} {value}" for name, value in self.where.items())
        age = self.older_than_days
        days = f", more than {age} days old" if age is not None else ""
        span = "" if self.period == "all_time" else f" of {self.period}"
        side, limit = ("below", self.below) if self.above is None else ("above", self.above)
        return f"{self._figure}{span}{which}{days} {side} {number(limit)}"

    def is_broken_by(self, figure: Decimal | int | None) -> bool:
        """Whether this is to be told; what is not known breaks no rule."""
        if figure is None:
            return False
        is_below = self.below is not None and figure < self.below
        return is_below or (self.above is not None and figure > self.above)


@dataclass(frozen=True, slots=True)
class Found:
    """A figure, the last day that is in it, where it is on the page, and what it is made of, which
    is looked for only if a rule is broken."""

    figure: Decimal | int | None
    up_to: str
    to: str
    look: Callable[[], tuple[Sequence[Item], int]] = lambda: ([], 0)


def broken_rules(published: Path, rules: Sequence[Rule]) -> Iterator[Alert]:
    """An alert for each rule that the version in force breaks, and for each that cannot be asked,
    as of a bucket."""
    for rule in rules:
        try:
            found = _find(published, rule)
            if not rule.is_broken_by(found.figure):
                continue
            items, count = found.look()
        except WholesaleError as error:
            log.error("the rule %s cannot be answered: %s", rule.text, error)
            yield Alert("rule", rule.text, f"cannot be answered: {error}")
            continue
        message = f"it is {number(found.figure)}, figures up to {found.up_to}"
        yield Alert(*("rule", rule.text, message), to=found.to, items=items, item_count=count)


def _find(published: Path, rule: Rule) -> Found:
    """A sync need not import what is published."""
    if rule.tasks is not None or rule.events is not None:
        return _count(published, rule)
    from wholesale_elt.dashboard import address
    from wholesale_elt.figures import Question
    from wholesale_elt.publish import ask_published

    where = {name: [value or None] for name, value in rule.where.items()}
    metric = str(rule.metric)
    if rule.goal is not None:
        return _pace(published, Question(metrics=[rule.goal], where=where, period=THIS_MONTH))

    question = Question(metrics=[metric], where=where)
    found = ask_published(published, question)
    up_to = found.figures.known.figures_up_to
    period = rule.period
    if rule.older_than_days is not None:
        if up_to is None:
            return Found(None, "never", address("sales"))
        last = up_to - timedelta(rule.older_than_days + 1)
        period = f"{FIRST_DAY}..{last}"
    if period != "all_time":
        question = Question(metrics=[metric], where=where, period=period)
        found = ask_published(published, question)
    question = found.question  # by the names that its words lead to
    figure = found.figures.total[question.metrics[0]]
    return Found(figure, str(up_to), address("sales"), partial(buyers_of, published, question))


def _pace(published: Path, question: "Question") -> Found:
    """How far a goal is, None where that is not known.

    Raises: WholesaleError if there is no such goal.
    """
    from wholesale_elt.dashboard import address
    from wholesale_elt.publish import ask_published

    found = ask_published(published, question)
    up_to = found.figures.known.figures_up_to
    if not found.goals:
        raise WholesaleError(f"there is no such goal in the month of {up_to}: see [build] goals")
    return Found(found.goals[0].pace_rate, str(up_to), address("sales"))


def _count(published: Path, rule: Rule) -> Found:
    from wholesale_elt.dashboard import address, events_of, tasks_of
    from wholesale_elt.publish import find_site
    from wholesale_elt.warehouse import open_file

    with open_file(find_site(published).database) as connection:
        if rule.tasks is not None:
            rows, to = tasks_of(connection, rule.tasks), address("today", rule.tasks)
        else:
            rows = events_of(connection, str(rule.events))
            to = address("changes", since="yesterday", kind=str(rule.events))
        [(day,)] = connection.execute(UP_TO).fetchall()
    return Found(len(rows), str(day or "never"), to, lambda: (items_of(rows), len(rows)))

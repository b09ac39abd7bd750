"""Journal: what a closed month was by a metric, each entry since, and what it is, without a rest.

What it was is the figure in the book. The entries are found by comparing the file of the close with
a later version; what it is now is asked of that version's figures, which know nothing of entries.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal, localcontext

import duckdb

from wholesale.errors import Unanswerable, WholesaleError, one_line
from wholesale_books.journals.seen import seen_since
from wholesale_books.months import ClosedMonth
from wholesale_elt.causes import AFTER, BEFORE, Both, Cause, Entry, difference, entries, has_moved
from wholesale_elt.figures import FACTS, LOST_BUYERS, Metric, Question, ask, read_metrics

CHANGED, COUNTED_OTHERWISE = "changed", "counted otherwise"
LATE_ORDER = "late order"
"""An order of the month that the closed version did not have."""
CAME = ("found late", "new")
DEFINITION_CHANGED = "definition changed"
OF_COUNTING = ("setting changed", "period moved", DEFINITION_CHANGED, "model changed")
"""Causes by which the same orders count otherwise. That time passed is none: a bill that was not
overdue, and is now, is another bill to whoever is owed it."""
DIGITS = 76
Amount = Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """What an order, or what is counted once, gave to the metric `part`, and gives now, by one
    cause. Of a ratio, an entry is all that a cause moved of one of its parts, and tells the ratio
    before and after it; None where that has a value on one side only."""

    cause: str
    fields: str
    part: str
    order_id: str | None = None
    order_number: str | None = None
    buyer_id: str | None = None
    vendor_id: str | None = None
    counted_id: str | None = None
    was: Amount
    now: Amount
    seen_at: datetime | None = None
    order_ids: Sequence[str] = ()

    @property
    def kind(self) -> str:
        return COUNTED_OTHERWISE if self.cause in OF_COUNTING else CHANGED

    @property
    def amount(self) -> Amount:
        return None if self.was is None or self.now is None else self.now - self.was


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """A closed month by a metric. A sum that no order tells is None, and counts as nothing; a ratio
    that is None on one side has no difference, and its parts tell it. Where no journal can be made
    the `problem` says why, and nothing else is known."""

    month: ClosedMonth
    metric: str
    as_closed: Amount = None
    now: Amount = None
    is_ratio: bool = False
    entries: Sequence[JournalEntry] = ()
    problem: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether there is a difference to tell."""
        sides = (self.as_closed, self.now)
        is_unknown = None in sides if self.is_ratio else sides == (None, None)
        return not (self.problem or self.month.reopened or is_unknown)

    def sum_of(self, kind: str) -> Amount:
        if not self.is_known:
            return None
        with localcontext(prec=DIGITS):
            return sum((each.amount or Decimal() for each in self.entries if each.kind == kind),
                       Decimal())  # fmt: skip

    @property
    def changed(self) -> Amount:
        return self.sum_of(CHANGED)

    @property
    def counted_otherwise(self) -> Amount:
        return self.sum_of(COUNTED_OTHERWISE)

    @property
    def residue(self) -> Amount:
        """What no entry explains: 0, or there is a fault in this tool."""
        if not self.is_known:
            return None
        with localcontext(prec=DIGITS):
            moved = (self.now or Decimal()) - (self.as_closed or Decimal())
            return moved - (self.changed or Decimal()) - (self.counted_otherwise or Decimal())

    @property
    def orders_changed(self) -> int | None:
        """How many orders are behind what changed."""
        if self.problem or self.month.reopened:
            return None
        return len({id_ for each in self.entries if each.kind == CHANGED for id_ in each.order_ids})

    @property
    def fault(self) -> str | None:
        """Why this journal is not to be relied on."""
        if self.problem or not self.residue:
            return self.problem
        return f"{self.residue:f} of {self.metric} in {self.month.name} has no entry"


def journals_of(
    connection: duckdb.DuckDBPyConnection, month: ClosedMonth, metrics: Sequence[str]
) -> Iterator[Journal]:
    """The journals of a closed month, whose file is attached as BEFORE, by these metrics; AFTER is
    what it is compared with. What one metric cannot be asked of is told of that alone."""
    known = read_metrics()
    asked = [known[name] for name in metrics if name in known and name in month.figures]
    both = Both.of(connection)
    now = dict(_values(connection, AFTER, both, asked, month))
    with localcontext(prec=DIGITS):
        for name in metrics:
            try:
                yield _journal(connection, both, month, name, now)
            except (WholesaleError, duckdb.Error) as error:
                yield Journal(month=month, metric=name, problem=one_line(error))


def as_closed(month: ClosedMonth, metric: str) -> Journal:
    """What the book tells of a month."""
    told = month.figures.get(metric)
    return Journal(month=month, metric=metric, as_closed=None if told is None else Decimal(told))


def no_journals(month: ClosedMonth, metrics: Iterable[str], why: str) -> Iterator[Journal]:
    for name in metrics:
        yield Journal(month=month, metric=name, problem=why)


def _journal(
    connection: duckdb.DuckDBPyConnection,
    both: Both,
    month: ClosedMonth,
    name: str,
    values: Mapping[str, Amount | WholesaleError],
) -> Journal:
    metric = read_metrics().get(name)
    if metric is None:
        raise Unanswerable(f"{name} is no metric any more, so nobody knows what it is now")
    if name not in month.figures:
        raise Unanswerable(f"{name} was not counted when {month.name} was closed")
    now = values[name]
    if isinstance(now, WholesaleError):
        raise now
    found = list(_entries(connection, both, metric, month))
    journal = replace(
        as_closed(month, name),
        now=now,
        is_ratio=metric.parts is not None,
        entries=_ordered(found),
    )
    if not journal.residue:
        return journal
    return _with_definition(connection, both, journal, metric)


def _with_definition(
    connection: duckdb.DuckDBPyConnection, both: Both, journal: Journal, metric: Metric
) -> Journal:
    """The journal with what the metric itself counts otherwise, in the same file of the close, than
    it did then."""
    counted = dict(_values(connection, BEFORE, both, [metric], journal.month))[metric.name]
    if isinstance(counted, WholesaleError):
        raise counted
    was, now = journal.as_closed or Decimal(), counted or Decimal()
    if was == now:
        return journal
    entry = JournalEntry(
        cause=DEFINITION_CHANGED, fields="metric", part=metric.name, was=was, now=now
    )
    return replace(journal, entries=[*journal.entries, entry])


def _values(
    connection: duckdb.DuckDBPyConnection,
    database: str,
    both: Both,
    metrics: Sequence[Metric],
    month: ClosedMonth,
) -> Iterator[tuple[str, Amount | WholesaleError]]:
    """What each metric is in the month, or why that cannot be asked."""
    cursor = connection.cursor()
    cursor.execute(f"use {database}")
    by_table: dict[str, list[str]] = {}
    for metric in metrics:
        by_table.setdefault(metric.model, []).append(metric.name)
    for names in by_table.values():
        try:
            question = Question(metrics=names, period=month.name)
            total = ask(cursor, question, known_from=both.known_from).total
            yield from ((name, _amount(total[name])) for name in names)
        except (WholesaleError, duckdb.Error) as error:
            if len(names) > 1:
                for name in names:
                    yield from _values(connection, database, both, [read_metrics()[name]], month)
            else:
                yield names[0], Unanswerable(one_line(error))


def _entries(
    connection: duckdb.DuckDBPyConnection, both: Both, metric: Metric, month: ClosedMonth
) -> Iterator[JournalEntry]:
    if metric.parts:
        yield from _entries_of_ratio(connection, both, metric, month)
        return
    found = entries(connection, Question(metrics=[metric.name], period=month.name), both)
    seen = seen_since(connection, [id_ for each in found for id_ in each.order_ids])
    for each in found:
        if each.amount:
            at = max((seen[id_] for id_ in each.order_ids if id_ in seen), default=None)
            yield _entry(each, metric, at)


def _entry(found: Entry, metric: Metric, seen_at: datetime | None) -> JournalEntry:
    return JournalEntry(
        cause=_word(found.cause, metric),
        fields=", ".join(found.fields),
        part=metric.name,
        order_id=found.order_id,
        order_number=found.order_number,
        buyer_id=found.buyer_id,
        vendor_id=found.vendor_id,
        counted_id=found.counted_id,
        was=Decimal(found.was),
        now=Decimal(found.now),
        seen_at=seen_at,
        order_ids=found.order_ids,
    )


def _word(cause: str, metric: Metric) -> str:
    """The cause by its own word, where the row that came is of the month, as its order is."""
    is_of_its_day = metric.model in FACTS and metric.model != LOST_BUYERS
    return LATE_ORDER if cause in CAME and is_of_its_day else cause


def _entries_of_ratio(
    connection: duckdb.DuckDBPyConnection, both: Both, metric: Metric, month: ClosedMonth
) -> Iterator[JournalEntry]:
    """One for each cause of each part; the journals of the parts have the orders."""
    question = Question(metrics=[metric.name], period=month.name)
    if not has_moved(connection, question, both):
        return
    for cause in difference(connection, question, both).total.causes:
        if cause.amount is None or cause.amount:
            yield _of_cause(cause, metric)


def _of_cause(cause: Cause, metric: Metric) -> JournalEntry:
    return JournalEntry(
        cause=_word(cause.cause, metric),
        fields=", ".join(cause.fields),
        part=cause.part,
        was=_amount(cause.was),
        now=_amount(cause.now),
        order_ids=cause.order_ids,
    )


def _amount(value: Decimal | int | None) -> Amount:
    return None if value is None else Decimal(value)


def _ordered(found: Sequence[JournalEntry]) -> Sequence[JournalEntry]:
    """By kind and cause, the largest sum first, and within a cause by amount."""
    sums: dict[tuple[str, str], Decimal] = {}
    for each in found:
        key = (each.kind, each.cause)
        sums[key] = sums.get(key, Decimal()) + (each.amount or Decimal())

    def place(each: JournalEntry) -> tuple[object, ...]:
        total = sums[each.kind, each.cause]
        amount = abs(each.amount or Decimal())
        own = (each.order_id or "", each.counted_id or "", each.part, each.fields)
        return (each.kind != CHANGED, -abs(total), each.cause, -amount, *own)

    return sorted(found, key=place)

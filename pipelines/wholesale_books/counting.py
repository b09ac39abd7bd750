"""Counting: what a DuckDB file says of a month, by every metric that has one, as exact text."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import duckdb

from wholesale_elt.figures import Question, ask, read_facts, read_metrics


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of a month, None where one is not known, and sentences on what is not."""

    figures: Mapping[str, str | None]
    notes: Sequence[str]


def metrics_of_a_month() -> Sequence[str]:
    """The metrics that have a value of a period, in the order in which they are defined."""
    facts = read_facts()
    return [name for name, metric in read_metrics().items() if facts[metric.model].day]


def count_month(
    connection: duckdb.DuckDBPyConnection, month: str, metrics: Collection[str]
) -> Counted:
    """Count these metrics of a month. Raises: Unanswerable as `ask` does."""
    known = read_metrics()
    by_table: dict[str, list[str]] = defaultdict(list)
    for name in metrics:
        by_table[known[name].model].append(name)
    figures: dict[str, str | None] = {}
    notes: dict[str, None] = {}
    for names in by_table.values():
        found = ask(connection, Question(metrics=names, period=month))
        figures |= {name: text_of(found.total[name]) for name in names}
        notes |= dict.fromkeys(found.notes)
    return Counted({name: figures[name] for name in metrics}, [*notes])


def text_of(value: Decimal | int | None) -> str | None:
    """A figure to its last digit."""
    return None if value is None else f"{value:f}" if isinstance(value, Decimal) else str(value)

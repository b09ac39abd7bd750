"""Metrics of which there are journals: those that have a value of a month, and parts of ratios."""

from collections.abc import Iterable, Sequence

from wholesale.errors import ConfigurationError, Unanswerable
from wholesale_books.counting import metrics_of_a_month
from wholesale_books.settings import SECTION, read_settings
from wholesale_elt.figures import metric_named, read_facts

ALL = "all"


def metrics_set() -> Sequence[str]:
    """The metrics that each version tells of, by the setting `books.metrics`.

    Raises: ConfigurationError for a name that is none, or a metric without days.
    """
    try:
        return metrics_of(read_settings().metrics)
    except Unanswerable as error:
        raise ConfigurationError(f"setting {SECTION}.metrics: {error}") from None


def metrics_of(names: Iterable[str]) -> Sequence[str]:
    """The metrics of these names, or of all, by our own names; after a ratio its parts, which have
    the orders.

    Raises: Unanswerable for a name that is none, and for a metric that has no value of a month.
    """
    facts = read_facts()
    found: dict[str, None] = {}
    for name in names:
        if name == ALL:
            found |= dict.fromkeys(metrics_of_a_month())
            continue
        metric = metric_named(name)
        if facts[metric.model].day is None:
            raise Unanswerable(f"{metric.name} is as of now: it has no value of a month")
        found |= dict.fromkeys((metric.name, *(metric.parts or ())))
    return list(found)

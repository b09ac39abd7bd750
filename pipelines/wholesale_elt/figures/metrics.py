"""Metrics: what can be counted, as `metrics.yml` of the SQL project defines it once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from wholesale.errors import Unanswerable, WholesaleError, legible
from wholesale_elt.figures.added import added_metrics, read_facts
from wholesale_elt.figures.asking import EXPECTED, EXPECTED_BY, name_meant, names_meant
from wholesale_elt.models import METRICS, OwnMetrics, described, read_yaml

Kind = Literal["additive", "distinct", "ratio"]
Unit = Literal["amount", "count", "share", "number"]
AMOUNT, COUNT = "decimal(38, 9)", "bigint"
GROUPS = (
    *("Sales", "Orders", "Buyers", "Products", "Discounts and fees", "Delivery", "Money owed"),
    *("What is missing", "Yours"),
)
"""The groups in which people look for metrics, in this order; the last has what users added."""
TOLD = re.compile(
    r"case when (?P<condition>(?:(?! then ).)+) then (?P<told>(?:(?! when | else ).)+) end"
)
"""A value of the rows that count, of which some may not tell it."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric over the rows of its `model`, a table of marts or reports.

    `expression` aggregates these rows: it is the sum of `value`, or the number of different ones if
    the metric is distinct. A sum is 0 where nothing counts, and NULL where none of what counts
    tells it. A ratio has `parts`, its numerator and denominator, of which it is made exactly; its
    own expression divides as the database does. Only additive metrics of parts are the metric of
    the whole. `unit` tells amounts, in the currency of the account, from
    counts, shares of one, and other numbers. `counts` is the condition on a row that counts, of a
    sum whose value such a row may not tell. `columns` are those of the model that `value` names.
    `synonyms` are what people ask for who mean it. `plain` tells somebody who sells what it means,
    without the names of columns and settings that the `meaning` has. `of_products` is the metric
    of order lines that tells products apart, of one of orders, which have several.
    """

    name: str
    label: str
    meaning: str
    model: str
    expression: str
    kind: Kind
    unit: Unit
    value: str = ""
    counts: str = ""
    columns: Sequence[str] = ()
    synonyms: Sequence[str] = ()
    parts: tuple[str, str] | None = None
    group: str = GROUPS[-1]
    plain: str = ""
    of_products: str | None = None

    @property
    def words(self) -> Sequence[str]:
        """The synonyms as people write them."""
        return [word.replace("_", " ") for word in self.synonyms]

    @property
    def type(self) -> str:
        """SQL's type of a sum of `value`, or of the number of different ones."""
        return AMOUNT if self.unit == "amount" else COUNT


def read_metrics() -> Mapping[str, Metric]:
    """All metrics by name, in the order in which they are defined: ours, and those that users
    added."""
    return _read(added_metrics()[0])


def read_own_metrics() -> Sequence[Metric]:
    """Those that users added."""
    added, _ = added_metrics()
    known = _read(added)
    return [known[entry["name"]] for entry in added.metrics]


@cache
def _read(added: OwnMetrics) -> Mapping[str, Metric]:
    defined = read_yaml(METRICS)
    ours = [(model["model"].split("'")[1], model) for model in defined["semantic_models"]]
    measures = {
        measure["name"]: (table, measure)
        for table, model in (*ours, *added.tables)
        for measure in model.get("measures") or ()
    }
    found: dict[str, Metric] = {}
    for entry in (*defined["metrics"], *added.metrics):
        parameters = entry["type_params"]
        if entry["type"] == "simple":
            found[entry["name"]] = _simple(entry, *measures[parameters["measure"]])
        else:
            found[entry["name"]] = _ratio(entry, found)
    return found


def metric_named(word: str) -> Metric:
    """The metric of that name, or that people call so.

    Raises: Unanswerable with the nearest name, if there is no such metric, or with several.
    """
    known = read_metrics()
    if word in known:
        return known[word]
    words = {metric.name: (metric.label, *metric.synonyms) for metric in known.values()}
    if not names_meant(word, words):
        if names_meant(word, EXPECTED):
            raise Unanswerable(
                f"{legible(word)} is no metric, as what is expected of parts does not add up:"
                f" `wholesale next --sales` tells it, of all and --by {' or '.join(EXPECTED_BY)}"
                " (for agents the tool expected_sales)"
            )
        _require_no_dimension(word, known)
        if mistake := added_metrics()[1]:
            raise Unanswerable(
                f"there is no metric called {word[:80]!r}, and yours are left out: {mistake}"
            )
    return known[name_meant(word, words, "metric")]


def _require_no_dimension(word: str, known: Mapping[str, Metric]) -> None:
    """Raises: Unanswerable for a word that means a dimension, with what to ask by it."""
    for table, fact in read_facts().items():
        for name in names_meant(word, fact.words):
            metric = next(each.name for each in known.values() if each.model == table)
            raise Unanswerable(
                f"{legible(word)} is no metric but a dimension: ask for one by it, such as"
                f" {metric} by {name}"
            )


def _simple(entry: Mapping[str, Any], model: str, measure: Mapping[str, Any]) -> Metric:
    name, expression = measure["name"], measure["expr"]
    is_distinct = measure["agg"] == "count_distinct"
    is_amount = name.endswith("_amount")
    told = None if is_distinct else TOLD.fullmatch(expression)
    if is_distinct:
        sql = f"count(distinct {expression})"
    else:
        summed = f"coalesce(sum({expression}), 0)"
        if told:
            counted = f"count(case when {told['condition']} then 1 end)"
            summed = f"case when {counted} > 0 then sum({expression}) else 0 end"
        sql = f"cast({summed} as {AMOUNT if is_amount else COUNT})"
    return Metric(
        name=entry["name"],
        label=entry["label"],
        meaning=described(entry),
        model=model,
        expression=sql,
        kind="distinct" if is_distinct else "additive",
        unit="amount" if is_amount else "count",
        value=expression,
        counts=told["condition"] if told else "",
        columns=_columns(entry),
        **_told(entry),
    )


def _ratio(entry: Mapping[str, Any], known: Mapping[str, Metric]) -> Metric:
    parameters = entry["type_params"]
    parts = (parameters["numerator"], parameters["denominator"])
    numerator, denominator = (known[name] for name in parts)
    return Metric(
        name=entry["name"],
        label=entry["label"],
        meaning=described(entry),
        model=numerator.model,
        expression=f"{numerator.expression} / nullif({denominator.expression}, 0)",
        kind="ratio",
        unit=_unit_of_ratio(entry["name"], numerator, denominator),
        parts=parts,
        **_told(entry),
    )


def _columns(entry: Mapping[str, Any]) -> Sequence[str]:
    if "columns" not in _meta(entry):
        raise WholesaleError(
            f"metric {entry['name']} does not say which columns of its model it names: list them"
            " in columns of its config.meta"
        )
    return tuple(_meta(entry)["columns"])


def _told(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of any metric besides how it is counted."""
    meta = _meta(entry)
    return {
        "synonyms": tuple(meta.get("synonyms", ())),
        "group": meta.get("group", GROUPS[-1]),
        "plain": meta.get("plain") or described(entry),
        "of_products": meta.get("of_products"),
    }


def _meta(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    meta: Mapping[str, Any] = entry.get("config", {}).get("meta", {})
    return meta


def _unit_of_ratio(name: str, numerator: Metric, denominator: Metric) -> Unit:
    if numerator.unit == "amount" and denominator.unit == "count":
        return "amount"
    return "share" if "rate" in name.split("_") else "number"

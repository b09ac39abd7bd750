"""Metrics: figures by any dimension, for any days; the names first, what they mean on request.

And what is awaited: the next order of each buyer, and the sales of months.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wholesale.errors import Unanswerable
from wholesale_agents.bounds import MOST_BYTES, bytes_of, fitting
from wholesale_agents.following import (
    after_expected_sales,
    after_figures,
    after_metrics,
    after_next_orders,
    after_why,
)
from wholesale_agents.version import PublishedVersion, as_row, patient
from wholesale_elt.answers import ExpectedSales, NextOrders, Wanted, today_of
from wholesale_elt.differences import why_published
from wholesale_elt.figures import (
    ORDERS,
    Question,
    ask,
    in_our_words,
    metric_named,
    read_facts,
    read_metrics,
)
from wholesale_elt.publish import describe_figures, site_as_of
from wholesale_elt.warehouse import Warehouse

MOST_ROWS = 1_000
SALES = "sales"
Answer = dict[str, Any]
Members = Mapping[str, str | list[str | None] | None]


def list_metrics(version: PublishedVersion) -> Answer:
    """Each metric by what it counts; `list_dimensions` tells by what these can be told apart."""
    counted = {
        fact.alias: {
            each.name: each.label for each in read_metrics().values() if each.model == model
        }
        for model, fact in read_facts().items()
        if model in version.tables
    }
    named = SALES if ORDERS in version.tables else None
    return {**version.about, "metrics": counted, "next": after_metrics(named)}


def list_dimensions(version: PublishedVersion, metric: str) -> Answer:
    """What a metric means, and its dimensions.

    Raises: Unanswerable with the nearest name, if there is no such metric.
    """
    of = metric_named(metric)
    return {
        **version.about,
        "metric": of.name,
        "label": of.label,
        "meaning": of.meaning,
        "called": of.words,
        "kind": of.kind,
        "dimensions": {
            name: dimension.meaning for name, dimension in read_facts()[of.model].dimensions.items()
        },
        "next": after_metrics(of.name)[:1],
    }


def figures(
    version: PublishedVersion,
    metrics: Sequence[str],
    by: Sequence[str],
    where: Members,
    period: str,
    grain: str | None,
    compare: str,
    limit: int,
    as_of: str | None = None,
) -> Answer:
    """The figures, the largest first, their exact total, and how many rows there are besides. What
    is asked next is asked `as_of` the same version.

    Raises: Unanswerable for a limit beyond MOST_ROWS; WholesaleError for what goes not together.
    """
    if not 0 < limit <= MOST_ROWS:
        raise Unanswerable(f"the limit may be from 1 to {MOST_ROWS:,}")
    question = Question(
        metrics=metrics, by=by, where=_members(where), period=period, grain=grain, compare=compare
    )
    with version.connected() as connection:
        question, called = in_our_words(question)
        found = ask(connection, question)
    told = as_row({**describe_figures(found), "rows": [], "notes": [*called, *found.notes]})
    answer = {**version.about, **told, "rows_in_all": len(found.rows)}
    answer["next"] = after_figures(version, question, found, as_of)
    answer["rows"] = fitting(answer, [as_row(row) for row in found.rows[:limit]])
    return answer | {"rows_not_shown": len(found.rows) - len(answer["rows"])}


def why(
    version: PublishedVersion,
    published: Path,
    warehouse: Warehouse | None,
    metric: str,
    sides: tuple[str, str],
    by: Sequence[str],
    where: Members,
    period: str,
    limit: int,
) -> Answer:
    """Why a metric is another one in the second of two versions than in the first, by cause, each
    with `limit` ids of its orders at most, or as many as fit; the largest differences first.

    Raises: Unanswerable for a version that is not kept; WholesaleError for what goes not together,
    and for a moment of which nothing is stored.
    """
    if not 0 < limit <= MOST_ROWS:
        raise Unanswerable(f"the limit may be from 1 to {MOST_ROWS:,}")
    question = Question(metrics=[metric], by=by, where=_members(where), period=period)
    found = why_published(
        *(published, question, *sides), warehouse=warehouse, may_be_files=False, watch=patient
    )
    document = dict(found.as_document())
    rows = sorted(document.pop("rows"), key=lambda row: -abs(row["difference"] or 0))
    answer = {**version.about, **as_row(document), "rows": [], "rows_in_all": len(rows)}
    answer["next"] = after_why(found.question, found.difference.total.causes)
    for part in (answer, *rows):
        for cause in part["causes"]:
            cause["order_ids"] = cause["order_ids"][:limit]
            del cause["orders"]
    while limit > 1 and bytes_of(answer) > MOST_BYTES / 2:
        limit //= 2
        for cause in answer["causes"]:
            cause["order_ids"] = cause["order_ids"][:limit]
    answer["rows"] = fitting(answer, [as_row(row) for row in rows])
    return answer | {"rows_not_shown": len(rows) - len(answer["rows"])}


def next_orders(
    version: PublishedVersion,
    published: Path,
    buyer: str | None,
    manager: str | None,
    is_due_only: bool,
    limit: int,
    as_of: str | None,
) -> Answer:
    """The buyers with a window, who is due first, or one buyer; how many have none, and why; and
    how often windows were right.

    Raises: Unanswerable for a limit beyond MOST_ROWS, and for an unknown buyer or manager.
    """
    if not 0 < limit <= MOST_ROWS:
        raise Unanswerable(f"the limit may be from 1 to {MOST_ROWS:,}")
    manifest = site_as_of(published, as_of).manifest
    with version.connected() as connection:
        today = None if as_of else today_of(connection, manifest)
        wanted = Wanted(buyer, manager, is_due_only, today=today)
        found = NextOrders.read(connection, manifest, wanted)
    told = {name: value for name, value in found.document().items() if name not in version.about}
    answer = {**version.about, **as_row({**told, "rows": []}), "rows_in_all": len(found.rows)}
    answer["next"] = after_next_orders([row["buyer_id"] for row in found.rows])
    answer["rows"] = fitting(answer, [as_row(row) for row in found.rows[:limit]])
    return answer | {"rows_not_shown": len(found.rows) - len(answer["rows"])}


def expected_sales(
    version: PublishedVersion, published: Path, by: str | None, as_of: str | None
) -> Answer:
    """The months of all, and by a dimension those of its members.

    Raises: Unanswerable for a dimension by which none is told.
    """
    manifest = site_as_of(published, as_of).manifest
    with version.connected() as connection:
        today = None if as_of else today_of(connection, manifest)
        found = ExpectedSales.read(connection, manifest, by, today)
    told = {name: value for name, value in found.document().items() if name not in version.about}
    total = [as_row(row) for row in found.total]
    answer = {**version.about, **told, "rows": [], "total": total, "rows_in_all": len(found.rows)}
    answer["next"] = after_expected_sales(found.by)
    answer["rows"] = fitting(answer, [as_row(row) for row in found.rows])
    return answer | {"rows_not_shown": len(found.rows) - len(answer["rows"])}


def _members(where: Members) -> Mapping[str, Sequence[str | None]]:
    return {
        name: list(wanted) if isinstance(wanted, list) else [wanted]
        for name, wanted in where.items()
    }

"""Following: the calls worth making after an answer, each of which works as it stands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from wholesale_agents.bounds import bytes_of
from wholesale_agents.version import PublishedVersion
from wholesale_elt.differences import Cause
from wholesale_elt.figures import (
    ALL_TIME,
    ORDERS,
    Figures,
    Question,
    metric_named,
    read_facts,
)

Call = Mapping[str, Any]
CLOSER = ("vendor", "buyer", "product", "account_manager", "state")
"""The dimensions by which a figure is looked at more closely, the first first."""
MOST_CALLS, LONGEST = 3, 2_000
"""Calls after an answer, and the bytes of one."""
MOST_ORDERS = 20
TOLD = ["order_number", "ordered_date", "order_status", "sub_total", "total"]
TASKS, PRODUCTS, FEW = "rpt_tasks", "rpt_call_sheet_products", 20
DEFAULTS: Mapping[str, Any] = {"period": ALL_TIME, "compare": "none"}


def following(*calls: Call | None) -> list[Call]:
    """The first of these calls that are not too long."""
    return [each for each in calls if each and bytes_of(each) <= LONGEST][:MOST_CALLS]


def call(tool: str, to: str, **arguments: Any) -> Call:
    """A call of a tool, without what is its default, and what it is made `to` find out."""
    given = {
        name: value for name, value in arguments.items() if value and DEFAULTS.get(name) != value
    }
    return {"tool": tool, "arguments": given, "to": to}


def after_figures(
    version: PublishedVersion, question: Question, found: Figures, as_of: str | None
) -> list[Call]:
    """A comparison or a row a month, what is behind the largest part, and why it is another one; of
    the same version, if it was asked `as_of` one."""
    asked = {name: getattr(question, name) for name in ("metrics", "by", "period")}
    asked |= {"where": plain(question.where), "grain": question.grain, "as_of": as_of}
    fact = read_facts()[metric_named(question.metrics[0]).model]
    in_time = None
    if found.span and question.compare == "none":
        in_time = call("figures", "compare with the days before", **asked, compare="period")
    elif fact.day and not (question.grain or found.span) and found.known.figures_up_to:
        asked_so = {**asked, "period": "last_12_months", "grain": "month"}
        in_time = call("figures", "see it month by month", **asked_so)
    return following(
        in_time,
        next(_closer(question, found, fact.dimensions, as_of), None),
        _why(version, question),
    )


def _closer(
    question: Question, found: Figures, dimensions: Collection[str], as_of: str | None
) -> Iterator[Call]:
    """The largest member by a further dimension."""
    asked = {"metrics": question.metrics, "period": question.period, "as_of": as_of}
    used = {*question.by, *question.where}
    further = [name for name in CLOSER if name in dimensions and name not in used]
    where = dict(question.where)
    rows = [row for row in found.rows if row[question.metrics[0]]] if question.by else []
    if rows:
        where |= {name: [_text(rows[0][name])] for name in question.by}
    if further and (rows or not question.by):
        by = further[0].replace("_", " ")
        to = f"see the largest by {by}" if rows else f"see it by {by}"
        yield call("figures", to, **asked, by=further[:1], where=plain(where))


def _why(version: PublishedVersion, question: Question) -> Call | None:
    if not version.has_previous:
        return None
    asked = {"by": question.by, "where": plain(question.where), "period": question.period}
    return call(
        "why", "see why it moved since the version before",
        metric=question.metrics[0], **asked,
    )  # fmt: skip


def after_why(question: Question, causes: Sequence[Cause]) -> list[Call]:
    """The orders of the largest cause, and the figure itself."""
    told = [each for each in causes if each.order_ids]
    largest = max(told, key=lambda each: abs(Decimal(each.amount or 0)), default=None)
    orders = None if largest is None else call(
        "read_report", f"see the orders of `{largest.cause}`",
        report=ORDERS, columns=TOLD, where={"order_id": largest.order_ids[:MOST_ORDERS]},
    )  # fmt: skip
    asked = {"by": question.by, "where": plain(question.where), "period": question.period}
    return following(
        orders, call("figures", "see the figure as it is now", metrics=question.metrics, **asked)
    )


def after_metrics(metric: str | None) -> list[Call]:
    if metric is None:  # reports alone are published
        return following(call("list_reports", "see the reports"))
    dimensions = read_facts()[metric_named(metric).model].dimensions
    by = [name for name in CLOSER if name in dimensions][:1]
    return following(
        call("figures", f"see {metric}", metrics=[metric], by=by),
        call("list_dimensions", "see what it can be told apart by", metric=metric),
    )


def after_reports(tables: Collection[str]) -> list[Call]:
    tasks = {"report": TASKS, "order_by": ["position"], "limit": FEW}
    return following(
        call("read_report", "see what there is to do", **tasks) if TASKS in tables else None,
        *(call("explain", "see what it means", name=name) for name in list(tables)[:1]),
    )


def after_explained(table: str, column: str | None = None) -> list[Call]:
    columns = [column] if column else []
    return following(call("read_report", "see some rows", report=table, columns=columns, limit=FEW))


def after_report(table: str) -> list[Call]:
    return following(call("explain", "see what it means, and what of", name=table))


def after_orders(tables: Collection[str], period: str) -> list[Call]:
    if ORDERS not in tables:
        return []
    asked = {"metrics": ["orders", "sales"], "period": period}
    return following(call("figures", "see the figures of these days", **asked))


def after_next_orders(buyers: Sequence[str]) -> list[Call]:
    """What the first buyer ordered last, what to talk of with it, and what there is to do."""
    of_first = {"where": {"buyer_id": buyers[0]}, "limit": FEW} if buyers else {}
    days = {"columns": ["ordered_date", "order_number", "sub_total"], "order_by": ["-ordered_date"]}
    return following(
        call("read_report", "see its last orders", report="rpt_orders", **of_first, **days)
        if buyers
        else None,
        call("read_report", "see what to talk of", report=PRODUCTS, **of_first) if buyers else None,
        call("read_report", "see what there is to do", report=TASKS, order_by=["position"]),
    )


def after_expected_sales(by: str | None) -> list[Call]:
    """What was sold in months before, and who is due to order."""
    of = {"metrics": ["sales"], "by": [by] if by else [], "grain": "month"}
    return following(
        call("figures", "see what was sold in months before", **of),
        call("next_orders", "see who is due within seven days", due=True, limit=FEW),
    )


def after_sql() -> list[Call]:
    return following(call("list_reports", "see the tables, and the questions they answer"))


def plain(where: Mapping[str, Sequence[str | None]]) -> dict[str, Any]:
    """Conditions as an agent writes them."""
    return {
        name: members[0] if len(members) == 1 else list(members) for name, members in where.items()
    }


def _text(key: object) -> str | None:
    return None if key is None else str(key)

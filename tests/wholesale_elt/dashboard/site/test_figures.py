"""Figures of the page are those of `wholesale figures`, to the last digit, whatever is asked."""

import json
import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.javascript import COUNTING, Scripts, loaded_scripts
from support.warehouses.marts import Marts
from support.warehouses.sites import MANIFEST, Site, publish, site_of, write_site
from wholesale.errors import Unanswerable
from wholesale_elt.dashboard.facts import prepared, writing
from wholesale_elt.dashboard.facts.prepared import PREPARED
from wholesale_elt.figures import (
    FACTS,
    LINES,
    ORDERS,
    Figures,
    Question,
    ask,
    known_days,
    read_metrics,
)
from wholesale_elt.publish.publisher import publish_marts

QUESTIONS = int(os.environ.get("QUESTIONS", "60"))
PERIODS = (
    *("all_time", "last_day", "last_7_days", "last_28_days", "last_90_days", "last_12_months"),
    *("this_month", "this_quarter", "this_year", "2026-02", "2025-Q2", "2025", "2026-03-15"),
    "2026-01-31..2026-03-02",
)
PARTS_OF_THE_TEST = 4
APART = {"order_id", "order_number"}
ALL = re.compile(".*")
SOME_BUYERS = "buyer_id < (select quantile_disc(buyer_id, 0.4) from wholesale_raw.orders)"


@pytest.fixture(scope="module")
def published(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    marts = loaded.copy(tmp_path_factory.mktemp("figures"))
    marts.change(
        "update wholesale_raw.orders set created_at = null where order_number like '%7'",
        "update wholesale_raw.orders set sub_total = -0.123456789 where order_number like '%23'",
        "update wholesale_raw.orders set vendor_id = null where order_number like '%31'",
        f"update wholesale_raw.orders set sub_total = null, total = null where {SOME_BUYERS}",
        "update wholesale_raw.orders set transaction_fee = null where order_number like '%1'",
        "update wholesale_raw.orders__order_line_items set total_price = null, quantity = null"
        " where item_id < (select median(item_id) from wholesale_raw.orders__order_line_items)",
    )
    marts.build()
    return site_of(publish_marts(marts.warehouse, str(marts.database.parent / "published")))


@contextmanager
def opened(site: Site, names: re.Pattern[str] = ALL) -> Iterator[Scripts]:
    """The scripts with the data files of these names."""
    with loaded_scripts(*COUNTING) as scripts:
        for name in filter(names.fullmatch, site.names()):
            scripts.receive(name, site.content(name))
        scripts.run("wholesale.load('meta').then((meta) => { wholesale.meta = meta; })")
        yield scripts


@pytest.fixture(scope="module")
def page(published: Site) -> Iterator[Scripts]:
    with opened(published) as scripts:
        yield scripts


@pytest.mark.parametrize("seed", range(2))
def test_the_page_answers_as_the_command_does(published: Site, page: Scripts, seed: int) -> None:
    luck = random.Random(seed)
    with duckdb.connect(str(published.database), read_only=True) as connection:
        for _ in range(QUESTIONS // 2):
            question = question_of(luck, connection)
            assert shown(page, question) == told(answer_of(connection, question), question)


def answer_of(connection: duckdb.DuckDBPyConnection, question: Question) -> Figures:
    """What the command answers; of days that are not known the page compares nothing."""
    answer = ask(connection, question)
    if answer.span_before and not answer.span_before.is_known:
        return ask(connection, replace(question, compare="none"))
    return answer


def test_more_groups_than_fit_in_a_list_are_counted_the_same(
    published: Site, page: Scripts
) -> None:
    """Accounts of many buyers and products have too many of both, and of their pairs."""
    luck = random.Random(3)
    with duckdb.connect(str(published.database), read_only=True) as connection:
        questions = [question_of(luck, connection) for _ in range(QUESTIONS // 6)]
    usual = [shown(page, question) for question in questions]
    with opened(published) as scripts:
        scripts.run("Promise.resolve(Object.assign(wholesale.jobs.limits, {groups: 1, words: 0}))")
        assert [shown(scripts, question) for question in questions] == usual


@pytest.mark.parametrize("metric", ["sales", "active_buyers", "average_order_value"])
def test_rows_come_by_day_then_the_largest_first_then_by_their_keys(
    page: Scripts, metric: str
) -> None:
    asked = {"metrics": [metric], "by": ["buyer"], "grain": "month"}
    rows = page.run(f"wholesale.figures({json.dumps(asked)})")["rows"]
    assert rows == sorted(
        rows,
        key=lambda row: (
            row["day"] or "null",
            -Decimal(row[metric] or 0),
            json.dumps(row["keys"], separators=(",", ":")),
        ),
    )
    assert len({row[metric] for row in rows}) < len(rows)


@pytest.mark.parametrize("compare", ["none", "period", "year"])
def test_what_first_views_ask_is_what_the_command_answers_without_a_row(
    published: Site, page: Scripts, compare: str
) -> None:
    """And what rows tell, which are counted where nothing is prepared."""
    has_no_rows = re.compile(r"meta|prepared/.*|facts/index")
    page.run("Promise.resolve(wholesale.meta.prepared.files = {})")
    with (
        duckdb.connect(str(published.database), read_only=True) as connection,
        opened(published, has_no_rows) as first,
    ):
        for each in PREPARED.values():
            for grain, metrics in ((None, each.metrics), ("month", each.months)):
                if not metrics or (grain and each.by and compare != "none"):
                    continue
                question = Question(
                    metrics=metrics,
                    by=[each.by] if each.by else [],
                    grain=grain,
                    period="last_12_months",
                    compare=compare,
                )
                found = shown(first, question)
                assert found == shown(page, question)
                assert found == told(answer_of(connection, question), question)


@pytest.fixture(scope="module")
def grown(published: Site, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The same as a site of many lines."""
    place = tmp_path_factory.mktemp("grown")
    folder = (place / MANIFEST["dashboard"]).parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "MOST_COUNTED", 0)
        patch.setattr(writing, "LINES_A_PART", 100)
        patch.setattr(writing, "PARTS_AT_A_TIME", 2)
        return write_site(replace(published, folder=folder, published=place))


def test_figures_of_a_product_are_counted_from_its_part_alone(published: Site, grown: Site) -> None:
    of_parts = re.compile(r"meta|facts/(index|kinds|members_of_orders|(orders|lines)_of_part-\d+)")
    luck = random.Random(5)
    with (
        duckdb.connect(str(published.database), read_only=True) as connection,
        opened(grown, of_parts) as scripts,
    ):
        kinds = grown.table("facts/kinds")
        assert len({row["part"] for row in kinds}) > PARTS_OF_THE_TEST
        for _ in range(QUESTIONS // 2):
            period = luck.choice(PERIODS)
            kind = luck.choice([row for row in kinds if row["product"] is not None])
            question = Question(
                metrics=luck.sample(writing.LINE_METRICS, 3),
                by=luck.choice([[], ["buyer"], ["state", "vendor"], ["category"]]),
                grain=luck.choice([None, "month", "day"]),
                period=period,
                compare="none" if period == "all_time" else luck.choice(["period", "year"]),
                where={"product": [kind["product"]]},
            )
            assert shown(scripts, question) == told(answer_of(connection, question), question)


def test_what_the_page_of_a_vendor_asks_is_what_the_command_answers_without_a_row(
    published: Site, page: Scripts, grown: Site
) -> None:
    assert page.evaluate("wholesale.meta.prepared.of") == {}
    has_no_rows = re.compile(r"meta|prepared/.*|facts/index|facts/members_of_orders")
    period, compare = prepared.PERIOD, prepared.COMPARE
    with (
        duckdb.connect(str(published.database), read_only=True) as connection,
        opened(grown, has_no_rows) as first,
    ):
        vendors = connection.sql(
            "select distinct vendor_key from wholesale_marts.fct_orders"
            " where vendor_key is not null order by 1"
        ).fetchall()
        assert len(vendors) > 1
        for (vendor,) in vendors:
            for each in prepared.OF_VENDORS.values():
                by = [each.by] if each.by else []
                for metrics, grain in ((each.metrics, None), (each.months, "month")):
                    question = Question(
                        metrics=metrics,
                        by=by,
                        grain=grain,
                        where={"vendor": [vendor]},
                        period=period,
                        compare="none" if by and grain else compare,
                    )
                    answer = told(answer_of(connection, question), question)
                    assert shown(first, question) == answer
            scored = "({placed, cancelled, below, near}) => ({placed, cancelled, below, near})"
            found = first.run(
                f"wholesale.prepared.scoreOf({vendor!r}, {{period: {period!r}, where: {{}}}})"
                f".then({scored})"
            )
            span = ask(connection, Question(metrics=["orders"], period=period)).span
            assert span
            assert [tuple(found.values())] == connection.execute(
                "select count(*), count(*) filter (where not orders.is_sale),"
                " count(minimums.order_id) filter (where orders.is_sale),"
                " count(*) filter (where orders.is_sale and minimums.is_near_miss)"
                " from wholesale_marts.fct_orders as orders left join"
                " wholesale_bi.rpt_minimum_orders as minimums using (order_id)"
                " where orders.vendor_key = ? and not orders.is_deleted"
                " and orders.ordered_date between ? and ?",
                [vendor, span.first, span.last],
            ).fetchall()


def test_what_a_metric_excludes_is_refused_on_the_page_as_by_the_command(
    published: Site, page: Scripts
) -> None:
    """With the metric to ask: a zero would say that there is nothing."""
    refused = 0
    with duckdb.connect(str(published.database), read_only=True) as connection:
        for field in ("order_status", "payment_status"):
            states = published.answer(
                f"select distinct {field} from {FACTS[ORDERS].schema}.{ORDERS}"
                f" where not is_deleted and {field} is not null"
            )
            for (state,), name in product(states, known_on(page)):
                where = {field: [state]}
                told = page.run(
                    f"Promise.resolve(wholesale.figures.instead('{name}', {json.dumps(where)}))"
                )
                refusal = refusal_of(connection, Question(metrics=[name], where=where))
                assert (told is None) is (refusal is None), (name, state)
                refused += refusal is not None
                if refusal and field == "order_status":
                    assert refusal.endswith(f"ask {told}"), (name, state)
    assert refused > 20


def refusal_of(connection: duckdb.DuckDBPyConnection, question: Question) -> str | None:
    try:
        ask(connection, question)
    except Unanswerable as error:
        return str(error)
    return None


def known_on(page: Scripts) -> Sequence[str]:
    names = page.run("Promise.resolve(Object.keys(wholesale.meta.metrics))")
    return [name for name in names if read_metrics()[name].model in (ORDERS, LINES)]


def test_a_month_has_one_number_on_the_page_as_everywhere(published: Site, page: Scripts) -> None:
    """By grain, by period, in the reports; of one that is not over, its days are told."""
    with duckdb.connect(str(published.database), read_only=True) as connection:
        rows = ask(connection, Question(metrics=["sales"], grain="month")).rows
    months = [(row["month"], row["seen_day_count"], row["sales"]) for row in rows if row["month"]]
    asked = {"metrics": ["sales"], "grain": "month"}
    by_grain = page.run(f"wholesale.figures({json.dumps(asked)})")["rows"]
    assert [(row["day"], row["sales"]) for row in by_grain if row["day"]] == [
        (month.isoformat(), plain(amount)) for month, _, amount in months
    ]
    for month, days, amount in months:
        of_month = shown(page, Question(metrics=["sales"], period=f"{month:%Y-%m}"))
        first, last = map(date.fromisoformat, of_month["days"])
        assert ((last - first).days + 1, of_month["total"]["sales"]) == (days, plain(amount))
    last_month = f"{months[-1][0]:%Y-%m}"
    span = page.run(
        f"Promise.resolve(wholesale.days.period('{last_month}', wholesale.meta.figures_up_to))"
    )
    whole = span["whole"] - span["first"] + 1
    assert span["isUnfinished"] is (months[-1][1] < whole)
    for report in ("rpt_vendor_scorecard", "rpt_geography"):
        assert published.answer(
            "select month_start, any_value(seen_day_count), sum(sales_amount)"
            f" from wholesale_bi.{report} where month_start is not null group by 1 order by 1"
        ) == [(month.isoformat(), days, plain(amount)) for month, days, amount in months]
    of_days = published.answer(
        "select date_trunc('month', date_day)::date, sum(sales_amount)"
        " from wholesale_bi.rpt_daily_sales group by 1 order by 1"
    )
    assert of_days == [(month.isoformat(), plain(amount)) for month, _, amount in months]


@pytest.mark.parametrize(("metric", "by"), [("sales", "buyer"), ("product_sales", "product")])
@pytest.mark.parametrize(
    ("compare", "start", "length", "is_known"),
    [
        ("period", 0, 1, False),
        ("period", 39, 40, False),
        ("period", 40, 40, True),
        ("year", 300, 10, False),
        ("year", 364, 10, False),
        ("year", 366, 10, True),
    ],
)
def test_days_are_compared_only_if_all_of_them_are_known(
    published: Site,
    page: Scripts,
    compare: str,
    start: int,
    length: int,
    is_known: bool,
    metric: str,
    by: str,
) -> None:
    with duckdb.connect(str(published.database), read_only=True) as connection:
        first_known = known_days(connection).figures_from
    assert first_known
    first = first_known + timedelta(days=start)
    period = f"{first}..{first + timedelta(days=length - 1)}"
    question = Question(metrics=[metric], by=[by], period=period, compare=compare)
    answer = shown(page, question)
    compared = [name for row in answer["rows"] for name in row if name.endswith("_before")]
    assert (answer["days_before"] is not None, bool(compared)) == (is_known, is_known)


@pytest.mark.parametrize(
    ("metric", "by", "column", "amount", "which"),
    [
        ("sales", "vendor", f"{ORDERS}.vendor_key", "sub_total", "true"),
        ("sales", "vendor", f"{ORDERS}.vendor_key", "sub_total", "is_cancelled"),
        ("billed", "vendor", f"{ORDERS}.vendor_key", "total", "true"),
        ("product_sales", "category", f"{LINES}.category_name", "total_price", "true"),
    ],
)
def test_a_sum_of_what_has_no_amount_is_not_known(
    built: Marts, tmp_path: Path, metric: str, by: str, column: str, amount: str, which: str
) -> None:
    question = Question(metrics=[metric], by=[by])
    table, _, name = column.partition(".")
    key = f"(select max({name}) from wholesale_marts.{table})"
    site = publish(
        built,
        tmp_path,
        f"update wholesale_marts.{table} set {amount} = null where {name} = {key} and {which}",
    )
    [(mine, known)] = site.answer(
        f"select {key}, count({amount}) filter (is_sale and {name} = {key})"
        f" from wholesale_marts.{table}"
    )
    with duckdb.connect(str(site.database), read_only=True) as connection:
        answer = told(ask(connection, question), question)
    with opened(site) as page:
        found = shown(page, question)
    assert found == answer
    assert [row[metric] is None for row in answer["rows"] if row[by] == mine] == [not known]


def question_of(luck: random.Random, connection: duckdb.DuckDBPyConnection) -> Question:
    fact = luck.choice((ORDERS, LINES))
    metrics = [name for name, metric in read_metrics().items() if metric.model == fact]
    dimensions = [name for name in FACTS[fact].dimensions if name not in APART]
    chosen = [name for name in dimensions if not FACTS[fact].dimensions[name].decides]
    period = luck.choice(PERIODS)
    where = {
        name: [luck.choice(keys)]
        for name in luck.sample(chosen, luck.choice((0, 0, 1, 2)))
        if (keys := members(connection, fact, name))
    }
    return Question(
        metrics=luck.sample(metrics, luck.randint(1, 4)),
        by=luck.sample(dimensions, luck.choice((0, 1, 1, 2))),
        grain=luck.choice((None, None, "day", "week", "month", "quarter", "year")),
        period=period,
        compare="none" if period == "all_time" else luck.choice(("none", "period", "year")),
        where=where,
    )


def members(connection: duckdb.DuckDBPyConnection, fact: str, name: str) -> Sequence[str | None]:
    metric = next(name for name, metric in read_metrics().items() if metric.model == fact)
    rows = ask(connection, Question(metrics=[metric], by=[name])).rows
    return [None if row[name] is None else str(row[name]) for row in rows]


def told(answer: Figures, question: Question) -> Mapping[str, Any]:
    """Its rows and total; a question that tells nothing apart has no rows on the page."""
    rows = answer.rows if question.by or question.grain else []
    return {
        "total": {name: plain(value) for name, value in answer.total.items() if is_told(name)},
        "rows": sorted(
            ({name: plain(value) for name, value in row.items() if is_told(name)} for row in rows),
            key=repr,
        ),
        "days": span_of(answer.span),
        "days_before": span_of(answer.span_before),
    }


def is_told(name: str) -> bool:
    return not name.endswith(("_difference", "_growth", "_name", "is_unfinished", "seen_day_count"))


def span_of(span: Any) -> Any:
    return None if span is None else [span.first.isoformat(), span.last.isoformat()]


def plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value.normalize(), "f") if value else "0"
    if isinstance(value, date):
        return value.isoformat()
    return value


def shown(page: Scripts, question: Question) -> Mapping[str, Any]:
    asked = {
        "metrics": question.metrics,
        "by": question.by,
        "grain": question.grain,
        "period": question.period,
        "compare": question.compare,
        "where": question.where,
    }
    answer = page.run(f"wholesale.figures({json.dumps(asked)})")
    rows = [row_of(row, question) for row in answer["rows"]]
    return {
        "total": {name: number(value) for name, value in answer["total"].items()},
        "rows": sorted(rows, key=repr),
        "days": days_of(answer["span"]),
        "days_before": days_of(answer["before"]),
    }


def row_of(row: Mapping[str, Any], question: Question) -> Mapping[str, Any]:
    keys = {
        name: int(key) if name == "weekday" and key is not None else key
        for name, key in row["keys"].items()
    }
    values = {
        name: number(value) for name, value in row.items() if name not in {"keys", "names", "day"}
    }
    return ({question.grain: row["day"]} if question.grain else {}) | keys | values


def number(value: Any) -> Any:
    return plain(Decimal(value)) if isinstance(value, str) else value


def days_of(span: Mapping[str, Any] | None) -> Any:
    if span is None or "first" not in span:
        return None
    return [
        date.fromordinal(span[end] + date(1970, 1, 1).toordinal()).isoformat()
        for end in ("first", "last")
    ]

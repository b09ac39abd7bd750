"""A figure by two dimensions: each cell, total and folded rest is what the command counts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from support.warehouses.javascript import COUNTING, Scripts, loaded_scripts
from support.warehouses.marts import Marts
from support.warehouses.sites import Site, site_of
from wholesale_elt.figures import Question, ask, known_days
from wholesale_elt.publish.publisher import publish_marts

PERIOD = "last_12_months"
ROWS, COLUMNS = 2, 2
"""Members that are shown; the others are folded."""
METRICS = ("sales", "active_buyers", "average_order_value", "product_sales", "product_buyers")
Cells = Sequence[Sequence[Decimal | None]]


@pytest.fixture(scope="module")
def published(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    marts = loaded.copy(tmp_path_factory.mktemp("pivots"))
    marts.build()
    return site_of(publish_marts(marts.warehouse, str(marts.database.parent / "published")))


@pytest.fixture(scope="module")
def page(published: Site) -> Iterator[Scripts]:
    with loaded_scripts(*COUNTING, "pages/explore/pivot") as scripts:
        for name in published.names():
            scripts.receive(name, published.content(name))
        scripts.run("wholesale.load('meta').then((meta) => { wholesale.meta = meta; })")
        scripts.run(
            "wholesale.load('pages/explore/pivot')"
            ".then((made) => { Object.assign(wholesale, made); })"
        )
        yield scripts


@pytest.fixture(scope="module")
def database(published: Site) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(published.database), read_only=True) as connection:
        yield connection


@pytest.mark.parametrize("metric", METRICS)
def test_each_cell_is_counted_and_none_is_added_up_from_what_does_not_add_up(
    page: Scripts, database: duckdb.DuckDBPyConnection, metric: str
) -> None:
    shown = pivoted(page, metric=metric, by="vendor", across="buyer_kind")
    rows = keys_of(database, metric, "vendor")
    columns = keys_of(database, metric, "buyer_kind")
    groups = [[key] for key in rows[:ROWS]] + [rows[ROWS:]]
    parts = [[key] for key in columns]
    assert values(shown) == [
        [
            counted(database, metric, {"vendor": group, "buyer_kind": part})
            for part in [*parts, columns]
        ]
        for group in [*groups, rows]
    ]


@pytest.mark.parametrize("metric", METRICS)
def test_members_without_room_are_counted_as_one(
    page: Scripts, database: duckdb.DuckDBPyConnection, metric: str
) -> None:
    shown = pivoted(page, metric=metric, by="vendor", across="state")
    rows, columns = keys_of(database, metric, "vendor"), keys_of(database, metric, "state")
    assert len(columns) > COLUMNS
    groups = [*([key] for key in rows[:ROWS]), rows[ROWS:], rows]
    parts = [*([key] for key in columns[:COLUMNS]), columns[COLUMNS:], columns]
    assert values(shown) == [
        [counted(database, metric, {"vendor": group, "state": part}) for part in parts]
        for group in groups
    ]


@pytest.mark.parametrize("metric", METRICS)
def test_the_earlier_months_are_counted_as_the_days_they_are_of(
    page: Scripts, database: duckdb.DuckDBPyConnection, metric: str
) -> None:
    shown = pivoted(page, metric=metric, by="vendor", across="month", grain="month", latest=True)
    question = Question(metrics=[metric], grain="month", period=PERIOD)
    answer = ask(database, question)
    span = answer.span
    assert span
    months = [row["month"] for row in answer.rows][-COLUMNS:]
    ends = [months[1] - timedelta(1), span.last]
    periods = [
        f"{span.first}..{months[0] - timedelta(1)}",
        *(f"{first}..{last}" for first, last in zip(months, ends, strict=True)),
        PERIOD,
    ]
    rows = keys_of(database, metric, "vendor")
    groups = [*([key] for key in rows[:ROWS]), rows[ROWS:], rows]
    assert values(shown) == [
        [counted(database, metric, {"vendor": group}, period) for period in periods]
        for group in groups
    ]


def test_a_cell_tells_its_share_and_its_change(
    page: Scripts, database: duckdb.DuckDBPyConnection
) -> None:
    shown = pivoted(page, metric="sales", by="vendor", across="buyer_kind", compare="period")
    cell = shown["lines"][0]["cells"][0]
    total = shown["totals"][-1]["now"]
    told = {
        mode: page.evaluate(
            f"wholesale.pivot.told({json.dumps(cell)}, '{mode}', {json.dumps(total)})"
        )
        for mode in ("amount", "share", "change")
    }
    [row] = [
        row
        for row in ask(
            database,
            Question(
                metrics=["sales"], by=["vendor", "buyer_kind"], period=PERIOD, compare="period"
            ),
        ).rows
        if (row["vendor"], row["buyer_kind"])
        == (shown["lines"][0]["key"], shown["columns"][0]["key"])
    ]
    assert known_days(database).figures_up_to
    assert Decimal(told["amount"]) == row["sales"]
    assert Decimal(told["share"]) == round(row["sales"] / Decimal(total), 6)
    growth = row["sales_growth"]
    assert told["change"] == (None if growth is None else f"{growth.normalize():f}")


def pivoted(page: Scripts, *, latest: bool = False, **asked: Any) -> Mapping[str, Any]:
    question = {"grain": None, "period": PERIOD, "compare": "none", "where": {}, **asked}
    fold = {"rows": ROWS, "columns": COLUMNS, "latest": latest}
    found: Mapping[str, Any] = page.run(
        f"wholesale.pivot.read({json.dumps(question)})"
        f".then((found) => wholesale.pivot.folded(found, {json.dumps(fold)}))"
    )
    return found


def values(shown: Mapping[str, Any]) -> Cells:
    lines = [line["cells"] for line in shown["lines"]]
    return [
        [None if cell["now"] is None else Decimal(str(cell["now"])) for cell in line]
        for line in [*lines, shown["totals"]]
    ]


def keys_of(database: duckdb.DuckDBPyConnection, metric: str, by: str) -> list[str | None]:
    """The members in the order of the page."""
    rows = ask(database, Question(metrics=[metric], by=[by], period=PERIOD)).rows
    return [row[by] for row in rows]


def counted(
    database: duckdb.DuckDBPyConnection,
    metric: str,
    where: Mapping[str, Sequence[str | None]],
    period: str = PERIOD,
) -> Decimal | None:
    question = Question(metrics=[metric], period=period, where=where)
    value = ask(database, question, where).total[metric]
    return None if value is None else Decimal(value)

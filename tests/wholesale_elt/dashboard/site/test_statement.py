"""The SQL that a page shows of a view is the one that `wholesale figures` runs for it."""

import json
import os
import random
import shlex
from collections.abc import Iterator

import duckdb
import pytest
from click.testing import CliRunner

from support.warehouses.javascript import Scripts, loaded_scripts
from support.warehouses.marts import Marts
from support.warehouses.sites import Site, site_of
from wholesale_elt.cli.main import cli
from wholesale_elt.figures import FACTS, LINES, ORDERS, Question, ask, read_metrics
from wholesale_elt.publish.publisher import publish_marts

QUESTIONS = int(os.environ.get("QUESTIONS", "60"))
PERIODS = (
    *("all_time", "last_day", "last_28_days", "last_12_months", "this_month", "this_year"),
    *("last_week", "month_to_date", "2026-02", "2025-Q2", "2025", "2026-01-31..2026-03-02", "2020"),
)
GRAINS = (None, None, "day", "week", "month", "quarter", "year")


@pytest.fixture(scope="module")
def published(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    marts = loaded.copy(tmp_path_factory.mktemp("statements"))
    marts.build()
    return site_of(publish_marts(marts.warehouse, str(marts.database.parent / "published")))


@pytest.fixture(scope="module")
def page(published: Site) -> Iterator[Scripts]:
    with loaded_scripts("data", "decimals", "days", "pages/explore/statement") as scripts:
        for name in ("meta", "statements"):
            scripts.receive(name, published.content(name))
        scripts.run("wholesale.load('meta').then((meta) => { wholesale.meta = meta; })")
        scripts.run(
            "wholesale.load('pages/explore/statement').then((made) => { wholesale.made = made; })"
        )
        yield scripts


def test_a_view_has_the_statement_of_the_command(published: Site, page: Scripts) -> None:
    luck = random.Random(5)
    with duckdb.connect(str(published.database), read_only=True) as connection:
        for _ in range(QUESTIONS):
            question, keys = question_of(luck, connection)
            assert statement_of(page, question) == ask(connection, question, keys).statement


def test_the_command_of_a_view_answers_what_its_statement_does(
    published: Site, page: Scripts
) -> None:
    luck = random.Random(6)
    with duckdb.connect(str(published.database), read_only=True) as connection:
        asked = [question_of(luck, connection)[0] for _ in range(3)]
        for question in asked:
            line = page.call("made.statement.command", asked_of(question))
            program, *arguments = shlex.split(line)
            assert program == "wholesale"
            told = CliRunner().invoke(
                cli, [*arguments, "--json", "--published", str(published.published)]
            )
            found = json.loads(told.stdout)
            statement = statement_of(page, question)
            assert found["statement"] == statement
            assert len(found["rows"]) == len(connection.execute(statement).fetchall())


def test_a_quote_in_a_member_ends_nothing(page: Scripts) -> None:
    question = Question(metrics=["sales"], where={"city": ["O'Fallon; drop", None]})
    assert "in ('O''Fallon; drop') or " in statement_of(page, question)
    line = page.call("made.statement.command", asked_of(question))
    assert shlex.split(line)[-4:] == ["--where", "city=O'Fallon; drop", "--where", "city="]


def statement_of(page: Scripts, question: Question) -> str:
    statement: str = page.run(f"wholesale.made.statement.of({json.dumps(asked_of(question))})")
    return statement


def asked_of(question: Question) -> dict[str, object]:
    return {
        "metrics": question.metrics,
        "by": question.by,
        "grain": question.grain,
        "period": question.period,
        "compare": question.compare,
        "where": question.where,
    }


def question_of(
    luck: random.Random, connection: duckdb.DuckDBPyConnection
) -> tuple[Question, dict[str, list[str | None]]]:
    """A question of the page, and the keys that its filters are."""
    fact = luck.choice((ORDERS, LINES))
    metrics = [name for name, metric in read_metrics().items() if metric.model == fact]
    known = FACTS[fact].dimensions
    names = [name for name in known if not known[name].decides]
    period = luck.choice(PERIODS)
    where: dict[str, list[str | None]] = {}
    for name in luck.sample(names, luck.choice((0, 1, 2))):
        rows = ask(connection, Question(metrics=[metrics[0]], by=[name])).rows
        keys = [None if row[name] is None else str(row[name]) for row in rows]
        where[name] = luck.sample(keys, min(len(keys), luck.choice((1, 2))))
    question = Question(
        metrics=luck.sample(metrics, luck.randint(1, 3)),
        by=luck.sample(names, luck.choice((0, 1, 2))),
        grain=luck.choice(GRAINS),
        period=period,
        compare="none" if period == "all_time" else luck.choice(("none", "period", "year")),
        where=where,
    )
    return question, where

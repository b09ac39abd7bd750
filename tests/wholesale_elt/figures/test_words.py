"""Words: what people call a metric or a dimension is answered by its own name, by every door."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.warehouses.marts import Marts
from wholesale.errors import Unanswerable
from wholesale_elt.cli.main import cli
from wholesale_elt.differences import why_published
from wholesale_elt.figures import (
    FACTS,
    Question,
    in_our_words,
    metric_named,
    read_metrics,
)
from wholesale_elt.figures.asking import spelled
from wholesale_elt.monitoring.rules import Rule, broken_rules
from wholesale_elt.publish import ask_published


@pytest.mark.parametrize(
    ("word", "metric"),
    [
        ("sales", "sales"),
        ("Sale", "sales"),
        ("revenue", "sales"),
        ("Turnover", "sales"),
        ("total sales", "sales"),
        ("clients", "active_buyers"),
        ("customer", "active_buyers"),
        ("AOV", "average_order_value"),
        ("average-order-value", "average_order_value"),
        ("Average order value", "average_order_value"),
        ("qty", "units"),
        ("churn", "lost_buyers"),
        ("canceled orders", "cancelled_orders"),
        ("take rate", "fee_rate"),
        ("retention", "reorder_rate_90_days"),
        ("debt", "open_amount"),
    ],
)
def test_a_word_for_a_metric_leads_to_it(word: str, metric: str) -> None:
    assert metric_named(word).name == metric


@pytest.mark.parametrize(
    ("word", "dimension"),
    [
        ("buyer", "buyer"),
        ("Buyers", "buyer"),
        ("customer", "buyer"),
        ("reps", "account_manager"),
        ("sales rep", "account_manager"),
        ("countries", "country"),
        ("territory", "state"),
        ("suppliers", "vendor"),
        ("users", "buyer_user"),
        ("item", "product"),
        ("main category", "top_category"),
        ("colour", "color"),
        ("month", "month"),
        ("horoscope", "horoscope"),
    ],
)
def test_a_word_for_a_dimension_leads_to_it(word: str, dimension: str) -> None:
    asked, _ = in_our_words(Question(metrics=["revenue"], by=[word], where={word: ["a"]}))

    assert asked == Question(metrics=["sales"], by=[dimension], where={dimension: ["a"]})


def test_two_words_for_one_dimension_name_members_of_it_together() -> None:
    where = {"shop": ["a"], "buyer": ["b"], "country": ["c"]}
    asked, called = in_our_words(Question(metrics=["Sales"], where=where))

    assert asked.where == {"buyer": ["a", "b"], "country": ["c"]}
    assert called == ["shop is called buyer here"]


def test_a_question_without_a_metric_stays_as_it_is() -> None:
    assert in_our_words(Question(metrics=[], by=["shop"])) == (
        Question(metrics=[], by=["shop"]),
        (),
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (Question(metrics=["refunds"]), ("refunded_orders", "refunded_sales")),
        (Question(metrics=["cancelled"]), ("cancelled_orders", "cancelled_sales")),
        (Question(metrics=["volume"]), ("sales", "units")),
        (Question(metrics=["revenu"]), ("did you mean sales?",)),
        (Question(metrics=["suppliers"]), ("dimension", "orders by vendor")),
        (Question(metrics=["profit"]), ("§2",)),
        (
            Question(metrics=["sales"], by=["status"]),
            ("order_status", "payment_status", "invoice_status"),
        ),
        (Question(metrics=["sales"], where={"order": ["1"]}), ("order_id", "order_number")),
        (Question(metrics=["sales"], by=["custmer"]), ("did you mean buyer?",)),
        (Question(metrics=["turnover"], by=["article"]), ("ask product_sales",)),
        (Question(metrics=["fees"], by=["article"]), ("product_sales", "product_units")),
    ],
)
def test_a_word_for_several_or_none_names_what_to_write(
    published: Path, question: Question, told: tuple[str, ...]
) -> None:
    with pytest.raises(Unanswerable) as refused:
        ask_published(published, question)

    assert all(each in str(refused.value) for each in told)


def test_no_two_names_are_spelled_alike_and_no_word_is_a_name() -> None:
    metrics = read_metrics().values()
    names = Counter(spelled(metric.name) for metric in metrics)
    assert set(names.values()) == {1}
    assert not names.keys() & {spelled(word) for metric in metrics for word in metric.synonyms}
    for fact in FACTS.values():
        own = Counter(map(spelled, fact.dimensions))
        assert set(own.values()) == {1}
        words = {spelled(word) for each in fact.words.values() for word in each}
        assert not own.keys() & words


@pytest.mark.parametrize("word", ["revenue", "turnover"])
def test_every_door_answers_by_our_own_name(published: Path, built: Marts, word: str) -> None:
    there = ["--published", str(published), "--json"]
    done = CliRunner().invoke(cli, ["figures", word, "by", "customers", *there])
    own = CliRunner().invoke(cli, ["figures", "sales", "--by", "buyer", *there])
    answer, expected = json.loads(done.stdout), json.loads(own.stdout)

    assert (done.exit_code, answer["rows"]) == (0, expected["rows"])
    called = [f"{word} is called sales here"]
    assert answer["notes"] == [*called, "customers is called buyer here"]
    found = why_published(published, Question(metrics=[word]), "current", "current")
    assert found.as_document()["metric"] == "sales"
    assert found.as_document()["notes"] == called
    [alert] = broken_rules(published, [Rule(metric=word, above=Decimal(0))])
    ((sales,),) = built.rows("select sales_amount from wholesale_bi.rpt_headlines")
    assert f"{sales.normalize():,f}" in alert.message


def test_a_word_that_may_mean_several_ends_with_2(published: Path) -> None:
    done = CliRunner().invoke(cli, ["figures", "refunds", "--published", str(published)])

    assert done.exit_code == 2

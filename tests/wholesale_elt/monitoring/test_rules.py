"""Rules on figures are told when they are broken, once, and when that is over."""

import logging
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from support.services.receiver import Receiver
from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError
from wholesale_elt.monitoring.alerts import Alert, number
from wholesale_elt.monitoring.reporting import report
from wholesale_elt.monitoring.rules import Rule, broken_rules
from wholesale_elt.monitoring.settings import read_settings
from wholesale_elt.monitoring.summary import PublishSummary, Summary
from wholesale_elt.warehouse import Warehouse

OLD = (
    "select count(*) from wholesale_marts.fct_orders where is_sale and order_status = 'received'"
    " and ordered_date < (select figures_up_to - 3 from wholesale_marts.dim_as_of)"
)
SALES = "select sum(sub_total) from wholesale_marts.fct_orders where is_sale"
DAY = (
    "select coalesce(sum(sub_total), 0) from wholesale_marts.fct_orders where is_sale"
    " and ordered_date = (select figures_up_to from wholesale_marts.dim_as_of)"
)


def test_a_rule_is_broken_below_or_above_its_limit_and_not_at_it(
    built: Marts,
    published: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logging.getLogger("wholesale"), "propagate", True)
    ((sales,),), ((old,),), ((day,),) = map(built.rows, (SALES, OLD, DAY))
    ((up_to,),) = built.rows("select cast(figures_up_to as text) from wholesale_marts.dim_as_of")
    received = {"order_status": "received"}
    rules = [
        Rule(metric="sales", below=sales),
        Rule(metric="sales", below=sales + 1),
        Rule(metric="orders", where=received, older_than_days=3, above=old),
        Rule(metric="orders", where=received, older_than_days=3, above=old - 1),
        Rule(metric="sales", period="last_day", below=day + Decimal("0.01")),
        Rule(metric="margin", below=Decimal(1)),
    ]

    *broken, unanswered = broken_rules(published, rules)

    assert [(alert.severity, alert.subject, alert.message) for alert in broken] == [
        (
            "rule",
            f"sales below {number(sales + 1)}",
            f"it is {number(sales)}, figures up to {up_to}",
        ),
        (
            "rule",
            f"orders, order_status received, more than 3 days old above {old - 1:,}",
            f"it is {old:,}, figures up to {up_to}",
        ),
        (
            "rule",
            f"sales of last_day below {number(day + Decimal('0.01'))}",
            f"it is {number(day)}, figures up to {up_to}",
        ),
    ]
    assert (unanswered.subject, "margin" in unanswered.message) == ("margin below 1", True)
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_rule_counts_tasks_of_a_kind(built: Marts, published: Path) -> None:
    [(old,)] = built.rows("select count(*) from wholesale_bi.rpt_tasks where task_kind = 'old'")
    assert old > 1
    ((up_to,),) = built.rows("select cast(figures_up_to as text) from wholesale_marts.dim_as_of")
    rules = [
        Rule(tasks="old", above=Decimal(old)),
        Rule(tasks="old", above=Decimal(old - 1)),
        Rule(tasks="old", below=Decimal(old + 1)),
        Rule(tasks="laundry", above=Decimal(0)),
    ]

    *broken, unanswered = broken_rules(published, rules)

    assert [(alert.subject, alert.message) for alert in broken] == [
        (
            f"tasks of the kind old {side} {number(limit)}",
            f"it is {number(old)}, figures up to {up_to}",
        )
        for side, limit in (("above", old - 1), ("below", old + 1))
    ]
    assert "laundry" in unanswered.message


def test_a_rule_counts_what_happened_since_yesterday(built: Marts, published: Path) -> None:
    [(came,)] = built.rows(
        "select count(*) from wholesale_bi.rpt_events, wholesale_marts.dim_as_of where event_kind"
        " = 'new' and amount_after <> 0 and event_date >= cast(synced_at as date) - 1"
    )
    rules = [Rule(events="new", above=Decimal(came - less)) for less in (1, 0)]

    broken, unanswered = broken_rules(published, [*rules, Rule(events="laundry", above=Decimal())])

    assert broken.subject == f"events of the kind new above {number(came - 1)}"
    assert "laundry" in unanswered.message


@pytest.mark.parametrize(
    ("value", "text"),
    [(1_200, "1,200"), (Decimal("1200.5000"), "1,200.5"), (Decimal("-0.10"), "-0.1")],
)
def test_a_figure_is_told_in_as_many_digits_as_it_has(value: Decimal | int, text: str) -> None:
    assert number(value) == text


def test_what_breaks_a_rule_is_named_with_its_place_on_the_page(
    built: Marts, published: Path
) -> None:
    [(tasks,)] = built.rows("select count(*) from wholesale_bi.rpt_tasks where task_kind = 'old'")
    buyers = built.rows(
        "select buyer_key, sum(sub_total) from wholesale_marts.fct_orders where is_sale"
        " and buyer_key is not null group by 1 having sum(sub_total) <> 0 order by 2 desc"
    )
    rules = [
        Rule(tasks="old", above=Decimal(0)),
        Rule(metric="sales", above=Decimal(0)),
        Rule(events="new", below=Decimal(1_000_000)),
    ]

    old, sales, new = broken_rules(published, rules)

    assert (old.to, len(old.items), old.item_count) == ("#/today/old", min(10, tasks), tasks)
    assert all(item.to.startswith("#/order/") for item in (*old.items, *new.items))
    assert sales.to == "#/sales"
    assert sales.item_count >= len(buyers)
    assert [item.to for item in sales.items if item.to.startswith("#/buyer/")][:5] == [
        f"#/buyer/{quote(buyer)}" for buyer, _ in buyers[:5]
    ]
    assert new.item_count >= len(new.items)


def test_where_nothing_is_published_a_rule_cannot_be_answered(tmp_path: Path) -> None:
    (alert,) = broken_rules(tmp_path, [Rule(metric="sales", below=Decimal(1))])

    assert (alert.severity, alert.subject) == ("rule", "sales below 1")


@pytest.mark.parametrize(
    "rule",
    [
        {"metric": "sales"},
        {"metric": "sales", "below": 1, "above": 2},
        {"metric": "sales", "below": 1, "period": "last_day", "older_than_days": 3},
        {"metric": "sales", "under": 1},
        {"below": 1},
        {"tasks": "old", "metric": "sales", "below": 1},
        {"tasks": "old"},
        {"tasks": "old", "events": "new", "above": 1},
        {"events": "new", "above": 1, "period": "last_day"},
        {"tasks": "old", "above": 1, "period": "last_day"},
        {"tasks": "old", "above": 1, "older_than_days": 3},
        {"tasks": "old", "above": 1, "where": {"vendor": "v"}},
    ],
)
def test_a_rule_that_says_nothing_is_refused(
    rule: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONITORING__RULES", str([rule]).replace("'", '"'))
    with pytest.raises(ConfigurationError, match="rules"):
        read_settings()


@pytest.fixture
def end(
    tmp_path: Path, published: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., None]:
    """A command that ends well, with these rules set; it may have published."""
    monkeypatch.setenv("MONITORING__WEBHOOK_URL", receiver.url)
    warehouse = Warehouse(tmp_path / "w.duckdb")
    version = PublishSummary(
        place=str(published),
        result="published",
        version="v",
        as_of=None,
        reasons=(),
        tables={},
        left_out=(),
    )

    def done(command: str, rules: str) -> None:
        monkeypatch.setenv("MONITORING__RULES", rules)
        summary = Summary(command=command, publish=version if command == "run" else None)
        with warehouse.journal.note(command) as entry:
            entry.exit_code = 0
        summary.end(0, None)
        report(warehouse, summary)

    return done


def test_a_broken_rule_is_told_once_and_its_end_after_the_run_that_ends_it(
    end: Callable[..., None], receiver: Receiver
) -> None:
    for _ in range(2):
        end("run", '[{"metric": "orders", "above": 0}]')
    end("sync", '[{"metric": "orders", "above": 0}]')
    told = [body["severity"] for body in receiver.got]
    end("run", '[{"metric": "orders", "above": 1000000}]')

    assert told == ["rule"]
    assert [body["severity"] for body in receiver.got] == ["rule", "recovered"]
    assert receiver.got[0]["alerts"][0]["subject"] == Alert("rule", "orders above 0", "").subject

"""What moved the sales is told once after each publication, in five lines; else nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.services.receiver import Receiver
from support.warehouses.marts import Marts
from wholesale_elt.monitoring.alerts import Alert
from wholesale_elt.monitoring.changes import changes_since
from wholesale_elt.monitoring.report import report
from wholesale_elt.monitoring.rules import number
from wholesale_elt.monitoring.summary import PublishSummary, Summary
from wholesale_elt.publish.publisher import publish_marts

LATER = (
    "update wholesale_bi.rpt_freshness set complete_as_of = complete_as_of + interval 1 hour,"
    " built_at = built_at + interval 1 hour"
)
SOME = "(select order_id from wholesale_marts.fct_orders where is_sale order by 1 limit {})"


@pytest.fixture
def publish(marts: Marts) -> Callable[..., str]:
    """The name of a new version, after these statements."""

    def published(*statements: str) -> str:
        marts.change(LATER, *statements)
        done = publish_marts(marts.warehouse, str(marts.database.parent / "published"))
        assert done.in_force
        return done.in_force.version

    return published


def edit(column: str, value: str, orders: int, table: str = "fct_orders") -> str:
    ids = SOME.format(orders)
    return f"update wholesale_marts.{table} set {column} = {value} where order_id in {ids}"


def test_the_sum_comes_first_and_then_its_causes_the_largest_first(
    marts: Marts, publish: Callable[..., str]
) -> None:
    version = publish()
    ((before, lost, as_of),) = marts.rows(
        "select sum(sub_total) filter (is_sale),"
        f" min(sub_total) filter (order_id in {SOME.format(1)}), (select strftime("
        "min(complete_as_of) at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ') from"
        " wholesale_bi.rpt_freshness) from wholesale_marts.fct_orders"
    )
    publish(
        edit("sub_total", "sub_total + 1", 3),
        edit("order_status = 'cancelled', is_cancelled = true, is_sale", "false", 1),
    )
    after = before + 2 - lost

    told = list(changes_since(marts.database.parent / "published", version))

    assert [(alert.severity, alert.subject, alert.message) for alert in told] == [
        ("changed", "sales", f"{number(before)} became {number(after)} since {as_of}"),
        ("changed", "cancelled (order_status)", f"{number(-lost)} by 1 order"),
        ("changed", "edited (sub_total)", "2 by 2 orders"),
    ]


def test_where_nothing_moved_nothing_is_told(marts: Marts, publish: Callable[..., str]) -> None:
    version = publish()
    publish()

    assert list(changes_since(marts.database.parent / "published", version)) == []


def test_a_version_that_is_not_kept_is_said_to_be_gone(
    marts: Marts, publish: Callable[..., str]
) -> None:
    publish()

    (alert,) = changes_since(marts.database.parent / "published", "20200101T000000")

    assert (alert.severity, alert.subject) == ("changed", "sales")


def test_each_publication_is_told_of_once_and_the_first_one_not_at_all(
    marts: Marts,
    publish: Callable[..., str],
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MONITORING__WEBHOOK_URL", receiver.url)
    monkeypatch.setenv("MONITORING__NEWS", "true")

    def end(*statements: str) -> None:
        place = Path(marts.database.parent / "published")
        version = PublishSummary(
            place=str(place),
            result="published",
            version=publish(*statements),
            as_of=None,
            reasons=(),
            tables={},
            left_out=(),
        )
        summary = Summary(command="run", publish=version)
        with marts.warehouse.journal.note("run") as entry:
            entry.exit_code = 0
        summary.end(0, None)
        report(marts.warehouse, summary)

    end()
    end(edit("sub_total", "sub_total + 1", 1))
    end()
    end(edit("sub_total", "sub_total + 2", 1))

    told = [[Alert(**alert) for alert in body["alerts"]] for body in receiver.got]
    assert [[alert.severity for alert in alerts] for alerts in told] == [["changed"] * 2] * 2
    assert [alerts[1].message for alerts in told] == ["1 by 1 order", "2 by 1 order"]

"""What moved the sales is told once after each publication, in five lines; else nothing."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import wholesale_elt.publish.publisher as publishing
from support.services.receiver import Receiver
from support.warehouses.edits import write_page
from support.warehouses.marts import Marts
from wholesale_elt.monitoring.alerts import Alert, number
from wholesale_elt.monitoring.changes import changes_since
from wholesale_elt.monitoring.reporting import report
from wholesale_elt.monitoring.summary import PublishSummary, Summary
from wholesale_elt.publish import find_site
from wholesale_elt.publish.publisher import publish_marts

LATER = (
    "update wholesale_bi.rpt_freshness set complete_as_of = complete_as_of + interval 1 hour,"
    " built_at = built_at + interval 1 hour"
)
SOME = "(select order_id from wholesale_marts.fct_orders where is_sale order by 1 limit {})"


@pytest.fixture
def folder(marts: Marts, published: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder beside the warehouse; what it has is a first version."""
    monkeypatch.setattr(publishing, "write_dashboard", write_page)
    return shutil.copytree(published, marts.database.parent / "published", symlinks=True)


@pytest.fixture
def first(folder: Path) -> str:
    return find_site(folder).manifest.version


@pytest.fixture
def publish(marts: Marts, folder: Path) -> Callable[..., str]:
    """The name of a new version, after these statements."""

    def published(*statements: str) -> str:
        marts.change(LATER, *statements)
        done = publish_marts(marts.warehouse, str(folder))
        assert done.in_force
        return done.in_force.version

    return published


def edit(column: str, value: str, orders: int, table: str = "fct_orders") -> str:
    ids = SOME.format(orders)
    return f"update wholesale_marts.{table} set {column} = {value} where order_id in {ids}"


def test_the_sum_comes_first_and_then_its_causes_the_largest_first(
    marts: Marts, folder: Path, first: str, publish: Callable[..., str]
) -> None:
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

    told = list(changes_since(folder, first))

    assert [(alert.severity, alert.subject, alert.message) for alert in told] == [
        ("changed", "sales", f"{number(before)} became {number(after)} since {as_of}"),
        ("changed", "cancelled (order_status)", f"{number(-lost)} by 1 order"),
        ("changed", "edited (sub_total)", "2 by 2 orders"),
    ]


def test_where_nothing_moved_nothing_is_told(
    folder: Path, first: str, publish: Callable[..., str]
) -> None:
    publish()

    assert list(changes_since(folder, first)) == []


def test_a_version_that_is_not_kept_is_said_to_be_gone(published: Path) -> None:
    (alert,) = changes_since(published, "20200101T000000")

    assert (alert.severity, alert.subject) == ("changed", "sales")


def test_each_publication_is_told_of_once_and_the_first_one_not_at_all(
    marts: Marts,
    folder: Path,
    first: str,
    publish: Callable[..., str],
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MONITORING__WEBHOOK_URL", receiver.url)
    monkeypatch.setenv("MONITORING__NEWS", "true")

    def end(version: str) -> None:
        published = PublishSummary(
            place=str(folder),
            result="published",
            version=version,
            as_of=None,
            reasons=(),
            tables={},
            left_out=(),
        )
        summary = Summary(command="run", publish=published)
        with marts.warehouse.journal.note("run") as entry:
            entry.exit_code = 0
        summary.end(0, None)
        report(marts.warehouse, summary)

    end(first)
    end(publish(edit("sub_total", "sub_total + 1", 1)))
    end(publish())
    end(publish(edit("sub_total", "sub_total + 2", 1)))

    told = [[Alert(**alert) for alert in body["alerts"]] for body in receiver.got]
    assert [[alert.severity for alert in alerts] for alerts in told] == [["changed"] * 2] * 2
    assert [alerts[1].message for alerts in told] == ["1 by 1 order", "2 by 1 order"]

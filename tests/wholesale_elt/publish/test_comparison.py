"""A version tells what changed since earlier ones, and why its figures moved: whole and exact."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale.api.resources import RESOURCE
from wholesale_elt.models.build import build_models
from wholesale_elt.publish.comparison import compared as comparing
from wholesale_elt.publish.comparison import why
from wholesale_elt.publish.publisher import publish_marts
from wholesale_sandbox.server import Sandbox

ZIP = "98765-4321"
LATER = "2026-03-01T10:00:00Z"
Rows = list[tuple[Any, ...]]
Publish = Callable[..., Path]


@pytest.fixture
def publish(sandbox: Sandbox, loader: Loader, tmp_path: Path) -> Publish:
    """Sync, build and publish what the sandbox has; the file of the version is returned."""

    def run(**options: Any) -> Path:
        loader.load(*RESOURCE)
        build_models(loader.warehouse)
        published = publish_marts(loader.warehouse, str(tmp_path / "published"), **options)
        assert published.in_force is not None
        return tmp_path / "published" / published.in_force.database.path

    return run


def put(sandbox: Sandbox, name: str, amount: str, lines: int = 1, **more: Any) -> None:
    kept = [line(sku, total_price=amount) for sku in "xyz"[:lines]]
    told = {"sub_total": amount, "buyer_id": guid("buyer"), "order_line_items": kept}
    sandbox.put("orders", order(name, **told, **more))


def begin(sandbox: Sandbox) -> None:
    for name in ("edited", "cancelled", "gone", "same"):
        put(sandbox, name, "10")


def go_on(sandbox: Sandbox) -> None:
    put(sandbox, "edited", "12.5", 2, updated_at=LATER, shipping_zip=ZIP)
    put(sandbox, "cancelled", "10", status="cancelled", updated_at=LATER)
    sandbox.delete("orders", guid("gone"))
    put(sandbox, "new", "7", created_at=datetime.now(UTC).isoformat())


def read(file: Path, sql: str) -> Rows:
    with duckdb.connect(str(file), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_the_first_version_tells_that_there_is_nothing_to_compare_with(
    sandbox: Sandbox, publish: Publish
) -> None:
    begin(sandbox)
    file = publish()

    for table in ("changes", "change_fields", "why_totals", "why", "why_orders"):
        assert read(file, f"from main.{table}") == []
        meta = f"from meta.tables where (schema_name, table_name) = ('main', '{table}')"
        assert read(file, f"select row_count {meta}") == [(0,)]


def test_each_order_and_line_that_changed_is_told_once(sandbox: Sandbox, publish: Publish) -> None:
    begin(sandbox)
    publish()
    go_on(sandbox)
    file = publish()

    five = Decimal("12.5")
    assert read(
        file,
        "select kind, order_id, order_number, line_number, sku, amount_before, amount_after,"
        " amount_effect, fields from main.changes order by order_number, line_number nulls first",
    ) == [
        ("cancelled", guid("cancelled"), "cancelled", None, None, 10, 0, -10, "status, updated_at"),
        ("edited", guid("edited"), "edited", None, None, 10, five, 2.5, "sub_total, updated_at"),
        ("edited", guid("edited"), "edited", 1, "x", 10, five, 2.5, "total_price"),
        (
            *("new", guid("edited"), "edited", 2, "y", 0, five, five),
            "sku, quantity, unit_price, total_price",
        ),
        ("deleted", guid("gone"), "gone", None, None, 10, 0, -10, ""),
        ("new", guid("new"), "new", None, None, 0, 7, 7, ""),
    ]
    assert read(
        file,
        "select field, value_before, value_after from main.change_fields"
        f" where order_id = '{guid('edited')}' and line_number is null order by field",
    ) == [
        ("sub_total", "10", "12.5"),
        ("updated_at", "2026-01-02T10:00:00Z", LATER),
    ]


@pytest.mark.parametrize(
    ("published", "told"), [("[]", []), ('["fct_orders.shipping_zip"]', [(ZIP,)])]
)
def test_what_tells_of_a_person_is_told_only_where_it_is_published(
    sandbox: Sandbox, publish: Publish, monkeypatch: pytest.MonkeyPatch, published: str, told: Rows
) -> None:
    monkeypatch.setenv("PRIVACY__PUBLISHED", published)
    begin(sandbox)
    publish()
    go_on(sandbox)
    file = publish()

    fields = "select value_after from main.change_fields where field = 'shipping_zip'"
    assert read(file, fields) == told


def test_every_figure_moved_by_its_causes_alone_down_to_the_orders(
    sandbox: Sandbox, publish: Publish
) -> None:
    begin(sandbox)
    before = publish()
    go_on(sandbox)
    file = publish()

    assert read(
        file,
        "select compared_with, from_version, metric, value_before, value_after, difference"
        " from main.why_totals where period = 'all_time' order by metric",
    ) == [
        ("version_before", before.parent.name, metric, was, now, now - was)
        for metric, was, now in (
            ("active_buyers", 1, 1),
            ("average_order_value", 10, Decimal("9.833333")),
            ("orders", 4, 3),
            ("sales", 40, Decimal("29.5")),
        )
    ]
    assert read(
        file,
        "select cause, fields, amount, order_count from main.why where metric = 'sales'"
        " and period = 'all_time' order by cause",
    ) == [
        ("cancelled", "order_status", -10, 1),
        ("deleted", "", -10, 1),
        ("edited", "sub_total", Decimal("2.5"), 1),
        ("new", "", 7, 1),
    ]
    assert (
        read(
            file,
            "select totals.metric, totals.period from main.why_totals as totals left join main.why"
            " using (compared_with, metric, period) group by all"
            " having any_value(totals.difference) <> coalesce(sum(amount), 0)",
        )
        == []
    )
    assert read(
        file,
        "select cause, order_number, amount from main.why_orders where metric = 'sales'"
        " and period = 'all_time' order by order_number",
    ) == [
        ("cancelled", "cancelled", -10),
        ("edited", "edited", Decimal("2.5")),
        ("deleted", "gone", -10),
        ("new", "new", 7),
    ]


def test_where_no_version_of_a_week_ago_is_kept_it_is_made_of_the_past(
    sandbox: Sandbox, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(sandbox)
    publish()
    go_on(sandbox)
    monkeypatch.setattr(comparing, "WEEK", timedelta())
    monkeypatch.setattr(comparing, "NEAR", timedelta(days=-1))
    file = publish()

    assert read(
        file,
        "select compared_with, from_version is null, difference from main.why_totals"
        " where metric = 'orders' and period = 'all_time' order by 1",
    ) == [("version_before", False, -1), ("week_before", True, 0)]


def test_a_comparison_that_fails_leaves_a_version_without_it(
    sandbox: Sandbox,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    begin(sandbox)
    publish()
    go_on(sandbox)

    def fail(*anything: Any) -> Any:
        raise why.NotExplained("sales: 0.01 has no cause")

    monkeypatch.setattr(comparing, "causes", fail)
    file = publish()

    assert read(file, "select count(*) from main.changes") == [(6,)]
    assert read(file, "from main.why_totals") == []
    assert [record.message for record in caplog.records if "0.01" in record.message]


def test_reports_alone_have_changes_and_no_figures(sandbox: Sandbox, publish: Publish) -> None:
    begin(sandbox)
    publish(is_only_bi=True)
    go_on(sandbox)
    file = publish(is_only_bi=True)

    assert read(file, "select count(*) from main.changes") == [(6,)]
    assert read(file, "from main.why_totals") == []

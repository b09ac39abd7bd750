"""A version tells what changed since earlier ones, and why its figures moved: whole and exact."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

import wholesale_elt.publish.publisher as publishing
from conftest import Loader
from support.records.samples import guid, line, order
from support.warehouses.edits import write_page
from support.warehouses.marts import Marts
from wholesale.api.resources import RESOURCE
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.causes import made_as_of
from wholesale_elt.past import NotInPast
from wholesale_elt.publish.comparison import compared as comparing
from wholesale_elt.publish.comparison import why
from wholesale_elt.publish.folder import Folder
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

ZIP = "98765-4321"
LATER = "2026-03-01T10:00:00Z"
COMPARED = (
    *("fct_orders", "fct_order_lines", "dim_as_of", "rpt_orders"),
    *("rpt_currencies", "rpt_freshness", "rpt_headlines", "rpt_sync_runs"),
)
"""What is built: a version tells what changed of these, and why the figures moved."""
TABLES = ("changes", "change_fields", "why_totals", "why", "why_orders")
ORDER_COUNTS = (
    "select compared_with, from_version, value_before, value_after from main.why_totals"
    " where metric = 'orders' and period = 'all_time' order by 1"
)
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Shop:
    """A warehouse, and what is published of it. It was loaded three times: `at_first` there were
    four orders, then one more; that was published. Since then they changed, which is built."""

    folder: Path
    at_first: datetime

    @property
    def marts(self) -> Marts:
        return Marts(self.folder / "wholesale.duckdb")

    @property
    def built_at(self) -> datetime:
        [(at,)] = self.marts.rows("select max(built_at) from wholesale_bi.rpt_freshness")
        assert isinstance(at, datetime)
        return at

    def copy(self, folder: Path) -> "Shop":
        self.marts.copy(folder)
        shutil.copytree(self.folder / "published", folder / "published")
        return Shop(folder, self.at_first)

    def publish(self, place: str = "published", **options: Any) -> Path:
        """The DuckDB file of the version."""
        published = publish_marts(self.marts.warehouse, str(self.folder / place), **options)
        assert published.in_force is not None
        return self.folder / place / published.in_force.database.path

    def build_again(self, *statements: str) -> None:
        """As after a sync that brought nothing, or these changes."""
        self.marts.change(
            *statements,
            "update wholesale_bi.rpt_freshness set built_at = built_at + interval 1 second",
        )

    def ago(self, patch: pytest.MonkeyPatch, near: int = 1, **moments: datetime) -> None:
        """Let these moments lie a day or a week before the last build, and versions that were
        published within `near` days of them count as of then."""
        days = timedelta(days=near)
        ago = {name: (self.built_at - moment, days) for name, moment in moments.items()}
        patch.setattr(comparing, "AGO", ago)

    def versions(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "published" / "versions").iterdir())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("made")
    with (
        pytest.MonkeyPatch.context() as patch,
        Sandbox(SandboxSettings(empty=True)) as sandbox,
    ):
        patch.setattr(publishing, "write_dashboard", write_page)
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        loader = Loader(settings, Warehouse(folder / "wholesale.duckdb"))
        begin(sandbox)
        loader.load(*RESOURCE)
        shop = Shop(folder, datetime.now(UTC))
        put(sandbox, "early", "3")
        loader.load("orders")
        shop.marts.build(*COMPARED)
        shop.publish()
        go_on(sandbox)
        loader.load("orders")
        shop.marts.build(*COMPARED)
        yield shop


@pytest.fixture
def shop(made: Shop, tmp_path: Path) -> Shop:
    return made.copy(tmp_path / "shop")


@pytest.fixture(scope="module")
def files(made: Shop, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name of the version before, and the file of the one that follows."""
    shop = made.copy(tmp_path_factory.mktemp("files") / "shop")
    [before] = shop.versions()
    return before, shop.publish()


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
        connection.execute("set timezone = 'UTC'")
        return connection.execute(sql).fetchall()


def test_the_first_version_tells_that_there_is_nothing_to_compare_with(shop: Shop) -> None:
    [version] = shop.versions()
    file = shop.folder / "published" / "versions" / version / "wholesale.duckdb"

    for table in TABLES:
        assert read(file, f"from main.{table}") == []
        meta = f"from meta.tables where (schema_name, table_name) = ('main', '{table}')"
        assert read(file, f"select row_count {meta}") == [(0,)]


def test_each_order_and_line_that_changed_is_told_once(files: tuple[str, Path]) -> None:
    _, file = files

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


def test_what_tells_of_a_person_is_told_only_where_it_is_published(
    shop: Shop, files: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, without = files
    monkeypatch.setenv("PRIVACY__PUBLISHED", '["fct_orders.shipping_zip"]')
    file = shop.publish()

    fields = "select value_after from main.change_fields where field = 'shipping_zip'"
    assert [read(without, fields), read(file, fields)] == [[], [(ZIP,)]]


def test_every_figure_moved_by_its_causes_alone_down_to_the_orders(
    files: tuple[str, Path],
) -> None:
    before, file = files

    assert read(
        file,
        "select compared_with, from_version, metric, value_before, value_after, difference"
        " from main.why_totals where period = 'all_time' order by metric",
    ) == [
        ("version_before", before, metric, was, now, now - was)
        for metric, was, now in (
            ("active_buyers", 1, 1),
            ("average_order_value", Decimal("8.6"), Decimal("8.125")),
            ("orders", 5, 4),
            ("sales", 43, Decimal("32.5")),
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


def test_where_no_version_of_a_week_ago_is_kept_what_was_so_then_is_made_of_the_past(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    [before] = shop.versions()
    shop.ago(monkeypatch, near=-1, week_before=shop.at_first)
    file = shop.publish()

    assert read(file, ORDER_COUNTS) == [
        ("version_before", before, 5, 4),
        ("week_before", None, 4, 4),
    ]
    assert read(
        file,
        "select cause, amount from main.why where metric = 'orders' and period = 'all_time'"
        " and compared_with = 'week_before' order by 1",
    ) == [("cancelled", -1), ("deleted", -1), ("found late", 1), ("new", 1)]


def published_at(shop: Shop, version: str) -> datetime:
    manifest = shop.folder / "published" / "versions" / version / "manifest.json"
    return datetime.fromisoformat(json.loads(manifest.read_text("utf-8"))["published_at"])


def test_of_the_versions_of_about_a_week_ago_the_nearest_one_counts(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.publish()
    first, second = shop.versions()
    shop.build_again("update wholesale_marts.fct_orders set is_sale = (order_number = 'same')")
    shop.ago(monkeypatch, week_before=published_at(shop, first))
    file = shop.publish()

    assert read(file, ORDER_COUNTS) == [
        ("version_before", second, 4, 1),
        ("week_before", first, 5, 1),
    ]


def test_day_week_and_version_before_are_told_apart(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.publish()
    _, second = shop.versions()
    shop.build_again("update wholesale_marts.fct_orders set is_sale = (order_number = 'same')")
    days = {"day_before": published_at(shop, second), "week_before": shop.at_first}
    shop.ago(monkeypatch, near=0, **days)
    file = shop.publish()

    assert read(file, ORDER_COUNTS) == [
        ("day_before", second, 4, 1),
        ("version_before", second, 4, 1),
        ("week_before", None, 4, 1),
    ]


def test_before_anything_is_known_of_a_week_ago_the_oldest_version_is_compared_with(
    shop: Shop,
) -> None:
    shop.publish()
    first, second = shop.versions()
    shop.build_again("update wholesale_marts.fct_orders set is_sale = (order_number = 'same')")
    file = shop.publish()

    assert read(file, ORDER_COUNTS) == [
        ("oldest_version", first, 5, 1),
        ("version_before", second, 4, 1),
    ]


def test_months_are_those_of_the_newer_version_in_both(shop: Shop) -> None:
    shop.build_again(
        "update wholesale_marts.fct_orders set ordered_date = case order_number"
        " when 'same' then date '2026-02-02' else date '2026-01-15' end",
        "update wholesale_marts.dim_as_of set figures_up_to = date '2026-02-28'",
    )
    shop.publish()
    shop.build_again(
        "update wholesale_marts.fct_orders set sub_total = 11 where order_number = 'same'",
        "update wholesale_marts.dim_as_of set figures_up_to = date '2026-03-01'",
    )
    file = shop.publish()

    assert read(  # the version before does not know of March
        file,
        "select period, value_before, value_after from main.why_totals where metric = 'sales'"
        " and compared_with = 'version_before' order by all",
    ) == [("all_time", Decimal("32.5"), Decimal("33.5")), ("last_month", 10, 11)]


def test_what_is_told_again_of_a_week_ago_names_no_version_that_is_gone(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    [first] = shop.versions()
    shop.ago(monkeypatch, week_before=published_at(shop, first))
    of_the_week = f"from ({ORDER_COUNTS}) where compared_with = 'week_before'"
    told = [read(shop.publish(keep=2), of_the_week)]
    for _ in range(2):
        shop.build_again()
        told.append(read(shop.publish(keep=2), of_the_week))

    assert told == [[("week_before", name, 5, 4)] for name in (first, first, None)]


def test_where_nothing_changed_the_version_before_is_not_made_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.publish()
    *_, before = shop.versions()
    shop.build_again()
    monkeypatch.setattr(Folder, "take_over", lambda *anything: False)  # as in a bucket
    moments = []

    def make(warehouse: Warehouse, moment: datetime, *anything: Any, **options: Any) -> Any:
        moments.append(moment)
        return made_as_of(warehouse, moment, *anything, **options)

    monkeypatch.setattr(comparing, "made_as_of", make)
    file = shop.publish()

    assert moments == [shop.built_at - timedelta(days=days) for days in (1, 7)]
    assert read(file, ORDER_COUNTS) == [("version_before", before, 4, 4)]
    assert [read(file, f"select count(*) from main.{table}") for table in TABLES] == [
        [(count,)] for count in (0, 0, 12, 0, 0)
    ]


def test_what_a_killed_publication_made_of_the_past_is_removed_by_the_next_one(shop: Shop) -> None:
    left = made_as_of(shop.marts.warehouse, shop.at_first, "publish", "EUR", ["rpt_freshness"])
    file = left.__enter__().database  # and never left
    assert read(file, "select count(*) from wholesale_raw.orders") == [(4,)]

    shop.publish("elsewhere")

    assert not file.exists()


@pytest.mark.parametrize(
    ("error", "is_told"), [(NotInPast("too short"), False), (ConfigurationError("wrong"), True)]
)
def test_only_a_past_that_is_too_short_is_passed_over(
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    is_told: bool,
) -> None:
    def fail(*anything: Any, **options: Any) -> Any:
        raise error

    monkeypatch.setattr(comparing, "made_as_of", fail)
    file = shop.publish()

    assert [name for name, *_ in read(file, ORDER_COUNTS)] == ["version_before"]
    assert any(str(error) in record.message for record in caplog.records) == is_told


def test_a_comparison_that_fails_leaves_a_version_without_it(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*anything: Any) -> Any:
        raise why.NotExplained("sales: 0.01 has no cause")

    monkeypatch.setattr(comparing, "causes", fail)
    file = shop.publish()

    assert read(file, "select count(*) from main.changes") == [(6,)]
    assert read(file, "from main.why_totals") == []
    assert [record.message for record in caplog.records if "0.01" in record.message]


def test_reports_alone_have_changes_and_no_figures(shop: Shop) -> None:
    file = shop.publish(is_only_bi=True)

    assert read(file, "select count(*) from main.changes") == [(6,)]
    assert read(file, "from main.why_totals") == []

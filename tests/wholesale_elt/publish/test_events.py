"""One event has one kind: in `changes`, in what is published, in the causes of figures, and in the
news of the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from conftest import Loader
from sql.recomputation import built_at, differences
from sql.recomputation.books import Books, read
from support.records.samples import guid, line, order
from support.warehouses.marts import Marts
from support.warehouses.sites import Site, site_of
from wholesale.settings import ApiSettings
from wholesale_elt.inspect import find_changes
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

LATER = "2026-03-01T10:00:00Z"
SEEN = {
    "back": "reappeared",
    "cancelled": "cancelled",
    "edited": "edited",
    "gone": "deleted",
    "invoiced": "state changed",
    "late": "found late",
    "lines": "edited",
    "moved": "edited",
    "new": "new",
    "paid": "state changed",
    "shipped": "state changed",
    "touched": "edited",
}
"""What became of orders between the two versions."""


@dataclass(frozen=True)
class Shop:
    marts: Marts
    published_at: datetime
    site: Site


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("shop")
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        loader = Loader(settings, Warehouse(folder / "wholesale.duckdb"))
        marts = Marts(folder / "wholesale.duckdb")
        for name in (*(name for name in SEEN if name not in ("late", "new")), "same", "dead"):
            put(sandbox, name)
        loader.load("orders")
        for name in ("back", "dead"):
            sandbox.delete("orders", guid(name))
        loader.load("orders")
        marts.build()
        publish_marts(marts.warehouse, str(folder / "published"))
        published_at = datetime.now(UTC)
        go_on(sandbox)
        loader.load("orders")
        marts.build()
        yield Shop(
            marts,
            published_at,
            site_of(publish_marts(marts.warehouse, str(folder / "published"))),
        )


def put(sandbox: Sandbox, name: str, **more: Any) -> None:
    told: dict[str, Any] = {
        "sub_total": "5",
        "total": "6",
        "buyer_id": guid("buyer"),
        "order_line_items": [line("x"), line("y")],
        **more,
    }
    sandbox.put("orders", order(name, **told))


def go_on(sandbox: Sandbox) -> None:
    later = {"updated_at": LATER}
    put(sandbox, "back", **later)
    put(sandbox, "cancelled", status=" Cancelled", **later)
    put(sandbox, "edited", sub_total="7.5", status="shipped", **later)
    sandbox.delete("orders", guid("gone"))
    put(sandbox, "invoiced", invoice_status="sent", invoice_number="1", **later)
    put(sandbox, "late")
    put(sandbox, "lines", order_line_items=[line("x"), line("y", quantity=9)], **later)
    put(sandbox, "moved", status="shipped", order_line_items=[line("x")], **later)
    put(sandbox, "new", sub_total="8", created_at=datetime.now(UTC).isoformat())
    put(sandbox, "paid", payment_status="paid", **later)
    put(sandbox, "shipped", status="Shipped", **later)
    put(sandbox, "touched", **later)


def test_changes_the_report_and_what_is_published_name_the_same_kinds(shop: Shop) -> None:
    found = find_changes(shop.marts.warehouse, shop.published_at, cancelled={"cancelled"})
    assert {
        each.order_number: each.kind for each in found.changes if each.resource == "orders"
    } == SEEN
    since = f"observed_at > timestamptz '{shop.published_at.isoformat()}'"
    told = "select order_number, event_kind from wholesale_bi.rpt_events where "
    assert dict(shop.marts.rows(told + since)) == SEEN
    in_version = "select order_number, kind from main.changes where line_number is null"
    assert dict(shop.site.answer(in_version)) == SEEN


def test_what_moved_a_figure_is_told_by_the_same_kinds(shop: Shop) -> None:
    causes = shop.site.answer(
        "select order_number, cause, amount from main.why_orders where metric = 'sales'"
        " and period = 'all_time' and compared_with = 'version_before'"
    )
    events = shop.site.answer(
        "select order_number, event_kind, amount_effect from wholesale_bi.rpt_events"
        " where observed_at > (select max(from_built_at) from main.why_totals)"
        " and amount_effect <> 0"
    )
    assert sorted(causes) == sorted(events)
    assert len(events) == 6


def test_news_tell_of_these_events(shop: Shop) -> None:
    counted = {
        row["kind"]: (row["event_count"], Decimal(row["amount"]))
        for row in shop.site.table("news", "counts")
        if row["since"] == "version"
    }
    assert counted == {
        "cancelled": (1, -5),
        "deleted": (1, -5),
        "edited": (3, Decimal("2.5")),
        "new": (2, 13),
        "reappeared": (1, 5),
        "sent": (3, Decimal("17.5")),
        "settled": (1, 6),
    }


def test_events_equal_a_second_computation_of_them(shop: Shop) -> None:
    books = Books([read(shop.marts.database)], built_at(shop.marts))
    assert differences(shop.marts, books, "rpt_events") == []


def test_the_events_of_an_order_add_up_to_what_it_counts_with(shop: Shop) -> None:
    assert shop.marts.rows(
        "select order_id, sum(amount_effect) from wholesale_bi.rpt_events group by all order by 1"
    ) == shop.marts.rows(
        "select order_id, case when is_sale then sub_total else 0 end"
        " from wholesale_marts.fct_orders order by 1"
    )

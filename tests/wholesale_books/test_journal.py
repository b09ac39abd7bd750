"""What moved a closed month: in each version, at the command line, and to whoever watches."""

import csv
import io
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from aiosmtpd.controller import Controller
from click.testing import CliRunner, Result

import wholesale_elt.publish.publisher as publishing
from support.services.mailbox import ANN, SENDER, Mailbox, free_port
from support.services.receiver import receiving
from support.warehouses.edits import write_page
from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError
from wholesale_books.closing import close_month, reopen_month
from wholesale_books.settings import folder_of
from wholesale_elt.cli.main import cli
from wholesale_elt.monitoring.reporting import report
from wholesale_elt.monitoring.summary import PublishSummary, Summary
from wholesale_elt.publish import find_site
from wholesale_elt.publish.publisher import publish_marts

LATER = (
    "update wholesale_bi.rpt_freshness set complete_as_of = complete_as_of + interval 1 hour,"
    " built_at = built_at + interval 1 hour"
)
ORDERS = "wholesale_marts.fct_orders"
Row = dict[str, Any]


@dataclass(frozen=True)
class Shop:
    """A warehouse and what is published of it, of which a month is closed; three of its sales."""

    marts: Marts
    folder: Path
    month: str
    orders: tuple[str, str, str]

    def publish(self, *statements: str) -> str:
        self.marts.change(LATER, *statements)
        done = publish_marts(self.marts.warehouse, str(self.folder))
        assert done.result == "published"
        assert done.in_force
        return done.in_force.version

    def rows(self, table: str, metric: str = "sales") -> list[Row]:
        with duckdb.connect(str(find_site(self.folder).database), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'")
            found: list[Row] = (
                connection.sql(f"from {table} where metric = '{metric}' order by all")
                .to_arrow_table()
                .to_pylist()
            )
            return found

    def month_row(self, metric: str = "sales") -> Row:
        [row] = self.rows("rpt_closed_months", metric)
        return row

    @property
    def file(self) -> Path:
        return folder_of(self.marts.warehouse) / "closed" / f"{self.month}.1.duckdb"

    def call(self, *words: str) -> Result:
        places = ("--database", str(self.marts.database), "--published", str(self.folder))
        return CliRunner().invoke(cli, ["journal", *words, *places])

    def document(self, *words: str) -> Row:
        found: Row = json.loads(self.call(*words, "--json").stdout)
        return found


@pytest.fixture
def shop(marts: Marts, published: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr(publishing, "write_dashboard", write_page)
    folder = shutil.copytree(published, marts.database.parent / "published", symlinks=True)
    ((month,),) = marts.rows(
        f"select strftime(ordered_date, '%Y-%m') from {ORDERS} where is_sale and sub_total > 0"
        " and ordered_date is not null group by 1 order by count(*) desc, 1 limit 1"
    )
    close_month(marts.warehouse, folder, month, by="Ann", note="as agreed")
    first, second, third = (
        order
        for (order,) in marts.rows(
            f"select order_id from {ORDERS} where is_sale and sub_total > 0"
            f" and strftime(ordered_date, '%Y-%m') = '{month}' order by 1 limit 3"
        )
    )
    return Shop(marts, folder, month, (first, second, third))


def edit(order: str, more: str = "sub_total + 12.5") -> str:
    return f"update {ORDERS} set sub_total = {more} where order_id = '{order}'"


def cancel(order: str) -> str:
    return (
        f"update {ORDERS} set order_status = 'cancelled', is_cancelled = true, is_sale = false"
        f" where order_id = '{order}'"
    )


def add(order: str, amount: str = "7.25") -> str:
    return (
        f"insert into {ORDERS} by name select * replace ('late' as order_id, 'L1' as order_number,"
        f" {amount} as sub_total) from {ORDERS} where order_id = '{order}'"
    )


def of(shop: Shop, order: str) -> Row:
    [(number, buyer, vendor, amount)] = shop.marts.rows(
        f"select order_number, buyer_id, vendor_id, sub_total from {ORDERS}"
        f" where order_id = '{order}'"
    )
    return {"order_number": number, "buyer_id": buyer, "vendor_id": vendor, "amount": amount}


def test_each_order_is_told_as_it_was_and_is_and_what_is_left_is_nothing(shop: Shop) -> None:
    edited, cancelled, kept = shop.orders
    lost = of(shop, cancelled)["amount"]
    was = of(shop, edited)["amount"]
    closed = shop.rows("rpt_closed_months")
    shop.publish(edit(edited), cancel(cancelled), add(kept))

    told = [
        (row["cause"], row["fields"], row["order_id"], row["was"], row["now"], row["amount"])
        for row in sorted(shop.rows("rpt_journal"), key=lambda row: row["cause"])
    ]
    row = shop.month_row()

    assert closed == [], "the version that it was closed by was made before"
    assert told == [
        ("cancelled", "order_status", cancelled, lost, 0, -lost),
        ("edited", "sub_total", edited, was, was + Decimal("12.5"), Decimal("12.5")),
        ("late order", "", "late", 0, Decimal("7.25"), Decimal("7.25")),
    ]
    moved = Decimal("19.75") - lost
    assert (row["changed"], row["counted_otherwise"], row["residue"]) == (moved, 0, 0)
    assert row["as_closed"] + moved == row["now"]
    assert (row["state"], row["closed_by"], row["note"]) == ("closed", "Ann", "as agreed")
    assert (row["orders_changed"], row["problem"]) == (3, None)
    for entry in shop.rows("rpt_journal"):
        wanted = of(shop, entry["order_id"])
        assert {name: entry[name] for name in wanted if name != "amount"} == {
            name: wanted[name] for name in wanted if name != "amount"
        }
    assert {row["kind"] for row in shop.rows("rpt_journal")} == {"changed"}
    orders = shop.rows("rpt_journal", "orders")
    assert sorted((row["order_id"], row["amount"]) for row in orders) == sorted(
        [("late", 1), (cancelled, -1)]
    )


def test_another_setting_counts_otherwise_and_changes_nothing(shop: Shop) -> None:
    order = shop.orders[0]
    lost = of(shop, order)["amount"]
    shop.publish(
        f"update {ORDERS} set is_cancelled = true, is_sale = false where order_id = '{order}'",
        "update wholesale_marts.dim_settings set cancelled_order_statuses = 'other'",
    )

    [entry] = shop.rows("rpt_journal")
    row = shop.month_row()

    assert (entry["kind"], entry["cause"]) == ("counted otherwise", "setting changed")
    assert entry["fields"] == "cancelled_order_statuses"
    assert (row["changed"], row["counted_otherwise"], row["residue"]) == (0, -lost, 0)
    assert row["orders_changed"] == 0


def test_what_went_and_came_back_is_no_entry(shop: Shop) -> None:
    shop.publish(edit(shop.orders[0]))
    shop.publish(edit(shop.orders[0], "sub_total - 12.5"))

    assert shop.rows("rpt_journal") == []
    assert (shop.month_row()["changed"], shop.month_row()["residue"]) == (0, 0)


def test_a_ratio_moves_by_its_parts_which_have_the_orders(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKS__METRICS", "average_order_value")
    shop.publish(edit(shop.orders[0]), cancel(shop.orders[1]))

    ratio = shop.rows("rpt_journal", "average_order_value")
    row = shop.month_row("average_order_value")

    assert {(each["cause"], each["part"]) for each in ratio} == {
        ("edited", "sales"),
        ("cancelled", "sales"),
        ("cancelled", "orders_with_an_amount"),
    }
    assert {each["order_id"] for each in ratio} == {None}
    assert row["residue"] == 0
    assert row["as_closed"] + sum(each["amount"] for each in ratio) == row["now"]
    assert all(each["amount"] == each["now"] - each["was"] for each in ratio)
    parts = [*shop.rows("rpt_journal"), *shop.rows("rpt_journal", "orders_with_an_amount")]
    assert {each["order_id"] for each in parts} == {shop.orders[0], shop.orders[1]}


def test_a_buyer_that_is_counted_once_has_one_row(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKS__METRICS", "active_buyers")
    order = shop.orders[0]
    buyer = of(shop, order)["buyer_id"]
    shop.publish(
        f"update {ORDERS} set is_sale = false, is_deleted = true where buyer_id = '{buyer}'"
    )

    [entry] = shop.rows("rpt_journal", "active_buyers")

    assert (entry["counted_id"], entry["buyer_id"]) == (buyer, buyer)
    assert (entry["cause"], entry["was"], entry["now"], entry["amount"]) == ("deleted", 1, 0, -1)


def test_a_month_that_is_open_again_tells_what_it_was_and_no_more(shop: Shop) -> None:
    reopen_month(shop.marts.warehouse, shop.folder, shop.month, by="Ann", reason="a credit note")
    shop.publish(edit(shop.orders[0]))

    row = shop.month_row()

    assert (row["state"], row["reason"]) == ("reopened", "a credit note")
    assert row["as_closed"] > 0
    unknown = ("changed", "counted_otherwise", "now", "residue", "orders_changed", "problem")
    assert [row[name] for name in unknown] == [None] * 6
    assert shop.rows("rpt_journal") == []
    assert shop.call(shop.month).exit_code == 2

    close_month(shop.marts.warehouse, shop.folder, shop.month, by="Ann")
    shop.publish(edit(shop.orders[1]))
    rows = shop.rows("rpt_closed_months")
    assert [(row["close_number"], row["state"]) for row in rows] == [(1, "reopened"), (2, "closed")]
    assert (rows[1]["changed"], rows[1]["residue"]) == (Decimal("12.5"), 0)


def _remove(shop: Shop) -> None:
    shop.file.unlink()


def _cut(shop: Shop) -> None:
    shop.file.chmod(0o600)
    shop.file.write_bytes(shop.file.read_bytes()[:5000])


def _change(shop: Shop) -> None:
    shop.file.chmod(0o600)
    with duckdb.connect(str(shop.file)) as connection:
        connection.execute(edit(shop.orders[0]))


def _tamper(shop: Shop) -> None:
    book = shop.file.parent.parent / "book.jsonl"
    book.write_bytes(book.read_bytes().replace(b'"Ann"', b'"Bob"'))


@pytest.mark.parametrize("harm", [_remove, _cut, _change, _tamper])
def test_where_no_journal_can_be_made_it_is_said_and_the_version_is_published(
    shop: Shop, harm: Any
) -> None:
    harm(shop)
    shop.publish(edit(shop.orders[0]))

    row = shop.month_row()
    done = shop.call()

    assert row["problem"]
    unknown = ("as_closed", "changed", "counted_otherwise", "now", "residue", "orders_changed")
    assert [row[name] for name in unknown] == [None] * 6
    assert shop.rows("rpt_journal") == []
    assert done.exit_code == 3
    assert row["problem"] in done.stderr
    assert shop.document()["months"][0]["metrics"][0]["problem"] == row["problem"]


def test_a_figure_that_is_not_what_the_entries_lead_to_is_told(shop: Shop) -> None:
    """As of a metric whose SQL is another one, and of one that was not counted then."""
    book = shop.file.parent.parent / "book.jsonl"
    [line] = book.read_bytes().splitlines()
    about = json.loads(line)["about"]
    sales = Decimal(about["figures"]["sales"])
    del about["figures"]["orders"]
    book.unlink()
    from wholesale_books.book import Book

    about["figures"]["sales"] = f"{sales - 1:f}"
    Book(book.parent).add("closed", "Ann", about)
    shop.publish(edit(shop.orders[0]))

    row = shop.month_row()
    entries = {each["cause"]: each for each in shop.rows("rpt_journal")}

    assert (row["changed"], row["counted_otherwise"], row["residue"]) == (Decimal("12.5"), 1, 0)
    assert (entries["definition changed"]["was"], entries["definition changed"]["now"]) == (
        *(sales - 1, sales),
    )
    assert shop.month_row("orders")["problem"]
    assert shop.call("--metric", "sales").exit_code == 0
    assert shop.call().exit_code == 3


@pytest.mark.parametrize("metrics", ["salse", "late_buyers", "sales, nope"])
def test_metrics_that_have_no_value_of_a_month_are_refused_before_anything_is_read(
    shop: Shop, metrics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKS__METRICS", metrics)
    with pytest.raises(ConfigurationError, match=r"books\.metrics"):
        publish_marts(shop.marts.warehouse, str(shop.folder))


def test_a_closed_month_is_known_even_if_its_sales_were_the_first_and_are_cancelled(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKS__METRICS", "cancelled_orders")
    after = f"date '{shop.month}-01' + interval 1 month"
    shop.publish(
        cancel(shop.orders[0]), f"update wholesale_marts.dim_as_of set figures_from = {after}"
    )

    row = shop.month_row("cancelled_orders")
    [entry] = shop.rows("rpt_journal", "cancelled_orders")

    assert row["now"] == row["as_closed"] + 1
    assert (row["changed"], row["residue"]) == (1, 0)
    assert (entry["order_id"], entry["cause"], entry["amount"]) == (shop.orders[0], "cancelled", 1)


def test_the_command_tells_months_and_the_entries_of_one(shop: Shop) -> None:
    shop.publish(edit(shop.orders[0]), add(shop.orders[1]))

    months, one = shop.document(), shop.document(shop.month, "--metric", "sales")
    rows = list(csv.DictReader(io.StringIO(shop.call(shop.month, "--csv").stdout)))
    listed = list(csv.DictReader(io.StringIO(shop.call("--csv").stdout)))

    [month] = months["months"]
    assert [each["metric"] for each in month["metrics"]] == ["sales", "orders"]
    sales = month["metrics"][0]
    assert "entries" not in sales
    assert Decimal(sales["changed"]) == Decimal("19.75")
    assert Decimal(sales["residue"]) == 0
    assert Decimal(sales["now"]) - Decimal(sales["as_closed"]) == Decimal("19.75")
    [found] = one["months"][0]["metrics"]
    assert {each["cause"]: Decimal(each["difference"]) for each in found["entries"]} == {
        "edited": Decimal("12.5"),
        "late order": Decimal("7.25"),
    }
    assert {each["buyer"] for each in found["entries"]} != {None}
    assert sorted(row["order_id"] for row in rows if row["metric"] == "sales") == sorted(
        ["late", shop.orders[0]]
    )
    assert [Decimal(row["unexplained"]) for row in listed] == [0, 0]
    for words in ([], [shop.month], [shop.month, "--metric", "all"]):
        assert shop.call(*words).exit_code == 0, shop.call(*words).output


@pytest.mark.parametrize(
    "words", [["2026-13"], ["may"], ["1999-01"], ["--metric", "nope"], ["--metric", "late_buyers"]]
)
def test_what_cannot_be_asked_is_refused(shop: Shop, words: list[str]) -> None:
    assert shop.call(*words).exit_code == 2


def test_where_nothing_is_closed_nothing_is_told(marts: Marts, published: Path) -> None:
    places = ("--database", str(marts.database), "--published", str(published))
    done = CliRunner().invoke(cli, ["journal", "--json", *places])

    assert (done.exit_code, json.loads(done.stdout)["months"]) == (0, [])
    assert not (marts.database.parent / "books").exists()


def test_by_every_metric_nothing_is_left(shop: Shop) -> None:
    shop.publish(edit(shop.orders[0]), cancel(shop.orders[1]), add(shop.orders[2]))

    found = shop.document(shop.month, "--metric", "all")["months"][0]["metrics"]

    assert len(found) > 50
    assert {each["problem"] for each in found} == {None}
    assert {each["residue"] and Decimal(each["residue"]) for each in found} <= {None, 0}


@pytest.fixture
def mailbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    mailbox = Mailbox()
    controller = Controller(mailbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    monkeypatch.setenv("MONITORING__MAIL_SERVER", f"smtp://localhost:{controller.port}")
    monkeypatch.setenv("MONITORING__MAIL_FROM", SENDER)
    monkeypatch.setenv("MONITORING__MAIL_TO", ANN)
    try:
        yield mailbox
    finally:
        controller.stop()


def test_whoever_watches_is_told_once_when_a_closed_month_moves(
    shop: Shop, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(version: str) -> None:
        published = PublishSummary(
            place=str(shop.folder),
            result="published",
            version=version,
            as_of=None,
            reasons=(),
            tables={},
            left_out=(),
        )
        summary = Summary(command="run", publish=published)
        with shop.marts.warehouse.journal.note("run") as entry:
            entry.exit_code = 0
        summary.end(0, None)
        report(shop.marts.warehouse, summary)

    with receiving() as receiver:
        monkeypatch.setenv("MONITORING__WEBHOOK_URL", receiver.url)
        end(find_site(shop.folder).manifest.version)
        end(shop.publish())
        assert receiver.got == [], "as closed"
        end(moved := shop.publish(edit(shop.orders[0])))
        end(moved)
        end(shop.publish())
        end(shop.publish(edit(shop.orders[0], "sub_total - 12.5")))

    told = [body["alerts"] for body in receiver.got]
    assert [[(each["severity"], each["subject"]) for each in alerts] for alerts in told] == [
        [("closed month", f"{shop.month} sales")],
        [("closed month", f"{shop.month} sales")],
    ]
    [first], [second] = told
    assert "moved by 12.5:" in first["message"]
    assert f"wholesale journal {shop.month}" in first["message"]
    assert (first["item_count"], len(first["items"])) == (1, 1)
    assert of(shop, shop.orders[0])["order_number"] in first["items"][0]["text"]
    assert "moved by -12.5:" in second["message"]
    assert len(mailbox.of(ANN)) == 2

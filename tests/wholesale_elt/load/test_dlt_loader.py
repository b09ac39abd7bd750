"""Loading through dlt packages, into a real PostgreSQL server: other destinations go that way."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import dlt
import pytest

from support.records.samples import guid, line, order
from support.services.postgres import connect, serving
from wholesale.settings import ApiSettings
from wholesale_elt.inspect.status import read_status
from wholesale_elt.load.dlt_loader import begin_load, unfinished
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox

LATER = "2026-03-01T10:00:00Z"
RESOURCES = ("orders", "items", "brands")
"""Two with children, and one of which there is no record."""
DIES = """
import os, signal, sys
from dlt.common.storages.load_package import PackageStorage
from wholesale_elt.cli.main import main

table, note = sys.argv.pop(1), PackageStorage.save_pending_transition

def die(self, load_id, file_name, *rest):
    if file_name.startswith(table + "."):
        os.kill(os.getpid(), signal.SIGKILL)
    return note(self, load_id, file_name, *rest)

PackageStorage.save_pending_transition = die
main()
"""


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("s"), patch) as at:
        yield at


class Loader:
    """Loads from the sandbox into PostgreSQL, and answers SQL on it."""

    def __init__(self, sandbox: Sandbox, socket: str) -> None:
        self.settings = ApiSettings.of(
            base_url=sandbox.base_url, api_key="sandbox", page_size=3, attempts=2
        )
        self.warehouse = Warehouse(Path("unused"), "postgres")
        self._socket = socket

    def load(self, *resources: str) -> Outcome:
        return sync_resources(self.settings, self.warehouse, resources)

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        connection = connect(self._socket)
        try:
            with connection.cursor() as cursor:
                cursor.execute("set time zone 'UTC'; set search_path to wholesale_raw")
                cursor.execute(sql)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        tables = self.execute(
            "select table_name from information_schema.tables where table_schema ="
            " 'wholesale_raw' and table_name not like '\\_%' and table_name <> 'sync_runs'"
        )
        return {
            table: self.execute(f"select t::text from {table} t order by 1") for (table,) in tables
        }


@pytest.fixture
def loader(
    sandbox: Sandbox, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Loader]:
    monkeypatch.chdir(tmp_path)
    url = f"postgresql://postgres:none@localhost/postgres?host={socket}"
    monkeypatch.setenv("DESTINATION__POSTGRES__CREDENTIALS", url)
    loader = Loader(sandbox, socket)
    yield loader
    loader.execute("drop schema if exists wholesale_raw cascade")
    loader.execute("drop schema if exists wholesale_raw_staging cascade")


def test_a_second_sync_brings_what_changed_and_an_identical_third_changes_no_row(
    sandbox: Sandbox, loader: Loader
) -> None:
    two = [line("x", unit_price="0.000000001"), line("y")]
    sandbox.put("orders", order("A", order_line_items=two))
    sandbox.put("orders", order("B", order_line_items=two, order_comments=[{"body": "?"}]))
    sandbox.put("orders", order("C", total="12345678901234567890123456789.123456789"))
    sandbox.put("orders", order("D", total="12,50"))
    sandbox.put("items", {"id": guid("item"), "options": [{"name": "Size", "values": ["S"]}]})
    assert loader.load(*RESOURCES).is_complete
    first = loader.execute("select order_number, total, _extra->>'total' from orders order by 1")

    sandbox.put("orders", order("A", total="3", order_line_items=two[1:], updated_at=LATER))
    sandbox.put("orders", order("B", updated_at=LATER))
    sandbox.delete("orders", guid("C"))
    outcome = loader.load(*RESOURCES)
    before = loader.contents()
    assert loader.load(*RESOURCES).is_complete

    assert first == [
        ("A", Decimal("10.500000000"), None),
        ("B", Decimal("10.500000000"), None),
        ("C", Decimal("12345678901234567890123456789.123456789"), None),
        ("D", None, "12,50"),
    ]
    assert outcome.is_complete
    (orders,) = (row for row in outcome.certificates if row.resource == "orders")
    assert (orders.new, orders.changed, orders.deleted) == (0, 2, 1)
    assert loader.contents() == before
    assert loader.execute(
        "select order_number, total, updated_at, _deleted_at is not null from orders order by 1"
    ) == [
        ("A", Decimal("3.000000000"), datetime(2026, 3, 1, 10, tzinfo=UTC), False),
        ("B", Decimal("10.500000000"), datetime(2026, 3, 1, 10, tzinfo=UTC), False),
        (
            *("C", Decimal("12345678901234567890123456789.123456789")),
            *(datetime(2026, 1, 2, 10, tzinfo=UTC), True),
        ),
        ("D", None, datetime(2026, 1, 2, 10, tzinfo=UTC), False),
    ]
    assert loader.execute(
        "select order_id, line_number, sku from orders__order_line_items order by 1, 2"
    ) == [(guid("A"), 1, "y")]
    assert loader.execute("select * from orders__order_comments") == []
    assert loader.execute("select item_id, name from items__options") == [(guid("item"), "Size")]


def test_what_was_dropped_by_hand_is_there_again_after_the_next_sync(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x")], order_comments=[{"body": "?"}]))
    sandbox.put("brands", {"id": guid("brand"), "name": "Nord"})
    loader.load("orders", "brands")
    before = loader.contents()
    loader.execute("drop table orders__order_line_items; drop table brands")
    loader.execute("alter table orders drop column total")

    assert loader.load("orders", "brands").is_complete

    assert loader.contents().keys() == before.keys()
    assert loader.execute("select order_number, total from orders") == [("A", Decimal("10.5"))]
    assert loader.execute("select line_number, sku from orders__order_line_items") == [(1, "x")]
    assert loader.execute("select name from brands") == [("Nord",)]


@pytest.mark.parametrize(("minutes", "is_gone"), [(1, False), (3, True)])
def test_an_empty_list_is_believed_when_a_run_found_it_as_empty_two_minutes_before(
    sandbox: Sandbox, loader: Loader, minutes: int, is_gone: bool
) -> None:
    for name in "AB":
        sandbox.put("orders", order(name))
    loader.load("orders")
    for name in "AB":
        sandbox.delete("orders", guid(name))
    (doubtful,) = loader.load("orders").certificates
    suspects = loader.execute("select run_id, resource, id from sync_suspects order by 3")
    loader.execute(f"update sync_runs set ended_at = ended_at - interval '{minutes} minutes'")

    (again,) = loader.load("orders").certificates

    assert (doubtful.verdict, doubtful.open_suspects) == ("incomplete", 2)
    assert suspects == [(doubtful.run_id, "orders", key) for key in sorted((guid("A"), guid("B")))]
    assert (again.verdict, again.open_suspects, again.deleted) == (
        ("complete", 0, 2) if is_gone else ("incomplete", 2, 0)
    )


def test_the_certificate_says_as_of_when_and_why_also_in_a_table_of_an_earlier_version(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    (found,) = loader.load("orders").certificates
    row = loader.execute("select complete_as_of, proof, open_suspects from sync_runs")
    for column in ("complete_as_of", "proof", "open_suspects"):
        loader.execute(f"alter table sync_runs drop column {column}")
    loader.execute("drop table sync_suspects")

    older = read_status(loader.warehouse)[0]

    assert row == [(found.complete_as_of, "count", 0)]
    assert (older.verdict, older.complete_as_of, older.proof, older.open_suspects) == (
        *("complete", None),
        *(None, 0),
    )


def test_a_resource_whose_load_did_not_end_is_read_afresh_though_nothing_is_left_to_say_so(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    loader.load("orders")
    with loader.warehouse.open() as raw:
        begin_load(raw, ["orders"], "a package that did not end")
    loader.execute("delete from orders__order_line_items")
    for file in sorted(loader.warehouse.state_folder.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()

    assert loader.load("orders").is_complete

    assert loader.execute("select sku from orders__order_line_items") == [("x",)]
    with loader.warehouse.open() as raw:
        assert unfinished(raw) == set()


def test_what_a_run_that_died_had_seen_is_in_the_log_though_it_has_changed_since(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.put("orders", order("A", payment_status="unpaid"))
    loader.load("orders")
    sandbox.put("orders", order("A", payment_status="paid", updated_at=LATER))
    with monkeypatch.context() as patch:
        patch.setattr(dlt.Pipeline, "load", _die)
        with pytest.raises(RuntimeError):
            loader.load("orders")
    sandbox.put("orders", order("A", payment_status="refunded", updated_at="2026-04-01T10:00:00Z"))

    assert loader.load("orders").is_complete

    assert loader.execute(
        "select payment_status, _deleted_at from orders__observations order by observed_at"
    ) == [("unpaid", None), ("paid", None), ("refunded", None)]


def test_a_package_left_behind_is_loaded_first_and_then_the_run_goes_on(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.put("orders", order("A", total="1"))
    loader.load("orders")
    sandbox.put("orders", order("A", total="2"))
    with monkeypatch.context() as patch:
        patch.setattr(dlt.Pipeline, "load", _die)
        with pytest.raises(RuntimeError):
            loader.load("orders")
    sandbox.put("orders", order("B", total="3"))

    assert loader.load("orders").is_complete

    assert loader.execute("select order_number, total from orders order by 1") == [
        ("A", Decimal("2.000000000")),
        ("B", Decimal("3.000000000")),
    ]


def _die(*_: object, **__: object) -> None:
    raise RuntimeError("killed before the load")


@pytest.mark.parametrize("table", ["orders", "orders__order_line_items", "sync_runs"])
def test_a_file_that_arrived_in_the_moment_of_death_is_not_there_twice(
    sandbox: Sandbox, loader: Loader, table: str
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    environment = os.environ | {
        "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
        "SOURCES__WHOLESALE__API_KEY": "sandbox",
    }
    command = [sys.executable, "-c", DIES, table, "sync", "orders", "--destination", "postgres"]
    died = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert died.returncode < 0, died.stderr

    assert loader.load("orders").is_complete

    assert loader.execute("select order_number from orders") == [("A",)]
    assert loader.execute("select line_number, sku from orders__order_line_items order by 1") == [
        (1, "x"),
        (2, "y"),
    ]
    assert loader.execute("select run_id from sync_runs group by run_id having count(*) > 1") == []

"""Rows as no load leaves them are found, said and repaired by the next plain run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.records.samples import guid, line, order
from wholesale.settings import ApiSettings
from wholesale.sync import Run
from wholesale_elt.load import sync
from wholesale_elt.load.dlt_loader import DltLoader
from wholesale_elt.load.duckdb_writer import DuckDBWriter
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox

TABLES = ("orders", "orders__order_line_items", "orders__order_comments")
LINES = "orders__order_line_items"
B = guid("B")
DAMAGE = {
    "a record twice": f"insert into orders from orders where id = '{B}'",
    "a deleted record twice": "insert into orders from orders where _deleted_at is not null",
    "a line twice": f"insert into {LINES} from {LINES} where order_id = '{B}' and line_number = 2",
    "a line less": f"delete from {LINES} where order_id = '{B}' and line_number = 1",
    "a line moved": f"update {LINES} set line_number = 7 where order_id = '{B}' and sku = 'y'",
    "a record less": f"delete from orders where id = '{B}'",
    "no record": "delete from orders where _deleted_at is null",
    "all twice": f"insert into orders from orders; insert into {LINES} from {LINES}",
    "lines of nobody": f"insert into {LINES} select * replace ('x' as order_id) from {LINES}",
}


def contents(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row, but for what dlt adds and when it was deleted."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return {
            table: connection.execute(
                f"select columns(name -> not starts_with(name, '_dlt') and name <> '_deleted_at')"
                f" from wholesale_raw.{table} order by all"
            ).fetchall()
            for table in TABLES
        }


@pytest.mark.parametrize(
    ("loader", "damages"),
    [
        (DuckDBWriter, tuple(DAMAGE)),
        pytest.param(
            DltLoader, ("all twice", "a line less", "a record less"), marks=pytest.mark.slow
        ),
    ],
)
def test_damage_is_said_and_repaired_by_the_next_run(
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    loader: type[DuckDBWriter] | type[DltLoader],
    damages: Sequence[str],
) -> None:
    monkeypatch.setattr(sync, "loader_for", loader)
    warehouse = Warehouse(tmp_path / "test.duckdb")
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")

    def load() -> sync.Outcome:
        return sync.sync_resources(settings, warehouse, ["orders"])

    for name in "ABCD":
        lines = [line("x"), line("y"), line("z")]
        sandbox.put("orders", order(name, order_line_items=lines, order_comments=[{"body": "?"}]))
    load()
    sandbox.delete("orders", guid("D"))
    load()
    whole = contents(warehouse.database)

    for damage in damages:
        with duckdb.connect(str(warehouse.database)) as connection:
            connection.execute(f"set schema = 'wholesale_raw'; {DAMAGE[damage]}")
        assert contents(warehouse.database) != whole, damage
        caplog.clear()

        assert load().is_complete, damage

        assert "stored twice or in part" in caplog.text, damage
        assert contents(warehouse.database) == whole, damage

    caplog.clear()
    assert load().is_complete
    assert caplog.text == ""


def test_what_is_not_whole_after_a_run_is_not_certified(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Disturbed(DuckDBWriter):
        """Somebody writes to the tables before the certificate does."""

        def load(self, run: Run, resources: Sequence[str]) -> None:
            super().load(run, resources)
            with self.dataset() as raw:
                raw.execute(f"insert into {raw.name(LINES)} from {raw.name(LINES)}")

    monkeypatch.setattr(sync, "loader_for", Disturbed)
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
    sandbox.put("orders", order("A", order_line_items=[line("x")]))

    outcome = sync.sync_resources(settings, Warehouse(tmp_path / "test.duckdb"), ["orders"])

    (certificate,) = outcome.certificates
    assert (certificate.verdict, certificate.complete_as_of, certificate.reason) == (
        "incomplete",
        None,
        "1 records are stored twice or in part: run again",
    )

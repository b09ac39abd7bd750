"""Rows as no load leaves them are found, said and repaired by the next plain run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.few import by_hand
from support.records.samples import guid, line, order
from wholesale.api import RESOURCE
from wholesale.settings import ApiSettings
from wholesale.sync import Run
from wholesale.tables import shape_of
from wholesale_elt.load import sync, writer
from wholesale_elt.load.writer import Writer
from wholesale_elt.runs.damage import Damage, find_damage
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.ports import duckdb_reader
from wholesale_sandbox.server import Sandbox

TABLES = ("orders", "orders__order_line_items", "orders__order_comments")
LINES = "orders__order_line_items"
B = guid("B")
ALIVE = "select id from orders where _deleted_at is null"
DAMAGE = {
    "a record twice": f"insert into orders from orders where id = '{B}'",
    "a deleted record twice": "insert into orders from orders where _deleted_at is not null",
    "a line twice": f"insert into {LINES} from {LINES} where order_id = '{B}' and line_number = 2",
    "a line less": f"delete from {LINES} where order_id = '{B}' and line_number = 1",
    "the last line less": f"delete from {LINES} where order_id = '{B}' and line_number = 3",
    "all lines of a record": f"delete from {LINES} where order_id = '{B}'",
    "all lines": f"delete from {LINES} where order_id in ({ALIVE})",
    "all comments": f"delete from orders__order_comments where order_id in ({ALIVE})",
    "a line moved": f"update {LINES} set line_number = 7 where order_id = '{B}' and sku = 'y'",
    "a record less": f"delete from orders where id = '{B}'",
    "no record": "delete from orders where _deleted_at is null",
    "all twice": f"insert into orders from orders; insert into {LINES} from {LINES}",
    "lines of nobody": f"insert into {LINES} select * replace ('x' as order_id) from {LINES}",
}


def contents(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row, but for what dlt adds, when it was deleted, and since when it is so."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return {
            table: connection.execute(
                "select columns(lambda name: not starts_with(name, '_dlt')"
                " and name not in ('_deleted_at', 'valid_from'))"
                f" from wholesale_raw.{table} order by all"
            ).fetchall()
            for table in TABLES
        }


@pytest.mark.slow
@pytest.mark.parametrize("rows_a_part", [4, by_hand(duckdb_reader.ROWS_A_PART)])
def test_damage_is_said_and_repaired_by_the_next_run(
    rows_a_part: int,
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(duckdb_reader, "ROWS_A_PART", rows_a_part)
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

    for damage in DAMAGE:
        with duckdb.connect(str(warehouse.database)) as connection:
            connection.execute(f"set schema = 'wholesale_raw'; {DAMAGE[damage]}")
        assert contents(warehouse.database) != whole, damage
        caplog.clear()

        assert load().is_complete, damage

        assert "stored twice or in part" in caplog.text or "the last run left" in caplog.text, (
            damage
        )
        assert contents(warehouse.database) == whole, damage

    caplog.clear()
    assert load().is_complete
    assert caplog.text == ""


@pytest.mark.slow
def test_what_a_run_left_that_was_killed_is_not_taken_for_a_loss(
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    warehouse = Warehouse(tmp_path / "test.duckdb")
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    sync.sync_resources(settings, warehouse, ["orders"])
    sandbox.put("orders", order("B", order_line_items=[line("x")]))

    def die(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(writer, "RECORDS_A_COMMIT", 1)
        patch.setattr(writer, "note_child_rows", die)
        with pytest.raises(MemoryError):
            sync.sync_resources(settings, warehouse, ["orders"])
    assert len(contents(warehouse.database)[LINES]) == 2

    assert sync.sync_resources(settings, warehouse, ["orders"]).is_complete
    assert caplog.text == ""


def test_what_is_not_whole_after_a_run_is_not_certified(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Disturbed(Writer):
        """Somebody writes to the tables before the certificate does."""

        def load(self, run: Run, resources: Sequence[str]) -> None:
            super().load(run, resources)
            self.raw.execute(f"insert into {self.raw.name(LINES)} from {self.raw.name(LINES)}")

    monkeypatch.setattr(sync, "Writer", Disturbed)
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
    sandbox.put("orders", order("A", order_line_items=[line("x")]))

    outcome = sync.sync_resources(settings, Warehouse(tmp_path / "test.duckdb"), ["orders"])

    (certificate,) = outcome.certificates
    assert (certificate.verdict, certificate.complete_as_of, certificate.reason) == (
        "incomplete",
        None,
        "1 record stored twice or in part: run again",
    )


@pytest.mark.slow
def test_all_keys_are_looked_at_in_one_part_or_in_several(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = Warehouse(tmp_path / "test.duckdb")
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    sync.sync_resources(settings, warehouse, ["orders"])
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(
            "set schema = 'wholesale_raw';"
            "create temp table many as select uuid()::varchar as key from range(4_000);"
            "insert into orders select orders.* replace (key as id) from orders, many;"
            f"insert into {LINES} select {LINES}.* replace (key as order_id) from {LINES}, many;"
            f"insert into {LINES} select * replace ('x' as order_id) from {LINES} limit 1;"
            f"update {LINES} set line_number = 2 where order_id = '{guid('A')}'"
        )
    for rows_a_part in (500, 500_000):
        monkeypatch.setattr(duckdb_reader, "ROWS_A_PART", rows_a_part)
        with warehouse.open() as raw:
            raw.prepare_load()
            found = find_damage(raw, shape_of(RESOURCE["orders"]))

        assert found == Damage((guid("A"),), orphans=1), rows_a_part

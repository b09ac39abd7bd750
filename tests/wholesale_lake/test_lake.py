"""A lake: readers see one state or the next, months that did not change keep their files."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyiceberg import catalog as pyiceberg_catalog
from pyiceberg.io.pyarrow import ArrowScan
from pyiceberg.table import FileScanTask
from pyiceberg.utils.config import Config

from support.records.changes import edit, fill
from support.records.samples import guid, line, order
from support.services.command import run_command
from support.warehouses.destinations import Place
from support.warehouses.iceberg import Reader, load_extensions, read_by_sail
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.inspect import read_overview
from wholesale_elt.process import AlreadyRunning, Lease
from wholesale_elt.warehouse import Warehouse
from wholesale_elt.warehouse.destination import NotLoaded
from wholesale_sandbox.server import Sandbox

RESOURCES = ("orders", "prices")
FEBRUARY, LATER = "2026-02-01T00:00:00Z", "2026-03-01T10:00:00Z"
DIES = """
import os, signal
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO
from wholesale_elt.cli.main import main
from wholesale_elt.process import disk
from wholesale_lake.lake_tables import LakeTables

countdown = int(os.environ["STEP"])

def dying(method):
    def die_or_do(*arguments, **options):
        step()
        done = method(*arguments, **options)
        step()
        return done
    return die_or_do

def step():
    global countdown
    countdown -= 1
    if not countdown:
        os.kill(os.getpid(), signal.SIGKILL)

def push(*arguments):
    for owner, name in (
        (SqlCatalog, "commit_table"), (SqlCatalog, "create_table"), (PyArrowFile, "create"),
        (PyArrowFileIO, "delete"), (disk, "put_in_place"),
    ):
        setattr(owner, name, dying(getattr(owner, name)))
    return pushed(*arguments)

pushed, LakeTables.push = LakeTables.push, push
main()
"""
"""The command as it is, but that it dies before or after one of the steps that change the lake."""

Contents = Mapping[str, list[dict[str, Any]]]


@pytest.fixture
def place(place_in: Callable[[str], Place]) -> Place:
    return place_in("lake")


@pytest.fixture
def reader(place: Place) -> Reader:
    return Reader(place.warehouse.database)


def versions(reader: Reader) -> list[dict[str, Any]]:
    rows = reader.table("versions").scan().to_arrow()
    return sorted(rows.to_pylist(maps_as_pydicts="strict"), key=lambda row: str(row["version"]))


def snapshots(reader: Reader, version: int = -1) -> dict[str, int]:
    """Those of a version, by table."""
    found = versions(reader)[version]["snapshots"].items()
    return {name.rpartition(".")[2]: snapshot for name, snapshot in found}


def pinned(reader: Reader, version: int = -1) -> dict[str, pa.Table]:
    """What a reader sees who takes the snapshots that a version names."""
    return {
        name: reader.table(name).scan(snapshot_id=snapshot).to_arrow()
        for name, snapshot in snapshots(reader, version).items()
    }


def records(tables: Mapping[str, pa.Table]) -> Contents:
    """Rows of records and of what belongs to them, whatever run wrote them."""
    return {
        name: sorted(rows.drop_columns(OF_A_RUN & set(rows.column_names)).to_pylist(), key=repr)
        for name, rows in tables.items()
        if not name.startswith(("_dlt", "sync_")) and "__observations" not in name
        if name != "quarantine"
    }


OF_A_RUN = {"_deleted_at", "valid_from", "valid_to"}


def files(reader: Reader, table: str, version: int = -1) -> dict[Any, str]:
    """The file of each month of a table."""
    scan = reader.table(table).scan(snapshot_id=snapshots(reader, version)[table])
    return {task.file.partition[0]: task.file.file_path for task in scan.plan_files()}


def in_months(sandbox: Sandbox) -> None:
    """Orders of two months, one without a date, one with a date that is none."""
    two = [line("x"), line("y")]
    for name, at in (("A", "2026-01-31T23:59:59.999999Z"), ("B", FEBRUARY)):
        sandbox.put("orders", order(name, created_at=at, order_line_items=two))
    sandbox.put("orders", order("C", created_at=None, order_line_items=two))
    sandbox.put("orders", order("D", created_at="a Monday", order_line_items=two))


@pytest.mark.slow
def test_a_month_in_which_nothing_changed_keeps_its_files(
    sandbox: Sandbox, place: Place, reader: Reader
) -> None:
    in_months(sandbox)
    place.load("orders")
    before = {table: files(reader, table) for table in ("orders", "orders__order_line_items")}
    january, february = 12 * 56, 12 * 56 + 1
    for months in before.values():
        assert set(months) == {january, february, None}

    sandbox.put(
        "orders",
        order("B", created_at=FEBRUARY, updated_at=LATER, order_line_items=[line("z")]),
    )
    place.load("orders")

    for table, months in before.items():
        now = files(reader, table)
        assert {month for month in now if now[month] != months[month]} == {february}, table
    lines = pinned(reader)["orders__order_line_items"].to_pylist()
    assert {(row["order_id"], row["_order_created_at"] and row["_order_created_at"].month)
            for row in lines} == {
        (guid("A"), 1), (guid("B"), 2), (guid("C"), None), (guid("D"), None)
    }  # fmt: skip


@pytest.mark.slow
def test_an_order_that_moves_into_another_month_takes_its_lines_along(
    sandbox: Sandbox, place: Place, reader: Reader
) -> None:
    in_months(sandbox)
    place.load("orders")
    at = "2026-03-09T10:00:00Z"
    moved = order("A", created_at=at, updated_at=LATER, order_line_items=[line("x"), line("y")])
    sandbox.put("orders", moved)

    place.load("orders")

    for table in ("orders", "orders__order_line_items"):
        assert set(files(reader, table)) == {12 * 56 + 1, 12 * 56 + 2, None}, table
    again = place.load("orders")
    assert [(row.new, row.changed) for row in again.certificates] == [(0, 0)]


@pytest.mark.slow
def test_a_run_on_another_machine_goes_on_from_the_lake(
    sandbox: Sandbox, place: Place, place_in: Callable[[str], Place]
) -> None:
    fill(sandbox)
    place.load(*RESOURCES)
    before = place.contents()
    shutil.rmtree(place.warehouse.state_folder)

    assert place.contents() == before
    shutil.rmtree(place.warehouse.state_folder)
    edit(sandbox)
    orders, prices = place.load(*RESOURCES).certificates

    assert (orders.new, orders.changed, orders.deleted) == (1, 3, 1)
    assert (prices.new, prices.changed, prices.deleted) == (0, 1, 0)


@pytest.mark.slow
def test_another_machine_holds_one_file_of_the_lake_at_a_time(
    sandbox: Sandbox, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_months(sandbox)
    place.load("orders")
    before = place.contents()
    shutil.rmtree(place.warehouse.state_folder)
    read, asked = ArrowScan.to_record_batches, []

    def note(scan: ArrowScan, files: Iterable[FileScanTask]) -> Iterator[pa.RecordBatch]:
        asked.append(len(together := list(files)))
        return read(scan, together)

    monkeypatch.setattr(ArrowScan, "to_record_batches", note)
    assert place.contents() == before

    assert asked.count(1) > 6  # three months of orders, and of their lines
    assert set(asked) <= {0, 1}


def interrupt(place: Place) -> None:
    with place.warehouse.open() as raw:
        raw.execute(f"update {raw.name('prices')} set unit_price = 1")
        raise KeyboardInterrupt


def test_what_a_run_that_was_interrupted_wrote_goes_to_the_lake_with_the_next(
    sandbox: Sandbox, place: Place, reader: Reader
) -> None:
    fill(sandbox)
    place.load("prices")
    with pytest.raises(KeyboardInterrupt):
        interrupt(place)
    assert [row["unit_price"] for row in pinned(reader)["prices"].to_pylist()] == [9]

    with place.warehouse.open():
        pass

    assert [row["unit_price"] for row in pinned(reader)["prices"].to_pylist()] == [1]


@pytest.mark.slow
def test_a_run_that_writes_nothing_puts_no_version_in_force(
    sandbox: Sandbox, place: Place, reader: Reader
) -> None:
    fill(sandbox)
    place.load("prices")
    before = versions(reader)

    with place.warehouse.open() as raw:
        raw.rows("select 1")
    with place.warehouse.open(is_read_only=True) as raw:
        raw.rows("select 1")

    assert versions(reader) == before


def test_a_first_run_that_cannot_reach_the_service_leaves_no_lake(place: Place) -> None:
    place.settings = ApiSettings.of(
        base_url="http://127.0.0.1:9/api/external/v1", api_key="none", attempts=1
    )
    with pytest.raises(Exception, match="Connection refused"):
        place.load("orders")

    assert not place.warehouse.database.exists()
    assert not place.warehouse.may_exist


def test_who_only_looks_into_a_catalogue_without_a_lake_leaves_nothing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DESTINATION__LAKE__CATALOG", "ours")
    monkeypatch.setenv("PYICEBERG_CATALOG__OURS__URI", f"sqlite:///{tmp_path}/ours.db")
    monkeypatch.setenv("PYICEBERG_CATALOG__OURS__WAREHOUSE", (tmp_path / "ours").as_uri())
    monkeypatch.setattr(pyiceberg_catalog, "_ENV_CONFIG", Config())
    warehouse = Warehouse(Path("none"), "lake")

    assert {row.verdict for row in read_overview(warehouse).resources} == {None}
    with pytest.raises(NotLoaded), warehouse.open(is_read_only=True):
        pass

    assert not warehouse.may_exist
    assert not (tmp_path / "ours").exists()


def run_beside(one: Place, other: Place) -> None:
    with one.warehouse.hold(), one.warehouse.open() as raw:
        other.load("prices")
        raw.execute("create schema wholesale_raw")
        raw.execute("create table wholesale_raw.prices as select 'none' as id")


@pytest.mark.parametrize("is_leased", [True, False], ids=["by lease", "by condition"])
def test_of_two_runs_on_two_machines_one_is_refused_and_the_lake_is_whole(
    sandbox: Sandbox,
    place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_leased: bool,
) -> None:
    monkeypatch.setenv("DESTINATION__LAKE__CATALOG", "ours")
    monkeypatch.setenv("PYICEBERG_CATALOG__OURS__URI", f"sqlite:///{tmp_path}/ours.db")
    monkeypatch.setenv("PYICEBERG_CATALOG__OURS__WAREHOUSE", (tmp_path / "ours").as_uri())
    monkeypatch.setattr(pyiceberg_catalog, "_ENV_CONFIG", Config())
    if not is_leased:
        monkeypatch.setattr(Lease, "held", nullcontext)
    fill(sandbox)
    machines = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        machine = Place(Warehouse(Path("none"), "lake"), {}, place.settings)
        assert machine.warehouse.state_folder.is_relative_to(tmp_path / name)
        machines.append(machine)

    one, other = machines
    with pytest.raises(AlreadyRunning, match="another run"):
        run_beside(one, other)

    assert one.load("prices").is_complete
    assert len(one.contents()["prices"]) == 1


@pytest.mark.slow
def test_versions_nobody_can_read_any_more_go_with_their_files_and_those_of_runs_that_died(
    sandbox: Sandbox, place: Place, reader: Reader, tmp_path: Path
) -> None:
    in_months(sandbox)
    for name in ("E", "F", "G"):
        sandbox.put("orders", order(name, created_at="2026-02-02T00:00:00Z"))
        place.load("orders")
    sandbox.put("orders", order("H", created_at="2026-02-02T00:00:00Z"))
    died = run_sync(place, sandbox, tmp_path, step=14)
    assert died.returncode == -signal.SIGKILL
    port: Any = place.warehouse.port
    with place.warehouse.hold():
        assert port.prune(timedelta(hours=1)) == 0
    place.load("orders")
    before = records(pinned(reader))

    with place.warehouse.hold():
        assert port.prune(timedelta(0)) == 3

    assert len(versions(reader)) == 1
    assert records(pinned(reader)) == before
    named = {
        Path(task.file.file_path.removeprefix("file://"))
        for name in reader.tables()
        if name != "versions"
        for task in reader.table(name).scan().plan_files()
    }
    files_there = place.warehouse.database.rglob("*.parquet")
    assert {path for path in files_there if "versions" not in path.parts} == named


@pytest.mark.slow
def test_rows_that_somebody_else_wrote_into_the_files_are_told(
    sandbox: Sandbox, place: Place, reader: Reader
) -> None:
    fill(sandbox)
    place.load("prices")
    [path] = place.warehouse.database.rglob("prices/data/*.parquet")
    rows = parquet.read_table(path)
    parquet.write_table(pa.concat_tables([rows, rows]), path)
    shutil.rmtree(place.warehouse.state_folder)

    with pytest.raises(Exception, match=r"prices of lake .* is not what was written there"):
        place.load("prices")


def test_a_folder_that_is_a_file_and_a_catalogue_that_is_no_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="file is a file: name a folder for lake"):
        Warehouse(tmp_path / "file", "lake")
    with pytest.raises(ConfigurationError, match="is a folder: name a file for duckdb"):
        Warehouse(tmp_path)
    monkeypatch.setenv("DESTINATION__LAKE__CATALOG", "a b")
    with pytest.raises(ConfigurationError, match=r"lake\.catalog is a b: write CATALOGUE or"):
        Warehouse(tmp_path, "lake").open().__enter__()


def run_sync(
    place: Place, sandbox: Sandbox, folder: Path, step: int
) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
        "SOURCES__WHOLESALE__API_KEY": "sandbox",
        "STEP": str(step),
    }
    return run_command(["sync", *RESOURCES, *place.address], folder, environment, DIES)


@pytest.mark.slow
def test_readers_see_one_state_or_the_next_wherever_a_run_is_killed_and_the_next_one_repairs(
    sandbox: Sandbox, place_in: Callable[[str], Place], reader: Reader, place: Place,
    tmp_path: Path,
) -> None:  # fmt: skip
    whole = place_in("lake")
    fill(sandbox)
    for each in (place, whole):
        each.load(*RESOURCES)
    before = records(pinned(reader))
    edit(sandbox)
    whole.load(*RESOURCES)
    after = records(pinned(Reader(whole.warehouse.database)))
    assert before != after
    saved = tmp_path / "saved"
    root = place.warehouse.database.parent
    shutil.copytree(root, saved)

    seen, step = [], 0
    while True:
        step += 23
        died = run_sync(place, sandbox, tmp_path, step)
        if died.returncode == 0:
            break
        assert died.returncode == -signal.SIGKILL, died.stderr
        found = records(pinned(reader))
        assert found in (before, after), step
        seen.append(found == after)
        if step % 2:
            place.load(*RESOURCES)
            assert records(pinned(reader)) == after
        shutil.rmtree(root)
        shutil.copytree(saved, root)

    assert len(seen) >= 10
    assert {True, False} == set(seen)
    assert seen == sorted(seen)


@pytest.mark.slow
def test_pyiceberg_duckdb_and_sail_read_the_same_of_each_version(
    sandbox: Sandbox, reader: Reader, place: Place, tmp_path: Path
) -> None:
    pytest.importorskip("pysail")
    fill(sandbox)
    place.load(*RESOURCES)
    edit(sandbox)
    place.load(*RESOURCES)

    for version in (0, 1):
        expected = pinned(reader, version)
        tables = {name: (reader.table(name), of) for name, of in snapshots(reader, version).items()}
        by_sail = read_by_sail(
            {name: (table.location(), snapshot) for name, (table, snapshot) in tables.items()},
            tmp_path / str(version),
        )
        with duckdb.connect() as connection:
            load_extensions(connection)
            for name, (table, snapshot) in tables.items():
                by_duckdb = connection.sql(
                    f"from iceberg_scan('{table.metadata_location}',"
                    f" snapshot_from_id => {snapshot}::ubigint)"
                ).to_arrow_table()
                for found in (by_duckdb, by_sail[name]):
                    assert in_order(found.select(expected[name].column_names)) == in_order(
                        expected[name]
                    ), name


def in_order(rows: pa.Table) -> list[dict[str, Any]]:
    return sorted(rows.to_pylist(), key=repr)

"""Built tables: files that an engine wrote are in force together, or nobody knows of them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

from support.warehouses.iceberg import load_extensions, read_by_sail
from wholesale_elt.models import Found, Mark
from wholesale_lake.built_tables import ROWS_A_BATCH, BuiltTables, mark_of
from wholesale_lake.iceberg import CatalogHint
from wholesale_lake.months import JSON

COLUMNS = pa.schema(
    [
        ("order_id", pa.string()),
        ("total", pa.decimal128(38, 9)),
        ("at", pa.timestamp("us", "UTC")),
        pa.field("more", pa.string(), metadata={"doc": JSON}),
    ]
)
ORDERS, REPORT = "fct_orders", "rpt_orders"
SCHEMA = {ORDERS: "wholesale_marts", REPORT: "wholesale_bi"}
OLD = frozenset({"old"})
MARK = Mark("key", {"orders": "digest"}, {"some_test": Found(3, 14, "99.5")})


class Killed(BaseException):
    """Nothing is done any more, as after a kill."""


@pytest.fixture
def lake(tmp_path: Path) -> BuiltTables:
    return BuiltTables(lambda: opened(tmp_path), None, CatalogHint("ours", "none"))


@contextmanager
def opened(folder: Path) -> Iterator[Catalog]:
    uri = f"sqlite:///{folder}/catalog.db"
    with SqlCatalog("lake", uri=uri, warehouse=str(folder)) as catalog:
        yield catalog


def table_of(of: Mapping[str, Any], columns: pa.Schema = COLUMNS) -> pa.Table:
    row = {"order_id": "a", "total": Decimal("1.5"), "at": 0, "more": '{"x":1}'} | dict(of)
    return pa.Table.from_pylist([{name: row.get(name) for name in columns.names}], columns)


def write(folder: str, rows: pa.Table, parts: int = 2) -> None:
    """As Spark writes: several files, beside which are marks of its own."""
    Path(folder).mkdir(parents=True)
    (Path(folder) / "_SUCCESS").touch()
    for part in range(parts):
        parquet.write_table(rows, f"{folder}/part-{part}.parquet")


def build(
    lake: BuiltTables, *names: str, columns: pa.Schema = COLUMNS, **of: Any
) -> Mapping[str, int]:
    before = lake.in_force()
    kept = {
        name: snapshot
        for name, snapshot in (before["snapshots"] if before else {}).items()
        if name.rpartition(".")[2] not in names
    }
    with lake.building() as made:
        for name in names:
            write(made.folder(SCHEMA[name], name, columns), table_of(of, columns))
        made.put_in_force(MARK, kept)
    row = lake.in_force()
    assert row
    return dict(row["snapshots"])


def contents(lake: BuiltTables) -> dict[str, list[dict[str, Any]]]:
    """What a publication reads."""
    row = lake.in_force()
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'; attach ':memory:' as warehouse")
        if row:
            lake.copy(connection, row, set(SCHEMA.values()))
        tables = connection.execute(
            "select schema_name || '.' || table_name from duckdb_tables()"
            " union all select schema_name || '.' || view_name from duckdb_views()"
            " where not internal"
        ).fetchall()
        return {
            name: connection.sql(f"from warehouse.{name}").to_arrow_table().to_pylist()
            for (name,) in tables
        }


def ids(lake: BuiltTables) -> dict[str, set[str]]:
    return {name: {row["order_id"] for row in rows} for name, rows in contents(lake).items()}


def files(folder: Path) -> set[Path]:
    return {
        path for path in folder.rglob("*") if "data" in path.parts and "versions" not in path.parts
    }


def test_what_was_put_in_force_is_read_with_its_types_and_has_its_mark(lake: BuiltTables) -> None:
    assert (lake.in_force(), contents(lake)) == (None, {})

    build(lake, ORDERS, REPORT)

    row = lake.in_force()
    assert row
    assert mark_of(row) == MARK
    found = contents(lake)
    assert sorted(found) == ["wholesale_bi.rpt_orders", "wholesale_marts.fct_orders"]
    assert [
        (line["order_id"], line["total"], line["at"].timestamp(), line["more"])
        for line in found["wholesale_marts.fct_orders"]
    ] == [("a", Decimal("1.500000000"), 0, '{"x":1}')] * 2
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as warehouse")
        lake.copy(connection, row, ["wholesale_marts"])
        assert connection.sql("from warehouse.wholesale_marts.fct_orders").types == [
            *("VARCHAR", "DECIMAL(38,9)", "TIMESTAMP WITH TIME ZONE", "JSON"),
        ]
        there = connection.sql("select view_name from duckdb_views() where not internal").fetchall()
        assert there == [("fct_orders",)]


def test_a_table_that_is_not_made_anew_keeps_its_snapshot(lake: BuiltTables) -> None:
    before = build(lake, ORDERS, REPORT, order_id="old")

    after = build(lake, REPORT, order_id="new")

    assert after["wholesale_marts.fct_orders"] == before["wholesale_marts.fct_orders"]
    assert ids(lake) == {"wholesale_marts.fct_orders": {"old"}, "wholesale_bi.rpt_orders": {"new"}}


def test_a_build_that_fails_leaves_no_file(lake: BuiltTables, tmp_path: Path) -> None:
    build(lake, ORDERS, order_id="old")
    before = files(tmp_path)

    with pytest.raises(ZeroDivisionError):
        fail_to_build(lake)

    assert files(tmp_path) == before
    assert ids(lake) == {"wholesale_marts.fct_orders": {"old"}}


def fail_to_build(lake: BuiltTables) -> None:
    with lake.building() as made:
        write(made.folder(SCHEMA[ORDERS], ORDERS, COLUMNS), table_of({}))
        raise ZeroDivisionError


@pytest.mark.slow
def test_wherever_a_build_is_killed_the_old_one_or_the_new_one_is_in_force(
    lake: BuiltTables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(lake, ORDERS, REPORT, order_id="old")
    commit, seen, at = SqlCatalog.commit_table, [], 0
    while True:
        at += 1
        done = 0

        def step(*arguments: Any, at: int = at, **options: Any) -> Any:
            nonlocal done
            done += 1
            if done >= at:
                raise Killed
            return commit(*arguments, **options)

        with monkeypatch.context() as patch:
            patch.setattr(SqlCatalog, "commit_table", step)
            patch.setattr("wholesale_lake.built_tables.Build.discard", lambda build: None)
            try:
                build(lake, ORDERS, REPORT, order_id=f"new {at}")
            except Killed:
                (found,) = {frozenset(names) for names in ids(lake).values()}
                seen.append(found)
            else:
                break
        if found == {f"new {at}"}:
            build(lake, ORDERS, REPORT, order_id="old")

    assert seen == sorted(seen, key=lambda names: names != OLD)
    assert 4 <= seen.count(OLD) < len(seen)
    lake.prune(timedelta(0))
    lived = {file.file_path for table in tables(tmp_path) for file in data(table)}
    assert {str(path) for path in files(tmp_path) if path.is_file()} == lived


def tables(folder: Path) -> list[Table]:
    with opened(folder) as catalog:
        return [catalog.load_table(f"{schema}.{name}") for name, schema in SCHEMA.items()]


def data(table: Table) -> list[Any]:
    return [task.file for task in table.scan().plan_files()]


def test_builds_nobody_can_read_any_more_go_with_their_folders(
    lake: BuiltTables, tmp_path: Path
) -> None:
    build(lake, ORDERS, REPORT, order_id="first")
    build(lake, ORDERS, order_id="second")
    build(lake, ORDERS, order_id="third")
    lake.prune(timedelta(hours=1))
    assert len({path.parent for path in files(tmp_path) if path.suffix == ".parquet"}) == 4

    lake.prune(timedelta(0))

    assert len({path.parent for path in files(tmp_path) if path.suffix == ".parquet"}) == 2
    assert len([path for path in files(tmp_path) if path.is_dir() and path.name != "data"]) == 2
    assert ids(lake) == {
        "wholesale_marts.fct_orders": {"third"},
        "wholesale_bi.rpt_orders": {"first"},
    }


def test_what_is_forgotten_leaves_no_table_and_no_data(lake: BuiltTables, tmp_path: Path) -> None:
    build(lake, ORDERS, REPORT)

    lake.forget()

    assert lake.in_force() is None
    assert [path for path in files(tmp_path) if path.is_file()] == []
    build(lake, ORDERS, order_id="again")
    assert ids(lake) == {"wholesale_marts.fct_orders": {"again"}}


def test_columns_of_a_later_release_are_read_as_they_were_written(lake: BuiltTables) -> None:
    build(lake, ORDERS)
    fewer = pa.schema([("total", pa.int64()), ("order_id", pa.string()), ("new", pa.bool_())])

    build(lake, ORDERS, columns=fewer, total=7, new=True)

    (found,) = contents(lake).values()
    assert found == [{"total": 7, "order_id": "a", "new": True}] * 2


def test_more_rows_than_a_batch_are_read_whole(lake: BuiltTables) -> None:
    columns = pa.schema([("order_id", pa.string())])
    many = pa.Table.from_pydict({"order_id": map(str, range(ROWS_A_BATCH + 9))}, columns)
    with lake.building() as made:
        write(made.folder(SCHEMA[ORDERS], ORDERS, columns), many, parts=1)
        made.put_in_force(MARK, {})

    (found,) = contents(lake).values()

    assert [row["order_id"] for row in found] == list(map(str, range(ROWS_A_BATCH + 9)))


@pytest.mark.slow
def test_pyiceberg_duckdb_and_sail_read_the_same(lake: BuiltTables, tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    snapshot = build(lake, ORDERS)["wholesale_marts.fct_orders"]
    table = table_in(tmp_path, ORDERS)
    expected = table.scan(snapshot_id=snapshot).to_arrow()
    assert expected.column("order_id").to_pylist() == ["a", "a"]

    by_sail = read_by_sail({ORDERS: (table.location(), snapshot)}, tmp_path / "by sail")[ORDERS]
    with duckdb.connect() as connection:
        load_extensions(connection)
        connection.execute("set timezone = 'UTC'")
        by_duckdb = connection.sql(
            f"from iceberg_scan('{table.metadata_location}',"
            f" snapshot_from_id => {snapshot}::ubigint)"
        ).to_arrow_table()

    assert by_duckdb.to_pylist() == expected.to_pylist()
    assert by_sail.to_pylist() == expected.to_pylist()


def table_in(folder: Path, name: str) -> Table:
    with opened(folder) as catalog:
        return catalog.load_table(f"{SCHEMA[name]}.{name}")

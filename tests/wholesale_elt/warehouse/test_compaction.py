"""A warehouse gives back what is free in its file, and stays what it was."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from support.services.service import WHOLESALE, served
from support.warehouses.marts import Marts
from wholesale_elt.process.lock import hold
from wholesale_elt.warehouse.compaction import compact, rehearse, rewrite
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.port import Compacted
from wholesale_elt.warehouse.ports import compaction, file_copy
from wholesale_elt.warehouse.ports.compaction import CompactionDiffers, InUse, Mounted
from wholesale_elt.warehouse.ports.file_copy import NotCopied, row_counts

ROWS = 300_000
HELD = "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True); print(); input()"
CONTENTS = (
    "from raw.orders order by all",
    "from staging.orders order by all",
    "select nextval('raw.numbers')",
    "select raw.twice(21)",
)


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """Every kind of thing that a catalog holds, in a file that is mostly free."""
    monkeypatch.setattr(compaction, "SMALLEST", 0)
    database = tmp_path / "it's.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"""
            create schema raw;
            create table raw.large as select id, hash(id) as noise from range({ROWS}) as t(id);
            checkpoint;
            create schema staging;
            create type raw.state as enum ('open', 'paid');
            create sequence raw.numbers start 5;
            create macro raw.twice(x) as 2 * x;
            create table raw.orders (id int primary key, state raw.state default 'open');
            insert into raw.orders (id) from range(100);
            create index by_state on raw.orders (state);
            create view staging.orders as select id, state from raw.orders where id > 50;
            checkpoint;
            drop table raw.large;
            checkpoint;
        """)
    return Warehouse(database)


def contents(warehouse: Warehouse) -> list[list[tuple[object, ...]]]:
    with duckdb.connect(str(warehouse.database)) as connection:
        return [connection.execute(sql).fetchall() for sql in CONTENTS]


def test_free_room_is_given_back_and_everything_is_there_still(warehouse: Warehouse) -> None:
    warehouse.database.chmod(0o640)
    size = warehouse.database.stat().st_size

    compacted = compact(warehouse)

    now = warehouse.database.stat()
    assert compacted == Compacted(size, now.st_size)
    assert (now.st_size < size / 2, now.st_mode & 0o777) == (True, 0o640)
    assert contents(warehouse) == [
        [(number, "open") for number in range(100)],
        [(number, "open") for number in range(51, 100)],
        [(5,)],
        [(42,)],
    ]
    assert compact(warehouse) is None
    names = {path.name for path in warehouse.database.parent.iterdir()}
    assert names == {warehouse.database.name, ".wholesale"}


def test_a_small_file_is_left_alone(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "SMALLEST", 2**30)
    assert compact(warehouse) is None


def test_a_warehouse_in_use_is_left_alone(warehouse: Warehouse) -> None:
    with hold(warehouse.state_folder / "lock"):
        assert compact(warehouse) is None
    command = [sys.executable, "-c", HELD, str(warehouse.database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout
        reader.stdout.readline()
        assert compact(warehouse) is None
        reader.communicate(b"\n")
    assert compact(warehouse)


def test_what_a_compaction_that_died_has_left_is_cleared_away(warehouse: Warehouse) -> None:
    left = warehouse.database.with_name(f".{warehouse.database.name}.compact-7")
    left.mkdir()
    (left / "half").write_text("half")

    assert compact(warehouse)
    assert not left.exists()


def test_a_copy_that_is_not_the_same_takes_no_place(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = warehouse.database.read_bytes()
    monkeypatch.setattr(
        compaction,
        "row_counts",
        lambda connection, name: row_counts(connection, name) if name == "old" else {},
    )

    with pytest.raises(CompactionDiffers, match="the copy is not the same"):
        compact(warehouse)
    assert warehouse.database.read_bytes() == before


@pytest.mark.slow
def test_a_compacted_warehouse_is_synced_built_and_explained_as_before(
    marts: Marts, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = marts.contents()
    monkeypatch.setattr(compaction, "SMALLEST", 0)
    monkeypatch.setattr(compaction, "LEAST_FREE_SHARE", 0)
    comments = "select table_name, column_name, comment from duckdb_columns() order by all"
    told = marts.rows(comments)
    assert compact(marts.warehouse)
    assert marts.contents() == before
    assert marts.rows(comments) == told

    marts.change("update wholesale_raw.orders set sub_total = sub_total + 1")
    ((order,),) = marts.rows("select min(id) from wholesale_raw.orders")
    with served("--orders", "400") as url:
        for command in (["sync", "--full"], ["build"], ["status"], ["explain", order], ["publish"]):
            done = subprocess.run(
                [WHOLESALE, *command, "--database", str(marts.database)],
                cwd=marts.database.parent,
                env=os.environ
                | {"SOURCES__WHOLESALE__BASE_URL": url, "SOURCES__WHOLESALE__API_KEY": "sandbox"},
                check=False,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
            if command[0] == "explain":
                assert "it is in wholesale_marts.fct_orders" in done.stdout
    assert marts.contents()["wholesale_marts.fct_orders"] == before["wholesale_marts.fct_orders"]


THEIRS = """
    create schema plans;
    create table plans.parent (id int primary key);
    create table plans.a_child (id int primary key, parent int references plans.parent (id));
    create table plans.tree (id int primary key, up int references plans.tree (id));
    create table plans.budget (
        "a plan" int, half int generated always as ("a plan" // 2) virtual, year int default 2026
    );
    comment on table plans.budget is 'what we mean to sell';
    comment on column plans.budget."a plan" is 'in EUR';
    insert into plans.parent values (1), (2);
    insert into plans.a_child values (7, 2), (8, null);
    insert into plans.tree values (3, null);
    insert into plans.tree values (2, 3);
    insert into plans.tree values (1, 2);
    insert into plans.budget ("a plan") values (10);
"""
OF_THEIRS = (
    "from plans.parent order by all",
    "from plans.a_child order by all",
    "from plans.tree order by all",
    "from plans.budget",
    "select table_name, comment from duckdb_tables() where comment is not null",
    "select column_name, comment from duckdb_columns() where comment is not null",
)


def test_what_somebody_keeps_in_the_file_is_copied_as_it_is(warehouse: Warehouse) -> None:
    def theirs() -> list[list[tuple[object, ...]]]:
        with duckdb.connect(str(warehouse.database)) as connection:
            return [connection.execute(sql).fetchall() for sql in OF_THEIRS]

    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(THEIRS)
    before = theirs()
    rehearse(warehouse)
    rewrite(warehouse)

    assert theirs() == before
    assert before[2:4] == [[(1, 2), (2, 3), (3, None)], [(10, 5, 2026)]]
    with pytest.raises(duckdb.ConstraintException), duckdb.connect(str(warehouse.database)) as c:
        c.execute("insert into plans.tree values (9, 8)")


@pytest.mark.parametrize("error", [errno.EXDEV, errno.EBUSY])
def test_a_file_that_is_mounted_by_itself_is_not_written_anew(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def link(source: Path, target: Path) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, "link", link)
    before = warehouse.database.read_bytes()

    for command in (compact, rehearse, rewrite):
        with pytest.raises(Mounted):
            command(warehouse)
    assert warehouse.database.read_bytes() == before


def test_where_files_cannot_be_linked_they_are_written_anew_all_the_same(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(source: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)

    rehearse(warehouse)
    assert compact(warehouse)


@pytest.mark.parametrize("place", ["definitions", "rows", "counts"])
def test_what_cannot_be_copied_is_said_before_anything_depends_on_it(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """As an index of an extension, or a table that a newer DuckDB has made."""
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute("create table odd (n int); insert into odd values (1)")
    if place == "definitions":
        monkeypatch.setattr(file_copy, "COPY_DEFINITIONS", "from no_such_thing")
    elif place == "rows":
        monkeypatch.setattr(file_copy, "_stored_columns", lambda both, table: ["no_such_column"])
    else:
        monkeypatch.setattr(file_copy, "_copy", lambda both, table: None)

    with pytest.raises(NotCopied):
        rehearse(warehouse)


def test_nothing_is_rehearsed_on_a_file_that_is_in_use(warehouse: Warehouse) -> None:
    command = [sys.executable, "-c", HELD, str(warehouse.database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout
        reader.stdout.readline()
        with pytest.raises(InUse):
            rehearse(warehouse)
        with pytest.raises(InUse):
            rewrite(warehouse)
        reader.communicate(b"\n")

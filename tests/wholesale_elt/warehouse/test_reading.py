"""Reading: a DuckDB file is read alone; what lies beside it, or pretends to be DuckDB, is not."""

import shutil
from pathlib import Path, PureWindowsPath

import duckdb
import pytest

from wholesale_elt.warehouse import quoted
from wholesale_elt.warehouse.reading import Altered, open_file, open_files


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return made(tmp_path / "held.duckdb", "create table orders as select 1 as amount")


def made(database: Path, *statements: str) -> Path:
    with duckdb.connect(str(database)) as connection:
        for statement in statements:
            connection.execute(statement)
    return database


def forged_log(database: Path) -> bytes:
    """A log that changes an amount, made from a copy."""
    copy = Path(shutil.copy(database, database.with_name("forged.duckdb")))
    with duckdb.connect(str(copy)) as connection:
        connection.execute("set checkpoint_threshold = '1TB'")
        connection.execute("pragma disable_checkpoint_on_shutdown")
        connection.execute("update orders set amount = amount * 10")
    return copy.with_name(f"{copy.name}.wal").read_bytes()


def amount_in(database: Path) -> int:
    with open_file(database) as connection:
        [(amount,)] = connection.execute("select amount from orders").fetchall()
    return int(amount)


@pytest.mark.parametrize("end", [".wal", ".wal.checkpoint", ".wal.recovery"])
def test_a_log_beside_a_file_is_never_applied(database: Path, end: str) -> None:
    assert amount_in(database) == 1
    log = database.with_name(f"{database.name}{end}")
    log.write_bytes(forged_log(database))

    with pytest.raises(Altered, match=log.name):
        amount_in(database)
    with pytest.raises(Altered, match=log.name), open_files({"a": database}):
        pass

    log.unlink()
    assert amount_in(database) == 1


def test_the_log_of_another_file_is_none_of_this_one(database: Path) -> None:
    database.with_name("held.duckdb2.wal").write_bytes(b"")
    odd = Path(shutil.copy(database, database.with_name("[h]*.duckdb")))

    assert (amount_in(database), amount_in(odd)) == (1, 1)

    odd.with_name(f"{odd.name}.wal").write_bytes(b"")
    with pytest.raises(Altered):
        amount_in(odd)


@pytest.mark.parametrize(
    "macro", ["sum(a) as 42", "STRFTIME(a, b) as 'x'", "duckdb_tables() as table select 1 as a"]
)
def test_a_macro_that_takes_the_place_of_a_function_is_refused(database: Path, macro: str) -> None:
    made(database, f"create macro {macro}")

    with pytest.raises(Altered, match=macro.partition("(")[0]):
        amount_in(database)


def test_a_macro_of_its_own_name_is_called(database: Path) -> None:
    made(database, "create macro twice(a) as a * 2")

    with open_file(database) as connection:
        assert connection.execute("select twice(amount) from orders").fetchall() == [(2,)]


def test_views_read_no_other_file(database: Path, tmp_path: Path) -> None:
    told = tmp_path / "told.csv"
    told.write_text("secret\n1\n", "utf-8")
    statements = (
        f"create view texts as from read_text('{told}')",
        f"create view rows as from '{told}'",
    )
    made(database, *statements)

    with open_file(database) as connection:
        for view in ("texts", "rows"):
            with pytest.raises(duckdb.PermissionException):
                connection.execute(f"from {view}")


def test_files_of_the_folder_that_is_named_can_be_read_too(database: Path, tmp_path: Path) -> None:
    folder, other = tmp_path / "named", tmp_path / "named too"
    for each in (folder, other):
        each.mkdir()
        (each / "rows.csv").write_text("n\n7\n", "utf-8")

    with open_file(database, beside=folder) as connection:
        read = connection.execute(f"from read_csv('{folder / 'rows.csv'}')")
        assert read.fetchall() == [(7,)]
        with pytest.raises(duckdb.PermissionException):
            connection.execute(f"from read_csv('{other / 'rows.csv'}')")


def test_nothing_can_be_set_or_loaded_and_python_is_not_looked_into(database: Path) -> None:
    rows = duckdb.sql("select 1 as n").to_arrow_table()
    with open_file(database) as connection:
        for statement in ("set enable_external_access = true", "load httpfs", "from rows"):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)
    assert rows.num_rows == 1


def test_a_file_of_another_kind_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "odd.duckdb").write_bytes(b"SQLite format 3\0" + bytes(1000))

    with pytest.raises(duckdb.Error), open_file(tmp_path / "odd.duckdb"):
        pass


@pytest.mark.parametrize(
    "name", ["C:\\it's here\\held.duckdb", "\\\\server\\share\\held", "C:held"]
)
def test_a_name_as_windows_has_them_is_a_path_and_no_address(tmp_path: Path, name: str) -> None:
    named = tmp_path / name
    made(tmp_path / "held.duckdb", "create table orders as select 1 as amount").rename(named)

    assert amount_in(named) == 1
    with duckdb.connect() as connection:
        assert connection.execute(f"select {quoted(PureWindowsPath(name))}").fetchall() == [(name,)]

"""The file of a warehouse: made in the storage version that is documented, kept in its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from conftest import Loader
from support.warehouses.destinations import NOWHERE, empty_place
from support.warehouses.tested import TESTED
from wholesale.errors import ConfigurationError
from wholesale_elt.warehouse.compaction import compact
from wholesale_elt.warehouse.destination import NotLoaded, Warehouse
from wholesale_elt.warehouse.ports import compaction, postgres
from wholesale_elt.warehouse.ports.files import STORAGE_VERSION

OLDEST = "v1.0.0"


def storage_version(database: Path) -> str:
    """The oldest DuckDB that reads the file, as DuckDB tells it."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{database}' as it (read_only)")
        ((tags,),) = connection.execute(
            "select tags from duckdb_databases() where database_name = 'it'"
        ).fetchall()
    return str(tags["storage_version"])


@contextmanager
def made_by_an_old_release(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{database}' as old (storage_version '{OLDEST}')")
        connection.execute("use old")
        yield connection


def test_every_tested_destination_has_a_port_of_its_own() -> None:
    assert len({destination.port for destination in TESTED.values()}) == len(TESTED) > 1


@pytest.mark.parametrize("name", ["test.duckdb", "temp.duckdb", "two words.duckdb"])
def test_a_file_is_made_in_the_documented_storage_version(tmp_path: Path, name: str) -> None:
    database = tmp_path / name

    for _ in range(2):
        with Warehouse(database).open() as raw:
            assert raw.rows("select 1") == [(1,)]

    assert storage_version(database) == f"{STORAGE_VERSION}+"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_is_still_being_read_ends_with_the_connection_so_that_the_file_opens_again(
    tmp_path: Path,
) -> None:
    """DuckDB would wait for ever for a reader that an error and its frames hold on to."""
    warehouse, numbers = Warehouse(tmp_path / "test.duckdb"), pa.schema({"number": pa.int64()})
    with warehouse.open() as raw:
        rows = raw.batches("select range as number from range(1000000)", numbers)
        assert next(rows)["number"][0].as_py() == 0

    with pytest.raises(pa.ArrowInvalid, match="closed"):
        next(rows)
    with warehouse.open(is_read_only=True) as raw:
        assert raw.rows("select 1") == [(1,)]


@pytest.mark.parametrize("place", ["a?b/test.duckdb", "test.duckdb?"])
def test_a_path_that_duckdb_cannot_use_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot use a path with a question mark"):
        Warehouse(tmp_path / place)


def test_reading_makes_no_file(tmp_path: Path) -> None:
    database = tmp_path / "none.duckdb"

    with (
        pytest.raises(NotLoaded, match=r"none.duckdb does not exist: run `wholesale sync`"),
        Warehouse(database).open(is_read_only=True),
    ):
        pass

    assert not database.exists()


def test_an_empty_file_is_one_that_is_not_there_yet(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "empty.duckdb")
    warehouse.database.touch()

    assert not warehouse.may_exist
    with warehouse.open() as raw:
        assert raw.rows("select 1") == [(1,)]
    assert warehouse.may_exist


def test_a_server_that_lacks_what_the_models_need_is_refused(
    socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with empty_place("postgres", tmp_path, socket, NOWHERE, monkeypatch) as place:
        monkeypatch.setattr(postgres, "LEAST_SERVER", 99)
        with pytest.raises(ConfigurationError, match="99"), place.warehouse.open():
            pass


def test_a_file_of_somebody_else_keeps_its_mode(tmp_path: Path) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("hello")
    foreign.chmod(0o644)

    with pytest.raises(duckdb.IOException), Warehouse(foreign).open():
        pass

    assert foreign.stat().st_mode & 0o777 == 0o644
    assert foreign.read_text() == "hello"


@pytest.mark.slow
def test_a_file_in_the_oldest_storage_version_stays_in_it_and_is_loaded_alike(
    loader: Loader, tmp_path: Path
) -> None:
    older = Loader(loader.settings, Warehouse(tmp_path / "older.duckdb"))
    with made_by_an_old_release(older.warehouse.database):
        pass

    for either in (loader, older, loader, older):
        assert either.load().is_complete

    assert storage_version(older.warehouse.database) == f"{OLDEST}+"
    assert storage_version(loader.warehouse.database) == f"{STORAGE_VERSION}+"
    assert older.contents() == loader.contents()


def test_a_file_that_is_compacted_is_of_the_documented_storage_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "SMALLEST", 0)
    monkeypatch.setattr(compaction, "LEAST_FREE_SHARE", 0)
    database = tmp_path / "older.duckdb"
    with made_by_an_old_release(database) as connection:
        connection.execute("create table numbers as from range(1000)")

    assert storage_version(database) == f"{OLDEST}+"
    assert compact(Warehouse(database))
    assert storage_version(database) == f"{STORAGE_VERSION}+"

"""Facts in the lake: a version reads the files of a build, which stay as long as it is kept."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyiceberg.catalog.sql import SqlCatalog

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from support.warehouses.iceberg import Reader
from wholesale.errors import ConfigurationError
from wholesale_agents.sql import run_select
from wholesale_elt.models import Mark
from wholesale_elt.publish import folder as publish_folder
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import Published, publish_marts, republish_marts
from wholesale_elt.publish.tables import stored
from wholesale_elt.verification.copies import verify_copy
from wholesale_elt.verification.published import verify
from wholesale_elt.verification.sides import find_side, open_side
from wholesale_elt.warehouse import open_file, quoted
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.reading import Altered
from wholesale_elt.warehouse.selects import NotOneSelect, one_select
from wholesale_lake.lake import Lake

FACTS = "wholesale_marts.fct_orders"


class Killed(BaseException):
    """The process is gone."""


class EngineDesk:
    """A lake with tables as an engine leaves them, made by hand, and a folder of versions."""

    def __init__(self, folder: Path, name: str = "lake of our's, 100 %") -> None:
        self.warehouse = Warehouse(folder / name, "lake")
        self.folder = folder / "published"
        self._file = folder / "made.duckdb"

    @property
    def lake(self) -> Lake:
        assert isinstance(self.warehouse.port, Lake)
        return self.warehouse.port

    def build(self, number: int, statement: str = "select 1") -> None:
        handmade.build(self._file, number)
        with duckdb.connect(str(self._file)) as connection:
            connection.execute(statement)
        self.lake.state_folder.mkdir(parents=True, exist_ok=True)
        tables = self.lake.tables
        tables.push(self._file, tables.version(), self.lake.state_folder)
        with duckdb.connect(str(self._file)) as connection, tables.built.building() as build:
            connection.execute("set timezone = 'UTC'")
            for name in handmade.TABLES:
                rows = connection.sql(f"from {name}")
                schema, table = name.split(".")
                place = Path(build.folder(schema, table, rows.limit(0).to_arrow_table().schema))
                place.mkdir(parents=True)
                for part in range(2):
                    half = f"(select * from {name} where (number + rowid) % 2 = {part})"
                    connection.execute(f"copy {half} to {quoted(place / f'{part}.parquet')}")
            build.put_in_force(Mark("key", {}, {}), {})

    def publish(self, **options: Any) -> Published:
        return publish_marts(self.warehouse, str(self.folder), **options)

    def current(self) -> Manifest:
        return Manifest.of((self.folder / "current.json").read_bytes())

    def numbers(self, version: str | None = None) -> set[int]:
        """Those that the tables of a version carry, for a reader who has DuckDB alone."""
        path = f"versions/{version}/wholesale.duckdb" if version else "wholesale.duckdb"
        with duckdb.connect(str(self.folder / path), read_only=True) as connection:
            return {
                number
                for table in handmade.TABLES
                for (number,) in connection.execute(
                    f"select distinct number from {table}"
                ).fetchall()
            }

    def files(self) -> set[Path]:
        """Those of facts that the lake holds."""
        return {*self.warehouse.database.glob("wholesale_marts/fct_orders/data/**/*.parquet")}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EngineDesk:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    monkeypatch.setattr(stored, "MANY_ROWS", handmade.ORDERS)
    monkeypatch.chdir(tmp_path)
    return EngineDesk(tmp_path)


def rows_of(file: Path) -> dict[str, tuple[list[Any], list[Any]]]:
    """The columns with their types, and the rows, of each table."""
    with duckdb.connect(str(file), read_only=True) as connection:
        return {
            name: (
                [row[:2] for row in connection.execute(f"describe {name}").fetchall()],
                sorted(connection.execute(f"from {name}").fetchall(), key=repr),
            )
            for name in handmade.TABLES
        }


@pytest.mark.slow
def test_facts_stay_and_are_read_as_if_they_were_copied(desk: EngineDesk) -> None:
    desk.build(1)
    assert desk.publish().result == "published"
    manifest, there = desk.current(), rows_of(desk.folder / "wholesale.duckdb")
    [facts] = [table for table in manifest.tables if table.lake_files]
    assert (manifest.facts, f"{facts.schema}.{facts.table}", facts.path) == ("in-lake", FACTS, "")
    assert {Path(path) for path in facts.lake_files} == desk.files()
    assert facts.rows == handmade.ORDERS
    assert not list(desk.folder.rglob("fct_orders.parquet"))

    assert desk.publish().result == "already published"
    assert desk.publish(facts="copied").result == "published"

    assert rows_of(desk.folder / "wholesale.duckdb") == there
    assert desk.current().facts == "copied"
    assert len(list(desk.folder.rglob("fct_orders.parquet"))) == 1
    assert desk.publish().result == "published"
    assert desk.current().facts == "in-lake"
    assert rows_of(desk.folder / "wholesale.duckdb") == there


def test_a_reader_needs_neither_pyiceberg_nor_the_catalogue(
    desk: EngineDesk, tmp_path: Path
) -> None:
    desk.build(3)
    desk.publish()
    (desk.warehouse.database / "catalog.db").rename(tmp_path / "elsewhere.db")
    asked = (
        "import duckdb, sys; print(duckdb.connect(sys.argv[1], read_only=True).sql('select"
        f" count(*), sum(total), any_value(number) from {FACTS}').fetchall());"
        " assert not {'pyiceberg', 'wholesale_lake'} & {*sys.modules}"
    )
    file = str(desk.folder / "wholesale.duckdb")

    told = subprocess.run([sys.executable, "-c", asked, file], capture_output=True, text=True)

    total = sum(range(handmade.ORDERS))
    assert told.stdout.strip() == f"[({handmade.ORDERS}, Decimal('{total}.00'), 3)]", told.stderr


@pytest.mark.slow
def test_a_kept_version_answers_after_newer_builds_and_what_no_version_reads_goes(
    desk: EngineDesk,
) -> None:
    versions = []
    for number in (1, 2, 3):
        desk.build(number)
        desk.publish(keep=2)
        versions.append(desk.current().version)
        desk.lake.prune(timedelta(0))
    desk.build(4)
    desk.build(5)

    desk.lake.prune(timedelta(0))

    assert [desk.numbers(version) for version in versions[1:]] == [{2}, {3}]
    assert not (desk.folder / "versions" / versions[0]).exists()
    assert len(desk.files()) == 2 * len((2, 3, 5))


@pytest.mark.slow
def test_a_version_answers_after_duckdb_has_built_again(desk: EngineDesk) -> None:
    desk.build(1)
    desk.publish()

    desk.lake.tables.built.forget()

    assert desk.numbers() == {1}


@pytest.mark.slow
def test_the_places_of_a_lake_keep_each_their_own(desk: EngineDesk, tmp_path: Path) -> None:
    other = EngineDesk(tmp_path)
    other.folder = tmp_path / "other"
    desk.build(1)
    desk.publish()
    other.publish()
    desk.build(2)
    desk.publish(keep=1)

    desk.lake.prune(timedelta(0))

    assert (desk.numbers(), other.numbers()) == ({2}, {1})


STEPS: dict[str, tuple[Any, str]] = {
    "pinned": (publishing, "read_sources"),
    "tables written": (publishing, "compare"),
    "described": (publishing, "describe"),
    "site written": (publishing, "with_dashboard"),
    "synced": (publish_folder, "_sync_all"),
    "fixed names": (publish_folder, "replace"),
    "entries": (publish_folder, "write_entries"),
    "in force": (publishing, "note_place"),
    "pruned": (publishing, "release_stored"),
}


@pytest.mark.slow
@pytest.mark.parametrize("step", [*STEPS, "pin", "release"])
def test_a_publication_that_is_killed_leaves_a_version_in_force_and_no_pin_for_ever(
    desk: EngineDesk, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.build(1)
    desk.publish(keep=1)
    before = desk.current().version
    desk.build(2)
    with monkeypatch.context() as patch:
        if step in STEPS:
            patch.setattr(*STEPS[step], die)
        else:
            patch.setattr(SqlCatalog, "commit_table", dying_at(1 if step == "pin" else 2))
        with pytest.raises(Killed):
            desk.publish(keep=1)
    desk.lake.prune(timedelta(0))

    is_old = desk.current().version == before
    assert desk.numbers(desk.current().version) == ({1} if is_old else {2})
    assert is_old == (step not in ("in force", "pruned", "release"))

    desk.publish(keep=1)
    assert desk.numbers() == {2}
    desk.lake.prune(timedelta(0))
    assert len(desk.files()) == 2
    tags = Reader(desk.warehouse.database).table("fct_orders", "wholesale_marts").refs()
    assert len(tags) == 2  # that of the version, and the branch


def die(*_: object, **__: object) -> None:
    raise Killed


def dying_at(number: int) -> Callable[..., Any]:
    commit, left = SqlCatalog.commit_table, number

    def commit_table(*arguments: Any, **options: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed
        return commit(*arguments, **options)

    return commit_table


@pytest.mark.slow
def test_facts_are_copied_of_a_lake_whose_path_is_a_pattern(
    desk: EngineDesk, tmp_path: Path
) -> None:
    other = EngineDesk(tmp_path, "lake [1]")
    other.build(1)

    other.publish()

    assert (other.current().facts, other.current().snapshots) == ("copied", {})
    with pytest.raises(ConfigurationError):
        other.publish(facts="in-lake")


@pytest.mark.slow
def test_facts_that_cannot_stay_are_refused(desk: EngineDesk, tmp_path: Path) -> None:
    handmade.build(tmp_path / "wholesale.duckdb", 1)
    file = Warehouse(tmp_path / "wholesale.duckdb")
    with pytest.raises(ConfigurationError):
        publish_marts(file, str(tmp_path / "of file"), facts="in-lake")
    assert not (tmp_path / "of file/current.json").exists()
    publish_marts(file, str(tmp_path / "of file"), facts="copied")
    desk.build(1)
    publish_marts(desk.warehouse, "file://" + str(tmp_path / "as URI"), facts="in-lake")


def test_no_personal_column_is_in_a_view_and_no_statement_reads_a_file_of_the_lake(
    desk: EngineDesk,
) -> None:
    desk.build(1, f"alter table {FACTS} add column email text default 'a@b.example'")
    found = desk.publish()
    file, path = desk.folder / "wholesale.duckdb", str(min(desk.files())).replace("'", "''")

    assert found.left_out == ["fct_orders.email"]
    with open_file(file) as connection:
        assert "email" not in connection.sql(f"from {FACTS} limit 0").columns
        for statement in (
            f"from '{path}'",
            f'select email from "{min(desk.files())}"',
            f"select email from read_parquet('{path}')",
            f"with x as (from '{path}') from x",
            f"select (select any_value(email) from '{path}')",
            f"describe from '{path}'",
            f"summarize '{path}'",
            'from "x.parquet"',
        ):
            with pytest.raises((NotOneSelect, duckdb.Error)):
                one_select(connection, statement)
        counting, _ = one_select(connection, f"select count(*) from {FACTS}")
        assert connection.execute(counting).fetchall() == [(handmade.ORDERS,)]
    assert run_select(file, f"select count(*) as n from {FACTS}")["rows"] == [
        {"n": handmade.ORDERS}
    ]


@pytest.mark.slow
def test_only_files_that_a_version_names_can_be_read(desk: EngineDesk, tmp_path: Path) -> None:
    desk.build(1)
    desk.publish()
    other = tmp_path / "other.parquet"
    duckdb.sql(f"copy (select 1 as x) to '{other}'")
    with (
        open_file(desk.folder / "wholesale.duckdb") as connection,
        pytest.raises(duckdb.PermissionException),
    ):
        connection.sql(f"from '{other}'").fetchall()


@pytest.mark.slow
def test_what_changed_in_a_file_of_the_lake_is_found(desk: EngineDesk) -> None:
    desk.build(1)
    desk.publish()
    file = desk.folder / desk.current().database.path
    whole = verify_copy(desk.folder, None, file)
    assert (whole.findings, whole.unproved, verify(desk.folder).findings) == ([], [], [])
    path = sorted(desk.files())[0]
    changed = f"(select * replace (total + 1 as total) from read_parquet({quoted(path)}))"
    duckdb.sql(f"copy {changed} to {quoted(path.with_name('new'))} (format parquet)")
    path.with_name("new").replace(path)

    found = verify_copy(desk.folder, None, file)

    assert [finding.what for finding in found.findings] == [FACTS]
    assert [finding.what for finding in verify(desk.folder).findings] == [FACTS]


@pytest.mark.slow
def test_a_file_of_the_lake_that_is_gone_is_named(desk: EngineDesk) -> None:
    desk.build(1)
    desk.publish()
    path = sorted(desk.files())[0]
    path.unlink()

    found = verify(desk.folder)

    assert [(finding.what, "/fct_orders/" in finding.reason) for finding in found.findings] == [
        ("wholesale.duckdb", True)
    ]
    with pytest.raises(Altered), open_file(desk.folder / "wholesale.duckdb"):
        pass


@pytest.mark.slow
def test_an_erasure_keeps_no_file_for_other_places(desk: EngineDesk, tmp_path: Path) -> None:
    desk.build(1)
    desk.publish()
    publish_marts(desk.warehouse, str(tmp_path / "other"))
    desk.build(2)

    republish_marts(desk.warehouse, str(desk.folder))
    desk.lake.prune(timedelta(0), is_of_published=True)

    assert desk.numbers() == {2}
    assert len(desk.files()) == 2


@pytest.mark.slow
def test_a_lake_and_a_version_of_it_have_the_same_tables(desk: EngineDesk) -> None:
    desk.build(1)
    desk.publish()
    place = find_side(f"lake:{desk.warehouse.database}", desk.folder)
    with open_side(place) as lake, open_side(find_side(str(desk.folder), desk.folder)) as version:
        assert {*lake.tables} - {"wholesale_raw.sync_runs"} == {*version.tables}
        assert {*handmade.TABLES} == {*version.tables}

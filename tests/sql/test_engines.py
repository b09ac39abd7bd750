"""Other engines than DuckDB: from a lake they build the same tables, all or none."""

import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal, localcontext
from math import floor
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from benchmarks.measure import children_of
from support.few import by_hand
from support.warehouses.destinations import (
    NOWHERE,
    Place,
    differences_in,
    differences_of,
    empty_place,
)
from support.warehouses.iceberg import Reader
from support.warehouses.marts import OF_THE_MOMENT, Marts
from support.warehouses.rendered import DUCKDB
from wholesale.errors import ConfigurationError
from wholesale_elt.load.copies.copying import copy_warehouse
from wholesale_elt.models.build import build_models
from wholesale_elt.models.findings import OUT_OF_MEMORY
from wholesale_elt.models.rendering import read_project
from wholesale_elt.models.running import BuildFailed, BuildStep, Built
from wholesale_elt.publish import Facts, published_in
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.publish.tables import stored
from wholesale_elt.warehouse import Warehouse
from wholesale_lake.engine import DIALECT
from wholesale_lake.lake_snapshots import Pinned
from wholesale_lake.session import session as session_of

pytestmark = pytest.mark.slow

SAIL = "wholesale_lake.sail"


@pytest.fixture
def sail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILD__ENGINE", "sail")


@pytest.fixture(scope="module")
def built(repriced: Marts) -> Marts:
    """With prices that changed, of which most reports have a row."""
    return repriced


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "of ours, 100 %"
    folder.mkdir()
    return folder


@dataclass(frozen=True)
class Made:
    """A lake with what sail has built in it, and a copy of its files from then: they name each
    other by their whole paths, and are put back where they were."""

    place: Place
    built: Built
    folder: Path
    copy: Path


@pytest.fixture(scope="module")
def made(socket: str, built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("lake") / "of ours, 100 %"
    folder.mkdir()
    with (
        pytest.MonkeyPatch.context() as patch,
        empty_place("lake", folder, socket, NOWHERE, patch) as place,
    ):
        patch.chdir(folder.parent)
        copy_warehouse(built.warehouse, place.warehouse)
        with pytest.MonkeyPatch.context() as by_sail:
            by_sail.setenv("BUILD__ENGINE", "sail")
            done = build_models(place.warehouse)
        copy = shutil.copytree(folder, folder.with_name("copy"))
        yield Made(place, done, folder, copy)


@pytest.fixture
def lake(made: Made, monkeypatch: pytest.MonkeyPatch) -> Place:
    """As sail has left it."""
    monkeypatch.chdir(made.folder.parent)
    shutil.rmtree(made.folder)
    shutil.copytree(made.copy, made.folder)
    return made.place


def files_of(place: Place) -> set[Path]:
    """What the lake holds but for its catalogue, and what is kept for its next run beside the
    queries of tests."""
    return {
        path
        for folder in (place.warehouse.database, place.warehouse.state_folder)
        for path in folder.rglob("*")
        if not {"findings", "metadata"} & {*path.parts} and not path.match("versions/data/*")
        if path.is_file()
    }


def snapshots(place: Place) -> dict[str, int]:
    """Those of the build in force, by table."""
    reader = Reader(place.warehouse.database)
    versions = reader.table("versions", "wholesale_marts").scan().to_arrow()
    last = max(versions.to_pylist(maps_as_pydicts="strict"), key=itemgetter("version"))
    return dict(last["snapshots"])


def contents(place: Place) -> dict[str, list[dict[str, Any]]]:
    """What a reader of the lake sees of the build in force."""
    reader = Reader(place.warehouse.database)
    return {
        name: sorted(
            reader.table(*reversed(name.split(".")))
            .scan(snapshot_id=snapshot)
            .to_arrow()
            .to_pylist(),
            key=repr,
        )
        for name, snapshot in snapshots(place).items()
    }


@pytest.mark.usefixtures("engine")
def test_what_an_engine_builds_from_a_lake_is_what_duckdb_builds(
    built: Marts, lake: Place, tmp_path: Path
) -> None:
    build_models(lake.warehouse, is_full=os.environ["BUILD__ENGINE"] != "sail")  # which has

    assert differences_of(built, lake.warehouse, tmp_path) == []
    assert differing_histories(built, lake) == []


def differing_histories(built: Marts, lake: Place) -> list[str]:
    """The logs, which are not published, that do not have the same rows."""
    reader, found = Reader(lake.warehouse.database), list[str]()
    with duckdb.connect(str(built.database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        names = [name for name in snapshots(lake) if name.startswith("wholesale_history.")]
        assert names
        for name in names:
            table = reader.table(*reversed(name.split(".")))
            rows = table.scan(snapshot_id=snapshots(lake)[name]).to_arrow()
            connection.register("rows", rows)
            one, other = (
                f"(select {', '.join(rows.column_names)} from {each})" for each in (name, "rows")
            )
            if connection.execute(
                f"{one} except all {other} union all ({other} except all {one})"
            ).fetchall():
                found.append(name)
    return found


@pytest.mark.parametrize("facts", ["in-lake", by_hand("copied")])
def test_tables_that_stay_in_the_lake_are_published_as_duckdb_builds_them(
    built: Marts, lake: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facts: Facts
) -> None:
    monkeypatch.setattr(stored, "MANY_ROWS", 1)
    publish_marts(lake.warehouse, str(tmp_path / "found"), is_even_if_incomplete=True, facts=facts)
    before = published_in(tmp_path / "found")
    assert before
    assert len(before.snapshots) == (facts == "in-lake") * sum(t.rows > 0 for t in before.tables)

    assert differences_of(built, lake.warehouse, tmp_path, facts) == []
    assert published_in(tmp_path / "found") == before


@pytest.mark.long
@pytest.mark.usefixtures("sail")
def test_what_an_engine_builds_from_a_bucket_is_what_duckdb_builds(
    built: Marts, socket: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    destination = "lake in a catalogue and s3"
    assert differences_in(built, destination, folder, socket, monkeypatch) == []


@pytest.mark.usefixtures("sail")
def test_a_build_whose_engine_ended_fails_at_once_and_leaves_what_is_in_force(lake: Place) -> None:
    lake.execute("update wholesale_raw.vendors set name = name || '!'")
    before, files = contents(lake), files_of(lake)

    def end_sail(step: BuildStep) -> None:
        if step.name == "fct_orders":
            [process] = [one for one in children_of(os.getpid()) if SAIL in _command_of(one)]
            os.kill(process, signal.SIGKILL)

    with pytest.raises(BuildFailed, match=r"^model fct_orders lost its engine.*last good build$"):
        build_models(lake.warehouse, end_sail)

    assert contents(lake) == before
    assert files_of(lake) == files


def _command_of(process: int) -> list[str]:
    return Path(f"/proc/{process}/cmdline").read_text().split("\0")


@pytest.mark.usefixtures("engine")
def test_a_build_that_fails_leaves_what_is_in_force_and_all_files(lake: Place) -> None:
    build_models(lake.warehouse)
    lake.execute("insert into wholesale_raw.vendors select * from wholesale_raw.vendors limit 1")
    before, files = contents(lake), files_of(lake)

    with pytest.raises(BuildFailed, match=r"vendors.*: nothing was published, .*last good build$"):
        build_models(lake.warehouse)

    assert contents(lake) == before
    assert files_of(lake) == files


@pytest.mark.usefixtures("sail")
def test_an_engine_builds_and_reports_are_published_without_a_copy_of_the_lake(
    lake: Place, tmp_path: Path
) -> None:
    shutil.rmtree(lake.warehouse.state_folder)

    build_models(lake.warehouse)
    published = publish_marts(
        lake.warehouse, str(tmp_path / "published"), is_only_bi=True, is_even_if_incomplete=True
    )

    assert published.in_force
    assert {table.schema for table in published.in_force.tables} == {"wholesale_bi"}
    assert not list(lake.warehouse.state_folder.rglob("*.duckdb"))


@pytest.mark.usefixtures("sail")
def test_an_engine_makes_only_what_tells_of_syncs_after_one_that_brought_nothing(
    lake: Place, made: Made
) -> None:
    before = snapshots(lake)
    again = build_models(lake.warehouse)
    assert (again.models, again.models_standing) == (0, made.built.models)
    assert snapshots(lake) == before

    lake.execute("update wholesale_raw.sync_runs set requests = requests + 1")
    of_syncs = build_models(lake.warehouse)

    after = snapshots(lake)
    changed = {name.partition(".")[2] for name in after if after[name] != before[name]}
    each = {model.name for model in read_project(DIALECT).models if model.is_of_each}
    assert of_syncs.models == len(each)
    assert changed == {name for name in each if not name.startswith("int_")}
    found = contents(lake)
    build_models(lake.warehouse, is_full=True)
    assert without_the_moment(contents(lake)) == without_the_moment(found)


def without_the_moment(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    return {
        name: sorted(
            repr({key: row[key] for key in row if key not in OF_THE_MOMENT}) for row in rows
        )
        for name, rows in tables.items()
    }


@pytest.mark.usefixtures("sail")
def test_of_a_build_by_an_engine_and_one_by_duckdb_the_later_is_in_force(
    lake: Place, made: Made
) -> None:
    port: Any = lake.warehouse.port
    assert port.built_in_force()
    with lake.warehouse.open(is_read_only=True) as raw:
        assert raw.has_schema("wholesale_bi")

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("BUILD__ENGINE")
        by_duckdb = build_models(lake.warehouse)
        again = build_models(lake.warehouse)
        assert port.built_in_force() is None
        with lake.warehouse.hold():
            port.prune(timedelta(0))

    assert made.built.models == by_duckdb.models > 50
    assert (again.models, again.models_standing) == (0, by_duckdb.models)
    assert not [path for path in files_of(lake) if "wholesale_marts" in path.parts]
    build_models(lake.warehouse)
    assert port.built_in_force()
    with lake.warehouse.open(is_read_only=True) as raw:
        assert not raw.rows("select 1 from duckdb_tables() where schema_name = 'wholesale_marts'")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"BUILD__ENGINE": "sail"}, r"cannot read .*\.duckdb: load into --destination lake"),
        ({"BUILD__ENGINE": "presto"}, r"build\.engine"),
        ({"BUILD__ENGINE": "spark", "BUILD__REMOTE": "http://here"}, r"build\.remote"),
    ],
)
def test_an_engine_that_cannot_build_is_refused_in_a_sentence(
    built: Marts, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ConfigurationError, match=said):
        build_models(Warehouse(built.warehouse.database))


@pytest.mark.usefixtures("sail")
def test_an_engine_that_loses_digits_is_refused(
    lake: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wholesale_lake.session._connected", lambda address: Careless())

    with pytest.raises(ConfigurationError, match=r"^engine sail .* 0\.121933 is not 0\.12193263"):
        build_models(lake.warehouse)


class Careless:
    """A session in which a product has as many digits as its first factor."""

    def sql(self, sql: str) -> "Careless":
        return self

    def collect(self) -> list[tuple[Any, ...]]:
        return [(Decimal("0.121933"),)]

    def stop(self) -> None:
        pass


@pytest.mark.usefixtures("sail")
def test_a_lake_in_a_folder_that_an_engine_reads_as_a_pattern_is_refused(
    built: Marts, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / "ours[1]"
    odd.mkdir()
    with empty_place("lake", odd, socket, NOWHERE, monkeypatch) as place:
        copy_warehouse(built.warehouse, place.warehouse)

        with pytest.raises(ConfigurationError, match=r"takes '\[' in a path for a pattern: keep"):
            build_models(place.warehouse)


def test_spark_without_an_address_is_refused(lake: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILD__ENGINE", "spark")

    with pytest.raises(ConfigurationError, match=r"set build\.remote to sc://HOST:PORT, or use"):
        build_models(lake.warehouse)


def test_sail_sorts_more_than_its_memory_and_takes_no_more(tmp_path: Path) -> None:
    texts = "select repeat(cast(id as string), 8) as text from range(3000000)"
    nothing = {"vendors": Pinned("nowhere", pa.schema([]), [])}

    with session_of("sail", None, nothing, tmp_path, 100) as sail:
        ((places,),) = sail.spark.sql(
            "select max(place) from (select row_number() over (order by text) as place"
            f" from ({texts}))"
        ).collect()
        with pytest.raises(Exception, match=OUT_OF_MEMORY):
            sail.spark.sql(f"select size(collect_list(text)) from ({texts})").collect()

    assert places == 3_000_000


def test_shares_of_many_buyers_are_those_of_exact_quotients_to_a_millionth(tmp_path: Path) -> None:
    scores = 20_000
    waits = (
        "select date '2026-03-01' as month_start, '1' as age, cast(id as decimal(18, 6)) as score,"
        f" cast(case when id = 0 then {2 * scores} else 0 end as bigint) as begun_count,"
        " cast(case when id = 0 then 0 else 2 end as bigint) as ended_count,"
        " cast(case when id = 0 then 0 else 1 end as bigint) as order_count from"
    )
    [on_spark, on_duckdb] = (
        model.sql
        for dialect in (DIALECT, DUCKDB)
        for model in read_project(dialect).models
        if model.name == "int_forecast_curves"
    )
    nothing = {"vendors": Pinned("nowhere", pa.schema([]), [])}

    with session_of("sail", None, nothing, tmp_path, 100) as sail:
        sail.spark.sql(f"create view int_forecast_waits as {waits} range({scores})")
        rows = sail.spark.sql(on_spark).collect()
        by_sail = [row.ordered_millionths for row in sorted(rows, key=attrgetter("score"))]
    with duckdb.connect() as connection:
        connection.execute(
            f"create table int_forecast_waits as {waits} range({scores}) as numbers(id)"
        )
        found = connection.execute(f"select ordered_millionths from ({on_duckdb}) order by score")
        by_duckdb = [share for (share,) in found.fetchall()]

    with localcontext(prec=50):
        exact, silent = [], Decimal(1)
        for awaited in range(2 * scores, 2, -2):
            silent *= Decimal(awaited - 1) / awaited
            share = 1_000_000 * (1 - silent) * 2 * scores / (2 * scores + 1)
            exact.append(floor(share + Decimal("0.500001")))
    assert by_sail == exact
    assert by_duckdb == exact

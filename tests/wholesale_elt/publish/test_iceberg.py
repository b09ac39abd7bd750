"""Publishing into a catalogue of Iceberg: one version at a time, whole, and each as it was."""

import itertools
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from pyarrow import fs
from pyiceberg import catalog as pyiceberg_catalog
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import NoSuchTableError
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.table import Table
from pyiceberg.utils.config import Config

import wholesale_elt.publish.publisher as publishing
from support.services.s3 import make_bucket, serving_s3
from support.warehouses import handmade
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.iceberg import staging
from wholesale_elt.iceberg.catalog import CatalogUnreachable
from wholesale_elt.process import AlreadyRunning
from wholesale_elt.publish.publisher import Published, publish_marts
from wholesale_elt.publish.store import store_for
from wholesale_elt.warehouse.destination import Warehouse

Row = Mapping[str, Any]


def configure(monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    """Tell pyiceberg, which reads its configuration once, of the catalogue `lake`."""
    for name, value in settings.items():
        monkeypatch.setenv(f"PYICEBERG_CATALOG__LAKE__{name.upper()}", value)
    monkeypatch.setattr(pyiceberg_catalog, "_ENV_CONFIG", Config())


class Lake:
    """A warehouse made by hand, and the catalogue that it is published into."""

    def __init__(self, folder: Path, place: str = "iceberg:lake") -> None:
        folder.mkdir(exist_ok=True)
        self.warehouse = Warehouse(folder / "wholesale.duckdb")
        self.place = place

    def build(self, number: int, **options: Any) -> None:
        handmade.build(self.warehouse.database, number, **options)

    def change(self, statement: str) -> None:
        """In what is built, which is thereby another build."""
        with duckdb.connect(str(self.warehouse.database)) as connection:
            connection.execute(statement)
            connection.execute(
                "update wholesale_bi.rpt_freshness set built_at = built_at + interval 1 second"
            )

    def publish(self, **options: Any) -> Published:
        return publish_marts(self.warehouse, self.place, **{"keep": 2} | options)

    @property
    def catalog(self) -> Catalog:
        return load_catalog("lake")

    def table(self, name: str) -> Table:
        with self.catalog as catalog:
            return catalog.load_table(name)

    def versions(self) -> list[Row]:
        rows = self.table("bi.versions").scan().to_arrow().to_pylist(maps_as_pydicts="strict")
        return sorted(rows, key=lambda row: str(row["version"]))

    def read(self, name: str, version: int | None = -1) -> pa.Table:
        """As that version's row of `versions` names it, or as the table itself is."""
        table = self.table(name)
        if version is None:
            return table.scan().to_arrow()
        return table.scan(snapshot_id=self.versions()[version]["snapshots"][name]).to_arrow()

    def numbers(self, version: int | None = -1, names: Sequence[str] = handmade.TABLES) -> set[int]:
        """Those that these tables of a version carry."""
        return {
            number for name in names for number in self.read(name, version)["number"].to_pylist()
        }


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    configure(
        monkeypatch,
        uri=f"sqlite:///{tmp_path}/catalog.db",
        warehouse=(tmp_path / "lake").as_uri(),
    )
    return Lake(tmp_path / "ours")


def files_of(lake: Lake, folder: Path) -> tuple[set[Path], set[Path]]:
    """The files of rows that are there, and those that snapshots of the tables name."""
    with lake.catalog as catalog:
        named = {
            Path(entry.data_file.file_path.removeprefix("file://"))
            for namespace in ("bi", "marts")
            for name in catalog.list_tables(namespace)
            if name != ("bi", "versions")
            for table in [catalog.load_table(name)]
            for snapshot in table.snapshots()
            for manifest in snapshot.manifests(table.io)
            for entry in manifest.fetch_manifest_entry(table.io)
        }
    return {path for path in folder.rglob("*.parquet") if "versions" not in path.parts}, named


def test_a_version_is_a_row_that_names_a_snapshot_of_each_table(lake: Lake) -> None:
    lake.build(7)
    published = lake.publish()

    in_force = published.in_force
    assert in_force
    assert published.result == "published"
    [row] = lake.versions()
    assert {name: row[name] for name in list(row)[:5]} == {
        "version": in_force.version,
        "run_id": "run 7",
        "verdict": "complete",
        "as_of": datetime(2026, 1, 1, 6, tzinfo=UTC),
        "published_at": datetime.fromisoformat(in_force.published_at),
    }
    assert json.loads(row["manifest"]) == in_force.as_dict() | {"dashboard_files": []}
    assert set(row["snapshots"]) == set(handmade.TABLES)
    for name, snapshot_id in row["snapshots"].items():
        snapshot = lake.table(name).current_snapshot()
        assert snapshot
        assert snapshot.summary
        assert snapshot.snapshot_id == snapshot_id
        assert {
            key.removeprefix("wholesale."): value
            for key, value in snapshot.summary.additional_properties.items()
            if key.startswith("wholesale.")
        } == {
            "version": in_force.version,
            "run-id": "run 7",
            "verdict": "complete",
            "as-of": "2026-01-01T06:00:00.000000Z",
        }
    assert lake.numbers() == lake.numbers(None) == {7}
    orders = lake.read("marts.fct_orders")
    assert orders.sort_by("order_id").slice(4_998).to_pylist() == [
        {"order_id": id, "total": Decimal(id), "number": 7} for id in (4_998, 4_999)
    ]


def test_the_same_build_is_published_once_and_what_is_the_same_keeps_its_snapshot(
    lake: Lake,
) -> None:
    lake.build(1)
    lake.publish()
    before = {
        name: lake.table(name).metadata_location for name in (*handmade.TABLES, "bi.versions")
    }
    assert lake.publish().result == "already published"
    assert before == {name: lake.table(name).metadata_location for name in before}

    lake.change("update wholesale_bi.rpt_headlines set number = 2")
    assert lake.publish().result == "published"
    former, row = lake.versions()
    assert {
        name for name in handmade.TABLES if former["snapshots"][name] != row["snapshots"][name]
    } == {
        "bi.rpt_freshness",
        "bi.rpt_headlines",
    }
    assert lake.numbers(-2) == {1}
    assert lake.numbers(-1) == lake.numbers(None) == {1, 2}


def test_what_came_from_another_service_is_refused_and_what_is_incomplete_withheld(
    lake: Lake,
) -> None:
    lake.build(1)
    lake.publish()
    lake.build(2, service="example.com/api/external/v1")
    with pytest.raises(ConfigurationError, match="came from another service"):
        lake.publish()
    lake.build(3, reason="moved")
    assert lake.publish().result == "withheld"
    assert (lake.numbers(), lake.numbers(None)) == ({1}, {1})

    lake.publish(is_even_if_incomplete=True)
    assert [(row["verdict"], row["run_id"]) for row in lake.versions()] == [
        ("complete", "run 1"),
        ("incomplete", "run 3"),
    ]


class Killed(BaseException):
    """The process is gone."""


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    """Lets a run die before its n-th call of the catalogue that writes."""
    left: list[int | None] = [None]

    def die_at(number: int | None) -> None:
        left[0] = number

    def watch(name: str) -> None:
        original = getattr(SqlCatalog, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            if left[0] is not None:
                left[0] -= 1
                if left[0] < 0:
                    raise Killed
            return original(*args, **kwargs)

        monkeypatch.setattr(SqlCatalog, name, watched)

    for name in ("create_namespace", "create_table", "commit_table", "drop_table"):
        watch(name)
    return die_at


@pytest.mark.slow
def test_a_publication_that_is_killed_anywhere_leaves_a_version_whole_and_the_next_clears_up(
    lake: Lake, dying: Callable[[int | None], None], tmp_path: Path
) -> None:
    names = handmade.TABLES[1:]
    lake.build(0)
    lake.publish(is_only_bi=True)
    last, seen = 0, []
    for number in itertools.count(1):
        lake.build(number)
        dying(number - 1)
        try:
            lake.publish(is_only_bi=True)
        except Killed:
            [found] = lake.numbers(names=names)
            assert found in (last, number)
            seen.append(found == number)
            last = found
        else:
            break
        finally:
            dying(None)
    # The claim, a snapshot of three tables, the row; then three tables are pointed to them, a row
    # goes, and old snapshots of four tables.
    assert seen == [False] * 5 + [True] * 8
    assert lake.numbers(names=names) == lake.numbers(None, names) == {number}

    lake.build(number + 1)
    lake.publish(is_only_bi=True)
    assert lake.numbers(-2, names) == {number}
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named
    assert len(there) == 2 * len(names)
    for name in names:
        assert {snapshot.snapshot_id for snapshot in lake.table(name).snapshots()} == {
            row["snapshots"][name] for row in lake.versions()
        }


def test_the_first_publication_may_be_killed_anywhere(
    lake: Lake, dying: Callable[[int | None], None]
) -> None:
    names = handmade.TABLES[1:]
    lake.build(1)
    for number in itertools.count():
        dying(number)
        try:
            lake.publish(is_only_bi=True)
        except Killed:
            continue
        finally:
            dying(None)
        break
    assert number > 5
    assert lake.numbers(names=names) == lake.numbers(None, names) == {1}
    assert lake.publish(is_only_bi=True).result == "already published"


def test_versions_beyond_keep_go_with_their_files_and_the_others_stay_as_they_were(
    lake: Lake, tmp_path: Path
) -> None:
    pruned = []
    first: Row = {}
    for number in range(1, 5):
        lake.build(number)
        pruned.append(lake.publish().pruned.removed)
        first = first or lake.versions()[0]

    assert [len(versions) for versions in pruned] == [0, 0, 1, 1]
    assert pruned[2] == [first["version"]]
    assert [lake.numbers(version) for version in range(len(lake.versions()))] == [{3}, {4}]
    assert (
        lake.table("marts.fct_orders").snapshot_by_id(first["snapshots"]["marts.fct_orders"])
        is None
    )
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named
    assert not [path for path in there if first["version"] in path.name]


def test_a_file_lives_as_long_as_a_snapshot_that_is_kept(lake: Lake, tmp_path: Path) -> None:
    lake.build(1)
    lake.publish()
    for number in range(2, 6):
        lake.change(f"update wholesale_bi.rpt_headlines set number = {number}")
        lake.publish()

    assert lake.read("marts.fct_orders")["number"].unique().to_pylist() == [1]
    assert len(lake.table("marts.fct_orders").snapshots()) == 1
    assert lake.read("bi.rpt_headlines", -2)["number"].to_pylist() == [4]


def test_what_a_run_that_dies_has_still_to_remove_goes_with_the_next(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise Killed

    for number in (1, 2):
        lake.build(number)
        lake.publish()
    lake.build(3)
    with monkeypatch.context() as patch:
        patch.setattr(PyArrowFileIO, "delete", die)
        with pytest.raises(Killed):
            lake.publish()
    there, named = files_of(lake, tmp_path / "lake")
    assert len(there - named) == 1

    lake.build(4)
    lake.publish()
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named
    assert len(there) == 2 * len(handmade.TABLES)


def test_a_table_that_no_kept_version_has_goes(lake: Lake) -> None:
    for number in range(1, 4):
        lake.build(number)
        lake.publish(is_only_bi=number > 1)
        if number == 2:
            assert lake.read("marts.fct_orders", -2)["number"].unique().to_pylist() == [1]
    with pytest.raises(NoSuchTableError):
        lake.table("marts.fct_orders")


def test_two_runs_at_once_do_not_mix_and_the_one_that_is_overtaken_says_so(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Lake(tmp_path / "theirs")
    lake.build(1)
    lake.publish()
    lake.build(2)
    other.build(3)
    stage, turns = staging.stage, itertools.count()

    def stage_late(*args: Any) -> int:
        if next(turns) == 2:
            other.publish()
        return stage(*args)

    monkeypatch.setattr("wholesale_elt.publish.iceberg.stage", stage_late)
    with pytest.raises(AlreadyRunning, match="another run publishes into iceberg:lake at the same"):
        lake.publish()
    assert lake.numbers() == lake.numbers(None) == {3}
    assert [lake.numbers(version) for version in (0, 1)] == [{1}, {3}]

    assert lake.publish().result == "published"
    assert [lake.numbers(version) for version in (0, 1)] == [{3}, {2}]
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named


def test_a_run_that_has_nothing_to_publish_takes_nothing_from_one_that_publishes(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = Lake(tmp_path / "idle")
    for number in (1, 2):
        lake.build(number)
        lake.publish()
    idle.build(2)
    lake.build(3)
    stage, results = staging.stage, []

    def stage_beside(*args: Any) -> int:
        snapshot = stage(*args)
        results.append(idle.publish().result)
        return snapshot

    monkeypatch.setattr("wholesale_elt.publish.iceberg.stage", stage_beside)
    lake.publish()
    assert results == ["already published"] * len(handmade.TABLES)
    assert [lake.numbers(version) for version in (0, 1)] == [{2}, {3}]
    assert lake.numbers(None) == {3}


def test_a_run_that_looked_before_another_one_published_is_refused(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Lake(tmp_path / "theirs")
    lake.build(1)
    other.build(2)

    lake.publish()
    is_whole = staging.is_whole
    turns = itertools.count()

    def is_whole_late(table: Table, snapshot_id: int) -> bool:
        if next(turns) == 0:
            other.publish()
        return is_whole(table, snapshot_id)

    lake.change("update wholesale_bi.rpt_headlines set number = 3")
    monkeypatch.setattr("wholesale_elt.publish.iceberg.is_whole", is_whole_late)
    with pytest.raises(AlreadyRunning):
        lake.publish()
    assert lake.numbers() == lake.numbers(None) == {2}


def test_a_clock_that_is_behind_puts_no_older_version_in_the_place_of_a_newer_one(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Behind(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Behind":
            return cls(2026, 1, 1, tzinfo=tz)

    lake.build(1)
    lake.publish()
    lake.build(2)
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "datetime", Behind)
        with pytest.raises(WholesaleError, match=r"iceberg:lake has a version .* clock"):
            lake.publish()
    assert lake.numbers() == {1}


def test_a_report_with_other_columns_changes_nothing_of_what_was(lake: Lake) -> None:
    changes = (
        "alter table wholesale_bi.rpt_headlines add column note varchar default 'a'",
        "alter table wholesale_bi.rpt_headlines drop column note",
        "create or replace table wholesale_bi.rpt_headlines as"
        " select [1.5::decimal(9, 2), null] as shares, true as note, * from"
        " wholesale_bi.rpt_headlines",
        "alter table wholesale_bi.rpt_headlines alter note type date using date '2026-01-02'",
    )
    lake.build(1)
    lake.publish(keep=9)
    for statement in changes:
        lake.change(statement)
        lake.publish(keep=9)

    row = {"currency": "EUR", "time_zone": "Europe/Vienna", "number": 1}
    shares = {"shares": [Decimal("1.50"), None]}
    expected: Sequence[Row] = (
        row,
        row | {"note": "a"},
        row,
        shares | {"note": True} | row,
        shares | {"note": date(2026, 1, 2)} | row,
    )
    table = lake.table("bi.rpt_headlines")
    for version, one in enumerate(expected):
        found = lake.read("bi.rpt_headlines", version)
        assert (found.column_names, found.to_pylist()) == (list(one), [one])
    assert table.scan().to_arrow().to_pylist() == [expected[-1]]
    assert table.scan(row_filter="note = '2026-01-02'").to_arrow().num_rows == 1


def test_a_run_that_stages_other_columns_and_dies_leaves_the_table_with_its_own(
    lake: Lake, dying: Callable[[int | None], None]
) -> None:
    lake.build(1)
    lake.publish()
    lake.change("alter table wholesale_bi.rpt_headlines add column note varchar default 'a'")
    dying(5)
    with pytest.raises(Killed):
        lake.publish()
    dying(None)
    assert len(lake.table("bi.rpt_headlines").snapshots()) == 2
    assert lake.read("bi.rpt_headlines", None).to_pylist() == [
        {"currency": "EUR", "time_zone": "Europe/Vienna", "number": 1}
    ]


def test_a_version_that_is_damaged_is_published_anew_and_a_table_that_others_changed_pointed_back(
    lake: Lake,
) -> None:
    lake.build(1)
    lake.publish()
    with lake.catalog as catalog:
        catalog.load_table("bi.rpt_sync_runs").delete("number = 1")
    assert lake.read("bi.rpt_sync_runs", None).num_rows == 0
    assert lake.publish().result == "already published"
    assert lake.numbers(None) == {1}

    [task] = lake.table("marts.fct_orders").scan().plan_files()
    Path(task.file.file_path.removeprefix("file://")).unlink()
    assert lake.publish().result == "published"
    assert lake.numbers() == lake.numbers(None) == {1}


def test_tables_of_others_are_left_alone_and_a_prefix_stands_beside_them(
    lake: Lake, tmp_path: Path
) -> None:
    with lake.catalog as catalog:
        catalog.create_namespace("marts")
        catalog.create_table("marts.fct_orders", pa.schema({"theirs": pa.string()}))
    lake.build(1)
    with pytest.raises(ConfigurationError, match=r"marts\.fct_orders .*iceberg:CATALOGUE/PREFIX"):
        lake.publish()
    with lake.catalog as catalog:
        assert catalog.list_tables("bi") == []

    for number, name in enumerate(("us", "them")):
        desk = Lake(tmp_path / name, f"iceberg:lake/{name}")
        desk.build(number)
        desk.publish()
    assert lake.table("us_bi.rpt_headlines").scan().to_arrow()["number"].to_pylist() == [0]
    assert lake.table("them_marts.fct_orders").scan().to_arrow()["number"][0].as_py() == 1
    assert lake.table("marts.fct_orders").schema().column_names == ["theirs"]


def test_a_table_of_others_that_came_later_is_left_alone(lake: Lake) -> None:
    lake.build(1)
    lake.publish(is_only_bi=True)
    with lake.catalog as catalog:
        catalog.create_table("marts.fct_orders", pa.schema({"theirs": pa.string()}))
    lake.build(2)
    lake.publish(is_only_bi=True)
    with pytest.raises(ConfigurationError, match=r"^marts\.fct_orders of iceberg:lake was made by"):
        lake.publish()
    assert lake.table("marts.fct_orders").schema().column_names == ["theirs"]
    assert lake.numbers(names=handmade.TABLES[1:]) == {2}


@pytest.mark.parametrize(
    ("place", "settings", "message"),
    [
        ("iceberg:other-one", {}, "set PYICEBERG_CATALOG__OTHER_ONE__URI .* .pyiceberg.yaml"),
        ("iceberg:", {}, "lacks the name of a catalogue"),
        ("iceberg:lake/a b", {}, "lacks the name .* iceberg:CATALOGUE or iceberg:CATALOGUE/PREFIX"),
        ("iceberg:lake", {"uri": "ftp://nowhere"}, "iceberg:lake cannot be used: Could not infer"),
    ],
)
def test_a_catalogue_that_cannot_be_one_is_refused_with_what_to_set(
    lake: Lake,
    place: str,
    settings: Mapping[str, str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure(monkeypatch, **settings)
    with pytest.raises(ConfigurationError, match=message):
        store_for(place)


def test_a_catalogue_that_does_not_answer_is_named(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, uri="sqlite:////nowhere/at/all.db")
    lake.build(1)
    with pytest.raises(
        CatalogUnreachable, match=r"^iceberg:lake cannot be read or written: .*unable to"
    ):
        lake.publish()


def test_without_pyiceberg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("wholesale_elt.iceberg")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delitem(sys.modules, "wholesale_elt.publish.iceberg")
    monkeypatch.setitem(sys.modules, "pyiceberg.catalog", None)
    with pytest.raises(ConfigurationError, match=r'pyiceberg.*pip install "\.\[iceberg\]"'):
        store_for("iceberg:lake")


@pytest.mark.slow
def test_a_catalogue_of_a_bucket_holds_the_same(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_s3(monkeypatch):
        files = make_bucket("lake")
        configure(
            monkeypatch,
            warehouse="s3://lake/of/us",
            s3__endpoint=os.environ["AWS_ENDPOINT_URL"],
            s3__region="eu-central-1",
        )
        for number in range(1, 4):
            lake.build(number)
            assert lake.publish(is_only_bi=True).result == "published"
        assert lake.publish(is_only_bi=True).result == "already published"

        names = handmade.TABLES[1:]
        assert [lake.numbers(version, names) for version in (0, 1)] == [{2}, {3}]
        assert lake.numbers(None, names) == {3}
        rows = fs.FileSelector("lake/of/us/bi", recursive=True)
        there = {
            info.base_name for info in files.get_file_info(rows) if info.path.endswith(".parquet")
        }
        assert {row["version"] for row in lake.versions()} == {
            name.removesuffix(".parquet") for name in there if name[8] == "T"
        }

"""What did not change is not written again: the next version has the same files of it."""

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.desks import Desk
from support.warehouses.handmade import ORDERS
from support.warehouses.marts import Marts
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.publish.tables import writing as tables

LATER = (
    "update wholesale_bi.rpt_freshness set built_at = built_at + interval '15 minutes',"
    " lag_seconds = 7"
)
AN_ORDER = (
    "update wholesale_marts.fct_orders"
    " set order_status = case order_status when 'shipped' then 'confirmed' else 'shipped' end"
    " where order_id in (select min(order_id) from wholesale_marts.fct_orders)"
)
COMPARED = {"news.js", "changes.js"}
"""What the dashboard tells of the version before."""


class Place:
    """A warehouse that is published again and again; `first` is the manifest of its first
    version."""

    def __init__(self, marts: Marts, folder: Path, first: Path) -> None:
        self.marts, self.folder = marts.copy(folder / "warehouse"), folder / "published"
        shutil.copytree(first, self.folder, symlinks=True)
        self.first = current(self.folder)

    def publish(self) -> dict[str, Any]:
        assert publish_marts(self.marts.warehouse, str(self.folder)).result == "published"
        return current(self.folder)

    def forget(self, **changes: Any) -> None:
        """Have the manifest in force say something else."""
        told = {**self.first, **changes}
        (self.folder / "current.json").write_text(json.dumps(told), "utf-8")

    def publish_anew(self) -> dict[str, Any]:
        """What a first version would be: its content."""
        anew = self.folder.with_name("anew")
        assert publish_marts(self.marts.warehouse, str(anew)).result == "published"
        return content(anew, current(anew))

    def linked(self, one: dict[str, Any], other: dict[str, Any]) -> dict[str, bool]:
        """For each file of both versions, by its path there, whether it is the same file."""
        files, others = files_of(one), files_of(other)
        return {
            path: (self.folder / files[path]).samefile(self.folder / others[path])
            for path in files.keys() & others.keys()
        }


def current(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "current.json").read_text("utf-8"))
    return found


def files_of(manifest: dict[str, Any]) -> dict[str, str]:
    """The files of a version: their paths in it, and in the published folder."""
    named = (manifest["database"], *manifest["tables"], *manifest["dashboard_files"])
    return {file["path"].split("/", 2)[2]: file["path"] for file in named}


def content(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """The rows of every table, and every data file of the dashboard that tells of them alone."""
    found: dict[str, Any] = {}
    with duckdb.connect(str(folder / manifest["database"]["path"]), read_only=True) as connection:
        for table in manifest["tables"]:
            name = f"{table['schema']}.{table['table']}"
            for source in (name, f"'{folder / table['path']}'"):
                rows = connection.execute(f"from {source} order by all").fetchall()
                assert found.setdefault(name, rows) == rows
    data = folder / Path(manifest["dashboard"]).parent / "data"
    return found | {
        str(path.relative_to(data)): path.read_bytes()
        for path in data.rglob("*.js")
        if path.name not in {"meta.js", *COMPARED}
    }


@pytest.fixture(scope="module")
def later(
    built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """What a first version of another moment would be."""
    place = Place(built, tmp_path_factory.mktemp("later"), published)
    place.marts.change(LATER)
    return place.publish_anew()


@pytest.fixture
def place(built: Marts, published: Path, tmp_path: Path) -> Place:
    return Place(built, tmp_path, published)


def test_of_what_only_tells_another_moment_all_but_that_are_the_same_files_even_once_alone(
    place: Place, later: dict[str, Any]
) -> None:
    place.marts.change(LATER)

    second = place.publish()

    assert (second["built_at"], second["as_of"]) > (place.first["built_at"], place.first["as_of"])
    linked = place.linked(place.first, second)
    assert linked.keys() == files_of(place.first).keys() == files_of(second).keys()
    assert {path for path in linked if not linked[path]} == {
        *("wholesale.duckdb", "parquet/wholesale_bi/rpt_freshness.parquet", "data/health.js"),
        "data/reports/rpt_freshness.js",
        *("data/meta.js", "latest.js", "entry.html", "top.html"),
        *(f"data/{name}" for name in COMPARED),
    }
    assert content(place.folder, second) == later

    publish_marts(place.marts.warehouse, str(place.folder), keep=1)

    assert content(place.folder, current(place.folder)) == later
    assert not (place.folder / "versions" / place.first["version"]).exists()


def test_a_change_is_in_every_file_that_shows_it_and_all_others_are_the_same(place: Place) -> None:
    before = content(place.folder, place.first)
    place.marts.change(LATER, AN_ORDER)

    second = place.publish()

    after = content(place.folder, second)
    linked = place.linked(place.first, second)
    facts = {name for name in before if name.startswith("facts/")}
    assert {name for name in facts if not linked[f"data/{name}"]} == {
        name for name in facts if before[name] != after[name]
    }
    months = {name for name in facts if name.startswith("facts/states-")}
    assert sum(before[name] != after[name] for name in months) == 1
    assert after == place.publish_anew()
    assert content(place.folder, place.first) == before


def test_a_file_that_somebody_changed_or_removed_is_written_anew(
    place: Place, later: dict[str, Any]
) -> None:
    """Also beside others of its folder, which are links then, and stay as they are."""
    files = files_of(place.first)
    lost, *kept = sorted(path for path in files if path.startswith("data/facts/more-"))
    changed = ("wholesale.duckdb", "parquet/wholesale_bi/rpt_orders.parquet", "data/buyers.js")
    for path in (place.folder / files[name] for name in changed):
        path.chmod(0o644)
        path.write_bytes(b"changed" + path.read_bytes()[7:])
    (place.folder / files[lost]).unlink()
    written = {path: (place.folder / files[path]).stat().st_mtime_ns for path in kept}
    place.marts.change(LATER)

    second = place.publish()

    assert written
    assert {path: (place.folder / files[path]).stat().st_mtime_ns for path in kept} == written
    assert content(place.folder, second) == later


def numbers(database: Path) -> set[tuple[int, int]]:
    """The rows and the number of the table of orders."""
    with duckdb.connect(str(database), read_only=True) as connection:
        sql = "select count(*), number from wholesale_marts.fct_orders group by number"
        return set(connection.execute(sql).fetchall())


@pytest.mark.parametrize("most_changed", [5, 0])
def test_a_table_with_other_rows_is_replaced_whether_or_not_the_file_is_a_copy(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, most_changed: int
) -> None:
    monkeypatch.setattr(tables, "MOST_CHANGED", most_changed)
    desk.build(1)
    desk.publish()
    first = desk.current()["database"]["path"]
    desk.build(2)
    with duckdb.connect(str(desk.warehouse.database)) as connection:
        connection.execute("delete from wholesale_marts.fct_orders where order_id = 0")

    desk.publish()

    assert numbers(desk.folder / desk.current()["database"]["path"]) == {(ORDERS - 1, 2)}
    assert numbers(desk.folder / first) == {(ORDERS, 1)}


def test_other_columns_may_be_published_and_nothing_is_taken_over(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIVACY__PUBLISHED", '["dim_buyers.email"]')

    second = place.publish()

    assert not any(place.linked(place.first, second).values())


def test_what_other_code_published_is_made_anew_though_the_build_is_the_same(place: Place) -> None:
    """A checkout may have other code of the same release: its data are not for these scripts."""
    place.forget(made_with="other code")

    second = place.publish()

    assert not any(place.linked(place.first, second).values())
    assert content(place.folder, second) == content(place.folder, place.first)


def test_a_setting_of_the_dashboard_is_published_though_the_build_is_the_same(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASHBOARD__COMPANY", "Umber & Co")

    second = place.publish()

    assert "Umber &amp; Co" in (place.folder / second["dashboard"]).read_text("utf-8")
    assert publish_marts(place.marts.warehouse, str(place.folder)).result == "already published"


def test_a_folder_that_the_version_in_force_lacks_is_written(place: Place) -> None:
    files = place.first["dashboard_files"]
    place.forget(dashboard_files=[each for each in files if "/purchases/" not in each["path"]])
    place.marts.change(LATER)

    second = place.publish()

    assert files_of(second).keys() == files_of(place.first).keys()
    assert any("/purchases/" in path for path in files_of(second))


def test_each_table_is_told_of_once_whatever_is_taken_over(desk: Desk) -> None:
    told: list[tuple[int, int, str]] = []
    desk.build(1)
    for change in ("number = 2", "order_id = order_id"):
        told.clear()
        desk.publish(observe=lambda *step: told.append(step))

        names = [table["table"] for table in desk.current()["tables"]]
        assert told == [(number, len(names), name) for number, name in enumerate(names, start=1)]
        with duckdb.connect(str(desk.warehouse.database)) as connection:
            connection.execute(f"update wholesale_marts.fct_orders set {change}")
            connection.execute(
                "update wholesale_bi.rpt_freshness set built_at = built_at + interval 1 second"
            )


def test_a_small_account_takes_little_space(place: Place) -> None:
    # For readers with DuckDB 1.1, DuckDB 2 writes 3 KB about the values of each column.
    most = 5_000_000 if duckdb.__version__.startswith("1.") else 9_000_000
    assert (place.folder / place.first["database"]["path"]).stat().st_size < most


@pytest.mark.parametrize(("few", "block_size"), [(ORDERS + 4, 16_384), (ORDERS + 3, 262_144)])
def test_a_file_of_many_rows_has_large_blocks(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, few: int, block_size: int
) -> None:
    monkeypatch.setattr(tables, "FEW_ROWS", few)
    desk.build(1)
    desk.publish()

    with duckdb.connect(str(desk.folder / "wholesale.duckdb"), read_only=True) as connection:
        found = connection.execute("select block_size from pragma_database_size()").fetchall()
    assert found == [(block_size,)]

"""What did not change is not written again: the next version has the same files of it."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow.parquet
import pytest

from support.warehouses.marts import Marts
from wholesale_elt.publish.manifest import describe_file
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.publish.tables import parquet
from wholesale_elt.publish.tables.chunks import read_row_group
from wholesale_elt.publish.tables.pieces import read_pieces
from wholesale_elt.publish.tables.sources import PartDigest

LATER = (
    "update wholesale_bi.rpt_freshness set built_at = built_at + interval '15 minutes',"
    " lag_seconds = 7"
)
AN_ORDER = (
    "update wholesale_bi.rpt_orders set order_status = 'lost' where order_id in"
    " (select min(order_id) from wholesale_bi.rpt_orders)"
)
THE_SAME_ORDER_TWICE = (
    "insert into wholesale_bi.rpt_orders from wholesale_bi.rpt_orders"
    " where order_id = (select min(order_id) from wholesale_bi.rpt_orders)"
)
EVERY_ORDER = (
    "update wholesale_bi.rpt_orders set order_status = 'lost'",
    "update wholesale_marts.fct_order_lines set quantity = quantity + 1",
)


class Places:
    """A warehouse that is published into one folder again and again, and anew into others; `first`
    is the manifest of the version that is there from the start."""

    def __init__(self, marts: Marts, folder: Path, first: Path) -> None:
        self.marts, self.folder = marts.copy(folder / "warehouse"), folder
        shutil.copytree(first, folder / "published", symlinks=True)
        self.first = self._manifest("published")

    def publish(self, place: str = "published") -> dict[str, Any]:
        assert publish_marts(self.marts.warehouse, str(self.folder / place)).result == "published"
        return self._manifest(place)

    def files(self, manifest: dict[str, Any]) -> dict[str, int]:
        """The inode of each file of a version, by its path there."""
        paths = [entry["path"] for entry in (*manifest["tables"], *manifest["dashboard_files"])]
        return {
            path.split("/", 2)[2]: (self.folder / "published" / path).stat().st_ino
            for path in paths
        }

    def pieces(self, manifest: dict[str, Any], table: str) -> dict[PartDigest, bytes]:
        """The bytes of each piece of a Parquet file."""
        (entry,) = (entry for entry in manifest["tables"] if entry["table"] == table)
        pieces = read_pieces(self.folder / "published" / entry["path"])
        found = {
            part: piece.path.read_bytes()[piece.start : piece.start + piece.size]
            for part, piece in pieces.items()
        }
        assert all(found.values())
        return found

    def columns(self, manifest: dict[str, Any], table: str) -> dict[PartDigest, dict[str, bytes]]:
        """The bytes of each column of each piece of a Parquet file."""
        (entry,) = (entry for entry in manifest["tables"] if entry["table"] == table)
        path = self.folder / "published" / entry["path"]
        content, names = path.read_bytes(), pyarrow.parquet.read_schema(path).names
        found = {}
        for part, piece in read_pieces(path).items():
            chunks = [
                [chunk.pages for chunk in read_row_group(path, content_of).chunks]
                for content_of in piece.row_groups
            ]
            found[part] = {
                name: b"".join(content[start : start + size] for start, size in places)
                for name, *places in zip(names, *chunks, strict=True)
            }
        return found

    def index_pages(self, manifest: dict[str, Any], table: str) -> None:
        """Write the Parquet file of a table as a writer does that keeps an index of its pages."""
        (entry,) = (entry for entry in manifest["tables"] if entry["table"] == table)
        path = self.folder / "published" / entry["path"]
        whole = pyarrow.parquet.ParquetFile(path)
        with pyarrow.parquet.ParquetWriter(
            partial := path.with_suffix(".indexed"), whole.schema_arrow, write_page_index=True
        ) as writer:
            writer.add_key_value_metadata(whole.metadata.metadata)
            for number in range(whole.num_row_groups):
                writer.write_table(whole.read_row_group(number))
        partial.replace(path)
        file = describe_file(path.parent, path)
        entry |= {"bytes": file.bytes, "sha256": file.sha256}
        current = self.folder / "published" / "current.json"
        current.write_text(json.dumps(manifest), "utf-8")

    def content(self, place: str, manifest: dict[str, Any]) -> dict[str, Any]:
        """The rows of every table and the text of every file of data but that on the version."""
        version = self.folder / place / "versions" / manifest["version"]
        found: dict[str, Any] = {}
        with duckdb.connect(str(version / "wholesale.duckdb"), read_only=True) as connection:
            for table in manifest["tables"]:
                name = f"{table['schema']}.{table['table']}"
                file = version / f"parquet/{table['schema']}/{table['table']}.parquet"
                for source in (name, f"'{file}'"):
                    rows = connection.execute(f"from {source} order by all").fetchall()
                    assert found.setdefault(name, rows) == rows
        data = self.folder / place / Path(manifest["dashboard"]).parent / "data"
        for path in data.rglob("*.js"):
            if path.name != "meta.js":
                found[str(path.relative_to(data))] = path.read_text("utf-8")
        return found

    def _manifest(self, place: str) -> dict[str, Any]:
        current = (self.folder / place / "current.json").read_text("utf-8")
        found: dict[str, Any] = json.loads(current)
        return found


@pytest.fixture(scope="module", autouse=True)
def small_pieces() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "LEAST_IN_PIECES", 380)
        yield


@pytest.fixture(scope="module")
def first(built: Marts, small_pieces: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the warehouse was published once; only to be copied."""
    folder = tmp_path_factory.mktemp("first")
    marts = built.copy(folder / "warehouse")
    assert publish_marts(marts.warehouse, str(folder / "published")).result == "published"
    return folder / "published"


@pytest.fixture
def places(built: Marts, first: Path, tmp_path: Path) -> Places:
    return Places(built, tmp_path, first)


@pytest.mark.slow
def test_of_what_only_tells_another_moment_all_but_that_are_the_same_files(places: Places) -> None:
    first = places.first
    files = places.files(first)
    places.marts.change(LATER)

    second = places.publish()

    assert (second["built_at"], second["as_of"]) > (first["built_at"], first["as_of"])
    assert second["version"] > first["version"]
    after = places.files(second)
    assert after.keys() == files.keys()
    written = {path for path in files if after[path] != files[path] and "data/" in path}
    assert written == {"data/health.js", "data/meta.js", "data/daily.js", "data/definitions.js"}
    assert {path for path in files if after[path] != files[path] and "parquet" in path} == {
        "parquet/bi/rpt_freshness.parquet"
    }
    assert places.content("published", second) == places.content("anew", places.publish("anew"))


@pytest.mark.parametrize(
    "changes",
    [
        (AN_ORDER,),
        pytest.param((THE_SAME_ORDER_TWICE,), marks=pytest.mark.slow),
        pytest.param(EVERY_ORDER, marks=pytest.mark.slow),
    ],
)
def test_a_change_is_in_every_file_that_shows_it(places: Places, changes: tuple[str, ...]) -> None:
    first = places.first
    before = places.content("published", first)
    places.marts.change(LATER, *changes)

    second = places.publish()

    after = places.content("published", second)
    assert after == places.content("anew", places.publish("anew"))
    assert any(after[name] != before[name] for name in before if name.startswith("orders/"))
    # The version before is as it was.
    assert places.content("published", first) == before


@pytest.mark.slow
def test_rates_are_not_packed_also_in_a_file_that_is_made_of_the_last_one(places: Places) -> None:
    require_rates_unpacked(places.marts.warehouse.database, "wholesale_bi")
    require_rates_unpacked(places.folder / "published" / places.first["database"]["path"], "bi")
    for statements in ((LATER, AN_ORDER), (LATER, *EVERY_ORDER)):
        places.marts.change(*statements)
        version = places.folder / "published" / places.publish()["database"]["path"]
        require_rates_unpacked(version, "bi")


def require_rates_unpacked(file: Path, schema: str) -> None:
    with duckdb.connect(str(file), read_only=True) as connection:
        packed = connection.execute(
            f"select column_name from pragma_storage_info('{schema}.rpt_sales_by_period')"
            " where compression = 'BitPacking'"
        ).fetchall()
        rates = connection.execute(
            "select column_name from duckdb_columns()"
            " where table_name = 'rpt_sales_by_period' and data_type = 'DECIMAL(38,6)'"
        ).fetchall()
    assert ("sales_amount",) in packed
    assert rates
    assert not {*packed} & {*rates}


@pytest.mark.slow
def test_months_in_which_no_order_changed_keep_their_files(places: Places) -> None:
    first = places.first
    files, before = places.files(first), places.content("published", first)
    places.marts.change(LATER, AN_ORDER)

    second = places.publish()

    inodes, after = places.files(second), places.content("published", second)
    months = {name for name in before if name.startswith(("orders/", "items/"))}
    changed = {name for name in months if after[name] != before[name]}
    assert len(months) > 2
    assert len(changed) == 1
    assert {name for name in months if inodes[f"data/{name}"] != files[f"data/{name}"]} == changed


def test_quarters_in_which_no_order_changed_keep_their_bytes_in_parquet(places: Places) -> None:
    first = places.first
    places.marts.change(
        LATER,
        "update wholesale_bi.rpt_orders set order_status = 'lost'"
        " where ordered_date = (select max(ordered_date) from wholesale_bi.rpt_orders)",
    )
    second = places.publish()

    before, after = (places.pieces(version, "rpt_orders") for version in (first, second))
    assert len(before) == len(after) > 2
    assert before.keys() - after.keys() == {max(before)}
    assert all(before[part] == after[part] for part in before.keys() & after.keys())


@pytest.mark.slow
def test_columns_without_another_cell_keep_their_bytes_in_parquet(places: Places) -> None:
    first = places.first
    before = places.columns(first, "rpt_orders")
    places.marts.change(
        LATER,
        # Written again, the rows stand at the end of the table, and the piece keeps their places.
        "create table wholesale_bi.written as from wholesale_bi.rpt_orders using sample 20",
        "delete from wholesale_bi.rpt_orders where order_id in"
        " (select order_id from wholesale_bi.written)",
        "insert into wholesale_bi.rpt_orders select * replace ('lost' as order_status,"
        " total + 0.125 as total) from wholesale_bi.written",
        "drop table wholesale_bi.written",
    )
    second = places.publish()

    after = places.columns(second, "rpt_orders")
    assert [part.number for part in after] == [part.number for part in before]
    changed = [
        {name for name in was if was[name] != now[name]}
        for (part, was), now in zip(before.items(), after.values(), strict=True)
        if part not in after
    ]
    assert len(changed) > 2
    assert all(names == {"order_status", "total"} for names in changed)
    assert places.content("published", second) == places.content("anew", places.publish("anew"))


@pytest.mark.slow
def test_rows_that_their_key_does_not_tell_apart_are_altered_all_the_same(places: Places) -> None:
    places.marts.change(LATER, THE_SAME_ORDER_TWICE)
    places.publish()
    one_of_both = (
        "update wholesale_bi.rpt_orders set order_status = 'lost'"
        " where rowid = (select max(rowid) from wholesale_bi.rpt_orders)"
    )
    for number, change in enumerate((one_of_both, AN_ORDER.replace("lost", "found"))):
        places.marts.change(LATER, change)
        version = places.publish()
        anew = f"anew {number}"
        assert places.content("published", version) == places.content(anew, places.publish(anew))


@pytest.mark.slow
def test_a_table_whose_last_pieces_have_an_index_of_their_pages_is_written_whole(
    places: Places,
) -> None:
    first = places.first
    places.index_pages(first, "rpt_orders")
    pieces = places.pieces(first, "rpt_orders")
    places.marts.change(LATER, AN_ORDER)

    second = places.publish()

    assert len(pieces) > 2
    assert not places.pieces(second, "rpt_orders")
    assert places.content("published", second) == places.content("anew", places.publish("anew"))
    places.marts.change(LATER, AN_ORDER.replace("lost", "found"))
    assert places.pieces(places.publish(), "rpt_orders").keys() & pieces.keys()


@pytest.mark.slow
def test_months_of_reports_that_did_not_change_keep_their_files(places: Places) -> None:
    first = places.first
    files, before = places.files(first), places.content("published", first)
    places.marts.change(
        LATER,
        "update wholesale_bi.rpt_geography set sales_amount = sales_amount + 1"
        " where month_start = (select max(month_start) from wholesale_bi.rpt_geography)",
    )
    second = places.publish()

    inodes, after = places.files(second), places.content("published", second)
    months = {name for name in before if name.startswith("months/")}
    changed = {name for name in months if after[name] != before[name]}
    assert (len(months) > 2, len(changed)) == (True, 1)
    assert {name for name in months if inodes[f"data/{name}"] != files[f"data/{name}"]} == changed
    assert after == places.content("anew", places.publish("anew"))


@pytest.mark.slow
def test_a_file_of_the_version_in_force_is_written_by_no_later_one(places: Places) -> None:
    first = places.first
    data = places.folder / "published" / Path(first["dashboard"]).parent / "data"
    lost, *kept = sorted(data.glob("trend/*.js"))
    written = {path: path.stat().st_mtime_ns for path in kept}
    lost.unlink()
    places.marts.change(LATER, AN_ORDER)

    second = places.publish()

    assert kept
    assert {path: path.stat().st_mtime_ns for path in kept} == written
    assert places.content("published", second) == places.content("anew", places.publish("anew"))


def few_changes(choice: Random, numbers: range) -> list[str]:
    """So many of all that may become of a few rows: they change, go, come, come twice, move."""
    tables = ["wholesale_bi.rpt_orders", "wholesale_marts.fct_order_lines"]
    return [
        choice.choice(
            [
                "update {table} set order_status = '{number}' where {few}",
                "update {table} set ordered_date = date '2024-01-01' + {number} where {few}",
                "update {table} set ordered_date = null where {few}",
                "delete from {table} where {few}",
                "insert into {table} select * replace ('{number}' as order_id) from {table}"
                " where {few}",
                "insert into {table} from {table} where {few}",
            ]
        ).format(
            table=choice.choice(tables),
            number=number,
            few=f"hash(order_id) % 97 = {choice.randrange(97)}",
        )
        for number in numbers
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_after_any_few_changes_a_version_is_as_if_it_were_the_first(
    places: Places, seed: int
) -> None:
    choice = Random(seed)
    for number in range(3):
        places.marts.change(LATER, *few_changes(choice, range(3 * number, 3 * number + 3)))
        version = places.publish()

    assert places.content("published", version) == places.content("anew", places.publish("anew"))


@pytest.mark.slow
def test_a_file_that_somebody_changed_is_not_taken_over(places: Places) -> None:
    first = places.first
    version = places.folder / "published" / "versions" / first["version"]
    changed = [
        version / "wholesale.duckdb",
        version / "parquet/bi/rpt_orders.parquet",
        places.folder / "published" / Path(first["dashboard"]).with_name("data") / "buyers.js",
    ]
    for path in changed:
        os.chmod(path, 0o644)
        path.write_bytes(b"changed" + path.read_bytes()[7:])
    places.marts.change(LATER)

    second = places.publish()

    assert places.content("published", second) == places.content("anew", places.publish("anew"))


@pytest.mark.slow
def test_other_columns_may_be_published_and_nothing_is_taken_over(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = places.files(places.first)
    monkeypatch.setenv("PRIVACY__PUBLISHED", '["dim_buyers.email"]')

    after = places.files(places.publish())

    assert not set(files.values()) & set(after.values())


@pytest.mark.slow
def test_versions_that_are_removed_leave_the_files_of_those_that_are_kept(places: Places) -> None:
    first = places.first
    before = places.content("published", first)
    for _ in range(3):
        places.marts.change(LATER)
        publish_marts(places.marts.warehouse, str(places.folder / "published"), keep=1)

    current = json.loads((places.folder / "published" / "current.json").read_text("utf-8"))
    after = places.content("published", current)
    assert [name for name in before if before[name] != after[name]] == [
        *("bi.rpt_freshness", "health.js")
    ]
    assert not (places.folder / "published" / "versions" / first["version"]).exists()


@pytest.mark.slow
def test_each_file_and_table_is_told_of_once_whatever_is_taken_over(places: Places) -> None:
    told: list[tuple[int, int, str]] = []
    for statements in ((), (LATER,), (LATER, *EVERY_ORDER)):
        places.marts.change(*statements)
        told.clear()
        published = publish_marts(
            places.marts.warehouse,
            str(places.folder / "told of"),
            lambda *step: told.append(step),
        )

        assert published.in_force
        names = sorted(table.table for table in published.in_force.tables)
        numbers = sorted(number for number, _, _ in told)
        assert numbers == list(range(1, 2 * len(names) + 1))
        assert {of for _, of, _ in told} == {2 * len(names)}
        assert sorted(name for _, _, name in told) == sorted(2 * names)

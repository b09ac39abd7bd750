"""Erasing in other destinations than a DuckDB file: tables, and what lies beneath them."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import psycopg2
import pytest
from pyarrow import fs

from support.few import by_hand, few
from support.records.people import MARK, world
from support.records.samples import guid
from support.warehouses.destinations import Place
from wholesale_elt.models.running import Built
from wholesale_elt.warehouse.compaction import compact
from wholesale_erasure import erasing
from wholesale_erasure.erasing import erase
from wholesale_erasure.receipt import verify
from wholesale_sandbox.server import Sandbox

OURS = ("buyers", "buyer_users", "orders", "vendors")
OF_B1 = ("-B1", "-P1", "-P2", "-O1", "-O2")


def fill(sandbox: Sandbox, place: Place) -> None:
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    place.load(*OURS)


def ends_in(text: str) -> list[str]:
    """How marked values end that stand in it."""
    return [end for end in OF_B1 if re.search(f"{MARK}-[a-z_]+{end}", text)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "destination", ["postgres", "lake", by_hand("ducklake"), by_hand("ducklake in postgres and s3")]
)
def test_of_a_buyer_nothing_is_left_in_any_table_and_later_syncs_bring_nothing_back(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place = place_in(destination)
    fill(sandbox, place)
    assert ends_in(str(place.contents())) == list(OF_B1)

    receipt = erase(place.warehouse, guid("B1"))

    assert receipt.searched.keys() == {"wholesale_raw"}
    assert receipt.searched["wholesale_raw"] > len(OURS)
    assert ends_in(str(place.contents())) == []
    assert verify(receipt, place.warehouse) == []
    left = place.contents()["buyers"], place.contents()["orders"]
    place.load(*OURS, is_full=True)
    assert (place.contents()["buyers"], place.contents()["orders"]) == left


@pytest.mark.slow
@pytest.mark.parametrize("destination", few(["ducklake", "lake"], 1))
def test_no_state_and_no_file_of_a_lake_has_them_any_more(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str, tmp_path: Path
) -> None:
    place = place_in(destination)
    fill(sandbox, place)
    before = written(tmp_path)
    assert ends_in(before) == list(OF_B1)

    erase(place.warehouse, guid("B1"))

    after = written(tmp_path)
    assert ends_in(after) == []
    assert "zq-name-P3" in after


@pytest.mark.slow
def test_no_table_of_a_server_and_no_object_of_a_bucket_has_them_any_more(
    sandbox: Sandbox, place_in: Callable[[str], Place], tmp_path: Path
) -> None:
    place = place_in("ducklake in postgres and s3")
    fill(sandbox, place)
    compact(place.warehouse)  # small changes stand in the catalogue until then
    before = in_server_and_bucket(place, tmp_path / "before")
    assert ends_in(before) == list(OF_B1)

    erase(place.warehouse, guid("B1"))

    after = in_server_and_bucket(place, tmp_path / "after")
    assert ends_in(after) == []
    assert list((tmp_path / "before").rglob("*.parquet"))
    assert "zq-name-P3" in after


def in_server_and_bucket(place: Place, folder: Path) -> str:
    """All rows of the catalogue of a lake, and what its files hold."""
    storage = place.environment["DESTINATION__DUCKLAKE__STORAGE"]
    objects, bucket = fs.FileSystem.from_uri(storage.removesuffix("/of/us"))
    fs.copy_files(bucket, str(folder), source_filesystem=objects)
    catalogue = place.environment["DESTINATION__DUCKLAKE__CATALOG"]
    with closing(psycopg2.connect(catalogue)) as server, server.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where tablename like 'ducklake%'")
        texts = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'select * from "{table}"')
            texts.append(str(cursor.fetchall()))
    return "\n".join([*texts, written(folder)])


@pytest.mark.slow
def test_models_of_a_lake_are_in_its_copy_which_an_erasure_keeps(
    sandbox: Sandbox, place_in: Callable[[str], Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = place_in("lake")
    fill(sandbox, place)
    copy = place.warehouse.state_folder / "copy.duckdb"
    with duckdb.connect(str(copy)) as connection:
        connection.execute("create schema wholesale_bi; create table wholesale_bi.rpt as select 1")
    built = Built(1, 0, [])
    monkeypatch.setattr(erasing, "build_models", lambda warehouse, is_full: built)

    receipt = erase(place.warehouse, guid("B1"))

    assert (receipt.models, receipt.state_files) == ("1 were built anew", 0)
    assert ends_in(copy.read_bytes().decode("latin-1")) == []


def written(folder: Path) -> str:
    """What the files of a lake hold: text in Parquet may be packed, values in statistics not."""
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            texts.append(str(duckdb.sql(f"from '{path}'").fetchall()))
        if path.is_file():
            texts.append(path.read_bytes().decode("latin-1"))
    return "\n".join(texts)

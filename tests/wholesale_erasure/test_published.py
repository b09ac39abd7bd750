"""Erasing from models and published versions: what others bought stays what it was."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import pytest
from pyarrow import fs
from pyiceberg import catalog as pyiceberg_catalog
from pyiceberg.catalog import load_catalog
from pyiceberg.utils.config import Config

import wholesale_elt.publish.publisher as publishing
from conftest import Loader
from support.records.people import marked, world
from support.records.samples import guid
from support.services.s3 import make_bucket, serving_s3
from support.warehouses import handmade
from support.warehouses.added import add
from support.warehouses.marts import Marts, Row
from wholesale.errors import ConfigurationError
from wholesale_elt.models.running import Built
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_erasure import erasing
from wholesale_erasure.erasing import erase
from wholesale_erasure.mentions import MADE, Mention
from wholesale_erasure.receipt import verify
from wholesale_sandbox.server import Sandbox

SALES = (
    "select buyer_id, order_status, count(*), sum(total), min(ordered_at), max(ordered_at)"
    " from {}.fct_orders group by all order by all"
)
TOTALS = "select order_count, sales_amount from {}.rpt_headlines"


def values_of(marts: Marts, buyer: str) -> set[str]:
    """What only the records of that buyer and its people say."""
    said: set[Row] = set()
    for table, key in (("buyers", "id"), ("buyer_users", "buyer_id")):
        names = "email, " + ("company_name, phone" if table == "buyers" else "full_name, email")
        rows = marts.rows(f"select {names} from wholesale_raw.{table} where {key} = '{buyer}'")
        said.update(rows)
    return {str(value) for row in said for value in row if value}


def found_in(file: Path, values: set[str]) -> set[str]:
    """Which of these stand in a DuckDB file, whatever table or column."""
    with duckdb.connect(str(file), read_only=True) as connection:
        tables = connection.execute(
            "select schema_name, table_name from duckdb_tables() union"
            " select schema_name, view_name from duckdb_views() where not internal"
        ).fetchall()
        text = "\n".join(
            str(connection.execute(f'from "{schema}"."{table}"').fetchall())
            for schema, table in tables
        )
    return {value for value in values if value in text}


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sequence[str]]:
    """A folder, a bucket and a catalogue whose files lie in a folder."""
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    monkeypatch.setenv("PRIVACY__PUBLISHED", "all")
    monkeypatch.setenv("PYICEBERG_CATALOG__OURS__URI", f"sqlite:///{tmp_path}/ours.db")
    monkeypatch.setenv("PYICEBERG_CATALOG__OURS__WAREHOUSE", str(tmp_path / "ours"))
    monkeypatch.setattr(pyiceberg_catalog, "_ENV_CONFIG", Config())
    with serving_s3(monkeypatch):
        make_bucket("ours")
        yield [str(tmp_path / "published"), "s3://ours/reports", "iceberg:ours"]


def build(loader: Loader, number: int) -> None:
    """Marts by hand, one of which tells of people."""
    loader.execute("create or replace table kept as from sync_runs")
    handmade.build(loader.warehouse.database, number)
    loader.execute("create or replace table sync_runs as from kept; drop table kept")
    loader.execute(
        "create or replace table wholesale_marts.dim_buyers as"
        f" select id as buyer_id, email, {number} as number from buyers"
    )


@pytest.mark.slow
def test_every_place_has_one_version_and_no_byte_of_another(
    sandbox: Sandbox,
    loader: Loader,
    tmp_path: Path,
    places: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    loader.load("buyers", "buyer_users", "orders", "vendors")
    for number in (1, 2):
        build(loader, number)
        for place in places:
            assert publish_marts(loader.warehouse, place).result == "published"

    def build_anew(warehouse: Warehouse, *, is_full: bool) -> Built:
        build(loader, 3)
        return Built(5, 0, [])

    monkeypatch.setattr(erasing, "build_models", build_anew)
    assert "zq-contact-B1" in everything(tmp_path)

    receipt = erase(loader.warehouse, guid("B1"), places)

    assert [(place.place, place.removed) for place in receipt.places] == [
        (place, 2) for place in places
    ]
    left = everything(tmp_path)
    assert ("zq-contact-B1" in left, "zq-contact-B2" in left) == (False, True)
    with load_catalog("ours") as catalog:
        buyers = catalog.load_table("wholesale_marts.dim_buyers")
        assert sorted(buyers.scan().to_arrow()["email"].to_pylist(), key=str) == [
            None,
            "zq-contact-B2",
        ]
        assert len(buyers.snapshots()) == 1


def test_places_that_were_not_named_are_told(
    sandbox: Sandbox, loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    loader.load("buyers", "buyer_users", "orders", "vendors")
    build(loader, 1)
    named, forgotten, removed = (tmp_path / name for name in ("published", "for-acme", "gone"))
    for place in (named, forgotten, removed):
        publish_marts(loader.warehouse, str(place))
    shutil.rmtree(removed)
    monkeypatch.chdir(tmp_path)

    def build_anew(warehouse: Warehouse, *, is_full: bool) -> Built:
        build(loader, 2)
        loader.execute(
            "create table wholesale_marts.told as select 'to zq-contact-B1' as note, 1 as number"
        )
        return Built(5, 0, [])

    monkeypatch.setattr(erasing, "build_models", build_anew)
    receipt = erase(loader.warehouse, guid("B1"), ["published"])

    assert [told.partition(": ")[0] for told in receipt.not_reached if "--published" in told] == [
        str(forgotten)
    ]
    assert [each for each in receipt.mentions if each.table != "orders__order_comments"] == [
        Mention("wholesale_marts.told", "note", 1, MADE)
    ]
    assert verify(receipt, loader.warehouse) == []


@pytest.mark.slow
def test_no_version_tells_of_what_was_erased_as_a_change(
    sandbox: Sandbox, loader: Loader, places: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records, folder = world(), Path(places[0])
    for resource, found in records.items():
        for record in found:
            sandbox.put(resource, record)
    moved = [marked("address", "moved"), marked("address", "moved again")]
    loader.load("buyers", "buyer_users", "orders", "vendors")
    build_with_orders(loader, 1)
    publish_marts(loader.warehouse, str(folder))
    for number, address in enumerate(moved, 2):
        at = f"2026-02-0{number}T10:00:00Z"
        for record in records["orders"]:
            theirs = address if record["buyer_id"] == guid("B1") else "Elsewhere"
            sandbox.put("orders", {**record, "shipping_address1": theirs, "updated_at": at})
        loader.load("orders")
        build_with_orders(loader, number)
        publish_marts(loader.warehouse, str(folder))
    values = {*moved, "Elsewhere"}
    assert told_of_changes(folder) >= values
    left = loader.warehouse.state_folder / "then" / "publish" / "then.duckdb"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"what is compressed, and not found by its bytes")

    def build_anew(warehouse: Warehouse, *, is_full: bool) -> Built:
        build_with_orders(loader, 4)
        return Built(5, 0, [])

    monkeypatch.setattr(erasing, "build_models", build_anew)
    erase(loader.warehouse, guid("B1"), [str(folder)])

    [file] = versions_in(folder)
    assert found_in(file, values) == {"Elsewhere"}
    assert not left.exists()
    for record in records["orders"]:
        sandbox.put("orders", {**record, "updated_at": "2026-02-09T10:00:00Z"})
    loader.load("orders")
    build_with_orders(loader, 5)
    publish_marts(loader.warehouse, str(folder))
    assert told_of_changes(folder) & values == {"Elsewhere"}


def build_with_orders(loader: Loader, number: int) -> None:
    """The same, built now, with what is told of orders."""
    build(loader, number)
    loader.execute(
        "update wholesale_bi.rpt_freshness set built_at = now();"
        " create or replace table wholesale_marts.fct_orders as"
        f" select id as order_id, shipping_address1, {number} as number from orders"
    )


def told_of_changes(folder: Path) -> set[str]:
    """What any version says that something was or is."""
    told = set()
    for file in versions_in(folder):
        with duckdb.connect(str(file), read_only=True) as connection:
            rows = connection.execute(
                "select unnest([value_before, value_after]) from main.change_fields"
                " where field = 'shipping_address1'"
            ).fetchall()
        told |= {value for (value,) in rows}
    return told


def versions_in(folder: Path) -> Sequence[Path]:
    return sorted(folder.glob("versions/*/wholesale.duckdb"))


@pytest.mark.slow
def test_where_a_newer_version_published_nothing_is_erased(
    sandbox: Sandbox, loader: Loader, places: Sequence[str]
) -> None:
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    loader.load("buyers", "buyer_users", "orders", "vendors")
    build(loader, 1)
    folder = Path(places[0])
    publish_marts(loader.warehouse, str(folder))
    told = json.loads((folder / "current.json").read_text("utf-8"))
    newer = {"source": told["source"], "software": "wholesale-elt 99.1"}
    (folder / "current.json").write_text(json.dumps(newer))
    stored = "select * from buyers order by id"
    before = loader.rows(stored)

    with pytest.raises(
        ConfigurationError, match=r"published by wholesale-elt 99\.1, .* name another"
    ):
        erase(loader.warehouse, guid("B1"), [str(folder)])
    assert loader.rows(stored) == before


def everything(folder: Path) -> str:
    """What stands in files below the folder, and in the bucket; Parquet as its rows."""
    objects, _ = fs.FileSystem.from_uri("s3://ours")
    fs.copy_files("ours", str(folder / "objects"), source_filesystem=objects)
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            texts.append(str(duckdb.sql(f"from '{path}'").fetchall()))
        if path.is_file():
            texts.append(path.read_bytes().decode("latin-1"))
    shutil.rmtree(folder / "objects")
    return "\n".join(texts)


@pytest.mark.slow
def test_models_and_versions_are_made_of_what_is_left(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIVACY__PUBLISHED", "all")
    published = tmp_path / "published"
    first = publish_marts(marts.warehouse, str(published)).in_force
    [(buyer,)] = marts.rows(
        "select buyer_id from wholesale_raw.orders group by 1 order by count(*) desc, 1 limit 1"
    )
    values, sales = values_of(marts, buyer), marts.rows(SALES.format("wholesale_marts"))
    assert first
    assert len(values) > 3
    assert found_in(published / "wholesale.duckdb", values) == values

    receipt = erase(marts.warehouse, buyer, [str(published)])

    assert found_in(marts.database, values) == set()
    assert found_in(published / "wholesale.duckdb", values) == set()
    for path in published.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert {value for value in values if value.encode() in content} == set(), path
    assert marts.rows(SALES.format("wholesale_marts")) == sales
    [place] = receipt.places
    assert [path.name for path in (published / "versions").iterdir()] == [place.in_force]
    assert (place.in_force != first.version, place.removed) == (True, 1)
    assert verify(receipt, marts.warehouse) == []


@pytest.mark.slow
def test_what_users_added_is_made_of_what_is_left_too(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "select buyer_id, upper(email) as mail, email from {{ ref('dim_buyers') }}"
    add(tmp_path, monkeypatch, {"models/contact.sql": told, "metrics.yml": ""})
    monkeypatch.setenv("PRIVACY__PUBLISHED", "all")
    assert marts.build().left_out == ""
    published = tmp_path / "published"
    publish_marts(marts.warehouse, str(published))
    [(buyer, email)] = marts.rows("from wholesale_own.contact select buyer_id, email limit 1")

    erase(marts.warehouse, buyer, [str(published)])

    assert found_in(marts.database, {email, email.upper()}) == set()
    assert found_in(published / "wholesale.duckdb", {email, email.upper()}) == set()
    rest = marts.rows(f"select mail from wholesale_own.contact where buyer_id = '{buyer}'")
    assert rest == [(None,)]

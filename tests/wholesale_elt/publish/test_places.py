"""A place that is not ours to publish into is left alone, and said to be."""

import json
import re
from pathlib import Path

import duckdb
import pytest

from support.warehouses import handmade
from support.warehouses.desks import Desk
from wholesale.errors import ConfigurationError
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.publish.store import store_for

UNKNOWN = (
    *("C:\\reports", "c:/reports", "D:reports", "http://example.com/reports", "duckdb:reports"),
    *("duckdb://reports", "mysql://example.com/reports", "postgres://example.com/reports"),
    *("ducklake:reports", "snowflake:reports", " sqlite:reports", "S4:/reports", "motherduck://x"),
    *("://reports", ":reports", "md :reports", "s3 ://reports"),
)
NO_DATABASE = ("md:", "MD:", "md://", "md:a/b", "md:a?motherduck_token=x", "quack:", "quack:a:b")


def test_a_folder_with_other_things_in_it_is_left_alone(desk: Desk) -> None:
    desk.build(1)
    with pytest.raises(ConfigurationError, match="name a new or empty folder"):
        publish_marts(desk.warehouse, str(desk.warehouse.database.parent))
    assert duckdb.connect(str(desk.warehouse.database)).sql("show schemas").fetchall()


def test_a_service_is_the_same_by_each_name_that_the_warehouse_had_for_it(desk: Desk) -> None:
    desk.build(1)
    first = desk.publish()
    desk.build(2)
    with duckdb.connect(str(desk.warehouse.database)) as connection:
        connection.execute(
            "insert into wholesale_raw.sync_runs (service) values ('wholesale-sandbox')"
        )

    second = desk.publish()

    assert (first.result, second.result) == ("published", "published")
    assert second.build.source != first.build.source


def test_what_a_newer_version_published_is_left_alone_whatever_it_looks_like(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    current = desk.folder / "current.json"
    told = json.loads(current.read_text("utf-8"))
    current.write_text(json.dumps({"source": told["source"], "software": "wholesale-elt 99.1"}))
    before = desk.files()
    desk.build(2)

    with pytest.raises(ConfigurationError, match=r"published by wholesale-elt 99\.1, and this is"):
        desk.publish()

    assert desk.files() == before


def test_what_came_from_one_service_never_takes_the_place_of_another(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    before = desk.files()
    handmade.build(desk.warehouse.database, 2, service="example.com/api/external/v1")

    with pytest.raises(ConfigurationError, match="came from another service"):
        desk.publish()
    assert desk.files() == before

    for odd in ("{", json.dumps(desk.current() | {"database": "of a later release"})):
        (desk.folder / "current.json").write_text(odd)
        with pytest.raises(ConfigurationError, match="name another place"):
            desk.publish()
        assert (desk.folder / "current.json").read_text() == odd


def test_where_no_manifest_can_be_read_nothing_takes_the_place_of_what_is_there(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    for path in (*desk.folder.glob("versions/*/manifest.json"), desk.folder / "current.json"):
        path.write_text("{")

    with pytest.raises(
        ConfigurationError, match=r"neither current.json .* can be read, .*: name another place"
    ):
        desk.publish()


def test_a_uri_of_no_known_kind_is_refused(desk: Desk) -> None:
    desk.build(1)
    with pytest.raises(
        ConfigurationError,
        match=r"^s4://bucket cannot be used: s4: is no kind .*\bmd:, quack:, s3:",
    ):
        publish_marts(desk.warehouse, "s4://bucket")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("s3:/reports/of/us", "^s3:/reports/of/us has one slash .*: write s3://reports/of/us,"),
        ("gs//reports", "^gs//reports has no colon .*: write gs://reports, or ./gs//reports"),
        ("S3//reports/x", "write S3://reports/x,"),
        *((place, "has no name: name a folder") for place in ("", " ")),
        ("MotherDuck:reports", r"^MotherDuck:reports cannot be used: .*\./MotherDuck:reports"),
        ("postgresql:reports", r"^postgresql:reports cannot be used"),
        *(
            (place, rf"^{re.escape(place)} cannot be used: .*\bmd:, quack:, s3:")
            for place in UNKNOWN
        ),
        ("file:/reports", "write file:///path for a folder on this machine"),
        ("file://server/reports", "write file:///path for a folder on this machine"),
        ("file:reports", "write file:///path for a folder on this machine"),
        *((place, "is no database: write md:NAME") for place in NO_DATABASE),
        ("re?ports", r"^re\?ports is at .*: DuckDB cannot use a path with a question mark"),
    ],
)
def test_a_place_that_is_no_uri_and_no_folder_is_refused_with_the_right_form(
    place: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=message):
        store_for(place)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "place", ["~/our reports", "file://{home}/our%20reports", "{home}/./our reports"]
)
def test_a_folder_is_found_by_each_of_its_names(
    desk: Desk, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    desk.build(1)

    publish_marts(desk.warehouse, place.format(home=tmp_path))
    assert (tmp_path / "our reports/current.json").exists()


def test_a_lock_that_is_a_link_leaves_what_it_leads_to_alone(desk: Desk, tmp_path: Path) -> None:
    desk.build(1)
    desk.publish()
    (tmp_path / "precious").write_text("precious")
    (desk.folder / ".lock").unlink()
    (desk.folder / ".lock").symlink_to(tmp_path / "precious")

    with pytest.raises(
        ConfigurationError, match=r"\.lock is a symbolic link, .*: find out who made it"
    ):
        desk.publish()
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize(
    "place",
    [
        *("csv", "versions", "dashboard", "versions/.x.partial", "dashboard/x", "versions/x"),
        *("current.json", ".current.json.partial", "wholesale.duckdb", "wholesale.duckdb.wal"),
        *("csv/orders.csv", "nothing", "dashboard/index.html"),
    ],
)
@pytest.mark.parametrize("is_there", [True, False])
def test_nothing_is_written_or_removed_through_a_link(
    desk: Desk, tmp_path: Path, place: str, is_there: bool
) -> None:
    desk.build(1)
    desk.publish()
    elsewhere, link = tmp_path / "elsewhere", desk.folder / place
    if is_there:
        (elsewhere / "deep").mkdir(parents=True)
        (elsewhere / "deep" / "precious").write_text("precious")
    if link.exists():
        link.rename(tmp_path / "before")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere)
    before = {path: path.is_file() and path.read_bytes() for path in elsewhere.rglob("*")}
    desk.build(2)

    with pytest.raises(ConfigurationError, match=rf"{re.escape(str(link))} is a symbolic link, "):
        desk.publish()

    assert link.is_symlink()
    assert {path: path.is_file() and path.read_bytes() for path in elsewhere.rglob("*")} == before

"""What is published: whole, with true hashes, and in force at once or not at all."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process.lock import AlreadyRunning, hold
from wholesale_elt.publish import folder
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import Published, publish_marts
from wholesale_elt.publish.store import store_for
from wholesale_elt.warehouse.destination import Warehouse

HELD = "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True); print(); input()"


class Desk:
    """A warehouse made by hand, and the folder that it is published into."""

    def __init__(self, folder: Path) -> None:
        self.warehouse = Warehouse(folder / "wholesale.duckdb")
        self.folder = folder / "published"

    def build(self, number: int, *, reason: str | None = None) -> None:
        handmade.build(self.warehouse.database, number, reason=reason)

    def publish(self, **options: Any) -> Published:
        return publish_marts(self.warehouse, str(self.folder), **options)

    def current(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "current.json").read_text("utf-8"))
        return found

    def versions(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "versions").iterdir())

    def files(self) -> dict[str, tuple[str, int]]:
        """Hash and time of change of every file but the lock's."""
        return {
            str(path.relative_to(self.folder)): (
                sha256(path.read_bytes()).hexdigest(),
                path.stat().st_mtime_ns,
            )
            for path in self.folder.rglob("*")
            if path.is_file() and path.name != ".lock"
        }

    def numbers(self, path: str = "wholesale.duckdb") -> set[int]:
        """Those that the tables of a published DuckDB file carry."""
        with duckdb.connect(str(self.folder / path), read_only=True) as connection:
            return {
                number
                for table in handmade.TABLES
                for (number,) in connection.execute(f"select number from {table}").fetchall()
            }


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    return Desk(tmp_path)


def test_every_table_is_there_in_both_forms_with_its_rows_and_true_hashes(
    built: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIVACY__PUBLISHED", "all")
    folder = tmp_path / "published"
    published = publish_marts(built.warehouse, str(folder))

    current = json.loads((folder / "current.json").read_text("utf-8"))
    version = folder / "versions" / current["version"]
    assert (version / "manifest.json").read_text("utf-8") == json.dumps(current, indent=2) + "\n"
    assert (published.result, published.place, published.in_force) == (
        "published",
        str(folder),
        Manifest.of((folder / "current.json").read_bytes()),
    )
    assert {f"wholesale_{table['schema']}.{table['table']}" for table in current["tables"]} == set(
        built.columns()
    )
    for table in (current["database"], *current["tables"], *current["dashboard_files"]):
        content = (folder / table["path"]).read_bytes()
        assert (len(content), sha256(content).hexdigest()) == (table["bytes"], table["sha256"])
    with duckdb.connect() as connection:
        connection.execute(f"attach '{built.database}' as warehouse (read_only)")
        connection.execute(f"attach '{folder / 'wholesale.duckdb'}' as fixed (read_only)")
        for table in current["tables"]:
            name = f'{table["schema"]}."{table["table"]}"'
            source = f"warehouse.wholesale_{name}"
            assert connection.sql(f"select count(*) from {source}").fetchall() == [(table["rows"],)]
            for copy in (f"fixed.{name}", f"'{folder / table['path']}'"):
                assert (
                    connection.sql(
                        f"(from {source} except all from {copy})"
                        f" union all (from {copy} except all from {source})"
                    ).fetchall()
                    == []
                )
    assert (folder / "wholesale.duckdb").samefile(folder / current["database"]["path"])
    site = folder / "dashboard" / current["version"]
    assert current["dashboard"] == f"dashboard/{current['version']}/index.html"
    assert {folder / file["path"] for file in current["dashboard_files"]} == {
        path for path in site.rglob("*") if path.is_file()
    }
    assert {path.name for path in (folder / "dashboard").iterdir()} == {
        *(current["version"], "index.html", "latest.js")
    }
    assert f'data-base="dashboard/{current["version"]}/"' in (folder / "index.html").read_text()
    assert f'data-base="{current["version"]}/"' in (folder / "dashboard/index.html").read_text()


@pytest.mark.slow
def test_what_is_published_is_as_of_the_oldest_moment_that_is_proved(
    marts: Marts, tmp_path: Path
) -> None:
    marts.change(
        "update wholesale_raw.sync_runs set complete_as_of = timestamptz '2026-03-01 05:06:07.5Z'"
        " where resource = 'brands'"
    )
    marts.build()

    publish_marts(marts.warehouse, str(tmp_path / "published"))

    current = json.loads((tmp_path / "published" / "current.json").read_text("utf-8"))
    assert (current["verdict"], current["as_of"]) == ("complete", "2026-03-01T05:06:07.500000Z")


@pytest.mark.slow
def test_a_warehouse_of_an_earlier_version_is_built_and_published_as_of_no_moment(
    marts: Marts, tmp_path: Path
) -> None:
    marts.change(
        *(
            f"alter table wholesale_raw.sync_runs drop column {name}"
            for name in ("complete_as_of", "proof", "open_suspects", "alive")
        ),
        "drop table wholesale_raw.sync_suspects",
    )
    marts.build()

    publish_marts(marts.warehouse, str(tmp_path / "published"))

    current = json.loads((tmp_path / "published" / "current.json").read_text("utf-8"))
    assert (current["verdict"], current["as_of"]) == ("complete", None)
    assert marts.rows(
        "select count(*), count(complete_as_of), count(proof), count(open_suspect_count)"
        " from wholesale_bi.rpt_sync_runs"
    ) == [(12, 0, 0, 0)]


def test_the_manifest_says_what_was_built_and_how_far_it_may_be_trusted(desk: Desk) -> None:
    desk.build(7)
    desk.publish()

    current = desk.current()
    assert {name: current[name] for name in list(current)[2:11]} == {
        "source": sha256(b"sandbox").hexdigest()[:16],
        "run_id": "run 7",
        "as_of": "2026-01-01T06:00:00.000000Z",
        "built_at": "2026-01-01T08:00:07.000000Z",
        "verdict": "complete",
        "reasons": [],
        "currency": "EUR",
        "time_zone": "Europe/Vienna",
        "software": current["software"],
    }
    assert current["version"].endswith(f"Z-{current['database']['sha256'][:8]}")
    assert [(table["schema"], table["table"], table["rows"]) for table in current["tables"]] == [
        ("bi", "rpt_freshness", 2),
        ("bi", "rpt_headlines", 1),
        ("bi", "rpt_sync_runs", 1),
        ("marts", "fct_orders", handmade.ORDERS),
    ]
    assert current["dashboard"] == f"dashboard/{current['version']}/index.html"
    assert (desk.folder / "index.html").read_text("utf-8") == f"{current['version']}: 7"


def test_the_same_build_is_published_once_and_another_one_anew(desk: Desk) -> None:
    desk.build(1)
    assert desk.publish().result == "published"
    before = desk.files()

    assert desk.publish().result == "already published"
    assert desk.files() == before

    desk.build(2)
    assert desk.publish().result == "published"
    assert len(desk.versions()) == 2
    assert (desk.numbers(), desk.current()["run_id"]) == ({2}, "run 2")


def test_marts_can_be_left_out(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    published = desk.publish(is_only_bi=True)

    assert published.result == "published"
    assert {table["schema"] for table in desk.current()["tables"]} == {"bi"}


def test_what_is_not_certified_complete_is_withheld_unless_it_is_asked_for(desk: Desk) -> None:
    desk.build(1, reason="1 record in quarantine")
    first = desk.publish()
    desk.build(2)
    desk.publish()
    before = desk.files()
    desk.build(3, reason="1 record in quarantine")

    withheld = desk.publish()
    assert (first.result, first.in_force) == ("withheld", None)
    assert withheld.result == "withheld"
    assert withheld.in_force
    assert withheld.in_force.run_id == "run 2"
    assert desk.files() == before

    assert desk.publish(is_even_if_incomplete=True).result == "published"
    assert desk.numbers() == {3}
    assert (desk.current()["verdict"], desk.current()["reasons"]) == (
        "incomplete",
        ["orders: 1 record in quarantine"],
    )


def _spoil_the_database(version: Path) -> None:
    os.chmod(version / "wholesale.duckdb", 0o644)
    with (version / "wholesale.duckdb").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"!")


def _dashboard(version: Path) -> Path:
    return version.parents[1] / "dashboard" / version.name


@pytest.mark.parametrize(
    "spoil",
    [
        _spoil_the_database,
        lambda version: (version / "parquet/marts/fct_orders.parquet").write_bytes(b""),
        lambda version: (version / "parquet/bi/rpt_headlines.parquet").unlink(),
        lambda version: (version / "wholesale.duckdb.wal").write_bytes(b"somebody wrote"),
        lambda version: shutil.rmtree(version),
        lambda version: (_dashboard(version) / "index.html").write_text("alert(1)"),
        lambda version: (_dashboard(version) / "latest.js").unlink(),
    ],
    ids=[
        *("database altered", "Parquet altered", "Parquet gone", "log beside", "all gone"),
        *("page altered", "script gone"),
    ],
)
def test_a_damaged_version_is_published_again(desk: Desk, spoil: Callable[[Path], None]) -> None:
    desk.build(1)
    desk.publish()
    damaged = desk.current()["version"]
    spoil(desk.folder / "versions" / damaged)

    assert desk.publish().result == "published"
    assert desk.current()["version"] != damaged
    assert desk.numbers() == {1}
    assert desk.publish().result == "already published"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "wholesale.duckdb").unlink(),
        lambda folder: (folder / "index.html").unlink(),
        lambda folder: (folder / "dashboard/index.html").write_text("alert(1)"),
        lambda folder: (folder / "wholesale.duckdb.wal").write_bytes(b"of another file"),
        lambda folder: os.replace(folder / "index.html", folder / "wholesale.duckdb"),
    ],
    ids=["no database", "no page", "another page", "a log", "another file"],
)
def test_fixed_names_are_mended_without_a_new_version(
    desk: Desk, spoil: Callable[[Path], None]
) -> None:
    desk.build(1)
    desk.publish()
    before = {name: digest for name, (digest, _) in desk.files().items()}
    spoil(desk.folder)

    assert desk.publish().result == "already published"
    assert {name: digest for name, (digest, _) in desk.files().items()} == before


def test_a_pointer_that_cannot_be_read_is_written_anew(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    (desk.folder / "current.json").write_text('{"version": ')

    assert desk.publish().result == "published"
    assert desk.numbers(desk.current()["database"]["path"]) == {1}


def test_a_log_that_a_careless_writer_left_is_not_read_into_the_next_version(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    with duckdb.connect(str(desk.folder / "careless.duckdb")) as connection:
        connection.execute("pragma disable_checkpoint_on_shutdown; create table theirs (x int)")
    log = (desk.folder / "careless.duckdb.wal").rename(desk.folder / "wholesale.duckdb.wal")

    desk.build(2)
    desk.publish()
    assert not log.exists()
    assert desk.numbers() == {2}


def test_where_there_are_no_links_the_fixed_path_is_a_copy(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    desk.build(1)
    desk.publish()

    assert not (desk.folder / "wholesale.duckdb").samefile(
        desk.folder / desk.current()["database"]["path"]
    )
    assert desk.numbers() == {1}
    assert desk.publish().result == "already published"


def test_old_versions_go_and_those_that_are_read_stay_until_they_are_not(desk: Desk) -> None:
    numbers = {}
    for number in range(1, 4):
        desk.build(number)
        desk.publish()
        numbers[desk.current()["version"]] = number
    first, second, third = numbers
    command = [sys.executable, "-c", HELD, str(desk.folder / f"versions/{first}/wholesale.duckdb")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout
        reader.stdout.readline()
        desk.build(4)
        published = desk.publish(keep=2)
        fourth = desk.current()["version"]
        assert (published.pruned.removed, published.pruned.read) == ([second], [first])
        assert desk.versions() == [first, third, fourth]
        reader.communicate(b"\n")

    assert desk.publish(keep=2).pruned.removed == [first]
    assert desk.versions() == [third, fourth]


def test_the_run_that_is_named_is_the_last_one_by_a_clock_that_was_right(desk: Desk) -> None:
    desk.build(1)
    with duckdb.connect(str(desk.warehouse.database)) as connection:
        connection.execute("insert into wholesale_bi.rpt_sync_runs values ('run 2999', false, 1)")

    desk.publish()

    assert desk.current()["run_id"] == "run 1"


def test_versions_of_a_clock_that_was_ahead_go_first_and_push_no_other_out(desk: Desk) -> None:
    numbers = []
    for number in range(1, 4):
        desk.build(number)
        desk.publish()
        numbers.append(desk.current()["version"])
    first, second, third = numbers
    for name in (second, third):  # as if published in the year 2999
        ahead = desk.folder / "versions" / f"2999{name[4:]}"
        shutil.copytree(desk.folder / "versions" / name, ahead)
        shutil.copytree(desk.folder / "dashboard" / name, desk.folder / "dashboard" / ahead.name)
    desk.build(4)

    removed = desk.publish(keep=3).pruned.removed

    fourth = desk.current()["version"]
    assert sorted(removed) == sorted([first, f"2999{second[4:]}", f"2999{third[4:]}"])
    assert desk.versions() == [second, third, fourth]
    assert desk.numbers() == {4}


def test_a_run_that_died_leaves_nothing_behind(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    before = desk.files()
    left = desk.folder / "versions/.next.partial/parquet"
    left.mkdir(parents=True)
    (left / "half").write_text("half")
    (desk.folder / ".current.json.partial").write_text("half")
    (desk.folder / "dashboard/20260101T000000000Z-0a1b2c3d").mkdir()

    desk.publish()
    assert desk.files() == before
    assert [path.name for path in (desk.folder / "dashboard").iterdir() if path.is_dir()] == (
        desk.versions()
    )


@pytest.mark.parametrize("step", ["_sync_all", "replace", "write_entries"])
def test_a_publication_that_breaks_off_leaves_the_last_one_in_force(
    desk: Desk, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    desk.build(1)
    desk.publish()
    before = desk.current()
    desk.build(2)
    with monkeypatch.context() as patch:
        patch.setattr(folder, step, fail)
        with pytest.raises(OSError, match="No space"):
            desk.publish()

    assert desk.current() == before
    assert desk.numbers(before["database"]["path"]) == {1}
    assert desk.numbers() in ({1}, {2})
    assert desk.publish().result == "published"
    version = desk.current()["version"]
    assert (desk.folder / "index.html").read_text("utf-8") == f"{version}: 2"
    assert desk.numbers() == desk.numbers(desk.current()["database"]["path"]) == {2}


def test_two_do_not_publish_into_one_folder_at_once(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    with (
        hold(desk.folder / ".lock"),
        pytest.raises(AlreadyRunning, match=f"at work on the folder {desk.folder}: process "),
    ):
        desk.publish()


def test_a_warehouse_without_marts_says_what_to_do(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(WholesaleError, match=r"does not exist: run `wholesale sync`"):
        desk.publish()
    duckdb.connect(str(desk.warehouse.database)).close()
    with pytest.raises(WholesaleError, match=r"run `wholesale build`"):
        desk.publish()
    assert not (desk.folder / "current.json").exists()


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
        connection.execute("insert into wholesale_raw.sync_runs values ('wholesale-sandbox')")

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
        match=r"^s4://bucket cannot be used .*: name a folder, s3://BUCKET/PREFIX",
    ):
        publish_marts(desk.warehouse, "s4://bucket")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("s3:/reports/of/us", "^s3:/reports/of/us has one slash .*: write s3://reports/of/us,"),
        ("file:/reports", "write file://reports, or ./file:/reports for a folder"),
        ("file://server/reports", "names a folder on server: write file:///path"),
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

"""What is published: whole, with true hashes, and in force at once or not at all."""

import json
import os
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest

from support.warehouses import handmade
from support.warehouses.desks import Desk
from support.warehouses.marts import Marts
from wholesale.errors import WholesaleError
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import publish_marts


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
    assert {f"{table['schema']}.{table['table']}" for table in current["tables"]} == set(
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
            source = f"warehouse.{name}"
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
    assert {name: current[name] for name in list(current)[2:14]} == {
        "source": sha256(b"sandbox").hexdigest()[:16],
        "run_id": "run 7",
        "as_of": "2026-01-01T06:00:00.000000Z",
        "built_at": "2026-01-01T08:00:07.000000Z",
        "verdict": "complete",
        "reasons": [],
        "currency": "EUR",
        "time_zone": "Europe/Vienna",
        "only": None,
        "findings": [],
        "unknown_states": [],
        "software": current["software"],
    }
    assert current["version"].endswith(f"Z-{current['database']['sha256'][:8]}")
    assert [(table["schema"], table["table"], table["rows"]) for table in current["tables"]] == [
        ("wholesale_bi", "rpt_freshness", 2),
        ("wholesale_bi", "rpt_headlines", 1),
        ("wholesale_bi", "rpt_sync_runs", 1),
        ("wholesale_marts", "fct_orders", handmade.ORDERS),
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
    assert {table["schema"] for table in desk.current()["tables"]} == {"wholesale_bi"}


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


def test_a_warehouse_without_marts_says_what_to_do(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(WholesaleError, match=r"does not exist: run `wholesale sync`"):
        desk.publish()
    duckdb.connect(str(desk.warehouse.database)).close()
    with pytest.raises(WholesaleError, match=r"run `wholesale build`"):
        desk.publish()
    assert not (desk.folder / "current.json").exists()


def test_the_run_that_is_named_is_the_last_one_by_a_clock_that_was_right(desk: Desk) -> None:
    desk.build(1)
    with duckdb.connect(str(desk.warehouse.database)) as connection:
        connection.execute("insert into wholesale_bi.rpt_sync_runs values ('run 2999', false, 1)")

    desk.publish()

    assert desk.current()["run_id"] == "run 1"


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

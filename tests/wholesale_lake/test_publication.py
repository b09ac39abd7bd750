"""Publishing into a catalogue of Iceberg: one version at a time, whole, and each as it was."""

import json
import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import fs

from support.services.s3 import make_bucket, serving_s3
from support.warehouses import handmade
from support.warehouses.desks import Lake, Row, configure
from wholesale.errors import ConfigurationError


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
    orders = lake.read("wholesale_marts.fct_orders")
    assert orders.sort_by("order_id").slice(4_998).to_pylist() == [
        {"order_id": id, "total": Decimal(id), "number": 7} for id in (4_998, 4_999)
    ]


def test_the_same_build_is_published_once_and_what_is_the_same_keeps_its_snapshot(
    lake: Lake,
) -> None:
    lake.build(1)
    lake.publish()
    before = {
        name: lake.table(name).metadata_location
        for name in (*handmade.TABLES, "wholesale_bi.versions")
    }
    assert lake.publish().result == "already published"
    assert before == {name: lake.table(name).metadata_location for name in before}

    lake.change("update wholesale_bi.rpt_headlines set number = 2")
    assert lake.publish().result == "published"
    former, row = lake.versions()
    assert {
        name for name in handmade.TABLES if former["snapshots"][name] != row["snapshots"][name]
    } == {
        "wholesale_bi.rpt_freshness",
        "wholesale_bi.rpt_headlines",
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


@pytest.mark.slow
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
    table = lake.table("wholesale_bi.rpt_headlines")
    for version, one in enumerate(expected):
        found = lake.read("wholesale_bi.rpt_headlines", version)
        assert (found.column_names, found.to_pylist()) == (list(one), [one])
    assert table.scan().to_arrow().to_pylist() == [expected[-1]]
    assert table.scan(row_filter="note = '2026-01-02'").to_arrow().num_rows == 1


@pytest.mark.slow
def test_a_version_that_is_damaged_is_published_anew_and_a_table_that_others_changed_pointed_back(
    lake: Lake,
) -> None:
    lake.build(1)
    lake.publish()
    with lake.catalog as catalog:
        catalog.load_table("wholesale_bi.rpt_sync_runs").delete("number = 1")
    assert lake.read("wholesale_bi.rpt_sync_runs", None).num_rows == 0
    assert lake.publish().result == "already published"
    assert lake.numbers(None) == {1}

    [task] = lake.table("wholesale_marts.fct_orders").scan().plan_files()
    Path(task.file.file_path.removeprefix("file://")).unlink()
    assert lake.publish().result == "published"
    assert lake.numbers() == lake.numbers(None) == {1}


def test_tables_of_others_are_left_alone_and_a_prefix_stands_beside_them(
    lake: Lake, tmp_path: Path
) -> None:
    with lake.catalog as catalog:
        catalog.create_namespace("wholesale_marts")
        catalog.create_table("wholesale_marts.fct_orders", pa.schema({"theirs": pa.string()}))
    lake.build(1)
    with pytest.raises(
        ConfigurationError, match=r"wholesale_marts\.fct_orders .*iceberg:CATALOGUE/PREFIX"
    ):
        lake.publish()
    with lake.catalog as catalog:
        assert catalog.list_tables("wholesale_bi") == []

    for number, name in enumerate(("us", "them")):
        desk = Lake(tmp_path / name, f"iceberg:lake/{name}")
        desk.build(number)
        desk.publish()
    assert lake.table("us_wholesale_bi.rpt_headlines").scan().to_arrow()["number"].to_pylist() == [
        0
    ]
    assert lake.table("them_wholesale_marts.fct_orders").scan().to_arrow()["number"][0].as_py() == 1
    assert lake.table("wholesale_marts.fct_orders").schema().column_names == ["theirs"]


def test_a_table_of_others_that_came_later_is_left_alone(lake: Lake) -> None:
    lake.build(1)
    lake.publish(is_only_bi=True)
    with lake.catalog as catalog:
        catalog.create_table("wholesale_marts.fct_orders", pa.schema({"theirs": pa.string()}))
    lake.build(2)
    lake.publish(is_only_bi=True)
    with pytest.raises(
        ConfigurationError, match=r"^wholesale_marts\.fct_orders of iceberg:lake was made by"
    ):
        lake.publish()
    assert lake.table("wholesale_marts.fct_orders").schema().column_names == ["theirs"]
    assert lake.numbers(names=handmade.TABLES[1:]) == {2}


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
        rows = fs.FileSelector("lake/of/us/wholesale_bi", recursive=True)
        there = {
            info.base_name for info in files.get_file_info(rows) if info.path.endswith(".parquet")
        }
        assert {row["version"] for row in lake.versions()} == {
            name.removesuffix(".parquet") for name in there if name[8] == "T"
        }

"""A cluster of two executors builds a lake, and no process sees a full table.

By hand; `MANY_ORDERS=210000 pytest -m long -s tests/wholesale_lake/test_cluster.py` takes
a million order lines. What each process saw is printed.
"""

import json
import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from support.services.command import run_command
from support.services.spark import serving_spark
from support.warehouses.destinations import NOWHERE, Place, empty_place
from support.warehouses.iceberg import Reader
from support.warehouses.many import multiplying
from support.warehouses.marts import Marts
from wholesale_elt.load.copies.copying import copy_warehouse

pytestmark = pytest.mark.long

ORDERS = int(os.environ.get("MANY_ORDERS", "20000"))
TABLES = ("fct_orders", "fct_order_lines", "fct_order_comments")
MOST_FETCHED = 400
"""Rows that the command may fetch: counts, digests of inputs, the catalogue's answers."""
MOST_MEMORY_KIB = 500_000
MOST_SHARE = 0.75
MOST_TO_DRIVER = 2**20
COUNTED = """
import json, os, re, sys
from pathlib import Path
from wholesale_elt.process import allow_import
allow_import("pandas")
from pyspark.sql.connect.client import SparkConnectClient

fetched, to_table = [], SparkConnectClient.to_table

def counted(*arguments, **options):
    answer = to_table(*arguments, **options)
    fetched.append(answer[0].num_rows)
    return answer

SparkConnectClient.to_table = counted
from wholesale_elt.cli.main import main
try:
    main()
finally:
    peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
    Path("seen.json").write_text(json.dumps({"fetched": sum(fetched), "peak": int(peak)}))
"""
"""The command as it is, which then tells how many rows it fetched, and its most memory in KiB."""


@dataclass
class Stage:
    """One stage of a query: the rows that each executor has written, the most that one task has
    read, and the bytes that came to the driver."""

    written: Counter[str] = field(default_factory=Counter)
    most_read: int = 0
    to_driver: int = 0


@pytest.fixture
def lake(
    loaded: Marts, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Place]:
    """So many orders, on a machine that has no copy of them."""
    monkeypatch.chdir(tmp_path)
    with empty_place("lake", tmp_path, socket, NOWHERE, monkeypatch) as place:
        copy_warehouse(loaded.warehouse, place.warehouse)
        with place.warehouse.open() as raw:
            ((orders,),) = raw.rows("select count(*) from wholesale_raw.orders")
            for statement in multiplying(
                lambda table: list(raw.column_types()[table]), ORDERS // orders
            ):
                raw.execute(statement)
        shutil.rmtree(place.warehouse.state_folder)
        yield place


def test_no_process_sees_a_full_table_while_a_cluster_builds_a_lake(
    lake: Place, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    events = tmp_path / "events"
    events.mkdir()
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
        # By default so few megabytes are left to one task, and sent to all by the driver.
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": "64k",
    }
    with serving_spark(tmp_path_factory.mktemp("spark"), settings) as address:
        engine = {"BUILD__ENGINE": "spark", "BUILD__REMOTE": address}
        # What is counted is imported before the command, which else keeps it from looking for one.
        environment = os.environ | engine | {"SPARK_HOME": str(tmp_path)}
        done = run_command(["build", *lake.address], tmp_path, environment, COUNTED)
    assert done.returncode == 0, done.stderr

    seen = json.loads((tmp_path / "seen.json").read_text())
    rows = rows_of(lake)
    stages = read_stages(events)
    most_read = max(stage.most_read for stage in stages.values())
    to_driver = max(stage.to_driver for stage in stages.values())
    print(f"rows in the lake {rows}; the command {seen}")
    print(f"most rows that a task has read {most_read}; most bytes to the driver {to_driver}")
    assert rows["fct_order_lines"] > ORDERS
    assert seen["fetched"] < MOST_FETCHED
    assert seen["peak"] < MOST_MEMORY_KIB
    assert not (lake.warehouse.state_folder / "copy.duckdb").exists()
    assert most_read < rows["fct_order_lines"] * MOST_SHARE
    assert to_driver < MOST_TO_DRIVER
    for table, count in rows.items():
        written = [stage.written for stage in stages.values() if stage.written.total() == count]
        print(f"{table} {[dict(of_stage) for of_stage in written]}")
        assert written, table
        for of_stage in written:
            assert max(of_stage.values()) < count * MOST_SHARE, table


def rows_of(lake: Place) -> Mapping[str, int]:
    reader = Reader(lake.warehouse.database)
    return {name: reader.table(name, "wholesale_marts").scan().count() for name in TABLES}


def read_stages(events: Path) -> Mapping[int, Stage]:
    """From the log of what happened in the cluster."""
    stages: dict[int, Stage] = defaultdict(Stage)
    for path in events.rglob("events_*"):
        # Not `splitlines`: the SQL in these events names other characters that end a line.
        for line in filter(None, path.read_text().split("\n")):
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd" and (metrics := event.get("Task Metrics")):
                stage, executor = stages[event["Stage ID"]], event["Task Info"]["Executor ID"]
                read = metrics["Input Metrics"]["Records Read"]
                read += metrics["Shuffle Read Metrics"]["Total Records Read"]
                stage.most_read = max(stage.most_read, read)
                stage.to_driver += metrics["Result Size"]
                stage.written[executor] += metrics["Output Metrics"]["Records Written"]
    return stages

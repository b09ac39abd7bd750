"""Staging: of a table that is cut by month a snapshot has a file a month, and keeps the others'."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

from wholesale_lake.iceberg import PART, VERSION, CatalogHint, Part, Versions, stage

COLUMNS = pa.schema({"id": pa.int64(), "at": pa.timestamp("us", "UTC")})
MONTHS: list[Part] = [None, *range(-30, 270)]
"""More than are written at once, some before 1970, and rows without one."""


@pytest.fixture
def versions(tmp_path: Path) -> Iterator[Versions]:
    with SqlCatalog("o", uri=f"sqlite:///{tmp_path}/o.db", warehouse=str(tmp_path)) as catalog:
        place = CatalogHint("ours", "none")
        columns = pa.schema({"version": pa.string()})
        yield Versions(catalog, place, ["raw"], "raw.versions", columns)


@pytest.fixture
def table(versions: Versions) -> Table:
    return versions.open("raw.orders", COLUMNS, "at")


def rows(first: int, months: list[Part]) -> list[dict[str, object]]:
    """Two a month, all months once and then again."""
    return [
        {"id": first + number, "at": moment(month), PART: month}
        for number, month in enumerate([*months, *months])
    ]


def moment(month: Part) -> datetime | None:
    return None if month is None else datetime(1970 + month // 12, month % 12 + 1, 9, tzinfo=UTC)


def staged(table: Table, version: str, found: list[dict[str, object]], parts: list[Part]) -> int:
    columns = COLUMNS.append(pa.field(PART, pa.int64()))
    arrow = pa.Table.from_pylist(found, columns)
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        folder = Path(table.location())
        relation = connection.from_arrow(arrow)
        return stage(table, relation, COLUMNS, folder, {VERSION: version}, parts)


def files(table: Table, snapshot: int) -> Mapping[Part, str]:
    tasks = list(table.refresh().scan(snapshot_id=snapshot).plan_files())
    found = {task.file.partition[0]: task.file.file_path for task in tasks}
    assert len(found) == len(tasks)
    return found


def contents(table: Table, snapshot: int) -> list[dict[str, object]]:
    found = table.scan(snapshot_id=snapshot).to_arrow().to_pylist()
    return sorted(found, key=lambda row: int(str(row["id"])))


def test_each_month_is_one_file_however_many_there_are(table: Table) -> None:
    before = rows(0, MONTHS)

    snapshot = staged(table, "1", before, MONTHS)

    assert set(files(table, snapshot)) == set(MONTHS)
    assert contents(table, snapshot) == [{"id": row["id"], "at": row["at"]} for row in before]


@pytest.mark.slow
def test_months_that_are_not_written_anew_keep_their_files_and_those_without_rows_lose_theirs(
    table: Table,
) -> None:
    snapshot = staged(table, "1", rows(0, MONTHS), MONTHS)
    first = files(table, snapshot)
    with table.manage_snapshots() as change:
        change.set_current_snapshot(snapshot)
    after = rows(1000, [-30, None, 7, 8])

    found = files(table, snapshot := staged(table.refresh(), "2", after, [None, -30, 9]))

    assert {month for month in first if found.get(month) != first[month]} == {None, -30, 9}
    assert 9 not in found
    new = [row for row in contents(table, snapshot) if int(str(row["id"])) >= 1000]
    assert new == [{"id": row["id"], "at": row["at"]} for row in after if row[PART] in (None, -30)]


@pytest.mark.slow
def test_months_of_a_table_with_hundreds_of_columns_are_written_in_little_memory(
    versions: Versions, tmp_path: Path
) -> None:
    names = [f"field_{number:03}" for number in range(240)]
    texts = ", ".join(f"md5('{name}' || number) as {name}" for name in names)
    made = (
        f"select number as id, timestamptz '1970-01-01' + to_months({PART}::int) as at, {texts},"
        f" {PART} from (select range as number, range % 12 as {PART} from range(6000))"
    )
    columns = COLUMNS
    for name in names:
        columns = columns.append(pa.field(name, pa.string()))
    table = versions.open("raw.wide", columns, "at")
    with duckdb.connect(config={"memory_limit": "150MB", "threads": 1}) as connection:
        connection.execute("set timezone = 'UTC'; set partitioned_write_flush_threshold = 16384")
        folder = tmp_path / "draft"
        folder.mkdir()
        rows = connection.sql(made)
        snapshot = stage(table, rows, columns, folder, {VERSION: "1"}, list(range(12)))
        wanted = connection.sql(f"select * exclude ({PART}) from ({made})").to_arrow_table()

    assert set(files(table, snapshot)) == set(range(12))
    found = table.scan(snapshot_id=snapshot).to_arrow().sort_by("id")
    assert found.cast(wanted.schema).equals(wanted)

"""Row groups that stand in another file are read there as where they were written."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from pyarrow import parquet

from wholesale_elt.publish.tables.chunks import read_row_group, write_row_group
from wholesale_elt.publish.tables.footer import (
    MAGIC,
    ROWS,
    footer_bytes,
    moved,
    read_footer,
)
from wholesale_elt.publish.tables.thrift import UnknownFooter

ROWS_A_GROUP = 2_048
COLUMNS = """
    i as id, i % 7 = 0 as flag, 'name ' || i as name, ['new', 'shipped'][i % 2 + 1] as status,
    case when i % 3 = 0 then (i * 1.005)::decimal(38, 9) end as total,
    timestamptz '2026-01-01 00:00:00Z' + to_seconds(i) as at, date '2026-01-01' + i::int as day,
    null::varchar as nothing, '{"a": 1}'::json as extra, [i, 2] as list, {'x': i::double} as struct
"""
PLACES = {
    "file_offset",
    "data_page_offset",
    "dictionary_page_offset",
    "index_page_offset",
    "bloom_filter_offset",
}


def written_by_duckdb(path: Path, first: int, rows: int) -> None:
    duckdb.sql(f"select {COLUMNS} from range({first}, {first + rows}) as t(i)").write_parquet(
        str(path), compression="zstd", row_group_size=ROWS_A_GROUP
    )


def written_by_arrow(path: Path, first: int, rows: int, *, is_indexed: bool = False) -> None:
    table = duckdb.sql(f"select {COLUMNS} from range({first}, {first + rows}) as t(i)")
    parquet.write_table(
        table.to_arrow_table(),
        path,
        row_group_size=ROWS_A_GROUP,
        write_page_index=is_indexed,
        use_dictionary=["status"],
    )


def joined(files: Sequence[Path], path: Path) -> None:
    content, row_groups, rows = bytearray(MAGIC), [], 0
    for file in files:
        footer = read_footer(file)
        by = len(content) - len(MAGIC)
        content += file.read_bytes()[len(MAGIC) : footer.end]
        row_groups += [moved(entry, by) for entry in footer.row_groups]
        rows += parquet.read_metadata(file).num_rows
    notes = {**footer.notes, "made": "of both"}
    path.write_bytes(content + footer_bytes(footer.fields, row_groups, rows, notes))


def told(path: Path) -> Iterator[dict[str, Any]]:
    """What is said of each column of each row group, but for its places."""
    found = parquet.read_metadata(path).to_dict()
    for row_group in found["row_groups"]:
        for column in row_group["columns"]:
            yield {name: value for name, value in column.items() if name not in PLACES}


@pytest.mark.slow
@pytest.mark.parametrize("write", [written_by_duckdb, written_by_arrow])
def test_files_that_are_joined_hold_the_rows_of_both(tmp_path: Path, write: Any) -> None:
    files = [tmp_path / "first.parquet", tmp_path / "second.parquet"]
    both = tmp_path / "both.parquet"
    write(files[0], 0, 5 * ROWS_A_GROUP)
    write(files[1], 10**6, 20 * ROWS_A_GROUP + 1)  # more groups than a short head of a list tells

    joined(files, both)

    expected = pa.concat_tables([parquet.read_table(file) for file in files])
    assert parquet.read_table(both).equals(expected)
    with duckdb.connect() as connection:
        rows = connection.execute("from read_parquet($1) order by id", [str(both)]).fetchall()
        # Dictionaries and bloom filters are where the footer says, too.
        sought = "select count(*) from read_parquet($1) where status = $2 and name = $3"
        counts = [
            connection.execute(sought, [str(both), "new", f"name {i}"]).fetchall()[0][0]
            for i in (4, 10**6 + 4, 10**7)
        ]
    assert rows == duckdb.from_arrow(expected).order("id").fetchall()
    assert counts == [1, 1, 0]
    assert list(told(both)) == [entry for file in files for entry in told(file)]
    notes = {key.encode(): text.encode() for key, text in read_footer(both).notes.items()}
    assert parquet.read_metadata(both).metadata == notes
    assert notes[b"made"] == b"of both"


@pytest.mark.parametrize("write", [written_by_duckdb, written_by_arrow])
def test_new_columns_stand_among_old_ones(tmp_path: Path, write: Any) -> None:
    old, new, mixed = (tmp_path / f"{name}.parquet" for name in ("old", "new", "mixed"))
    write(old, 0, 3 * ROWS_A_GROUP + 1)
    write(new, 10**6, 3 * ROWS_A_GROUP + 1)
    footer = read_footer(old)
    row_groups = []
    with mixed.open("wb") as file:
        file.write(MAGIC)
        for groups in zip(footer.row_groups, read_footer(new).row_groups, strict=True):
            of_old, of_new = map(read_row_group, (old, new), groups)
            # One from the old file, one from the new one, and so on.
            columns = zip(of_old.chunks, of_new.chunks, strict=True)
            chunks = [pair[number % 2] for number, pair in enumerate(columns)]
            row_groups.append(write_row_group(file, of_old, chunks))
        file.write(footer_bytes(footer.fields, row_groups, 3 * ROWS_A_GROUP + 1, footer.notes))

    tables = [parquet.read_table(file) for file in (old, new)]
    names = tables[0].column_names
    expected = [tables[number % 2][name] for number, name in enumerate(names)]
    found = parquet.read_table(mixed)
    assert found.equals(pa.table(expected, names=names))
    with duckdb.connect() as connection:
        rows = connection.execute("from read_parquet($1) order by id", [str(mixed)]).fetchall()
        # Bloom filters are where the footer says, too.
        sought = "select count(*) from read_parquet($1) where name = $2 and status = $3"
        counts = [
            connection.execute(sought, [str(mixed), f"name {i}", status]).fetchall()[0][0]
            for i, status in ((4, "new"), (4, "shipped"), (10**6 + 4, "new"))
        ]
    assert rows == duckdb.from_arrow(found).order("id").fetchall()
    assert counts == [1, 0, 0]
    groups = parquet.read_metadata(mixed).to_dict()["row_groups"]
    for group in groups:
        columns = group["columns"]
        assert group["total_byte_size"] == sum(it["total_uncompressed_size"] for it in columns)


def test_row_groups_with_an_index_that_tells_places_itself_are_refused(tmp_path: Path) -> None:
    written_by_arrow(tmp_path / "one.parquet", 0, 10, is_indexed=True)
    (row_group,) = read_footer(tmp_path / "one.parquet").row_groups

    # The index stays behind in its file wherever the row group goes, at the same place, too.
    for by in (0, 1):
        with pytest.raises(UnknownFooter, match="an index of its pages cannot stand elsewhere"):
            moved(row_group, by)


def test_a_file_without_notes_has_none(tmp_path: Path) -> None:
    written_by_duckdb(tmp_path / "one.parquet", 0, 10)
    footer = read_footer(tmp_path / "one.parquet")
    assert (footer.notes, len(footer.row_groups), ROWS in footer.fields) == ({}, 1, True)

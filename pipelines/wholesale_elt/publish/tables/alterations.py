"""Alterations: parts of a table in which rows have changed cells, but none was added or removed.

Most columns of such a part are unchanged, whatever the order of its rows. So its piece in the last
version is taken apart: columns with a changed cell are written again, and all others are copied
byte by byte.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow.parquet import ParquetFile

from wholesale_elt.publish.tables.chunks import Chunk, RowGroup, read_row_group, write_row_group
from wholesale_elt.publish.tables.footer import SCHEMA, Footer
from wholesale_elt.publish.tables.pieces import Piece, Pieces, write_piece
from wholesale_elt.publish.tables.sources import Source
from wholesale_elt.publish.tables.thrift import UnknownFooter, elements_of
from wholesale_elt.warehouse import quoted

MOST_ROWS = 10_000
"""Largest part that is altered rather than written: all of its rows are in memory."""
MOST_COLUMNS = 0.5
"""With more changed columns than this, writing the whole part takes less time."""


@dataclass(frozen=True, slots=True)
class Alteration:
    """The changes of a part: the values of the `key` column of its changed rows, and the present
    values of the columns with any changed cell."""

    key: pa.Array
    columns: Mapping[str, pa.Array]


@dataclass(frozen=True, slots=True)
class Altered:
    """An alteration of a piece, and the row numbers in the piece that it applies to."""

    piece: Piece
    alteration: Alteration
    rows: NDArray[np.int64]


def find_alterations(
    connection: duckdb.DuckDBPyConnection, source: Source, gone: str, come: str
) -> Mapping[int, Alteration]:
    """The alterations of parts by number: parts in which each removed row is replaced by one with
    the same key. The key is the first column; a part in which it is not unique has none.

    `gone` and `come` are SQL relations of the removed and the added rows of the table.
    """
    key, *_ = source.types
    is_another = ", ".join(
        f'bool_or(gone."{name}" is distinct from come."{name}")' for name in source.types
    )
    found = connection.execute(
        f"""
        with gone as (select *, {source.part} as part_number from {gone}),
        come as (select *, {source.part} as part_number from {come})
        select part_number, {is_another}
        from gone
        full join come using (part_number, "{key}")
        group by part_number
        having count(gone."{key}") = count(*) and count(come."{key}") = count(*)
            and count(distinct "{key}") = count(*) and count(*) <= {MOST_ROWS}
        """
    ).fetchall()
    alterations = {}
    for part, *are_others in found:
        columns = [
            name for name, is_other in zip(source.types, are_others, strict=True) if is_other
        ]
        if 0 < len(columns) <= MOST_COLUMNS * len(source.types):
            chosen = ", ".join(f'"{name}"' for name in (key, *columns))
            rows = connection.sql(f"select {chosen} from {come} where {source.part} = {part}")
            first, *others = (column.combine_chunks() for column in rows.to_arrow_table().columns)
            alterations[part] = Alteration(first, dict(zip(columns, others, strict=True)))
    return alterations


def find_altered(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    last: Pieces,
    alterations: Mapping[int, Alteration],
) -> Mapping[int, Altered]:
    """The pieces of the last file that are only altered, by the number of their part: those that
    have exactly one row for each key of the alteration."""
    key, *_ = source.types
    pieces = {part.number: piece for part, piece in last.items() if part.number in alterations}
    if not pieces:
        return {}
    sought = pa.concat_tables(
        pa.table(
            {
                "part": np.full(len(alterations[part].key), part),
                "number": np.arange(len(alterations[part].key)),
                "first_row": np.full(len(alterations[part].key), piece.first_row),
                "rows": np.full(len(alterations[part].key), piece.rows),
                "sought": alterations[part].key,
            }
        )
        for part, piece in pieces.items()
    )
    file, *_ = (quoted(piece.path) for piece in pieces.values())
    connection.register("sought", sought.__arrow_c_stream__())
    found = connection.execute(
        f"""
        select part, number, file_row_number - first_row as row_number
        from read_parquet({file}, file_row_number = true)
        inner join sought
            on "{key}" = sought and file_row_number between first_row and first_row + rows - 1
        order by part, number
        """
    ).fetchnumpy()
    connection.unregister("sought")
    altered = {}
    for part, piece in pieces.items():
        is_of_part = found["part"] == part
        numbers = np.arange(len(alterations[part].key))
        if np.array_equal(found["number"][is_of_part], numbers):
            altered[part] = Altered(piece, alterations[part], found["row_number"][is_of_part])
    return altered


def write_altered(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    altered: Altered,
    file: BinaryIO,
    scratch: Path,
) -> Sequence[bytes]:
    """Append a piece with its alteration to a file, and return its row groups for the footer.

    Raises: UnknownFooter for a piece that cannot be taken apart, or put together again.
    """
    piece, row_groups, start = altered.piece, [], 0
    with ParquetFile(piece.path) as last:
        for number, content in enumerate(piece.row_groups):
            row_group = read_row_group(piece.path, content)
            chunks = _by_name(source.types, row_group)
            rows = altered.rows - start
            start += row_group.rows
            if columns := _columns(last, piece.first + number, altered.alteration, rows):
                chunks |= _write(connection, columns, source, piece, scratch / f"columns_{number}")
            row_groups.append(write_row_group(file, row_group, list(chunks.values())))
    return row_groups


def _by_name(names: Collection[str], row_group: RowGroup) -> dict[str, Chunk]:
    if len(row_group.chunks) != len(names):
        raise UnknownFooter("a column is made of others")
    return dict(zip(names, row_group.chunks, strict=True))


def _columns(
    last: ParquetFile, number: int, alteration: Alteration, rows: NDArray[np.int64]
) -> pa.Table | None:
    """The changed columns of a row group with their present values; empty if none of its rows is
    altered. `rows` are the altered rows, counted from its first one."""
    size = last.metadata.row_group(number).num_rows
    which = np.flatnonzero((rows >= 0) & (rows < size))
    if not len(which):
        return None
    which = which[np.argsort(rows[which])]
    is_another = np.zeros(size, bool)
    is_another[rows[which]] = True
    before = last.read_row_group(number, list(alteration.columns), use_threads=False)
    return pa.table(
        {
            name: pc.replace_with_mask(
                before[name].combine_chunks(),
                pa.array(is_another),
                _as_before(values, before[name].type).take(pa.array(which)),
            )
            for name, values in alteration.columns.items()
        }
    )


def _as_before(values: pa.Array, type_: pa.DataType) -> pa.Array:
    """The values in the types of the last file, in which times may have another zone."""
    try:
        return values.cast(type_)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise UnknownFooter(f"a column is read as {type_}") from error


def _write(
    connection: duckdb.DuckDBPyConnection,
    columns: pa.Table,
    source: Source,
    last: Piece,
    path: Path,
) -> dict[str, Chunk]:
    """These columns as one row group, which must have the schema of the last piece."""
    connection.register("altered", columns.__arrow_c_stream__())
    written = write_piece(connection, "from altered", path, row_group=len(columns) + 1)
    connection.unregister("altered")
    schema = dict(zip(source.types, _schema(last.footer), strict=True))
    if [schema[name] for name in columns.column_names] != _schema(written.footer):
        raise UnknownFooter("a column was written as another type")
    row_group, *others = (read_row_group(path, content) for content in written.row_groups)
    if others or row_group.rows != len(columns):
        raise UnknownFooter("a row group was written as several")
    return _by_name(columns.column_names, row_group)


def _schema(footer: Footer) -> Sequence[bytes]:
    """The footer's schema entry for each column, without that of the root."""
    _, content = footer.fields[SCHEMA]
    _, *entries = (content[start:stop] for start, stop in elements_of(content, 0))
    return entries

"""CSV rows: what PostgreSQL copied into a file, read back as Arrow."""

import io
import os
from collections.abc import Iterator
from typing import IO, Any

import pyarrow as pa
from pyarrow import csv

BYTES_A_BLOCK = 2**22
TOO_LONG = "straddles two block boundaries"
"""A part of pyarrow's message when a row of CSV is longer than a block."""


def read_csv(file: IO[bytes], schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows of the file in batches. A row that is longer than a block ends the reading, which
    then goes on in longer blocks."""
    size, read = BYTES_A_BLOCK, 0
    while True:
        row = 0
        try:
            for batch in _batches(_FromStart(file), schema, size):
                row += len(batch)
                if row > read:
                    yield pa.Table.from_batches([batch[read - row :]]).cast(schema)
                    read = row
        except pa.ArrowInvalid as error:
            if TOO_LONG not in str(error):
                raise
            size *= 4
        else:
            return


class _FromStart(io.RawIOBase):
    """A file, read from its start at a place of its own: threads of Arrow's reader may still read
    ahead after it has failed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._place = file, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = os.pread(self._file.fileno(), len(buffer), self._place)
        buffer[: len(found)] = found
        self._place += len(found)
        return len(found)


def _batches(file: _FromStart, schema: pa.Schema, size: int) -> Iterator[pa.RecordBatch]:
    yield from csv.open_csv(
        pa.PythonFile(file, "r"),
        csv.ReadOptions(column_names=schema.names, block_size=size),
        csv.ParseOptions(newlines_in_values=True),
        csv.ConvertOptions(
            column_types={field.name: field.type for field in schema},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            true_values=["t"],
            false_values=["f"],
        ),
    )

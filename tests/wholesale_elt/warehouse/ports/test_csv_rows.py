"""CSV rows: what was copied into a file comes back whole, however long its rows are."""

import time
from pathlib import Path
from random import Random
from typing import IO, Any

import pyarrow as pa
import pytest

from wholesale_elt.warehouse.ports import csv_rows

SCHEMA = pa.schema([("id", pa.string()), ("note", pa.string())])


class SlowFile:
    """A file of which each reading takes its time, as on a busy disk."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._draw = Random(1)

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def fileno(self) -> int:
        time.sleep(self._draw.random() / 250)
        return self._file.fileno()

    def read(self, size: int = -1) -> bytes:
        time.sleep(self._draw.random() / 250)
        return self._file.read(size)


def test_rows_longer_than_a_block_come_back_whole_though_a_failed_reading_still_reads_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_rows, "BYTES_A_BLOCK", 4096)
    rows = [(f"A{n}", "long\n" * length) for n, length in enumerate([10, 20_000, 10, 50_000, 10])]
    path = tmp_path / "rows.csv"
    path.write_text("".join(f'"{key}","{note}"\n' for key, note in rows))

    for _ in range(20):
        with path.open("rb") as file:
            slow: Any = SlowFile(file)
            read = pa.concat_tables(csv_rows.read_csv(slow, SCHEMA))
        assert [(row["id"], row["note"]) for row in read.to_pylist()] == rows

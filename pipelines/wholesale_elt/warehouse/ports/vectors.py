"""Vectors: rows that DuckDB takes into memory together, and the memory that long texts ask for.

It reads and writes 2,048 rows at a time, whole texts and all. Where they do not fit into what it
may hold it cannot bring them to the disk, and neither can any later run.
"""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter

import duckdb
import pyarrow as pa

from wholesale_elt.process import budget

ROWS = 2048
USUAL = 2**23
"""Bytes of a vector for which there is room in any budget."""
LONGEST = r"Max String Length: (\d+)"


class VectorMemory:
    """Lets DuckDB hold its budget, and the widest vector of the tables besides, three times: as it
    is read, as it is written, and as it is compared. Each is a power of two.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, memory: str) -> None:
        self._connection = connection
        self._budget = memory
        self._widest = 0
        self._last: dict[str, deque[tuple[int, int]]] = defaultdict(deque)

    def allow(self, memory: str) -> None:
        """From now on, this budget."""
        self._budget = memory
        self._set_limit(self._widest)

    def let_go(self) -> None:
        """Keep nothing of the tables in memory that nobody is using."""
        with suppress(duckdb.OutOfMemoryException):  # of what is in use, for which there is room
            self._connection.execute("set memory_limit = '1MB'")
        self._set_limit(self._widest)

    def see_stored(self, tables: Sequence[str]) -> None:
        """Measure the vectors of tables, where their statistics say that they have long texts."""
        segments = " union all ".join(
            f"select '{table}' as name, column_name, segment_type, stats"
            f" from pragma_storage_info('{table}')"
            for table in tables
        )
        found = self._connection.execute(
            "select name, column_name, max(regexp_extract(stats, ?, 1)::int) as longest"
            f" from ({segments}) where segment_type = 'VARCHAR'"
            f" group by all having longest * {ROWS} > {USUAL} order by all",
            [LONGEST],
        ).fetchall()
        for table, columns in groupby(found, itemgetter(0)):
            self._measure(table, {column: longest for _, column, longest in columns})

    def _measure(self, table: str, longest: Mapping[str, int]) -> None:
        """Look at all rows of a table, in these columns, whose longest text has so many bytes."""
        self._set_limit(sum(longest.values()) * ROWS)
        size = " + ".join(f'coalesce(sum(strlen("{name}"::varchar)), 0)' for name in longest)
        rows = self._connection.execute(
            f"select max(bytes)::bigint from"
            f" (select {size} as bytes from {table} group by rowid // {ROWS})"
        ).fetchone()
        self._widest = max(self._widest, *rows or ())
        self._set_limit(self._widest)

    def see(self, table: str, rows: pa.RecordBatch) -> None:
        """Measure rows that follow those that were written last."""
        last = self._last[table]
        last.append((len(rows), rows.nbytes))
        while sum(length for length, _ in last) - last[0][0] >= ROWS:
            last.popleft()
        widest = sum(size for _, size in last)
        if widest > self._widest:
            self._widest = widest
            self._set_limit(widest)

    def _set_limit(self, widest: int) -> None:
        more = 3 * 2 ** widest.bit_length() if widest > USUAL else 0
        self._connection.execute(f"set memory_limit = '{budget.widened(self._budget, more)}'")

"""Vectors: rows that DuckDB holds together, and the memory that long texts and many columns need.

DuckDB reads and writes 2,048 rows at a time with their whole texts, and at least one block of every
column. It cannot spill these to disk, so if they do not fit into its memory limit, this run fails
and so does every later one.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import duckdb

from wholesale_elt.process import budget

ROWS = 2048
USUAL = 2**23
"""Bytes of a vector that fit into any budget."""
LONGEST = r"Max String Length: (\d+)"


class VectorMemory:
    """Sets DuckDB's memory limit to the sum of four parts: a budget; three times the widest vector
    of the tables (one is read, one written, one compared), in powers of two; what columns take
    beyond the usual number; and what was in use when all else was let go. A table and its children
    are written together, so their columns are added up.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, memory: str) -> None:
        self._connection = connection
        self._budget = memory
        self._widest = self._in_use = 0
        self._columns: dict[str, int] = {}
        self._last: dict[str, deque[tuple[int, int]]] = defaultdict(deque)

    def allow(self, memory: str) -> None:
        """Use this budget from now on."""
        self._budget = memory
        self._set_limit(self._widest)

    def let_go(self) -> None:
        """Evict all table data that is not in use, such as pages that were read; count what is.

        The marks of deleted rows are: one takes 8 bytes for each row of its vector.
        """
        self._in_use = 0
        # By another connection, as an error would end an open transaction of this one.
        with self._connection.cursor() as beside:
            try:
                beside.execute("set memory_limit = '1MB'")
            except duckdb.OutOfMemoryException:  # the limit stays as it was
                used = "select sum(memory_usage_bytes)::bigint from duckdb_memory()"
                ((self._in_use,),) = beside.execute(used).fetchall()
        self._set_limit(self._widest)

    def see_columns(self) -> None:
        """Count the columns of the tables."""
        counted = self._connection.execute("select table_name, column_count from duckdb_tables()")
        self._columns.update(counted.fetchall())
        self._set_limit(self._widest)

    def see_stored(self, tables: Sequence[str]) -> None:
        """Measure the vectors of tables whose statistics show long texts."""
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
        """Measure all rows of a table in these columns, whose longest text has so many bytes."""
        self._set_limit(sum(longest.values()) * ROWS)
        size = " + ".join(f'coalesce(sum(strlen("{name}"::varchar)), 0)' for name in longest)
        rows = self._connection.execute(
            f"select max(bytes)::bigint from"
            f" (select {size} as bytes from {table} group by rowid // {ROWS})"
        ).fetchone()
        self._widest = max(self._widest, *rows or ())
        self._set_limit(self._widest)

    def see(self, table: str, rows: int, size: int, columns: int) -> None:
        """Measure rows of so many bytes, which are written after the previous ones."""
        last = self._last[table]
        last.append((rows, size))
        while sum(length for length, _ in last) - last[0][0] >= ROWS:
            last.popleft()
        widest = sum(size for _, size in last)
        name = table.rpartition(".")[2].strip('"')
        if widest > self._widest or columns > self._columns.get(name, 0):
            self._widest = max(self._widest, widest)
            self._columns[name] = columns
            self._set_limit(self._widest)

    def _set_limit(self, widest: int) -> None:
        more = self._in_use + (3 * 2 ** widest.bit_length() if widest > USUAL else 0)
        together: Counter[str] = Counter()
        for table, columns in self._columns.items():
            together[table.partition("__")[0]] += columns
        more += budget.beyond_usual(max(together.values(), default=0))
        self._connection.execute(f"set memory_limit = '{budget.widened(self._budget, more)}'")

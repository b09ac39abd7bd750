"""DuckDB raw dataset: the raw tables in DuckDB, whose connection reads and writes Arrow."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from wholesale_elt.process import budget
from wholesale_elt.warehouse.ports.duckdb_reader import DuckDBReader
from wholesale_elt.warehouse.raw import Raw

MOST_COLUMNS, LARGEST_ROW = 128, 2**14
"""Of a table that is filled in little memory; a row in bytes, on average."""
RATE = "decimal(38,6)"
"""The type of rates, whose columns are not compressed: their numbers take less than 32 bits, so
DuckDB would pack them by bits, and then need 300 nanoseconds rather than 5 to read one of them."""


class DuckDBRaw(Raw, DuckDBReader):
    """The dataset in DuckDB, whose connection reads and writes Arrow."""

    filling = 128
    """Megabytes in which tables are filled: with more it keeps what is in the file already, and is
    no faster."""

    def __init__(self, client: Any) -> None:
        Raw.__init__(self, client)
        DuckDBReader.__init__(self, client.sql_client.native_connection)
        self._is_filling = False

    def append(self, table: str, rows: pa.Table) -> None:
        if rows.num_columns > MOST_COLUMNS or rows.nbytes > LARGEST_ROW * len(rows):
            self.fill(is_filling=False)
        # DuckDB finds `rows` by name; a registered view would hold them until the commit. A stream
        # it reads by itself, but a table by pyarrow.dataset, which takes 20 MB and 45 ms to import.
        rows = rows.__arrow_c_stream__()
        self._duckdb.execute(f"insert into {table} by name from rows")

    def declared(self, column: str, type_: str) -> str:
        return declared(column, type_)

    def begin(self) -> None:
        self._duckdb.begin()

    def commit(self) -> None:
        self._duckdb.commit()

    def prepare_load(self) -> None:
        # A second thread would fill row groups of its own, which costs more memory than it saves
        # time while another thread decodes.
        self._duckdb.execute("set threads = 1; set preserve_insertion_order = false")
        # A commit of a megabyte writes into the file, and not into the log first.
        self._duckdb.execute("set checkpoint_threshold = '1MB'")

    def fill(self, *, is_filling: bool) -> None:
        if is_filling != self._is_filling:
            limit = budget.limit(self.filling if is_filling else None)
            self._duckdb.execute(f"set memory_limit = '{limit}'")
            self._is_filling = is_filling

    def prepare_making(self, schemas: Sequence[str], temporary: str) -> None:
        # Of two threads one polls for work while the other works alone, and each holds rows of its
        # own: together they take half as much processor time again, to save a fifth of the time.
        self._duckdb.execute("set threads = 1; set preserve_insertion_order = false")
        # The commit writes into the file directly, without the log.
        self._duckdb.execute("set checkpoint_threshold = '0MB'")
        # DuckDB assumes that tables made in the same transaction are empty: it would join the
        # largest ones first, and hold them in memory.
        self._duckdb.execute(f"set disabled_optimizers = '{budget.optimizers_off('join_order')}'")
        for schema in schemas:
            self._duckdb.execute(f'create schema if not exists "{schema}"')
        ((catalog,),) = self._duckdb.execute("select current_database()").fetchall()
        places = ",".join(f"{catalog}.{schema}" for schema in schemas)
        self._duckdb.execute(f"set search_path = '{places}'")

    def make_view(self, schema: str, name: str, sql: str) -> None:
        self.execute(f'create or replace view "{schema}"."{name}" as {sql}')

    def make_table(
        self, schema: str, name: str, columns: Mapping[str, str], sql: str, key: Sequence[str]
    ) -> None:
        # Without the key: an index of each would double the size of facts and dimensions.
        declared = ", ".join(self.declared(*column) for column in columns.items())
        listed = ", ".join(f'"{column}"' for column in columns)
        self.execute(f'create or replace table "{schema}"."{name}" ({declared})')
        self.execute(f'insert into "{schema}"."{name}" ({listed}) select {listed} from ({sql})')

    def types_of_query(self, name: str, sql: str) -> Sequence[tuple[str, str]]:
        with self._sql.execute_query(f"describe {sql}") as cursor:  # unlike `rows` it may fail
            return [(column, type_) for column, type_, *_ in cursor.fetchall()]

    def make_temporary(self, name: str, sql: str, *, is_view: bool) -> None:
        self.execute(f'create temporary {"view" if is_view else "table"} "{name}" as {sql}')


def declared(column: str, type_: str) -> str:
    """The column as a table in a file declares it."""
    is_rate = type_.lower().replace(" ", "") == RATE
    return f'"{column}" {type_}{" using compression uncompressed" if is_rate else ""}'

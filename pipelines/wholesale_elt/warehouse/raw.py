"""Raw dataset: the raw tables in the destination, to be read and written, by SQL and as Arrow."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pyarrow as pa
from dlt.common.destination.exceptions import DestinationUndefinedEntity
from dlt.common.schema import Schema

from wholesale.api import ColumnType
from wholesale.tables import arrow_schema
from wholesale_elt.warehouse.names import PIPELINE
from wholesale_elt.warehouse.raw_reader import Found, RawReader, Row


class Raw(RawReader):
    """The dataset over one open connection; `client` is dlt's for the destination.

    Destinations move rows in and out in their own ways; the rest is SQL that all of them share.
    """

    absent: type[Exception] = DestinationUndefinedEntity

    def __init__(self, client: Any) -> None:
        self.client = client
        self._sql = client.sql_client

    def name(self, table: str) -> str:
        return str(self._sql.make_qualified_table_name(table))

    def quoted(self, column: str) -> str:
        return str(self._sql.escape_column_name(column))

    @contextmanager
    def found(self, sql: str, *parameters: Any) -> Iterator[Found]:
        with self._sql.execute_query(sql, *parameters) as cursor:
            yield cursor.native_cursor

    def each(self, sql: str, columns: Mapping[str, ColumnType]) -> Iterator[Row]:
        for batch in self.batches(sql, arrow_schema(columns)):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    @abstractmethod
    def append(self, table: str, rows: pa.Table) -> None:
        """Append rows to a table of the dataset, or a temporary one, by column name."""

    @abstractmethod
    def begin(self) -> None:
        """Begin a transaction; others see nothing of it until `commit`."""

    @abstractmethod
    def commit(self) -> None: ...

    @abstractmethod
    def prepare_load(self) -> None:
        """Prepare the connection for a load."""

    def fill(self, *, is_filling: bool) -> None:
        """Note that rows will only be appended to tables that have none, or that this is over."""

    def hold_keys(self, keys: Mapping[str, Sequence[str]]) -> None:
        """Let the database hold these keys of raw tables, where that costs little; of tables that
        have rows it holds those that it held before."""

    def index_growing(self, tables: Collection[str], columns: Sequence[str]) -> None:
        """Let the database find the greatest values of these columns, which grow from row to row,
        without reading all of a table, where it does not do so by itself."""

    has_columns_of_views = True
    """Whether columns of a view take a comment, as those of a table do."""

    @abstractmethod
    def prepare_making(self, schemas: Sequence[str], temporary: str) -> None:
        """Prepare the connection, within its transaction, to make the tables of a build.

        Names without a schema are found in `schemas`, which are there; `temporary` is the schema of
        what is gone at the end.
        """

    @abstractmethod
    def make_view(self, schema: str, name: str, sql: str) -> None:
        """Create or replace a view, whose readers are not held up until the build is in force."""

    @abstractmethod
    def make_table(
        self, schema: str, name: str, columns: Mapping[str, str], sql: str, key: Sequence[str]
    ) -> None:
        """Replace a table by the result of a query, in the same way.

        Where that costs little, the database holds the `key`, once what is made is in force.
        """

    @abstractmethod
    def types_of_query(self, name: str, sql: str) -> Sequence[tuple[str, str]]:
        """The columns of a query with their types; `name` is that of no other table of the build
        that is gone at its end."""

    @abstractmethod
    def make_temporary(self, name: str, sql: str, *, is_view: bool) -> None:
        """Create a table or view that is gone at the end of the build."""

    def put_in_force(self) -> None:
        """Put in force what was made, before the transaction is committed."""

    def execute(self, sql: str, *parameters: Any) -> None:
        self._sql.execute_sql(sql, *parameters)

    def transaction(self) -> AbstractContextManager[Any]:
        """A transaction around the block: all of it is written, or nothing."""
        transaction: AbstractContextManager[Any] = self._sql.begin_transaction()
        return transaction

    def declared(self, column: str, type_: str) -> str:
        """The column as a table that is made declares it."""
        return f"{self.quoted(column)} {type_}"

    def schema(self) -> Schema:
        """dlt's schema as stored in the destination; empty at first."""
        stored: Any = self.stored_schema()
        return Schema.from_stored_schema(stored) if stored else Schema(PIPELINE)

    def drop_staging(self) -> None:
        """Drop the dataset in which pipelines of dlt leave the rows that they merged last."""
        if self.has_schema(self.staging):
            self.execute(f"drop schema {self.quoted(self.staging)} cascade")

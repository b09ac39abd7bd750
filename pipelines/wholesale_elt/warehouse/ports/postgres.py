"""PostgreSQL: a destination on a server, written by COPY.

In CSV an empty text is quoted and NULL is not, so COPY keeps them apart. Arrow writes and reads CSV
by column; measured, that takes less time than binary COPY from ADBC or from DuckDB.
"""

import io
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import dlt
import pyarrow as pa
from dlt.common.configuration import configspec
from dlt.common.schema import Schema
from dlt.destinations.impl.postgres.configuration import PostgresCredentials
from dlt.destinations.impl.postgres.factory import PostgresTypeMapper
from pyarrow import csv

from wholesale.errors import ConfigurationError
from wholesale_elt.warehouse.dialect import Dialect
from wholesale_elt.warehouse.names import ATTACHED, PIPELINE, RAW_DATASET
from wholesale_elt.warehouse.port import Compacted, Destination
from wholesale_elt.warehouse.ports.csv_rows import read_csv
from wholesale_elt.warehouse.ports.files import quoted
from wholesale_elt.warehouse.ports.postgres_making import Making, primary_key
from wholesale_elt.warehouse.ports.postgres_server import PostgresServer, dsn_to, read_dsn
from wholesale_elt.warehouse.raw import Raw
from wholesale_elt.warehouse.raw_reader import types_of

if TYPE_CHECKING:
    import duckdb

ROWS_A_COPY = 16_384
LEAST_SERVER = 16
"""The oldest server: `pg_input_is_valid`, by which the models read texts, came with it."""


class ExactTypes(PostgresTypeMapper):
    """JSON as `json`, which keeps the text as received: `jsonb` refuses NUL and lone surrogates,
    and reorders keys."""

    sct_to_unbound_dbt = PostgresTypeMapper.sct_to_unbound_dbt | {"json": "json"}


@configspec(init=False)
class Credentials(PostgresCredentials):
    """A libpq connection string, unparsed: dlt's credentials lack sockets, services and password
    files.

    `options` are those of the session: dlt resets after each error what was set in it since.
    """

    dsn: str = ""
    options: str = ""

    def to_native_representation(self) -> str:
        return self.dsn

    def get_query(self) -> dict[str, Any]:
        return {"options": self.options}


class PostgresRaw(Raw):
    """The dataset in PostgreSQL."""

    dialect = Dialect("postgres")
    is_readable = (
        "has_table_privilege(format('%I.%I', columns.table_schema, columns.table_name), 'select')"
    )
    _making: Making

    def __init__(self, client: Any, server: PostgresServer) -> None:
        super().__init__(client)
        self._server = server

    def append(self, table: str, rows: pa.Table) -> None:
        columns = ", ".join(self.quoted(name) for name in rows.column_names)
        for start in range(0, len(rows), ROWS_A_COPY):
            part = rows.slice(start, ROWS_A_COPY)
            texts = [column.cast(pa.string()) for column in part.columns]
            file = io.BytesIO()
            csv.write_csv(
                pa.table(texts, part.column_names),
                file,
                csv.WriteOptions(include_header=False, quoting_style="all_valid"),
            )
            file.seek(0)
            self._copy(f"copy {table} ({columns}) from stdin (format csv)", file)

    def batches(self, sql: str, schema: pa.Schema) -> Iterator[pa.Table]:
        with TemporaryFile() as file:
            self._copy(f"copy ({sql}) to stdout (format csv, force_quote *)", file)
            if not file.tell():
                return
            file.flush()
            yield from read_csv(file, schema)

    def begin(self) -> None:
        self.execute("begin")

    def commit(self) -> None:
        self._server.require_hold()
        self.execute("commit")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with super().transaction():
            yield
            self._server.require_hold()

    def prepare_load(self) -> None:
        """Nothing: the server has memory of its own."""

    def hold_keys(self, keys: Mapping[str, Sequence[str]]) -> None:
        for table, key in keys.items():
            place = self.name(table)
            has_none = "select 1 from pg_class where oid = to_regclass(%s) and not relhasindex"
            if self.rows(has_none, place) and not self.rows(f"select 1 from {place} limit 1"):
                self.execute(f"alter table {place} add {primary_key(key)}")

    def index_growing(self, tables: Collection[str], columns: Sequence[str]) -> None:
        listed = ", ".join(map(self.quoted, columns))
        for table in tables:
            index = f"{table}_moments"
            if self.rows("select 1 where to_regclass(%s) is null", self.name(index)):
                self.execute(
                    f"create index {self.quoted(index)} on {self.name(table)}"
                    f" using brin ({listed}) with (autosummarize = on)"
                )

    def prepare_making(self, schemas: Sequence[str], temporary: str) -> None:
        self._making = Making(self, schemas, temporary)

    def make_view(self, schema: str, name: str, sql: str) -> None:
        self._making.make_view(schema, name, sql)

    def make_table(
        self, schema: str, name: str, columns: Mapping[str, str], sql: str, key: Sequence[str]
    ) -> None:
        self._making.make_table(schema, name, columns, sql, key)

    def types_of_query(self, name: str, sql: str) -> Sequence[tuple[str, str]]:
        return self._making.types_of_query(name, sql)

    def make_temporary(self, name: str, sql: str, *, is_view: bool) -> None:
        self._making.make_temporary(name, sql, is_view=is_view)

    def put_in_force(self) -> None:
        self._making.put_in_force()

    def column_types(self) -> Mapping[str, Mapping[str, str]]:
        return types_of(
            self.rows(
                "select relname, attname, format_type(atttypid, atttypmod) from pg_attribute"
                " join pg_class on pg_class.oid = attrelid"
                " join pg_namespace on pg_namespace.oid = relnamespace"
                f" where nspname = '{RAW_DATASET}' and attnum > 0 and not attisdropped"
            )
        )

    def _copy(self, statement: str, file: Any) -> None:
        with self.client.sql_client.native_connection.cursor() as cursor, _without_print():
            cursor.copy_expert(statement, file)


@contextmanager
def _without_print() -> Iterator[None]:
    """If the connection of a COPY is lost, psycopg2 prints an error with values of a row before it
    raises another."""
    usual, sys.excepthook = sys.excepthook, lambda *_: None
    try:
        yield
    finally:
        sys.excepthook = usual


class Postgres:
    """A database of a PostgreSQL server as a `Port`: the one named, by default the setting's."""

    remedy = "name another database with --database"
    stored = None

    def __init__(self, database: str = "") -> None:
        self._database = database

    @cached_property
    def _server(self) -> PostgresServer:
        return PostgresServer(dsn_to(self._database, read_dsn()) if self._database else read_dsn())

    @property
    def name(self) -> str:
        return self._server.name

    @property
    def address(self) -> str:
        return self._server.address

    @property
    def state_folder(self) -> Path:
        try:
            return self._server.state_folder
        except ConfigurationError:  # without the setting there is a journal all the same
            return Path.cwd() / ".wholesale" / "postgres"

    @property
    def files(self) -> Sequence[Path]:
        return (self.state_folder,)

    def exists(self) -> bool:
        return True

    def is_here(self) -> bool:
        return True

    @contextmanager
    def open(self, *, is_read_only: bool) -> Iterator[Raw]:
        credentials = Credentials()
        credentials.dsn, credentials.database = self._server.session, self._server.place["database"]
        mode = "on" if is_read_only else "off"
        credentials.options = f"{self._server.options} -c default_transaction_read_only={mode}"
        credentials.__is_resolved__ = True
        factory = dlt.destinations.postgres(credentials, type_mapper=ExactTypes)
        dataset = factory.spec()._bind_dataset_name(RAW_DATASET)
        with factory.client(Schema(PIPELINE), dataset) as client:
            raw = PostgresRaw(client, self._server)
            ((number,),) = raw.rows("show server_version_num")
            if (version := int(number) // 10_000) < LEAST_SERVER:
                raise ConfigurationError(
                    f"{self.name} is PostgreSQL {version}: name a server of version"
                    f" {LEAST_SERVER} or later"
                )
            yield raw

    def hold(self) -> AbstractContextManager[None]:
        return self._server.hold()

    def attach(
        self, connection: "duckdb.DuckDBPyConnection", folder: Path, schemas: Collection[str]
    ) -> None:
        """Attach a copy of one moment: DuckDB's PostgreSQL extension would bind this to one
        version of DuckDB."""
        connection.execute(f"attach {quoted(folder / 'copy.duckdb')} as warehouse")
        with self.open(is_read_only=True) as raw:
            raw.execute("begin isolation level repeatable read")
            for (schema, table), columns in _columns(raw, schemas).items():
                copy = f'warehouse."{schema}"."{table}"'
                types = ", ".join(f'"{name}" {type_}' for name, type_ in columns.items())
                connection.execute(f'create schema if not exists warehouse."{schema}"')
                connection.execute(f"create table {copy} ({types})")
                selected = ", ".join(
                    f'cast("{name}" as varchar) as "{name}"' if type_ == "JSON" else f'"{name}"'
                    for name, type_ in columns.items()
                )
                fields = connection.sql(f"from {copy} limit 0").to_arrow_table().schema
                sql = f'select {selected} from "{schema}"."{table}"'
                for batch in raw.batches(sql, fields.remove_metadata()):  # noqa: B007
                    connection.execute(f"insert into {copy} by name from batch")
            raw.commit()

    def compact(self) -> Compacted | None:
        """Nothing: the server does that by itself."""
        return None

    def rehearse(self) -> None:
        """Nothing stands in the way: tables of ours alone are written anew."""

    def rewrite(self) -> str:
        with self.open(is_read_only=False) as raw:
            tables = raw.rows(
                "select table_schema, table_name from information_schema.tables"
                " where table_schema like 'wholesale%%' and table_type = 'BASE TABLE'"
            )
            for schema, table in tables:
                raw.execute(f'vacuum (full, analyze) "{schema}"."{table}"')
            return (
                f"{len(tables)} tables were vacuumed in full; the server's write-ahead log"
                " (pg_wal), its archive and backups have the values until it removes them"
            )

    @property
    def rewritten(self) -> Sequence[Path]:
        return ()


DESTINATION = Destination(
    "PostgreSQL",
    "",
    "`DESTINATION__POSTGRES__CREDENTIALS`: a libpq connection string; `--database`: another"
    " database of that server",
    lambda database: Postgres(database.name),
)


def _columns(raw: Raw, schemas: Collection[str]) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """The columns of what is attached with DuckDB's types, by table."""
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for schema, table, column, type_ in raw.rows(
        "select nspname, relname, attname,"
        " format_type(atttypid, case atttypid when 'numeric'::regtype then atttypmod end)"
        " from pg_attribute join pg_class on pg_class.oid = attrelid"
        " join pg_namespace on pg_namespace.oid = relnamespace"
        " where attnum > 0 and not attisdropped and relkind = 'r'"
        f" and (nspname = any(%s) or nspname = '{RAW_DATASET}' and relname = any(%s))"
        " order by nspname, relname, attnum",
        list(schemas),
        list(ATTACHED),
    ):
        found[schema, table][column] = "JSON" if type_ in ("json", "jsonb") else type_
    return found

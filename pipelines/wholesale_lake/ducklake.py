"""DuckLake: tables as Parquet files in a folder or bucket, with a catalogue in an SQL database.

It is the only open lake format with transactions over several tables. DuckDB writes it like a file
of its own.
"""

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dlt
import duckdb
from dlt.common.schema import Schema
from dlt.destinations.impl.ducklake.configuration import DuckLakeCredentials

from wholesale.errors import ConfigurationError
from wholesale_elt.process import budget, hold, replace
from wholesale_elt.warehouse import (
    PIPELINE,
    RAW_DATASET,
    Compacted,
    Destination,
    DuckDBRaw,
    PostgresServer,
    Raw,
    SharedSetting,
    dsn_to,
    quoted,
)

CATALOG = "destination.ducklake.catalog"
STORAGE = "destination.ducklake.storage"
S3 = "s3://"
AMAZON = "s3.amazonaws.com"
ENDPOINT = "AWS_ENDPOINT_URL"
"""The variable by which S3 tools find another server of the protocol."""
LARGEST_FILE = "50GB"
"""Uploads are held in memory by parts, of which a file has at most ten thousand."""
EXTENSIONS = ("ducklake", "sqlite_scanner", "postgres_scanner")
LAKE = "lake"
"""The name under which the catalogue is attached."""
STATES_KEPT = "1 day"
"""How long states stay, for readers that began with one."""
LAKE_BYTES = (
    "select coalesce(sum(file_size_bytes), 0)::bigint"
    f" from __ducklake_metadata_{LAKE}.ducklake_data_file"
)


@dataclass(frozen=True, slots=True)
class DataPath:
    """A folder by its absolute path without `..`, as DuckLake compares paths by their spelling, or
    `s3://bucket/prefix/`.

    Credentials of a bucket are found where Amazon's own tools look for them: variables, profiles,
    the machine's role.
    """

    place: str

    @classmethod
    def of(cls, given: str) -> "DataPath":
        """Raises: ConfigurationError for another kind of bucket."""
        scheme, mark, rest = given.partition("://")
        if not mark:
            return cls(os.path.abspath(Path(given).expanduser()))
        if scheme.lower() + mark == S3 and rest.strip("/"):
            return cls(f"{S3}{rest.strip('/')}/")
        raise ConfigurationError(
            f"setting {STORAGE} is {given}: files of a lake lie in a folder or in s3://bucket/prefix"
        )

    @property
    def is_bucket(self) -> bool:
        return self.place.startswith(S3)

    @property
    def folders(self) -> Sequence[Path]:
        """Its files on this machine."""
        return () if self.is_bucket else (Path(self.place),)

    @property
    def extensions(self) -> Sequence[str]:
        """The DuckDB extensions that it needs."""
        return ("httpfs", "aws") if self.is_bucket else ()

    @property
    def server(self) -> Mapping[str, str]:
        """Options of S3 under the names of a DuckDB secret."""
        given = urlsplit(os.environ.get(ENDPOINT, ""))
        if not given.netloc:
            return {"endpoint": AMAZON, "use_ssl": "true", "url_style": "vhost"}
        is_secure = "false" if given.scheme == "http" else "true"
        return {"endpoint": given.netloc, "use_ssl": is_secure, "url_style": "path"}

    @property
    def sql(self) -> str:
        """SQL to run before the lake is attached; it contains no credentials."""
        if not self.is_bucket:
            return ""
        server = ", ".join(f"{name} {quoted(value)}" for name, value in self.server.items())
        return (
            f"create or replace secret lake (type s3, provider credential_chain, {server},"
            f" scope {quoted(self.place)});"
            f" set s3_uploader_max_filesize = '{LARGEST_FILE}'; set s3_uploader_thread_limit = 2; "
        )


class LakeRaw(DuckDBRaw):
    """The dataset in DuckLake, whose Parquet files have no statistics on the length of texts."""

    filling = 200
    """More than for a file: a Parquet row group of every table, and a part of an upload."""

    has_columns_of_views = False
    declared = Raw.declared
    """Files of Parquet pack columns in their own way."""

    def __init__(self, client: Any, server: PostgresServer | None) -> None:
        super().__init__(client)
        self._server = server

    def commit(self) -> None:
        if self._server:
            self._server.require_hold()
        super().commit()


class DuckLake:
    """A DuckLake as a `Port`; the catalogue is a SQLite file or a PostgreSQL database."""

    stored = None

    def __init__(self, database: Path) -> None:
        self._file = database

    @cached_property
    def _server(self) -> PostgresServer | None:
        dsn: Any = dlt.secrets.get(CATALOG)
        return PostgresServer(str(dsn), CATALOG) if dsn else None

    @cached_property
    def _storage(self) -> DataPath:
        given: Any = dlt.config.get(STORAGE)
        return DataPath.of(str(given or f"{self._file}.files"))

    @property
    def name(self) -> str:
        return f"DuckLake {self._server.name if self._server else self._file}"

    @property
    def remedy(self) -> str:
        if self._server:
            return f"name another catalogue in setting {CATALOG}"
        return "name another catalogue with --database"

    @property
    def address(self) -> str:
        if self._server:
            return f"ducklake:{self._server.address}"
        return f"ducklake://{self._file.absolute().as_posix()}"

    @property
    def state_folder(self) -> Path:
        if self._server:
            return self._server.state_folder
        return self._file.absolute().parent / ".wholesale" / self._file.name

    @property
    def files(self) -> Sequence[Path]:
        return (self._file, *self._storage.folders, self.state_folder)

    def exists(self) -> bool:
        return bool(self._server) or self._file.exists()

    def is_here(self) -> bool:
        return True

    @contextmanager
    def open(self, *, is_read_only: bool) -> Iterator[Raw]:
        credentials = DuckLakeCredentials(
            LAKE,
            catalog=f"sqlite:///{self._file}",
            storage=str(self.state_folder),  # which dlt creates; the lake's is told when attached
        )
        credentials.global_config = self._config() | {
            "disabled_optimizers": budget.optimizers_off(),
            "memory_limit": budget.limit(),
            "temp_directory": self._spill,
        }
        credentials.resolve()
        factory = dlt.destinations.ducklake(credentials)
        dataset = factory.spec()._bind_dataset_name(RAW_DATASET)
        client = factory.client(Schema(PIPELINE), dataset)
        client.sql_client._attach_statement = self._attach_statement(LAKE, is_read_only)
        with client, closing(LakeRaw(client, self._server)) as raw:
            yield raw

    def hold(self) -> AbstractContextManager[None]:
        return self._server.hold() if self._server else hold(self.state_folder / "lock")

    def attach(
        self, connection: duckdb.DuckDBPyConnection, folder: Path, schemas: Collection[str]
    ) -> None:
        for name, value in self._config().items():
            connection.execute(f"set {name} = {quoted(value)}")
        connection.execute(self._attach_statement("warehouse", is_read_only=True))

    def compact(self) -> Compacted | None:
        """Keep states for a while, then remove the files that only old ones need."""
        with self.open(is_read_only=False) as raw:
            ((before,),) = raw.rows(LAKE_BYTES)
            for option in ("expire_older_than", "delete_older_than"):
                raw.execute(f"call {LAKE}.set_option('{option}', '{STATES_KEPT}')")
            raw.execute(f"checkpoint {LAKE}")
            ((after,),) = raw.rows(LAKE_BYTES)
        return Compacted(before, after) if after < before else None

    def rehearse(self) -> None:
        """Nothing stands in the way: DuckDB rewrites files, and no tables."""

    def rewrite(self) -> str:
        """Rewrite files with deleted rows, then remove all states but the last."""
        with self.open(is_read_only=False) as raw:
            raw.execute(f"call ducklake_flush_inlined_data('{LAKE}')")
            raw.execute(f"call ducklake_rewrite_data_files('{LAKE}', delete_threshold => 0)")
            expired = raw.rows(f"call ducklake_expire_snapshots('{LAKE}', older_than => now())")
            removed = raw.rows(f"call ducklake_cleanup_old_files('{LAKE}', cleanup_all => true)")
        self._vacuum_catalogue()
        return f"{len(expired)} states were forgotten, {len(removed)} files removed"

    @property
    def rewritten(self) -> Sequence[Path]:
        return ()

    def _vacuum_catalogue(self) -> None:
        """Remove old values from the catalogue, whose tables contained small changes, and least
        and greatest values of columns."""
        if not self._server:
            with closing(sqlite3.connect(self._file)) as catalogue:
                catalogue.execute("vacuum")
            return
        with closing(self._server.connect()) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute("select tablename from pg_tables where tablename like 'ducklake%'")
                for (table,) in cursor.fetchall():
                    cursor.execute(f'vacuum (full, analyze) "{table}"')

    @property
    def _spill(self) -> str:
        return str(self.state_folder / "spill")

    @property
    def _catalog(self) -> str:
        if self._server:
            return f"ducklake:postgres:{self._server.session}"
        return f"ducklake:sqlite:{self._file.absolute()}"

    def _attach_statement(self, alias: str, is_read_only: bool) -> str:
        if self._server:
            self._server.require()  # DuckDB's own error message would show the password
        files = f"data_path {quoted(self._storage.place)}"
        options = f"{files}, read_only" if is_read_only else files
        return f"{self._storage.sql}attach {quoted(self._catalog)} as {alias} ({options})"

    def _config(self) -> dict[str, str]:
        """The folder of DuckDB's extensions: those of installed wheels, if there are any."""
        folder = self.state_folder / "extensions"
        place = folder / f"v{duckdb.__version__}" / _platform()
        for name in (*EXTENSIONS, *self._storage.extensions):
            spec = find_spec(f"duckdb_extension_{name}")
            if spec and spec.origin:
                file = f"{name}.duckdb_extension"
                wheel = Path(spec.origin).parent / "extensions" / f"v{duckdb.__version__}" / file
                if not wheel.exists():  # it is made for another DuckDB
                    continue
                place.mkdir(parents=True, exist_ok=True)
                if (place / file).resolve() != wheel.resolve():
                    replace(place / file, partial(Path.symlink_to, target=wheel))
        return {"extension_directory": str(folder)} if place.exists() else {}


def _platform() -> str:
    with budget.connect() as connection:
        return str(connection.execute("pragma platform").fetchall()[0][0])


DESTINATION = Destination(
    "DuckLake",
    "wholesale.ducklake",
    "`--database`: the catalogue, a SQLite file; or `DESTINATION__DUCKLAKE__CATALOG`, a PostgreSQL"
    " database; and `DESTINATION__DUCKLAKE__STORAGE`: a folder, or `s3://bucket/prefix`",
    DuckLake,
    shared={
        CATALOG: SharedSetting(lambda dsn, name: dsn_to(name, dsn), is_secret=True),
        STORAGE: SharedSetting(lambda place, name: f"{place.rstrip('/')}/{name}"),
    },
)

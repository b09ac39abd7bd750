"""Served: versions in a DuckDB database that somebody serves: MotherDuck, or DuckDB's own Quack.

A version is tables in a schema of its own, where no reader looks. One transaction then points a
view of each table to them, with what it means, and adds a row to `versions`.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb

from wholesale.errors import ConfigurationError, WholesaleError, installing, one_line
from wholesale_elt.process import budget
from wholesale_elt.publish import (
    DATABASE,
    File,
    Manifest,
    Pruned,
    PublishedTable,
    outdated,
    source_of,
)
from wholesale_elt.warehouse import comments, quoted

PLACE = re.compile(r"(?i:(md):(?://)?(\w[\w-]*)|(quack):(?://)?([\w.-]+(?::\d+)?))")
"""A database of MotherDuck, or a server's host and port."""
EXTENSIONS = {"md": ("motherduck",), "quack": ("httpfs", "quack")}
QUACK, DRAFT = "served", "draft"
"""The names of the server's database, and of the version's, within the connection."""
VERSIONS = "wholesale_bi.versions"
DECLARED = "(version varchar, run_id varchar, verdict varchar, as_of varchar, manifest varchar)"


class ServerFailed(WholesaleError):
    """The server cannot be reached, or refuses a statement."""


class Served:
    """A database of a server; DuckDB finds the token itself, as a secret or `motherduck_token`.

    Raises: ConfigurationError for a place that names none.
    """

    has_files = False

    def __init__(self, place: str) -> None:
        found = PLACE.fullmatch(place)
        if not found:
            raise ConfigurationError(
                f"what follows {place.partition(':')[0]}: is no database: write md:NAME for one of"
                " MotherDuck, or quack:HOST or quack:HOST:PORT; a token is no part of it"
            )
        self._kind = "md" if found[1] else "quack"
        self._name = found[2] or found[4]
        self._place = f"{self._kind}:{self._name}"

    def has_versions(self) -> bool:
        with self.locked():
            return bool(self._versions())

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nothing is locked: each run writes tables of its own, and only the later version comes
        into force."""
        with budget.open_within() as self._duckdb:
            for statement in self._beginning():
                self._run(statement, f"install what reaches it by {installing('served')}")
            yield

    def current(self) -> Manifest | None:
        with suppress(ValueError):
            for _, manifest in self._versions()[:1]:
                return Manifest.of(manifest)
        return None

    def kept(self) -> Sequence[Manifest]:
        """None: nothing is taken over."""
        return ()

    def source(self) -> str | None:
        return source_of(manifest.encode() for _, manifest in self._versions())

    def is_whole(self, manifest: Manifest) -> bool:
        """Compare counts of rows, as readers see them: hashing them would mean to read all."""
        counts = " union all ".join(
            f"select {number}, count(*) from {_view(table)}"
            for number, table in enumerate(manifest.tables)
        )
        try:
            return dict(self._ask(counts)) == dict(enumerate(t.rows for t in manifest.tables))
        except ServerFailed:
            return False

    @contextmanager
    def draft(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)

    def take_over(self, file: File, path: Path) -> bool:
        """Never: all tables of a version are written."""
        return False

    def activate(self, draft: Path, manifest: Manifest) -> None:
        schema = _schema(manifest.version)
        self._do(f'create schema "{schema}"')
        if self._kind == "quack":  # which knows of the schemas that were there at first
            self._run(f"detach {QUACK}; {self._attaching}")
        self._run(f"attach {quoted(draft / DATABASE)} as {DRAFT} (read_only)")
        catalog = self._name if self._kind == "md" else QUACK
        for table in manifest.tables:
            self._run(
                f'create table "{catalog}"."{schema}"."{_stored(table)}"'
                f' as from {DRAFT}."{table.schema}"."{table.table}"'
            )
        views = [self._pointing(schema, table) for table in manifest.tables]
        self._run(f"detach {DRAFT}")
        schemas = {table.schema for table in manifest.tables} | {"wholesale_bi"}
        row = (manifest.version, manifest.run_id, manifest.verdict, manifest.as_of)
        told = ", ".join(quoted(v) if v else "null" for v in (*row, manifest.as_json()))
        if any(version >= manifest.version for version, _ in self._versions()):
            raise WholesaleError(
                f"{self._place} has a version that is later than now: set this machine's clock, or"
                " that of the machine which published it, and run again"
            )
        self._do(
            *(f"create schema if not exists {each}" for each in sorted(schemas)),
            f"create table if not exists {VERSIONS} {DECLARED}",
            *(f"drop view {each}" for each in self._outdated(manifest)),
            *views,
            f"insert into {VERSIONS} values ({told})",
        )

    def repair(self, manifest: Manifest) -> None:
        """Nothing: the views of a whole version have been counted."""

    def prune(self, keep: int) -> Pruned:
        """Readers of a server cannot be seen; what they have begun to read they read to its end.
        What a killed run has left goes too."""
        versions = [version for version, _ in self._versions()]
        removed = outdated(versions, keep, versions[0] if versions else None)
        known = {_schema(version) for version in versions if version not in removed}
        schemas = self._ask(
            "select distinct schema_name from duckdb_schemas() where database_name ="
            " current_database() and starts_with(schema_name, 'version_')"
        )
        left = [name for (name,) in schemas if name not in known and name < max(known)]
        if left:
            self._do(
                *(f"delete from {VERSIONS} where version = {quoted(each)}" for each in removed),
                *(f'drop schema "{each}" cascade' for each in left),
            )
        return Pruned(removed, ())

    def _beginning(self) -> Iterator[str]:
        yield from map(load_statement, EXTENSIONS[self._kind])
        yield self._attaching
        if self._kind == "md":
            yield f'use "{self._name}"'

    @property
    def _attaching(self) -> str:
        """MotherDuck gives its databases no other names."""
        alias = f" as {QUACK}" if self._kind == "quack" else ""
        return f"attach {quoted(self._place)}{alias}"

    def _versions(self) -> Sequence[tuple[str, str]]:
        """Each with its manifest, the newest, which is in force, first."""
        is_there = self._ask(
            "select 1 from duckdb_tables() where database_name = current_database() and"
            " schema_name || '.' || table_name = " + quoted(VERSIONS)
        )
        newest = f"select version, manifest from {VERSIONS} order by version desc"
        return self._ask(newest) if is_there else ()

    def _outdated(self, manifest: Manifest) -> Sequence[str]:
        """The views that earlier versions had, and this one has not."""
        views = {_view(table) for table in manifest.tables}
        with suppress(ValueError):
            for _, earlier in self._versions()[:1]:
                return sorted({_view(table) for table in Manifest.of(earlier).tables} - views)
        return ()

    def _pointing(self, schema: str, table: PublishedTable) -> str:
        """Statements that make a view of the table, with the comments of the draft."""
        of_it = (
            f"where database_name = '{DRAFT}' and schema_name = {quoted(table.schema)} and"
            f" table_name = {quoted(table.table)}"
        )
        [(meaning,)] = self._run(f"select comment from duckdb_tables() {of_it}")
        columns = self._run(f"select column_name, comment from duckdb_columns() {of_it}")
        view = f'create or replace view {_view(table)} as from "{schema}"."{_stored(table)}"'
        return f"{view}; {comments('view', _view(table), meaning, dict(columns))}".strip("; ")

    def _do(self, *statements: str) -> None:
        """All of them, or none."""
        try:
            self._ask("; ".join(["begin", *statements, "commit"]))
        except ServerFailed:
            with suppress(ServerFailed):
                self._ask("rollback")
            raise

    def _ask(self, sql: str) -> list[Any]:
        """Rows of the last of these statements, which the server runs."""
        if self._kind == "quack":
            sql = f"from {QUACK}.query({quoted(sql)})"
        return self._run(sql)

    def _run(self, sql: str, remedy: str = "") -> list[Any]:
        try:
            return self._duckdb.execute(sql).fetchall()
        except duckdb.Error as error:
            raise ServerFailed(
                f"{self._place} cannot be read or written: {one_line(error)}; check its name and"
                f" the token{remedy and f', or {remedy}'}"
            ) from error


def load_statement(extension: str) -> str:
    """Load an extension of DuckDB: that of an installed wheel, else the one it installs itself."""
    spec = find_spec(f"duckdb_extension_{extension}")
    if spec and spec.origin:
        version = f"v{duckdb.__version__}"
        wheel = Path(spec.origin).parent / "extensions" / version / f"{extension}.duckdb_extension"
        if wheel.exists():
            return f"load {quoted(wheel)}"
    return f"install {extension}; load {extension}"


def _schema(version: str) -> str:
    return f"version_{version.replace('-', '_')}"


def _stored(table: PublishedTable) -> str:
    return f"{table.schema}__{table.table}"


def _view(table: PublishedTable) -> str:
    return f'"{table.schema}"."{table.table}"'

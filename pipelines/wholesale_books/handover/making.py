"""Making: a batch of what became of the orders of a version, for one receiver."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_books.handover.batches import (
    MANIFEST,
    NUMBER_IN_ORDER,
    OF_RECORD,
    ORDERS,
    TABLES,
    WITHOUT_CONTENT,
    BatchManifest,
    Content,
    cast_all,
    content_of,
    literal,
    names,
    parquet_of,
    quoted,
    state,
    statements,
    write_files,
)
from wholesale_books.handover.receiver import CONTENT, Batch, Receiver
from wholesale_books.handover.settings import Filter, Format
from wholesale_elt.process import budget
from wholesale_elt.publish import Site, describe_file
from wholesale_elt.warehouse import open_file

RELATIONS = {part: f"wholesale_marts.{table}" for part, table in TABLES.items()}
ROWS_IN_GROUP = 20_480
"""So few that the orders of a piece are found in some groups of rows."""
ORDERS_AT_ONCE = 20_480
"""So many are sorted with their lines. Each time all lines of the version are looked through."""

LIMITS = {"threads": "1", "preserve_insertion_order": "true"}
"""A second thread would need as much memory again, for less than half of the time."""
MEGABYTES = 250
"""What DuckDB keeps of tables beyond that is read again: no step needs as much at once."""


class Older(WholesaleError):
    """A version that is older than the last one handed over."""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the orders of a version: records by kind, and by why."""

    counts: Mapping[str, int]
    why: Mapping[str, int]

    @property
    def records(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True)
class Making:
    """A version, compared with what a receiver was handed, by these wishes."""

    receiver: Receiver
    site: Site
    filter: Filter
    format: Format

    def look(self) -> Found:
        """What there is to hand over; makes nothing.

        Raises: as `make`.
        """
        with self._compared() as (connection, _):
            return _found(connection)

    def make(self) -> Batch | None:
        """Make the next batch; None if there is nothing to hand over.

        Raises: Older; ConfigurationError for a version of another account or part.
        """
        with self._compared() as (connection, content):
            found = _found(connection)
            about = self._about(content)
            if not found.records:
                self._keep_state(connection, about)
                return None
            number = self.receiver.last_number + 1
            return self.receiver.make(
                number, 0, lambda folder: self._write(connection, content, about, found, folder)
            )

    @contextmanager
    def _compared(self) -> Iterator[tuple[duckdb.DuckDBPyConnection, Content]]:
        file = self.receiver.state_file
        last = state.read_about(file) if file else None
        if last:
            self._require_next(last)
        folder = self.receiver.folder if self.receiver.folder.exists() else None
        limits = {**LIMITS, "memory_limit": budget.limit(MEGABYTES)}
        with open_file(self.site.database, beside=folder, limits=limits) as connection:
            content = content_of(connection, self.site.manifest)
            for statement in statements(
                *(content, RELATIONS, state.relation(file), last, self.filter),
                self.receiver.last_number + 1,
            ):
                connection.execute(statement)
            yield connection, content

    def _require_next(self, last: state.About) -> None:
        manifest = self.site.manifest
        if manifest.source != last.source or manifest.only != last.only:
            raise ConfigurationError(
                f"{self.site.page.parent} has another account, or another part of it, than"
                f" {self.receiver.name} was handed: name another receiver for it"
            )
        if (manifest.as_of or "", manifest.built_at) < (last.as_of, last.built_at):
            raise Older(
                f"version {manifest.version} is older than {last.version}, which"
                f" {self.receiver.name} was handed last, so nothing is handed over from it:"
                " publish what is built now"
            )

    def _about(self, content: Content) -> state.About:
        manifest = self.site.manifest
        return state.About(
            source=manifest.source,
            only=manifest.only,
            version=manifest.version,
            as_of=manifest.as_of or "",
            built_at=manifest.built_at,
            filter=self.filter,
            columns=names(content.plain()),
            personal=sorted(content.personal),
        )

    def _keep_state(self, connection: duckdb.DuckDBPyConnection, about: state.About) -> None:
        """Keep what comes of no batch, such as that an order is outside of the filter."""
        file = self.receiver.state_file
        columns = ", ".join(state.COLUMNS)
        if file and state.read_about(file).filter == self.filter:
            different = connection.execute(
                f"select 1 from ((select {columns} from before except select {columns} from"
                f" state_after) union all (select {columns} from state_after except"
                f" select {columns} from before)) limit 1"
            ).fetchone()
            if not different:
                return
        rows = f"select {columns} from state_after"
        self.receiver.replace_state(lambda path: state.write(connection, rows, about, path))

    def _write(
        self,
        connection: duckdb.DuckDBPyConnection,
        content: Content,
        about: state.About,
        found: Found,
        folder: Path,
    ) -> None:
        state.write(connection, "select * from state_after", about, folder / state.FILE)
        made_of = folder / CONTENT
        made_of.mkdir()
        _write_content(connection, content, made_of)
        files = write_files(connection, made_of, folder, content.columns, self.format)
        number = self.receiver.last_number
        manifest = self.site.manifest
        batch = BatchManifest(
            receiver=self.receiver.name,
            number=number + 1,
            previous=self.receiver.batches()[-1].manifest.sha256 if number else "",
            made_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            source=manifest.source,
            only=manifest.only,
            version=manifest.version,
            as_of=about.as_of,
            currency=manifest.currency,
            time_zone=manifest.time_zone,
            filter=self.filter,
            format=self.format,
            records=found.records,
            counts=found.counts,
            why=found.why,
            schema=content.columns,
            personal=about.personal,
            files=[describe_file(folder, file) for file in files],
        )
        (folder / MANIFEST).write_bytes(batch.as_json())


def _found(connection: duckdb.DuckDBPyConnection) -> Found:
    def counts(column: str) -> Mapping[str, int]:
        return dict(
            connection.execute(
                f"select {column}, count(*) from records where {column} is not null"
                " group by all order by all"
            ).fetchall()
        )

    return Found(counts("kind"), counts("why"))


def _write_content(connection: duckdb.DuckDBPyConnection, content: Content, folder: Path) -> None:
    """Write the parts of all records, in their order. Only so many orders are sorted at once: as a
    whole they would not fit into the memory that there is."""
    [(last,)] = connection.execute("select max(position) from records").fetchall()
    for part, relation in RELATIONS.items():
        pieces = []
        for first in range(1, last + 1, ORDERS_AT_ONCE):
            within = f"position between {first} and {first + ORDERS_AT_ONCE - 1}"
            pieces.append(folder / f"{part}.{first}.parquet")
            _write_parquet(connection, _rows_of(content, part, relation, within), pieces[-1])
        listed = ", ".join(literal(piece) for piece in pieces)
        _write_parquet(connection, f"from read_parquet([{listed}])", parquet_of(folder, part))
        for piece in pieces:
            piece.unlink()


def _rows_of(content: Content, part: str, relation: str, within: str) -> str:
    """SQL: the rows of a part of the records that are `within`, in their order."""
    columns = content.columns[part]
    records = f"(select * from records where {within}) as records"
    if part != ORDERS:
        return (
            f"select position, {cast_all(columns, 'version.')} from {relation} as version"
            f" join {records} using (order_id) where not ({WITHOUT_CONTENT})"
            f" order by position, version.{quoted(NUMBER_IN_ORDER[part])}"
        )
    kept = ("order_id", "order_number")
    listed = ", ".join(
        f"records.{quoted(name)}"
        if name == "order_id"
        else f"cast(case when {'false' if name in kept else WITHOUT_CONTENT} then null"
        f" else version.{quoted(name)} end as {type_}) as {quoted(name)}"
        for name, type_ in columns.items()
    )
    first = ", ".join(f"records.{name}" for name in OF_RECORD)
    return (
        f"select {first}, {listed} from {records} left join {relation} as version"
        " using (order_id) order by position"
    )


def _write_parquet(connection: duckdb.DuckDBPyConnection, rows: str, file: Path) -> None:
    connection.execute(
        f"copy ({rows}) to {literal(file)}"
        f" (format parquet, compression zstd, row_group_size {ROWS_IN_GROUP})"
    )

"""DuckDB file: the destination without a server."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import duckdb

from wholesale_elt.process import budget, causes, hold, replace
from wholesale_elt.warehouse.names import PIPELINE, RAW_DATASET
from wholesale_elt.warehouse.port import Compacted, Destination
from wholesale_elt.warehouse.ports.compaction import InUse, compact_file, rehearse
from wholesale_elt.warehouse.ports.files import create, quoted

if TYPE_CHECKING:
    from wholesale_elt.warehouse.ports.duckdb_raw import DuckDBRaw
    from wholesale_elt.warehouse.raw import Raw
    from wholesale_elt.warehouse.raw_reader import RawReader

CATALOG = "warehouse"
"""The name of the file within a connection, whatever its own is."""
ROWS_A_GROUP = 61_440
"""Rows that DuckDB gathers of a table before it compresses them, half of its default: that takes
less memory, and no more time."""
PATIENCE, PAUSE = 5.0, 0.05
"""Seconds for which a run that writes waits for readers, and between two tries: `status`, and any
command that reports how it ended, open the file for a moment even while another run is at work."""


class DuckDBFile:
    """A DuckDB file as a `Port`."""

    stored = None

    def __init__(self, database: Path, raw: "type[DuckDBRaw] | None" = None) -> None:
        self._database = database
        self._raw = raw
        self.name = str(database)
        self.remedy = "name another file with --database"
        self.address = f"duckdb://{database.absolute().as_posix()}"
        self.state_folder = database.absolute().parent / ".wholesale" / database.name
        self.files = (database, self.state_folder)

    def exists(self) -> bool:
        """Whether it is there; an empty file, as `touch` makes one, is not there yet."""
        return self._database.exists() and self._database.stat().st_size > 0

    def is_here(self) -> bool:
        return True

    @overload
    def open(self, *, is_read_only: Literal[True]) -> AbstractContextManager["RawReader"]: ...
    @overload
    def open(self, *, is_read_only: Literal[False]) -> AbstractContextManager["Raw"]: ...
    def open(self, *, is_read_only: bool) -> AbstractContextManager["RawReader"]:
        return self._read() if is_read_only and not self._raw else self._load(is_read_only)

    @contextmanager
    def _read(self) -> Iterator["RawReader"]:
        from wholesale_elt.warehouse.ports.duckdb_reader import DuckDBReader

        with self._connection() as connection:
            # A second thread takes more processor time for a question than it saves.
            connection.execute("set threads = 1; set TimeZone = 'UTC'")
            connection.execute(f"{self._attach('read_only')}; use {CATALOG}")
            with closing(DuckDBReader(connection)) as reader:
                yield reader

    @contextmanager
    def _load(self, is_read_only: bool) -> Iterator["Raw"]:
        """With dlt's client, in which a plug-in reads, too, that has a `Raw` of its own."""
        import dlt
        from dlt.common.schema import Schema
        from dlt.destinations.impl.duckdb.configuration import DuckDbCredentials

        from wholesale_elt.warehouse.ports.duckdb_raw import DuckDBRaw

        if not is_read_only and not self.exists():
            # Atomically: a partial file, after a full disk or a kill, would stop all later runs.
            replace(self._database, create)
        # Attached, as only that takes a size of row groups.
        attach = self._attach("read_only" if is_read_only else f"row_group_size {ROWS_A_GROUP}")
        with ExitStack() as opened:
            connection = opened.enter_context(self._connection())
            _once_free(partial(connection.execute, attach), 0 if is_read_only else PATIENCE)
            factory = dlt.destinations.duckdb(DuckDbCredentials(connection))
            dataset = factory.spec()._bind_dataset_name(RAW_DATASET)
            client: Any = factory.client(Schema(PIPELINE), dataset)
            opened.enter_context(client)
            client.sql_client.execute_sql(f"use {CATALOG}")
            raw = opened.enter_context(closing((self._raw or DuckDBRaw)(client)))
            yield raw

    def _attach(self, options: str) -> str:
        return f"attach {quoted(self._database)} as {CATALOG} ({options})"

    def _connection(self) -> duckdb.DuckDBPyConnection:
        """A connection on no file, which spills to where one on this file would."""
        spill = f"{self._database.absolute()}.tmp"
        return budget.connect(config={"memory_limit": budget.limit(), "temp_directory": spill})

    def hold(self) -> AbstractContextManager[None]:
        return hold(self.state_folder / "lock")

    def attach(
        self, connection: duckdb.DuckDBPyConnection, folder: Path, schemas: Collection[str]
    ) -> None:
        connection.execute(f"attach {quoted(self._database)} as {CATALOG} (read_only)")

    def compact(self) -> Compacted | None:
        path = self._database.resolve()
        return compact_file(path) if path.exists() else None

    def rehearse(self) -> None:
        """Raises: InUse, NotCopied, Mounted."""
        if not rehearse(self._database.resolve()):
            raise self._in_use()

    def rewrite(self) -> str:
        """Raises: InUse, NotCopied, Mounted, CompactionDiffers."""
        if compact_file(self._database.resolve(), is_forced=True) is None:
            raise self._in_use()
        return "the file was written anew"

    def _in_use(self) -> InUse:
        return InUse(
            f"{self.name} is open in another program, and so cannot be written anew: close it there"
            " and run again"
        )

    @property
    def rewritten(self) -> Sequence[Path]:
        return ()


DESTINATION = Destination("DuckDB", "wholesale.duckdb", "`--database`: the file", DuckDBFile)


def _once_free(open_it: Callable[[], object], seconds: float) -> None:
    """Call `open_it`, and again for so many seconds while another process has the file open."""
    until = time.monotonic() + seconds
    while True:
        try:
            open_it()
        except Exception as error:
            if not is_in_use(error) or time.monotonic() > until:
                raise
            time.sleep(PAUSE)
        else:
            return


def is_in_use(error: BaseException) -> bool:
    """Whether the cause of this error is that another process has the database open."""
    return any(
        isinstance(cause, duckdb.Error) and "set lock on file" in str(cause)
        for cause in causes(error)
    )

"""Lake: an Iceberg catalogue as a destination, with a working copy in DuckDB.

A run works on the copy, where a record and its children change in one transaction. When it is done,
it puts what is committed there in force in the lake, all tables or none. The copy may be lost at
any time; it is made again if the lake has another version.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import dlt
import duckdb
import pyarrow as pa

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process import AlreadyRunning, Lease, hold, import_extra, replace
from wholesale_elt.warehouse import (
    RAW_DATASET,
    Compacted,
    Destination,
    DuckDBFile,
    DuckDBRaw,
    Pinned,
    Raw,
    SharedSetting,
    compact_file,
)

if TYPE_CHECKING:
    from wholesale_lake.lake_tables import LakeTables

CATALOG = "destination.lake.catalog"
NAMED = re.compile(r"([\w-]+)(?:/(\w+))?")
"""A catalogue of pyiceberg's configuration, and the prefix of its namespaces."""
EXTRA = "iceberg"
COPY = "copy.duckdb"
AGE_KEPT = timedelta(days=1)
"""How long versions stay that are no longer in force, for readers that began with one."""


class CopyRaw(DuckDBRaw):
    """The dataset in the working copy of a lake; it records whether it was changed."""

    is_changed = False
    lease: Lease | None = None

    def append(self, table: str, rows: pa.Table) -> None:
        self.is_changed |= RAW_DATASET in table
        super().append(table, rows)

    def execute(self, sql: str, *parameters: Any) -> None:
        self.is_changed |= RAW_DATASET in sql
        super().execute(sql, *parameters)

    def commit(self) -> None:
        super().commit()
        if self.lease:
            self.lease.renew()


class Lake:
    """A lake as a `Port`: a folder with its own catalogue, or a catalogue by name."""

    def __init__(self, database: Path) -> None:
        self._folder = database
        self._here = Path.cwd()
        self._is_held = False
        self._lease: Lease | None = None

    @cached_property
    def _catalogue(self) -> tuple[str, str | None] | None:
        """Raises: ConfigurationError for an impossible name."""
        given: Any = dlt.config.get(CATALOG)
        if not given:
            return None
        found = NAMED.fullmatch(str(given))
        if not found:
            raise ConfigurationError(
                f"setting {CATALOG} is {given}: write CATALOGUE or CATALOGUE/PREFIX, where"
                " CATALOGUE is one that pyiceberg is told of"
            )
        return found[1], found[2]

    @cached_property
    def _tables(self) -> "LakeTables":
        module = import_extra("wholesale_lake.lake_tables", EXTRA)
        name, prefix = self._catalogue or (None, None)
        tables: LakeTables = module.LakeTables(self._folder, name, prefix, self.name)
        return tables

    @property
    def name(self) -> str:
        if self._catalogue:
            return f"lake {'/'.join(filter(None, self._catalogue))}"
        return f"lake {self._folder}"

    @property
    def remedy(self) -> str:
        if self._catalogue:
            return f"name another catalogue or prefix in setting {CATALOG}"
        return "name another folder with --database"

    @property
    def address(self) -> str:
        if self._catalogue:
            return f"iceberg:{'/'.join(filter(None, self._catalogue))}"
        return f"iceberg://{self._folder.absolute().as_posix()}"

    @property
    def state_folder(self) -> Path:
        if self._catalogue:
            return self._here / ".wholesale" / f"lake-{'-'.join(filter(None, self._catalogue))}"
        return self._folder.absolute().parent / ".wholesale" / self._folder.name

    @property
    def files(self) -> Sequence[Path]:
        return (self.state_folder,) if self._catalogue else (self._folder, self.state_folder)

    def exists(self) -> bool:
        return self._in_force() is not None

    @contextmanager
    def open(self, *, is_read_only: bool) -> Iterator[Raw]:
        with nullcontext() if self._is_held or is_read_only else self.hold():
            if is_read_only:
                self._refresh_if_free()
                with self._copy.open(is_read_only=True) as raw:
                    yield raw
                return
            is_ahead = self._ahead.exists()
            self._ahead.touch()
            try:
                with self._copy.open(is_read_only=False) as raw:
                    assert isinstance(raw, CopyRaw)
                    raw.lease = self._lease
                    yield raw
            except WholesaleError:  # the service failed; what was written before is whole
                self._push()
                raise
            if is_ahead or raw.is_changed:
                self._push()
            else:
                self._ahead.unlink()

    @contextmanager
    def hold(self) -> Iterator[None]:
        with ExitStack() as holding:
            holding.enter_context(hold(self.state_folder / "lock"))
            if self._catalogue:
                self._lease = holding.enter_context(self._tables.held())
            self._refresh()
            self._is_held = True
            try:
                yield
            finally:
                self._is_held = False

    def attach(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._refresh_if_free()
        self._copy.attach(connection, folder)

    def pinned(self) -> Mapping[str, Pinned]:
        return self._tables.pinned()

    def compact(self) -> Compacted | None:
        """Remove versions that have not been in force for a while, and the files that only they
        need."""
        self.prune(AGE_KEPT)
        return None

    def rehearse(self) -> None:
        """Nothing stands in the way: there are tables of ours alone."""

    def rewrite(self) -> str:
        compact_file(self._copy_path, is_forced=True)
        return f"{self.prune(timedelta(0))} states were forgotten"

    def prune(self, age: timedelta) -> int:
        """Remove versions that have not been in force for so long, and return how many."""
        return len(self._tables.prune(age))

    @property
    def rewritten(self) -> Sequence[Path]:
        return (self._copy_path,)

    @property
    def _copy_path(self) -> Path:
        """The working copy, a DuckDB file."""
        return self.state_folder / COPY

    @property
    def _copy(self) -> DuckDBFile:
        return DuckDBFile(self._copy_path, CopyRaw)

    @property
    def _base(self) -> Path:
        """The file with the version that the copy was made of."""
        return self.state_folder / "version"

    @property
    def _ahead(self) -> Path:
        """A file that exists while the copy may have changes that the lake lacks."""
        return self.state_folder / "ahead"

    def _in_force(self) -> str | None:
        """The version in force, with the id of its lake; looking creates nothing."""
        if self._catalogue or (self._folder / "catalog.db").exists():
            return self._tables.version()
        return None

    def _refresh(self) -> None:
        """Ensure a copy of the version in force, or keep one with changes of this machine."""
        in_force = self._in_force()
        if self._copy_path.exists() and self._read_base() == in_force:
            return
        self._base.unlink(missing_ok=True)
        self._ahead.unlink(missing_ok=True)
        self._copy_path.with_name(f"{self._copy_path.name}.wal").unlink(missing_ok=True)
        if in_force is None:
            self._copy_path.unlink(missing_ok=True)
        else:
            self._write_base(self._tables.pull(self._copy_path))

    def _refresh_if_free(self) -> None:
        if not self._is_held:
            with suppress(AlreadyRunning), hold(self.state_folder / "lock"):
                self._refresh()

    def _push(self) -> None:
        """Put the committed state of the copy in force, unless nothing was ever loaded."""
        base = self._read_base()
        if base is None and not self._holds_records():
            return
        with TemporaryDirectory(dir=self.state_folder) as folder:
            self._write_base(self._tables.push(self._copy_path, base, Path(folder)))
        self._ahead.unlink(missing_ok=True)

    def _holds_records(self) -> bool:
        with self._copy.open(is_read_only=True) as raw:
            return raw.has_records()

    def _read_base(self) -> str | None:
        return self._base.read_text() if self._base.exists() else None

    def _write_base(self, version: str | None) -> None:
        if version is not None:
            replace(self._base, lambda path: path.write_text(version))


DESTINATION = Destination(
    "Iceberg",
    "wholesale.lake",
    "`--database`: a folder, with a catalogue of its own; or `DESTINATION__LAKE__CATALOG`: a"
    " catalogue of pyiceberg's configuration, or `CATALOGUE/PREFIX`",
    Lake,
    is_folder=True,
    shared={
        CATALOG: SharedSetting(lambda place, name: f"{place}{'_' if '/' in place else '/'}{name}")
    },
)

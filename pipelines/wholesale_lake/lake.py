"""Lake: an Iceberg catalogue as a destination, with a working copy in DuckDB.

A run works on the copy, where a record and its children change in one transaction. When it is done,
it puts what is committed there in force in the lake, all tables or none. The copy may be lost at
any time; it is made again if the lake has another version.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import dlt
import duckdb

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.models import BUILD_SCHEMA, MARK
from wholesale_elt.process import AlreadyRunning, Lease, hold, import_extra
from wholesale_elt.warehouse import (
    ATTACHED,
    Compacted,
    Destination,
    Raw,
    RawReader,
    SharedSetting,
    StoredTable,
    compact_file,
    quoted,
)
from wholesale_lake.lake_copy import MODELS, CopyRaw, WorkingCopy

if TYPE_CHECKING:
    from wholesale_lake.iceberg import Row
    from wholesale_lake.lake_tables import LakeTables

CATALOG = "destination.lake.catalog"
NAMED = re.compile(r"([\w-]+)(?:/(\w+))?")
"""A catalogue of pyiceberg's configuration, and the prefix of its namespaces."""
EXTRA = "iceberg"
AGE_KEPT = timedelta(days=1)
"""How long versions stay that are no longer in force, for readers that began with one."""


class Lake:
    """A lake as a `Port`: a folder with its own catalogue, or a catalogue by name."""

    def __init__(self, database: Path) -> None:
        self._folder = database
        self._here = Path.cwd()
        self._is_held = False
        self._is_fresh = False
        self._lease: Lease | None = None
        self.attached: Mapping[str, StoredTable] = {}
        """The tables that were attached last as views of their files."""

    def renew(self) -> None:
        """Renew the lease, if there is one."""
        if self._lease:
            self._lease.renew()

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
    def tables(self) -> "LakeTables":
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

    def is_here(self) -> bool:
        return self.copy.path.exists() and self.copy.version() == self._in_force()

    @contextmanager
    def open(self, *, is_read_only: bool) -> Iterator[Raw]:
        with nullcontext() if self._is_held or is_read_only else self.hold():
            self._refresh_once()
            if is_read_only:
                with self.copy.file.open(is_read_only=True) as raw:
                    yield self._known(raw)
                return
            is_ahead = self.copy.ahead.exists()
            self.copy.ahead.touch()
            try:
                with self.copy.file.open(is_read_only=False) as raw:
                    yield self._known(raw)
            except WholesaleError:  # the service failed; what was written before is whole
                self._push()
                raise
            if is_ahead or self._known(raw).is_changed:
                self._push()
            else:
                self.copy.ahead.unlink()

    @contextmanager
    def hold(self) -> Iterator[None]:
        with ExitStack() as holding:
            holding.enter_context(hold(self.state_folder / "lock"))
            if self._catalogue:
                self._lease = holding.enter_context(self.tables.held())
            self._is_held, self._is_fresh = True, False
            try:
                yield
            finally:
                self._is_held = False

    def attach(
        self, connection: duckdb.DuckDBPyConnection, folder: Path, schemas: Collection[str]
    ) -> None:
        """What an engine built is read from the lake, a batch of rows at a time."""
        built, self.attached = self.built_in_force(), {}
        if built is None:
            self._refresh_once()
            self.copy.file.attach(connection, folder, schemas)
            return
        connection.execute(f"attach {quoted(folder / 'reports.duckdb')} as warehouse")
        self.tables.copy(connection, ATTACHED)
        self.attached = self.tables.built.copy(connection, built, schemas)
        connection.execute(f"create schema warehouse.{BUILD_SCHEMA}")
        connection.execute(
            f"create table warehouse.{MARK} as select 'found' as part, name,"
            " value from (select unnest(?) as name, unnest(?) as value)",
            [list(built["found"]), list(built["found"].values())],
        )

    def built_in_force(self) -> "Row | None":
        """The build of an engine; None if there is none, or a later one was made in the copy."""
        built = self.tables.built.in_force()
        there = self.copy.built_at() if built else None
        return None if built and there and there > built["built_at"] else built

    @property
    def stored(self) -> "StoredInLake":
        return StoredInLake(self)

    def compact(self) -> Compacted | None:
        """Remove versions that have not been in force for a while, and the files that only they
        need."""
        self.prune(AGE_KEPT)
        return None

    def rehearse(self) -> None:
        """Nothing stands in the way: there are tables of ours alone."""

    def rewrite(self) -> str:
        compact_file(self.copy.path, is_forced=True)
        return f"{self.prune(timedelta(0), is_of_published=True)} states were forgotten"

    def prune(self, age: timedelta, *, is_of_published: bool = False) -> int:
        """Remove versions that have not been in force for so long, and return how many; tables that
        published versions read stay, unless those are `is_of_published`."""
        there, built = self.copy.built_at(), self.tables.built
        built.prune(age, is_of_kept=is_of_published)
        if there and there <= datetime.now(UTC) - age and self.built_in_force() is None:
            built.forget(is_of_kept=is_of_published)
        return len(self.tables.prune(age))

    @property
    def rewritten(self) -> Sequence[Path]:
        return (self.copy.path,)

    @property
    def copy(self) -> WorkingCopy:
        return WorkingCopy(self.state_folder)

    def settle(self) -> None:
        """Put in force what a killed run of this machine has left in the copy."""
        if self.copy.ahead.exists() and self.is_here():
            self._push()

    def _in_force(self) -> str | None:
        """The version in force, with the id of its lake; looking creates nothing."""
        if self._catalogue or (self._folder / "catalog.db").exists():
            return self.tables.version()
        return None

    def _refresh(self) -> None:
        """Ensure a copy of the version in force, or keep one with changes of this machine."""
        if self.is_here():
            return
        in_force = self._in_force()
        self.copy.discard()
        if in_force is not None:
            self.copy.note_version(self.tables.pull(self.copy.path))

    def _refresh_once(self) -> None:
        """Refresh the copy for whoever holds the lake, or else if nobody does."""
        if not self._is_held:
            with suppress(AlreadyRunning), hold(self.state_folder / "lock"):
                self._refresh()
        elif not self._is_fresh:
            self._refresh()
            self._is_fresh = True

    def _known(self, raw: RawReader) -> CopyRaw:
        assert isinstance(raw, CopyRaw)
        raw.renew = self.renew
        raw.built_elsewhere = self._is_built_elsewhere
        return raw

    def _is_built_elsewhere(self, schema: str) -> bool:
        built = self.tables.built.in_force() if schema in MODELS else None
        return built is not None

    def _push(self) -> None:
        """Put the committed state of the copy in force, unless nothing was ever loaded."""
        base = self.copy.version()
        if base is None and not self.copy.holds_records():
            return
        with TemporaryDirectory(dir=self.state_folder) as folder:
            self.copy.note_version(self.tables.push(self.copy.path, base, Path(folder)))
        self.copy.ahead.unlink(missing_ok=True)


class StoredInLake:
    """The tables that an engine built, as `Stored`."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake

    def tables(self) -> Mapping[str, StoredTable]:
        return self._lake.attached

    def pin(self, place: str, snapshots: Mapping[str, Collection[int]]) -> None:
        self._lake.tables.built.keep(_holder(place), snapshots, is_all=False)

    def release(self, place: str, snapshots: Mapping[str, Collection[int]]) -> None:
        with suppress(AlreadyRunning), self._lake.hold():
            self._lake.tables.built.keep(_holder(place), snapshots, is_all=True)


def _holder(place: str) -> str:
    """How tags of what is published in a place begin: it may be any path."""
    return f"published-{sha256(place.encode()).hexdigest()[:12]}"


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

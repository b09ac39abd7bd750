"""Destination: where a warehouse is stored, and the port by which it is opened and held."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process import Journal, make_private, private
from wholesale_elt.warehouse.guarantees import DUCKDB, DUCKLAKE, LAKE, POSTGRES, TESTED, tested
from wholesale_elt.warehouse.ports.duckdb_file import DuckDBFile, refuse_query
from wholesale_elt.warehouse.ports.ducklake import DuckLake
from wholesale_elt.warehouse.ports.lake import Lake
from wholesale_elt.warehouse.ports.postgres import Postgres
from wholesale_elt.warehouse.raw import Pinned, Raw

if TYPE_CHECKING:
    import duckdb


class NotLoaded(WholesaleError):
    """Nothing was ever loaded into the warehouse."""


class Port(Protocol):
    """What a destination must implement, besides the SQL that all of them share."""

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def remedy(self) -> str:
        """What to do if this is the wrong warehouse, for messages."""

    @property
    def address(self) -> str:
        """A URI that identifies it, without user or password."""

    @property
    def state_folder(self) -> Path:
        """A local folder for this warehouse alone, whose loss does no harm: reports and locks."""

    @property
    def files(self) -> Sequence[Path]:
        """Its local files and folders, which are made private."""

    def exists(self) -> bool:
        """False if it certainly does not exist, so that opening would create it."""

    def open(self, *, is_read_only: bool) -> AbstractContextManager[Raw]:
        """The raw dataset, through which tables are declared, written and queried."""

    def hold(self) -> AbstractContextManager[None]:
        """Lock out every other run, on any machine, until the block or the process ends.

        Raises: AlreadyRunning naming who is at work.
        """

    def attach(self, connection: "duckdb.DuckDBPyConnection", folder: Path) -> None:
        """Attach the marts and certificates to DuckDB as database `warehouse`; `folder` is for the
        files that this needs."""

    def pinned(self) -> Mapping[str, Pinned]:
        """The raw tables for other engines, read in place and all as of one moment.

        Raises: ConfigurationError if other engines cannot read them.
        """


PORTS: Mapping[str, Callable[[Path], Port]] = {
    DUCKDB: DuckDBFile,
    DUCKLAKE: DuckLake,
    LAKE: Lake,
    POSTGRES: lambda database: Postgres(database.name),
}
"""By destination: how a warehouse in it is opened, by its `database`."""


@dataclass(frozen=True)
class Warehouse:
    """A warehouse in the destination of that name; `database` is its file, folder or catalogue.

    Raises: ConfigurationError for an unknown or refused destination, for a folder instead of a file
    and for a file instead of a folder, and for a path that DuckDB cannot use.
    """

    database: Path
    destination: str = DUCKDB

    def __post_init__(self) -> None:
        is_lake = tested(self.destination).is_folder
        if self.destination == POSTGRES:
            return
        refuse_query(self.database, f"--database {self.database}")
        if self.database.exists() and self.database.is_dir() != is_lake:
            there, wanted = ("a file", "folder") if is_lake else ("a folder", "file")
            raise ConfigurationError(
                f"--database {self.database} is {there}: name a {wanted} for {self.destination}"
            )

    @cached_property
    def port(self) -> Port:
        return PORTS[self.destination](self.database)

    @property
    def is_duckdb(self) -> bool:
        return self.destination == DUCKDB

    @property
    def name(self) -> str:
        """What to call it in front of a person."""
        return self.port.name

    @property
    def remedy(self) -> str:
        """What to do where this warehouse is the wrong one."""
        return self.port.remedy

    @property
    def may_exist(self) -> bool:
        """False if it certainly does not exist, so that opening would create it."""
        return self.port.exists()

    def require(self) -> None:
        """Raises: NotLoaded if it is not there."""
        if not self.may_exist:
            raise NotLoaded(
                f"{self.name} does not exist: run `wholesale sync` or `wholesale demo` first, or"
                " name another one"
            )

    @property
    def state_folder(self) -> Path:
        """A local folder for this warehouse alone."""
        return self.port.state_folder

    @property
    def journal(self) -> Journal:
        """The journal of the commands of this machine that worked on it."""
        return Journal(self.state_folder / "runs")

    def open(self, *, is_read_only: bool = False) -> AbstractContextManager[Raw]:
        """The raw dataset, until the block ends; read only, it can be open beside other readers.

        Raises: NotLoaded when it is to be read only and is not there.
        """
        if is_read_only:
            self.require()
        else:
            make_private(*self.port.files)
        return self.port.open(is_read_only=is_read_only)

    @contextmanager
    def hold(self, *, is_read_only: bool = False) -> Iterator[None]:
        """Lock out every other run until the block ends; files that it makes meanwhile are for this
        user alone, unless it only reads the warehouse.

        Raises: AlreadyRunning naming who is at work.
        """
        with private(not is_read_only), self.port.hold():
            yield


def warehouse_in(destination: str, database: Path | None = None) -> Warehouse:
    """The warehouse in that destination, by default in its usual place.

    Raises: ConfigurationError for an unknown or refused destination.
    """
    return Warehouse(database or Path(tested(destination).database), destination)


def warehouse_at(address: str) -> Warehouse:
    """The warehouse at `postgres`, `ducklake`, `ducklake:PATH`, `lake`, `lake:PATH`, or at the path
    of a DuckDB file.

    Raises: ConfigurationError for an unknown or refused destination.
    """
    name, _, path = address.partition(":")
    if name in TESTED:
        return warehouse_in(name, Path(path) if path else None)
    if address.isidentifier() and not Path(address).exists():
        tested(address)
    return Warehouse(Path(address))

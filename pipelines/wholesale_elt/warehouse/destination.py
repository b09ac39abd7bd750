"""Destination: what a warehouse lies in; the one port through which all of them are reached."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process import Journal
from wholesale_elt.warehouse.guarantees import DUCKDB, DUCKLAKE, LAKE, POSTGRES, TESTED, tested
from wholesale_elt.warehouse.ports.duckdb_file import DuckDBFile
from wholesale_elt.warehouse.ports.ducklake import DuckLake
from wholesale_elt.warehouse.ports.lake import Lake
from wholesale_elt.warehouse.ports.postgres import Postgres
from wholesale_elt.warehouse.raw import Pinned, Raw

if TYPE_CHECKING:
    import duckdb


class NotLoaded(WholesaleError):
    """Nothing was ever loaded into the warehouse."""


class Port(Protocol):
    """What a destination must do, beside the SQL that all of them speak."""

    @property
    def name(self) -> str:
        """What to call it in front of a person."""

    @property
    def remedy(self) -> str:
        """What to do where this warehouse is the wrong one."""

    @property
    def address(self) -> str:
        """A URI that tells it from all others, and holds no user and no password."""

    @property
    def state_folder(self) -> Path:
        """What belongs to this warehouse alone, and can be lost: reports, and locks of a file."""

    @property
    def files(self) -> Sequence[Path]:
        """What of it lies on this machine, for its user alone."""

    def exists(self) -> bool:
        """False where opening it would make it."""

    def open(self, *, is_read_only: bool) -> AbstractContextManager[Raw]:
        """The raw dataset; it is declared, written and asked through it."""

    def hold(self) -> AbstractContextManager[None]:
        """Keep every other run out, on whatever machine, until the block or the process ends.

        Raises: AlreadyRunning naming who is at work.
        """

    def attach(self, connection: "duckdb.DuckDBPyConnection", folder: Path) -> None:
        """Let DuckDB read the marts and certificates as database `warehouse`; what it takes to do
        so lies in `folder`."""

    def pinned(self) -> Mapping[str, Pinned]:
        """Raw tables as other engines read them where they lie, all as of one moment.

        Raises: ConfigurationError where no other engine can.
        """

    def dbt_profile(self) -> Mapping[str, str]:
        """The environment that `sql/profiles.yml` reads."""


@dataclass(frozen=True)
class Warehouse:
    """A destination by its name; `database` is the file, or the catalogue, where it has one.

    Raises: ConfigurationError for a name that is none, or of what would not be exact; for a folder
    in the place of a file, and the other way round.
    """

    database: Path
    destination: str = DUCKDB

    def __post_init__(self) -> None:
        is_lake = tested(self.destination).is_folder
        is_there = self.destination != POSTGRES and self.database.exists()
        if is_there and self.database.is_dir() != is_lake:
            there, wanted = ("a file", "folder") if is_lake else ("a folder", "file")
            raise ConfigurationError(
                f"--database {self.database} is {there}: name a {wanted} for {self.destination}"
            )

    @cached_property
    def port(self) -> Port:
        if self.destination == POSTGRES:
            return Postgres(self.database.name)
        if self.destination == DUCKLAKE:
            return DuckLake(self.database)
        return Lake(self.database) if self.destination == LAKE else DuckDBFile(self.database)

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
        """False where there is nothing; opening it would make it."""
        return self.port.exists()

    def require(self) -> None:
        """Raises: NotLoaded where there is nothing."""
        if not self.may_exist:
            raise NotLoaded(
                f"{self.name} does not exist: run `wholesale sync` or `wholesale demo` first"
            )

    @property
    def state_folder(self) -> Path:
        """What belongs to this warehouse alone."""
        return self.port.state_folder

    @property
    def files(self) -> Sequence[Path]:
        """What of it lies on this machine, for its user alone."""
        return self.port.files

    @property
    def journal(self) -> Journal:
        """When commands of this machine began to work on it, and how they ended."""
        return Journal(self.state_folder / "runs")

    def open(self, *, is_read_only: bool = False) -> AbstractContextManager[Raw]:
        """The raw dataset, until the block ends; read only, it stands beside other readers.

        Raises: NotLoaded when it is only to be read, and is not there.
        """
        if is_read_only:
            self.require()
        return self.port.open(is_read_only=is_read_only)

    def hold(self) -> AbstractContextManager[None]:
        """Keep every other run out until the block ends.

        Raises: AlreadyRunning naming who is at work.
        """
        return self.port.hold()


def warehouse_in(destination: str, database: Path | None = None) -> Warehouse:
    """The warehouse in that destination; in its usual place, if none is named.

    Raises: ConfigurationError for a name that is none, or of what would not be exact.
    """
    return Warehouse(database or Path(tested(destination).database), destination)


def warehouse_at(address: str) -> Warehouse:
    """`postgres`, `ducklake`, `ducklake:PATH`, `lake`, `lake:PATH`, or the path of a DuckDB file.

    Raises: ConfigurationError for a name that is none, or of what would not be exact.
    """
    name, _, path = address.partition(":")
    if name in TESTED:
        return warehouse_in(name, Path(path) if path else None)
    if address.isidentifier() and not Path(address).exists():
        tested(address)
    return Warehouse(Path(address))

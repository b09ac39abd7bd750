"""Destination: where a warehouse is stored, and the port by which it is opened and held."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process import Journal, make_private, plugin_names, private
from wholesale_elt.warehouse.guarantees import DUCKDB, tested
from wholesale_elt.warehouse.port import Port
from wholesale_elt.warehouse.ports.files import refuse_query

if TYPE_CHECKING:
    from wholesale_elt.warehouse.raw import Raw
    from wholesale_elt.warehouse.raw_reader import RawReader


class NotLoaded(WholesaleError):
    """Nothing was ever loaded into the warehouse."""


@dataclass(frozen=True)
class Warehouse:
    """A warehouse in the destination of that name; `database` is its file, folder or catalogue.

    Raises: ConfigurationError for an unknown or refused destination, for a folder instead of a file
    and for a file instead of a folder, and for a path that DuckDB cannot use.
    """

    database: Path
    destination: str = DUCKDB

    def __post_init__(self) -> None:
        declared = tested(self.destination)
        if not declared.database:  # a server
            return
        refuse_query(self.database, f"--database {self.database}")
        if self.database.exists() and self.database.is_dir() != declared.is_folder:
            there, wanted = ("a file", "folder") if declared.is_folder else ("a folder", "file")
            raise ConfigurationError(
                f"--database {self.database} is {there}: name a {wanted} for {self.destination}"
            )

    @cached_property
    def port(self) -> Port:
        return tested(self.destination).port(self.database)

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

    @overload
    def open(self, *, is_read_only: Literal[True]) -> AbstractContextManager["RawReader"]: ...
    @overload
    def open(self, *, is_read_only: Literal[False] = False) -> AbstractContextManager["Raw"]: ...
    def open(self, *, is_read_only: bool = False) -> AbstractContextManager["RawReader"]:
        """The raw dataset, until the block ends; read only, it can be open beside other readers.

        Raises: NotLoaded when it is to be read only and is not there.
        """
        return self._read() if is_read_only else self._load()

    @contextmanager
    def _read(self) -> "Iterator[RawReader]":
        self.require()
        with self.port.open(is_read_only=True) as reader:
            yield reader

    @contextmanager
    def _load(self) -> "Iterator[Raw]":
        with self.port.open(is_read_only=False) as raw:
            make_private(*self.port.files)  # it was ours to open: one that is read keeps its mode
            yield raw

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
    """The warehouse in a destination by its name, as `postgres` or `lake:PATH`, or at the path of a
    DuckDB file.

    Raises: ConfigurationError for an unknown or refused destination.
    """
    name, _, path = address.partition(":")
    if name in plugin_names("destinations"):
        return warehouse_in(name, Path(path) if path else None)
    if address.isidentifier() and not Path(address).exists():
        tested(address)
    return Warehouse(Path(address))

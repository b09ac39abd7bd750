"""Port: what a destination must implement and declare.

An entry point of the group `wholesale.destinations`, under the name of the destination, is a
`Destination`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, overload

if TYPE_CHECKING:
    import duckdb

    from wholesale_elt.warehouse.raw import Raw
    from wholesale_elt.warehouse.raw_reader import RawReader

GUARANTEES: Mapping[str, str] = {
    "whole records": "A record and its children are always visible together, or not at all.",
    "exact decimals": "38 digits, 9 after the point, as received.",
    "microseconds": "Times in UTC, to the microsecond.",
    "empty text": "An empty text stays distinct from NULL.",
    "one writer": "A second run, on any machine, says which run is at work, and ends.",
    "history": "What each sync saw is recorded in the transaction that writes it.",
    "build": "The SQL models run there, with the same results.",
    "publish": "The models built there are published in the same files.",
}
"""By name, in the order of README's table."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """The size of a warehouse in bytes, before and after."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table whose rows are in Parquet files that any program can read: the names of these, the
    snapshot that has them, and the SELECT by which DuckDB reads its `rows` as of the warehouse."""

    query: str
    rows: int
    snapshot: int
    files: tuple[str, ...]


class Stored(Protocol):
    """Tables of models in files, which stay there for who reads what is published."""

    def tables(self) -> Mapping[str, StoredTable]:
        """Those that were attached last, by `schema.table`."""

    def pin(self, place: str, snapshots: Mapping[str, Collection[int]]) -> None:
        """Keep the files of these snapshots of tables, as what is published in that place reads
        them, until they are released; the warehouse is held meanwhile."""

    def release(self, place: str, snapshots: Mapping[str, Collection[int]]) -> None:
        """Keep no others than these for that place any more, unless a run is at work: then the
        next publication releases them."""


class Port(Protocol):
    """What a destination must implement, besides the SQL that all of them share."""

    @property
    def stored(self) -> "Stored | None":
        """Tables of models that stay where they are for readers; None if each is copied."""

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

    def is_here(self) -> bool:
        """Whether it can be opened without copying it to this machine first."""

    @overload
    def open(self, *, is_read_only: Literal[True]) -> "AbstractContextManager[RawReader]": ...
    @overload
    def open(self, *, is_read_only: Literal[False]) -> "AbstractContextManager[Raw]":
        """The raw dataset, through which tables are queried, and declared and written."""

    def hold(self) -> AbstractContextManager[None]:
        """Lock out every other run, on any machine, until the block or the process ends.

        Raises: AlreadyRunning naming who is at work.
        """

    def attach(
        self, connection: "duckdb.DuckDBPyConnection", folder: Path, schemas: Collection[str]
    ) -> None:
        """Attach the tables of these schemas, and the raw tables `ATTACHED`, to DuckDB as database
        `warehouse`; `folder` is for the files that this needs."""

    def compact(self) -> "Compacted | None":
        """Give back disk space that is no longer needed, while the warehouse is held; None if there
        is nothing to gain, or another program has it open.

        Raises: what its database and the system raise; it is as it was then.
        """

    def rehearse(self) -> None:
        """Find out that `rewrite` is possible, while the warehouse is held.

        Raises: WholesaleError if it is not.
        """

    def rewrite(self) -> str:
        """Remove from the disk all that was deleted from tables, while the warehouse is held;
        return in words what was done.

        Raises: WholesaleError if that could not be done.
        """

    @property
    def rewritten(self) -> Sequence[Path]:
        """Files in its state folder that `rewrite` takes care of, by the beginnings of their
        paths."""


@dataclass(frozen=True, slots=True)
class SharedSetting:
    """A setting that would lead all accounts of a fleet to one place: `own_of` takes its value and
    the name of an account, and returns the account's own."""

    own_of: Callable[[str, str], str]
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination that passes the suite of tests.

    `settings` say where it is, by default at the path `database`, which is empty for a server.
    `shared` are its settings, by full name, that accounts of a fleet cannot share.
    """

    title: str
    database: str
    settings: str
    port: Callable[[Path], Port]
    is_folder: bool = False
    shared: Mapping[str, SharedSetting] = field(default_factory=dict)
    guarantees: tuple[str, ...] = tuple(GUARANTEES)

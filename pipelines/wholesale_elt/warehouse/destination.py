"""Destination: what a sync loads into, a DuckDB file or any other that dlt knows."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dlt
import duckdb
from dlt.common.schema import Schema
from dlt.destinations.impl.duckdb.configuration import DuckDbCredentials

from wholesale.errors import WholesaleError
from wholesale_elt.process import budget
from wholesale_elt.warehouse.raw import Raw

RAW_DATASET = "wholesale_raw"
PIPELINE = "wholesale"
"""Also the name of dlt's schema of the raw tables."""
DUCKDB = "duckdb"
STORAGE_VERSION = "v1.3.0"
"""Of a file that is made: in it text takes less time to write, and less room, than in the oldest
one. DuckDB since 1.3 reads it; for older readers there is what is published."""
LOADER_FILE_FORMAT = {"postgres": "csv"}
"""Fastest format by destination, measured; dlt's own choice elsewhere."""


class NotLoaded(WholesaleError):
    """Nothing was ever loaded into the warehouse."""


@dataclass(frozen=True, slots=True)
class Warehouse:
    """A destination by dlt's name for it; `database` is the file when that is DuckDB."""

    database: Path
    destination: str = DUCKDB

    @property
    def is_duckdb(self) -> bool:
        return self.destination == DUCKDB

    @property
    def name(self) -> str:
        """What to call it in front of a person."""
        return str(self.database) if self.is_duckdb else self.destination

    @property
    def may_exist(self) -> bool:
        """False for a DuckDB file that is not there; opening it would make one."""
        return not self.is_duckdb or self.database.exists()

    def require(self) -> None:
        """Raises: NotLoaded for a DuckDB file that is not there."""
        if not self.may_exist:
            raise NotLoaded(
                f"{self.name} does not exist: run `wholesale sync` or `wholesale demo` first"
            )

    @property
    def state_folder(self) -> Path:
        """What belongs to this warehouse alone: the lock, and dlt's working files if any."""
        if self.is_duckdb:
            return self.database.absolute().parent / ".wholesale" / self.database.name
        return Path.cwd() / ".wholesale" / self.destination

    @contextmanager
    def open(self, *, is_read_only: bool = False) -> Iterator[Raw]:
        """The raw dataset, until the block ends; read only, it stands beside other readers.

        Raises: NotLoaded when it is only to be read, and is not there.
        """
        if is_read_only:
            self.require()
        elif not self.may_exist:
            _create(self.database)
        factory = self._destination(is_read_only)
        dataset = factory.spec()._bind_dataset_name(RAW_DATASET)
        with factory.client(Schema(PIPELINE), dataset) as client:
            if self.is_duckdb and not is_read_only:
                client.sql_client.native_connection.execute(
                    f"set memory_limit = '{budget.LOADING}'"
                )
            yield Raw(client)

    def pipeline(self) -> dlt.Pipeline:
        """The dlt pipeline into this warehouse. Nothing of it is opened or written yet."""
        return dlt.pipeline(
            PIPELINE,
            destination=self._destination(is_read_only=False),
            dataset_name=RAW_DATASET,
            pipelines_dir=str(self.state_folder / "pipelines"),
        )

    @property
    def loader_file_format(self) -> Any:
        return LOADER_FILE_FORMAT.get(self.destination)

    def _destination(self, is_read_only: bool) -> Any:
        if not self.is_duckdb:
            named = dlt.destinations.__dict__.get(self.destination)
            return named() if named else dlt.destinations.destination(self.destination)
        credentials = DuckDbCredentials(
            str(self.database.absolute()),
            global_config={"memory_limit": budget.OPENING},
            read_only=is_read_only,
        )
        return dlt.destinations.duckdb(credentials)


def _create(database: Path) -> None:
    """Make an empty file: its storage version can be chosen only here."""
    with duckdb.connect() as connection:
        connection.execute(
            f"attach {quoted(database)} as new (storage_version '{STORAGE_VERSION}')"
        )


def quoted(path: Path) -> str:
    """The path as SQL takes it."""
    return "'" + str(path).replace("'", "''") + "'"

"""Origin of the records of a sandbox: a folder, the seeded world, or nothing."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from wholesale_sandbox.settings import LAST_DAY, SandboxSettings
from wholesale_sandbox.storage import ResourceRecord, Storage
from wholesale_sandbox.storage import data_folder as folder
from wholesale_sandbox.world import World


class SandboxError(Exception):
    """The sandbox cannot start; one line says why."""


@dataclass(frozen=True, slots=True)
class Origin:
    """`name` identifies the origin from which a database was filled."""

    name: str
    records: Callable[[], Iterable[ResourceRecord]]
    world: World | None = None

    @property
    def server(self) -> str:
        """The sandbox's header `Server` (RFC 9110, §10.2.4)."""
        return f"wholesale-sandbox ({quote(self.name, safe=' /')})"

    def open(self, database: str | Path) -> Storage:
        """Fill a storage with this origin's records; one that has them already stays as it is.

        Raises: SandboxError.
        """
        try:
            storage = Storage(database, self.world.orders if self.world else None)
        except sqlite3.Error as error:
            raise SandboxError(f"database {database}: {error}; name another file") from None
        try:
            self._fill(storage)
        except sqlite3.IntegrityError as error:
            storage.close()
            resource = str(error).rpartition(":")[2].strip().partition(".")[0]
            raise SandboxError(
                f"{self.name}: two records of {resource} have the same id; leave one of them out"
            ) from None
        except (SandboxError, folder.FolderError, sqlite3.Error) as error:
            storage.close()
            raise SandboxError(str(error)) from None
        return storage

    def _fill(self, storage: Storage) -> None:
        with storage.transaction():
            if storage.origin is None:
                storage.fill(self.records())
                storage.origin = self.name
            elif storage.origin != self.name:
                raise SandboxError(
                    f"the database holds the records of {storage.origin}, not of {self.name};"
                    " name another file, or ask for those"
                )


def origin_of(settings: SandboxSettings) -> Origin:
    """The origin in the settings; a folder takes precedence over the seeded world."""
    path = settings.data
    if path is not None:
        return Origin(f"folder {path.resolve()}", lambda: folder.read(path))
    if settings.empty:
        return Origin("nothing", tuple)
    last_day = settings.last_day
    world = World(settings.seed, settings.orders, until=last_day + timedelta(days=1))
    name = f"seed {settings.seed} with {settings.orders} orders"
    if last_day != LAST_DAY:
        name += f" to {last_day}"
    return Origin(name, world.catalogue, world)

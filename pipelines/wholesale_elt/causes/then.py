"""Then: marts as of a moment, of which no version is kept, made by the same SQL."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Self

from wholesale_elt.process import AlreadyRunning, environment, hold
from wholesale_elt.warehouse import Warehouse, open_file

if TYPE_CHECKING:
    from wholesale_elt.models import BuildStep, Built

COMPLETE_AS_OF = (
    "select bool_and(is_complete), strftime(case when count(complete_as_of) = count(*) then"
    " min(complete_as_of) end at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')"
    " from wholesale_bi.rpt_freshness"
)
THEN = "then"
"""The folder of what is made for a while, in the state folder of its warehouse: in it one for each
command that makes it, which has a lock of that name."""


@dataclass(frozen=True, slots=True)
class Then:
    """A DuckDB file with marts of a moment: whether they are of complete lists, and as of when."""

    database: Path
    is_complete: bool
    as_of: str | None

    @classmethod
    def of(cls, database: Path) -> Self:
        with open_file(database) as connection:
            [(is_complete, as_of)] = connection.execute(COMPLETE_AS_OF).fetchall()
        return cls(database, bool(is_complete), as_of)


def build_as_of(
    warehouse: Warehouse,
    moment: datetime,
    file: Path,
    observe: "Callable[[BuildStep], None]" = lambda step: None,
    only: Collection[str] = (),
    part: str | None = None,
    is_held: bool = False,
) -> "Built":
    """Build the models of what was stored at a moment into a new file; or `only` these, with those
    that they read, and no test; of one `part` alone, such as `vendor=ID`, if that is given. The
    clock of the build says that it is that moment. With `is_held` the caller holds the warehouse.

    Raises: as `copy_as_of` and `build_models` do.
    """
    from wholesale_elt.load import copy_as_of  # with dlt
    from wholesale_elt.models import build_models

    then = Warehouse(file)
    try:
        has_past = not only  # which no figure is counted of
        copy_as_of(warehouse, then, moment, part=part, has_past=has_past, is_held=is_held)
        return build_models(then, observe, only=only, at=moment)
    finally:
        rmtree(then.state_folder, ignore_errors=True)


@contextmanager
def made_as_of(
    warehouse: Warehouse,
    moment: datetime,
    place: str,
    currency: str,
    only: Collection[str],
    is_held: bool = False,
) -> Iterator[Then]:
    """Marts of a moment, for this user alone, until the block ends. The caller has the lock of the
    command by which `place` begins. Amounts are in that `currency`, which a demo tells a build.

    Raises: as `build_as_of` does.
    """
    with folder_for(warehouse, place) as folder:
        file = folder / "then.duckdb"
        with environment({"BUILD__CURRENCY": currency}):
            build_as_of(warehouse, moment, file, only=only, is_held=is_held)
        yield Then.of(file)


@contextmanager
def folder_for(warehouse: Warehouse, place: str) -> Iterator[Path]:
    """An empty folder for what is made of all that is stored, for this user alone, until the block
    ends. The caller has the lock of the command by which `place` begins."""
    folder = warehouse.state_folder / THEN / place
    rmtree(folder, ignore_errors=True)
    warehouse.state_folder.mkdir(parents=True, exist_ok=True)
    for made in (warehouse.state_folder / THEN, folder.parent, folder):
        made.mkdir(mode=0o700, exist_ok=True)  # with `parents` those above would be everybody's
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


def remove_left(warehouse: Warehouse, *, even_if_used: bool = False) -> None:
    """Remove the folders that a killed process has left, as they hold all that was stored; also
    what one that is at work has made, if that is asked for."""
    for folder in (warehouse.state_folder / THEN).glob("*"):
        if even_if_used:
            rmtree(folder, ignore_errors=True)
            continue
        with suppress(AlreadyRunning), hold(warehouse.state_folder / folder.name):
            rmtree(folder)

"""Files: where those of a table are that a version writes, by an engine or by ourselves."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from pyarrow.fs import FileSelector, FileSystem
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.table import Table

from wholesale.errors import ConfigurationError

PARQUET = ".parquet"
Part = int | None
"""A month, counted from January 1970; None for rows without a month, or a table without parts."""


def data_path(table: Table, version: str, part: Part) -> str:
    """The path to which that version writes the rows of that part."""
    name = f"{version}.parquet" if part is None else f"{version}-{part}.parquet"
    return table.location_provider().new_data_location(name)


def remove(table: Table, files: Iterable[str]) -> None:
    """Delete these files, and the folders of engines that are empty then."""
    folders = set()
    for path in files:
        with suppress(FileNotFoundError):
            table.io.delete(path)
        folders.add(path.rpartition("/")[0])
    for folder in folders:
        if folder.startswith(f"{_data(table)}/") and not files_below(table, folder):
            system, place = _system_of(table, folder)
            with suppress(FileNotFoundError):
                system.delete_dir(place)


def left_by(table: Table, version: str, parts: Iterable[Part]) -> Sequence[str]:
    """The files that may be left of a run that died before it put that version in force."""
    own = [data_path(table, version, part) for part in parts]
    return [*own, *files_below(table, folder_of(table, version))]


def folder_of(table: Table, version: str) -> str:
    """The folder into which an engine writes the rows of that version."""
    return f"{_data(table)}/{version}"


def files_below(table: Table, folder: str) -> Sequence[str]:
    """All files in a folder, and in folders there; none if it does not exist."""
    system, place = _system_of(table, folder)
    found = system.get_file_info(FileSelector(place, allow_not_found=True, recursive=True))
    return [f"{folder}{each.path.removeprefix(place)}" for each in found if each.is_file]


def _data(table: Table) -> str:
    return f"{table.location().rstrip('/')}/data"


def _system_of(table: Table, folder: str) -> tuple[FileSystem, str]:
    """The file system of the table, and the folder as this calls it."""
    scheme, server, place = PyArrowFileIO.parse_location(folder, table.io.properties)
    if not isinstance(table.io, PyArrowFileIO):
        raise ConfigurationError(
            f"{table.location()} is read by {type(table.io).__name__}, which cannot list files:"
            " leave py-io-impl out of the configuration of the catalogue"
        )
    return table.io.fs_by_scheme(scheme, server), place

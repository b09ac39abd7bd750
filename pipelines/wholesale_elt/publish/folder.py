"""Folder: versions in a folder, put in force atomically, and removed when nobody needs them.

A version is written under a hidden name, synced to disk and renamed. Then the fixed names at the
top are replaced, each by a rename, `current.json` last. So a process that is killed at any moment
leaves the last good version in force. Readers and the writer never wait for each other: an open
file stays as it is, whatever takes its name.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from wholesale.errors import ConfigurationError
from wholesale_elt.dashboard import ENTRIES, write_entries
from wholesale_elt.process import PARTIAL, hold, make_private, refused_link, replace, sync_to_disk
from wholesale_elt.publish.manifest import (
    CURRENT,
    DASHBOARD,
    DATABASE,
    MANIFEST,
    File,
    Pruned,
    current_in,
    describe_file,
    outdated,
    source_of,
)
from wholesale_elt.publish.pins import note_ends, pins_in

LOCK = ".lock"
WRITING = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Described(Protocol):
    """The fields of a manifest that a folder needs."""

    @property
    def version(self) -> str: ...

    @property
    def database(self) -> File: ...

    @property
    def files(self) -> Sequence[File]: ...

    @property
    def fixed(self) -> Sequence[File]: ...

    @property
    def personal(self) -> Sequence[str]: ...

    @property
    def dashboard(self) -> str: ...

    def as_dict(self) -> dict[str, Any]: ...

    def as_json(self) -> str: ...


M = TypeVar("M", bound=Described)


class Folder(Generic[M]):
    """A published folder; it is created with the first version.

    `read` parses a manifest, or raises ValueError; `database` is the name of the DuckDB file of
    each version.
    """

    has_files = True

    def __init__(self, path: Path, read: Callable[[bytes], M], database: str = DATABASE) -> None:
        self._path = path
        self._read = read
        self._database = database
        self._versions = path / "versions"
        self._dashboards = path / DASHBOARD

    def has_versions(self) -> bool:
        return (self._path / CURRENT).exists() or any(self._versions.glob(f"*/{MANIFEST}"))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Raises: ConfigurationError for a folder with other things in it, or with a link in a
        place that is written to; AlreadyRunning."""
        self._refuse_another_folder()
        for path in chain(self._path.glob("*"), self._path.glob("*/*")):
            if path.is_symlink():  # what is written below, or removed, would be somewhere else
                raise refused_link(path)
        for folder in (self._versions, self._dashboards):
            folder.mkdir(parents=True, exist_ok=True)
        with hold(self._path / LOCK, f"the folder {self._path}"):
            for pattern in (f".*{PARTIAL}", f"*/.*{PARTIAL}"):
                for left in self._path.glob(pattern):
                    _remove(left)
            for dashboard in self._dashboards.iterdir():
                if dashboard.is_dir() and not (self._versions / dashboard.name).exists():
                    _remove(dashboard)
            yield

    def current(self) -> M | None:
        return current_in(self._path, self._read)

    def kept(self) -> Sequence[M]:
        found = []
        for path in sorted(self._versions.glob(f"*/{MANIFEST}")):
            with suppress(ValueError):
                found.append(self._read(path.read_bytes()))
        return found

    def source(self) -> str | None:
        versions = sorted(self._versions.glob(f"*/{MANIFEST}"), reverse=True)
        paths = (self._path / CURRENT, *versions)
        return source_of(path.read_bytes() for path in paths if path.exists())

    def is_whole(self, manifest: M) -> bool:
        # A log beside the DuckDB file shows that somebody wrote to it.
        if _log(self._path / manifest.database.path).exists():
            return False
        return all(
            (self._path / file.path).exists()
            and describe_file(self._path, self._path / file.path) == file
            for file in manifest.files
        )

    @contextmanager
    def draft(self) -> Iterator[Path]:
        path = self._versions / f".next{PARTIAL}"
        path.mkdir()
        try:
            yield path
        finally:
            _remove(path)

    def take_over(self, file: File, path: Path) -> bool:
        source = self._path / file.path
        if not source.exists():
            return False
        link(source, path)
        found = describe_file(path.parent, path)
        if (found.bytes, found.sha256) == (file.bytes, file.sha256):
            return True
        path.unlink()
        return False

    def activate(self, draft: Path, manifest: M) -> None:
        for name in (self._database, *(file.path_in_version for file in manifest.fixed)):
            _close(draft / name)
        if manifest.personal:
            make_private(draft)
        _sync_all(draft)
        # In this order: a dashboard without its version is removed later, the reverse is not.
        (draft / DASHBOARD).rename(self._dashboards / manifest.version)
        sync_to_disk(self._dashboards)
        draft.rename(self._versions / manifest.version)
        sync_to_disk(self._versions)
        self.repair(manifest)

    def repair(self, manifest: M) -> None:
        if self._points_to(manifest):
            return
        # Else DuckDB would apply the log of the old file to the new one.
        _log(self._path / self._database).unlink(missing_ok=True)
        for name, file in self._fixed(manifest).items():
            fixed, version = self._path / name, self._path / file.path
            if not (fixed.exists() and fixed.samefile(version)):
                fixed.parent.mkdir(exist_ok=True)
                replace(fixed, partial(link, version))
        for fixed in self._outdated_names(manifest):
            fixed.unlink()
            if fixed.parent != self._path and not any(fixed.parent.iterdir()):
                fixed.parent.rmdir()
        write_entries(self._path, manifest.as_dict())
        replace(self._path / CURRENT, lambda new: new.write_text(manifest.as_json(), "utf-8"))

    def prune(self, keep: int) -> Pruned:
        current, pins = self.current(), pins_in(self._path)
        versions = [path.parent.name for path in self._versions.glob(f"*/{MANIFEST}")]
        old = outdated(versions, keep, current.version if current else None)
        note_ends(self._path, versions, {*old} - pins.keys())
        removed, read = [], []
        for version in (each for each in old if each not in pins):
            path = self._versions / version
            if _is_read(path / self._database):
                read.append(version)
                continue
            # Renamed first, so that a version is whole as long as it has its name.
            _remove(path.rename(path.with_name(f".{version}{PARTIAL}")))
            _remove(self._dashboards / version)
            removed.append(version)
        return Pruned(removed, read, [each for each in old if each in pins])

    def _refuse_another_folder(self) -> None:
        is_ours = any((self._path / name).exists() for name in (LOCK, CURRENT))
        is_empty = self._path.is_dir() and not any(self._path.iterdir())
        if self._path.exists() and not (is_ours or is_empty):
            raise ConfigurationError(
                f"{self._path} holds other things than what was published, and they would be"
                " overwritten: name a new or empty folder"
            )

    def _points_to(self, manifest: M) -> bool:
        return (
            self.current() == manifest
            and all(self._is_entry(place, manifest) for place in ENTRIES)
            and not _log(self._path / self._database).exists()
            and all(self._is_fixed(name, file) for name, file in self._fixed(manifest).items())
            and not any(self._outdated_names(manifest))
        )

    def _fixed(self, manifest: M) -> Mapping[str, File]:
        """The file of a version that each fixed name is to point to."""
        of_additions = {file.path_in_version: file for file in manifest.fixed}
        return {self._database: manifest.database, **of_additions}

    def _outdated_names(self, manifest: M) -> Iterator[Path]:
        """The fixed names that other versions have, also one that was killed on its way into force,
        and this one has not: they would go on showing old figures."""
        names: set[str] = set()
        for path in self._versions.glob(f"*/{MANIFEST}"):
            with suppress(FileNotFoundError, ValueError):
                names |= self._fixed(self._read(path.read_bytes())).keys()
        for name in sorted(names - self._fixed(manifest).keys()):
            if (self._path / name).exists():
                yield self._path / name

    def _is_entry(self, place: str, manifest: M) -> bool:
        """Whether the file at this fixed path is a copy of the version's."""
        entry = self._path / place
        source = (self._path / manifest.dashboard).with_name(ENTRIES[place])
        return entry.exists() and entry.read_bytes() == source.read_bytes()

    def _is_fixed(self, name: str, file: File) -> bool:
        """Whether the fixed name is a link to that version's file, or a copy without links."""
        fixed, version = self._path / name, self._path / file.path
        if not fixed.exists():
            return False
        return fixed.samefile(version) or (
            fixed.stat().st_size == file.bytes
            and describe_file(self._path, fixed).sha256 == file.sha256
        )


def _log(database: Path) -> Path:
    """DuckDB's log of writes to the file."""
    return database.with_name(f"{database.name}.wal")


def _is_read(database: Path) -> bool:
    """Whether another process has the file open: DuckDB locks what it reads against writers.

    Asking closes a descriptor of the file, and with it this process's own locks on it, if any.
    """
    if not database.exists():
        return False
    import fcntl  # which only who publishes needs

    database.chmod(database.stat().st_mode | stat.S_IWUSR)  # who may write may ask for its lock
    try:
        with database.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    finally:
        _close(database)
    return False


def _close(file: Path) -> None:
    """Make the file read-only for everybody."""
    file.chmod(file.stat().st_mode & ~WRITING)


def link(path: Path, other: Path) -> None:
    """Link a read-only file to another name, or copy it if the file system has no links."""
    try:
        os.link(path, other)
    except OSError:
        shutil.copyfile(path, other)
        _close(other)


def _sync_all(folder: Path) -> None:
    """Sync these files, unless they are links: those were synced when they were written."""
    for path in (*folder.rglob("*"), folder):
        if path.is_dir() or path.stat().st_nlink == 1:
            sync_to_disk(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

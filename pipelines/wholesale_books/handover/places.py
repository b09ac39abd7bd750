"""Places: where a receiver finds its batches, as files in a folder or a bucket.

Each batch is a folder that is named by its number. Its files are written first, its manifest last:
what has no manifest is not there yet. A manifest is removed before files of its batch are replaced.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from wholesale.errors import ConfigurationError, WholesaleError, legible, one_line
from wholesale_books.handover.manifest import MANIFEST, BatchManifest
from wholesale_books.handover.receiver import Batch, masked
from wholesale_elt.process import causes, is_full_disk, plugin_names, plugins, replace
from wholesale_elt.publish import folder_at

POSTGRES = ("postgres", "postgresql")


class NotDelivered(WholesaleError):
    """The place did not take a batch, which is kept and delivered by the next command."""


class Place(Protocol):
    """Takes batches, each whole or not at all for who reads its manifest first."""

    name: str
    """Without a password."""

    def deliver(self, batch: Batch, *, is_again: bool, is_known: bool) -> None:
        """Deliver a batch, unless it is there as it is; `is_again` writes its files in any case.
        `is_known`: something was delivered there before.

        Raises: NotDelivered; ConfigurationError for a place that has another batch of this number.
        """


class Files(Protocol):
    """Files by their paths within a place; what is written is there as a whole, or not at all."""

    def read_file(self, path: str) -> bytes | None: ...

    def write_file(self, path: str, file: Path) -> None: ...

    def delete_file(self, path: str) -> None: ...


class InFiles:
    """A place of files."""

    def __init__(self, name: str, files: Files) -> None:
        self.name = name
        self._files = files

    def deliver(self, batch: Batch, *, is_again: bool, is_known: bool) -> None:
        folder = f"{batch.number:06d}"
        if not is_known and isinstance(self._files, Folder):
            self._files.make()
        with writing(batch, self.name):
            found = self._files.read_file(f"{folder}/{MANIFEST}")
            if found == batch.manifest.as_json() and not is_again:
                return
            if found is not None:
                old = require_same(found, batch, self.name)
                self._files.delete_file(f"{folder}/{MANIFEST}")
                for path in {file.path for file in old.files} - {
                    file.path for file in batch.manifest.files
                }:
                    self._files.delete_file(f"{folder}/{path}")
            for file in batch.manifest.files:
                self._files.write_file(f"{folder}/{file.path}", batch.folder / file.path)
            self._files.write_file(f"{folder}/{MANIFEST}", batch.folder / MANIFEST)


class Folder:
    """A folder on this machine, or mounted in it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def make(self) -> None:
        """Make the folder, in one that is there, before anything was delivered into it."""
        try:
            self._path.mkdir(exist_ok=True)
        except OSError as error:
            raise NotDelivered(f"{self._path} cannot be made: {error.strerror}") from error

    def read_file(self, path: str) -> bytes | None:
        if not self._path.is_dir():
            raise NotADirectoryError(None, "it is gone, or no folder: mount it, or make it again")
        try:
            return (self._path / path).read_bytes()
        except FileNotFoundError:
            return None

    def write_file(self, path: str, file: Path) -> None:
        target = self._path / path
        target.parent.mkdir(exist_ok=True)
        replace(target, partial(shutil.copyfile, file))

    def delete_file(self, path: str) -> None:
        (self._path / path).unlink(missing_ok=True)


def require_same(found: bytes, batch: Batch, place: str) -> BatchManifest:
    """The manifest that a place has under the number of a batch.

    Raises: ConfigurationError unless it is of this batch, as it is or was.
    """
    try:
        manifest = BatchManifest.of(found)
    except ValueError:
        manifest = None
    ours = batch.manifest
    if manifest is None or manifest.sha256 not in (ours.sha256, *ours.replaces):
        raise ConfigurationError(
            f"{place} has another batch {batch.number} than that of {ours.receiver}, so nothing is"
            " written there: name a place of its own for each receiver, an empty one for a new one"
        )
    return manifest


@contextmanager
def writing(batch: Batch, place: str) -> Iterator[None]:
    """Raises: NotDelivered for what the system or a store says meanwhile."""
    try:
        yield
    except ConfigurationError:
        raise
    except (OSError, WholesaleError) as error:
        full = any(map(is_full_disk, causes(error)))
        said = "it is full" if full else getattr(error, "strerror", None) or one_line(error)
        raise NotDelivered(
            f"batch {batch.number} was not delivered to {place}: {said}; it is kept, and delivered"
            " first by the next hand-over"
        ) from error


def place_at(text: str) -> Place:
    """The place that a text names.

    Raises: ConfigurationError, without any password.
    """
    scheme, colon, rest = text.strip().partition(":")
    scheme = scheme.lower()
    if not text.strip():
        raise ConfigurationError("no place is named: write a folder, s3://BUCKET or postgres://…")
    if colon and scheme in POSTGRES:
        from wholesale_books.handover.postgres import Database

        return Database(text.strip())
    known = ("file", *plugin_names("stores"))
    is_uri = rest.startswith("//")
    if colon and ((is_uri and scheme not in known) or (scheme in known[1:] and not is_uri)):
        raise _unknown(text)
    path = folder_at(text)
    if path is not None:
        return InFiles(str(path.absolute()), Folder(path.absolute()))
    store = next(plugins("stores", scheme))
    if not hasattr(store, "write_file"):
        raise _unknown(text)
    return InFiles(masked(text.strip()), store(text.strip()))


def _unknown(text: str) -> ConfigurationError:
    return ConfigurationError(
        f"{legible(masked(text))} is no place for batches: name a folder, s3://BUCKET/PREFIX,"
        " gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or postgres://HOST/DATABASE"
    )

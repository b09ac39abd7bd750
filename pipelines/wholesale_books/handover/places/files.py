"""Places: where a receiver finds its batches, as files in a folder or a bucket.

Each batch is a folder that is named by its number. Its files are written first, its manifest last:
what has no manifest is not there yet. A manifest is removed before files of its batch are replaced.
"""

import shutil
from functools import partial
from pathlib import Path
from typing import Protocol

from wholesale_books.handover.batches import MANIFEST
from wholesale_books.handover.places.place import NotDelivered, require_same, writing
from wholesale_books.handover.receiver import Batch
from wholesale_elt.process import replace


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

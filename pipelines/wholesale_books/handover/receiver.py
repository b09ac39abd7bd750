"""Receiver: the batches that were made for it, and what became of them, in one folder.

A batch is made under a hidden name, synced to the disk and renamed: from then on it is made. Its
folder has the state as well, so a command that is killed leaves the state of the last batch that is
made. What was delivered and acknowledged is noted in a book; what is not noted is done again.
"""

import getpass
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import msgspec

from wholesale.errors import WholesaleError
from wholesale_books.book import Book, Entry
from wholesale_books.handover.batches import MANIFEST, BatchManifest, state
from wholesale_books.settings import folder_of
from wholesale_elt.process import PARTIAL, hold, private, replace, sync_to_disk
from wholesale_elt.warehouse import Warehouse

FOLDER = "hand-over"
CONTENT = "content"
"""The folder within a batch from which its files are written, until it is acknowledged."""
NAME_OF_BATCH = re.compile(r"(\d{6,})\.(\d+)")
"""The number of a batch, and how often it was rewritten."""
DELIVERED, ACKNOWLEDGED = "batch delivered", "batch acknowledged"


class NotAcknowledged(WholesaleError):
    """A batch that cannot be acknowledged."""


class NotKept(WholesaleError):
    """A batch that cannot be delivered again."""


class Delivered(msgspec.Struct, frozen=True):
    """What is noted of a delivery; `place` has no password."""

    number: int
    sha256: str
    place: str


class Acknowledged(msgspec.Struct, frozen=True):
    number: int


@dataclass(frozen=True)
class Batch:
    """A batch that is made, in its folder."""

    folder: Path

    @cached_property
    def number(self) -> int:
        return int(self.folder.name.partition(".")[0])

    @cached_property
    def manifest(self) -> BatchManifest:
        return BatchManifest.of((self.folder / MANIFEST).read_bytes())

    @property
    def content(self) -> Path:
        return self.folder / CONTENT

    def is_whole(self) -> bool:
        """Whether its files are kept, and not only what the next batch follows."""
        return all((self.folder / file.path).exists() for file in self.manifest.files)


class Receiver:
    """What is kept of a receiver; one command at a time has it `locked`."""

    def __init__(self, warehouse: Warehouse, name: str) -> None:
        self.name = name
        self.warehouse = warehouse
        self.folder = folder_of(warehouse) / FOLDER / name
        self.batches_folder = self.folder / "batches"
        self.book = Book(self.folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Raises: AlreadyRunning."""
        with private():  # what is in it is then this user's alone; what is delivered is not
            self.batches_folder.mkdir(parents=True, exist_ok=True)
        with hold(self.folder / ".lock", f"the hand-over {self.name}"):
            self._remove_left()
            self.mend_chain()
            yield

    def batches(self) -> Sequence[Batch]:
        """Those that are made and kept, by number."""
        newest = {int(found[1]): path for found, path in self._folders()}
        return [Batch(newest[number]) for number in sorted(newest) if number]

    def batch(self, number: int) -> Batch:
        """Raises: NotKept."""
        for batch in self.batches():
            if batch.number == number and batch.is_whole():
                return batch
        made = self.last_number
        raise NotKept(
            f"{self.name} has no batch {number}: "
            + (
                "it was acknowledged, and is no longer kept"
                if number <= made
                else f"{made} was the last"
            )
        )

    @property
    def last_number(self) -> int:
        """The number of the last batch that was made; 0 if there is none."""
        return max((int(found[1]) for found, _ in self._folders()), default=0)

    @property
    def state_file(self) -> Path | None:
        """The state of the last batch; None before the first hand-over."""
        files = [path / state.FILE for _, path in self._folders()]
        return next((file for file in reversed(files) if file.exists()), None)

    def handed(self) -> dict[int, Delivered]:
        """The last delivery of each batch."""
        found = (msgspec.convert(each.about, Delivered) for each in self._entries(DELIVERED))
        return {each.number: each for each in found}

    def waiting(self) -> Sequence[Batch]:
        """What is made and not delivered as it is now, and not acknowledged, by number."""
        acknowledged, delivered = self.acknowledged(), self.handed()
        return [
            batch
            for batch in self.batches()
            if batch.number > acknowledged
            and (
                batch.number not in delivered
                or delivered[batch.number].sha256 != batch.manifest.sha256
            )
        ]

    def acknowledged(self) -> int:
        """The last batch that the receiver acknowledged, with all before it; 0 if none."""
        return max((each.about["number"] for each in self._entries(ACKNOWLEDGED)), default=0)

    def open_batches(self) -> Sequence[Batch]:
        """Those that are not acknowledged."""
        acknowledged = self.acknowledged()
        return [batch for batch in self.batches() if batch.number > acknowledged]

    def note(self, kind: str, about: object) -> None:
        """On the disk when this returns."""
        self.book.add(kind, getpass.getuser(), about)

    def acknowledge(self, number: int) -> None:
        """Note that the receiver has all up to a batch; nothing, if it is known.

        Raises: NotAcknowledged for a batch that was not delivered.
        """
        if number <= self.acknowledged():
            return
        waiting = [batch.number for batch in self.waiting()]
        last = (waiting[0] if waiting else self.last_number + 1) - 1
        if number > last:
            raise NotAcknowledged(
                f"batch {number} of {self.name} was not delivered, so it cannot be acknowledged:"
                + (f" batch {last} was the last" if last else " none was")
                + f"; `wholesale hand-over {self.name}` delivers what waits"
            )
        self.note(ACKNOWLEDGED, Acknowledged(number))

    def make(self, number: int, generation: int, write: Callable[[Path], object]) -> Batch:
        """Make a batch of what is written into the folder that `write` is given."""
        path = self.batches_folder / f"{number:06d}.{generation}"
        partial_path = path.with_name(f".{path.name}{PARTIAL}")
        shutil.rmtree(partial_path, ignore_errors=True)
        partial_path.mkdir()
        write(partial_path)
        for written in sorted(partial_path.rglob("*")):
            sync_to_disk(written)
        sync_to_disk(partial_path)
        os.rename(partial_path, path)
        sync_to_disk(self.batches_folder)
        self._remove_left()
        return Batch(path)

    def rewrite(self, batch: Batch, manifest: BatchManifest, *changed: Path) -> Batch:
        """Replace a batch by one with this manifest, and with the files and folders `changed` in
        place of those of the same name; all others stay as they are."""

        def write(folder: Path) -> None:
            for path in batch.folder.iterdir():
                if path.name != MANIFEST and path.name not in {each.name for each in changed}:
                    _link_all(path, folder / path.name)
            for path in changed:
                _link_all(path, folder / path.name)
            (folder / MANIFEST).write_bytes(manifest.as_json())

        generation = int(batch.folder.name.partition(".")[2]) + 1
        return self.make(batch.number, generation, write)

    def replace_state(self, write: Callable[[Path], object]) -> None:
        """Replace the state where no batch comes of it."""
        last = max(self._folders(), key=lambda found: _age(found[0]), default=None)
        if last is None:
            self.make(0, 0, lambda folder: write(folder / state.FILE))
        else:
            replace(last[1] / state.FILE, write)

    def forget(self, keep_days: int) -> None:
        """Remove what acknowledged batches were made from, and those that were acknowledged so many
        days ago, but for the last one, which the next one follows."""
        acknowledged = self.acknowledged()
        before = datetime.now(UTC) - timedelta(days=keep_days)
        old = max(
            (each.about["number"] for each in self._entries(ACKNOWLEDGED) if each.at <= before),
            default=0,
        )
        for batch in self.batches():
            if batch.number <= acknowledged:
                _remove(batch.content)
            if batch.number <= old and batch.number < self.last_number:
                _remove(batch.folder)

    def forget_acknowledged(self) -> Sequence[int]:
        """Remove all of the batches that were acknowledged, but the hash that the next one follows;
        the numbers of those that were kept."""
        forgotten = []
        for batch in self.batches():
            if batch.number > self.acknowledged():
                break
            forgotten += [batch.number] if batch.is_whole() else []
            if batch.number < self.last_number:
                _remove(batch.folder)
                continue
            for file in batch.manifest.files:
                (batch.folder / file.path).unlink(missing_ok=True)
            _remove(batch.content)
        return forgotten

    def _entries(self, kind: str) -> Iterator[Entry]:
        return (each for each in self.book.read() if each.kind == kind)

    def _folders(self) -> Sequence[tuple[re.Match[str], Path]]:
        """The folders of batches, the oldest first."""
        if not self.batches_folder.exists():
            return []
        found = (
            (NAME_OF_BATCH.fullmatch(path.name), path) for path in self.batches_folder.iterdir()
        )
        return sorted(
            ((name, path) for name, path in found if name), key=lambda each: _age(each[0])
        )

    def _remove_left(self) -> None:
        """Remove what a killed command left half made, what was replaced, and older states."""
        for path in list(self.batches_folder.rglob(f".*{PARTIAL}")):
            _remove(path)
        folders = self._folders()
        for (name, path), (after, _) in pairwise(folders):
            if name[1] == after[1] or int(name[1]) == 0:
                _remove(path)
            elif folders[-1][1].joinpath(state.FILE).exists():
                (path / state.FILE).unlink(missing_ok=True)

    def mend_chain(self) -> None:
        """Let each batch follow the one before it, which may have been rewritten."""
        batches = self.batches()
        for before, batch in pairwise(batches):
            (now,) = {
                each.manifest.sha256 for each in self.batches() if each.number == before.number
            }
            if batch.manifest.previous != now:
                self.rewrite(batch, batch.manifest.replaced(previous=now))


def _age(name: "re.Match[str]") -> tuple[int, int]:
    return int(name[1]), int(name[2])


def _link_all(path: Path, other: Path) -> None:
    """Link a file, or all files of a folder, which nobody changes in place."""
    if path.is_dir():
        shutil.copytree(path, other, copy_function=os.link)
    else:
        os.link(path, other)


def _remove(path: Path) -> None:
    """Renamed first, so that a folder is whole as long as it has its name."""
    if not path.exists():
        return
    if not path.name.startswith("."):
        hidden = path.with_name(f".{path.name}{PARTIAL}")
        shutil.rmtree(hidden, ignore_errors=True)
        path = path.rename(hidden)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def masked(place: str) -> str:
    """A place without the user, the password and the options in its URI."""
    if "://" not in place:
        return place
    return re.sub(r"://.*@", "://…@", place).partition("?")[0]

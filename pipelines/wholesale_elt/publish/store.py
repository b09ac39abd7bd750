"""Version store: what a folder and a bucket of versions have in common."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from wholesale_elt.publish.bucket import Bucket
from wholesale_elt.publish.folder import Folder
from wholesale_elt.publish.manifest import Manifest, Pruned


class VersionStore(Protocol):
    """A place of versions, of which one is in force. One run at a time has it locked."""

    def locked(self) -> AbstractContextManager[None]:
        """Lock the place, and clear away what a run that died has left half done."""

    def current(self) -> Manifest | None:
        """The version in force, None when there is none that can be read."""

    def is_whole(self, manifest: Manifest) -> bool:
        """Whether all files of that version are there as its manifest says."""

    def draft(self) -> AbstractContextManager[Path]:
        """An empty folder in which the next version is written."""

    def activate(self, draft: Path, manifest: Manifest) -> None:
        """Make a version of what stands in `draft`, and point to it."""

    def repair(self, manifest: Manifest) -> None:
        """Point to a whole version wherever something points elsewhere or nowhere."""

    def prune(self, keep: int) -> Pruned:
        """Remove all but the newest versions, the one in force, and those that are read."""


def store_for(place: str) -> VersionStore:
    """The store in a folder, or in a bucket if `place` is a URI.

    Raises: ConfigurationError for a URI of an unknown scheme.
    """
    if place.startswith("file://"):
        return Folder(Path(place.removeprefix("file://")))
    return Bucket(place) if "://" in place else Folder(Path(place))

"""Version store: what all places of versions have in common."""

import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from wholesale.errors import ConfigurationError
from wholesale_elt.process import import_extra
from wholesale_elt.publish.folder import Folder
from wholesale_elt.publish.manifest import File, Manifest, Pruned

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+")
"""That of a URI (RFC 3986, 3.1), of two characters at least."""


class VersionStore(Protocol):
    """A place of versions, of which one is in force. One run at a time has it locked."""

    has_dashboard: bool
    """Whether a version has one there."""

    def has_versions(self) -> bool:
        """Whether any stands there, of whatever release; asked without a lock, and makes
        nothing."""

    def locked(self) -> AbstractContextManager[None]:
        """Lock the place, and clear away what a run that died has left half done."""

    def current(self) -> Manifest | None:
        """The version in force, None when there is none that can be read."""

    def source(self) -> str | None:
        """The service whose numbers stand there, None where nothing does.

        A version of it tells where what points to the one in force cannot be read.
        Raises: ConfigurationError when there are versions, and none tells.
        """

    def is_whole(self, manifest: Manifest) -> bool:
        """Whether all files of that version are there as its manifest says."""

    def draft(self) -> AbstractContextManager[Path]:
        """An empty folder in which the next version is written."""

    def take_over(self, file: File, path: Path, *, is_to_change: bool) -> bool:
        """Put a file of a version that is there at `path` in the draft, without writing it again
        where it is not going to be changed; False if it cannot be, or is not as `file` says."""

    def activate(self, draft: Path, manifest: Manifest) -> None:
        """Make a version of what stands in `draft`, and point to it."""

    def repair(self, manifest: Manifest) -> None:
        """Point to a whole version wherever something points elsewhere or nowhere."""

    def prune(self, keep: int) -> Pruned:
        """Remove all but the newest versions, the one in force, and those that are read."""


def store_for(place: str) -> VersionStore:
    """The store in a folder, in a bucket if `place` is a URI, or in a catalogue of Iceberg.

    Raises: ConfigurationError for a URI of an unknown scheme, or one that lacks a slash.
    """
    if (path := folder_at(place)) is not None:
        return Folder(path, Manifest.of)
    if place.partition(":")[0].lower() == "iceberg":
        catalog: VersionStore = import_extra("wholesale_elt.publish.iceberg", "iceberg").Catalog(
            place
        )
        return catalog
    bucket: VersionStore = import_extra("wholesale_elt.publish.bucket").Bucket(place)
    return bucket


def folder_at(place: str) -> Path | None:
    """The folder that `place` names, None where it names a bucket or a catalogue.

    Raises: ConfigurationError for a URI that lacks a slash, or names a folder of another machine.
    """
    scheme, colon, rest = place.partition(":")
    if colon and scheme.lower() == "iceberg":
        return None
    if not (colon and SCHEME.fullmatch(scheme) and rest.startswith("/")):
        return Path(place).expanduser()
    if not rest.startswith("//"):
        right = f"{scheme}://{rest.lstrip('/')}"
        raise ConfigurationError(
            f"{place} has one slash after its scheme: write {right}, or ./{place} for a folder"
        )
    if scheme.lower() != "file":
        return None
    uri = urlsplit(place)
    if uri.netloc not in ("", "localhost"):
        raise ConfigurationError(
            f"{place} names a folder on {uri.netloc}: write file:///path for one on this machine"
        )
    return Path(unquote(uri.path))


def published_in(folder: Path) -> Manifest | None:
    """The version in force in a folder, None where there is none that can be read."""
    return Folder(folder, Manifest.of).current()

"""Version store: the interface that folders, buckets and catalogues of versions share."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from wholesale.errors import ConfigurationError
from wholesale_elt.process import plugin_names, plugins
from wholesale_elt.publish.manifest import File, Manifest, Pruned, current_in
from wholesale_elt.warehouse import refuse_query


class VersionStore(Protocol):
    """A place of versions, one of which is in force. One run at a time locks it."""

    has_files: bool
    """Whether a version has files there, besides tables: the dashboard, and what plug-ins add."""

    def has_versions(self) -> bool:
        """Whether there is any version, of any release; takes no lock, and creates nothing."""

    def locked(self) -> AbstractContextManager[None]:
        """Lock the place, and remove what a killed run has left half done."""

    def current(self) -> Manifest | None:
        """The version in force; None if there is none, or it cannot be read."""

    def kept(self) -> Sequence[Manifest]:
        """The versions whose files can be taken over, oldest first."""

    def source(self) -> str | None:
        """The service whose data is published there; None if nothing is.

        If `current.json` cannot be read, any readable version tells it.
        Raises: ConfigurationError if there are versions, and none can be read.
        """

    def is_whole(self, manifest: Manifest) -> bool:
        """Whether all files of that version exist and match its manifest."""

    def draft(self) -> AbstractContextManager[Path]:
        """An empty folder in which the next version is written."""

    def take_over(self, file: File, path: Path) -> bool:
        """Link a file of an existing version to `path` in the draft; False if that fails, or the
        file does not match `file`."""

    def activate(self, draft: Path, manifest: Manifest) -> None:
        """Make the `draft` a version, and put it in force."""

    def repair(self, manifest: Manifest) -> None:
        """Make all fixed names point to this whole version."""

    def prune(self, keep: int) -> Pruned:
        """Remove all versions but the newest ones, the one in force, and those that are read or
        pinned."""


def store_for(place: str) -> VersionStore:
    """The store in a folder; or, if `place` is a URI, that of its scheme: an entry point of the
    group `wholesale.stores` takes a place and makes one.

    Raises: ConfigurationError for a URI with an unknown scheme or without its slashes, for a store
    whose libraries are not installed, and for a folder that DuckDB cannot use.
    """
    if (path := folder_at(place)) is not None:
        refuse_query(path, place)
        from wholesale_elt.publish.folder import Folder  # with the dashboard

        return Folder(path, Manifest.of)
    stores: Iterable[Callable[[str], VersionStore]] = plugins("stores", _scheme(place))
    return next(make_store(place) for make_store in stores)


def _known() -> str:
    return ", ".join(f"{scheme}:" for scheme in plugin_names("stores"))


def _scheme(place: str) -> str:
    return place.strip().partition(":")[0].lower()


def folder_at(place: str) -> Path | None:
    """The folder that `place` names; None if it names a bucket or a catalogue.

    Raises: ConfigurationError for a URI without its slashes or colon, of another machine, or of no
    known kind, and for a name that is empty.
    """
    if not place.strip():
        raise ConfigurationError("the place to publish in has no name: name a folder")
    scheme, colon, rest = place.strip().partition(":")
    if not colon or "/" in scheme or "\\" in scheme:
        kind, slashes, rest = place.strip().partition("//")
        if slashes and kind.lower() in ("file", *plugin_names("stores")):
            raise ConfigurationError(
                f"{place} has no colon after its scheme: write {kind}://{rest}, or ./{place} for a"
                " folder"
            )
        return Path(place).expanduser()
    if _scheme(place) not in ("file", *plugin_names("stores")):
        raise ConfigurationError(
            f"{place} cannot be used: {scheme}: is no kind of place that is known"
            f" ({_known()}); write ./{place} for a folder of that name"
        )
    if scheme.lower() == "file":
        uri = urlsplit(place.strip())
        if not rest.startswith("//") or uri.netloc not in ("", "localhost"):
            raise ConfigurationError(
                f"{place} cannot be used: write file:///path for a folder on this machine"
            )
        return Path(unquote(uri.path))
    if rest.startswith("/") and not rest.startswith("//"):
        right = f"{scheme}:/{rest}"
        raise ConfigurationError(
            f"{place} has one slash after its scheme: write {right}, or ./{place} for a folder"
        )
    return None  # such as `s3://bucket`, or `iceberg:CATALOGUE`


def published_in(folder: Path) -> Manifest | None:
    """The version in force in a folder; None if there is none, or it cannot be read."""
    return current_in(folder, Manifest.of)

"""Version store: what all places of versions have in common, and what of one stands in the next."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from wholesale.errors import ConfigurationError
from wholesale_elt.dashboard import Cells, DataFolder
from wholesale_elt.process import import_extra
from wholesale_elt.publish.folder import Folder
from wholesale_elt.publish.manifest import DASHBOARD, DATABASE, File, Manifest, Pruned, Table

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


class Part(NamedTuple):
    """Rows of a table that belong together: how many there are, and the sum of their hashes."""

    number: int
    rows: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is published of a table of the warehouse, which stands there at `place`: by its name
    where it is published, the types of its columns, and the hashes of its rows, a table of SQL.

    `part` is the SQL of the number of a row's part, and `made` tells how the hashes are made.
    """

    schema: str
    table: str
    types: Mapping[str, str] = field(hash=False)
    place: str
    hashes: str
    part: str
    parts: Sequence[Part]
    made: str

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)

    @property
    def total(self) -> int:
        return sum(part.total for part in self.parts)

    @property
    def query(self) -> str:
        chosen = ", ".join(f'"{name}"' for name in self.types)
        return f"select {chosen} from {self.place}"

    @property
    def digest(self) -> str:
        return f"{self.total:x}-{self.made}"


class Standing:
    """The version in force, if it was made the same way, beside the tables of the next one.

    Files are taken over if they are still what their manifest says. Those that were are `taken`, by
    their path in the draft.
    """

    def __init__(
        self, store: VersionStore, draft: Path, last: Manifest | None, sources: Sequence[Source]
    ) -> None:
        self._store, self._draft, self._last = store, draft, last
        known = {(table.schema, table.table): table for table in last.tables} if last else {}
        self._before = {
            source: table
            for source in sources
            if (table := known.get((source.schema, source.table)))
        }
        self._same = {
            source: table
            for source, table in self._before.items()
            if (table.rows, table.digest) == (source.rows, source.digest)
        }
        self._has_same_tables = len(self._before) == len(known) == len(sources)
        self._data = _by_folder(last) if last else {}
        self._changed: Mapping[Cells, Set[str] | None] | None = None
        self.taken: dict[Path, File] = {}

    def is_same(self, source: Source) -> bool:
        return source in self._same

    def last(self, source: Source) -> Table:
        """The same table of the version in force, which has it."""
        return self._before[source]

    def take_database(self) -> bool:
        """Put a copy of the last DuckDB file in the draft, to change what differs in it."""
        return (
            self._last is not None
            and self._has_same_tables
            and self._store.take_over(
                self._last.database, self._draft / DATABASE, is_to_change=True
            )
        )

    def take_parquet(self, source: Source, path: Path) -> bool:
        table = self._same.get(source)
        return table is not None and self._take(table.file, path)

    def take_last_parquet(self, source: Source, path: Path) -> bool:
        """Put the last Parquet file of a table of the same columns at `path`, to read it."""
        table = self._before.get(source)
        return (
            table is not None
            and table.digest.endswith(f"-{source.made}")
            and self._store.take_over(table.file, path, is_to_change=False)
        )

    def note_changed(self, files: Mapping[Cells, Set[str] | None]) -> None:
        """Say in which data files of the dashboard cells are others than in the version in force;
        None where it may be any. Cells that are not named are the same."""
        self._changed = files

    def take_data(self, tables: Set[str], name: str) -> bool:
        """Put the dashboard's data files of that name, or in that folder, in the draft, which are
        made of these reports and marts; all of them, or none."""
        if not tables <= {source.table for source in self._same}:
            return False
        files = self._data.get(name, {})
        taken = self._take_files(files)
        if self._last and len(taken) == len(files):
            return True
        for path in taken:  # else what is written there anew would be written into that version
            place = self._draft / DASHBOARD / path
            place.unlink()
            del self.taken[place]
        return False

    def take_unchanged(self, folder: DataFolder) -> Set[str]:
        """Put the files of that folder in the draft that are known to be the same, and name
        them."""
        if self._changed is None:
            return frozenset()
        changed: set[str] = set()
        for cells in folder.made_of:
            names = self._changed.get(cells, frozenset())
            if names is None:
                return frozenset()
            changed.update(f"data/{folder.name}/{name}.js" for name in names)
        files = {
            path: file
            for path, file in self._data.get(folder.name, {}).items()
            if path not in changed
        }
        return {PurePosixPath(path).stem for path in self._take_files(files)}

    def _take_files(self, files: Mapping[str, File]) -> Sequence[str]:
        """Those of these files of the site that could be put in the draft, by their paths."""
        site = self._draft / DASHBOARD
        return [path for path, file in files.items() if self._take(file, site / path)]

    def _take(self, file: File, path: Path) -> bool:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_taken = self._store.take_over(file, path, is_to_change=False)
        if is_taken:
            self.taken[path] = file
        return is_taken


def _by_folder(manifest: Manifest) -> Mapping[str, Mapping[str, File]]:
    """The dashboard's data files by where they stand in its site, those of a folder below `data`,
    or of a name there, together."""
    site = f"{PurePosixPath(manifest.dashboard).parent}/"
    found: dict[str, dict[str, File]] = defaultdict(dict)
    for file in manifest.dashboard_files:
        path = file.path.removeprefix(site)
        if path.startswith("data/"):
            found[path.split("/")[1].removesuffix(".js")][path] = file
    return found

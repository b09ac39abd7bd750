"""In force: the version that readers have, and which of its files the next one takes over."""

import shutil
from collections.abc import Iterable, Sequence, Set
from pathlib import Path, PurePosixPath

from wholesale_elt.publish.manifest import DASHBOARD, DATABASE, File, Manifest
from wholesale_elt.publish.store import VersionStore
from wholesale_elt.publish.tables import Source


class VersionInForce:
    """The version in force, `last`, compared with the next one; None if they are not made alike.

    A file is taken over if it still matches its manifest. Paths are those in the draft. `digests`
    are those of the tables that are the same.
    """

    def __init__(
        self, store: VersionStore, draft: Path, last: Manifest | None, sources: Sequence[Source]
    ) -> None:
        self._store, self._draft = store, draft
        known = {(table.schema, table.table): table for table in last.tables} if last else {}
        self._has_same_tables = known.keys() == {(entry.schema, entry.table) for entry in sources}
        self._same = {
            source
            for source in sources
            if (table := known.get((source.schema, source.table)))
            and (table.rows, table.digest) == (source.rows, source.digest)
        }
        self.digests = {
            name: digest
            for name, digest in (last.digests if last else {}).items()
            if name in {f"{source.schema}.{source.table}" for source in self._same}
        }
        self._files = {path_in_draft(file): file for file in last.files} if last else {}
        self._taken: set[PurePosixPath] = set()

    def is_same(self, source: Source) -> bool:
        return source in self._same

    def copy_database(self) -> bool:
        path = PurePosixPath(DATABASE)
        if not (self._has_same_tables and self._take(path)):
            return False
        self._taken.remove(path)
        linked = (self._draft / path).rename(self._draft / "last")
        shutil.copyfile(linked, self._draft / path)
        linked.unlink()
        return True

    def take_parquet(self, source: Source) -> bool:
        return source in self._same and self._take(source.parquet)

    def take_data(self, tables: Set[str], name: str) -> bool:
        """Take over the dashboard's data file of that name, or all files of that folder, if these
        reports and marts, of which they are made, are the same; False if that fails."""
        if not tables <= {source.table for source in self._same}:
            return False
        data = PurePosixPath(DASHBOARD, "data")
        paths = {path for path in self._files if data / name in (path.parent, path.with_suffix(""))}
        taken = {path for path in paths if self._take(path)}
        if taken and taken == paths:
            return True
        for path in taken:  # they are links: writing to them would change the version in force
            (self._draft / path).unlink()
        self._taken -= taken
        return False

    def link_same(self, files: Iterable[File]) -> None:
        """Replace these files of the draft by links to those in force with the same bytes."""
        for file in files:
            path = path_in_draft(file)
            last = self._files.get(path)
            if last and path not in self._taken and last.sha256 == file.sha256:
                written = (self._draft / path).rename(self._draft / "written")
                if not self._take(path):
                    written.rename(self._draft / path)
                written.unlink(missing_ok=True)

    def _take(self, path: PurePosixPath) -> bool:
        if path not in self._files:
            return False
        place = self._draft / path
        place.parent.mkdir(parents=True, exist_ok=True)
        is_taken = self._store.take_over(self._files[path], place)
        if is_taken:
            self._taken.add(path)
        return is_taken


def path_in_draft(file: File) -> PurePosixPath:
    kind, _, path = file.path.split("/", 2)
    return PurePosixPath(DASHBOARD, path) if kind == DASHBOARD else PurePosixPath(path)

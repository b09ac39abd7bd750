"""In force: the version that readers have, and which of its files the next one can take over."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from pathlib import Path, PurePosixPath

from wholesale_elt.dashboard import DataFolder, ShownCells
from wholesale_elt.publish.manifest import DASHBOARD, File, Manifest
from wholesale_elt.publish.store import VersionStore
from wholesale_elt.publish.tables import Source


class VersionInForce:
    """The version in force, compared with the next one, if both are made the same way.

    A file is taken over if it still matches its manifest. `taken` are these files by their path in
    the draft.
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
        self._changed: Mapping[ShownCells, Set[str] | None] | None = None
        self.taken: dict[Path, File] = {}

    def is_same(self, source: Source) -> bool:
        return source in self._same

    def count(self, source: Source) -> tuple[int, int]:
        table = self._before[source]
        return table.rows, table.total

    def take_database(self, path: Path) -> bool:
        return (
            self._last is not None
            and self._has_same_tables
            and self._store.take_over(self._last.database, path, is_to_change=True)
        )

    def take_parquet(self, source: Source, path: Path) -> bool:
        table = self._same.get(source)
        return table is not None and self._take(table.file, path)

    def take_last_parquet(self, source: Source, path: Path) -> bool:
        table = self._before.get(source)
        return (
            table is not None
            and table.digest.endswith(f"-{source.made}")
            and self._store.take_over(table.file, path, is_to_change=False)
        )

    def note_changed(self, files: Mapping[ShownCells, Set[str] | None]) -> None:
        self._changed = files

    def take_data(self, tables: Set[str], name: str) -> bool:
        """Take over the dashboard's data file of that name, or all files of the folder of it,
        if these reports and marts, of which they are made, are the same."""
        if not tables <= {source.table for source in self._same}:
            return False
        files = self._data.get(name, {})
        taken = self._take_files(files)
        if self._last and len(taken) == len(files):
            return True
        for path in taken:  # they are links: writing to them would change the version in force
            place = self._draft / DASHBOARD / path
            place.unlink()
            del self.taken[place]
        return False

    def take_unchanged(self, folder: DataFolder) -> Set[str]:
        """Take over the files of that folder that are known to be the same, and return their
        names."""
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
        """Take over what can be taken of these files of the site, and return their paths."""
        site = self._draft / DASHBOARD
        return [path for path, file in files.items() if self._take(file, site / path)]

    def _take(self, file: File, path: Path) -> bool:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_taken = self._store.take_over(file, path, is_to_change=False)
        if is_taken:
            self.taken[path] = file
        return is_taken


def _by_folder(manifest: Manifest) -> Mapping[str, Mapping[str, File]]:
    """The dashboard's data files by path in its site, grouped by folder or name below `data`."""
    site = f"{PurePosixPath(manifest.dashboard).parent}/"
    found: dict[str, dict[str, File]] = defaultdict(dict)
    for file in manifest.dashboard_files:
        path = file.path.removeprefix(site)
        if path.startswith("data/"):
            found[path.split("/")[1].removesuffix(".js")][path] = file
    return found

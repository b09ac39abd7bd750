"""Bucket: versions in a bucket, uploaded whole, then pointed to; an object is replaced at once.

The names of objects are those of files in a published folder. A bucket has no locks: what a run
that died has left half uploaded is cleared away by the next one.
"""

import json
import mimetypes
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from pyarrow import ArrowException, fs

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_elt.dashboard import ENTRIES, write_entries
from wholesale_elt.publish.manifest import (
    CURRENT,
    DASHBOARD,
    DATABASE,
    MANIFEST,
    Manifest,
    Pruned,
    source_of,
)

UPLOADS = 8
"""Objects that are sent at once: a version has many small ones."""
CHUNK = 2**22
ETAGS = "etags.json"
"""What the bucket said of each object of a version, and of the fixed names that point to it: an
object with another tag (RFC 9110, 8.8.3) is not the one that was put there."""


class Unreached(WholesaleError):
    """The bucket does not do what it is asked."""


class Bucket:
    """A published prefix of a bucket; credentials are where Arrow looks for them."""

    def __init__(self, uri: str) -> None:
        try:
            self._files, self._root = fs.FileSystem.from_uri(uri)
        except (ArrowException, OSError, ValueError) as error:
            raise ConfigurationError(f"--to {uri} cannot be used: {one_line(error)}") from error
        self._uri = uri

    @contextmanager
    def locked(self) -> Iterator[None]:
        with self._asked():
            for version in self._versions():
                if not self._is_there(f"versions/{version}/{MANIFEST}"):
                    self._files.delete_dir(self._path(f"versions/{version}"))
            versions = self._versions()
            for version in self._folders(DASHBOARD):
                if version not in versions:
                    self._files.delete_dir(self._path(f"{DASHBOARD}/{version}"))
            yield

    def current(self) -> Manifest | None:
        try:
            return Manifest.of(self._read(CURRENT))
        except (FileNotFoundError, ValueError):
            return None

    def source(self) -> str | None:
        versions = (f"versions/{version}/{MANIFEST}" for version in reversed(self._versions()))
        return source_of(self._read(path) for path in (CURRENT, *versions) if self._is_there(path))

    def is_whole(self, manifest: Manifest) -> bool:
        """By what the bucket says of its objects: to hash them, they would have to be fetched."""
        try:
            recorded = json.loads(self._read(f"versions/{manifest.version}/{ETAGS}"))
            return bool(recorded == self._etags(recorded))
        except (FileNotFoundError, ValueError):
            return False

    @contextmanager
    def draft(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "draft"
            path.mkdir()
            yield path

    def activate(self, draft: Path, manifest: Manifest) -> None:
        # As a published folder would stand, so that the page at the top finds its version.
        root = draft.with_name("published")
        version, dashboard = (root / name / manifest.version for name in ("versions", DASHBOARD))
        for folder in (version, dashboard):
            folder.parent.mkdir(parents=True)
        (draft / DASHBOARD).rename(dashboard)
        draft.rename(version)
        write_entries(root, manifest.as_dict())
        files = [file.path for file in manifest.files]
        with ThreadPoolExecutor(UPLOADS) as pool:
            for _ in pool.map(lambda path: self._upload(root, path), files):
                pass
        self._upload(root, f"versions/{manifest.version}/{MANIFEST}")
        # Within the bucket: what breaks off on the way here could leave half an object.
        self._files.copy_file(self._path(manifest.database.path), self._path(DATABASE))
        for entry in ENTRIES:
            self._upload(root, entry)
        etags = self._etags([*files, DATABASE, *ENTRIES])
        (version / ETAGS).write_text(json.dumps(etags, indent=2) + "\n", "utf-8")
        self._upload(root, f"versions/{manifest.version}/{ETAGS}")
        (root / CURRENT).write_text(manifest.as_json(), "utf-8")
        self._upload(root, CURRENT)

    def repair(self, manifest: Manifest) -> None:
        """Nothing: what is whole here is pointed to."""

    def prune(self, keep: int) -> Pruned:
        """A reader of a bucket cannot be seen; it has as long as the versions that are kept."""
        current = self.current()
        removed = [
            version
            for version in self._versions()[:-keep]
            if not current or version != current.version
        ]
        for version in removed:
            for folder in ("versions", DASHBOARD):
                self._files.delete_dir(self._path(f"{folder}/{version}"))
        return Pruned(removed, [])

    def _versions(self) -> list[str]:
        return self._folders("versions")

    def _folders(self, path: str) -> list[str]:
        selector = fs.FileSelector(self._path(path), allow_not_found=True)
        found = self._files.get_file_info(selector)
        return sorted(info.base_name for info in found if info.type == fs.FileType.Directory)

    def _is_there(self, path: str) -> bool:
        return bool(self._files.get_file_info(self._path(path)).type == fs.FileType.File)

    def _read(self, path: str) -> bytes:
        with self._files.open_input_stream(self._path(path)) as stream:
            found: bytes = stream.read()
            return found

    def _etags(self, paths: Iterable[str]) -> Mapping[str, str]:
        """What the bucket says of these objects now.

        Raises: FileNotFoundError where one is not there.
        """
        paths = list(paths)
        with ThreadPoolExecutor(UPLOADS) as pool:
            return dict(zip(paths, pool.map(self._etag, paths), strict=True))

    def _etag(self, path: str) -> str:
        """Its ETag; where the file system knows none, its size and when it was written."""
        with self._files.open_input_file(self._path(path)) as file:
            if etag := (file.metadata() or {}).get("ETag"):
                return str(etag, "ascii")
        info = self._files.get_file_info(self._path(path))
        return f"{info.size} bytes of {info.mtime}"

    def _upload(self, root: Path, path: str) -> None:
        media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
        # What has one path in all versions is asked for anew; a copy of an object is served as it.
        is_fixed = path in (CURRENT, *ENTRIES) or PurePosixPath(path).name == DATABASE
        about = {"Content-Type": media_type} | ({"Cache-Control": "no-cache"} if is_fixed else {})
        with (
            (root / path).open("rb") as file,
            self._files.open_output_stream(self._path(path), metadata=about) as stream,
        ):
            shutil.copyfileobj(file, stream, CHUNK)

    def _path(self, path: str) -> str:
        return f"{self._root}/{path}"

    @contextmanager
    def _asked(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Unreached(
                f"{self._uri} cannot be read or written: {one_line(error)}; check its name and the"
                " credentials"
            ) from error

"""Bucket: versions in a bucket, uploaded whole, then pointed to; an object is replaced at once.

The names of objects are those of files in a published folder. A bucket has no locks: what a run
that died has left half uploaded is cleared away by the next one.
"""

import mimetypes
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from pyarrow import ArrowException, fs

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_elt.dashboard import write_entry
from wholesale_elt.publish.manifest import CURRENT, DATABASE, ENTRY, MANIFEST, Manifest, Pruned

UPLOADS = 8
"""Objects that are sent at once: a version has many small ones."""
CHUNK = 2**22


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
            yield

    def current(self) -> Manifest | None:
        try:
            with self._files.open_input_stream(self._path(CURRENT)) as stream:
                return Manifest.of(stream.read())
        except (FileNotFoundError, ValueError):
            return None

    def is_whole(self, manifest: Manifest) -> bool:
        """By size: to hash an object, it would have to be fetched."""
        sizes = {file.path: file.bytes for file in manifest.files}
        sizes[DATABASE] = manifest.database.bytes
        infos = self._files.get_file_info([self._path(path) for path in sizes])
        return [info.size for info in infos] == list(sizes.values()) and all(
            self._is_there(path) for path in (manifest.dashboard, ENTRY)
        )

    @contextmanager
    def draft(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "draft"
            path.mkdir()
            yield path

    def activate(self, draft: Path, manifest: Manifest) -> None:
        # As a published folder would stand, so that the page at the top finds its version.
        root = draft.with_name("published")
        version = root / "versions" / manifest.version
        version.parent.mkdir(parents=True)
        draft.rename(version)
        write_entry(root / ENTRY, manifest.as_dict())
        manifest_path = f"versions/{manifest.version}/{MANIFEST}"
        files = {
            path.relative_to(root).as_posix() for path in version.rglob("*") if path.is_file()
        } - {manifest_path}
        with ThreadPoolExecutor(UPLOADS) as pool:
            for _ in pool.map(lambda path: self._upload(root, path), files):
                pass
        self._upload(root, manifest_path)
        # Within the bucket: what breaks off on the way here could leave half an object.
        self._files.copy_file(self._path(manifest.database.path), self._path(DATABASE))
        self._upload(root, ENTRY)
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
            self._files.delete_dir(self._path(f"versions/{version}"))
        return Pruned(removed, [])

    def _versions(self) -> list[str]:
        selector = fs.FileSelector(self._path("versions"), allow_not_found=True)
        found = self._files.get_file_info(selector)
        return sorted(info.base_name for info in found if info.type == fs.FileType.Directory)

    def _is_there(self, path: str) -> bool:
        return bool(self._files.get_file_info(self._path(path)).type == fs.FileType.File)

    def _upload(self, root: Path, path: str) -> None:
        media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
        is_fixed = "/" not in path
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

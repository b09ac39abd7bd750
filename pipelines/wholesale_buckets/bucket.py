"""Bucket: versions in a bucket; each is uploaded as a whole, then `current.json` is replaced.

Objects have the names of the files in a published folder. One run at a time holds the lease of the
bucket. The next run removes what a killed run has left half uploaded.
"""

import json
import mimetypes
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import ObjectStore, from_url

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.dashboard import ENTRIES, write_entries
from wholesale_elt.process import AlreadyRunning, Lease, Note, lease
from wholesale_elt.publish import (
    CURRENT,
    DASHBOARD,
    DATABASE,
    MANIFEST,
    File,
    Manifest,
    Pruned,
    outdated,
    source_of,
)

UPLOADS = 8
"""Uploads at the same time: a version has many small objects."""
KINDS = "s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX"
LOCK = ".lock"
ETAGS = "etags.json"
"""The ETag of each object of a version, and of the fixed names that point to it: an object with
another tag (RFC 9110, 8.8.3) was replaced by somebody."""


class BucketFailed(WholesaleError):
    """The bucket refused or failed a request."""


class BucketNote:
    """The note of a lease, the object at `path`; it is empty while nobody has the lease, as objects
    cannot be deleted conditionally.

    Raises: ConfigurationError for a bucket that ignores conditions.
    """

    passing: tuple[type[Exception], ...] = ()

    def __init__(self, store: ObjectStore, path: str, what: str) -> None:
        self._store = store
        self._path = path
        self._what = what
        self._last: obstore.PutMode = "create"

    def read(self) -> Note | None:
        try:
            found = obstore.get(self._store, self._path)
        except FileNotFoundError:
            self._last = "create"
            return None
        self._last = _version_of(found.meta)
        holder = found.bytes().to_bytes().decode(errors="replace")
        return Note(holder, found.meta["last_modified"] + lease.LENGTH) if holder else None

    def write(self, note: Note | None) -> bool:
        content = note.holder.encode() if note else b""
        written = _put(self._store, self._path, content, self._last)
        if written is None:
            return False
        if self._last == "create" and _put(self._store, self._path, b"second", "create"):
            raise ConfigurationError(
                f"{self._what} creates an object that is there already, so nothing keeps two runs"
                " apart in it: publish into a folder, or into a bucket that heeds If-None-Match"
            )
        self._last = written
        return True


class Bucket:
    """A published prefix of a bucket; credentials are found as by its vendor's own tools.

    Raises: ConfigurationError for a URI of an unknown kind of bucket.
    """

    has_files = True

    def __init__(self, uri: str) -> None:
        try:
            # A server on this machine, or in this network, may have no TLS.
            self._store = from_url(uri, client_options={"allow_http": True}, **_credentials(uri))
        except (BaseError, ValueError) as error:
            raise ConfigurationError(
                f"{uri} cannot be used ({_sentence(error)}): name a folder, {KINDS} or"
                " iceberg:CATALOGUE"
            ) from error
        self._uri = uri
        self._lease: Lease | None = None

    def has_versions(self) -> bool:
        with self._asked():
            return self._is_there(CURRENT) or bool(self._versions())

    @contextmanager
    def locked(self) -> Iterator[None]:
        note = BucketNote(self._store, LOCK, self._uri)
        with self._asked(), Lease(note, self._uri).held() as self._lease:
            for version in self._versions():
                if not self._is_there(f"versions/{version}/{MANIFEST}"):
                    self._delete(f"versions/{version}")
            versions = self._versions()
            for version in self._folders(DASHBOARD):
                if version not in versions:
                    self._delete(f"{DASHBOARD}/{version}")
            yield

    def current(self) -> Manifest | None:
        try:
            return Manifest.of(self._read(CURRENT))
        except (FileNotFoundError, ValueError):
            return None

    def kept(self) -> Sequence[Manifest]:
        """None: nothing is taken over."""
        return ()

    def source(self) -> str | None:
        versions = (f"versions/{version}/{MANIFEST}" for version in reversed(self._versions()))
        return source_of(self._read(path) for path in (CURRENT, *versions) if self._is_there(path))

    def is_whole(self, manifest: Manifest) -> bool:
        """Compare ETags: hashing the objects would mean to download them."""
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

    def take_over(self, file: File, path: Path) -> bool:
        """Never: all files of a version are uploaded."""
        return False

    def activate(self, draft: Path, manifest: Manifest) -> None:
        """The tags are written last: a killed run leaves a version in force, and the next run sees
        that the fixed names point elsewhere."""
        # The layout of a published folder, so that the page at the top finds its version.
        root = draft.with_name("published")
        version, dashboard = (root / name / manifest.version for name in ("versions", DASHBOARD))
        for folder in (version, dashboard):
            folder.parent.mkdir(parents=True)
        (draft / DASHBOARD).rename(dashboard)
        draft.rename(version)
        write_entries(root, manifest.as_dict())
        (root / CURRENT).write_text(manifest.as_json(), "utf-8")
        is_as_before = self._condition(CURRENT)
        files = [file.path for file in manifest.files]
        with ThreadPoolExecutor(UPLOADS) as pool:
            copied = _fixed(manifest).values()
            for _ in pool.map(lambda path: self._upload(root, path, path in copied), files):
                self._renew()
        self._upload(root, f"versions/{manifest.version}/{MANIFEST}")
        self._renew()
        current = (root / CURRENT).read_bytes()
        about = _about(CURRENT, is_fixed=True)
        if _put(self._store, CURRENT, current, is_as_before, about) is None:
            raise AlreadyRunning(
                f"another run has published into {self._uri} meanwhile, and its version is in force"
            )
        for name, path in _fixed(manifest).items():
            obstore.copy(self._store, path, name)
        self._delete_outdated_names(manifest)
        for entry in ENTRIES:
            self._upload(root, entry, is_fixed=True)
        etags = self._etags([*files, CURRENT, *_fixed(manifest), *ENTRIES])
        (version / ETAGS).write_text(json.dumps(etags, indent=2) + "\n", "utf-8")
        self._upload(root, f"versions/{manifest.version}/{ETAGS}")

    def repair(self, manifest: Manifest) -> None:
        """Nothing: the fixed names of a whole version point to it."""

    def prune(self, keep: int) -> Pruned:
        """Readers of a bucket cannot be seen; they have as long as versions are kept."""
        current = self.current()
        removed = outdated(self._versions(), keep, current.version if current else None)
        for version in removed:
            for folder in ("versions", DASHBOARD):
                self._delete(f"{folder}/{version}")
            self._renew()
        return Pruned(removed, [])

    def read_file(self, path: str) -> bytes | None:
        """An object, which may be none of a version; None if there is none."""
        with self._asked():
            return self._read(path) if self._is_there(path) else None

    def write_file(self, path: str, file: Path) -> None:
        with self._asked():
            obstore.put(self._store, path, file, attributes=_about(path, is_fixed=True))

    def delete_file(self, path: str) -> None:
        with self._asked():
            obstore.delete(self._store, path)

    def _delete_outdated_names(self, manifest: Manifest) -> None:
        """Delete the fixed names that other versions have, and this one has not."""
        names: set[str] = set()
        for version in self._versions():
            with suppress(FileNotFoundError, ValueError):
                names |= _fixed(Manifest.of(self._read(f"versions/{version}/{MANIFEST}"))).keys()
        if outdated_names := sorted(names - _fixed(manifest).keys()):
            obstore.delete(self._store, outdated_names)

    def _renew(self) -> None:
        if self._lease:
            self._lease.renew()

    def _versions(self) -> list[str]:
        return self._folders("versions")

    def _folders(self, path: str) -> list[str]:
        found = obstore.list_with_delimiter(self._store, path)["common_prefixes"]
        return sorted(PurePosixPath(folder).name for folder in found)

    def _delete(self, folder: str) -> None:
        for objects in obstore.list(self._store, folder):
            obstore.delete(self._store, [found["path"] for found in objects])

    def _is_there(self, path: str) -> bool:
        try:
            obstore.head(self._store, path)
        except FileNotFoundError:
            return False
        return True

    def _read(self, path: str) -> bytes:
        return obstore.get(self._store, path).bytes().to_bytes()

    def _etags(self, paths: Iterable[str]) -> Mapping[str, str]:
        """The present tags of those of these objects that exist."""
        wanted = set(paths)
        return {
            found["path"]: found["e_tag"] or f"{found['size']} bytes of {found['last_modified']}"
            for objects in obstore.list(self._store)
            for found in objects
            if found["path"] in wanted
        }

    def _condition(self, path: str) -> "obstore.PutMode":
        """The condition that nobody else writes this object until then."""
        try:
            return _version_of(obstore.head(self._store, path))
        except FileNotFoundError:
            return "create"

    def _upload(self, root: Path, path: str, is_fixed: bool = False) -> None:
        obstore.put(self._store, path, root / path, attributes=_about(path, is_fixed))

    @contextmanager
    def _asked(self) -> Iterator[None]:
        try:
            yield
        except (OSError, BaseError) as error:
            raise BucketFailed(
                f"{self._uri} cannot be read or written: {_sentence(error)}; check its name and the"
                " credentials"
            ) from error


def _fixed(manifest: Manifest) -> Mapping[str, str]:
    """The path in a version that each fixed name is to point to."""
    of_additions = {file.path_in_version: file.path for file in manifest.fixed}
    return {DATABASE: manifest.database.path, **of_additions}


def _version_of(found: "obstore.ObjectMeta | obstore.PutResult") -> "obstore.UpdateVersion":
    """The condition that an object is still the one described here (RFC 9110, 13.1)."""
    known: obstore.UpdateVersion = {"e_tag": found["e_tag"]}
    if found["version"]:
        known["version"] = found["version"]
    return known


def _put(
    store: ObjectStore,
    path: str,
    content: bytes,
    mode: "obstore.PutMode",
    about: dict[str, str] | None = None,
) -> "obstore.UpdateVersion | None":
    """Put the object under the condition `mode`; None if it does not hold.

    The response to a first request may get lost, and the second be refused since the first
    succeeded: so an object with this content counts as put.
    """
    try:
        return _version_of(obstore.put(store, path, content, attributes=about, mode=mode))
    except (AlreadyExistsError, PreconditionError):
        found = obstore.get(store, path)
        return _version_of(found.meta) if found.bytes().to_bytes() == content else None


def _about(path: str, is_fixed: bool) -> dict[str, str]:
    """The headers with which the bucket serves an object; a copy has them too."""
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    # Caches must revalidate what has one path in all versions.
    return {"Content-Type": media_type} | ({"Cache-Control": "no-cache"} if is_fixed else {})


def _credentials(uri: str) -> Mapping[str, Any]:
    """Credentials by boto3, which also reads profiles, if it is installed and finds any."""
    if urlsplit(uri).scheme.lower() not in ("s3", "s3a") or not find_spec("boto3"):
        return {}
    from obstore.auth.boto3 import Boto3CredentialProvider

    try:
        return {"credential_provider": Boto3CredentialProvider()}
    except ValueError:  # it found none
        return {}


def _sentence(error: Exception) -> str:
    """The first line, and the code of the response; all else describes the request."""
    text = str(error)
    code = re.search(r"<Code>(\w+)</Code>", text)
    line = text.partition("\n")[0].partition(": <")[0].strip()
    return f"{line} ({code[1]})" if code else line

"""Manifest: what is in a published version, how far to trust it, and its hashes."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, fields
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from typing import Any, Self, TypeVar

import msgspec

from wholesale.errors import ConfigurationError
from wholesale_elt.models import Found
from wholesale_elt.runs import UnknownState, Verdict, is_newer, this_release

DATABASE = "wholesale.duckdb"
MANIFEST = "manifest.json"
CURRENT = "current.json"
ENTRY = "index.html"
DASHBOARD = "dashboard"
"""The folder of the dashboards of all versions; a web server may serve it as it is."""
CONTRACTS = "contracts"
"""The folder of data contracts, which a plug-in adds to a draft."""
M = TypeVar("M")


class Document:
    """How a manifest is written, and read."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self)
        return {name: found.pop(name) for name in ("version", "published_at")} | found

    def as_json(self) -> str:
        return msgspec.json.format(msgspec.json.encode(self.as_dict()), indent=2).decode() + "\n"

    @classmethod
    def of(cls, text: str | bytes) -> Self:
        """The inverse of `as_json`.

        Raises: ValueError if the text is no such manifest.
        """
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True)
class BuildFinding:
    """A test of the models that warns of `rows` rows of what was built; of some tests also of how
    many records these are, and of what amount."""

    test: str
    rows: int
    records: int | None = None
    amount: str | None = None

    def __str__(self) -> str:
        return f"{self.test}: {Found(self.rows, self.records, self.amount)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A build, and how far to trust it. Times are ISO 8601 in UTC.

    `verdict` is that of loading; `findings` are what tests warn of in what was built. `as_of` is
    the oldest of the moments as of which the resources were last proved complete, None
    if one never was. `reasons` say why, for each that is not complete. `source` identifies the
    service, and the part of it, without naming them. `only` is the part that all of it is of, such
    as `vendor=ID`; None is the whole account. No setting says what `unknown_states` mean.
    """

    source: str
    run_id: str | None
    as_of: str | None
    built_at: str
    verdict: Verdict
    reasons: Sequence[str]
    currency: str
    time_zone: str
    only: str | None = None
    findings: Sequence[BuildFinding] = ()
    unknown_states: Sequence[UnknownState] = ()

    @property
    def doubts(self) -> Sequence[str]:
        """What to know before one relies on a figure, a sentence each."""
        told = [f"the build warns: {', '.join(map(str, self.findings))}"] if self.findings else []
        return [*self.reasons, *told, *map(str, self.unknown_states)]

    @property
    def is_complete(self) -> bool:
        return self.verdict == "complete"


@dataclass(frozen=True, slots=True)
class File:
    """A file by its path within the published folder; `sha256` in hexadecimal."""

    path: str
    bytes: int
    sha256: str

    @property
    def path_in_version(self) -> str:
        """Of a file below `versions/<version>/`; at the top, it is a fixed name."""
        return PurePosixPath(*PurePosixPath(self.path).parts[2:]).as_posix()


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a version, by its published schema, and its Parquet file.

    `digest` is of the rows and columns, whatever their order: the sum of the rows' hashes, and how
    these are made. Tables that an earlier release published have none.
    """

    schema: str
    table: str
    rows: int
    path: str
    bytes: int
    sha256: str
    digest: str = ""

    @property
    def file(self) -> File:
        return File(self.path, self.bytes, self.sha256)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(Build, Document):
    """One version; `current.json` is the manifest of the one in force. Paths are as in `File`.

    `contracts` has a data contract for each schema. `additions` names what plug-ins added; those of
    their files that have a fixed name too, at the top of the folder, are `fixed`. `personal` are
    its columns that can identify a person, as `table.column`. `dashboard` is its page, one of the
    `dashboard_files`. `digests` are those of `meta.digests`, by `schema.table`. `made_with` is a
    digest of the code and of the settings that the files follow from, besides the tables.
    """

    version: str
    published_at: str
    software: str
    database: File
    tables: Sequence[PublishedTable]
    contracts: Sequence[File]
    personal: Sequence[str]
    made_with: str = ""
    dashboard: str
    dashboard_files: Sequence[File]
    additions: Sequence[str] = ()
    fixed: Sequence[File] = ()
    digests: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> Sequence[File]:
        """All files of the version except its manifest."""
        parquet = [table.file for table in self.tables]
        return [self.database, *parquet, *self.contracts, *self.fixed, *self.dashboard_files]

    def is_of(
        self,
        build: Build,
        schemas: Set[str],
        additions: Iterable[str],
        personal: Sequence[str],
        made_with: str,
    ) -> bool:
        """Whether these would publish the same files of that build."""
        return (
            all(getattr(self, field.name) == getattr(build, field.name) for field in fields(Build))
            and {table.schema for table in self.tables} == schemas
            and list(self.additions) == list(additions)
            and self.is_made_alike(personal, made_with)
        )

    def is_made_alike(self, personal: Sequence[str], made_with: str) -> bool:
        """Whether these would write the same files for the same tables."""
        return list(self.personal) == list(personal) and self.made_with == made_with


@dataclass(frozen=True, slots=True)
class Pruned:
    """Versions that were removed; and of those that would have been, the ones that stay for now,
    since somebody reads them, and that stay as they are pinned."""

    removed: Sequence[str]
    read: Sequence[str]
    pinned: Sequence[str] = ()


def current_in(folder: Path, read: Callable[[bytes], M]) -> M | None:
    """The manifest of the version in force; None if there is none, or `read` refuses it by a
    ValueError."""
    try:
        return read((folder / CURRENT).read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def outdated(versions: Iterable[str], keep: int, current: str | None) -> Sequence[str]:
    """All but the newest `keep` versions and the one in force, oldest first.

    Whatever seems newer than the one in force was published under a clock that was ahead: it is
    the first to go, and takes the place of none.
    """

    def age(version: str) -> tuple[bool, str]:
        return current is None or version <= current, version

    return [version for version in sorted(versions, key=age)[:-keep] if version != current]


class _Origin(msgspec.Struct):
    source: str
    software: str = ""

    def require_known(self) -> None:
        """Raises: ConfigurationError if a newer version of this package published."""
        version = self.software.rpartition(" ")[2]
        if version and is_newer(version):
            raise ConfigurationError(
                f"what is in force there was published by {self.software}, and this is"
                f" {this_release()}: install {version} or newer, or name another place"
            )


def source_of(manifests: Iterable[bytes]) -> str | None:
    """The service in the first of these manifests that can be read; None if there are none.

    Only two fields are read, which manifests of other releases have too.
    Raises: ConfigurationError if none of them can be read, or a newer version wrote.
    """
    found = None
    for found in manifests:
        with suppress(ValueError):
            origin = msgspec.json.decode(found, type=_Origin)
            origin.require_known()
            return origin.source
    if found is None:
        return None
    raise ConfigurationError(
        f"neither {CURRENT} there nor the manifest of any version can be read, so nobody knows"
        " which service those numbers are of: name another place, or remove them"
    )


def describe_file(root: Path, path: Path) -> File:
    """The file at `path`, by its path within `root`."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return File(path.relative_to(root).as_posix(), path.stat().st_size, digest)

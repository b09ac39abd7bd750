"""Manifest: what is in a published version, how far it may be trusted, its hashes."""

from collections.abc import Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, fields
from hashlib import file_digest
from pathlib import Path
from typing import Any, Self

import msgspec
from packaging.version import Version

from wholesale.errors import ConfigurationError
from wholesale_elt.runs import Verdict, this_version

DATABASE = "wholesale.duckdb"
MANIFEST = "manifest.json"
CURRENT = "current.json"
ENTRY = "index.html"
DASHBOARD = "dashboard"
"""The folder of the dashboards of all versions: what a web server may show, and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What is built, and how far it may be trusted. Times are ISO 8601 in UTC.

    `as_of` is the oldest of the moments as of which the resources were last proved complete, None
    when one never was; `reasons` say of each that is not complete why. `source` tells one
    service from another without naming it.
    """

    source: str
    run_id: str | None
    as_of: str | None
    built_at: str
    verdict: Verdict
    reasons: Sequence[str]
    currency: str
    time_zone: str

    @property
    def is_complete(self) -> bool:
        return self.verdict == "complete"


@dataclass(frozen=True, slots=True)
class File:
    """A file by its path within the published folder; `sha256` in hexadecimal."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a version, by the schema that it has there, and its Parquet file.

    `digest` is of the rows and columns, in whatever order the rows stand: the sum of their hashes,
    and how these are made. What an earlier release published has none.
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

    @property
    def total(self) -> int:
        """The sum of the hashes of its rows."""
        return int(self.digest.partition("-")[0] or "0", 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(Build):
    """One version; that of the version in force is `current.json`. Paths are as in `File`.

    `contracts` say of each schema what its tables promise. `personal` are the columns in it that
    can identify a person, as `table.column`. `dashboard` is its page, one of the `dashboard_files`.
    """

    version: str
    published_at: str
    software: str
    database: File
    tables: Sequence[PublishedTable]
    contracts: Sequence[File]
    personal: Sequence[str]
    dashboard: str
    dashboard_files: Sequence[File]

    @property
    def files(self) -> Sequence[File]:
        """All files of the version but its manifest."""
        parquet = [table.file for table in self.tables]
        return [self.database, *parquet, *self.contracts, *self.dashboard_files]

    def is_of(
        self, build: Build, schemas: Set[str], personal: Sequence[str], software: str
    ) -> bool:
        """Whether that software would make the same of that build."""
        return (
            all(getattr(self, field.name) == getattr(build, field.name) for field in fields(Build))
            and {table.schema for table in self.tables} == schemas
            and self.is_made_alike(personal, software)
        )

    def is_made_alike(self, personal: Sequence[str], software: str) -> bool:
        """Whether that software would make the same of the same tables."""
        return list(self.personal) == list(personal) and self.software == software

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self)
        return {name: found.pop(name) for name in ("version", "published_at")} | found

    def as_json(self) -> str:
        return msgspec.json.format(msgspec.json.encode(self.as_dict()), indent=2).decode() + "\n"

    @classmethod
    def of(cls, text: str | bytes) -> Self:
        """The manifest that `as_json` wrote.

        Raises: ValueError when the text is no manifest.
        """
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True)
class Pruned:
    """Versions that were removed, and those that were to be but are still read."""

    removed: Sequence[str]
    read: Sequence[str]


class _Origin(msgspec.Struct):
    source: str
    software: str = ""

    def require_known(self) -> None:
        """Raises: ConfigurationError where a newer version published, as what it keeps there is not
        known."""
        version = self.software.rpartition(" ")[2]
        if version and Version(version) > Version(this_version()):
            raise ConfigurationError(
                f"what is in force there was published by {self.software}, and this is"
                f" {this_version()}: install {version} or newer, or name another place"
            )


def source_of(manifests: Iterable[bytes]) -> str | None:
    """The service of the first of these manifests that can be read, None where there is none.

    All that is asked of a manifest are two fields, so that those of other releases tell them too.
    Raises: ConfigurationError when there are some, and none can be read; or a newer version wrote.
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
    """The file at `path` as it is, by its path within `root`."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return File(path.relative_to(root).as_posix(), path.stat().st_size, digest)

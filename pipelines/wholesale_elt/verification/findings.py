"""Findings: what differs, and which of its rows do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wholesale_elt.publish import File, describe_file

MOST_ROWS = 20
"""Of what differs, so many rows are told."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """What differs: a file, a table or a resource, the `buckets` of its digest that do, and some of
    the `row_count` rows that do.

    A row that was compared with another one has a `side`, `missing` or `added`. Else it is a
    record, by its `bucket` and key; the key is None where several records of a bucket differ, or
    one is gone.
    """

    what: str
    reason: str
    row_count: int = 0
    rows: Sequence[Row] = ()
    buckets: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at, and of which version. Nothing claims how the `unproved` should be."""

    version: str
    looked_at: str
    count: int
    findings: Sequence[Finding]
    unproved: Sequence[str] = ()


def is_right(published: Path, file: File) -> bool:
    """Whether a file of a version is as it was published."""
    path = published / file.path
    return path.exists() and describe_file(published, path) == file

"""Findings: what differs, and which of its rows do, as far as digests tell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from wholesale.compare import Digest, buckets_of, hash_key

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


def of_records(
    what: str,
    claimed: Digest,
    found: Digest,
    key: Sequence[str],
    stored: Iterable[tuple[pa.Table, Sequence[str]]],
) -> Finding | None:
    """What differs between two digests, of records with this `key`; None if nothing does.

    `stored` are all their rows, each batch with the columns in which it has the key.
    """
    buckets = found.differing(claimed)
    if not buckets:
        return None
    records: dict[int, Row] = {}
    for rows, columns in stored if key else ():
        keys = hash_key(rows, columns)
        is_named = found.named(claimed, keys)
        values = rows.select(columns).filter(pa.array(is_named)).rename_columns(list(key))
        places = map(int, buckets_of(keys[is_named]))
        records |= dict(zip(places, values.to_pylist(), strict=True))
    unknown: Row = dict.fromkeys(key)
    told = [{"bucket": bucket, **records.get(bucket, unknown)} for bucket in buckets]
    return Finding(what, "buckets differ", len(records), told[:MOST_ROWS], buckets)

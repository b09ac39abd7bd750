"""Records: which records of a table or resource differ, as far as digests tell."""

from collections.abc import Iterable, Sequence

import pyarrow as pa

from wholesale.compare import Digest, buckets_of, hash_key
from wholesale_elt.verification.findings import MOST_ROWS, Finding, Row


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

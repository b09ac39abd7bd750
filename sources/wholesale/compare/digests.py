"""Digests: two sums for each part of a set of records, so that what differs can be found.

The parts, buckets, are cut by a hash of the record's key. One sum is of the hashes of its rows, the
other of the same, each times the hash of its record's key; both modulo 2**32. Rows that came are
added, those that went are subtracted, in any order. Where two digests differ by one record of a
bucket, the second difference is the first one times the hash of its key: so it is known which one.

It shows what was changed by accident or by hand, not what somebody forged who knows how it is made.
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wholesale.compare.row_hashes import Hashes, hash_key, hash_stored

BITS = 6
BUCKETS = 2**BITS
MADE = "1-"
"""Begins a digest that is made so; one that is made otherwise cannot be compared with it."""
STORED = np.dtype("<u4")


def _nothing() -> Hashes:
    return np.zeros((2, BUCKETS), np.uint64)


@dataclass(frozen=True, slots=True)
class Digest:
    """The digest of a set of rows; at first of none."""

    sums: Hashes = field(default_factory=_nothing)

    @classmethod
    def of(cls, text: str | None) -> "Digest | None":
        """The inverse of `text`; None for what another release made in another way, and for what
        is none."""
        if not text or not text.startswith(MADE):
            return None
        try:
            sums = np.frombuffer(b64decode(text.removeprefix(MADE), validate=True), STORED)
            return cls(sums.astype(np.uint64).reshape(2, BUCKETS))
        except ValueError:
            return None

    @property
    def text(self) -> str:
        return MADE + b64encode(self.sums.astype(STORED).tobytes()).decode()

    def __add__(self, other: "Digest") -> "Digest":
        return Digest(self.sums + other.sums)

    def __sub__(self, other: "Digest") -> "Digest":
        return Digest(self.sums - other.sums)

    def differing(self, other: "Digest") -> list[int]:
        """The buckets that differ."""
        return [int(bucket) for bucket in np.flatnonzero((self - other).sums.astype(STORED).any(0))]

    def named(self, other: "Digest", keys: Hashes) -> NDArray[np.bool_]:
        """Which of these records, given by the hashes of their keys, are each the only one of its
        bucket that differs."""
        sums, weighted = (self - other).sums.astype(STORED)[:, buckets_of(keys)]
        found: NDArray[np.bool_] = (sums != 0) & (sums * keys.astype(STORED) == weighted)
        return found


def digest_of(rows: pa.Table, table: str, key: Sequence[str]) -> Digest:
    """The digest of these rows of a stored table; the columns `key` tell their records apart."""
    keys, hashes, digest = hash_key(rows, key), hash_stored(rows, table), Digest()
    buckets = buckets_of(keys)
    np.add.at(digest.sums[0], buckets, hashes)
    np.add.at(digest.sums[1], buckets, hashes * keys)
    return digest


def buckets_of(keys: Hashes) -> NDArray[np.intp]:
    """The bucket of each record, by the hash of its key."""
    return (keys >> np.uint64(64 - BITS)).astype(np.intp)

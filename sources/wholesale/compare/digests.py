"""Digests: one number for each part of a set of records, so that what differs can be found.

The parts are cut by a hash of the id, and the number of each is the sum of the hashes of its rows,
modulo 2**32: rows that came are added, those that went are subtracted, in any order. It shows what
was changed by accident or by hand, not what somebody forged who knows how it is made.
"""

from base64 import b64decode, b64encode
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wholesale.compare.row_hashes import Hashes, hash_stored, hash_texts

BUCKETS = 64
MADE = "1-"
"""Begins a digest that is made so; one that is made otherwise cannot be compared with it."""
STORED = "<u4"


def _nothing() -> Hashes:
    return np.zeros(BUCKETS, np.uint64)


@dataclass(frozen=True, slots=True)
class Digest:
    """The digest of a set of rows; at first of none."""

    sums: Hashes = field(default_factory=_nothing)

    @classmethod
    def of(cls, text: str | None) -> "Digest | None":
        """The inverse of `text`; None for what another release made in another way."""
        if not text or not text.startswith(MADE):
            return None
        return cls(np.frombuffer(b64decode(text.removeprefix(MADE)), STORED).astype(np.uint64))

    @property
    def text(self) -> str:
        return MADE + b64encode(self.sums.astype(STORED).tobytes()).decode()

    def __add__(self, other: "Digest") -> "Digest":
        return Digest(self.sums + other.sums)

    def __sub__(self, other: "Digest") -> "Digest":
        return Digest(self.sums - other.sums)

    def differing(self, other: "Digest") -> list[int]:
        """The buckets that differ."""
        return [int(bucket) for bucket in np.flatnonzero((self - other).sums.astype(STORED))]


def digest_of(rows: pa.Table, table: str, key: str) -> Digest:
    """The digest of these rows of a stored table; the column `key` has the ids of their records."""
    sums = _nothing()
    np.add.at(sums, buckets_of(rows, key), hash_stored(rows, table))
    return Digest(sums)


def buckets_of(rows: pa.Table, key: str) -> NDArray[np.intp]:
    """The bucket of each row, by the id of its record."""
    return (hash_texts(rows[key]) % np.uint64(BUCKETS)).astype(np.intp)

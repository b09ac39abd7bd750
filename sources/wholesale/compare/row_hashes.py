"""Row hashes: what a row holds as one number, so that a million are compared in little memory.

Two different rows have the same hash in one of 2**64 cases. Hashes are compared within one run
only, so they may be computed otherwise in the next version.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.tables import one_chunk

Hashes = NDArray[np.uint64]

NULL = np.uint64(0x9E3779B97F4A7C15)
"""Stands for a null: the golden ratio in 64 bits, a number that no value is likely to have."""
COLUMN_FACTOR = np.uint64(0xD6E8FEB86659FD93)
"""Odd, so that the product with it, modulo 2**64, loses no bit."""
SPLITMIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
SEED = 56


def hash_rows(rows: pa.Table, columns: Sequence[str]) -> Hashes:
    """One hash a row, of its values in these columns together, nulls included.

    A polynomial of the columns' hashes (Horner's rule, modulo 2**64), so that their order counts.
    """
    total = np.zeros(len(rows), np.uint64)
    for name in columns:
        total = total * COLUMN_FACTOR + _mix(_values(one_chunk(rows[name])))
    return _mix(total)


def _values(column: pa.Array) -> Hashes:
    if pa.types.is_string(column.type):
        values = _texts(column)
    elif pa.types.is_decimal(column.type):
        words = np.frombuffer(column.buffers()[1], np.uint64).reshape(-1, 2)
        words = words[column.offset : column.offset + len(column)]
        values = _mix(words[:, 0]) + words[:, 1]
    else:
        whole = pc.fill_null(column.cast(pa.int64()), 0)
        values = whole.to_numpy(zero_copy_only=False).view(np.uint64)
    if column.null_count:
        values = np.where(pc.is_valid(column).to_numpy(zero_copy_only=False), values, NULL)
    return values


def _texts(column: pa.Array) -> Hashes:
    """Multilinear hash of each text: each byte times a random number that belongs to its place in
    the text, summed up modulo 2**64, and the length.

    The sum of one text is the difference of two sums over all of them, so no text is a loop.
    """
    _, offsets_buffer, data = column.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int32)[
        column.offset : column.offset + len(column) + 1
    ].astype(np.int64)
    lengths = np.diff(offsets)
    if not lengths.any():
        return np.zeros(len(column), np.uint64)
    text = np.frombuffer(data, np.uint8)[offsets[0] : offsets[-1]]
    places = np.arange(len(text)) - np.repeat(offsets[:-1] - offsets[0], lengths)
    factors = np.random.default_rng(SEED).integers(
        0, 2**64, size=int(lengths.max()), dtype=np.uint64
    )
    running = np.zeros(len(text) + 1, np.uint64)
    np.cumsum((text.astype(np.uint64) + np.uint64(1)) * factors[places], out=running[1:])
    ends = offsets - offsets[0]
    sums: Hashes = running[ends[1:]] - running[ends[:-1]] + lengths.view(np.uint64)
    return sums


def _mix(values: Hashes) -> Hashes:
    """The finalizer of SplitMix64: every bit of a value is spread over all bits of the result."""
    values = (values ^ (values >> np.uint64(30))) * SPLITMIX[0]
    values = (values ^ (values >> np.uint64(27))) * SPLITMIX[1]
    return values ^ (values >> np.uint64(31))

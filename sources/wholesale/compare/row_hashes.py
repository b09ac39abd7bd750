"""Row hashes: one 64-bit number for the values of a row, so that a million rows fit in memory.

Each value is hashed with the name of its column, and the hash of a row is their sum, modulo 2**64:
the order of columns does not matter, and a null counts like a missing column. Two different rows
have the same hash with a probability of 2**-64. Digests are made of hashes and stored: who changes
how a hash is computed changes `digests.MADE`.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.names import EXTRA
from wholesale.tables import Decoded, Keys, TableShape, column_name, one_chunk

Hashes = NDArray[np.uint64]

SPLITMIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
WORD = 8
"""Bytes of a text that are hashed at once."""
FEW = 64
"""As many texts at most are hashed one by one, which takes as long for a text as for all."""
_LEFT = np.array([2 ** (8 * count) - 1 for count in range(WORD + 1)], np.uint64)
"""Masks of the bytes of a word that belong to a text with so many bytes left."""


def hash_rows(rows: pa.Table, columns: Iterable[str]) -> Hashes:
    """One hash a row, of its values in these columns; columns that the table lacks do not count."""
    total = np.zeros(len(rows), np.uint64)
    for name in columns:
        if name in rows.column_names:
            total += _of_column(one_chunk(rows[name]), _salt(name))
    return total


def hash_values(rows: pa.Table, columns: Collection[str], found: Iterable[str] = ()) -> Hashes:
    """The same, also of the values of these columns that did not fit; of `found` only those that
    did."""
    return hash_rows(rows, (*columns, *found)) + hash_extra(rows, columns)


def hash_all(hashes: Sequence[Hashes]) -> str:
    """One hash of a set of rows, given their hashes in any order."""
    total = np.sort(np.concatenate([*hashes, np.zeros(0, np.uint64)]))
    return sha256(total.tobytes()).hexdigest()


def hash_extra(rows: pa.Table, columns: Collection[str]) -> Hashes:
    """One hash a row, of the values of these columns that its `_extra` keeps as they were sent.

    A value under another spelling of a column (`subTotal`) is that column's only where the column
    has no value under its own name.
    """
    extra = rows[EXTRA]
    hashes = np.zeros(len(extra), np.uint64)
    if extra.null_count == len(extra):
        return hashes
    for place, text in enumerate(extra.to_pylist()):
        beside = json.loads(text or "{}")
        for name, value in beside.items():
            column = column_name(name)
            if column not in columns:
                continue
            if name == column or not (column in beside or _has_value(rows, column, place)):
                hashes[place : place + 1] += _salt(f"{column}={value}")
    return hashes


def hash_records(decoded: Decoded) -> Hashes:
    """One hash a record, of all its columns and of its children in any order."""
    total = hash_rows(decoded.root, decoded.root.column_names)
    for child in decoded.shape.children:
        owners = decoded.owners[child.table].to_numpy(zero_copy_only=False)
        np.add.at(total, owners, hash_entries(decoded.tables[child.table], child))
    return total


def hash_entries(entries: pa.Table, child: TableShape) -> Hashes:
    """One hash a row of a child table; its place in the list does not count."""
    columns = [name for name in entries.column_names if name != child.number]
    return _mix(hash_rows(entries, columns) ^ _salt(child.table))


def hash_stored(rows: pa.Table, table: str) -> Hashes:
    """One hash a row of a stored table, of all its columns as they are."""
    return _mix(hash_rows(rows, rows.column_names) ^ _salt(table))


def hash_key(rows: pa.Table, columns: Sequence[str]) -> Hashes:
    """One hash a row, of its key: the values of these columns, whatever they are called."""
    total = np.zeros(len(rows), np.uint64)
    for place, name in enumerate(columns):
        total += _of_column(one_chunk(rows[name]), _salt(f"key {place}"))
    return _mix(total)


def combine(keys: Keys, hashes: Hashes) -> int:
    """One number for a set of records and their hashes, in any order; xor combines two sets."""
    words = np.ascontiguousarray(keys).view(np.uint64).reshape(-1, 2)
    mixed = _mix(_mix(_mix(words[:, 0]) + words[:, 1]) ^ hashes)
    return int(np.bitwise_xor.reduce(mixed, initial=np.uint64(0)))


def _has_value(rows: pa.Table, column: str, place: int) -> bool:
    return column in rows.column_names and bool(rows[column][place].is_valid)


@lru_cache(2**10)
def _salt(name: str) -> np.uint64:
    """A number for the name of a column, or another short text."""
    return np.uint64(int.from_bytes(blake2b(name.encode(), digest_size=8).digest()))


def _of_column(column: pa.Array, salt: np.uint64) -> Hashes:
    if column.null_count == len(column):
        return np.zeros(len(column), np.uint64)
    hashes = _mix(_values(column) ^ salt)
    if column.null_count:
        hashes[pc.is_null(column).to_numpy(zero_copy_only=False)] = 0
    return hashes


def _values(column: pa.Array) -> Hashes:
    if pa.types.is_string(column.type):
        return _texts(column)
    if pa.types.is_decimal(column.type):
        words = np.frombuffer(column.buffers()[1], np.uint64).reshape(-1, 2)
        words = words[column.offset : column.offset + len(column)]
        return _mix(words[:, 0]) + words[:, 1]
    whole = pc.fill_null(column.cast(pa.int64()), 0)
    values: Hashes = whole.to_numpy(zero_copy_only=False).view(np.uint64)
    return values


def _texts(column: pa.Array) -> Hashes:
    """One hash a text, computed eight bytes at a time for all texts at once.

    `words` views the data as an 8-byte word starting at every byte, so that no text needs a loop.
    """
    _, offsets_buffer, data = column.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int32)[column.offset :][: len(column) + 1]
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    hashes = _mix(lengths.astype(np.uint64))  # mixed: the first word of a text must not cancel it
    text = bytes(memoryview(data)[offsets[0] : offsets[-1]] if data else b"") + bytes(WORD)
    words = np.ndarray((len(text) - WORD + 1,), "<u8", text, strides=(1,))
    longer: slice | NDArray[np.intp] = slice(None)
    longest = int(lengths.max(initial=0))
    are_equal = bool((lengths == longest).all())
    for done in range(0, longest, WORD):
        is_longer = lengths[longer] > done
        if not is_longer.all():
            longer = np.flatnonzero(lengths > done)
        if len(hashes[longer]) <= FEW:
            whole = memoryview(text)
            for place in np.flatnonzero(lengths > done):
                rest = whole[starts[place] + done : starts[place] + lengths[place]]
                hashes[place] = _with_rest(int(hashes[place]), rest)
            break
        if are_equal:  # as those of GUIDs
            taken = words[done::longest][: len(lengths)].copy()
        else:
            taken = words[starts[longer] + done]
        left = lengths[longer] - done
        if (left < WORD).any():
            taken &= _LEFT[np.minimum(left, WORD)]
        taken ^= hashes[longer]
        taken *= SPLITMIX[0]
        taken ^= taken >> np.uint64(32)
        hashes[longer] = taken
    return hashes


def _with_rest(hash_: int, rest: memoryview) -> int:
    """The hash of a text that has this hash up to its rest: the same steps, without numpy."""
    factor, most = int(SPLITMIX[0]), 2**64 - 1
    whole = len(rest) // WORD * WORD
    last = [int.from_bytes(rest[whole:], "little")] if whole < len(rest) else []
    for word in chain(rest[:whole].cast("Q"), last):
        hash_ = (hash_ ^ word) * factor & most
        hash_ ^= hash_ >> 32
    return hash_


def _mix(values: Hashes) -> Hashes:
    """The finalizer of SplitMix64: every bit of a value is spread over all bits of the result."""
    values = (values ^ (values >> np.uint64(30))) * SPLITMIX[0]
    values = (values ^ (values >> np.uint64(27))) * SPLITMIX[1]
    return values ^ (values >> np.uint64(31))

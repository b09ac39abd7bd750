"""Ids: packed into sixteen bytes each, and unpacked to text.

A GUID, which the description promises for most resources (§2), is packed by its digits. However a
service spells it, it is small letters with dashes here. Any other id is represented by sixteen
bytes of its BLAKE2b digest (RFC 7693); its text is kept beside the keys.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.api import DIGITS_WITH_DASHES, GUID

Keys = NDArray[np.bytes_]
"""One `S16` an id; two are equal exactly when the ids are."""
Mask = NDArray[np.bool_]

KEY = np.dtype("S16")
GUID_LENGTH, GUID_DIGITS = 36, 32
DASHES = [8, 13, 18, 23]
DIGITS = [place for place in range(GUID_LENGTH) if place not in DASHES]
NO_DIGIT = 255


def _digit_values() -> NDArray[np.uint8]:
    values = np.full(256, NO_DIGIT, np.uint8)
    for value, character in enumerate(b"0123456789abcdef"):
        values[character] = value  # lower case only: ids are compared as they are written
    return values


DIGIT_VALUES = _digit_values()


@dataclass(frozen=True, slots=True)
class Ids:
    """Packed ids in the order of their rows; `others` has the text of those that are no GUIDs."""

    keys: Keys
    others: Mapping[bytes, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, where: NDArray[np.intp] | Mask) -> "Ids":
        """The ids at these places, or where the mask is true."""
        return Ids(self.keys[where], self.others)

    def texts(self) -> Iterator[str]:
        """The ids, one by one."""
        for key in self.keys.view("V16"):
            packed = bytes(key)
            other = self.others.get(packed) if self.others else None
            yield str(UUID(bytes=packed)) if other is None else other


def pack(ids: pa.Array | pa.ChunkedArray) -> Ids:
    """The packed ids of a text column without nulls, in its order."""
    ids = with_plain_guids(ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids)
    keys, is_guid = _guid_keys(ids)
    if is_guid.all():
        return Ids(keys)
    others: dict[bytes, str] = {}
    for place in np.flatnonzero(~is_guid):
        text = ids[int(place)].as_py()
        keys[place] = packed = blake2b(text.encode(), digest_size=16).digest()
        others[packed] = text
    return Ids(keys, others)


def keys_of(ids: pa.Array | pa.ChunkedArray) -> Keys:
    """The packed ids alone, without the texts of those that are no GUIDs."""
    return pack(ids).keys


def keys_of_texts(ids: Iterable[str]) -> Keys:
    """The packed ids of these texts, in their order."""
    return keys_of(pa.array(list(ids), pa.string()))


def with_plain_guids(ids: pa.Array) -> pa.Array:
    """These texts; the GUIDs among them spelled plainly, any other text as it is, null too."""
    ends = pc.min_max(pc.binary_length(ids)).as_py()
    is_short = (ends["max"] or 0) < GUID_DIGITS
    if is_short or (set(ends.values()) == {GUID_LENGTH} and pc.ascii_lower(ids).equals(ids)):
        return ids  # as most are, and none is looked at one by one
    coded = ids.dictionary_encode()
    texts = coded.dictionary
    plain = pc.replace_substring_regex(pc.utf8_lower(texts), f"^{GUID}$", DIGITS_WITH_DASHES)
    return pc.take(pc.if_else(pa.array(_guid_keys(plain)[1]), plain, texts), coded.indices)


def in_order(ids: Iterable[str]) -> Keys:
    """The keys of these ids, sorted."""
    keys = keys_of_texts(ids)
    return keys[order_of(keys)]


def order_of(keys: Keys) -> NDArray[np.intp]:
    """The places of these keys, sorted; equal keys stay in their order.

    They are sorted by their heads, and by whole keys only where several have the same head.
    """
    heads = _heads(keys)
    order = np.argsort(heads, kind="stable")
    heads = heads[order]
    return np.argsort(keys, kind="stable") if (heads[1:] == heads[:-1]).any() else order


def concat(parts: list[Ids]) -> Ids:
    """All parts, in order."""
    others = {key: text for part in parts for key, text in part.others.items()}
    return Ids(np.concatenate([np.empty(0, KEY), *(part.keys for part in parts)]), others)


def are_distinct(keys: Keys) -> bool:
    """Whether no key comes twice."""
    heads = np.sort(_heads(keys))
    if (heads[1:] != heads[:-1]).all():
        return True
    in_order = np.sort(keys)
    return bool((in_order[1:] != in_order[:-1]).all())


def find(sorted_keys: Keys, keys: Keys) -> tuple[NDArray[np.intp], Mask]:
    """For each key its place in `sorted_keys`, and whether it is there at all.

    A binary search by the heads of the keys, in their order as neighbours are found in the same
    part of memory; then by whole keys where several have the same head.
    """
    if not len(sorted_keys):
        return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
    heads, wanted = _heads(sorted_keys), _heads(keys)
    order, places = np.argsort(wanted), np.empty(len(wanted), np.intp)
    places[order] = np.searchsorted(heads, wanted[order])
    places[places == len(sorted_keys)] = 0
    is_here = sorted_keys[places] == keys
    is_behind = ~is_here & (heads[places] == wanted)
    if is_behind.any():  # several keys have the same head
        places[is_behind] = np.searchsorted(sorted_keys, keys[is_behind])
        places[places == len(sorted_keys)] = 0
        is_here = sorted_keys[places] == keys
    return places, is_here


def _heads(keys: Keys) -> NDArray[np.uint64]:
    """The first eight bytes of each key, as numbers that sort like the keys: searching numbers
    takes a sixth of the time, sorting them less than that.

    Each key is viewed as two big-endian words, of which the first is its head.
    """
    return np.ascontiguousarray(keys).view(">u8")[::2].astype(np.uint64)


def _guid_keys(ids: pa.Array) -> tuple[Keys, Mask]:
    """The keys of ids that are GUIDs in lower case, and a mask of those ids."""
    has_length = pc.equal(pc.binary_length(ids), GUID_LENGTH).to_numpy(zero_copy_only=False)
    candidates = ids if has_length.all() else ids.filter(pa.array(has_length))
    keys = np.zeros(len(ids), KEY)
    is_guid = has_length.astype(np.bool_)
    if not len(candidates):
        return keys, is_guid
    text = _characters(candidates)
    digits = DIGIT_VALUES[text[:, DIGITS]]
    fits = (digits != NO_DIGIT).all(axis=1) & (text[:, DASHES] == ord("-")).all(axis=1)
    packed = np.ascontiguousarray((digits[:, 0::2] << 4) | digits[:, 1::2])
    keys[is_guid] = packed.view(KEY).ravel()
    is_guid[is_guid] = fits
    return keys, is_guid


def _characters(ids: pa.Array) -> NDArray[np.uint8]:
    """One row of bytes an id, all of the same length."""
    _, offsets, data = ids.buffers()
    start = int(np.frombuffer(offsets, np.int32)[ids.offset])
    flat = np.frombuffer(data, np.uint8)[start : start + len(ids) * GUID_LENGTH]
    return flat.reshape(len(ids), GUID_LENGTH)

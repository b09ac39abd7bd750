"""Erased: who was erased, recognised by hashes of their ids, names and contacts."""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.privacy.folding import SIGN, contact_forms, contacts_within, fold

ErasedKind = Literal["buyer", "person", "contact", "name"]
"""A buyer with all its people, one person, an e-mail address or phone number, and a name at one
buyer: others may have the same name elsewhere."""
SEPARATOR = "\n"
"""Between the id of a buyer and a name: no id has one (`ACCEPTED_IDS`)."""


@dataclass(frozen=True)
class Erased:
    """The hashes of each kind, made with the `salt` of one warehouse."""

    salt: bytes = field(default=b"", repr=False)
    hashes: Mapping[ErasedKind, frozenset[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.hashes.values())

    def hash(self, kind: ErasedKind, value: str) -> str:
        """HMAC-SHA-256 (RFC 2104) of kind and value, so that kinds share no hash."""
        return hmac.digest(self.salt, f"{kind}:{value}".encode(), "sha256").hex()

    def adding(self, kind: ErasedKind, values: Iterable[str]) -> "Erased":
        """These hashes, and those of all forms of these values."""
        known: Collection[str] = self.hashes.get(kind, ())
        fresh = frozenset(self.hash(kind, form) for value in values for form in _forms(kind, value))
        return Erased(self.salt, {**self.hashes, kind: fresh.union(known)})

    def adding_name(self, buyer: str, name: str) -> "Erased":
        """These hashes, and that of a person's name at that buyer."""
        return self.adding("name", [f"{buyer}{SEPARATOR}{name}"])

    def find_name(self, buyers: pa.ChunkedArray, names: pa.ChunkedArray) -> pa.Array | None:
        """Which rows have an erased name of their buyer; None if no row has."""
        if not self.hashes.get("name"):
            return None
        return self.find("name", pc.binary_join_element_wise(buyers, names, SEPARATOR))

    def among(self, kind: ErasedKind, values: Iterable[str | None]) -> Sequence[str]:
        """Which of these values were erased, in any form, or as they are: earlier releases noted
        values as they were."""
        hashes = self.hashes.get(kind, frozenset())
        return [
            value
            for value in values
            if value and any(self.hash(kind, form) in hashes for form in _spelled(kind, value))
        ]

    def naming(self, texts: pa.Array | pa.ChunkedArray) -> Sequence[str]:
        """Which of these texts, which may be of anything, have an erased contact anywhere."""
        hashes = self.hashes.get("contact", frozenset())
        if not hashes:
            return []
        may_have = pc.fill_null(pc.match_substring_regex(texts, SIGN), False)
        return [
            text
            for text in pc.unique(pc.filter(texts, may_have)).to_pylist()
            if any(self.hash("contact", form) in hashes for form in {text, *contacts_within(text)})
        ]

    def find_naming(self, column: pa.ChunkedArray) -> pa.Array | None:
        """Which rows of a column for anything have an erased contact; None if no row has."""
        if not pa.types.is_string(column.type):
            return None
        return _which(column, self.naming(column))

    def find(self, kind: ErasedKind, column: pa.ChunkedArray) -> pa.Array | None:
        """Which rows have an erased value of that kind; None if no row has."""
        if not self.hashes.get(kind) or not pa.types.is_string(column.type):
            return None
        return _which(column, self.among(kind, pc.unique(column).to_pylist()))


NOBODY = Erased()
"""Nobody was erased."""


def _which(column: pa.ChunkedArray, texts: Sequence[str]) -> pa.Array | None:
    """Which rows have one of these texts; None if there are none."""
    if not texts:
        return None
    return pc.is_in(column, value_set=pa.array(texts, column.type)).combine_chunks()


def _forms(kind: ErasedKind, value: str) -> Collection[str]:
    """The forms by which a value is recognised, whatever its spelling."""
    if kind == "contact":
        return contact_forms(value)
    if kind == "name":
        buyer, _, name = value.partition(SEPARATOR)
        return (f"{buyer}{SEPARATOR}{fold(name)}",)
    return (value,)


def _spelled(kind: ErasedKind, value: str) -> Collection[str]:
    return {value, *_forms(kind, value)}

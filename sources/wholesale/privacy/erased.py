"""Erased: who was erased, recognised by hashes of their ids, names and contacts."""

import hmac
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.api import plain_guid

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
        """HMAC-SHA-256 (RFC 2104) of kind and value, so that kinds share no hash. That of an id is
        the same in every spelling of a GUID."""
        key, *name = value.split(SEPARATOR)
        message = f"{kind}:{SEPARATOR.join([plain_guid(key) or key, *name])}"
        return hmac.digest(self.salt, message.encode(), "sha256").hex()

    def adding(self, kind: ErasedKind, values: Iterable[str]) -> "Erased":
        """These hashes, and those of these values."""
        known: Collection[str] = self.hashes.get(kind, ())
        fresh = frozenset(self.hash(kind, value) for value in values)
        return Erased(self.salt, {**self.hashes, kind: fresh.union(known)})

    def adding_name(self, buyer: str, name: str) -> "Erased":
        """These hashes, and that of a person's name at that buyer."""
        return self.adding("name", [f"{buyer}{SEPARATOR}{name}"])

    def find_name(self, buyers: pa.ChunkedArray, names: pa.ChunkedArray) -> pa.Array | None:
        """Which rows have an erased name of their buyer; None if no row has."""
        if not self.hashes.get("name"):
            return None
        return self.find("name", pc.binary_join_element_wise(buyers, names, SEPARATOR))

    def find(self, kind: ErasedKind, column: pa.ChunkedArray) -> pa.Array | None:
        """Which rows have an erased value of that kind; None if no row has."""
        hashes = self.hashes.get(kind)
        if not hashes:
            return None
        found = [
            value
            for value in pc.unique(column).to_pylist()
            if value is not None and self.hash(kind, value) in hashes
        ]
        if not found:
            return None
        return pc.is_in(column, value_set=pa.array(found, column.type)).combine_chunks()


NOBODY = Erased()
"""Nobody was erased."""

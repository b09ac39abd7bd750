"""Manifest: what is in a batch, of which version, and the hash of the manifest before it."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Self

import msgspec

from wholesale_books.handover.batches.content import Columns
from wholesale_books.handover.settings import Filter, Format
from wholesale_elt.publish import File

MANIFEST = "manifest.json"


class BatchManifest(msgspec.Struct, frozen=True, kw_only=True):
    """A batch: `number` counts from 1 without a gap, and `previous` is the SHA-256 of the manifest
    of the batch before it, empty in the first. `replaces` are those of the manifests that this
    batch had before an erasure or a stricter policy took values out of it (`rewritten`). `counts`
    are records by kind; `why` those that changed for another reason than their content, or came
    and went by the filter. Paths of `files` are within the folder of the batch."""

    receiver: str
    number: int
    previous: str
    made_at: str
    source: str
    only: str | None
    version: str
    as_of: str
    currency: str
    time_zone: str
    filter: Filter
    format: Format
    records: int
    counts: Mapping[str, int]
    why: Mapping[str, int]
    schema: Columns
    personal: Sequence[str]
    files: Sequence[File]
    replaces: Sequence[str] = ()
    rewritten: Sequence[str] = ()

    def as_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @property
    def sha256(self) -> str:
        return sha256(self.as_json()).hexdigest()

    @classmethod
    def of(cls, text: bytes) -> Self:
        """Raises: ValueError for what is no such manifest."""
        return msgspec.json.decode(text, type=cls)

    def replaced(self, why: str = "", **changes: object) -> Self:
        """This batch with these changes, which says what it replaces."""
        return msgspec.structs.replace(
            self,
            replaces=[*self.replaces, self.sha256],
            rewritten=[*self.rewritten, *([why] if why else [])],
            **changes,
        )

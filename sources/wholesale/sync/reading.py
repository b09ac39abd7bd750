"""Reading: what the parts of one reading of one resource share."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
import pyarrow as pa

from wholesale.api import Resource, plain_guid
from wholesale.compare import Ledger, Stored
from wholesale.errors import ContentError, ServiceError, Unavailable
from wholesale.json import RawPage
from wholesale.pages import Fetcher
from wholesale.sync.batches import BatchDecoder
from wholesale.sync.report import Report
from wholesale.tables import KEY, Decoded, Ids, Keys, keys_of

log = logging.getLogger("wholesale.reader")

MANY_UNREAD = 10
"""If so many records cannot be read, and most of those that were asked for, no more are asked for
one by one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one resource in one run.

    - `is_full`: every record is read and passed on, changed or not.
    - `unread`: why a record cannot be read by its id, though the service answers otherwise; by the
      key of the record. It is not asked for again in this run.
    - `parents`: the ids of parents as their own list spells them, by their plain spelling: a child
      may spell the id of its parent otherwise.
    """

    resource: Resource
    fetcher: Fetcher
    decoder: BatchDecoder
    stored: Stored
    ledger: Ledger
    report: Report
    is_full: bool = False
    unread: dict[bytes, str] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str | None:
        """The column that tells the newer of two states."""
        return self.resource.version.value

    @property
    def has_summaries(self) -> bool:
        """Whether the list shows records in short (§2.4)."""
        return bool(self.resource.summary)

    @property
    def query(self) -> tuple[tuple[str, str], ...]:
        """What the list is asked for: summaries where it has them."""
        return self.resource.summary_query if self.has_summaries else self.resource.query

    def ids(self, keys: Keys) -> Ids:
        """The ids of these records, with their text."""
        return Ids(keys, self.decoder.texts)

    @property
    def unread_keys(self) -> Keys:
        """The keys of `unread`, in order."""
        return np.sort(np.array(list(self.unread), KEY))

    def page(self, index: int, *, is_summary: bool = False) -> Decoded:
        """A page of the list, by summaries or in full; the ledger is not told of it."""
        query = self.query if is_summary else self.resource.query
        raw = RawPage(self.fetcher.page(index, query).records)
        return self.decoder.decode_page(raw, is_summary=is_summary)

    def singles(self, keys: Keys, denied: list[Keys] | None = None) -> Iterator[Decoded]:
        """Each of these records by itself, in batches; keys that the service denies (404) are added
        to `denied`, and those that cannot be read to `unread`."""
        keys = keys[~np.isin(keys, self.unread_keys)]
        parents = map(self._as_listed, self.stored.parents_of(keys))
        return self._singles(keys, parents, [] if denied is None else denied)

    def singles_of(self, listed: Decoded) -> Iterator[Decoded]:
        """Each of these records by itself, as `singles`: below the parent in whose list it was
        found, if there is one."""
        parent = self.resource.parent
        parents = listed.root[parent.column].to_pylist() if parent else repeat(None)
        return self._singles(listed.ids.keys, map(self._as_listed, parents), [])

    def tolerate(self, failure: ServiceError) -> None:
        """Log this failure and go on, if the service still answers other requests.

        Raises: `failure`, if it does not.
        """
        if isinstance(failure, (Unavailable, ContentError)) and not self.fetcher.is_answering():
            raise failure
        log.warning("%s: %s", self.resource.name, failure)

    def _as_listed(self, parent: str | None) -> str | None:
        return parent and self.parents.get(plain_guid(parent) or parent, parent)

    def _singles(
        self, keys: Keys, parents: Iterable[str | None], denied: list[Keys]
    ) -> Iterator[Decoded]:
        return self.decoder.decode(self._pages_of(keys, parents, denied))

    def _pages_of(
        self, keys: Keys, parents: Iterable[str | None], denied: list[Keys]
    ) -> Iterator[RawPage]:
        asked = zip(self.ids(keys).texts(), parents, strict=False)
        failed = 0
        for place, (record_id, found) in enumerate(self.fetcher.records(asked)):
            if isinstance(found, RawPage):
                yield found
                continue
            key = keys_of(pa.array([record_id]))
            if found is None:
                denied.append(key)
                continue
            self.tolerate(found)
            self.unread.update(dict.fromkeys(key.tolist(), str(found)))
            failed += 1
            if failed >= MANY_UNREAD and failed > place // 2:
                return

"""Reading: what the parts of one reading of one resource share."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from wholesale.api import Resource, ServiceProfile
from wholesale.compare import Ledger, Stored
from wholesale.errors import ContentError, NoRecords, ServiceError, Unavailable, counted, listed
from wholesale.json import RawPage
from wholesale.pages import Fetcher, Key
from wholesale.sync.batches import BatchDecoder
from wholesale.sync.report import Report
from wholesale.tables import KEY, Decoded, Ids, Keys, keys_of_texts

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
    """

    resource: Resource
    fetcher: Fetcher
    decoder: BatchDecoder
    stored: Stored
    ledger: Ledger
    report: Report
    is_full: bool = False
    unread: dict[bytes, str] = field(default_factory=dict)

    @property
    def profile(self) -> ServiceProfile:
        """What is known of the service."""
        return self.fetcher.service.profile

    @property
    def version(self) -> str | None:
        """The column that tells the newer of two states."""
        return self.resource.version.value

    @property
    def has_summaries(self) -> bool:
        """Whether the list shows records in short (§2.4)."""
        return bool(self.resource.summary)

    @property
    def is_list_short(self) -> bool:
        """Whether the list does not show all of its records, which are asked for one by one."""
        return self.resource.name in self.profile.lists_in_short

    @property
    def page_size(self) -> int:
        """How many full records to ask for per page."""
        return self.fetcher.service.page_size(self.resource)

    @property
    def query(self) -> tuple[tuple[str, str], ...]:
        """What the list is asked for: summaries where it has them."""
        return self.resource.summary_query if self.has_summaries else self.resource.query

    def ids(self, keys: Keys) -> Ids:
        """The ids of these records, with their text."""
        return Ids(keys, self.decoder.texts)

    def twice(self, repeated: Keys, contradicted: Keys) -> Iterator[str]:
        """What speaks against a list in which these records came again, and those of them with
        other content."""
        if len(contradicted):
            yield (
                f"{counted(len(contradicted), 'id')} with several contents, of which nothing tells"
                f" the newer one: {listed(list(self.ids(contradicted).texts()))}: ask whoever runs"
                " the service"
            )
        same = list(self.ids(np.setdiff1d(repeated, contradicted)).texts())
        if same:
            yield f"{counted(len(same), 'record')} listed more than once: {listed(same)}"

    @property
    def unread_keys(self) -> Keys:
        """The keys of `unread`, in order."""
        return np.sort(np.array(list(self.unread), KEY))

    def singles(self, keys: Keys, not_found: list[Keys] | None = None) -> Iterator[Decoded]:
        """Each of these records by itself, in batches; keys that the service answers with 404 are
        added to `not_found`, and those that cannot be read to `unread`."""
        keys = keys[~np.isin(keys, self.unread_keys)]
        parents = self.stored.parents_of(keys)
        return self._singles(keys, parents, [] if not_found is None else not_found)

    def singles_of(self, listed: Decoded) -> Iterator[Decoded]:
        """Each of these records by itself, as `singles`: below the parent in whose list it was
        found, if there is one."""
        parent = self.resource.parent
        parents = listed.root[parent.column].to_pylist() if parent else repeat(None)
        return self._singles(listed.ids.keys, parents, [])

    def tolerate(self, failure: ServiceError) -> None:
        """Log this failure and go on, if the service still answers other requests.

        Raises: `failure`, if it does not.
        """
        is_answer = isinstance(failure, NoRecords)
        if isinstance(failure, (Unavailable, ContentError)) and not (
            is_answer or self.fetcher.is_answering()
        ):
            raise failure
        log.warning("%s: %s", self.resource.name, failure)

    def _singles(
        self, keys: Keys, parents: Iterable[str | None], not_found: list[Keys]
    ) -> Iterator[Decoded]:
        return self.decoder.decode(self._pages_of(keys, parents, not_found))

    def _pages_of(
        self, keys: Keys, parents: Iterable[str | None], not_found: list[Keys]
    ) -> Iterator[RawPage]:
        ids = self.ids(keys).texts()
        asked = (Key(id, of) for id, of in zip(ids, parents, strict=False))
        failed = 0
        for place, (record_id, found) in enumerate(self.fetcher.records(asked)):
            if isinstance(found, RawPage):
                yield found
                continue
            key = keys_of_texts([record_id])
            if found is None:
                not_found.append(key)
                continue
            self.tolerate(found)
            self.unread.update(dict.fromkeys(key.tolist(), str(found)))
            failed += 1
            if failed >= MANY_UNREAD and failed > place // 2:
                return

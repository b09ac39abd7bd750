"""Reading: what the parts of one reading of one resource share."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from wholesale.api import Resource, ServiceProfile
from wholesale.compare import NOTHING, Ledger, Stored
from wholesale.errors import ContentError, NoRecords, ServiceError, Unavailable, counted, listed
from wholesale.expect import Expectation
from wholesale.http import Traffic
from wholesale.pages import Fetcher, Service
from wholesale.privacy import STORE_ALL, Masking
from wholesale.sync.batches import BatchDecoder
from wholesale.sync.doubts import Doubts
from wholesale.sync.tally import Observe, Tally
from wholesale.tables import KEY, Ids, Keys, TableShape, find, keys_of_texts

log = logging.getLogger("wholesale.reader")


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one resource in one run: what its parts share.

    - `stored`: what the destination holds.
    - `ledger`: what the run saw of each record.
    - `tally`, `doubts`: what it did in numbers, and what speaks against it.
    - `is_full`: every record is read and passed on, changed or not.
    - `unread`: why a record cannot be read by its id, though the service answers otherwise; by the
      key of the record. It is not asked for again in this run.
    - `gone`: the ids of stored records that are proved to be deleted.
    """

    resource: Resource
    fetcher: Fetcher
    decoder: BatchDecoder
    expectation: Expectation
    stored: Stored
    ledger: Ledger
    tally: Tally
    doubts: Doubts
    is_full: bool = False
    unread: dict[bytes, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)

    @classmethod
    def begin(
        cls,
        service: Service,
        resource: Resource,
        shape: TableShape,
        *,
        stored: Stored = NOTHING,
        is_full: bool = False,
        masking: Masking = STORE_ALL,
        traffic: Traffic | None = None,
        observe: Observe | None = None,
    ) -> "Reading":
        """A reading of which nothing is read yet.

        - `masking`: removes what may not be stored.
        - `traffic`: counts the requests.
        """
        tally = Tally.of(resource, traffic, observe)
        shape = shape.in_zone(service.profile.time_zone)
        expectation = Expectation(service, resource, shape, masking)
        return cls(
            resource,
            Fetcher(service, resource, tally.traffic),
            BatchDecoder(
                resource,
                shape,
                tally,
                expectation,
                masking,
                stored.ids.others,
                service.profile.list_only_fields if resource.summary else (),
            ),
            expectation,
            stored,
            Ledger(),
            tally,
            Doubts(with_remedies=service.with_remedies),
            is_full,
        )

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
    def lacks_fields(self) -> bool:
        """Whether the list leaves out fields of its records: each is asked for by its id."""
        return self.resource.name in self.profile.lists_in_short

    @property
    def can_ask_again(self) -> bool:
        """Whether a record of the list can be asked for by its id alone."""
        return bool(self.resource.get_endpoint) and self.resource.parent is None

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

    def alive(self) -> Ids:
        """The records that were seen alive and are not gone since."""
        gone = keys_of_texts(self.gone)
        return self.ids(np.setdiff1d(self.ledger.alive(), gone, assume_unique=True))

    def mark_gone(self, keys: Keys) -> None:
        """Add those of these records that the destination has to `gone`."""
        is_there = find(self.stored.alive_keys, keys)[1] | self.ledger.is_read(keys)
        self.gone.update(self.ids(keys[is_there]).texts())

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

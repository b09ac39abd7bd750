"""Run: one run over the service, with a reader for each resource."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from wholesale.api import RESOURCE, RESOURCES, Resource, ServiceProfile, names_a_fact
from wholesale.compare import NOTHING, Stored
from wholesale.discover import discover_list, discover_service
from wholesale.errors import ServiceError, Unauthorized
from wholesale.http import Traffic
from wholesale.names import run_id_of
from wholesale.pages import Fetcher, Service
from wholesale.privacy import STORE_ALL, Masking
from wholesale.settings import ApiSettings
from wholesale.sync.changes import Merge
from wholesale.sync.children import ChildCounts, ParentIds, without_childless
from wholesale.sync.reader import Reader
from wholesale.sync.reading import Reading
from wholesale.sync.tally import Observe
from wholesale.tables import TableShape, shape_of

log = logging.getLogger("wholesale.reader")


def new_run_id() -> str:
    return run_id_of(datetime.now(UTC))


@dataclass
class Run:
    """Reads resources one after the other; parents first, where their children are read too.

    A caller takes a reader from `begin`, which asks `stored` and looks at the service, passes it to
    `read`, then merges what is `late` in it, and marks what is `gone` as deleted.

    - `stored`: returns what the destination holds of a resource; by default everything is new.
    - `known`: what earlier runs found out about the service; None: it is discovered anew.
    - `is_full`: as in Reader; then the service is discovered anew.
    - `goes_on`: a resource that fails says so in its doubts, and the others are read all the same.
    - `identify`: as in Client.
    - `masking`: removes what may not be stored.
    """

    settings: ApiSettings
    stored: Callable[[Resource, TableShape], Stored] = lambda resource, shape: NOTHING
    known: ServiceProfile | None = None
    is_full: bool = False
    goes_on: bool = False
    run_id: str = field(default_factory=new_run_id)
    observe: Observe | None = None
    identify: Callable[[str], None] = lambda server: None
    masking: Masking = STORE_ALL
    readers: dict[str, Reader] = field(default_factory=dict)
    _parent_ids: dict[str, ParentIds] = field(default_factory=dict)
    _has_begun: bool = False

    def __post_init__(self) -> None:
        self.service = Service.at(self.settings, self.identify)

    @property
    def profile(self) -> ServiceProfile:
        """What is known of the service, after what this run has seen; without what it contradicts,
        so that the next run discovers it anew."""
        readers = self.readers.values()
        known, rate = self.service.profile, self.service.client.limiter.requests_a_minute
        found = (reader.tally.local_times for reader in readers)
        local_times = known.local_times.union(*found)
        profile = known.observing(requests_a_minute=rate, local_times=local_times)
        is_contradicted = any(
            reader.expectation.is_to_look_again or any(map(names_a_fact, reader.doubts.sentences()))
            for reader in readers
        )
        return profile.forgotten() if is_contradicted else profile

    def begin(self, resource: Resource, shape: TableShape, *, is_full: bool = False) -> Reader:
        """A new reader of this resource, which replaces an earlier one of this run; it reads every
        record if the run does, or if `is_full`."""
        reader = self._reader(resource, shape, is_full=self.is_full or is_full)
        self.readers[resource.name] = reader
        self._parent_ids.pop(resource.name, None)
        return reader

    def read(self, reader: Reader, merge: Merge) -> None:
        """Read one resource, and pass on what has to be merged. What is `late` in the reader has to
        be merged after that.

        Raises: ServiceError, unless the run `goes_on`; Unauthorized always.
        """
        resource = reader.resource
        try:
            if resource.parent is None:
                self._read_list(reader, merge)
                return
            parents = self._parents(reader)
            ids, are_all = list(parents.may_have.texts()), parents.proved_at is not None
            look = partial(self._discover, resource, reader.shape, reader.fetcher.traffic)
            reader.read_lists(ids, parents.counts, merge, are_all=are_all, look=look)
            if parents.proved_at:
                reader.doubts.prove_no_later_than(parents.proved_at)
            else:
                fault = f"the list of {resource.parent.resource} is in doubt"
                reader.doubts.withdraw(fault)
        except ServiceError as error:
            if not self.goes_on or isinstance(error, Unauthorized):
                raise
            if names_a_fact(str(error)):
                reader.doubts.stop(str(error))
            else:
                reader.doubts.fail(str(error))

    def _reader(
        self, resource: Resource, shape: TableShape, *, is_full: bool, observe: bool = True
    ) -> Reader:
        """A reader of this resource; what is not known of its list is found out first."""
        stored = self.stored(resource, shape)
        if any(self._has_changed(name) for name in stored.past.old_names):
            stored = stored.without_head()
        traffic = Traffic()
        self._discover(resource, shape, traffic)
        reading = Reading.begin(
            self.service,
            resource,
            shape,
            stored=stored,
            is_full=is_full,
            masking=self.masking,
            traffic=traffic,
            observe=self.observe if observe else None,
        )
        return Reader(reading)

    def _discover(
        self, resource: Resource, shape: TableShape, traffic: Traffic, parent: str | None = None
    ) -> None:
        """Find out what is not known of the service and of this list; of a child list by that of
        this parent.

        Raises: Unauthorized; of what else cannot be read here the reading itself tells.
        """
        try:
            with self.service.client as client:
                if client.limiter.is_given_up:  # another list may have failed, and this one answer
                    Fetcher(self.service, resource, traffic).is_answering()
                if not self._has_begun:
                    self._has_begun = True
                    known = self.known  # of which a full run keeps what earlier ones saw happen
                    self.service.recall(known.forgotten() if known and self.is_full else known)
                    discover_service(self.service, traffic)
                discover_list(self.service, resource, shape, traffic, parent)
        except Unauthorized:
            raise
        except ServiceError as error:
            log.info("%s: not looked at, as %s", resource.name, error)

    def _has_changed(self, resource: str) -> bool:
        """Whether this run found changed records of the resource, or cannot tell."""
        reader = self.readers.get(resource)
        return reader is not None and reader.tally.changed != 0

    def _parents(self, reader: Reader) -> ParentIds:
        """The parents whose lists are to be read. The list of parents is read here, if this run has
        not read it yet."""
        assert reader.resource.parent is not None
        name = reader.resource.parent.resource
        if name not in self._parent_ids:
            resource = RESOURCE[name]
            parents = self._reader(resource, shape_of(resource), is_full=False, observe=False)
            self._read_list(parents, lambda batch: None)
        return without_childless(reader.reading, self._parent_ids[name], self.run_id)

    def _read_list(self, reader: Reader, merge: Merge) -> None:
        """Read a resource that has one list, and note how many children its records count."""
        name = reader.resource.name
        parent = next(
            (row.parent for row in RESOURCES if row.parent and row.parent.resource == name), None
        )
        if parent is None:
            reader.read(merge)
            return
        counts = ChildCounts(parent)
        reader.read(merge, counts.see)
        self._parent_ids[name] = counts.parents(reader.reading)

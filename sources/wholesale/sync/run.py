"""Run: one run over the service, with a reader for each resource."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np

from wholesale.api import (
    RESOURCE,
    RESOURCES,
    Parent,
    Resource,
    ServiceProfile,
    names_a_fact,
)
from wholesale.compare import NOTHING, Stored
from wholesale.discover import discover_list, discover_service
from wholesale.errors import ServiceError, Unauthorized
from wholesale.http import Traffic
from wholesale.pages import Fetcher, Service
from wholesale.privacy import STORE_ALL, Masking
from wholesale.prove import no_keys
from wholesale.settings import ApiSettings
from wholesale.sync.batches import Merge
from wholesale.sync.reader import Reader
from wholesale.sync.report import Observe
from wholesale.tables import Decoded, Ids, Keys, TableShape, concat, shape_of

SAMPLED_PARENTS = 5
"""So many parents that claim to have no children have their lists read all the same, as their count
may be wrong."""

log = logging.getLogger("wholesale.reader")

RUN_ID = "%Y%m%dT%H%M%S.%fZ"
"""The format of the moment (UTC) at which a run begins: ids of runs sort by time."""


def run_id_of(moment: datetime) -> str:
    """The id of a run that begins at this moment."""
    return moment.astimezone(UTC).strftime(RUN_ID)


def new_run_id() -> str:
    return run_id_of(datetime.now(UTC))


def moment_of(run_id: str) -> datetime:
    """When this run began."""
    return datetime.strptime(run_id, RUN_ID).replace(tzinfo=UTC)


@dataclass
class Run:
    """Reads resources one after the other; parents first, where their children are read too.

    - `stored`: returns what the destination holds of a resource; by default everything is new.
    - `known`: what earlier runs found out about the service; None: it is discovered anew.
    - `is_full`: as in Reader; then the service is discovered anew.
    - `goes_on`: a resource that fails says so in its report, and the others are read all the same.
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
    _parent_ids: dict[str, "_ParentIds"] = field(default_factory=dict)
    _has_begun: bool = False

    def __post_init__(self) -> None:
        self.service = Service.at(self.settings, self.identify)

    @property
    def profile(self) -> ServiceProfile:
        """What is known of the service, after what this run has seen; without what it contradicts,
        so that the next run discovers it anew."""
        reports = [reader.report for reader in self.readers.values()]
        known, rate = self.service.profile, self.service.client.limiter.requests_a_minute
        local_times = known.local_times.union(*(report.local_times for report in reports))
        profile = known.observing(requests_a_minute=rate, local_times=local_times)
        is_contradicted = any(
            report.is_to_look_again or any(map(names_a_fact, report.doubts())) for report in reports
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
            proved_at = self._parent_ids[resource.parent.resource].proved_at
            ids, are_all = list(parents.ids.texts()), proved_at is not None
            look = partial(self._discover, resource, reader.shape, reader.report.traffic)
            reader.read_lists(ids, parents.counts, merge, are_all=are_all, look=look)
            if proved_at:
                reader.report.prove_no_later_than(proved_at)
            else:
                reader.report.doubt(f"the list of {resource.parent.resource} is in doubt")
        except ServiceError as error:
            if not self.goes_on or isinstance(error, Unauthorized):
                raise
            if names_a_fact(str(error)):
                reader.report.stop(str(error))
            else:
                reader.report.fail(str(error))

    def _reader(
        self,
        resource: Resource,
        shape: TableShape,
        *,
        is_full: bool,
        observe: bool = True,
    ) -> Reader:
        """A reader of this resource; what is not known of its list is found out first."""
        stored = self.stored(resource, shape)
        if any(self._has_changed(name) for name in stored.past.old_names):
            stored = stored.without_head()
        traffic = Traffic()
        self._discover(resource, shape, traffic)
        return Reader(
            self.service,
            resource,
            shape,
            stored=stored,
            is_full=is_full,
            masking=self.masking,
            traffic=traffic,
            observe=self.observe if observe else None,
        )

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
        return reader is not None and reader.report.changed != 0

    def _parents(self, reader: Reader) -> "_Parents":
        """The parents whose lists are to be read. The list of parents is read here, if this run has
        not read it yet.

        Those that count no children have no list to read, but for a few, others in each run, which
        tell whether such a count can be believed, and for those that had some (§2.1).
        """
        parent = reader.resource.parent
        assert parent is not None
        if parent.resource not in self._parent_ids:
            resource = RESOURCE[parent.resource]
            parents = self._reader(resource, shape_of(resource), is_full=False, observe=False)
            self._read_list(parents, lambda batch: None)
        found = self._parent_ids[parent.resource]
        if not self.service.profile.variants_are_counted or not parent.count_column:
            return _Parents(concat([found.may_have, found.childless]), {}, found.proved_at)
        childless = found.childless
        had_some = np.isin(childless.keys, reader.stored.parent_keys())  # whatever they count now
        may_have = concat([found.may_have, childless.take(had_some)])
        childless = childless.take(~had_some)
        if len(childless) and reader.has_lists(self._sample(childless)):
            self.service.observe(variants_are_counted=False)
            return _Parents(concat([may_have, childless]), {}, found.proved_at)
        return _Parents(may_have, found.counts, found.proved_at)

    def _sample(self, ids: Ids) -> list[str]:
        """A few of these ids, others in each run."""
        places = Random(self.run_id).sample(range(len(ids)), min(SAMPLED_PARENTS, len(ids)))
        return list(ids.take(np.array(places, np.intp)).texts())

    def _read_list(self, reader: Reader, merge: Merge) -> None:
        """Read a resource that has one list, and note how many children its records count."""
        name = reader.resource.name
        parent = next(
            (row.parent for row in RESOURCES if row.parent and row.parent.resource == name), None
        )
        if parent is None:
            reader.read(merge)
            return
        counts = _Counts(parent)
        reader.read(merge, counts.see)
        alive, keys = reader.alive(), counts.childless(reader.stored)
        has_none = np.isin(alive.keys, keys)
        proof = None if reader.report.doubts() else reader.report.proof
        self._parent_ids[name] = _ParentIds(
            alive.take(~has_none),
            alive.take(has_none),
            counts.by_id(alive),
            proof.complete_as_of if proof else None,
        )


class _ParentIds(NamedTuple):
    """The parents that may have children, and those that count none; by id, how many they count.

    `proved_at`: the moment at which they were all, None where their list is not proved.
    """

    may_have: Ids
    childless: Ids
    counts: Mapping[str, int | None]
    proved_at: datetime | None


class _Parents(NamedTuple):
    """The parents whose lists are to be read, and how many children they count, where they do."""

    ids: Ids
    counts: Mapping[str, int | None]
    proved_at: datetime | None


class _Counts:
    """How many children the records of a list count, as they come; the last count holds."""

    def __init__(self, parent: Parent) -> None:
        self._column = parent.count_column
        self._counts: dict[bytes, int | None] = {}

    def see(self, decoded: Decoded) -> None:
        if self._column:
            counts = decoded.root[self._column].to_pylist()
            self._counts.update(zip(decoded.ids.keys.tolist(), counts, strict=True))

    def childless(self, stored: Stored) -> Keys:
        """The keys of those that count none, but for new ones, whose count may be behind."""
        none = [key for key, count in self._counts.items() if count == 0]
        keys = np.sort(np.array(none, no_keys().dtype))
        return keys[stored.has(keys)] if len(stored) else keys

    def by_id(self, ids: Ids) -> Mapping[str, int | None]:
        """The counts by the ids as their list spells them."""
        if not self._counts:
            return {}
        keys = ids.keys.tolist()
        return {text: self._counts.get(key) for key, text in zip(keys, ids.texts(), strict=True)}

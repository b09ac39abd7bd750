"""Run: one run over the service, with a reader for each resource."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.api import NO_CHILDREN_NO_LIST, RESOURCE, RESOURCES, Parent, Resource
from wholesale.compare import NOTHING, Stored
from wholesale.errors import ServiceError, Unauthorized
from wholesale.pages import Profile, Service
from wholesale.privacy import STORE_ALL, Masking
from wholesale.prove import no_keys
from wholesale.settings import ApiSettings
from wholesale.sync.batches import Merge
from wholesale.sync.reader import Reader
from wholesale.sync.report import Observe
from wholesale.tables import Decoded, Ids, Mask, TableShape, concat, shape_of

SAMPLED_PARENTS = 5
"""So many parents that claim to have no children have their lists read all the same, as their count
may be wrong."""


RUN_ID = "%Y%m%dT%H%M%S.%fZ"
"""The format of the moment (UTC) at which a run begins: ids of runs sort by time."""


def new_run_id() -> str:
    return datetime.now(UTC).strftime(RUN_ID)


def moment_of(run_id: str) -> datetime:
    """When this run began."""
    return datetime.strptime(run_id, RUN_ID).replace(tzinfo=UTC)


@dataclass
class Run:
    """Reads resources one after the other; parents first, where their children are read too.

    - `stored`: returns what the destination holds of a resource; by default everything is new.
    - `profiles`: what earlier runs learned of lists, by resource.
    - `is_full`: as in Reader; then `profiles` are ignored.
    - `goes_on`: a resource that fails says so in its report, and the others are read all the same.
    - `identify`: as in Client.
    - `masking`: removes what may not be stored.
    """

    settings: ApiSettings
    stored: Callable[[Resource, TableShape], Stored] = lambda resource, shape: NOTHING
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    is_full: bool = False
    goes_on: bool = False
    run_id: str = field(default_factory=new_run_id)
    observe: Observe | None = None
    identify: Callable[[str], None] = lambda server: None
    masking: Masking = STORE_ALL
    readers: dict[str, Reader] = field(default_factory=dict)
    _parent_ids: dict[str, "_ParentIds"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.service = Service.at(self.settings, self.identify)

    def begin(self, resource: Resource, shape: TableShape, *, is_full: bool = False) -> Reader:
        """A new reader of this resource, which replaces an earlier one of this run; it reads every
        record if the run does, or if `is_full`."""
        stored = self.stored(resource, shape)
        if any(self._has_changed(name) for name in stored.past.old_names):
            stored = stored.without_head()
        reader = Reader(
            self.service,
            resource,
            shape,
            stored=stored,
            profile=self._profile(resource),
            is_full=self.is_full or is_full,
            masking=self.masking,
            observe=self.observe,
        )
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
            else:
                parents = self._parents(reader)
                reader.read_lists(list(parents.texts()), merge)
                if proved_at := self._parent_ids[resource.parent.resource].proved_at:
                    reader.report.prove_no_later_than(proved_at)
                else:
                    reader.report.doubt(f"the list of {resource.parent.resource} is in doubt")
        except ServiceError as error:
            if not self.goes_on or isinstance(error, Unauthorized):
                raise
            reader.report.fail(str(error))

    def _has_changed(self, resource: str) -> bool:
        """Whether this run found changed records of the resource, or cannot tell."""
        reader = self.readers.get(resource)
        return reader is not None and reader.report.changed != 0

    def _profile(self, resource: Resource) -> Profile | None:
        return None if self.is_full else self.profiles.get(resource.name)

    def _parents(self, reader: Reader) -> Ids:
        """The parents whose lists are to be read. The list of parents is read here, if this run has
        not read it yet."""
        parent = reader.resource.parent
        assert parent is not None
        if parent.resource not in self._parent_ids:
            resource = RESOURCE[parent.resource]
            shape = shape_of(resource)
            parents = Reader(
                self.service,
                resource,
                shape,
                stored=self.stored(resource, shape),
                profile=self._profile(resource),
                masking=self.masking,
            )
            self._read_list(parents, lambda batch: None)
        may_have, childless, _ = self._parent_ids[parent.resource]
        had_some = np.isin(childless.keys, reader.stored.parent_keys())  # whatever they count now
        may_have = concat([may_have, childless.take(had_some)])
        childless = childless.take(~had_some)
        if len(childless) and reader.has_lists(self._sample(childless)):
            return concat([may_have, childless])
        return may_have

    def _sample(self, ids: Ids) -> list[str]:
        """A few of these ids, others in each run."""
        places = Random(self.run_id).sample(range(len(ids)), min(SAMPLED_PARENTS, len(ids)))
        return list(ids.take(np.array(places, np.intp)).texts())

    def _read_list(self, reader: Reader, merge: Merge) -> None:
        """Read a resource that has one list, and note which of its records may have children."""
        name = reader.resource.name
        parent = next(
            (row.parent for row in RESOURCES if row.parent and row.parent.resource == name), None
        )
        if parent is None:
            reader.read(merge)
            return
        childless = no_keys()

        def see(decoded: Decoded) -> None:
            nonlocal childless
            has_none = _have_no_children(decoded.root, parent)
            if len(reader.stored):  # the count of a new one may be behind
                has_none = has_none & reader.stored.has(decoded.ids.keys)
            others = np.setdiff1d(childless, decoded.ids.keys)
            childless = np.union1d(others, decoded.ids.keys[has_none])

        reader.read(merge, see)
        alive = reader.alive()
        has_none = np.isin(alive.keys, childless)
        proof = None if reader.report.doubts() else reader.report.proof
        self._parent_ids[name] = _ParentIds(
            alive.take(~has_none),
            alive.take(has_none),
            proof.complete_as_of if proof else None,
        )


class _ParentIds(NamedTuple):
    """The parents that may have children, and those that claim to have none; `proved_at`: the
    moment at which they were all, None where their list is not proved."""

    may_have: Ids
    childless: Ids
    proved_at: datetime | None


def _have_no_children(root: pa.Table, parent: Parent) -> Mask:
    """Which of these parents claim to have no children."""
    if not parent.count_column or not NO_CHILDREN_NO_LIST.value:
        return np.zeros(len(root), np.bool_)
    has_none = pc.fill_null(pc.equal(root[parent.count_column], 0), False)
    return np.asarray(has_none.to_numpy(), np.bool_)

"""Run: one reading of the service, with the reader of every resource that was begun."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.api import NO_CHILDREN_NO_LIST, RESOURCE, RESOURCES, Parent, Resource
from wholesale.compare import NOTHING, Stored
from wholesale.errors import ServiceError, Unauthorized
from wholesale.pages import Service
from wholesale.settings import ApiSettings
from wholesale.sync.changes import Batch
from wholesale.sync.reader import Reader
from wholesale.sync.report import Observe
from wholesale.tables import Ids, TableShape, concat, pack, shape_of


def new_run_id() -> str:
    """A name for one run that sorts by time, UTC."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")


@dataclass
class Run:
    """Reads resources one after the other, parents before their children where both are read.

    `stored` tells what the destination holds of a resource; without it everything is new.
    `is_full` as in Reader. With `goes_on` a resource that cannot be read to its end says so in its
    report, and the others are read all the same. `identify` as in Client.
    """

    settings: ApiSettings
    stored: Callable[[Resource, TableShape], Stored] = lambda resource, shape: NOTHING
    is_full: bool = False
    goes_on: bool = False
    run_id: str = field(default_factory=new_run_id)
    observe: Observe | None = None
    identify: Callable[[str], None] = lambda server: None
    readers: dict[str, Reader] = field(default_factory=dict)
    _with_children: dict[str, Ids] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.service = Service.at(self.settings, self.identify)

    def begin(self, resource: Resource, shape: TableShape) -> Reader:
        """A new reader of this resource, in place of one that may have been there."""
        reader = Reader(
            self.service,
            resource,
            shape,
            stored=self.stored(resource, shape),
            is_full=self.is_full,
            observe=self.observe,
        )
        self.readers[resource.name] = reader
        self._with_children.pop(resource.name, None)
        return reader

    def read(self, reader: Reader) -> Iterator[Batch]:
        """All that has to be merged of one resource; what is `late` in the reader comes after it.

        Raises: ServiceError, unless the run `goes_on`; Unauthorized always.
        """
        resource = reader.resource
        try:
            if resource.parent is None:
                yield from self._noting_parents(reader)
            else:
                yield from reader.read_lists(self._parents(resource.parent).texts())
        except Unauthorized:
            raise
        except ServiceError as error:
            if not self.goes_on:
                raise
            reader.report.fail(str(error))

    def _parents(self, parent: Parent) -> Ids:
        """Those that may have children; read for it where this run has not read them."""
        if parent.resource not in self._with_children:
            resource = RESOURCE[parent.resource]
            reader = Reader(self.service, resource, shape_of(resource))
            for _ in self._noting_parents(reader):
                pass
        return self._with_children[parent.resource]

    def _noting_parents(self, reader: Reader) -> Iterator[Batch]:
        """The same batches; at their end the ids of those that may have children are known."""
        name = reader.resource.name
        parent = next(
            (row.parent for row in RESOURCES if row.parent and row.parent.resource == name), None
        )
        noted: list[Ids] = []
        for batch in reader.read():
            if parent:
                noted.append(_may_have_children(batch.decoded.root, parent))
            yield batch
        if parent:
            self._with_children[name] = concat(noted)


def _may_have_children(root: pa.Table, parent: Parent) -> Ids:
    ids = root["id"]
    if parent.count_column and NO_CHILDREN_NO_LIST.value:
        ids = ids.filter(pc.fill_null(pc.not_equal(root[parent.count_column], 0), True))
    return pack(ids)

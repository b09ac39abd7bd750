"""Parents: what the parents of child records say of their lists of children."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from wholesale.api import RESOURCE, Resource
from wholesale.compare import say_that_they_are_deleted
from wholesale.json import RawPage
from wholesale.pages import Fetcher, Paginator, Record, Service
from wholesale.sync.reading import Reading
from wholesale.tables import Decoded, decode, plainly, shape_of


@dataclass(frozen=True, slots=True)
class Parents:
    """The parents of the records of this reading, asked for by their ids."""

    service: Service
    reading: Reading

    @property
    def may_count(self) -> bool:
        """Whether they have a column that counts their children."""
        return self._count_column is not None

    def counts(self, keys: Sequence[str]) -> dict[str, int | None]:
        """How many children each of these parents says that it has; None where it does not."""
        if not self.may_count:
            return dict.fromkeys(keys)
        with self._fetcher() as fetcher:
            return {key: self._count_in(found) for key, found in _ask(fetcher, keys)}

    def counting_more(self, shown: Mapping[str, int]) -> list[str]:
        """Those of these parents that now count more children than are `shown`, by their list."""
        if not (shown and self._count_column):
            return []
        counted: dict[str, int | None] = {}
        with self._fetcher() as fetcher:
            for page in fetcher.read_list(Paginator(), self._resource.query):
                decoded = self._decode(page)
                counts = decoded.root[self._count_column].to_pylist()
                counted.update(zip(plainly(decoded.root["id"]).to_pylist(), counts, strict=True))
        return [key for key, plain in _with_plain(shown) if (counted.get(plain) or 0) > shown[key]]

    def still_with_children(self, keys: Sequence[str]) -> set[str]:
        """Those of these parents that exist, and do not say that they are deleted or have no
        children. They answer, or the list of parents still shows them."""
        with self._fetcher() as fetcher:
            found = dict(_ask(fetcher, keys))
            denied = [key for key, record in found.items() if record is None]
            listed = _listed(fetcher, self._resource) if denied else set()
        gone = {key for key, plain in _with_plain(denied) if plain not in listed}
        return {
            key
            for key in found.keys() - gone
            if self._count_in(found[key]) != 0 and not self._says_that_it_is_deleted(found[key])
        }

    @property
    def _resource(self) -> Resource:
        parent = self.reading.resource.parent
        assert parent is not None, "only children have lists of parents"
        return RESOURCE[parent.resource]

    @property
    def _count_column(self) -> str | None:
        parent = self.reading.resource.parent
        return parent.count_column if parent else None

    def _fetcher(self) -> Fetcher:
        return Fetcher(self.service, self._resource, self.reading.fetcher.traffic)

    def _count_in(self, record: Record) -> int | None:
        """The number of children; none where the record has no id either."""
        if not (self._count_column and isinstance(record, RawPage)):
            return None
        values: list[int | None] = self._decode(record).root[self._count_column].to_pylist()
        return values[0] if values else None

    def _says_that_it_is_deleted(self, record: Record) -> bool:
        if not isinstance(record, RawPage):
            return False
        return bool(say_that_they_are_deleted(self._decode(record).root).any())

    def _decode(self, record: RawPage) -> Decoded:
        return decode([record], shape_of(self._resource))


def _ask(fetcher: Fetcher, keys: Sequence[str]) -> Iterable[tuple[str, Record]]:
    return fetcher.records((key, None) for key in keys)


def _listed(fetcher: Fetcher, resource: Resource) -> set[str]:
    """The plain ids of all records that the list shows, but for those that say that they are
    deleted."""
    listed: set[str] = set()
    for page in fetcher.read_list(Paginator(), resource.query):
        decoded = decode([page], shape_of(resource))
        is_alive = ~say_that_they_are_deleted(decoded.root)
        listed.update(plainly(decoded.root["id"].filter(pa.array(is_alive))).to_pylist())
    return listed


def _with_plain(ids: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Each id, and the same plainly spelled."""
    ids = list(ids)
    return zip(ids, plainly(pa.array(ids, pa.string())).to_pylist(), strict=True)

"""Parents: the records whose lists of children are to be read."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import NamedTuple

import numpy as np

from wholesale.api import Parent
from wholesale.compare import Stored
from wholesale.errors import NoRecords
from wholesale.prove import no_keys
from wholesale.sync.reading import Reading
from wholesale.tables import Decoded, Ids, Keys, concat

SAMPLED_PARENTS = 5
"""So many parents that claim to have no children have their lists read all the same, as their count
may be wrong."""


class ParentIds(NamedTuple):
    """The parents that may have children, and those that count none; by id, how many they count.

    `proved_at`: the moment at which they were all, None where their list is not proved.
    """

    may_have: Ids
    childless: Ids
    counts: Mapping[str, int | None]
    proved_at: datetime | None


class ChildCounts:
    """How many children the records of a list count, as they come; the last count holds."""

    def __init__(self, parent: Parent) -> None:
        self._column = parent.count_column
        self._counts: dict[bytes, int | None] = {}

    def see(self, decoded: Decoded) -> None:
        if self._column:
            counts = decoded.root[self._column].to_pylist()
            self._counts.update(zip(decoded.ids.keys.tolist(), counts, strict=True))

    def parents(self, reading: Reading) -> ParentIds:
        """The records that this reading has seen alive."""
        childless = self._childless(reading.stored)
        alive, doubts = reading.alive(), reading.doubts
        keys, is_childless = alive.keys.tolist(), np.isin(alive.keys, childless)
        proof = None if doubts.sentences() else doubts.proof
        counts = dict(zip(alive.texts(), map(self._counts.get, keys), strict=True))
        return ParentIds(
            alive.take(~is_childless),
            alive.take(is_childless),
            counts if self._counts else {},
            proof.complete_as_of if proof else None,
        )

    def _childless(self, stored: Stored) -> Keys:
        """The keys of those that count none, but for new ones, whose count may be behind."""
        none = [key for key, count in self._counts.items() if count == 0]
        keys = np.sort(np.array(none, no_keys().dtype))
        return keys[stored.has(keys)] if len(stored) else keys


def without_childless(reading: Reading, found: ParentIds, seed: str) -> ParentIds:
    """The parents of which this reading is to read the lists, as `may_have`.

    Those that count no children have no list to read, but for a few, others by each `seed`, which
    tell whether such a count can be believed, and for those that had some (§2.1).
    """
    service, parent = reading.fetcher.service, reading.resource.parent
    assert parent is not None
    all_of_them = found._replace(may_have=concat([found.may_have, found.childless]), counts={})
    if not service.profile.variants_are_counted or not parent.count_column:
        return all_of_them
    # Whatever they count now.
    had_some = np.isin(found.childless.keys, reading.stored.parent_keys())
    childless = found.childless.take(~had_some)
    if len(childless) and has_lists(reading, _sample(childless, seed)):
        service.observe(variants_are_counted=False)
        return all_of_them
    return found._replace(may_have=concat([found.may_have, found.childless.take(had_some)]))


def _sample(ids: Ids, seed: str) -> list[str]:
    """A few of these ids."""
    places = Random(seed).sample(range(len(ids)), min(SAMPLED_PARENTS, len(ids)))
    return list(ids.take(np.array(places, np.intp)).texts())


def has_lists(reading: Reading, parents: Sequence[str]) -> bool:
    """Whether one of these parents has children; nothing is passed on."""
    with reading.fetcher as fetcher:
        return any(
            found.pages or not isinstance(found.failure, NoRecords | None)
            for found in fetcher.lists(parents, reading.page_size)
        )

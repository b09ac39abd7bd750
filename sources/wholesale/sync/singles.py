"""Singles: records of one resource asked for by their ids, as far as they can be read."""

from collections.abc import Iterable, Iterator
from itertools import repeat

import numpy as np

from wholesale.json import RawPage
from wholesale.pages import Key
from wholesale.sync.reading import Reading
from wholesale.tables import Decoded, Keys, keys_of_texts

MANY_UNREAD = 10
"""If so many records cannot be read, and most of those that were asked for, no more are asked for
one by one."""


def read_singles(
    reading: Reading, keys: Keys, not_found: list[Keys] | None = None
) -> Iterator[Decoded]:
    """Each of these records by itself, in batches; keys that the service answers with 404 are added
    to `not_found`, and those that cannot be read to `unread` of the reading."""
    keys = keys[~np.isin(keys, reading.unread_keys)]
    parents = reading.stored.parents_of(keys)
    not_found = [] if not_found is None else not_found
    return reading.decoder.decode(_pages_of(reading, keys, parents, not_found))


def read_listed(reading: Reading, listed: Decoded) -> Iterator[Decoded]:
    """Each of these records by itself, as `read_singles`: below the parent in whose list it was
    found, if there is one."""
    parent = reading.resource.parent
    parents = listed.root[parent.column].to_pylist() if parent else repeat(None)
    return reading.decoder.decode(_pages_of(reading, listed.ids.keys, parents, []))


def _pages_of(
    reading: Reading, keys: Keys, parents: Iterable[str | None], not_found: list[Keys]
) -> Iterator[RawPage]:
    ids = reading.ids(keys).texts()
    asked = (Key(id, of) for id, of in zip(ids, parents, strict=False))
    failed = 0
    for place, (record_id, found) in enumerate(reading.fetcher.records(asked)):
        if isinstance(found, RawPage):
            yield found
            continue
        key = keys_of_texts([record_id])
        if found is None:
            not_found.append(key)
            continue
        reading.tolerate(found)
        reading.unread.update(dict.fromkeys(key.tolist(), str(found)))
        failed += 1
        if failed >= MANY_UNREAD and failed > place // 2:
            return

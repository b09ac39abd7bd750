"""Readable: which documented fields can be read where records have them, by all full records seen.

One odd value is kept beside its row, and reported. A field that no record or few can be read in is
another matter: what is built on it counts as nothing, and nothing else would say so.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from wholesale.expect.form import UNUSUAL
from wholesale.tables import Decoded

LEAST_UNREAD = 3
"""So many values are not all odd by chance."""


@dataclass(slots=True)
class Readable:
    """The columns (`orders.total`) of what a run sees, and how often each could be read or not."""

    filled: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)

    def see(self, decoded: Decoded) -> None:
        """Take full records into account."""
        self.unread.update(decoded.unread)
        for shape in decoded.shape.tables:
            table = decoded.tables[shape.table]
            for mapping in shape.mappings:
                if filled := len(table) - table[mapping.column].null_count:
                    self.filled[f"{shape.table}.{mapping.column}"] += filled

    def unreadable(self, known: Collection[str]) -> frozenset[str]:
        """The columns that at most a few of the records with a value could be read in; of those
        `known` as such before, the ones that this run saw no better."""
        found = {
            column
            for column, unread in self.unread.items()
            if unread >= LEAST_UNREAD and unread >= UNUSUAL * self.filled[column]
        }
        return frozenset(found | {column for column in known if not self.filled[column]})

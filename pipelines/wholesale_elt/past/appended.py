"""Appended: digests of tables that a run fills, made of the rows while they are written.

So nothing is read again to note what the run has brought. Whoever proves a digest later makes it of
what is stored, and does not take the word of the one who wrote it.
"""

from collections.abc import Mapping

import pyarrow as pa

from wholesale.compare import Digest, digest_of
from wholesale.names import VALID_FROM
from wholesale.tables import TableShape
from wholesale_elt.past.digests import key_of
from wholesale_elt.past.names import past_of
from wholesale_elt.warehouse import Raw


class Appended:
    """The digest of each resource of which nothing was stored before the run, while rows are
    appended to its tables and nothing else is done to them."""

    def __init__(self) -> None:
        self._digests: dict[str, Digest] = {}
        self._tables: Mapping[str, TableShape] = {}
        self._resource = ""

    def begin(self, raw: Raw, shape: TableShape) -> bool:
        """The rows that follow are of this resource; return whether nothing of it is stored."""
        self._resource = shape.table
        self._tables = {table.table: table for table in shape.tables}
        tables = [raw.name(name) for table in self._tables for name in (table, past_of(table))]
        rows = " union all ".join(f"select 1 from {name}" for name in tables)
        is_first = not raw.rows(f"select 1 from ({rows}) as found limit 1")
        if is_first:
            self._digests[self._resource] = Digest()
        else:
            self.lose()
        return is_first

    def add(self, table: str, rows: pa.Table) -> None:
        """These rows are appended to a table, be it one of the resource or not."""
        if self._resource in self._digests and (shape := self._tables.get(table)):
            stored = rows.drop_columns([VALID_FROM])
            self._digests[self._resource] += digest_of(stored, table, key_of(shape))

    def lose(self) -> None:
        """Something else was or will be done to the tables of the resource."""
        self._digests.pop(self._resource, None)

    def digest_of(self, resource: str) -> Digest | None:
        """The digest of all rows of a resource; None where it has to be made of what is stored."""
        return self._digests.get(resource)

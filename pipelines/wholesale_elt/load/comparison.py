"""Comparison: of records that the tables may hold already, those that differ take their place."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pyarrow as pa

from wholesale.tables import Decoded, Ids, TableShape, concat, pack
from wholesale_elt.load.observations import OBSERVED_AT, WATCHED, columns_in_log, log_of
from wholesale_elt.process import budget
from wholesale_elt.warehouse import Raw

HELD = '"held"'
DIFFERING = '"differing"'
CANDIDATES = '"candidates"'
ID = pa.schema([pa.field("id", pa.string())])


class StagedRecords:
    """Sets records aside in temporary tables, and compares them there in the destination's SQL.

    Within a transaction that its caller begins; `bytes` are those of Arrow that are set aside.
    """

    def __init__(self, raw: Raw) -> None:
        self.bytes = 0
        self._raw = raw
        self._shape: TableShape | None = None

    @property
    def is_due(self) -> bool:
        """Whether anything is set aside."""
        return self._shape is not None

    def set_aside(self, decoded: Decoded) -> None:
        """Keep these records, of the same shape as those before them, until they are compared."""
        if self._shape is None:
            self._shape = decoded.shape
            for table in decoded.tables:
                self._make(_staged(table), f"select * from {self._raw.name(table)} limit 0")
        for table, rows in decoded.tables.items():
            self._raw.append(_staged(table), rows)
            self.bytes += rows.nbytes

    def replace_differing(self) -> Ids:
        """Replace the records that differ from what was set aside, in any row of theirs: which."""
        assert self._shape is not None
        mappings = [mapping for table in self._shape.tables for mapping in table.mappings]
        found = sum(mapping.section is None for mapping in mappings)
        self._raw.prepare_comparison(self.bytes + budget.A_FOUND_COLUMN * found)
        shape, self._shape, self.bytes = self._shape, None, 0
        self._find_differing(shape)
        if shape.table in WATCHED:
            self._raw.execute(_observed(shape, self._raw))
        for table in shape.tables:
            name, staged, key = self._raw.name(table.table), _staged(table.table), _key(table)
            columns = ", ".join(_columns(table))
            self._raw.execute(f"delete from {name} where {key} in (select id from {DIFFERING})")
            self._raw.execute(
                f"insert into {name} ({columns}) select {columns} from {staged}"
                f" where {key} in (select id from {DIFFERING})"
            )
            self._raw.execute(f"drop table {staged}")
        return self._differing()

    def _find_differing(self, shape: TableShape) -> None:
        """Of the records set aside, those that the tables hold otherwise, or not at all.

        Entries that came in another order, and are as many and the same otherwise, are no
        difference.

        Table by table and by key: all at once, or by whole rows, takes several times the memory.
        What is stored of them is set aside too, as each look at a whole table takes long.
        """
        self._make(DIFFERING, f"select id from {_staged(shape.table)} limit 0")
        for table in shape.tables:
            self._make(HELD, _held(table, self._raw.name(table.table), shape))
            self._make(CANDIDATES, _changed(table))
            for query in (
                _gone(table),
                f"select id from {CANDIDATES} where lacks_a_row",
                f"select id from {CANDIDATES} where not lacks_a_row"
                if table.is_root
                else _differing(table),
            ):
                self._raw.execute(f"insert into {DIFFERING} {query}")
            self._raw.execute(f"drop table {HELD}")

    def _differing(self) -> Ids:
        query = f"select distinct id from {DIFFERING}"
        return concat([pack(rows["id"]) for rows in self._raw.batches(query, ID)])

    def _make(self, table: str, query: str) -> None:
        self._raw.execute(f"drop table if exists {table}")
        self._raw.execute(f"create temporary table {table} as {query}")


def _observed(root: TableShape, raw: Raw) -> str:
    """A statement that logs those of the differing that differ in what the log tells of."""
    columns = ", ".join(f'"{name}"' for name in columns_in_log(root))
    sent, held = (
        f"(select {columns} from {name} where id in (select id from {DIFFERING}))"
        for name in (_staged(root.table), raw.name(root.table))
    )
    return (
        f"insert into {raw.name(log_of(root.table))} ({columns}, {OBSERVED_AT})"
        f" select *, timestamptz '{datetime.now(UTC)}' from ({sent} except {held}) as observed"
    )


def _held(table: TableShape, stored: str, root: TableShape) -> str:
    """A query for what the table holds of the records set aside."""
    ids = f"select id from {_staged(root.table)}"
    return f"select {', '.join(_columns(table))} from {stored} where {_key(table)} in ({ids})"


def _changed(table: TableShape) -> str:
    """A query for the ids of records with rows that the table holds otherwise, or lacks."""
    differs = " or ".join(
        f"{_compared(table, name, 'staged')} is distinct from {_compared(table, name, 'held')}"
        for name in table.schema.names
    )
    return (
        f"select staged.{_key(table)} as id, bool_or(held.{_key(table)} is null) as lacks_a_row"
        f" from {_staged(table.table)} as staged"
        f" left join {HELD} as held using ({', '.join(_keys(table))})"
        f" where held.{_key(table)} is null or {differs} group by 1"
    )


def _gone(table: TableShape) -> str:
    """A query for the ids of records of which the table holds rows that did not come again."""
    is_same = " and ".join(f"staged.{key} = held.{key}" for key in _keys(table))
    return (
        f"select {_key(table)} from {HELD} as held"
        f" where not exists (select 1 from {_staged(table.table)} as staged where {is_same})"
    )


def _differing(table: TableShape) -> str:
    """A query for the ids among the candidates whose entries are others, in whatever order."""
    columns = ", ".join(
        f'{_compared(table, name)} as "{name}"'
        for name in table.schema.names
        if name != table.number
    )
    sent, held = (
        f"(select {columns} from {name} where {_key(table)} in"
        f" (select id from {CANDIDATES} where not lacks_a_row))"
        for name in (_staged(table.table), HELD)
    )
    return (
        f"select {_key(table)} from"
        f" (({sent} except all {held}) union all ({held} except all {sent})) as entries"
    )


def _key(table: TableShape) -> str:
    return table.parent_key or "id"


def _keys(table: TableShape) -> Sequence[str]:
    """What tells the rows of the table apart."""
    return (table.parent_key, table.number) if table.parent_key else ("id",)


def _columns(table: TableShape) -> Sequence[str]:
    return [f'"{name}"' for name in table.schema.names]


def _compared(table: TableShape, column: str, owner: str = "") -> str:
    """The column as it is compared: JSON as text, as there is no equality of JSON elsewhere."""
    name = f'{owner}."{column}"' if owner else f'"{column}"'
    return f"cast({name} as varchar)" if column in table.json_columns else name


def _staged(table: str) -> str:
    """What the service sent of records that may be known."""
    return f'"staged_{table}"'

"""Comparison: records that may be stored already replace the stored ones if they differ."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pyarrow as pa

from wholesale.names import DELETED_AT, VALID_FROM
from wholesale.tables import Decoded, Ids, TableShape, concat, pack
from wholesale_elt.past import OBSERVED_AT, WATCHED, columns_in_log, literal, log_of, put_in_past
from wholesale_elt.warehouse import Raw

HELD = '"held"'
DIFFERING = '"differing"'
CANDIDATES = '"candidates"'
KEPT = '"kept"'
ID = pa.schema([pa.field("id", pa.string())])


class StagedRecords:
    """Records in temporary tables, which are compared there by the destination's SQL.

    The caller begins the transaction; `bytes` is the size of the staged Arrow data.
    """

    def __init__(self, raw: Raw) -> None:
        self.bytes = 0
        self._raw = raw
        self._shape: TableShape | None = None
        self._has_deleted = False

    @property
    def is_due(self) -> bool:
        """Whether anything is staged."""
        return self._shape is not None

    def stage(self, decoded: Decoded) -> None:
        """Stage these records, which have the same shape as those before."""
        if self._shape is None:
            self._shape = decoded.shape
            for table in decoded.tables:
                self._make(_staged(table), f"select * from {self._raw.name(table)} limit 0")
        for table, rows in decoded.tables.items():
            self._raw.append(_staged(table), rows)
            self.bytes += rows.nbytes
        self._has_deleted |= decoded.root[DELETED_AT].null_count < len(decoded.root)

    def replace_differing(self, moment: datetime) -> Ids:
        """Replace the stored records that differ from the staged ones in any row, and return their
        ids. Rows that differ are put in the past, until this moment."""
        assert self._shape is not None
        shape, self._shape, self.bytes = self._shape, None, 0
        if self._has_deleted:
            self._raw.execute(_keep_deletions(shape, self._raw))
            self._has_deleted = False
        self._find_differing(shape)
        differing = self._differing()
        if len(differing) and shape.table in WATCHED:
            self._raw.execute(_observed(shape, self._raw))
        for table in shape.tables:
            if len(differing):
                self._replace(table, moment)
            self._raw.execute(f"drop table {_staged(table.table)}")
        return differing

    def _replace(self, table: TableShape, moment: datetime) -> None:
        """Replace the rows of the differing records; a row that is as it was keeps its moment."""
        name, key, columns = self._raw.name(table.table), _key(table), ", ".join(_columns(table))
        is_theirs = f"{key} in (select id from {DIFFERING})"
        self._make(HELD, f"select {columns}, {VALID_FROM} from {name} where {is_theirs}")
        self._make(KEPT, _kept(table))
        is_kept = f"select 1 from {KEPT} as kept where {_same_key(table, 'kept', 'held')}"
        put_in_past(self._raw, table, HELD, f"not exists ({is_kept})", moment)
        self._raw.execute(f"delete from {name} where {is_theirs}")
        self._raw.execute(
            f"insert into {name} ({columns}, {VALID_FROM})"
            f" select {', '.join(_columns(table, 'staged'))},"
            f" case when kept.{key} is null then {literal(moment)} else kept.{VALID_FROM} end"
            f" from {_staged(table.table)} as staged"
            f" left join {KEPT} as kept on {_same_key(table, 'kept', 'staged')}"
            f" where staged.{is_theirs}"
        )

    def _find_differing(self, shape: TableShape) -> None:
        """Find the staged records that differ from the stored ones, or are not stored.

        Another order of the same entries is no difference.

        Tables are compared one by one and by key: all at once, or by whole rows, would take several
        times the memory. The stored rows of these records are copied to a temporary table first, as
        each scan of a whole table takes long.
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


def _keep_deletions(root: TableShape, raw: Raw) -> str:
    """A statement by which records that are deleted, and were before, keep the time."""
    staged, stored = _staged(root.table), raw.name(root.table)
    return (
        f"update {staged} set {DELETED_AT} = stored.{DELETED_AT} from {stored} as stored"
        f" where stored.id = {staged}.id and {staged}.{DELETED_AT} is not null"
        f" and stored.{DELETED_AT} is not null"
    )


def _observed(root: TableShape, raw: Raw) -> str:
    """A statement that logs the differing records whose logged columns differ."""
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
    """A query for the stored rows of the staged records."""
    ids = f"select id from {_staged(root.table)}"
    return f"select {', '.join(_columns(table))} from {stored} where {_key(table)} in ({ids})"


def _kept(table: TableShape) -> str:
    """A query for the keys of the held rows that were sent again as they are, with the moment since
    when they are so."""
    is_same = " and ".join(
        f"{_compared(table, name, 'staged')} is not distinct from {_compared(table, name, 'held')}"
        for name in table.schema.names
    )
    keys = ", ".join(f"held.{key}" for key in _keys(table))
    return (
        f"select {keys}, held.{VALID_FROM} from {HELD} as held"
        f" join {_staged(table.table)} as staged on {_same_key(table, 'staged', 'held')}"
        f" where {is_same}"
    )


def _changed(table: TableShape) -> str:
    """A query for the ids of records with rows that differ from the stored ones, or are new."""
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
    """A query for the ids of records with stored rows that were not sent again."""
    return (
        f"select {_key(table)} from {HELD} as held where not exists (select 1 from"
        f" {_staged(table.table)} as staged where {_same_key(table, 'staged', 'held')})"
    )


def _differing(table: TableShape) -> str:
    """A query for the ids of candidates whose entries differ, regardless of their order."""
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
    """The key columns of the table."""
    return (table.parent_key, table.number) if table.parent_key else ("id",)


def _same_key(table: TableShape, one: str, other: str) -> str:
    """The condition under which two rows have the same key."""
    return " and ".join(f"{one}.{key} = {other}.{key}" for key in _keys(table))


def _columns(table: TableShape, owner: str = "") -> Sequence[str]:
    prefix = f"{owner}." if owner else ""
    return [f'{prefix}"{name}"' for name in table.schema.names]


def _compared(table: TableShape, column: str, owner: str = "") -> str:
    """The column as it is compared; JSON as text, as not every destination can compare JSON."""
    name = f'{owner}."{column}"' if owner else f'"{column}"'
    return f"cast({name} as varchar)" if column in table.json_columns else name


def _staged(table: str) -> str:
    """The temporary table of staged rows."""
    return f'"staged_{table}"'

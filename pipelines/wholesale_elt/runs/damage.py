"""Damage: duplicate keys, lists with gaps, and entries without a record, which no load leaves.

They arise when somebody writes to the tables, or restores only some of them, and are found by
looking at the tables. If a record has lost all of its entries, or the last ones, that shows only in
the number of child rows, which each run notes; it does not show which record it is. Only an audit
finds a changed value.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from wholesale.api import Resource
from wholesale.compare import Stored
from wholesale.tables import TableShape
from wholesale_elt.runs.certificate import DIGEST
from wholesale_elt.runs.stored import StoredReader
from wholesale_elt.runs.tables import CHILD_ROWS
from wholesale_elt.warehouse import CERTIFICATES, Part, Raw, RawReader

log = logging.getLogger("wholesale.warehouse")

KEPT = "kept_of_each"


@dataclass(frozen=True, slots=True)
class Damage:
    """Ids of records that are stored twice, or whose entries are not numbered 1, 2, …; and how many
    ids have entries but no record."""

    ids: Sequence[str]
    orphans: int

    def __len__(self) -> int:
        return len(self.ids) + self.orphans


def repair(raw: Raw, reader: StoredReader, resource: Resource, shape: TableShape) -> Stored:
    """Repair the tables of a resource, and return what is stored: each key once, and no entry
    without its record.

    Records with missing entries count as changed, so that they are read again; if it is not known
    which those are, all records do.
    """
    damage = find_damage(raw, shape)
    if damage.ids or damage.orphans:
        log.warning(
            "%s: %d records are stored twice or in part, and read again; what is stored of %d"
            " others without a record is removed",
            resource.name,
            len(damage.ids),
            damage.orphans,
        )
        with raw.transaction():
            root = raw.name(shape.table)
            for child in shape.children:
                raw.execute(
                    f"delete from {raw.name(child.table)}"
                    f" where {child.parent_key} not in (select id from {root})"
                )
            forget_digests(raw, resource.name)
            for table in shape.tables:
                _keep_one_of_each(raw, table)
    stored = reader.read(resource, shape)
    if _has_lost_rows(raw, resource, shape):
        forget_digests(raw, resource.name)
        return stored.doubting_all()
    return stored.doubting(damage.ids)


def find_damage(raw: Raw, shape: TableShape) -> Damage:
    """Find the damage by looking at every key once."""
    ids: set[str] = set()
    orphans: set[str] = set()
    for part in raw.key_parts(shape):
        ids |= _find_repeated(raw, shape, part)
        for child in shape.children:
            broken = _find_broken(raw, shape, child, part)
            ids.update(key for key, is_orphan in broken if not is_orphan)
            orphans.update(key for key, is_orphan in broken if is_orphan)
    return Damage(tuple(sorted(ids)), len(orphans))


def _find_repeated(raw: Raw, shape: TableShape, part: Part) -> set[str]:
    """Ids that are stored more than once."""
    found = raw.rows(
        f"select id from {raw.name(shape.table)} where {part('id')} group by id having count(*) > 1"
    )
    return {key for (key,) in found}


def _find_broken(
    raw: Raw, shape: TableShape, child: TableShape, part: Part
) -> Sequence[tuple[str, bool]]:
    """Ids whose entries are not numbered 1, 2, …, or that have no record, and whether they lack it.

    The numbers are 1 to n if n is their count and greatest, and both power sums fit.
    """
    parent, number, last = child.parent_key, child.number, f"max({child.number})"
    is_whole = (
        f"count(*) = {last} and 2 * sum({number}) = {last} * ({last} + 1)"
        f" and 6 * sum({number} * {number}) = {last} * ({last} + 1) * (2 * {last} + 1)"
    )
    return raw.rows(
        f"with lists as (select {parent} as id, {is_whole} as is_whole"
        f" from {raw.name(child.table)} where {part(parent)} group by {parent}),"
        f" root as (select id from {raw.name(shape.table)} where {part('id')})"
        " select lists.id, root.id is null from lists left join root on root.id = lists.id"
        " where not lists.is_whole or root.id is null"
    )


def forget_digests(raw: Raw, resource: str) -> None:
    """Claim nothing any more of what this resource had, as something else than a sync changes it:
    the next run looks at all of it."""
    raw.execute(
        f"update {raw.name(CERTIFICATES)} set {DIGEST} = null"
        f" where resource = %s and {DIGEST} is not null",
        resource,
    )


def forget_later_digests(raw: Raw, run_id: str) -> None:
    """Claim nothing of runs that a clock which was ahead dated after this one: what this one writes
    counts for their moment too."""
    later = f"from {raw.name(CERTIFICATES)} where run_id > %s and {DIGEST} is not null"
    if raw.rows(f"select 1 {later} limit 1", run_id):
        raw.execute(
            f"update {raw.name(CERTIFICATES)} set {DIGEST} = null where run_id > %s", run_id
        )


def note_child_rows(raw: Raw, resource: Resource, shape: TableShape) -> None:
    """Note how many child rows the run leaves; to be committed with the last of them."""
    if shape.children:
        sql = f"insert into {raw.name(CHILD_ROWS)} (resource, child_rows) values (%s, %s)"
        raw.execute(sql, resource.name, _count(raw, shape))


def has_noted_child_rows(raw: Raw, shape: TableShape) -> bool:
    """Whether the last run noted its child rows, or there are no child tables."""
    return not shape.children or bool(_noted(raw, shape))


def forget_child_rows(raw: Raw, resource: str) -> None:
    """Forget the count of the last run; to be committed with the first rows that this run writes,
    as a run that is killed leaves another number."""
    raw.execute(f"delete from {raw.name(CHILD_ROWS)} where resource = %s", resource)


def _has_lost_rows(raw: Raw, resource: Resource, shape: TableShape) -> bool:
    """Whether the number of child rows differs from what the last run noted."""
    noted = _noted(raw, shape)
    if not noted:
        return False
    now = _count(raw, shape)
    if (now,) in noted:
        return False
    log.warning(
        "%s: %d rows of children are stored where the last run left %d, so that all is read again",
        resource.name,
        now,
        noted[0][0],
    )
    return True


def _noted(raw: RawReader, shape: TableShape) -> Sequence[tuple[int]]:
    return raw.rows(
        f"select child_rows from {raw.name(CHILD_ROWS)} where resource = %s", shape.table
    )


def _count(raw: RawReader, shape: TableShape) -> int:
    return sum(raw.count(child.table) for child in shape.children)


def _keep_one_of_each(raw: Raw, table: TableShape) -> None:
    """Keep one of several rows with the same key, no matter which."""
    name = raw.name(table.table)
    keys = f"{table.parent_key}, {table.number}" if table.parent_key else "id"
    columns = ", ".join(raw.quoted(column) for column in sorted(raw.column_names(table.table)))
    raw.execute(
        f"create temporary table {KEPT} as select {columns} from"
        f" (select *, row_number() over of_key as place, count(*) over of_key as places"
        f" from {name} window of_key as (partition by {keys})) as placed"
        " where place = 1 and places > 1"
    )
    raw.execute(f"delete from {name} where ({keys}) in (select {keys} from {KEPT})")
    raw.execute(f"insert into {name} ({columns}) select {columns} from {KEPT}")
    raw.execute(f"drop table {KEPT}")

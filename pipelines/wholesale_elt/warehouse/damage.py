"""Damage: rows as no load leaves them: a key twice, a list with gaps, entries of no record.

Somebody wrote to the tables, or put back a part of them. These are told from the tables alone; that
all entries of a record are missing, or that a value is another one, only an audit finds.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from wholesale.api import Resource
from wholesale.compare import Stored
from wholesale.tables import TableShape
from wholesale_elt.warehouse.raw import Raw

log = logging.getLogger("wholesale.warehouse")

KEPT = "kept_of_each"


@dataclass(frozen=True, slots=True)
class Damage:
    """Ids of records that are stored twice, or whose entries are not numbered from 1 on; and how
    many others have entries and no record."""

    ids: Sequence[str]
    orphans: int

    def __len__(self) -> int:
        return len(self.ids) + self.orphans


def repair(raw: Raw, resource: Resource, shape: TableShape) -> Stored:
    """What is stored of a resource, once each key is there once and no entry without its record.

    Records whose entries are not all there count as changed, so that they are read again.
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
            for table in shape.tables:
                _keep_one_of_each(raw, table)
    return raw.stored(resource, shape).doubting(damage.ids)


def find_damage(raw: Raw, shape: TableShape) -> Damage:
    """Look at every key, once."""
    root = raw.name(shape.table)
    ids = {key for (key,) in raw.rows(f"select id from {root} group by id having count(*) > 1")}
    orphans: set[str] = set()
    for child in shape.children:
        number, last = child.number, f"max({child.number})"
        # As many as the greatest, with the sums of 1 to that and of their squares: all of them.
        is_whole = (
            f"count(*) = {last} and 2 * sum({number}) = {last} * ({last} + 1)"
            f" and 6 * sum({number} * {number}) = {last} * ({last} + 1) * (2 * {last} + 1)"
        )
        found = raw.rows(
            f"select lists.id, root.id is null from (select {child.parent_key} as id,"
            f" {is_whole} as is_whole from {raw.name(child.table)} group by {child.parent_key})"
            f" as lists left join (select distinct id from {root}) as root on root.id = lists.id"
            " where not lists.is_whole or root.id is null"
        )
        ids.update(key for key, is_orphan in found if not is_orphan)
        orphans.update(key for key, is_orphan in found if is_orphan)
    return Damage(tuple(sorted(ids)), len(orphans))


def _keep_one_of_each(raw: Raw, table: TableShape) -> None:
    """Of rows with the same key keep one, whichever."""
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

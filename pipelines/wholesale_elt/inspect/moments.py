"""Moments: the rows of a table as they were at two moments, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from wholesale.api import ColumnType
from wholesale.names import DELETED_AT, VALID_FROM, VALID_TO
from wholesale_elt.inspect.kinds import BEFORE, NOW, ORDERS
from wholesale_elt.inspect.stored_tables import StoredTable
from wholesale_elt.past import literal, past_of, rows_as_of, rows_that_differ, written_between
from wholesale_elt.runs import as_utc
from wholesale_elt.warehouse import RawReader

NUMBER = "order_number"
CHANGED_AT = "changed_at"
MOST_NAMED = 1_000
"""Ids that a query names; to find them again costs more."""
TEXTS = ("key", "text", "json", "texts")
"""Types of columns that are read as text."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Moments:
    """Two moments of what is stored."""

    raw: RawReader
    since: datetime
    until: datetime

    def touched(self, *tables: StoredTable) -> str | None:
        """A query for the ids of records of which something was written in these tables, which
        names them if they are few; None if there are none."""
        query = " union ".join(
            f"select {table.keys[0]} as id from ({query}) as written"
            for table in tables
            for query in written_between(self.raw, table.table, self.since, self.until)
        )
        ids = self.raw.rows(f"select id from ({query}) as touched limit {MOST_NAMED + 1}")
        if len(ids) > MOST_NAMED:
            return query
        named = ", ".join("('{}')".format(key.replace("'", "''")) for (key,) in ids)
        return f"select id from (values {named}) as named(id)" if named else None

    def numbers_of_alive(self, root: StoredTable, touched: str) -> Mapping[str, str | None]:
        """The number of each order, or None of another record, that was there and still is."""
        columns = ["id", NUMBER] if root.table == ORDERS else ["id", "null"]
        found: list[dict[str, str | None]] = []
        for moment in (self.since, self.until):
            there = f"{DELETED_AT} is null and id in (select id from ({touched}) as touched)"
            found.append(
                dict(self.raw.rows(rows_as_of(self.raw, root.table, columns, moment, there)))
            )
        was, now = found
        return {key: number for key, number in now.items() if key in was}

    def pairs(self, table: StoredTable, touched: str | None, *told: str) -> Iterator[Any]:
        """The keys of each row, the row of before, `was`, that of after, `today`, since when it is
        so, and what is `told` of both in SQL: of the records `touched`, or by default what was
        written alone."""
        raw, keys = self.raw, table.keys
        names = [raw.quoted(name) for name in table.columns]
        columns = [
            raw.as_text(name) if type_ in TEXTS else raw.quoted(name)
            for name, type_ in table.columns.items()
        ]
        columns.append(VALID_FROM)
        moments = (self.since, self.until)
        if touched:
            is_touched = f"{keys[0]} in (select id from ({touched}) as touched)"
            rows = [rows_as_of(raw, table.table, columns, each, is_touched) for each in moments]
        else:
            rows = [*rows_that_differ(raw, table.table, columns, *moments)]
        sides = dict(zip((BEFORE, NOW), rows, strict=True))
        listed = ", ".join(raw.quoted(key) for key in keys)
        gone = (
            f"select {listed}, max({VALID_TO}) as gone_at from {raw.name(past_of(table.table))}"
            f" where {VALID_TO} > {literal(self.since)} and {VALID_TO} <= {literal(self.until)}"
            f" group by {listed}"
        )
        selected = [
            f"{side}.{name} as {side}_{place}" for side in sides for place, name in enumerate(names)
        ] + [f"{each} as told_{place}" for place, each in enumerate(told)]
        is_same, was_there = (
            " and ".join(f"{left}.{raw.quoted(key)} = {right}.{raw.quoted(key)}" for key in keys)
            for left, right in (("was", "today"), ("gone", "was"))
        )
        order = ", ".join(f"coalesce(today.{name}, was.{name})" for name in map(raw.quoted, keys))
        sql = (
            f"select {', '.join(selected)}, coalesce(today.{VALID_FROM}, gone.gone_at)"
            f" as {CHANGED_AT} from ({sides['was']}) as was"
            f" full join ({sides['today']}) as today on {is_same}"
            f" left join ({gone}) as gone on {was_there} order by {order}"
        )
        wide: dict[str, ColumnType] = {
            f"{side}_{place}": type_
            for side in sides
            for place, type_ in enumerate(table.columns.values())
        }
        wide |= {f"told_{place}": "text" for place in range(len(told))}
        width = len(names)
        for row in raw.each(sql, wide | {CHANGED_AT: "timestamp"}):
            before, after = (
                dict(zip(table.columns, side, strict=True))
                for side in (row[:width], row[width : 2 * width])
            )
            found, at = after if after[keys[0]] is not None else before, row[-1]
            key = tuple(found[name] for name in keys)
            yield (
                key,
                _without(before, keys),
                _without(after, keys),
                at and as_utc(at),
                *row[2 * width : -1],
            )


def _without(row: dict[str, Any], keys: Sequence[str]) -> Row | None:
    """The row without its keys; None if it is not there."""
    first, *_ = [row.pop(key) for key in keys]
    return None if first is None else row

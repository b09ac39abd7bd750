"""Making: the tables of a build in PostgreSQL, in one transaction that holds up no reader.

Rows are replaced in the tables in force: grants and the views of others stay, and readers see what
was there until the commit. What has other columns than before, or another query, is made in a
schema beside it, and takes its place at the end: only then, for a moment, readers have to wait.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wholesale_elt.warehouse.raw import Raw

NEXT = "__next"
JOINED = {"order_id", "vendor_id", "buyer_id", "item_id", "updated_at"}
"""Columns that people join by, or look for what is new by: tables have an index of each."""


def primary_key(columns: Sequence[str]) -> str:
    """A key that is held at the commit: rows may be replaced in any order before, and the tests of
    a build find two rows of one key, and show them."""
    names = ", ".join(f'"{name}"' for name in columns)
    return f"primary key ({names}) deferrable initially deferred"


class Making:
    """The tables of one build; `raw` is in a transaction."""

    def __init__(self, raw: "Raw", schemas: Sequence[str], temporary: str) -> None:
        self._raw = raw
        self._temporary = f"{temporary}{NEXT}"
        self._schemas = schemas
        self._last: list[str] = []
        for schema in schemas:
            raw.execute(f'create schema if not exists "{schema}"')
        for schema in (temporary, *schemas):
            raw.execute(f'drop schema if exists "{schema}{NEXT}" cascade')
            raw.execute(f'create schema "{schema}{NEXT}"')
        beside = [f"{schema}{NEXT}" for schema in (temporary, *schemas)]
        raw.execute(f"set local search_path = {', '.join((*beside, *schemas))}")

    def make_view(self, schema: str, name: str, sql: str) -> None:
        beside = f'"{schema}{NEXT}"."{name}"'
        self._raw.execute(f"create view {beside} as {sql}")
        view = f'"{schema}"."{name}"'
        before, after = self._columns(view), self._columns(beside)
        if before != after[: len(before)]:
            self._last += [f"drop view if exists {view} cascade", f"create view {view} as {sql}"]
        elif self._definition(view) != self._definition(beside):
            self._last.append(f"create or replace view {view} as {sql}")

    def make_table(
        self, schema: str, name: str, columns: Mapping[str, str], sql: str, key: Sequence[str]
    ) -> None:
        listed = ", ".join(f'"{column}"' for column in columns)
        declared = ", ".join(f'"{column}" {type_}' for column, type_ in columns.items())
        table, beside = f'"{schema}"."{name}"', f'"{schema}{NEXT}"."{name}"'
        self._raw.execute(f"create table {beside} ({declared})")
        is_as_before = self._columns(table) == self._columns(beside)
        if is_as_before and self._key(table) == list(key):
            self._raw.execute(f"drop table {beside}")
            self._raw.execute(f"delete from {table}")
        else:
            self._last.append(f"drop table if exists {table} cascade")
            self._last.append(f'alter table {beside} set schema "{schema}"')
            table = beside
        self._raw.execute(f"insert into {table} ({listed}) select {listed} from ({sql}) as made")
        if table == beside:
            self._index(table, columns, key)
        self._raw.execute(f"analyze {table}")  # the next queries are planned by it

    def types_of_query(self, name: str, sql: str) -> Sequence[tuple[str, str]]:
        place = f'"{self._temporary}"."{name}"'
        self._raw.execute(f"create view {place} as {sql}")
        found = self._columns(place)
        self._raw.execute(f"drop view {place}")
        return found

    def make_temporary(self, name: str, sql: str, *, is_view: bool) -> None:
        kind, place = "view" if is_view else "table", f'"{self._temporary}"."{name}"'
        self._raw.execute(f"create {kind} {place} as {sql}")
        if not is_view:
            self._raw.execute(f"analyze {place}")

    def put_in_force(self) -> None:
        for statement in self._last:
            self._raw.execute(statement)
        for schema in (self._temporary, *(f"{schema}{NEXT}" for schema in self._schemas)):
            self._raw.execute(f'drop schema "{schema}" cascade')

    def _index(self, table: str, columns: Collection[str], key: Sequence[str]) -> None:
        if key:
            self._raw.execute(f"alter table {table} add {primary_key(key)}")
        for name in JOINED & {*columns} - {*key[:1]}:
            self._raw.execute(f'create index on {table} ("{name}")')

    def _key(self, table: str) -> Sequence[str]:
        """The columns of its primary key."""
        rows = self._raw.rows(
            "select attname from pg_index"
            " cross join unnest(indkey) with ordinality as keys(n, place)"
            " inner join pg_attribute on attrelid = indrelid and attnum = n"
            " where indrelid = to_regclass(%s) and indisprimary order by place",
            table,
        )
        return [name for (name,) in rows]

    def _columns(self, table: str) -> Sequence[tuple[str, str]]:
        return self._raw.rows(
            "select attname, format_type(atttypid, atttypmod) from pg_attribute"
            " where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped order by attnum",
            table,
        )

    def _definition(self, view: str) -> str | None:
        ((found,),) = self._raw.rows("select pg_get_viewdef(to_regclass(%s))", view)
        return found if found is None else str(found)

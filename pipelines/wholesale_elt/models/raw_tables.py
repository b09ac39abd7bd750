"""Raw tables as the models read them: with all declared columns, whichever there are.

A query that reads `declared_orders` is put into one that says what it is: a table that was not
synced has no rows; a column that is not there, and a value that does not fit its type, is NULL.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wholesale_elt.models.project import EXTRA, Check, Field, Model, Project, RawColumn, names_in
from wholesale_elt.models.rendering import DECIMAL, TYPES, personal_name
from wholesale_elt.warehouse import RAW_DATASET

PREFIX = "declared_"
SAME: Mapping[str, frozenset[str]] = {
    "text": frozenset({"text", "varchar", "charactervarying"}),
    "timestamptz": frozenset({"timestampwithtimezone", "timestamp(6)withtimezone"}),
    "decimal(38,9)": frozenset({"numeric(38,9)"}),
    "json": frozenset({"jsonb"}),
}
"""Other names of types, as information schemas have them."""
STORED: Mapping[str, str] = {
    **{"string": "text", "timestamp": "timestamptz"},  # of Spark
    **{name.replace(" ", ""): name for name in TYPES.values()},
    **{name: TYPES.get(own, TYPES[DECIMAL]) for own, names in SAME.items() for name in names},
}
"""How we call the types that a database tells."""


@dataclass(frozen=True, slots=True)
class RawTables:
    """The declared columns of all raw tables, and those that there are, with their types, in
    `schema`; names stand in `quote`s."""

    declared: Mapping[str, Mapping[str, RawColumn]]
    found: Mapping[str, Mapping[str, str]]
    schema: str
    quote: str
    fields: Sequence[Field] = ()
    """The undocumented fields that models read too."""

    def declare(self, sql: str) -> str:
        """The query with a definition of each raw table that it reads."""
        words = names_in(sql)
        parts = [
            f"{PREFIX}{table} as (\n{self._query(table)}\n)"
            for table in self.declared
            if f"{PREFIX}{table}" in words
        ]
        return f"with {', '.join(parts)}\nselect * from (\n{sql}\n) as made" if parts else sql

    def _query(self, table: str) -> str:
        if table == EXTRA and (queries := list(self._extra())):
            return "\nunion all\n".join(queries)
        found = self.found.get(table, {})
        columns = ",\n    ".join(
            f"{self._selected(name, column, found.get(name))} as {self._quoted(name)}"
            for name, column in self.declared[table].items()
        )
        place = f"{self._quoted(self.schema)}.{self._quoted(table)}"
        rows = f"from {place}" if found else "where false"
        return f"select\n    {columns}\n{rows}"

    def _extra(self) -> Iterator[str]:
        """A query for each of these fields that there is, and that is not personal."""
        columns = self.declared[EXTRA]
        for field in self.fields:
            table, name = field.table, field.name
            found = self.found.get(table, {})
            if name in found and not personal_name(name):
                is_typed = self._selected(name, self.declared[table][name], found[name])
                told = (
                    *(f"'{table}'", self._quoted("id"), f"'{name}'", self._quoted(name)),
                    f"({is_typed}) is not null",
                )
                values = ", ".join(
                    f"cast({value} as {column.type}) as {self._quoted(title)}"
                    for value, (title, column) in zip(told, columns.items(), strict=True)
                )
                place = f"{self._quoted(self.schema)}.{self._quoted(table)}"
                yield f"select {values} from {place} where {self._quoted(name)} is not null"

    def _selected(self, name: str, column: RawColumn, found: str | None) -> str:
        if found is None:
            return f"cast(null as {column.type})"
        wanted = column.type.replace(" ", "")
        is_same = found == wanted or found in SAME.get(wanted, ())
        return self._quoted(name) if is_same else column.cast

    def _quoted(self, name: str) -> str:
        return f"{self.quote}{name}{self.quote}"


def typed(fields: Sequence[Field], found: Mapping[str, Mapping[str, str]]) -> tuple[Field, ...]:
    """The fields, each with a type: the one in which it is stored if none is given, and text if it
    is not stored yet."""
    return tuple(
        replace(
            each,
            type=each.type or STORED.get(found.get(each.table, {}).get(each.name, ""), "text"),
        )
        for each in fields
    )


def declared(
    project: Project,
    found: Mapping[str, Mapping[str, str]],
    schema: str = RAW_DATASET,
    quote: str = '"',
) -> Project:
    """The project with queries that read the raw tables that there are."""
    tables = RawTables(project.raw, found, schema, quote, project.fields)

    def model(model: Model) -> Model:
        return replace(model, sql=tables.declare(model.sql))

    def check(check: Check) -> Check:
        return replace(check, sql=tables.declare(check.sql))

    return replace(
        project,
        models=[model(entry) for entry in project.models],
        checks=[check(entry) for entry in project.checks],
        digests=tables.declare(project.digests),
        inputs=tables.declare(project.inputs),
    )

"""Lineage: what each column of a model is made of, down to the raw tables; read off the SQL.

A column's inputs are the columns whose values, or choices by their values, end up in it. Columns
that are only used to join, filter or group are not inputs.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope, find_all_in_scope
from sqlglot.schema import MappingSchema

from wholesale.api import PERSONAL_FIELDS
from wholesale_elt.models.own import read_added, read_extra_fields
from wholesale_elt.models.project import Model, Project
from wholesale_elt.models.raw_tables import PREFIX
from wholesale_elt.models.rendering import NotRendered, Own, read_project
from wholesale_elt.warehouse import RAW_DATASET, DuckDBRaw

DIALECT = DuckDBRaw.dialect.name
MAP = re.compile(r'(?<![\w".])map(?=\s+(?:between|end|as)\b)')
"""A column of that name, which DuckDB takes without quotes, and the parser for a type."""
UNKNOWN = "text"
"""The type of a column that is not declared."""
BELONGS_TO = "belongs_to"
"""The kind of test that is about one column."""


@dataclass(frozen=True, slots=True)
class ColumnLineage:
    """A column: its type by the contract of its model, and its inputs as `schema.table.column`."""

    type: str
    inputs: Sequence[str]


@dataclass(frozen=True, slots=True)
class ModelLineage:
    """A model: the tables that it reads, as `schema.table`, and its columns by name."""

    inputs: Sequence[str]
    columns: Mapping[str, ColumnLineage]


@dataclass(frozen=True, slots=True)
class DataTest:
    """A test: the `schema.table` that it is about, its kind, and its column if it has one."""

    table: str
    kind: str
    column: str | None


@dataclass(frozen=True, slots=True)
class Lineage:
    """The models by `schema.table` as they are in force, and the tests by their names."""

    models: Mapping[str, ModelLineage]
    checks: Mapping[str, DataTest]

    def raw_tables(self) -> Sequence[str]:
        """The raw tables that models read, as `schema.table`."""
        read = {table for model in self.models.values() for table in model.inputs}
        return sorted(table for table in read if is_raw(table))

    def behind(self, table: str, column: str) -> Sequence[str]:
        """All columns that one is made of, `schema.table.column`, the raw ones among them."""
        found: set[str] = set()
        ahead = [f"{table}.{column}"]
        while ahead:
            name, _, of = ahead.pop().rpartition(".")
            model = self.models.get(name)
            inputs = model.columns[of].inputs if model and of in model.columns else ()
            ahead += [entry for entry in inputs if entry not in found]
            found.update(inputs)
        return sorted(found)


def is_raw(name: str) -> bool:
    """Whether a sync writes that table or column."""
    return name.startswith(f"{RAW_DATASET}.")


def read_lineage() -> Lineage:
    """The lineage of the SQL that there is, with what users added; to read it takes two seconds."""
    try:
        added = read_added()
        return _read_lineage(added.digest, added.own)
    except (NotRendered, SqlglotError):  # a build says it
        own = Own(fields=read_extra_fields())
        return _read_lineage(repr(own), own)


_lineages: dict[str, Lineage] = {}
"""By the digest of what users added."""


def _read_lineage(digest: str, own: Own) -> Lineage:
    if digest not in _lineages:
        _lineages[digest] = _lineage_of(read_project(DuckDBRaw.dialect, own=own))
    return _lineages[digest]


def _lineage_of(project: Project) -> Lineage:
    places = {model.name: f"{model.schema}.{model.name}" for model in project.models}
    places |= {f"{PREFIX}{table}": f"{RAW_DATASET}.{table}" for table in project.raw}
    known = MappingSchema(dialect=DIALECT)
    for table, columns in project.raw.items():
        known.add_table(f"{PREFIX}{table}", {name: of.type for name, of in columns.items()})
    models = {
        places[model.name]: _model(model, parse_one(_plain(model.sql), read=DIALECT), places, known)
        for model in project.models
    }
    return Lineage(dict(sorted(models.items())), dict(_checks(project, places)))


def _plain(sql: str) -> str:
    return MAP.sub('"map"', sql)


def _model(
    model: Model, parsed: exp.Expr, places: Mapping[str, str], known: MappingSchema
) -> ModelLineage:
    """The lineage of a model, whose columns are `known` from then on; those of views, which declare
    none, are those of their query."""
    tables = {table.name for table in parsed.find_all(exp.Table)}
    query = qualify(parsed, schema=known, dialect=known.dialect, validate_qualify_columns=False)
    columns = dict(model.columns) or dict.fromkeys(cast(exp.Query, query).named_selects, UNKNOWN)
    known.add_table(model.name, columns)
    trace, scope = _Trace(places), build_scope(query)
    return ModelLineage(
        sorted(places[name] for name in tables - {model.name} if name in places),
        {
            name: ColumnLineage(type_, sorted(trace.inputs(name, scope) if scope else ()))
            for name, type_ in columns.items()
        },
    )


def personal_inputs(
    models: Iterable[Model], columns: Mapping[str, Mapping[str, str]], dialect: str
) -> Mapping[tuple[str, str], str]:
    """The columns of these models that hold what can identify a person, by model and name, with the
    column that they have it from; `columns` are those of the tables that the models read.

    Our own models keep the API's names of such fields, so names tell it. A count, and whether there
    is a value, identify nobody. Where a column cannot be traced it may be any of its tables.
    Raises: NotRendered for a query that cannot be read.
    """
    known = MappingSchema(dialect=dialect)
    for table, of in columns.items():
        known.add_table(table, dict(of))
    places = {table: table for table in columns}
    seen = {table: PERSONAL_FIELDS & of.keys() for table, of in columns.items()}
    found: dict[tuple[str, str], str] = {}
    for model in models:
        try:
            parsed = parse_one(_plain(model.sql), read=dialect).transform(_without_counts)
        except SqlglotError:
            what = "what its columns are made of, and so whether one can identify a person, cannot"
            raise NotRendered(model.file, None, f"{what} be told: write it more simply") from None
        read = {table.name for table in parsed.find_all(exp.Table) if table.name in seen}
        lineage = _model(model, parsed, {**places, model.name: model.name}, known)
        is_traced = not any(
            isinstance(each, exp.Star | exp.Pivot | exp.Columns) or not each.args.get("table")
            for each in parsed.find_all(exp.Column, exp.Star, exp.Pivot, exp.Columns)
        )
        any_of = [f"{table}.{name}" for table in sorted(read) for name in sorted(seen[table])]
        own = set[str]()
        places[model.name] = model.name
        for name, column in lineage.columns.items():
            inputs = column.inputs if is_traced else any_of
            told = (each for each in inputs if _is_personal(each, seen))
            if source := next(told, name if name in PERSONAL_FIELDS else None):
                own.add(name)
                found[model.name, name] = source
        seen[model.name] = frozenset(own)
    return found


def _is_personal(place: str, seen: Mapping[str, Collection[str]]) -> bool:
    table, _, name = place.rpartition(".")
    return name in seen.get(table, ())


def _without_counts(node: exp.Expr) -> exp.Expr:
    return exp.Literal.number(1) if isinstance(node, exp.Count | exp.Is) else node


@dataclass(frozen=True, slots=True)
class _Trace:
    """Follows columns of a query to the tables in `places`, each column of a part once."""

    places: Mapping[str, str]
    seen: dict[tuple[int, str | int], frozenset[str]] = field(default_factory=dict)

    def inputs(self, column: str | int, scope: Scope) -> frozenset[str]:
        """The inputs of a column, given by its name, or in a union by its place."""
        key = (id(scope), column)
        if key not in self.seen:
            self.seen[key] = frozenset()
            self.seen[key] = frozenset(self._follow(column, scope))
        return self.seen[key]

    def _follow(self, column: str | int, scope: Scope) -> Iterator[str]:
        query = cast(exp.Query, scope.expression)
        if isinstance(query, exp.SetOperation):
            names = query.named_selects
            place = column if isinstance(column, int) else names.index(column)
            for part in scope.set_operation_scopes:
                yield from self.inputs(place, part)
            return
        selected = query.selects[column] if isinstance(column, int) else _named(query, column)
        if selected is None:
            return
        within = {id(part.expression): part for part in scope.subquery_scopes}
        for subquery in find_all_in_scope(selected, *exp.UNWRAPPED_QUERIES):
            for name in subquery.named_selects:
                yield from self.inputs(name, within[id(subquery)])
        for read in find_all_in_scope(selected, exp.Column):
            source = scope.sources.get(read.table)
            if isinstance(source, Scope):
                yield from self.inputs(read.name, source)
            elif isinstance(source, exp.Table) and source.name in self.places:
                yield f"{self.places[source.name]}.{read.name}"


def _named(query: exp.Query, name: str) -> exp.Expr | None:
    return next((entry for entry in query.selects if entry.alias_or_name == name), None)


def _checks(project: Project, places: Mapping[str, str]) -> Iterable[tuple[str, DataTest]]:
    """The tests. A test of a kind is named by its kind, its table, and what it is told; it is about
    the first of the tables that it reads."""
    for check in project.checks:
        reads = parse_one(check.sql, read=DIALECT).find_all(exp.Table)
        table = next(table.name for table in reads if table.name in places)
        kind, is_of_kind, told = check.name.partition(f"_{table}_")
        column = told.partition("__")[0] if kind == BELONGS_TO else None
        yield check.name, DataTest(places[table], kind if is_of_kind else check.name, column)

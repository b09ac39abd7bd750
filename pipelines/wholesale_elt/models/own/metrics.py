"""Metrics: what users count, in the format of our own metrics, held against ours and the tables."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import duckdb

from wholesale_elt.models.project import Field
from wholesale_elt.models.rendering import (
    NotRendered,
    Own,
    Unknown,
    is_named_well,
    line_of,
    own_models,
    own_yaml,
)
from wholesale_elt.process import budget

REF = re.compile(r"\s*ref\(\s*['\"](\w+)['\"]\s*\)\s*")
AMOUNT = "_amount"
"""How a sum is called that is one of money."""
NUMBERS = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(\d+,0\))$")
TIME, DAY, DATE = "time", "agg_time_dimension", "date"
Entry = Mapping[str, Any]


class Said(NamedTuple):
    """An entry of a file, below a section of it."""

    path: str
    section: str
    entry: Entry

    def wrong(self, own: Own, what: str) -> NotRendered:
        text = own.files[self.path]
        name = self.entry["name"]
        return NotRendered(
            self.path, line_of(text, f"{self.section}:", f"name: {name}"), f"{name}: {what}"
        )


@dataclass(frozen=True, eq=False)
class OwnMetrics:
    """Semantic models with the table that they count, and metrics, as the YAML has them."""

    tables: Sequence[tuple[str, Entry]] = ()
    metrics: Sequence[Entry] = ()
    fields: Sequence[Field] = ()
    """Undocumented fields that are dimensions, too."""


def own_metrics(own: Own, ours: Mapping[str, Any]) -> OwnMetrics:
    """What users count; `ours` is the file of our own metrics.

    Raises: NotRendered for a name that is taken or unknown, and for what would be ignored.
    """
    their_models = {model["name"] for model in own_models(own)}
    our_tables = {found[1] for m in ours["semantic_models"] if (found := REF.fullmatch(m["model"]))}
    taken = {measure["name"] for model in ours["semantic_models"] for measure in model["measures"]}
    measures = dict[str, tuple[str, Entry]]()
    counted_by = {
        measure["name"]: REF.fullmatch(model["model"])
        for model in ours["semantic_models"]
        for measure in model["measures"]
    }
    known: dict[str, str] = {  # the table of each metric that a ratio may have, else nothing
        metric["name"]: found[1] if found else ""
        for metric in ours["metrics"]
        for found in (counted_by.get(metric["type_params"].get("measure")),)
    }
    tables, metrics = list[tuple[str, Entry]](), list[Entry]()
    for said in _entries(own, "semantic_models"):
        table = _table(own, said, their_models | our_tables)
        if table in our_tables:
            _require_no_dimensions(own, said, table)
        else:
            _require_one_day(own, said)
        own_measures = list(map(_summed, said.entry.get("measures") or ()))
        for each in own_measures:
            if each["name"] in taken:
                what = f"a measure is called {each['name']} already: give yours another name"
                raise said.wrong(own, what)
            taken.add(each["name"])
            measures[each["name"]] = table, each
        if table not in our_tables and table in dict(tables):
            raise said.wrong(own, f"{table} is counted already: put both in one entry")
        tables.append((table, {**said.entry, "measures": own_measures}))
    their_dimensions = {d["name"] for _, entry in tables for d in entry.get("dimensions") or ()}
    for said in _entries(own, "metrics"):
        name, parameters = said.entry["name"], said.entry["type_params"]
        measure: Entry | None = None
        if name in known:
            raise said.wrong(own, "a metric is called so already: give yours another name")
        if any(name == field.column for field in own.fields):
            raise said.wrong(own, "a column of an extra field is called so: give it another name")
        if not is_named_well(name):
            raise said.wrong(own, "use small letters, digits and _ for its name")
        if name in their_dimensions:
            raise said.wrong(own, "a dimension is called so: give one of them another name")
        if said.entry["type"] == "simple":
            _require(own, said, "measure", parameters, measures)
            known[name], measure = measures[parameters["measure"]]
        else:
            parts = ("numerator", "denominator")
            of = {known[_require(own, said, part, parameters, known)] for part in parts}
            if len(of) > 1 or "" in of:
                what = "a ratio is one of two sums or numbers of one table, and of no other ratio"
                raise said.wrong(own, what)
            known[name] = ""
        metrics.append(_completed(said.entry, measure))
    return OwnMetrics(tables, metrics, own.fields)


def require_countable(
    own: Own, counted: OwnMetrics, columns: Mapping[str, Sequence[tuple[str, str]]]
) -> None:
    """Hold what is counted against the tables, by name with their `columns` and types.

    Raises: NotRendered for an expression that DuckDB, which answers figures, does not take, and for
    a sum that would be rounded.
    """
    with budget.connect() as connection:
        functions = connection.execute("select function_name from duckdb_functions()").fetchall()
        for said in _entries(own, "metrics"):
            if (said.entry["name"],) in functions:
                raise said.wrong(own, "a function of DuckDB is called so: give it another name")
        for said, (table, _) in zip(_entries(own, "semantic_models"), counted.tables, strict=True):
            declared = ", ".join(f'"{name}" {_type(type_)}' for name, type_ in columns[table])
            connection.execute(f"create or replace table {table} ({declared})")
            types = {name: type_.lower() for name, type_ in columns[table]}
            for dimension in said.entry.get("dimensions") or ():
                column = dimension.get("expr") or dimension["name"]
                if column not in types:
                    raise said.wrong(own, str(Unknown(f"column of {table}", column, types)))
                if dimension["type"] == TIME and types[column] != DATE:
                    what = f"its days are in {column}, of type {types[column]}: give {table} a date"
                    raise said.wrong(own, what)
            for measure in said.entry.get("measures") or ():
                _require_sum(own, connection, said, table, measure)


def _require_sum(
    own: Own, connection: duckdb.DuckDBPyConnection, said: Said, table: str, measure: Entry
) -> None:
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    from wholesale_elt.models.own.making import without_place

    name, expression = measure["name"], measure["expr"]
    here = said._replace(entry=measure)
    try:
        if isinstance(parse_one(expression, read="duckdb"), exp.Query):
            raise here.wrong(own, "is a query, and not an expression of columns")
        [(_, type_, *_)] = connection.execute(
            f"describe select ({expression}) as value from {table}"
        ).fetchall()
    except SqlglotError:
        raise here.wrong(own, f"{expression!r} is no expression of columns") from None
    except duckdb.Error as error:
        raise here.wrong(own, without_place(error)) from None
    if measure["agg"] == "count_distinct":
        return
    if name.endswith(AMOUNT) and (type_.startswith("DECIMAL") or NUMBERS.match(type_)):
        return
    if not NUMBERS.match(type_):
        what = (
            f"it adds up {type_}: call a sum of money {name}{AMOUNT}"
            if type_.startswith("DECIMAL")
            else f"it adds up {type_}, which is not exact: use whole numbers, or decimals for money"
        )
        raise here.wrong(own, what)


def _type(type_: str) -> str:
    """A type of PostgreSQL or of our models as DuckDB has it."""
    return "json" if type_ == "jsonb" else type_


def _entries(own: Own, section: str) -> Iterator[Said]:
    for path, text in own.files.items():
        if path.endswith((".yml", ".yaml")):
            for entry in own_yaml(path, text).get(section) or ():
                yield Said(path, section, entry)


def _require_no_dimensions(own: Own, said: Said, table: str) -> None:
    for given in ("dimensions", "defaults"):
        if said.entry.get(given):
            raise said.wrong(own, f"leave out its {given}: those of {table} are ours")


def _require_one_day(own: Own, said: Said) -> None:
    """Its dimension of time is the one that its defaults name."""
    days = [each["name"] for each in said.entry.get("dimensions") or () if each["type"] == TIME]
    day = (said.entry.get("defaults") or {}).get(DAY)
    if day and day not in days:
        raise said.wrong(
            own, f"{DAY} is no dimension of type time: there is {', '.join(days) or 'none'}"
        )
    if others := [name for name in days if name != day]:
        what = f"{others[0]} is of type time, but not the {DAY} of its defaults: name it there"
        raise said.wrong(own, what)


def _table(own: Own, said: Said, known: set[str]) -> str:
    found = REF.fullmatch(said.entry["model"])
    if found is None:
        raise said.wrong(own, f"{said.entry['model']!r} is no model: write ref('fct_orders')")
    if found[1] not in known:
        raise said.wrong(own, str(Unknown("model to count", found[1], known)))
    return found[1]


def _require(
    own: Own, said: Said, what: str, parameters: Mapping[str, str | None], known: Collection[str]
) -> str:
    name = parameters.get(what)
    if name is None:
        raise said.wrong(own, f"its type_params lack {what}")
    if name not in known:
        raise said.wrong(own, str(Unknown(what, name, known)))
    return name


def _summed(measure: Entry) -> Entry:
    """The sum of what may be unknown: it is 0 where nothing counts, NULL where none of it is known,
    as that of `case when … then … end` is."""
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        parsed = parse_one(measure["expr"], read="duckdb")
    except SqlglotError:  # it is held against the tables later
        return measure
    if measure["agg"] != "sum" or isinstance(parsed, exp.Case):
        return measure
    return {**measure, "expr": f"case when true then {measure['expr']} end"}


def _completed(metric: Entry, measure: Entry | None) -> Entry:
    """With a label, and the columns that its measure reads."""
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    label = metric.get("label") or metric["name"].replace("_", " ").capitalize()
    columns: list[str] = []
    if measure:
        with suppress(SqlglotError):
            parsed = parse_one(measure["expr"], read="duckdb")
            columns = list(dict.fromkeys(column.name for column in parsed.find_all(exp.Column)))
    meta = {"columns": columns, **(metric.get("config") or {}).get("meta", {})}
    return {"description": "", **metric, "label": label, "config": {"meta": meta}}

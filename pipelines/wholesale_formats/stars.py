"""Stars: each fact with the dimensions and metrics that a published file has all columns for.

As one wide table: the columns that metrics count, and a column a dimension, so that a tool that
knows no joins can read it, and none can join wrongly.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wholesale_elt.figures import Fact, Join, Metric, heading_of, read_facts, read_metrics
from wholesale_elt.models import OWN_SCHEMA, PUBLIC, read_contract
from wholesale_elt.warehouse import open_file

DATABASE = "wholesale"
"""What the published file is attached as."""
TITLES: Mapping[str, str] = {
    "orders": "Orders",
    "order_lines": "Order lines",
    "reorders": "Buyers",
    "lost_buyers": "Lost buyers",
    "fulfilment": "Fulfilment",
    "receivables": "Open bills",
}
"""What a row of each fact is, by the alias of the fact."""
AS_OF = "as_of_date"
"""The day of what is told as of now."""
THE_DAY = Join("dim_as_of", "true")
"""The table that has it, of one row."""
OF_A_TABLE = re.compile(r"\b(\w+)\.(\w+)\b")
WORD = re.compile(r"\b[a-z_]\w*\b")

Columns = Mapping[tuple[str, str], str]
"""The type of each published column, by table and column."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column of the wide table: a dimension, or what people call its members, or what metrics
    count. `sql` is its value in the tables that are joined."""

    name: str
    label: str
    meaning: str
    sql: str
    type: str
    is_dimension: bool = False


@dataclass(frozen=True, slots=True)
class Star:
    """A fact, called `name`; `key` tells its rows apart, if one column does, and `day` is its date,
    if it has one."""

    name: str
    label: str
    description: str
    table: str
    fact: Fact
    key: str | None
    day: str | None
    fields: Sequence[Field]
    metrics: Sequence[Metric]

    @property
    def dimensions(self) -> Sequence[Field]:
        return [field for field in self.fields if field.is_dimension]

    def sql(self) -> str:
        """The wide table."""
        told = [f"{field.sql} as {field.name}" for field in self.fields]
        used = {alias for field in self.fields for alias in _tables_of(field.sql)}
        used |= {alias for join in used & self.fact.joins.keys() for alias in self._needed(join)}
        joins = (
            f"left join {DATABASE}.{join.schema}.{join.table} as {alias} on {join.on}"
            for alias, join in self.fact.joins.items()
            if alias in used
        )
        listed = ",\n    ".join(told)
        return "\n".join(
            [
                f"select\n    {listed}",
                f"from {DATABASE}.{self.fact.schema}.{self.table} as {self.fact.alias}",
                *joins,
            ]
        )

    def _needed(self, alias: str) -> set[str]:
        """The tables that a joined one is joined by."""
        return _tables_of(self.fact.joins[alias].on)


@dataclass(frozen=True, slots=True)
class Published:
    """A published file, by the path that never changes, and what can be asked of it."""

    database: Path
    currency: str
    stars: Sequence[Star]
    columns: Columns


def read_published(database: Path, currency: str) -> Published:
    """What the published file offers; without marts only what its reports do."""
    with open_file(database) as connection:
        rows = connection.execute(
            "select table_name, column_name, data_type from duckdb_columns()"
            " where schema_name in ('wholesale_marts', 'wholesale_bi', ?)",
            [OWN_SCHEMA],
        ).fetchall()
        told = connection.execute("select metric_name from meta.metrics").fetchall()
    metrics = [metric for name, metric in read_metrics().items() if (name,) in told]
    columns = {(table, column): type_ for table, column, type_ in rows}
    stars = [
        star
        for table, fact in read_facts().items()
        if (star := _star(table, fact, metrics, columns))
    ]
    return Published(database, currency, stars, columns)


def _star(table: str, fact: Fact, known: Sequence[Metric], columns: Columns) -> Star | None:
    declared = read_contract(*PUBLIC)[table]
    there = {column for of, column in columns if of == table}
    named = {*declared.columns, *there}
    metrics = [
        metric for metric in known if metric.model == table and _counted(metric, named) <= there
    ]
    if not metrics:
        return None
    fields = {field.name: field for field in _dimensions(fact, table, columns)}
    key = declared.key[0] if len(declared.key) == 1 else None
    needed = dict.fromkeys(name for name in (fact.day, key) if name)
    if fact.day is None and AS_OF in there:
        needed[AS_OF] = None
    elif fact.day is None and (type_ := columns.get((THE_DAY.table, AS_OF))):
        fact = replace(fact, joins={**fact.joins, THE_DAY.table: THE_DAY})
        day = f"{THE_DAY.table}.{AS_OF}"
        fields[AS_OF] = Field(AS_OF, heading_of(AS_OF), "Day of the figures.", day, type_)
    for metric in metrics:
        needed |= dict.fromkeys(sorted(_counted(metric, named)))
    for name in needed:
        column, type_ = declared.columns.get(name), columns[table, name]
        meaning = column.description if column else ""
        own = Field(name, heading_of(name), meaning, f"{fact.alias}.{name}", type_)
        fields.setdefault(name, own)
    return Star(
        name=fact.alias if fact.alias != "reorders" else "buyers",
        label=TITLES.get(fact.alias) or heading_of(table),
        description=declared.description,
        table=table,
        fact=fact,
        key=key,
        day=fact.day,
        fields=list(fields.values()),
        metrics=metrics,
    )


def _dimensions(fact: Fact, table: str, columns: Columns) -> Iterable[Field]:
    tables = {fact.alias: table} | {alias: join.table for alias, join in fact.joins.items()}
    for dimension in fact.dimensions.values():
        named = {f"{dimension.name}_name": dimension.title} if dimension.title else {}
        for name, sql in {dimension.name: dimension.key, **named}.items():
            used = [(tables[alias], column) for alias, column in OF_A_TABLE.findall(sql)]
            if all(column in columns for column in used):
                is_column = OF_A_TABLE.fullmatch(sql)
                type_ = (
                    columns[used[0]] if is_column else "BIGINT" if "bigint" in sql else "VARCHAR"
                )
                yield Field(name, heading_of(name), dimension.meaning, sql, type_, True)


def _counted(metric: Metric, declared: Iterable[str]) -> set[str]:
    """The columns that a metric counts."""
    return set(WORD.findall(metric.expression)) & set(declared)


def _tables_of(sql: str) -> set[str]:
    return {alias for alias, _ in OF_A_TABLE.findall(sql)}

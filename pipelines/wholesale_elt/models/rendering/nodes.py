"""Nodes: each model, test and query of the project, rendered."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from wholesale_elt.models.project import INTERMEDIATE, OWN, STAGING, TESTS, RawColumn
from wholesale_elt.models.rendering.declarations import Declarations, DeclaredTest
from wholesale_elt.models.rendering.failures import NotRendered, line_of
from wholesale_elt.models.rendering.own import is_test, is_yaml, own_sql, own_yaml
from wholesale_elt.models.rendering.sources import Sources
from wholesale_elt.models.rendering.templates import TEST, Templates, located
from wholesale_elt.warehouse import Dialect

MODEL, CHECK, QUERY = "model", "test", "analysis"
ERROR = "error"
APPEND = "append"
TABLE = "table"
MADE_A_TABLE = ("materialized", TABLE)
OF_THE_PACKAGE = {"is_packaged": True}
"""Variables that tell the macros that it is not dbt that renders."""
READS = re.compile(r"\b(?:from|join)\s+\"?(\w+)\"?(?![\w.])", re.IGNORECASE)
"""Tables that a query names without their schema."""
REFERENCE = re.compile(r"^\s*(ref|source|var)\(.*\)\s*$")
"""Arguments of tests that are expressions."""


@dataclass(frozen=True, slots=True)
class Node:
    """A model in its `layer`, a test, or a query, from the file `path`. It is `made` a view, table
    or append, or an error or warning of a test; `parents` are what it refers to, by id. A declared
    test is one of `model`, and has a line."""

    kind: str
    path: str
    layer: str
    name: str
    made: str
    sql: str
    columns: Mapping[str, str]
    parents: frozenset[str]
    line: int | None = None
    model: str = ""

    @property
    def id(self) -> str:
        return f"{self.kind}.wholesale.{self.name}"


class Renderer:
    """Renders the project in a dialect."""

    def __init__(self, sources: Sources, dialect: Dialect) -> None:
        self._sources, self._dialect = sources, dialect
        self._declared = Declarations(sources)
        self._models: dict[str, tuple[str, str]] = {}
        for path, text in sources.within("models", ".sql"):
            name = PurePosixPath(path).stem
            if name in self._models:
                raise NotRendered(path, None, f"a model of that name is {self._models[name][0]}")
            self._models[name] = (path, text)
        self._add_own()
        self._templates = Templates(
            {**dict(sources.within("macros", ".sql")), **sources.macros},
            dialect,
            self._models,
            self._declared.raw_tables,
            {**self._declared.variables, **OF_THE_PACKAGE},
            sources.own,
        )

    def _add_own(self) -> None:
        own = self._sources.own
        mine: dict[str, tuple[str, str]] = {}
        for name, path, text in own_sql(own):
            if name in self._models | mine:
                there, _ = (self._models | mine)[name]
                raise NotRendered(path, None, f"a model of that name is {there}: choose another")
            if name:
                mine[name] = (path, text)
        self._models |= mine
        for path, text in own.files.items():
            if is_yaml(path):
                self._declared.add(path, text, own_yaml(path, text), mine)

    def nodes(self) -> Iterator[Node]:
        """All of them, in no order.

        Raises: NotRendered.
        """
        for name, (path, text) in self._models.items():
            yield self._model(path, name, text)
        own = [(path, text) for path, text in self._sources.own.files.items() if is_test(path)]
        tests = [*self._sources.within(TESTS, ".sql"), *own]
        queries = self._sources.within("analyses", ".sql")
        for folder, kind, made, files in (
            (TESTS, CHECK, ERROR, tests),
            ("analyses", QUERY, "", queries),
        ):
            for path, text in files:
                name = PurePosixPath(path).stem
                sql, config = self._rendered(path, text, name)
                yield self._node(kind, path, folder, name, config.get("severity", made), sql)
        for test in self._declared.tests():
            yield self._test(test)

    def raw_tables(self) -> Mapping[str, Mapping[str, RawColumn]]:
        """The columns that the models expect, in the types of the dialect.

        Raises: NotRendered for a field of users that is one of them.
        """
        declared, type_of, cast = map(
            self._templates.macro, ("declared_columns", "sql_type", "cast_or_null")
        )
        quote = self._dialect.quote

        def column(name: str, type_: str, cast: Callable[..., Any] = cast) -> RawColumn:
            return RawColumn(type_of(type_), cast(f"{quote}{name}{quote}", type_).strip())

        found = {
            table: {name: column(name, type_) for name, type_ in declared(table).items()}
            for table in self._declared.raw_tables
        }
        exact = self._templates.macro("exact_or_null")
        for field in self._sources.own.fields:
            if field.name in found[field.table]:  # what is assumed is known to templates alone
                what = f"{field.table}.{field.name} is no extra field: models read it already"
                raise NotRendered("setting build.extra_fields", None, what)
            found[field.table][field.name] = column(field.name, field.type, exact)
        return found

    def text(self, text: str) -> str:
        """A text of one's own, rendered."""
        return self._rendered("text", text, "text")[0]

    def _model(self, path: str, name: str, text: str) -> Node:
        sql, own = self._rendered(path, text, name)
        if path in self._sources.own.files:
            self._require_lasting(path, text, own)
            self._require_references(path, text, sql)
            return self._node(MODEL, path, OWN, name, TABLE, sql, self._declared.columns_of(name))
        config = {**self._declared.config_of(path, name), **own}
        made = config.get("materialized", "view")
        is_declared = made == APPEND or config.get("contract", {}).get("enforced")
        columns = self._declared.columns_of(name) if is_declared else {}
        if fields := [each for each in self._sources.own.fields if each.mart == name]:
            sql = tidy(self._templates.macro("with_fields")(sql, list(columns), fields))
            columns = {**columns, **{each.column: each.type for each in fields}}
        return self._node(MODEL, path, config.get("schema", STAGING), name, made, sql, columns)

    def _require_lasting(self, path: str, text: str, config: Mapping[str, Any]) -> None:
        """A model of users is a table, and reads none that is gone after a build."""
        said = {key: value for key, value in config.items() if (key, value) != MADE_A_TABLE}
        if said:
            names = ", ".join(f"{name}={value!r}" for name, value in said.items())
            line = line_of(text, "config")
            raise NotRendered(path, line, f"says {names}, but a model of yours is always a table")
        for parent in self._templates.parents:
            name = parent.rpartition(".")[2]
            there, _ = self._models.get(name, (path, ""))
            if there in self._sources.own.files:
                continue
            if self._declared.config_of(there, name).get("schema") == INTERMEDIATE:
                what = f"{name} is gone after a build: refer to models of staging, marts or bi"
                raise NotRendered(path, line_of(text, name), what)

    def _require_references(self, path: str, text: str, sql: str) -> None:
        """What a model of users reads is named by `ref`, so that it is built before."""
        named = {parent.rpartition(".")[2] for parent in self._templates.parents}
        for found in READS.finditer(sql):
            name = found[1].lower()
            if name in self._models and name not in named:
                what = f"reads {name} by its bare name: write {{{{ ref('{name}') }}}}"
                raise NotRendered(path, line_of(text, found[1]), what)

    def _test(self, test: DeclaredTest) -> Node:
        files = {**self._sources.files, **self._sources.own.files}
        line = line_of(files[test.path], f"name: {test.model}", test.kind)
        try:
            sql, config = self._watched(lambda: self._applied(test))
        except Exception as error:  # whatever a macro does
            what = located(error, test.path, files).what
            raise NotRendered(test.path, line, what) from error
        severity = {**test.config, **config}.get("severity", ERROR)
        node = self._node(CHECK, test.path, TESTS, test.name, severity, sql)
        return replace(node, line=line, model=test.model)

    def _applied(self, test: DeclaredTest) -> str:
        arguments = {
            name: self._templates.value(value)
            if isinstance(value, str) and REFERENCE.match(value)
            else value
            for name, value in test.arguments.items()
        }
        macro = self._templates.macro(f"{TEST}{test.kind}", known=TEST)
        return str(macro(self._templates.refer(test.model), **arguments))

    def _rendered(self, path: str, text: str, name: str) -> tuple[str, Mapping[str, Any]]:
        is_own = path in self._sources.own.files
        return self._watched(lambda: self._templates.render(path, name, text), is_own=is_own)

    def _watched(
        self, render: Callable[[], str], *, is_own: bool = False
    ) -> tuple[str, Mapping[str, Any]]:
        """What is rendered, with what was said of it; `parents` begins anew. What users wrote keeps
        its lines, so that a database names the right one, and needs no semicolon at its end."""
        self._templates.parents.clear()
        self._templates.config.clear()
        sql = render()
        sql = sql.rstrip().rstrip(";") if is_own else tidy(sql)
        return sql, dict(self._templates.config)

    def _node(
        self,
        kind: str,
        path: str,
        layer: str,
        name: str,
        made: str,
        sql: str,
        columns: Mapping[str, str] | None = None,
    ) -> Node:
        parents = frozenset(self._templates.parents)
        return Node(kind, path, layer, name, made.lower(), sql, columns or {}, parents)


def tidy(sql: str) -> str:
    """Without what Jinja leaves behind: blanks at the end of lines, several empty lines."""
    lines = "\n".join(line.rstrip() for line in sql.strip().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines)

"""Nodes: each model, test and query of the project, rendered."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from wholesale_elt.models.project import STAGING, TESTS, RawColumn
from wholesale_elt.models.rendering.declarations import Declarations, DeclaredTest
from wholesale_elt.models.rendering.failures import NotRendered, line_of
from wholesale_elt.models.rendering.sources import Sources
from wholesale_elt.models.rendering.templates import TEST, Templates, located
from wholesale_elt.warehouse import Dialect

MODEL, CHECK, QUERY = "model", "test", "analysis"
ERROR = "error"
APPEND = "append"
OF_THE_PACKAGE = {"is_packaged": True}
"""Variables that tell the macros that it is not dbt that renders."""
REFERENCE = re.compile(r"^\s*(ref|source|var)\(.*\)\s*$")
"""Arguments of tests that are expressions."""


@dataclass(frozen=True, slots=True)
class Node:
    """A model in its `layer`, a test, or a query, from the file `path`. It is `made` a view, table
    or append, or an error or warning of a test; `parents` are what it refers to, by id."""

    kind: str
    path: str
    layer: str
    name: str
    made: str
    sql: str
    columns: Mapping[str, str]
    parents: frozenset[str]

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
        self._templates = Templates(
            {**dict(sources.within("macros", ".sql")), **sources.macros},
            dialect,
            self._models,
            self._declared.raw_tables,
            {**self._declared.variables, **OF_THE_PACKAGE},
        )

    def nodes(self) -> Iterator[Node]:
        """All of them, in no order.

        Raises: NotRendered.
        """
        for name, (path, text) in self._models.items():
            yield self._model(path, name, text)
        for folder, kind, made in ((TESTS, CHECK, ERROR), ("analyses", QUERY, "")):
            for path, text in self._sources.within(folder, ".sql"):
                name = PurePosixPath(path).stem
                sql, config = self._rendered(path, text, name)
                yield self._node(kind, path, folder, name, config.get("severity", made), sql)
        for test in self._declared.tests():
            yield self._test(test)

    def raw_tables(self) -> Mapping[str, Mapping[str, RawColumn]]:
        """The columns that the models expect, in the types of the dialect."""
        declared, type_of, cast = map(
            self._templates.macro, ("declared_columns", "sql_type", "cast_or_null")
        )
        quote = self._dialect.quote

        def column(name: str, type_: str) -> RawColumn:
            return RawColumn(type_of(type_), cast(f"{quote}{name}{quote}", type_).strip())

        return {
            table: {name: column(name, type_) for name, type_ in declared(table).items()}
            for table in self._declared.raw_tables
        }

    def text(self, text: str) -> str:
        """A text of one's own, rendered."""
        return self._rendered("text", text, "text")[0]

    def _model(self, path: str, name: str, text: str) -> Node:
        sql, own = self._rendered(path, text, name)
        config = {**self._declared.config_of(path, name), **own}
        made = config.get("materialized", "view")
        is_declared = made == APPEND or config.get("contract", {}).get("enforced")
        columns = self._declared.columns_of(name) if is_declared else {}
        return self._node(MODEL, path, config.get("schema", STAGING), name, made, sql, columns)

    def _test(self, test: DeclaredTest) -> Node:
        try:
            sql, config = self._watched(lambda: self._applied(test))
        except Exception as error:  # whatever a macro does
            line = line_of(self._sources.files[test.path], f"name: {test.model}", test.kind)
            what = located(error, test.path, self._sources.files).what
            raise NotRendered(test.path, line, what) from error
        severity = {**test.config, **config}.get("severity", ERROR)
        return self._node(CHECK, test.path, TESTS, test.name, severity, sql)

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
        return self._watched(lambda: self._templates.render(path, name, text))

    def _watched(self, render: Callable[[], str]) -> tuple[str, Mapping[str, Any]]:
        """What is rendered, with what was said of it; `parents` begins anew."""
        self._templates.parents.clear()
        self._templates.config.clear()
        return tidy(render()), dict(self._templates.config)

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

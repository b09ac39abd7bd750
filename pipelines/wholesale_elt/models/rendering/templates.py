"""Templates: Jinja with what dbt adds to it, as far as models that run on any database need it.

Macros see each other whatever file they stand in, may `return` any value, and are told apart by
dialect through `adapter.dispatch`. What dbt asks of a database while it renders is not there.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from traceback import walk_tb
from types import SimpleNamespace
from typing import Any, Never

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, do
from jinja2.parser import Parser
from jinja2.runtime import Context

from wholesale.errors import one_line
from wholesale_elt.models.rendering.failures import NotRendered, Unknown
from wholesale_elt.models.rendering.sources import NOTHING, Own
from wholesale_elt.warehouse import RAW_DATASET, Dialect

OURS = "dbt_"
"""What names of macros begin with as Jinja has them."""
TEST = "test_"
"""What the macro of a kind of test begins with."""
DEFAULT = "default"
RAW = f"source.wholesale.{RAW_DATASET}."


class Templates:
    """Renders texts in a dialect, from macros by path; models may refer to `names`, and to the
    columns of `raw_tables`, by name with their types; those that are `own` to parameters, too."""

    def __init__(
        self,
        macros: Mapping[str, str],
        dialect: Dialect,
        names: Iterable[str],
        raw_tables: Mapping[str, Mapping[str, str]],
        variables: Mapping[str, Any],
        own: Own = NOTHING,
    ) -> None:
        self.parents: set[str] = set()
        """What was referred to, as dbt names it."""
        self.config: dict[str, Any] = {}
        """What a model said of itself."""
        self.macros: dict[str, _Macro] = {}
        self._texts, self._dialect, self._names = dict(macros), dialect, set(names)
        self._raw_tables, self._variables, self._own = raw_tables, variables, own
        self._this = _This()
        self._environment = _Environment(extensions=[do, _Blocks], undefined=jinja2.StrictUndefined)
        self._environment.globals |= self._globals()
        self._read_macros()

    def render(self, path: str, name: str, text: str) -> str:
        """The text of a file without tags, which is of that name.

        Raises: NotRendered.
        """
        self._texts[path], self._this.name = text, name
        try:
            return self._compiled(path).render()
        except Exception as error:  # whatever a template does
            raise located(error, path, self._texts) from error

    def value(self, expression: str) -> Any:
        """What an expression of Jinja is."""
        return self._environment.compile_expression(expression)()

    def refer(self, *names: str) -> str:
        """The name of a model; before it may stand that of its project."""
        if names[-1] not in self._names:
            raise Unknown("model", names[-1], self._names)
        self.parents.add(f"model.wholesale.{names[-1]}")
        return names[-1]

    def macro(self, name: str, known: str = "") -> Callable[..., Any]:
        """Raises: Unknown with the nearest of those that begin as `known`."""
        if name not in self.macros:
            there = (each.removeprefix(known) for each in self.macros if each.startswith(known))
            raise Unknown("test" if known else "macro", name.removeprefix(known), there)
        return self.macros[name]

    def _compiled(self, path: str) -> jinja2.Template:
        return self._template(self._environment.parse(self._texts[path], path, path), path)

    def _template(self, tree: nodes.Template, path: str) -> jinja2.Template:
        code = self._environment.compile(tree, path, path)
        return jinja2.Template.from_code(self._environment, code, self._environment.globals)

    def _read_macros(self) -> None:
        """Macros are known before any of them is made, as files are in no order."""
        trees: dict[str, nodes.Template] = {}
        for path, text in self._texts.items():
            try:
                trees[path] = self._environment.parse(text, path, path)
            except jinja2.TemplateSyntaxError as error:
                raise located(error, path, self._texts) from error
            found = (macro.name.removeprefix(OURS) for macro in trees[path].find_all(nodes.Macro))
            self.macros |= {name: _Macro() for name in found}
        self._environment.globals |= self.macros
        self._environment.globals["wholesale"] = SimpleNamespace(**self.macros)
        for path, tree in trees.items():
            module = self._template(tree, path).module
            for name in self.macros.keys() & {each.removeprefix(OURS) for each in dir(module)}:
                self.macros[name].made = getattr(module, f"{OURS}{name}")

    def _globals(self) -> Mapping[str, Any]:
        quote = self._dialect.quote
        tables = {
            f"{RAW}{table}": SimpleNamespace(
                name=table,
                columns={
                    name: SimpleNamespace(name=name, data_type=type_)
                    for name, type_ in columns.items()
                },
            )
            for table, columns in self._raw_tables.items()
        }
        return {
            "adapter": SimpleNamespace(
                dispatch=self._dispatch, quote=lambda name: f"{quote}{name}{quote}"
            ),
            "builtins": SimpleNamespace(ref=self.refer),
            "config": self._configure,
            "execute": True,
            "parameter": self._parameter,
            "graph": SimpleNamespace(sources=tables),
            "return": _return,
            "source": self._source,
            "target": SimpleNamespace(type=self._dialect.name),
            "this": self._this,
            "var": self._variable,
        }

    def _dispatch(self, name: str, _package: str | None = None) -> Callable[..., Any]:
        own = f"{self._dialect.name}__{name}"
        return self.macros.get(own) or self.macro(f"{DEFAULT}__{name}")

    def _configure(self, **options: Any) -> str:
        self.config |= options
        return ""

    @jinja2.pass_context
    def _source(self, context: Context, schema: str, table: str) -> str:
        if context.name in self._own.files:
            staging = sorted(name for name in self._names if name.startswith("stg_"))
            raise Unknown("source for models of yours", f"{schema}.{table}", staging)
        if schema != RAW_DATASET or table not in self._raw_tables:
            known = (f"{RAW_DATASET}.{name}" for name in self._raw_tables)
            raise Unknown("raw table", f"{schema}.{table}", known)
        self.parents.add(f"{RAW}{table}")
        return f"{schema}.{table}"

    def _parameter(self, name: str) -> str:
        if name not in self._own.parameters:
            raise Unknown("parameter", name, self._own.parameters)
        return self._own.parameters[name]

    @jinja2.pass_context
    def _variable(self, context: Context, name: str) -> Any:
        if context.name in self._own.files:
            return self._parameter(name)
        if name not in self._variables:
            raise Unknown("variable", name, self._variables)
        return self._variables[name]


def located(error: Exception, path: str, files: Container[str]) -> NotRendered:
    """What went wrong in the template at `path`: with its line, and that of one of the other
    `files` if it went wrong there."""
    if isinstance(error, NotRendered):
        return error
    if isinstance(error, jinja2.TemplateSyntaxError):
        return NotRendered(error.filename or path, error.lineno, one_line(error.message or error))
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code.co_filename in files
    ]
    what = one_line(error).replace(OURS, "")
    line = next((line for name, line in frames if name == path), None)
    if frames and frames[-1][0] != path and not isinstance(error, Unknown):
        what += f" (in {frames[-1][0]}:{frames[-1][1]})"
    return NotRendered(path, line, what)


class _This:
    """The model that is rendered."""

    name = ""

    def __str__(self) -> str:
        return self.name


class _Returned(Exception):
    """Ends a macro: unlike Jinja's, dbt's may return anything."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


def _return(value: object) -> Never:
    raise _Returned(value)


class _Macro:
    """A macro by its name, before and after it is `made`."""

    made: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.made(*args, **kwargs)
        except _Returned as found:
            return found.value


class _Parser(Parser):
    """Names macros otherwise, so that a file finds its own ones among those of all files."""

    def parse_macro(self) -> nodes.Macro:
        macro = super().parse_macro()
        macro.name = f"{OURS}{macro.name}"
        return macro


class _Environment(jinja2.Environment):
    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return _Parser(self, source, name, filename).parse()


class _Blocks(Extension):
    """dbt's own blocks: a `test` is a macro; a `materialization` is for dbt alone."""

    tags = {"test", "materialization"}  # noqa: RUF012  # as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Macro | list[nodes.Node]:
        begun = next(parser.stream)
        if begun.value == "test":
            macro = nodes.Macro(lineno=begun.lineno)
            macro.name = f"{OURS}{TEST}{parser.parse_assign_target(name_only=True).name}"
            parser.parse_signature(macro)
            macro.body = parser.parse_statements(("name:endtest",), drop_needle=True)
            return macro
        while parser.stream.current.type != "block_end":
            next(parser.stream)
        parser.parse_statements(("name:endmaterialization",), drop_needle=True)
        return []

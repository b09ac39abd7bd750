"""Declarations: what YAML says of models and raw tables: columns, tests, how folders are made."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

import yaml

from wholesale.errors import one_line
from wholesale_elt.models.rendering.failures import NotRendered, Unknown, line_of
from wholesale_elt.models.rendering.sources import SETTINGS, Sources

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, which packages of PyYAML have, is twelve times as fast."""
PROJECT = "wholesale"
Config = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DeclaredTest:
    """A test of a kind, which a model declares at `path`; `arguments` are those of its macro."""

    model: str
    kind: str
    arguments: Mapping[str, Any]
    config: Config
    path: str
    given_name: str | None

    @property
    def name(self) -> str:
        """Its kind, model and arguments, as dbt puts them together."""
        values = (self.arguments[key] for key in sorted(self.arguments))
        lists = (value if isinstance(value, list) else [value] for value in values)
        words = (re.sub(r"\W+", "_", str(word)) for each in lists for word in each)
        return self.given_name or f"{self.kind}_{self.model}_{'__'.join(words)}"


class Declarations:
    """The YAML of the project: its variables, models by name, and raw tables."""

    def __init__(self, sources: Sources) -> None:
        settings = parsed(SETTINGS, sources.files[SETTINGS])
        files = [(path, parsed(path, text)) for path, text in sources.within("models", ".yml")]
        self.variables: Config = settings["vars"]
        self._folders: Config = settings["models"][PROJECT]
        self._models = {
            model["name"]: (path, model)
            for path, content in files
            for model in _in(content, "models")
        }
        self.raw_tables: Mapping[str, Mapping[str, str]] = {
            table["name"]: {column["name"]: column["data_type"] for column in table["columns"]}
            for _, content in files
            for source in _in(content, "sources")
            for table in source["tables"]
        }

    def config_of(self, path: str, name: str) -> Config:
        """How a model is made: what the settings say of its folders, from the outside in, and the
        YAML beside it of itself."""
        found: dict[str, Any] = {}
        here = self._folders
        for part in PurePosixPath(path).parts[1:-1]:
            here = here.get(part) or {}
            found |= {key[1:]: value for key, value in here.items() if key.startswith("+")}
        return {**found, **self._model(name).get("config", {})}

    def columns_of(self, name: str) -> Mapping[str, str]:
        """The columns of a model that have a declared type."""
        columns = self._model(name).get("columns") or ()
        return {each["name"]: each["data_type"] for each in columns if "data_type" in each}

    def tests(self) -> Iterator[DeclaredTest]:
        for name, (path, model) in self._models.items():
            for test in model.get("data_tests", ()):
                yield _test(path, name, test, {})
            for column in model.get("columns") or ():
                for test in column.get("data_tests", ()):
                    yield _test(path, name, test, {"column_name": column["name"]})

    def add(self, path: str, text: str, content: Mapping[str, Any], names: Collection[str]) -> None:
        """Add the models of a file of users; `names` are those that there are.

        Raises: NotRendered.
        """
        for model in _in(content, "models"):
            name = model["name"]
            line = line_of(text, "models:", f"name: {name}")
            if name not in names:
                raise NotRendered(path, line, str(Unknown("model of yours", name, names)))
            if name in self._models:
                raise NotRendered(path, line, f"{name} is described in {self._models[name][0]}")
            self._models[name] = (path, model)

    def _model(self, name: str) -> Mapping[str, Any]:
        _, model = self._models.get(name, ("", {}))
        return model


@cache
def parsed(path: str, text: str) -> Mapping[str, Any]:
    """A YAML file of the project.

    Raises: NotRendered with the line that cannot be read.
    """
    try:
        found: Mapping[str, Any] = yaml.load(text, LOADER) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or error
        raise NotRendered(path, mark.line + 1 if mark else None, one_line(what)) from None
    return found


def _in(content: Mapping[str, Any], section: str) -> Sequence[Mapping[str, Any]]:
    return content.get(section) or ()


def _test(path: str, model: str, test: Any, given: Mapping[str, Any]) -> DeclaredTest:
    [(kind, about)] = test.items() if isinstance(test, dict) else ((test, {}),)
    about = about or {}
    arguments = {**given, **about.get("arguments", {})}
    return DeclaredTest(model, kind, arguments, about.get("config", {}), path, about.get("name"))

"""Descriptions: what the YAML of the models says of tables and columns."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from wholesale_elt.models.own import OwnMetrics, own_metrics, read_added, read_extra_fields
from wholesale_elt.models.project import OWN, project_folder
from wholesale_elt.models.rendering import NotRendered, own_models, parsed

MARTS = "marts"
METRICS = f"{MARTS}/metrics.yml"
BLOCK = re.compile(r"{% docs (\w+) %}(.*?){% enddocs %}", re.DOTALL)
REFERENCE = re.compile(r"{{ doc\('(\w+)'\) }}")


@cache
def models_in(folder: str) -> Sequence[Mapping[str, Any]]:
    """The models of a folder of the project as their YAML describes them, by name."""
    paths = sorted((project_folder() / "models" / folder).glob("*.yml"))
    return tuple(
        model for path in paths for model in read_yaml(f"{folder}/{path.name}").get("models", ())
    )


def added_in(folder: str) -> Sequence[Mapping[str, Any]]:
    """What users added to it, if it can be read: a build says it otherwise. They are models of
    their own, or ours with the columns that undocumented fields have."""
    if folder == OWN:
        try:
            return own_models(read_added().own)
        except NotRendered:
            return ()
    columns: dict[str, list[Mapping[str, Any]]] = {}
    for field in read_extra_fields() if folder == MARTS else ():
        column = {"name": field.column, "data_type": field.type, "description": field.description}
        columns.setdefault(field.mart, []).append(column)
    return [
        {**model, "columns": [*model["columns"], *columns[model["name"]]]}
        for model in (models_in(folder) if columns else ())
        if model["name"] in columns
    ]


def read_yaml(path: str) -> Mapping[str, Any]:
    """A file of the project's models, by its path below them."""
    return parsed(f"models/{path}", (project_folder() / "models" / path).read_text("utf-8"))


def read_own_metrics() -> OwnMetrics:
    """What users count.

    Raises: NotRendered; ConfigurationError for a file that is not there.
    """
    added = read_added()
    if added.digest not in _own_metrics:
        _own_metrics[added.digest] = own_metrics(added.own, read_yaml(METRICS))
    return _own_metrics[added.digest]


_own_metrics: dict[str, OwnMetrics] = {}
"""By the digest of what users added."""


def described(entry: Mapping[str, Any]) -> str:
    """The description of a model or column in one line, with the blocks that it refers to; without
    one, what a column of that name means in our own models."""
    text = in_one_line(entry.get("description") or _blocks().get(entry["name"], ""))
    return REFERENCE.sub(lambda found: _blocks().get(found[1], found[0]), text)


def reference(name: str) -> str:
    """What stands for a block in a description, in the words of dbt."""
    return f"{{{{ doc('{name}') }}}}"


def in_one_line(text: str) -> str:
    return " ".join(text.split())


@cache
def _blocks() -> Mapping[str, str]:
    """The blocks that descriptions refer to, by name."""
    return {
        name: in_one_line(text)
        for path in (project_folder() / "models").rglob("*.md")
        for name, text in BLOCK.findall(path.read_text("utf-8"))
    }

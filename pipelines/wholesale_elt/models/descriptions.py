"""Descriptions: what the YAML of the models says of tables and columns."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from wholesale_elt.models.project import project_folder
from wholesale_elt.models.rendering import parsed

BLOCK = re.compile(r"{% docs (\w+) %}(.*?){% enddocs %}", re.DOTALL)
REFERENCE = re.compile(r"{{ doc\('(\w+)'\) }}")


@cache
def models_in(folder: str) -> Sequence[Mapping[str, Any]]:
    """The models of a folder of the project as their YAML describes them, by name."""
    paths = sorted((project_folder() / "models" / folder).glob("*.yml"))
    return tuple(
        model for path in paths for model in read_yaml(f"{folder}/{path.name}").get("models", ())
    )


def read_yaml(path: str) -> Mapping[str, Any]:
    """A file of the project's models, by its path below them."""
    return parsed(f"models/{path}", (project_folder() / "models" / path).read_text("utf-8"))


def described(entry: Mapping[str, Any]) -> str:
    """The description of a model or column in one line, with the blocks that it refers to."""
    text = in_one_line(entry["description"])
    return REFERENCE.sub(lambda found: _blocks()[found[1]], text)


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

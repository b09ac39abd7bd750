"""Descriptions: what the models' YAML says of tables and columns, with its blocks in place."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from wholesale_elt.models.project import project_folder

BLOCK = re.compile(r"{% docs (\w+) %}(.*?){% enddocs %}", re.DOTALL)
REFERENCE = re.compile(r"{{ doc\('(\w+)'\) }}")


@cache
def blocks() -> Mapping[str, str]:
    return {
        name: in_one_line(text)
        for path in project_folder().rglob("*.md")
        for name, text in BLOCK.findall(path.read_text("utf-8"))
    }


def models_in(folder: str) -> list[dict[str, Any]]:
    """The models of a folder of the project as their YAML describes them, by name."""
    paths = sorted((project_folder() / "models" / folder).glob("*.yml"))
    return [
        model
        for path in paths
        for model in yaml.safe_load(path.read_text("utf-8")).get("models", ())
    ]


def described(entry: Mapping[str, Any]) -> str:
    """The description of a model or column."""
    text = in_one_line(entry["description"])
    return REFERENCE.sub(lambda found: blocks()[found[1]], text)


def in_one_line(text: str) -> str:
    return " ".join(text.split())

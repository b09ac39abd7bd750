"""Manifest: what dbt knows of its models, asked by name."""

from collections.abc import Iterator
from typing import Any


def layer(node: Any) -> str:
    return str(node.path).partition("/")[0]


def parents(manifest: Any, node: Any) -> Iterator[Any]:
    for name in node.depends_on.nodes:
        if name.startswith("model."):
            yield manifest.nodes[name]


def checks_of(manifest: Any, node: Any) -> list[Any]:
    return [
        test
        for test in manifest.nodes.values()
        if getattr(test, "attached_node", None) == node.unique_id
    ]


def sources_behind(manifest: Any, node: Any) -> set[str]:
    """The ids of all raw tables that something in the end depends on."""
    found: set[str] = set()
    ahead = set(node.depends_on.nodes)
    while ahead:
        name = ahead.pop()
        if name.startswith("source."):
            found.add(name)
        elif name.startswith("model."):
            ahead |= set(manifest.nodes[name].depends_on.nodes)
    return found

"""Lazy: packages whose names are loaded when they are asked for, each with its own module alone.

So a question about what is published loads neither dlt nor Arrow, and to import a package costs
next to nothing. Type checkers and people read the imports as they stand.
"""

import ast
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any


def lazy_names(package: str) -> Callable[[str], object]:
    """The `__getattr__` of a package, for the names that it imports `if TYPE_CHECKING`."""

    def load(name: str) -> object:
        place = None if name.startswith("__") else _places(package).get(name)
        if place is None:  # `from package import module` goes on and imports the module
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, its_name = place
        value: object = getattr(import_module(module), its_name)
        setattr(sys.modules[package], name, value)
        return value

    return load


@cache
def _places(package: str) -> Mapping[str, tuple[str, str]]:
    """The module of each name, and what it is called there, by the source of the package."""
    loader: Any = getattr(sys.modules[package].__spec__, "loader", None)
    source = loader.get_source(package) if hasattr(loader, "get_source") else ""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(ast.parse(source or ""))
        if isinstance(node, ast.ImportFrom) and node.module and node.module != package
        for alias in node.names
    }

"""Extras: modules that only some installations have, and plug-ins, found by their entry points.

An entry point is imported when its name is asked for, and not before. Its extra, in brackets in
`pyproject.toml`, is the one that installs the libraries it needs.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any, Literal

from wholesale.errors import ConfigurationError, installing

Group = Literal[
    "commands",
    "comparisons",
    "deliveries",
    "destinations",
    "drafts",
    "engines",
    "erasures",
    "news",
    "sinks",
    "stores",
]


def plugin_names(group: Group) -> Sequence[str]:
    """The names of a group, without importing anything."""
    return sorted({point.name for point in _of(group)})


def plugins(group: Group, name: str | None = None) -> Iterator[Any]:
    """What is registered in a group under that name, or under any, each imported now.

    Raises: ConfigurationError naming the extra that installs what is missing.
    """
    for point in _of(group):
        if name in (None, point.name):
            try:
                yield point.load()
            except ModuleNotFoundError as error:
                extra = point.extras[0] if point.extras else "all"
                raise ConfigurationError(missing(f"{point.name} needs", error, extra)) from None


def _of(group: Group) -> Iterable[Any]:
    found: Iterable[Any] = _points().select(group=f"wholesale.{group}")
    return found


@cache
def _points() -> Any:
    """All `EntryPoints` there are, which takes tens of milliseconds, as does the import."""
    from importlib.metadata import entry_points

    return entry_points()


def import_extra(name: str, extra: str = "all") -> ModuleType:
    """The module, which comes with that extra of the project.

    Raises: ConfigurationError that says how to install what is missing.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ConfigurationError(missing("this command needs", error, extra)) from None


def missing(what: str, error: ModuleNotFoundError, extra: str) -> str:
    """The message for what needs a module of that extra."""
    return f"{what} {error.name}, which is not installed: install its extra, {installing(extra)}"


def block_import(module: str) -> None:
    """Keep libraries from importing this module only because it is installed."""
    _blocked.add(module)
    if _guard not in sys.meta_path:
        sys.meta_path.insert(0, _guard)


def allow_import(module: str) -> None:
    """Allow the import of a module that was blocked."""
    _blocked.discard(module)


class _Guard(MetaPathFinder):
    """A finder that comes before all others on `sys.meta_path`."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Raises: ModuleNotFoundError for a blocked module; leaves others to the next finder."""
        if name in _blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


_guard = _Guard()
_blocked: set[str] = set()

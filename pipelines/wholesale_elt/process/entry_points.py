"""Plug-ins: what installed packages add to the core, found by their entry points.

An entry point is imported when its name is asked for, and not before. Its extra, in brackets in
`pyproject.toml`, is the one that installs the libraries it needs.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Literal

from wholesale.errors import ConfigurationError
from wholesale_elt.process.extras import missing

Group = Literal["commands", "destinations", "drafts", "sinks", "stores"]


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

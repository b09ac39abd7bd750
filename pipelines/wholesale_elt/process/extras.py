"""Extras: modules that only some installations have."""

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from types import ModuleType

from wholesale.errors import ConfigurationError


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
    return (
        f"{what} {error.name}, which is not installed: install the project with its extra,"
        f' `pip install ".[{extra}]"`'
    )


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

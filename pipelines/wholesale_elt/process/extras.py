"""Extras: modules that only some installations have."""

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from types import ModuleType

from wholesale.errors import ConfigurationError


def import_extra(name: str, extra: str = "all") -> ModuleType:
    """A module that comes with that extra.

    Raises: ConfigurationError that says how to install what is missing.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"this command needs {error.name}, which is not installed: install the project with"
            f' its extra, `pip install ".[{extra}]"`'
        ) from None


def keep_out(module: str) -> None:
    """Let no library import this module merely because it is installed, until it is let in."""
    _kept_out.add(module)
    if _guard not in sys.meta_path:
        sys.meta_path.insert(0, _guard)


def let_in(module: str) -> None:
    """Let whoever needs this module import it."""
    _kept_out.discard(module)


class _Guard(MetaPathFinder):
    """Asked before all who find modules."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Raises: ModuleNotFoundError for what is kept out; finds nothing else."""
        if name in _kept_out:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


_guard = _Guard()
_kept_out: set[str] = set()

"""Extras: modules that only some installations have."""

from importlib import import_module
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

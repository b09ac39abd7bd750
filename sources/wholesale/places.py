"""Places: where settings stand: the environment, dlt's two files, and what dlt alone can read.

A question about what is published reads its settings without dlt, whose import takes half a second.
"""

import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ENVIRONMENT = "Environment Variables"
"""dlt's name of the provider that reads the environment."""
FINDS_MORE = ("airflow", "dlthub", "dlt_plus")
"""Packages with which dlt finds settings elsewhere, too."""
GIVES_MORE = ("dlt", "google.colab", "streamlit")
"""Those that are imported where it does, or where a program may have given it settings."""


class Environment:
    """The variables of the environment, with the interface of dlt's provider."""

    name = ENVIRONMENT

    def get_value(self, key: str, _: Any, __: Any, *sections: str) -> tuple[Any, str]:
        variable = "__".join((*sections, key)).upper()
        return os.environ.get(variable), variable


class File:
    """A file of settings, before that of the same name for all projects of a user."""

    def __init__(self, name: str, folders: Sequence[Path]) -> None:
        self.name = name
        found = [folder / name for folder in folders if (folder / name).is_file()]
        self.present_locations = list(map(str, found))
        self.settings: dict[str, Any] = {}
        for path in found:
            self.settings = _merged(tomllib.loads(path.read_text("utf-8")), self.settings)

    def get_value(self, key: str, _: Any, __: Any, *sections: str) -> tuple[Any, str]:
        found: Any = self.settings
        for name in (*sections, key):
            found = found.get(name) if isinstance(found, dict) else None
        return found, ".".join((*sections, key))


def places() -> Sequence[Any]:
    """dlt's providers of settings, in the order in which they count, or what reads the same.

    Raises: dlt's ConfigProviderException for a file that cannot be read.
    """
    if found := _without_dlt():
        return found
    import dlt

    return dlt.config.config_providers


def _without_dlt() -> Sequence[Any]:
    """Nothing where dlt would read more, or has to say what is wrong with a file."""
    if any(name in sys.modules for name in GIVES_MORE) or any(map(find_spec, FINDS_MORE)):
        return ()
    folders = list(_folders())
    if (folders[0] / ".workspace").exists() or any(n.startswith("PROVIDERS_") for n in os.environ):
        return ()
    try:
        files = [File(name, folders) for name in ("secrets.toml", "config.toml")]
    except (OSError, ValueError, RecursionError):
        return ()
    return () if any("providers" in file.settings for file in files) else (Environment(), *files)


def _folders() -> Iterator[Path]:
    """dlt's folders of settings: of the project, and for all projects of a user."""
    name, home = os.environ.get("DLT_CONFIG_FOLDER", ".dlt"), Path("~").expanduser()
    yield Path(os.environ.get("DLT_PROJECT_DIR", ".")) / name
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield Path("/var/dlt")
    elif not os.access(home, os.W_OK):
        yield Path(tempfile.gettempdir()) / "dlt"
    elif "XDG_DATA_HOME" in os.environ and not (home / name).is_dir():
        yield Path(os.environ["XDG_DATA_HOME"]) / "dlt"
    else:
        yield home / name


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of two files, the first of which give way."""
    both = {
        name: _merged(below[name], value)
        for name, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(name), dict)
    }
    return {**below, **above, **both}

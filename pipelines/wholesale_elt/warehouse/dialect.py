"""Dialect: how a database, or what plugs in, writes SQL."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect of SQL: names stand in `quote`s; `macros` is a folder with what the models need for
    it besides the macros of the project, named `<dialect>__<macro>`."""

    name: str
    quote: str = '"'
    macros: Path | None = None

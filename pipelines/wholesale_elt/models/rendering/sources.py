"""Sources: the files that the SQL is rendered from, and their digest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from wholesale_elt.models.project import Field, project_folder
from wholesale_elt.warehouse import Dialect

SETTINGS = "dbt_project.yml"
LOADED = "models/staging/sources.yml"
"""No file of the project: it is made of the records of the API."""
FOLDERS = ("analyses", "macros", "models", "tests")
ENDINGS = frozenset({".md", ".sql", ".yml"})


@dataclass(frozen=True)
class Own:
    """What users add: texts of `files` by path, values of `parameters` as SQL by name, and
    undocumented `fields` as columns of marts."""

    files: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()


NOTHING = Own()


@dataclass(frozen=True)
class Sources:
    """Texts by path, as `models/bi/rpt_orders.sql`: `files` are the project's, `macros` those that
    a dialect adds, `own` what users add. Paths of theirs begin otherwise: with `./` or `/`."""

    files: Mapping[str, str]
    macros: Mapping[str, str]
    own: Own = NOTHING

    @cached_property
    def digest(self) -> str:
        """A digest of the project's files, the same for all dialects and on all machines."""
        return digest_of(self.files)

    def within(self, folder: str, ending: str) -> Iterator[tuple[str, str]]:
        """The files below a folder of the project, by path."""
        for path, text in self.files.items():
            if path.startswith(f"{folder}/") and path.endswith(ending):
                yield path, text


def read_sources(dialect: Dialect, own: Own = NOTHING) -> Sources:
    from wholesale_elt.models.rendering.loaded import loaded_yaml  # with Arrow

    folder, macros = project_folder(), dialect.macros
    paths = [
        folder / SETTINGS,
        *(path for name in FOLDERS for path in (folder / name).rglob("*.*")),
    ]
    files = {path.relative_to(folder).as_posix(): text for path, text in _read(paths)}
    return Sources(
        {**files, LOADED: loaded_yaml()},
        {f"{macros.name}/{path.name}": text for path, text in _read(macros.glob("*.sql"))}
        if macros
        else {},
        own,
    )


def digest_of(files: Mapping[str, str]) -> str:
    told = (f"{path}\0{len(text)}\0{text}" for path, text in sorted(files.items()))
    return sha256("".join(told).encode()).hexdigest()


def _read(paths: Iterator[Path] | list[Path]) -> Iterator[tuple[Path, str]]:
    for path in sorted(paths):
        if path.suffix in ENDINGS:
            yield path, path.read_text("utf-8")

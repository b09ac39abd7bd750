"""Editions: the versions that letters are made from: the one in force, and parts of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.publish import Manifest, Site, find_site, publish_marts
from wholesale_elt.warehouse import Warehouse, open_file
from wholesale_letters.letter import Asked, Letter, letter_of
from wholesale_letters.paper import pdf_of
from wholesale_letters.settings import LetterSettings

WORKBOOK = "wholesale.xlsx"
FOLDER, LOCK = "post", "letters"
"""In the state folder of a warehouse: who was told what, with parts of what is published; and
what only one command has at a time."""
KEPT = 2
"""Versions of a part, of which one is compared with the other."""


class NotInForce(WholesaleError):
    """A part can be made of the last build alone, and another one is in force."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A version of all, or of a part, from which a letter is made."""

    site: Site

    @property
    def manifest(self) -> Manifest:
        return self.site.manifest

    def letter(self, asked: Asked) -> Letter:
        """Raises: as `letter_of` does."""
        with self._opened() as connection:
            return letter_of(connection, self.manifest, asked)

    def attached(self, letter: Letter, settings: LetterSettings) -> Mapping[str, bytes]:
        """The files that go with it, by name."""
        found = {}
        if settings.pdf:
            found["letter.pdf"] = pdf_of(letter)
        workbook = self.site.database.parent / WORKBOOK
        if settings.workbook and workbook.exists():
            found[WORKBOOK] = workbook.read_bytes()
        return found

    @contextmanager
    def _opened(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with open_file(self.site.database) as connection:
            yield connection


def build_of(manifest: Manifest) -> str:
    """What tells builds apart, however often they are published."""
    return f"{manifest.run_id} {manifest.built_at}"


class Editions:
    """The version in force in a published folder, and its parts, each made once for a build."""

    def __init__(self, warehouse: Warehouse, published: Path) -> None:
        """Raises: NotPublished."""
        self._warehouse = warehouse
        self._whole = find_site(published)

    @property
    def manifest(self) -> Manifest:
        return self._whole.manifest

    def of(self, only: str | None) -> Edition:
        """The edition of all, or of a part, which is published for it where only this user reads.

        Raises: NotInForce; ConfigurationError for a part that is not stored; as `publish_marts`.
        """
        if only is None or only == self.manifest.only:
            return Edition(self._whole)
        folder = self._warehouse.state_folder / FOLDER / sha256(only.encode()).hexdigest()[:16]
        if not self._is_made(folder):
            publish_marts(
                self._warehouse,
                str(folder),
                keep=KEPT,
                is_even_if_incomplete=not self.manifest.is_complete,
                only=only,
            )
        if not self._is_made(folder):
            raise NotInForce(
                f"the part {only} can be made of the last build alone, and another one is in force"
                f" in {self._whole.page.parent}: publish it first"
            )
        return Edition(find_site(folder))

    def _is_made(self, folder: Path) -> bool:
        if not (folder / "current.json").exists():
            return False
        made = find_site(folder).manifest
        return build_of(made) == build_of(self.manifest) and made.software == self.manifest.software

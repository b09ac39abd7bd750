"""Editions: the versions that letters are made from: the one in force, and parts of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from wholesale.errors import WholesaleError
from wholesale_elt.causes import folder_for
from wholesale_elt.monitoring import WORKBOOK
from wholesale_elt.process import hold
from wholesale_elt.publish import CURRENT, Manifest, Site, find_site, publish_marts
from wholesale_elt.warehouse import Warehouse, open_file
from wholesale_letters.letter import Asked, Letter, letter_of
from wholesale_letters.paper import pdf_of
from wholesale_letters.settings import LetterSettings

LOCK = "letters"
"""What only one command has at a time, in the state folder of a warehouse."""


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
        with open_file(self.site.database) as connection:
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


def build_of(manifest: Manifest) -> str:
    """What tells builds apart, however often they are published."""
    return f"{manifest.run_id} {manifest.built_at}"


@contextmanager
def open_editions(warehouse: Warehouse, published: Path) -> Iterator["Editions"]:
    """The version in force in a published folder, with its parts, which are gone at the end.

    Raises: NotPublished; AlreadyRunning if another command makes letters.
    """
    whole = find_site(published)
    held = hold(warehouse.state_folder / LOCK, "making letters")
    with held, folder_for(warehouse, f"{LOCK}/parts") as folder:
        yield Editions(warehouse, whole, folder)


@dataclass(frozen=True, slots=True)
class Editions:
    """The version in force, and parts of it, each made once, where only this user reads."""

    _warehouse: Warehouse
    _whole: Site
    _folder: Path

    @property
    def manifest(self) -> Manifest:
        return self._whole.manifest

    def of(self, only: str | None) -> Edition:
        """The edition of all, or of a part, which is built for it.

        Raises: NotInForce; ConfigurationError for a part that is not stored; as `publish_marts`.
        """
        if only is None or only == self.manifest.only:
            return Edition(self._whole)
        folder = self._folder / sha256(only.encode()).hexdigest()[:16]
        if not folder.exists():
            is_even_if_incomplete = not self.manifest.is_complete
            publish_marts(
                *(self._warehouse, str(folder)),
                is_even_if_incomplete=is_even_if_incomplete,
                only=only,
            )
        if not (folder / CURRENT).exists() or not self._is_of_build(find_site(folder)):
            raise NotInForce(
                f"the part {only} can be made of the last build alone, and another one is in force"
                f" in {self._whole.page.parent}: publish it first"
            )
        return Edition(find_site(folder))

    def _is_of_build(self, part: Site) -> bool:
        return build_of(part.manifest) == build_of(self.manifest)

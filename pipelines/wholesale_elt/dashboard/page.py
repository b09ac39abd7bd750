"""What a page and a tile of the dashboard are."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tile:
    """One thing shown: `columns` of the report `model`, narrowed down by `filters` only."""

    name: str
    label: str
    explanation: str
    model: str
    columns: Sequence[str]
    filters: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Tiles that answer one question together.

    `besides` are the reports that the page reads for no tile: spans of time, and the orders behind
    a number.
    """

    name: str
    title: str
    question: str
    tiles: Sequence[Tile]
    besides: Sequence[str] = ()

    @property
    def models(self) -> Sequence[str]:
        """Every report of the page, once."""
        return sorted({tile.model for tile in self.tiles} | set(self.besides))

"""Said: a sentence whose words may lead to pages, or be of a rise or a fall."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Tone = Literal["up", "down", "unknown"]


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a sentence: `to` is the address on the page that they lead to, if any."""

    text: str
    to: str | None = None
    tone: Tone | None = None


Said = tuple[Words, ...]


def said(*parts: "str | Words | Said") -> Said:
    """A sentence of texts and words; empty texts are left out."""
    found: list[Words] = []
    for part in parts:
        if isinstance(part, str):
            found += [Words(part)] if part else []
        else:
            found += [part] if isinstance(part, Words) else part
    return tuple(found)


def plain(sentence: Iterable[Words]) -> str:
    """Its words alone."""
    return "".join(words.text for words in sentence)

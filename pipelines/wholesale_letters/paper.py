"""Paper: a letter as one page of A4, set by Typst. The same letter is the same bytes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wholesale_elt.dashboard import Said, Words
from wholesale_elt.paper import pdf_of as pages_of
from wholesale_letters.letter import Letter
from wholesale_letters.sections import Row, Section

TEMPLATE = Path(__file__).parent / "letter.typ"
INKS = {"up": "pine", "down": "clay", "unknown": "amber"}


def pdf_of(letter: Letter) -> bytes:
    """One page. A name in a script of which this machine has no letters shows boxes there.

    Raises: ConfigurationError naming the extra, where Typst is not installed.
    """
    return pages_of(TEMPLATE, _page(letter))


def _page(letter: Letter) -> Mapping[str, Any]:
    return {
        "subject": letter.subject,
        "company": letter.company,
        "initial": letter.company.strip()[:1].upper(),
        "day": letter.day,
        "notices": letter.notices,
        "sentence": _said(letter, letter.sentence, "ink"),
        "news": _said(letter, letter.news, "ink2"),
        "sections": [_section(letter, section) for section in letter.sections],
        "dot": "pine" if letter.is_complete else "amber",
        "standing": letter.standing,
        "written": f"{letter.written} {letter.late}: the page says by how much.",
    }


def _section(letter: Letter, section: Section) -> Mapping[str, Any]:
    return {
        "title": section.title,
        "note": section.note,
        "nothing": section.nothing,
        "is_numbered": section.is_numbered,
        "rows": [_row(letter, row) for row in section.rows],
    }


def _row(letter: Letter, row: Row) -> Mapping[str, Any]:
    ink = INKS.get(row.tone or "", "ink3")
    is_unknown = row.tone == "unknown"
    return {
        "title": row.title,
        "to": _to(letter, row.to),
        "why": _said(letter, row.why, "ink2"),
        "value": row.value,
        "value_ink": "amber" if is_unknown else "ink",
        "below": row.below,
        "below_ink": "ink3" if is_unknown else ink,
    }


def _said(letter: Letter, sentence: Said, ink: str) -> list[Mapping[str, Any]]:
    return [_words(letter, words, ink) for words in sentence]


def _words(letter: Letter, words: Words, ink: str) -> Mapping[str, Any]:
    told = INKS.get(words.tone or "", ink)
    return {"text": words.text, "ink": told, "to": _to(letter, words.to)}


def _to(letter: Letter, to: str | None) -> str | None:
    return letter.page + to if letter.page and to else None

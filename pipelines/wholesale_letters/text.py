"""Text: a letter in 68 columns, money at the right, no line drawn with signs."""

from collections.abc import Iterator
from unicodedata import category, east_asian_width

from wholesale_elt.dashboard import plain
from wholesale_letters.letter import Letter
from wholesale_letters.sections import Row, Section

COLUMNS = 68
SIGNATURE = "-- "
SPACES = {0x202F: " ", 0xA0: " ", 0x2002: " "}
"""What keeps words together, and is a plain space in a text."""
ALONE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Letters that would move what is around them, or begin a line."""


def text_of(letter: Letter) -> str:
    """The letter, without its subject."""
    lines = (line.translate(SPACES) for line in _lines(letter))
    return "".join(f"{line if line == SIGNATURE else line.rstrip()}\n" for line in lines)


def _lines(letter: Letter) -> Iterator[str]:
    for title, rest in letter.notices:
        yield from _wrapped(f"{title} {rest}")
        yield ""
    yield from _wrapped(f"{letter.company}, {letter.day}")
    yield ""
    yield from _wrapped(plain(letter.sentence))
    yield ""
    yield from _wrapped(plain(letter.news))
    for section in letter.sections:
        yield from _section(letter, section)
    yield from ("", "", SIGNATURE)
    yield from _wrapped(letter.standing)
    yield ""
    page = f"{letter.page}#/today" if letter.page else "the page"
    yield from _wrapped(f"{letter.written} {letter.late}: {page} says by how much.")


def _section(letter: Letter, section: Section) -> Iterator[str]:
    yield from ("", "")
    heading = f"{section.title.upper()}  {_clean(section.note)}".rstrip()
    yield from [heading] if _width(heading) <= COLUMNS else _wrapped(heading)
    if not section.rows:
        yield ""
        yield from _wrapped(section.nothing)
    for number, row in enumerate(section.rows, 1):
        yield ""
        yield from _row(row, f"{number}. " if section.is_numbered else "")
    if letter.page and section.rows:
        yield ""
        yield f"   {section.more.text}: {letter.page}{section.more.to}"


def _row(row: Row, number: str) -> Iterator[str]:
    """A name with its figure at the right, and why, below it."""
    figure = (
        "  ".join(filter(None, (row.value, row.below)))
        if number == ""
        else (f"{row.value} {row.below}")
    )
    indent = " " * len(number)
    first, *others = _wrapped(row.title, COLUMNS - len(number) - _width(figure) - 2)
    gap = COLUMNS - len(number) - _width(first) - _width(figure)
    yield f"{number}{first}{' ' * gap}{figure}"
    for line in others:
        yield f"{indent}{line}"
    for line in _wrapped(plain(row.why), COLUMNS - 6):
        yield f"   {line}"


def _wrapped(text: str, columns: int = COLUMNS) -> list[str]:
    """Lines of so many columns at most; a word that is longer is cut into several, unless it is an
    address."""
    lines, line = [], ""
    for word in _clean(text).split(" "):
        while _width(word) > columns and "://" not in word:
            if line:
                lines.append(line)
                line = ""
            head = _head(word, columns)
            lines.append(head)
            word = word[len(head) :]
        if line and _width(line) + 1 + _width(word) > columns:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines


def _clean(text: str) -> str:
    """Without what is no letter; words that belong together stay so."""
    shown = "".join(letter if category(letter) not in ALONE else " " for letter in text)
    return " ".join(word for word in shown.split(" ") if word)


def _head(word: str, columns: int) -> str:
    length = len(word)
    while _width(word[:length]) > columns:
        length -= 1
    return word[: max(length, 1)]


def _width(text: str) -> int:
    """Columns that a terminal or a mail program takes for it."""
    return sum(
        0 if category(letter) in ("Mn", "Me") else 2 if east_asian_width(letter) in "WF" else 1
        for letter in text
    )

"""Failures of rendering: each is one line, with the file and the line of a template."""

from collections.abc import Iterable
from difflib import get_close_matches

from wholesale.errors import MOST_NAMED, WholesaleError


class NotRendered(WholesaleError):
    """A template or its YAML cannot be read; `path` is the file, and `line` counts from 1."""

    def __init__(self, path: str, line: int | None, what: str) -> None:
        super().__init__(f"{path}{f':{line}' if line else ''}: {what}")
        self.path, self.line, self.what = path, line, what

    @property
    def is_own(self) -> bool:
        """Whether it is a file that a user added: paths of ours begin with a folder."""
        return self.path.startswith(("./", "/"))


class Unknown(Exception):
    """A template names something that is not there; the message says what there is."""

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        there = sorted(known)
        near = get_close_matches(str(name), there, 1)
        named = ", ".join(there[:MOST_NAMED]) + (", …" if len(there) > MOST_NAMED else "")
        hint = f"did you mean {near[0]}?" if near else f"there is {named or 'none'}"
        super().__init__(f"there is no {what} called {name!r}: {hint}")


def line_of(text: str, *words: str) -> int | None:
    """The line of a text in which the last of these words stands, each after the one before."""
    position = 0
    for word in words:
        position = text.find(word, position)
        if position < 0:
            return None
    return text.count("\n", 0, position) + 1

"""Output: what the global options say of it, and the two consoles that it goes to."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 200
"""Columns of output that goes into a file or another program: nothing is cut short there."""


@dataclass
class Output:
    """What the global options say, before or after the command."""

    is_debug: bool = False
    is_quiet: bool = False
    log_format: str = "text"

    def console(self) -> "Console":
        return self._console(is_for_errors=False)

    def errors(self) -> "Console":
        """Progress goes where errors go, so that output can be piped."""
        return self._console(is_for_errors=True)

    def _console(self, *, is_for_errors: bool) -> "Console":
        from rich.console import Console

        console = Console(stderr=is_for_errors, quiet=self.is_quiet)
        if not console.is_terminal:
            console.width = PIPE_WIDTH
        return console


def say(console: "Console", text: str) -> None:
    """A line as it is: nothing in it is marked up, coloured or broken."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def minute(at: datetime | None) -> str:
    """A time to the minute; nothing for none."""
    return f"{at:%Y-%m-%d %H:%M}" if at else ""

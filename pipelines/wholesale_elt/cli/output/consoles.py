"""Consoles: standard output and error, as the global options set them."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

import click

from wholesale_elt.process import json_line

if TYPE_CHECKING:
    from rich.console import Console

    from wholesale_elt.fleet import FleetSummary
    from wholesale_elt.monitoring import Summary

PIPE_WIDTH = 200
"""Columns of output that goes into a file or another program: nothing is cut short there."""


@dataclass
class Output:
    """What the global options say, before or after the command."""

    is_debug: bool = False
    is_quiet: bool = False
    log_format: str = "text"
    as_json: bool = False
    has_answered: bool = False

    def console(self) -> "Console":
        """For people; where a program reads, it is silent."""
        return self._console(is_for_errors=False, is_quiet=self.is_quiet or self.as_json)

    def errors(self) -> "Console":
        """Progress goes where errors go, so that output can be piped."""
        return self._console(is_for_errors=True, is_quiet=self.is_quiet)

    @property
    def has_bars(self) -> bool:
        """Whether there is a person who watches progress."""
        return self.log_format == "text" and self.errors().is_terminal

    def progress(self, message: str, **fields: object) -> None:
        """A line of progress; `fields` say the same to a program."""
        if self.log_format == "json" and not self.is_quiet:
            click.echo(json_line("info", "wholesale.progress", message, fields), err=True)
        else:
            say(self.errors(), message)

    def answer(self, document: Mapping[str, object]) -> None:
        """The one object of a command that is asked for JSON."""
        if self.as_json and not self.has_answered:
            self.has_answered = True
            click.echo(json.dumps(document, indent=2, default=_as_text))

    def error(self, message: str, **fields: object) -> None:
        """A line that says what went wrong."""
        if self.log_format == "json":
            click.echo(json_line("error", "wholesale", message, fields), err=True)
        else:
            click.echo(f"wholesale: {message}", err=True)

    def traceback(self, error: BaseException) -> None:
        """Where it went wrong, for who asked to debug."""
        import traceback

        if self.log_format == "json":
            lines = "".join(traceback.format_exception(error))
            click.echo(json_line("debug", "wholesale", "traceback", {"traceback": lines}), err=True)
        else:
            traceback.print_exception(error)

    def summarize(self, summary: "Summary | FleetSummary") -> None:
        """The summary of a command, where programs read: printed, and as an event of the log."""
        document = summary.model_dump(mode="json")
        self.answer(document)
        if self.log_format == "json" and not self.is_quiet:
            told = {"summary": document}
            message = f"{summary.command}: {summary.result}"
            click.echo(json_line("info", "wholesale.summary", message, told), err=True)

    def _console(self, *, is_for_errors: bool, is_quiet: bool) -> "Console":
        from rich.console import Console

        console = Console(stderr=is_for_errors, quiet=is_quiet)
        if not console.is_terminal:
            console.width = PIPE_WIDTH
        return console


def say(console: "Console", text: str) -> None:
    """A line as it is: nothing in it is marked up, coloured or broken."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def close_output() -> None:
    """Who reads has seen enough: what is left to print, of which Python would complain, is lost."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_text(value: object) -> str:
    """What JSON has no form for: times as ISO 8601, exact numbers and paths as they are written."""
    return value.isoformat() if isinstance(value, date) else str(value)


def minute(at: datetime | None) -> str:
    """A time to the minute; nothing for none."""
    return f"{at:%Y-%m-%d %H:%M}" if at else ""

"""Consoles: standard output and error, as set by the global options."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

import click

from wholesale.errors import decimal_text
from wholesale_elt.process import JournalEntry, json_line, last_ended

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 200
"""Width of output to a file or another program, where nothing may be cut."""


class Document(Protocol):
    """The result of a command, as a model of pydantic."""

    @property
    def command(self) -> str: ...

    @property
    def result(self) -> str: ...

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...


@dataclass
class Output:
    """Where and how a command prints, by the global options."""

    is_debug: bool = False
    is_quiet: bool = False
    log_format: str = "text"
    as_json: bool = False
    is_brief: bool = False
    has_answered: bool = False

    def console(self) -> "Console":
        """Output for people; silent with `--json`."""
        return self._console(is_for_errors=False, is_quiet=self.is_quiet or self.as_json)

    def details(self) -> "Console":
        """The same for what a command that is brief does not print."""
        is_quiet = self.is_quiet or self.as_json or self.is_brief
        return self._console(is_for_errors=False, is_quiet=is_quiet)

    def errors(self) -> "Console":
        """Progress goes to standard error, so that output can be piped."""
        return self._console(is_for_errors=True, is_quiet=self.is_quiet)

    @property
    def has_bars(self) -> bool:
        """Whether a person watches progress."""
        return self.log_format == "text" and self.errors().is_terminal

    def progress(self, message: str, **fields: object) -> None:
        """A line of progress; `fields` are the same for programs."""
        if self.log_format == "json" and not self.is_quiet:
            click.echo(json_line("info", "wholesale.progress", message, fields), err=True)
        else:
            say(self.errors(), message)

    def answer(self, document: Mapping[str, object]) -> None:
        """Print the one JSON object of a command."""
        if self.as_json and not self.has_answered:
            self.has_answered = True
            click.echo(_as_json(document))

    def error(self, message: str, **fields: object) -> None:
        """Print a line on what went wrong."""
        if self.log_format == "json":
            click.echo(json_line("error", "wholesale", message, fields), err=True)
        else:
            click.echo(f"wholesale: {message}", err=True)

    def traceback(self, error: BaseException) -> None:
        """Print the traceback for `--debug`."""
        import traceback

        if self.log_format == "json":
            lines = "".join(traceback.format_exception(error))
            click.echo(json_line("debug", "wholesale", "traceback", {"traceback": lines}), err=True)
        else:
            traceback.print_exception(error)

    def summarize(self, summary: Document) -> None:
        """Print the summary of a command for programs, and log it."""
        document = summary.model_dump(mode="json")
        self.answer(document)
        if self.log_format == "json" and not self.is_quiet:
            told = {"summary": document}
            message = f"{summary.command}: {summary.result}"
            click.echo(json_line("info", "wholesale.summary", message, told), err=True)

    def _console(self, *, is_for_errors: bool, is_quiet: bool) -> "Console":
        from rich.console import Console

        # Without emoji: what is stored may have a word between colons.
        console = Console(stderr=is_for_errors, quiet=is_quiet, emoji=False)
        if not console.is_terminal:
            console.width = PIPE_WIDTH
        return console


def say(console: "Console", text: str) -> None:
    """Print a line without markup, colours or wrapping."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def close_output() -> None:
    """Discard the rest of the output after a broken pipe, which Python would report at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_json(document: Mapping[str, object]) -> str:
    try:
        return json.dumps(document, indent=2, default=as_text, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(document), indent=2, default=as_text)


def _finite(value: object) -> object:
    """The value with NaN and infinity as text, as CSV has them: JSON has no such numbers."""
    match value:
        case float() if not isfinite(value):
            return str(Decimal(value))
        case Mapping():
            return {name: _finite(entry) for name, entry in value.items()}
        case list() | tuple():
            return [_finite(entry) for entry in value]
        case _:
            return value


def as_text(value: object) -> str:
    """Values without a JSON type: times as ISO 8601, decimals and paths as text."""
    if isinstance(value, Decimal):
        return decimal_text(value)
    return value.isoformat() if isinstance(value, date) else str(value)


def minute(at: datetime | None) -> str:
    """A time to the minute; empty for None."""
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def run_lines(runs: Sequence[JournalEntry]) -> Iterator[str]:
    """Commands that run, and the last one that ended if it failed."""
    for run in runs:
        if run.state == "running":
            since = minute(run.started_at)
            yield f"{run.command}: running since {since} UTC, process {run.process}"
    last = last_ended(runs)
    if last and last.state == "killed":
        yield f"{last.command}: {last.trouble}; it began {minute(last.started_at)} UTC"
    elif last and last.exit_code:
        code, at = last.exit_code, minute(last.ended_at)
        yield f"{last.command}: exit code {code} at {at} UTC: {last.message}"

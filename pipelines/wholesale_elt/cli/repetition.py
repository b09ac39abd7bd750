"""Repetition: a command again and again, each time in a process of its own.

So nothing that one run leaves in memory reaches the next, and a crash ends only one.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, NoReturn, cast

import click

from wholesale_elt.cli.boundary import Command, begin
from wholesale_elt.cli.output import Exit, Output
from wholesale_elt.process import wait_for_others

COMMAND = (sys.executable, "-P", "-m", "wholesale_elt.cli.main")
"""The command `wholesale`; no module of the folder in which it works takes the place of one."""
OPTION = "--every"
MOST_MINUTES = 10_080.0
"""A week; what is done less often needs no process that waits for it."""


def repeated(command: Command) -> Command:
    """The same command with `--every`, which begins it again and again until it is stopped."""

    @wraps(command)
    @click.pass_context
    def either(context: click.Context, /, minutes: float | None, **given: Any) -> Any:
        if minutes is None:
            return command(**given)
        return repeat(context.ensure_object(Output), minutes)

    option = click.option(
        *(OPTION, "minutes"),
        type=click.FloatRange(0, MOST_MINUTES, min_open=True),
        metavar="MINUTES",
        help="Stay, and begin again every so many minutes until stopped.",
    )
    return cast(Command, option(either))


def repeat(output: Output, minutes: float, *, is_of_many: bool = False) -> NoReturn:
    """Run the command of this process every so many minutes, without the option; one that takes
    longer is followed at once.

    A run that failed is followed by the next one, but by none if a setting or the key is wrong,
    unless the run `is_of_many` warehouses, of which one may be set wrongly. Ctrl-C and SIGTERM stop
    the run at work, as they would stop it alone; then the exit code is that of this run, and 0 if
    none is at work.
    """
    begin(output)
    words = list(_once(sys.argv[1:]))
    while True:
        begun, begun_at = time.monotonic(), datetime.now(UTC)
        code = _exit_code(words)
        if code < 0:
            name = signal.Signals(-code).name
            output.error(f"the run was ended by {name}, not by itself; the next one goes on")
        if code == Exit.CONFIGURATION and not is_of_many:
            sys.exit(code)
        next_at = max(begun_at + timedelta(minutes=minutes), datetime.now(UTC))
        try:
            output.progress(f"the next run begins at {next_at:%H:%M:%S} UTC")
            time.sleep(max(0.0, begun + 60 * minutes - time.monotonic()))
        except KeyboardInterrupt:
            sys.exit(Exit.DONE)


def _exit_code(words: Sequence[str]) -> int:
    """Of the command with these arguments; below 0 if a signal ended it. It has a session of its
    own, so that Ctrl-C reaches only the process that waits, which stops it."""
    process = subprocess.Popen([*COMMAND, *words], start_new_session=True)
    try:
        return process.wait()
    except KeyboardInterrupt:
        wait_for_others()
        process.terminate()
        sys.exit(max(process.wait(), 0) or Exit.FAILED)


def _once(words: Sequence[str]) -> Iterator[str]:
    """The arguments without the option."""
    rest = iter(words)
    for word in rest:
        if word == OPTION:
            next(rest, None)
        elif not word.startswith(f"{OPTION}="):
            yield word

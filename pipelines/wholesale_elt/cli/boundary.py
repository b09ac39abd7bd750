"""Error boundary: turns every error of a command into one line and an exit code."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from wholesale_elt.cli.options import global_options, json_option, warehouse_options
from wholesale_elt.cli.output import Failure, Output, close_output, stopped
from wholesale_elt.process import JournalEntry, require_locks, say_at_the_end, set_up

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Warehouse

Command = Callable[..., Any]
LOADED = "what was loaded before is whole, run again to go on"
"""What a command that was stopped says of its work."""


def error_boundary(command: Command) -> Command:
    """A command with the global options, which it receives as its `Output`."""

    @wraps(command)
    @click.pass_obj
    def bounded(output: Output, /, **options: Any) -> None:
        begin(output)
        end(output, attempt(output, [], lambda: command(output, **options)))

    return cast(Command, global_options(bounded))


def warehouse_boundary(command: Command) -> Command:
    """The same, with the `Warehouse` of `--database` and `--destination`."""

    @wraps(command)
    @click.pass_obj
    def bounded(output: Output, /, database: Path | None, destination: str, **options: Any) -> None:
        named: list[Warehouse] = []

        def work() -> Any:
            _name(named, destination, database)
            return command(output, *named, **options)

        begin(output)
        end(output, attempt(output, named, work))

    return cast(Command, warehouse_options(global_options(bounded)))


def job_boundary(command: Command) -> Command:
    """The same for a command that works on the warehouse: it fills a `Summary`, which is written to
    the journal, reported, and printed for `--json`."""

    @wraps(command)
    @click.pass_context
    def bounded(
        context: click.Context,
        /,
        database: Path | None,
        destination: str,
        **options: Any,
    ) -> None:
        from wholesale_elt.monitoring import Summary, follow, report

        output = context.ensure_object(Output)
        begin(output, LOADED)
        summary = Summary(command=str(context.info_name))
        named: list[Warehouse] = []
        noted: list[JournalEntry] = []
        with ExitStack() as noting:

            def work() -> Failure | None:
                require_locks()
                _name(named, destination, database)
                noted.append(noting.enter_context(named[0].journal.note(summary.command)))
                summary.warehouse = named[0].name
                follow(named[0], summary)
                try:
                    failure: Failure | None = command(output, named[0], summary, **options)
                except (BrokenPipeError, SystemExit):  # rich turns the first into the second
                    from wholesale_elt.cli.errors import OUTPUT_CLOSED

                    close_output()
                    return OUTPUT_CLOSED
                return failure

            failure = attempt(output, named, work)
            if failure:
                summary.end(failure.exit, failure.message, is_in_use=failure.is_in_use)
            else:
                summary.end(0, None)
            for entry in noted:
                entry.exit_code, entry.message = summary.exit_code, summary.error
                entry.is_in_use = summary.result == "in use"
        if named:
            report(named[0], summary)
        output.summarize(summary)
        end(output, failure)

    return cast(Command, json_option(warehouse_options(global_options(bounded))))


def fail(output: Output, message: str, code: int) -> NoReturn:
    """Print one line to standard error, and for `--json` an object unless there was one; then exit
    with this code."""
    _say_failure(output, message, code)
    sys.exit(code)


def _say_failure(output: Output, message: str, code: int) -> None:
    output.answer({"exit_code": code, "error": message})
    output.error(message, exit_code=code)


def begin(output: Output, if_stopped: str = "") -> None:
    """Set up the log by the global options, and what the command says of its work `if_stopped`."""
    say_at_the_end(lambda message: _say_failure(output, message, 1), if_stopped)
    set_up(is_debug=output.is_debug, is_quiet=output.is_quiet, log_format=output.log_format)


def _name(named: "list[Warehouse]", destination: str, database: Path | None) -> None:
    """Add the warehouse to the list, which stays empty if there can be none of that name.

    Raises: ConfigurationError, also for a file of settings that cannot be read, whether this
    command asks for one of them or not: else `status --alert` would find nothing wrong.
    """
    from wholesale.configuration import require_readable
    from wholesale_elt.warehouse import warehouse_in

    require_readable()
    named.append(warehouse_in(destination, database))


def attempt(
    output: Output, named: "list[Warehouse]", command: Callable[[], Failure | None]
) -> Failure | None:
    """Run the command; return the failure that it reports, or the one that its error means, in
    terms of the warehouse in `named`."""
    try:
        return command()
    except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
        raise
    except KeyboardInterrupt:
        return stopped()
    except Exception as error:
        if output.is_debug:
            output.traceback(error)
        from wholesale_elt.cli.errors import failure_of

        return failure_of(error, *named)


def end(output: Output, failure: Failure | None) -> None:
    """Exit with the failure, if there is one."""
    if failure:
        fail(output, failure.message, failure.exit)

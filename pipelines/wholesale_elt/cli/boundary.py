"""Error boundary: every command begins and ends in it; what goes wrong is one line and a code."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from wholesale_elt.cli.options import global_options, warehouse_options
from wholesale_elt.cli.output import Output
from wholesale_elt.process import set_up

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Warehouse

Command = Callable[..., None]


def error_boundary(command: Command) -> Command:
    """A command that takes the global options too, and gets what they say as its `Output`."""

    @wraps(command)
    @click.pass_obj
    def bounded(output: Output, /, **options: Any) -> None:
        _run(output, None, lambda: command(output, **options))

    return cast(Command, global_options(bounded))


def warehouse_boundary(command: Command) -> Command:
    """The same, and the `Warehouse` that `--database` and `--destination` name."""

    @wraps(command)
    @click.pass_obj
    def bounded(output: Output, /, database: Path, destination: str, **options: Any) -> None:
        from wholesale_elt.warehouse import Warehouse

        warehouse = Warehouse(database, destination)
        _run(output, warehouse, lambda: command(output, warehouse, **options))

    return cast(Command, warehouse_options(global_options(bounded)))


def fail(message: str, code: int) -> NoReturn:
    """One line where errors go, and the exit code."""
    click.echo(f"wholesale: {message}", err=True)
    sys.exit(code)


def _run(output: Output, warehouse: "Warehouse | None", command: Callable[[], None]) -> None:
    set_up(is_debug=output.is_debug, is_quiet=output.is_quiet, log_format=output.log_format)
    try:
        command()
    except (click.ClickException, click.exceptions.Exit):
        raise
    except KeyboardInterrupt:
        fail("stopped; what was loaded before is whole, run again to go on", 1)
    except Exception as error:
        if output.is_debug:
            import traceback

            traceback.print_exception(error)
        from wholesale_elt.cli.errors import failure_of

        failure = failure_of(error, warehouse)
        fail(failure.message, failure.exit)

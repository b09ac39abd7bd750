"""What all commands share: the global options, the warehouse's options, and how they fail."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from rich.console import Console

    from wholesale_elt.warehouse import Warehouse

DEFAULT_DATABASE = "wholesale.duckdb"
DEFAULT_PUBLISHED = "published"
PIPE_WIDTH = 200
"""Columns of output that goes into a file or another program: nothing is cut short there."""


class Context:
    """What the global options say, for every command."""

    def __init__(self, *, is_debug: bool, is_quiet: bool, log_format: str) -> None:
        self.is_debug = is_debug
        self.is_quiet = is_quiet
        self.log_format = log_format

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


class explained:
    """Turns whatever goes wrong inside into one line and an exit code."""

    def __init__(self, context: Context, warehouse: "Warehouse | None" = None) -> None:
        self._context = context
        self._warehouse = warehouse

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None or isinstance(error, SystemExit | click.exceptions.Exit):
            return
        if isinstance(error, KeyboardInterrupt):
            fail("stopped; what was loaded before is whole, run again to go on", 1)
        if self._context.is_debug:
            import traceback

            traceback.print_exception(error)
        from wholesale_elt.cli.errors import failure_of

        failure = failure_of(error, self._warehouse)
        fail(failure.message, failure.exit)


def fail(message: str, code: int) -> NoReturn:
    """One line where errors go, and the exit code."""
    click.echo(f"wholesale: {message}", err=True)
    sys.exit(code)


def warehouse_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--database` and `--destination`: what `warehouse_of` takes."""
    command = click.option(
        "--destination",
        default="duckdb",
        show_default=True,
        metavar="NAME",
        help="A dlt destination; its settings come from dlt's configuration.",
    )(command)
    return click.option(
        "--database",
        type=click.Path(dir_okay=False, path_type=Path),
        default=DEFAULT_DATABASE,
        show_default=True,
        help="The DuckDB file.",
    )(command)


def warehouse_of(database: Path, destination: str) -> "Warehouse":
    from wholesale_elt.warehouse import Warehouse

    return Warehouse(database, destination)


def chosen_kinds(resources: tuple[str, ...]) -> list[str]:
    """The kinds that are named, in the order in which they are read; all if none is.

    Raises: ConfigurationError for a name that is none.
    """
    from wholesale.api import RESOURCE
    from wholesale.errors import ConfigurationError

    unknown = [name for name in resources if name not in RESOURCE]
    if unknown:
        raise ConfigurationError(
            f"no such kind: {', '.join(unknown)}; there are {', '.join(RESOURCE)}"
        )
    return [name for name in RESOURCE if not resources or name in resources]

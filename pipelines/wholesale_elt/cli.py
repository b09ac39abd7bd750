"""The command line: `wholesale`."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from wholesale_elt.sandbox import sandbox

if TYPE_CHECKING:
    from rich.console import Console

    from wholesale.settings import ApiSettings
    from wholesale_elt.warehouse import Warehouse

DEFAULT_DATABASE = "wholesale.duckdb"
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


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--debug", is_flag=True, help="Show tracebacks and every request.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How log lines on standard error look.",
)
@click.version_option(package_name="wholesale-elt")
@click.pass_context
def cli(context: click.Context, debug: bool, quiet: bool, log_format: str) -> None:
    """Load the wholesale catalog-and-ordering API into DuckDB, losslessly and exactly.

    Exit codes: 0 done and certified complete, 1 failed, 2 configuration or credentials,
    3 loaded but not certified complete.
    """
    from wholesale_elt.logs import set_up

    context.obj = Context(is_debug=debug, is_quiet=quiet, log_format=log_format)
    set_up(is_debug=debug, is_quiet=quiet, log_format=log_format)


def _warehouse_options(command: Callable[..., Any]) -> Callable[..., Any]:
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


@cli.command()
@click.argument("resources", nargs=-1, metavar="[RESOURCE ...]")
@click.option(
    "--full", is_flag=True, help="Read everything afresh, and believe any number of deletions."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object.")
@_warehouse_options
@click.pass_obj
def sync(
    context: Context,
    resources: tuple[str, ...],
    full: bool,
    as_json: bool,
    database: Path,
    destination: str,
) -> None:
    """Extract and load: all kinds, or those named."""
    warehouse = _warehouse(database, destination)
    with _explained(context, warehouse):
        from wholesale_elt.configuration import read_api_settings

        settings = read_api_settings()
        _sync(context, settings, warehouse, resources, is_full=full, as_json=as_json)


@cli.command()
@click.option("--orders", type=click.IntRange(min=1), default=10_000, show_default=True)
@_warehouse_options
@click.pass_obj
def demo(context: Context, orders: int, database: Path, destination: str) -> None:
    """No account needed: serve two years of a made-up business, load and model all of it."""
    warehouse = _warehouse(database, destination)
    with _explained(context, warehouse):
        from wholesale_elt.demo import serve_demo
        from wholesale_elt.summary import print_invitation

        with serve_demo(orders) as settings:
            context.errors().print(
                f"a sandbox with {orders:,} orders answers on {settings.base_url}", highlight=False
            )
            _sync(context, settings, warehouse, ())
        _build(context, warehouse)
        print_invitation(context.console(), warehouse)


@cli.command()
@click.option("--full", is_flag=True, help="Compute every order afresh, not only changed ones.")
@_warehouse_options
@click.pass_obj
def build(context: Context, full: bool, database: Path, destination: str) -> None:
    """Run the SQL models and their tests; publish them in the warehouse if all is well."""
    warehouse = _warehouse(database, destination)
    with _explained(context, warehouse):
        _build(context, warehouse, is_full=full)


@cli.command()
@click.option(
    "--to",
    type=click.Path(file_okay=False, path_type=Path),
    default="docs",
    show_default=True,
    help="The folder for index.html.",
)
@_warehouse_options
@click.pass_obj
def docs(context: Context, to: Path, database: Path, destination: str) -> None:
    """Write the documentation of the models, with lineage from API field to metric: one page."""
    warehouse = _warehouse(database, destination)
    with _explained(context, warehouse):
        from wholesale_elt.docs import write_docs

        page = write_docs(warehouse, to)
        context.console().print(f"{page}: open it in a browser", highlight=False)


@cli.command()
@click.pass_obj
def check(context: Context) -> None:
    """Can the service be reached with this key, and what does each list look like?"""
    with _explained(context):
        from wholesale_elt.check import check as check_service
        from wholesale_elt.configuration import read_api_settings
        from wholesale_elt.summary import finding_table

        findings = list(check_service(read_api_settings()))
        context.console().print(finding_table(findings))
        if any(finding.is_fault for finding in findings):
            _fail("some lists cannot be read", 1)


@cli.command()
@click.argument("resources", nargs=-1, metavar="[RESOURCE ...]")
@_warehouse_options
@click.pass_obj
def plan(context: Context, resources: tuple[str, ...], database: Path, destination: str) -> None:
    """What would a sync do now? Requests, bytes, minutes; writes nothing."""
    warehouse = _warehouse(database, destination)
    with _explained(context, warehouse):
        from wholesale_elt.configuration import read_api_settings
        from wholesale_elt.plan import plan as plan_sync
        from wholesale_elt.summary import print_plan

        estimate = plan_sync(read_api_settings(), warehouse, _chosen(resources))
        print_plan(context.console(), estimate)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one array of objects.")
@click.option(
    "--max-age",
    type=click.FloatRange(min=0),
    metavar="HOURS",
    help="Exit with 3 when a kind that was synced is not certified complete within so many hours.",
)
@_warehouse_options
@click.pass_obj
def status(
    context: Context, as_json: bool, max_age: float | None, database: Path, destination: str
) -> None:
    """What is loaded, how old it is, and whether it is certified complete."""
    warehouse = _warehouse(database, destination)
    with _explained(context, warehouse):
        if warehouse.is_duckdb and not database.exists():
            _fail(f"{database} does not exist: run `wholesale sync` or `wholesale demo` first", 1)
        from wholesale_elt.status import read_status
        from wholesale_elt.summary import print_status, status_json

        rows = read_status(warehouse)
        if as_json:
            click.echo(status_json(rows))
        else:
            print_status(context.console(), rows)
        if max_age is not None and any(one.is_older_than(max_age) for one in rows):
            sys.exit(3)


@cli.command()
@click.argument("order_id")
@_warehouse_options
@click.pass_obj
def explain(context: Context, order_id: str, database: Path, destination: str) -> None:
    """Why is this order here as it is, and what would a sync do about it?"""
    warehouse = _warehouse(database, destination)
    with _explained(context, warehouse):
        from wholesale_elt.configuration import read_api_settings
        from wholesale_elt.explain import explain as explain_order
        from wholesale_elt.summary import print_explanation

        explanation = explain_order(order_id, read_api_settings(), warehouse)
        print_explanation(context.console(), explanation)


cli.add_command(sandbox)


def _sync(
    context: Context,
    settings: "ApiSettings",
    warehouse: "Warehouse",
    resources: tuple[str, ...],
    *,
    is_full: bool = False,
    as_json: bool = False,
) -> None:
    from wholesale_elt import memory
    from wholesale_elt.load import sync as load
    from wholesale_elt.progress import shown
    from wholesale_elt.summary import outcome_json, print_outcome

    chosen = _chosen(resources)
    if resources:  # what is asked for by name is due
        settings = settings.model_copy(update={"child_lists_every_hours": 0.0})
    memory.keep_flat()
    with shown(context.errors(), quiet=context.is_quiet) as observe:
        steps = memory.giving_back(observe)
        outcome = load(settings, warehouse, chosen, steps, is_full=is_full)
    console = context.console()
    if as_json:
        click.echo(outcome_json(outcome))
    else:
        print_outcome(console, outcome, warehouse)
    if outcome.failures:
        sys.exit(1)
    if not outcome.is_complete:
        sys.exit(3)


def _build(context: Context, warehouse: "Warehouse", *, is_full: bool = False) -> None:
    from wholesale_elt.build import build as build_models
    from wholesale_elt.verdict import print_built, steps_shown

    with steps_shown(context.errors(), quiet=context.is_quiet) as observe:
        built = build_models(warehouse, observe, is_full=is_full)
    print_built(context.console(), built, warehouse)


def _chosen(resources: tuple[str, ...]) -> list[str]:
    from wholesale.errors import ConfigurationError
    from wholesale.resources import RESOURCE

    unknown = [name for name in resources if name not in RESOURCE]
    if unknown:
        raise ConfigurationError(
            f"no such kind: {', '.join(unknown)}; there are {', '.join(RESOURCE)}"
        )
    return [name for name in RESOURCE if not resources or name in resources]


def _warehouse(database: Path, destination: str) -> "Warehouse":
    from wholesale_elt.warehouse import Warehouse

    return Warehouse(database, destination)


class _explained:
    """Turns whatever goes wrong inside into one line and an exit code."""

    def __init__(self, context: Context, warehouse: "Warehouse | None" = None) -> None:
        self._context = context
        self._warehouse = warehouse

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, SystemExit | click.exceptions.Exit):
            return
        if isinstance(error, KeyboardInterrupt):
            _fail("stopped; what was loaded before is whole, run again to go on", 1)
        if self._context.is_debug:
            import traceback

            traceback.print_exception(error)
        from wholesale_elt.failures import explain

        failure = explain(error, self._warehouse)
        _fail(failure.message, failure.exit)


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"wholesale: {message}", err=True)
    sys.exit(code)


def main() -> None:
    """Entry point of the `wholesale` command."""
    logging.captureWarnings(True)
    cli(prog_name="wholesale")

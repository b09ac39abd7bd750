"""The command line: `wholesale`."""

import gc
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli import read_only as questions
from wholesale_elt.cli.options import (
    DEFAULT_PUBLISHED,
    Context,
    chosen_kinds,
    explained,
    warehouse_of,
    warehouse_options,
)
from wholesale_elt.cli.sandbox import sandbox

if TYPE_CHECKING:
    from wholesale.settings import ApiSettings
    from wholesale_elt.load import Outcome
    from wholesale_elt.warehouse import Warehouse

DEFAULT_KEEP = 5
OBJECTS_A_COLLECTION = 300_000
"""What imports make stays: to look through it every 700 objects is a good part of a short run."""


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
    from wholesale_elt.process import set_up

    context.obj = Context(is_debug=debug, is_quiet=quiet, log_format=log_format)
    set_up(is_debug=debug, is_quiet=quiet, log_format=log_format)


def _publish_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--even-if-incomplete",
            is_flag=True,
            help="Publish what is not certified complete too, and say so in it.",
        ),
        click.option("--only-bi", is_flag=True, help="Publish the reports without the marts."),
        click.option(
            "--keep",
            type=click.IntRange(min=2),
            default=DEFAULT_KEEP,
            show_default=True,
            metavar="N",
            help="Versions to keep, the one in force among them.",
        ),
        click.option(
            "--to",
            default=DEFAULT_PUBLISHED,
            show_default=True,
            metavar="FOLDER",
            help="The folder, or a bucket such as s3://bucket/prefix.",
        ),
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("resources", nargs=-1, metavar="[RESOURCE ...]")
@click.option(
    "--full", is_flag=True, help="Read everything afresh, and believe any number of deletions."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object.")
@warehouse_options
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
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        from wholesale.configuration import read_settings
        from wholesale_elt.cli.errors import exit_of

        settings = read_settings()
        if resources:  # what is asked for by name is due
            settings = settings.model_copy(update={"child_lists_every_hours": 0.0})
        outcome = _sync(context, settings, warehouse, resources, is_full=full, as_json=as_json)
        sys.exit(exit_of(outcome))


@cli.command()
@click.option("--full", is_flag=True, help="Compute every order afresh, not only changed ones.")
@warehouse_options
@click.pass_obj
def build(context: Context, full: bool, database: Path, destination: str) -> None:
    """Run the SQL models and their tests; publish them in the warehouse if all is well."""
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        _build(context, warehouse, is_full=full)


@cli.command()
@_publish_options
@warehouse_options
@click.pass_obj
def publish(context: Context, /, database: Path, destination: str, **options: Any) -> None:
    """Put the marts where BI reads them; no reader is ever locked, or locks anything."""
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        sys.exit(_publish(context, warehouse, **options))


@cli.command()
@_publish_options
@warehouse_options
@click.pass_obj
def run(context: Context, /, database: Path, destination: str, **options: Any) -> None:
    """What a scheduler calls: sync, build and publish.

    What was loaded is built also when it is not certified complete, but not published. BI tools
    read other destinations than DuckDB where they are: then this is sync and build.
    """
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        from wholesale.configuration import read_settings
        from wholesale_elt.cli.errors import exit_of

        outcome = _sync(context, read_settings(), warehouse, ())
        _build(context, warehouse)
        code = _publish(context, warehouse, **options) if warehouse.is_duckdb else 0
        sys.exit(exit_of(outcome) or code)


@cli.command()
@click.option("--orders", type=click.IntRange(min=1), default=10_000, show_default=True)
@questions.open_option
@warehouse_options
@click.pass_obj
def demo(
    context: Context, orders: int, is_to_open: bool | None, database: Path, destination: str
) -> None:
    """No account needed: serve two years of a made-up business, load, model and publish it."""
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        from wholesale_elt.cli.demo import serve_demo
        from wholesale_elt.cli.errors import exit_of
        from wholesale_elt.cli.sync_output import print_invitation
        from wholesale_elt.publish import has_browser

        with serve_demo(orders) as settings:
            context.errors().print(
                f"a sandbox with {orders:,} orders answers on {settings.base_url}", highlight=False
            )
            outcome = _sync(context, settings, warehouse, ())
        if code := exit_of(outcome):
            sys.exit(code)
        _build(context, warehouse)
        if warehouse.is_duckdb:
            _publish(context, warehouse)
        print_invitation(context.console(), warehouse)
        if warehouse.is_duckdb:
            if is_to_open is None:
                is_to_open = sys.stdout.isatty() and has_browser()
            questions.show_dashboard(context, Path(DEFAULT_PUBLISHED), is_to_open)


@cli.command()
@click.option(
    "--to",
    type=click.Path(file_okay=False, path_type=Path),
    default="docs",
    show_default=True,
    help="The folder for index.html.",
)
@warehouse_options
@click.pass_obj
def docs(context: Context, to: Path, database: Path, destination: str) -> None:
    """Write the documentation of the models, with lineage from API field to metric: one page."""
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        from wholesale_elt.models import write_docs

        page = write_docs(warehouse, to)
        context.console().print(f"{page}: open it in a browser", highlight=False)


for command in (*questions.COMMANDS, sandbox):
    cli.add_command(command)


def _sync(
    context: Context,
    settings: "ApiSettings",
    warehouse: "Warehouse",
    resources: tuple[str, ...],
    *,
    is_full: bool = False,
    as_json: bool = False,
) -> "Outcome":
    from wholesale_elt.cli.sync_output import outcome_json, print_outcome
    from wholesale_elt.cli.sync_progress import shown
    from wholesale_elt.load import sync_resources
    from wholesale_elt.process import memory

    chosen = chosen_kinds(resources)
    memory.keep_flat()
    with shown(context.errors(), quiet=context.is_quiet) as observe:
        steps = memory.giving_back(observe)
        outcome = sync_resources(settings, warehouse, chosen, steps, is_full=is_full)
    if as_json:
        click.echo(outcome_json(outcome))
    else:
        print_outcome(context.console(), outcome, warehouse)
    return outcome


def _build(context: Context, warehouse: "Warehouse", *, is_full: bool = False) -> None:
    from wholesale_elt.cli.build_output import print_built, steps_shown
    from wholesale_elt.models import build_models

    with steps_shown(context.errors(), quiet=context.is_quiet) as observe:
        built = build_models(warehouse, observe, is_full=is_full)
    print_built(context.console(), built, warehouse)


def _publish(
    context: Context,
    warehouse: "Warehouse",
    *,
    to: str = DEFAULT_PUBLISHED,
    keep: int = DEFAULT_KEEP,
    only_bi: bool = False,
    even_if_incomplete: bool = False,
) -> int:
    """Publish, say what came of it, and return the exit code."""
    from wholesale_elt.cli.build_output import print_compacted, print_published, withheld
    from wholesale_elt.cli.errors import failure_of
    from wholesale_elt.publish import publish_marts
    from wholesale_elt.warehouse import compact

    published = publish_marts(
        warehouse, to, keep=keep, is_only_bi=only_bi, is_even_if_incomplete=even_if_incomplete
    )
    if published.result == "withheld":
        click.echo(f"wholesale: {withheld(published)}", err=True)
    print_published(context.console(), published)
    try:
        print_compacted(context.console(), compact(warehouse), warehouse)
    except Exception as error:  # what is published stands all the same
        reason = failure_of(error, warehouse).message
        click.echo(f"wholesale: {warehouse.name} was not compacted: {reason}", err=True)
    return 0 if published.build.is_complete else 3


def main() -> None:
    """Entry point of the `wholesale` command."""
    gc.set_threshold(OBJECTS_A_COLLECTION)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's: nothing here has work for more
    logging.captureWarnings(True)
    try:
        cli(prog_name="wholesale")
    finally:
        gc.freeze()  # the interpreter would look through every object once more before it ends

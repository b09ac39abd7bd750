"""The command line: `wholesale`."""

import gc
import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import warehouse_boundary
from wholesale_elt.cli.options import (
    DEFAULT_KEEP,
    DEFAULT_PUBLISHED,
    global_options,
    open_option,
    publish_options,
    resources_argument,
)
from wholesale_elt.cli.output import Output, say
from wholesale_elt.cli.read_only import COMMANDS, show_dashboard
from wholesale_elt.cli.sandbox import sandbox

if TYPE_CHECKING:
    from wholesale.settings import ApiSettings
    from wholesale_elt.load import Outcome
    from wholesale_elt.warehouse import Warehouse

OBJECTS_A_COLLECTION = 300_000
"""What imports make stays: to look through it every 700 objects is a good part of a short run."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@global_options
@click.version_option(package_name="wholesale-elt")
def cli() -> None:
    """Load the wholesale catalog-and-ordering API into DuckDB, losslessly and exactly.

    Exit codes: 0 done and certified complete, 1 failed, 2 configuration or credentials,
    3 loaded but not certified complete.
    """


@cli.command()
@resources_argument
@click.option(
    *("--full", "is_full"),
    is_flag=True,
    help="Read everything afresh, and ask for every record that is missing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object.")
@warehouse_boundary
def sync(
    output: Output,
    warehouse: "Warehouse",
    resources: tuple[str, ...],
    is_full: bool,
    as_json: bool,
) -> None:
    """Extract and load: all resources, or those named."""
    from wholesale.configuration import read_settings
    from wholesale_elt.cli.errors import exit_of

    settings = read_settings()
    if resources:  # what is asked for by name is due
        settings = settings.model_copy(update={"child_lists_every_hours": 0.0})
    outcome = _sync(output, settings, warehouse, resources, is_full=is_full, as_json=as_json)
    sys.exit(exit_of(outcome))


@cli.command()
@click.option(
    *("--full", "is_full"),
    is_flag=True,
    help="Compute every order afresh, not only changed ones.",
)
@warehouse_boundary
def build(output: Output, warehouse: "Warehouse", is_full: bool) -> None:
    """Run the SQL models and their tests; publish them in the warehouse if all is well."""
    _build(output, warehouse, is_full=is_full)


@cli.command()
@publish_options
@warehouse_boundary
def publish(output: Output, warehouse: "Warehouse", **options: Any) -> None:
    """Put the marts where BI reads them; no reader is ever locked, or locks anything."""
    sys.exit(_publish(output, warehouse, **options))


@cli.command()
@publish_options
@warehouse_boundary
def run(output: Output, warehouse: "Warehouse", **options: Any) -> None:
    """What a scheduler calls: sync, build and publish.

    What was loaded is built also when it is not certified complete, but not published. BI tools
    read other destinations than DuckDB where they are: then this is sync and build.
    """
    from wholesale.configuration import read_settings
    from wholesale_elt.cli.errors import exit_of

    outcome = _sync(output, read_settings(), warehouse, ())
    _build(output, warehouse)
    code = _publish(output, warehouse, **options) if warehouse.is_duckdb else 0
    sys.exit(exit_of(outcome) or code)


@cli.command()
@click.option("--orders", type=click.IntRange(min=1), default=10_000, show_default=True)
@open_option
@warehouse_boundary
def demo(output: Output, warehouse: "Warehouse", orders: int, is_to_open: bool | None) -> None:
    """No account needed: serve two years of a made-up business, load, model and publish it."""
    from wholesale_elt.cli.demo import serve_demo
    from wholesale_elt.cli.errors import exit_of
    from wholesale_elt.cli.sync_output import print_invitation
    from wholesale_elt.publish import find_site, has_browser

    with serve_demo(orders) as settings:
        say(output.errors(), f"a sandbox with {orders:,} orders answers on {settings.base_url}")
        outcome = _sync(output, settings, warehouse, ())
    if code := exit_of(outcome):
        sys.exit(code)
    _build(output, warehouse)
    headline = None
    if warehouse.is_duckdb:
        _publish(output, warehouse)
        headline = find_site(Path(DEFAULT_PUBLISHED)).headline()
    print_invitation(output.console(), warehouse, headline)
    if warehouse.is_duckdb:
        if is_to_open is None:
            is_to_open = sys.stdout.isatty() and has_browser()
        show_dashboard(output, Path(DEFAULT_PUBLISHED), is_to_open)


@cli.command()
@click.option(
    *("--to", "folder"),
    type=click.Path(file_okay=False, path_type=Path),
    default="docs",
    show_default=True,
    help="The folder for index.html.",
)
@warehouse_boundary
def docs(output: Output, warehouse: "Warehouse", folder: Path) -> None:
    """Write the documentation of the models, with lineage from API field to metric: one page."""
    from wholesale_elt.models import write_docs

    page = write_docs(warehouse, folder)
    say(output.console(), f"{page}: open it in a browser")


for command in (*COMMANDS, sandbox):
    cli.add_command(command)


def _sync(
    output: Output,
    settings: "ApiSettings",
    warehouse: "Warehouse",
    resources: tuple[str, ...],
    *,
    is_full: bool = False,
    as_json: bool = False,
) -> "Outcome":
    from wholesale_elt.cli.progress import sync_progress
    from wholesale_elt.cli.sync_output import outcome_json, print_outcome
    from wholesale_elt.load import chosen_resources, sync_resources
    from wholesale_elt.process import make_private, memory, private

    chosen = chosen_resources(resources)
    memory.keep_flat()
    make_private(warehouse.database, warehouse.state_folder)
    with private(), sync_progress(output) as observe:
        steps = memory.giving_back(observe)
        outcome = sync_resources(settings, warehouse, chosen, steps, is_full=is_full)
    if as_json:
        click.echo(outcome_json(outcome))
    else:
        print_outcome(output.console(), outcome, warehouse)
    return outcome


def _build(output: Output, warehouse: "Warehouse", *, is_full: bool = False) -> None:
    from wholesale_elt.cli.build_output import print_built
    from wholesale_elt.cli.progress import build_progress
    from wholesale_elt.models import build_models
    from wholesale_elt.process import private

    with private(), build_progress(output) as observe:
        built = build_models(warehouse, observe, is_full=is_full)
    print_built(output.console(), built, warehouse)


def _publish(
    output: Output,
    warehouse: "Warehouse",
    *,
    place: str = DEFAULT_PUBLISHED,
    keep: int = DEFAULT_KEEP,
    is_only_bi: bool = False,
    is_even_if_incomplete: bool = False,
) -> int:
    """Publish, say what came of it, and return the exit code."""
    from wholesale_elt.cli.build_output import print_compacted, print_published, withheld
    from wholesale_elt.cli.errors import failure_of
    from wholesale_elt.process import private
    from wholesale_elt.publish import publish_marts
    from wholesale_elt.warehouse import compact

    published = publish_marts(
        warehouse,
        place,
        keep=keep,
        is_only_bi=is_only_bi,
        is_even_if_incomplete=is_even_if_incomplete,
    )
    if published.result == "withheld":
        click.echo(f"wholesale: {withheld(published)}", err=True)
    print_published(output.console(), published)
    try:
        with private():
            compacted = compact(warehouse)
        print_compacted(output.console(), compacted, warehouse)
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

"""The commands that only show, and write nothing: `check`, `plan`, `status`, `explain`, …"""

import sys
from pathlib import Path

import click

from wholesale_elt.cli.options import (
    DEFAULT_PUBLISHED,
    Context,
    chosen_kinds,
    explained,
    fail,
    warehouse_of,
    warehouse_options,
)

open_option = click.option(
    "--open/--no-open",
    "is_to_open",
    default=None,
    help="Open the dashboard in the browser; without this option only on a terminal.",
)


@click.command()
@click.pass_obj
def check(context: Context) -> None:
    """Can the service be reached with this key, and what does each list look like?"""
    with explained(context):
        from wholesale.configuration import read_settings
        from wholesale_elt.cli.sync_output import finding_table
        from wholesale_elt.inspect import check_service

        findings = list(check_service(read_settings()))
        context.console().print(finding_table(findings))
        if any(finding.is_fault for finding in findings):
            fail("some lists cannot be read", 1)


@click.command()
@click.argument("resources", nargs=-1, metavar="[RESOURCE ...]")
@warehouse_options
@click.pass_obj
def plan(context: Context, resources: tuple[str, ...], database: Path, destination: str) -> None:
    """What would a sync do now? Requests, bytes, minutes; writes nothing."""
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        from wholesale.configuration import read_settings
        from wholesale_elt.cli.sync_output import print_plan
        from wholesale_elt.inspect import plan_sync

        estimate = plan_sync(read_settings(), warehouse, chosen_kinds(resources))
        print_plan(context.console(), estimate)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one array of objects.")
@click.option(
    "--max-age",
    type=click.FloatRange(min=0),
    metavar="HOURS",
    help="Exit with 3 when a kind that was synced is not certified complete within so many hours.",
)
@warehouse_options
@click.pass_obj
def status(
    context: Context, as_json: bool, max_age: float | None, database: Path, destination: str
) -> None:
    """What is loaded, how old it is, and whether it is certified complete."""
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        if warehouse.is_duckdb and not database.exists():
            fail(f"{database} does not exist: run `wholesale sync` or `wholesale demo` first", 1)
        from wholesale_elt.cli.sync_output import print_status, status_json
        from wholesale_elt.inspect import read_status

        rows = read_status(warehouse)
        if as_json:
            click.echo(status_json(rows))
        else:
            print_status(context.console(), rows)
        if max_age is not None and any(one.is_older_than(max_age) for one in rows):
            sys.exit(3)


@click.command()
@click.argument("order_id")
@warehouse_options
@click.pass_obj
def explain(context: Context, order_id: str, database: Path, destination: str) -> None:
    """Why is this order here as it is, and what would a sync do about it?"""
    warehouse = warehouse_of(database, destination)
    with explained(context, warehouse):
        from wholesale.configuration import read_settings
        from wholesale_elt.cli.sync_output import print_explanation
        from wholesale_elt.inspect import explain_order

        explanation = explain_order(order_id, read_settings(), warehouse)
        print_explanation(context.console(), explanation)


@click.command()
@click.option(
    "--published",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_PUBLISHED,
    show_default=True,
    metavar="FOLDER",
    help="Where `wholesale publish` has put it.",
)
@open_option
@click.pass_obj
def dashboard(context: Context, published: Path, is_to_open: bool | None) -> None:
    """Open the published dashboard: where it is, as of when, and whether it is complete."""
    with explained(context):
        show_dashboard(
            context, published, sys.stdout.isatty() if is_to_open is None else is_to_open
        )


def show_dashboard(context: Context, published: Path, is_to_open: bool) -> None:
    """Say what is published, and open it if that is wished."""
    from wholesale_elt.publish import find_site, open_site

    site = find_site(published)
    context.console().print(site.summary(), highlight=False, markup=False, soft_wrap=True)
    if is_to_open:
        open_site(site)


COMMANDS = (check, plan, status, explain, dashboard)

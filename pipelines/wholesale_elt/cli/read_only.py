"""Read-only commands: `check`, `plan`, `status`, `explain`, `changes` and `dashboard`."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale.errors import legible
from wholesale_elt.cli.boundary import error_boundary, fail, warehouse_boundary
from wholesale_elt.cli.options import (
    MOMENT,
    json_option,
    open_option,
    published_option,
    resources_argument,
)
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Warehouse


@click.command(short_help="Can the service be reached, and what are its lists like?")
@json_option
@warehouse_boundary
def check(output: Output, warehouse: "Warehouse") -> None:
    """Can the service be reached with this key, and what is each list like?"""
    from wholesale_elt.cli.demo import service_for
    from wholesale_elt.cli.output.documents import check_document
    from wholesale_elt.cli.output.inspections import print_check
    from wholesale_elt.inspect import check_service
    from wholesale_elt.warehouse import tested

    with service_for(output, warehouse) as settings:
        found, guarantees = check_service(settings), tested(warehouse.destination).guarantees
    output.answer(check_document(found, warehouse.destination, guarantees))
    print_check(output.console(), found)
    say(output.console(), f"destination {warehouse.destination}: {', '.join(guarantees)}")
    if any(finding.is_fault for finding in found.lists):
        fail(output, "some lists cannot be read", 1)


@click.command(short_help="What would a sync do now? Writes nothing.")
@json_option
@resources_argument
@warehouse_boundary
def plan(output: Output, warehouse: "Warehouse", resources: tuple[str, ...]) -> None:
    """What would a sync do now? Requests, bytes, minutes; writes nothing."""
    from wholesale_elt.cli.demo import service_for
    from wholesale_elt.cli.output.documents import plan_document
    from wholesale_elt.cli.output.inspections import print_plan
    from wholesale_elt.inspect import plan_sync
    from wholesale_elt.load import chosen_resources

    with service_for(output, warehouse) as settings:
        estimate = plan_sync(settings, warehouse, chosen_resources(resources))
    output.answer(plan_document(estimate))
    print_plan(output.console(), estimate)


@click.command(short_help="What is loaded, how old is it, is it complete?")
@json_option
@click.option(
    *("--alert", "is_to_alert"),
    is_flag=True,
    help="Send news to the webhook, too (setting monitoring.webhook_url).",
)
@click.option(
    *("--max-age", "hours"),
    type=click.FloatRange(min=0),
    metavar="HOURS",
    help="Exit with 3 if a resource was not proved complete within the last HOURS.",
)
@warehouse_boundary
def status(output: Output, warehouse: "Warehouse", is_to_alert: bool, hours: float | None) -> None:
    """What is loaded, how old it is, and whether it is certified complete."""
    from wholesale_elt.cli.output.documents import status_document
    from wholesale_elt.cli.output.stored import print_status
    from wholesale_elt.inspect import read_overview, staleness

    if is_to_alert:
        from wholesale_elt.monitoring import report_state

        overview = report_state(warehouse)
    else:
        overview = read_overview(warehouse)
    stale = [] if hours is None else overview.older_than(hours)
    output.answer(status_document(overview, stale))
    print_status(output.console(), overview)
    if not (warehouse.may_exist or overview.runs):
        say(output.console(), f"{warehouse.name} does not exist yet: `wholesale sync` makes it")
    if hours is not None and stale:
        fail(output, staleness(stale, hours), 3)


@click.command(short_help="Why is an order stored as it is?")
@click.argument("order")
@json_option
@warehouse_boundary
def explain(output: Output, warehouse: "Warehouse", order: str) -> None:
    """Why is an order stored as it is? Compare it with the service; writes nothing.

    ORDER is its id, its number or its PO number. If the service is not set or cannot be reached,
    what is stored is shown.
    """
    from wholesale_elt.cli.demo import is_service_set, service_for
    from wholesale_elt.cli.output.documents import explanation_document
    from wholesale_elt.cli.output.inspections import print_explanation
    from wholesale_elt.inspect import explain_order

    with ExitStack() as serving:
        settings = None
        if is_service_set(warehouse) or not warehouse.may_exist:
            settings = serving.enter_context(service_for(output, warehouse))
        explanation = explain_order(order, settings, warehouse)
    output.answer(explanation_document(explanation))
    print_explanation(output.console(), explanation)
    if not explanation.is_known:
        fail(output, f"no order has the id or number {legible(order)}", 1)


@click.command(short_help="What changed in the last sync, or since a moment or version?")
@click.option(
    "--since",
    metavar=MOMENT,
    help="Changes since then; by default since the sync before the last one.",
)
@published_option
@json_option
@warehouse_boundary
def changes(output: Output, warehouse: "Warehouse", since: str | None, published: Path) -> None:
    """What changed in the last sync, or since a moment or a published version: by record and line.

    A MOMENT is ISO 8601, such as 2026-11-28T08:00:00Z, in UTC if it has no offset; a VERSION is
    that in which it was built.
    """
    from wholesale_elt.answers import Published
    from wholesale_elt.cli.output.stored import print_changes

    found = Published(published, warehouse.database, warehouse.destination).changes(since)
    output.answer(found.document)
    print_changes(output.console(), found.detail)


@click.command(short_help="Open the published dashboard.")
@published_option
@open_option
@json_option
@error_boundary
def dashboard(output: Output, published: Path, is_to_open: bool | None) -> None:
    """Open the published dashboard: where it is, as of when, and whether it is complete."""
    from wholesale_elt.cli.output.documents import site_document
    from wholesale_elt.publish import find_site, open_site

    site = find_site(published)
    output.answer(site_document(site))
    say(output.console(), site.summary())
    if sys.stdout.isatty() if is_to_open is None else is_to_open:
        open_site(site)


COMMANDS = (check, plan, status, explain, changes, dashboard)

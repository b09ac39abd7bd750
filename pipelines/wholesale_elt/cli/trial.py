"""`wholesale try`: an export of orders, served by the sandbox as if it were a service."""

import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale.errors import ConfigurationError, counted, legible, listed, one_line
from wholesale_elt.cli.boundary import job_boundary
from wholesale_elt.cli.jobs import build_warehouse, publish_warehouse, sync_warehouse
from wholesale_elt.cli.options import DEFAULT_PUBLISHED, open_option
from wholesale_elt.cli.output import Failure, Output, say
from wholesale_elt.process import environment, hold

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from rich.console import Console

    from wholesale.settings import ApiSettings
    from wholesale_elt.monitoring import Summary
    from wholesale_elt.trial import DayOrder, Point, Sheet, Told
    from wholesale_elt.warehouse import Warehouse


LOCK = "try"
"""What only one command has at a time, in the state folder of a warehouse."""


@click.command("try", short_help="Try all of it on an export of orders of your own.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    *("--column", "columns"),
    multiple=True,
    metavar="FIELD=NAME",
    help="This column is that field, such as created_at='Booked on'; repeatable. Nothing after = is"
    " no column.",
)
@click.option(
    "--decimal",
    "point",
    type=click.Choice([".", ","]),
    help="What stands before decimals, where the file does not tell.",
)
@click.option(
    "--days",
    type=click.Choice(["dmy", "mdy"]),
    help="What days begin with, where the file does not tell.",
)
@click.option("--currency", metavar="CODE", help="Of the amounts, where no column tells.")
@click.option("--vendor", metavar="NAME", help="Of what no column names a vendor of.")
@click.option("--look", "is_look", is_flag=True, help="Only show which column is which field.")
@click.option(
    *("--to", "place"),
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_PUBLISHED,
    show_default=True,
    metavar="FOLDER",
    help="The folder to publish into.",
)
@open_option
@job_boundary
def try_file(
    output: Output,
    warehouse: "Warehouse",
    summary: "Summary",
    file: Path,
    columns: tuple[str, ...],
    point: "Point | None",
    days: "DayOrder | None",
    currency: str | None,
    vendor: str | None,
    is_look: bool,
    place: Path,
    is_to_open: bool | None,
) -> Failure | None:
    """Load, build and publish the orders of FILE, CSV or XLSX, one row an order or a line of one.

    Columns are matched with fields of the API by their names, and shown; others are kept as extra
    fields. Amounts stay exact. Nothing leaves this machine. The same file of later is loaded as
    what changed.
    """
    from wholesale_elt.causes import folder_for
    from wholesale_elt.cli.errors import failure_in
    from wholesale_elt.cli.output.jobs import print_invitation
    from wholesale_elt.publish import find_site, has_browser, open_site
    from wholesale_elt.trial import match, read_sheet, write_records

    sheet, name = read_sheet(file), file.stem
    held = hold(warehouse.state_folder / LOCK, "trying a file")
    with held, folder_for(warehouse, LOCK) as private:
        folder = private / name  # by which the warehouse knows the sandbox again
        matched = match(sheet.names, columns_given(columns))
        told = write_records(sheet, matched, folder, vendor or name, point, days)
        print_matched(output.console(), sheet, told)
        if is_look:
            return None
        of_file = currency or told.currency
        output.is_brief = True
        with environment({"BUILD__CURRENCY": of_file} if of_file else {}):
            with serve_folder(folder) as settings:
                outcome = sync_warehouse(output, settings, warehouse, (), summary)
            left_out = build_warehouse(output, warehouse, summary)
            withheld = publish_warehouse(output, warehouse, summary, place=str(place))
    if failure := failure_in(outcome) or withheld:
        return failure
    site = find_site(place)
    print_invitation(output.console(), site)
    if sys.stdout.isatty() and has_browser() if is_to_open is None else is_to_open:
        open_site(site)
    return left_out


def columns_given(texts: tuple[str, ...]) -> Mapping[str, str]:
    """The columns of `--column FIELD=NAME`. Raises: ConfigurationError."""
    found = {}
    for text in texts:
        name, sign, column = text.partition("=")
        if not sign:
            raise ConfigurationError(f"--column {legible(text)} names no column: write FIELD=NAME")
        found[name.strip()] = column.strip()
    return found


def print_matched(console: "Console", sheet: "Sheet", told: "Told") -> None:
    """Which column is which field, with a value of it, and what is odd in the file."""
    from wholesale_elt.cli.output.tables import print_rows
    from wholesale_elt.trial import first_value

    fields, extra = told.matched.fields, told.matched.extra
    rows = [
        (name, sheet.names[place], one_line(first_value(sheet, place), 40))
        for name, place in fields.items()
    ]
    rows += [
        (f"{name} (extra)", sheet.names[place], one_line(first_value(sheet, place), 40))
        for name, place in extra.items()
    ]
    say(console, f"{counted(told.orders, 'order')}, {counted(told.lines, 'line')}")
    print_rows(console, ("field", "column", "such as"), rows)
    if told.without_number:
        rows_of = listed([f"{number:,}" for number in told.without_number])
        many = counted(len(told.without_number), "row")
        say(console, f"{many} without an order number, not taken: {rows_of}")
    for name, count in told.several.items():
        say(console, f"{counted(count, 'order')} with several values of {name}: the first counts")
    for name, count in told.unread.items():
        if count:
            say(console, f"{name} that cannot be read, and stay as they are: {count:,}")


@contextmanager
def serve_folder(folder: Path) -> Iterator["ApiSettings"]:
    """A sandbox, which serves the records of a folder until the block ends."""
    from wholesale.settings import ApiSettings
    from wholesale_elt.cli.demo import API_KEY, served_by

    with served_by(_serve, folder) as (address, _):
        yield ApiSettings.of(base_url=address, api_key=API_KEY)


def _serve(pipe: "Connection", folder: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from wholesale_elt.cli.demo import API_KEY

    server = import_module("wholesale_sandbox.server")
    settings = import_module("wholesale_sandbox.settings")
    with server.Sandbox(settings.SandboxSettings(data=folder, api_key=API_KEY)) as sandbox:
        pipe.send(sandbox.base_url)
        with suppress(EOFError):
            pipe.recv()

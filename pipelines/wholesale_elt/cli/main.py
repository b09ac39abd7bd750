"""The command line: `wholesale`."""

import gc
import logging
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale.errors import counted
from wholesale_elt.cli.added import Commands
from wholesale_elt.cli.asking import diff, figures, next_orders, sql, tasks, verify, why
from wholesale_elt.cli.boundary import error_boundary, fail, job_boundary, warehouse_boundary
from wholesale_elt.cli.jobs import (
    build_as_of,
    build_warehouse,
    deliver,
    publish_warehouse,
    require_later_phases,
    reread,
    sync_warehouse,
)
from wholesale_elt.cli.options import (
    DEFAULT_PUBLISHED,
    build_as_of_options,
    global_options,
    json_option,
    open_option,
    publish_options,
    published_option,
    resources_argument,
    some_records,
)
from wholesale_elt.cli.output import Failure, Output, close_output, say, stopped
from wholesale_elt.cli.read_only import COMMANDS
from wholesale_elt.cli.repetition import repeated
from wholesale_elt.cli.sandbox import sandbox
from wholesale_elt.cli.trial import try_file
from wholesale_elt.process import block_import, budget, obey, open_standard_streams

if TYPE_CHECKING:
    from wholesale_elt.monitoring import Summary
    from wholesale_elt.warehouse import Warehouse


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@global_options
@click.version_option(package_name="wholesale-elt")
def cli() -> None:
    """Load the wholesale catalog-and-ordering API into DuckDB, losslessly and exactly.

    Begin with `wholesale demo`, which needs no account, or with `wholesale check` and your own.

    Exit codes: 0 done and certified complete, 1 failed, 2 a setting or the key is wrong,
    3 loaded but not certified complete.
    """


@cli.command(short_help="Extract and load: all resources, or those named.")
@resources_argument
@click.option(
    *("--full", "is_full"),
    is_flag=True,
    help="Read every record again, and ask for each one that is missing from the lists.",
)
@some_records
@job_boundary
def sync(
    output: Output,
    warehouse: "Warehouse",
    summary: "Summary",
    resources: tuple[str, ...],
    is_full: bool,
    ids: tuple[str, ...],
    numbers: tuple[str, ...],
    day: datetime | None,
) -> Failure | None:
    """Extract and load all resources, or those named, which are read even if not due yet.

    `wholesale sync RESOURCE --id ID` reads this record again, now, and scans no list: certificates
    stay as they are.
    """
    from wholesale.configuration import read_settings
    from wholesale_elt.cli.errors import failure_in

    settings = read_settings()
    if ids or numbers or day:
        if len(resources) != 1 or is_full:
            raise click.UsageError(
                "--id, --number and --updated-since go with one resource, and without --full:"
                " `wholesale sync orders --id …`"
            )
        if not all(text.strip() for text in (*ids, *numbers)):
            raise click.UsageError("--id and --number need an id, or a number")
        return reread(output, settings, warehouse, summary, resources[0], ids, numbers, day)
    if resources:  # a person asks for them now; `run` is what a scheduler asks for
        settings = settings.model_copy(update={"child_lists_every_hours": 0.0})
    outcome = sync_warehouse(output, settings, warehouse, resources, summary, is_full=is_full)
    return failure_in(outcome)


@cli.command(short_help="Run the SQL models and their tests.")
@click.option(
    *("--full", "is_full"),
    is_flag=True,
    help="Build everything again, not only what changed.",
)
@build_as_of_options
@published_option
@job_boundary
def build(
    output: Output,
    warehouse: "Warehouse",
    summary: "Summary",
    is_full: bool,
    as_of: str | None,
    file: Path | None,
    published: Path,
) -> Failure | None:
    """Run the SQL models and their tests; the tables are put in force only if no test fails.

    With --as-of all is built of what was stored at that moment, into a new file, which is a
    warehouse of then; the warehouse itself stays as it is. The name of a version is the moment at
    which that was built.
    """
    if as_of and file:
        from wholesale_elt.publish import find_moment

        return build_as_of(output, warehouse, summary, find_moment(published, as_of), file)
    return build_warehouse(output, warehouse, summary, is_full=is_full)


@cli.command(short_help="Publish marts and reports for BI tools.")
@publish_options
@job_boundary
def publish(
    output: Output, warehouse: "Warehouse", summary: "Summary", **options: Any
) -> Failure | None:
    """Publish marts and reports for BI tools, which neither lock a run nor are locked by it."""
    from wholesale_elt.publish import require_place

    warehouse.require()
    require_place(options["place"])
    return publish_warehouse(output, warehouse, summary, **options)


@cli.command(short_help="Sync, build and publish: what a scheduler calls.")
@repeated
@resources_argument
@publish_options
@job_boundary
def run(
    output: Output,
    warehouse: "Warehouse",
    summary: "Summary",
    resources: tuple[str, ...],
    **options: Any,
) -> Failure | None:
    """Sync all resources, or those named, then build and publish: what a scheduler calls.

    Data that are not certified complete are built, but not published.
    """
    from wholesale.configuration import read_settings
    from wholesale_elt.cli.errors import failure_in

    settings = read_settings()
    require_later_phases(options["place"])
    outcome = sync_warehouse(output, settings, warehouse, resources, summary)
    left_out = build_warehouse(output, warehouse, summary)
    withheld = publish_warehouse(output, warehouse, summary, **options)
    undelivered = None if options["only"] else deliver(output, warehouse, options["place"])
    return failure_in(outcome) or withheld or left_out or undelivered


@cli.command(short_help="Copy a warehouse into another, without the service.")
@click.option(*("--from", "source"), required=True, metavar="WAREHOUSE", help="The one to copy.")
@click.option(*("--to", "target"), required=True, metavar="WAREHOUSE", help="The one to copy into.")
@json_option
@error_boundary
def copy(output: Output, source: str, target: str) -> None:
    """Copy raw data, observations and certificates from one warehouse into another.

    A WAREHOUSE is the path of a DuckDB file, ducklake:PATH, lake:PATH, ducklake, lake or
    postgres. The service is not asked. Every table is verified by its digest. A copy replaces an
    earlier one, so it serves as a backup; to restore it, copy it back.
    """
    from wholesale_elt.cli.output.documents import copy_document
    from wholesale_elt.load import copy_warehouse
    from wholesale_elt.warehouse import warehouse_at

    digests = copy_warehouse(warehouse_at(source), warehouse_at(target))
    output.answer(copy_document(digests))
    for table, digest in digests.items():
        say(output.console(), f"{table}: {counted(digest.rows, 'row')}, {digest.sha256[:16]}")


@cli.command(short_help="Try all of it on a made-up business; no account needed.")
@click.option(
    "--orders",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="How many orders the business has.",
)
@click.option(
    *("--to", "folder"),
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_PUBLISHED,
    show_default=True,
    metavar="FOLDER",
    help="The folder to publish into.",
)
@open_option
@job_boundary
def demo(
    output: Output,
    warehouse: "Warehouse",
    summary: "Summary",
    orders: int,
    folder: Path,
    is_to_open: bool | None,
) -> Failure | None:
    """Load, build and publish two years of a made-up business; no account needed.

    Then two days more pass in it, each of them loaded, built and published too, so that there is
    something to say of what changed.
    """
    from wholesale_elt.cli.demo import demo_for, serve_demo
    from wholesale_elt.cli.errors import failure_in
    from wholesale_elt.cli.output.jobs import print_day, print_invitation
    from wholesale_elt.publish import find_site, has_browser, open_site

    output.is_brief = True
    business = demo_for(warehouse, orders)
    console = output.console()
    say(console, f"A made-up wholesale business: {business}")
    with serve_demo(business) as served:
        is_over = False
        while not is_over:
            if business.next_at:
                served.play_day(business.next_at)
            outcome = sync_warehouse(output, served.settings, warehouse, (), summary)
            if failure := failure_in(outcome):
                return failure
            left_out = build_warehouse(output, warehouse, summary)
            publish_warehouse(output, warehouse, summary, place=str(folder))
            business = demo_for(warehouse, orders)
            print_day(console, summary, len(business.days_at) + 1)
            is_over = business.next_at is None
    site = find_site(folder)
    print_invitation(console, site)
    if is_to_open is None:
        is_to_open = sys.stdout.isatty() and has_browser()
    if is_to_open:
        open_site(site)
    return left_out


@cli.command(short_help="Write the documentation of the models as one page.")
@click.option(
    *("--to", "folder"),
    type=click.Path(file_okay=False, path_type=Path),
    default="docs",
    show_default=True,
    help="The folder for index.html.",
)
@json_option
@warehouse_boundary
def docs(output: Output, warehouse: "Warehouse", folder: Path) -> None:
    """Write the documentation of the models as one page, with lineage from field to metric."""
    from wholesale_elt.dashboard import PAGES
    from wholesale_elt.models import write_docs

    page = write_docs(folder, PAGES)
    output.answer({"page": page})
    say(output.console(), f"{page}: open it in a browser")


for command in (*COMMANDS, tasks, next_orders, figures, why, diff, verify, sql, sandbox, try_file):
    cli.add_command(command)


def _sentence(error: click.ClickException) -> str:
    """The message on one line, with where to look up what was misused."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{message}; see `{context.command_path} --help`" if context else message


def _as_asked(words: list[str]) -> Output:
    """The output options among arguments that could not be parsed."""
    is_json = {"--log-format", "json"} <= set(words) or "--log-format=json" in words
    return Output(log_format="json" if is_json else "text", as_json="--json" in words)


def prepare_imports() -> None:
    """Keep libraries from doing what is not needed when they are imported."""
    budget.reuse_freed()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for numpy, which has little to do here
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it looks for some
    block_import("pandas")  # DuckDB imports it to check parameters: 80 MB, a third of a second
    block_import("httpx._main")  # its command line, with what that imports


def keep_docstrings() -> None:
    """Begin again where Python was told to drop docstrings (`-OO`, PYTHONOPTIMIZE=2): they are the
    help of commands, and what agents are told of their tools."""
    is_told = "PYTHONOPTIMIZE" in os.environ or "-OO" in sys.orig_argv
    if sys.flags.optimize > 1 and is_told:  # after that it is not, so it begins again once
        os.environ.pop("PYTHONOPTIMIZE", None)
        words = [word for word in sys.orig_argv[1:] if word != "-OO"]
        os.execv(sys.executable, [sys.executable, *words])


def main() -> None:
    """Entry point of the `wholesale` command."""
    keep_docstrings()
    open_standard_streams()
    prepare_imports()
    logging.captureWarnings(True)
    obey()
    try:
        cli(prog_name="wholesale", standalone_mode=False)
    except click.ClickException as error:
        fail(_as_asked(sys.argv), _sentence(error), error.exit_code)
    except click.Abort:  # before the command's own work began, or after it
        failure = stopped()
        fail(_as_asked(sys.argv), failure.message, failure.exit)
    except BrokenPipeError:
        close_output()
        sys.exit(1)
    except OSError as error:  # standard output takes no more, as where its disk is full
        from wholesale_elt.cli.errors import failure_of

        failure = failure_of(error)
        _as_asked(sys.argv).error(failure.message, exit_code=failure.exit)
        sys.exit(failure.exit)
    finally:
        gc.freeze()  # else the interpreter collects garbage once more before it exits


if __name__ == "__main__":
    main()

"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from wholesale_elt.cli.output import Output
from wholesale_elt.process import plugin_names

DEFAULT_PUBLISHED = "published"
DEFAULT_KEEP = 5

Decorator = Callable[[Callable[..., Any]], Any]


def _note(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """A global option, before or after the command; the later one counts."""
    output, name = context.ensure_object(Output), str(parameter.name)
    if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
        setattr(output, name, value)


def _complete_resource(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    from wholesale.api import RESOURCE

    return [name for name in RESOURCE if name.startswith(begun)]


def _complete_destination(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    return [name for name in plugin_names("destinations") if name.startswith(begun)]


def _part(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Raises: BadParameter."""
    from wholesale.errors import ConfigurationError
    from wholesale_elt.publish import plain_part

    try:
        return plain_part(value) if value else None
    except ConfigurationError as error:
        raise click.BadParameter(str(error)) from None


def _new_file(context: click.Context, _: click.Parameter, value: Path | None) -> Path | None:
    """Raises: BadParameter, UsageError."""
    if value and value.exists():
        raise click.BadParameter(f"{value} exists: name a new file")
    if (value is None) != (context.params.get("as_of") is None):
        raise click.UsageError("--as-of and --to FILE belong together")
    return value


def all_of(*options: Decorator) -> Decorator:
    """One decorator for these; `--help` shows them in this order."""

    def decorate(command: Callable[..., Any]) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


global_options = all_of(
    click.option(
        *("--debug", "is_debug"),
        is_flag=True,
        expose_value=False,
        callback=_note,
        help="Show tracebacks, and log every retry.",
    ),
    click.option(
        *("--quiet", "is_quiet"),
        is_flag=True,
        expose_value=False,
        callback=_note,
        help="Print nothing but errors.",
    ),
    click.option(
        "--log-format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        expose_value=False,
        callback=_note,
        help="Format of the lines on standard error.",
    ),
)
"""Options of `wholesale` and of each of its commands, which make an `Output`."""

warehouse_options = all_of(
    click.option(
        "--database",
        type=click.Path(path_type=Path),
        default=None,
        show_default="wholesale.duckdb",
        help="The DuckDB file, catalogue of a DuckLake, folder of a lake, or PostgreSQL database.",
    ),
    click.option(
        "--destination",
        default="duckdb",
        show_default=True,
        metavar="NAME",
        shell_complete=_complete_destination,
        help="duckdb, ducklake, lake or postgres; settings come from dlt's configuration.",
    ),
)

json_option = click.option(
    *("--json", "as_json"),
    is_flag=True,
    expose_value=False,
    callback=_note,
    help="Print one JSON object, also on failure.",
)

publish_options = all_of(
    click.option(
        *("--to", "place"),
        default=DEFAULT_PUBLISHED,
        show_default=True,
        metavar="PLACE",
        help="A folder, s3://bucket/prefix, iceberg:CATALOGUE, md:NAME or quack:HOST.",
    ),
    click.option(
        "--keep",
        type=click.IntRange(min=2),
        default=DEFAULT_KEEP,
        show_default=True,
        metavar="N",
        help="Versions to keep, including the one in force, besides those that are pinned.",
    ),
    click.option(
        *("--only-bi", "is_only_bi"), is_flag=True, help="Publish the reports without the marts."
    ),
    click.option(
        *("--even-if-incomplete", "is_even_if_incomplete"),
        is_flag=True,
        help="Publish even if not certified complete; the version says so.",
    ),
    click.option(
        "--only",
        default=None,
        metavar="KIND=ID",
        callback=_part,
        help="Publish what is of one vendor=ID, manager=ID or buyer=ID alone, in a --to of its"
        " own.",
    ),
)
"""The arguments of `publish_marts` by name."""

some_records = all_of(
    click.option(
        *("--id", "ids"), multiple=True, metavar="ID", help="Read this record again; repeatable."
    ),
    click.option(
        *("--number", "numbers"),
        multiple=True,
        metavar="NUMBER",
        help="Read this stored order again, by its number or PO number.",
    ),
    click.option(
        *("--updated-since", "day"),
        type=click.DateTime(["%Y-%m-%d"]),
        metavar="DAY",
        help="Read all orders again that were updated since this day began.",
    ),
)
"""Which records to read again, in place of a whole resource."""

MOMENT = "VERSION|MOMENT"
"""How each option is shown that takes what `wholesale_elt.publish.ACCEPTED` tells."""

as_of_option = click.option(
    "--as-of",
    metavar=MOMENT,
    help="Ask the version of that name, or that was in force then, in place of the current one.",
)

build_as_of_options = all_of(
    click.option(
        "--as-of",
        metavar=MOMENT,
        is_eager=True,  # so that it is known when --to is looked at
        help="Build what was stored then, such as 2026-11-28T08:00:00Z, without an offset in UTC;"
        " or what a published version was built of.",
    ),
    click.option(
        *("--to", "file"),
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=_new_file,
        help="The new DuckDB file for what was so --as-of then.",
    ),
)

published_option = click.option(
    "--published",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_PUBLISHED,
    show_default=True,
    metavar="FOLDER",
    help="The folder into which `wholesale publish` published.",
)

open_option = click.option(
    "--open/--no-open",
    "is_to_open",
    default=None,
    help="Open the dashboard in the browser; by default only on a terminal.",
)

resources_argument = click.argument(
    "resources", nargs=-1, metavar="[RESOURCE ...]", shell_complete=_complete_resource
)

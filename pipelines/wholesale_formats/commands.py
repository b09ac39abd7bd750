"""`wholesale export`: writes the metrics as other tools define theirs."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from wholesale_elt.cli import Output, error_boundary, json_option, published_option, say
from wholesale_elt.process import replace

FORMATS = {
    "cube": "cube",
    "dbt": "dbt_project",
    "evidence": "evidence",
    "metabase": "metabase",
    "ossie": "ossie",
    "rill": "rill",
}
"""The modules that write a format, each by a function `files`."""


@click.command(short_help="Write the metrics as Ossie, dbt, Cube, Rill and others define theirs.")
@click.argument("formats", nargs=-1, metavar="[FORMAT ...]", type=click.Choice(sorted(FORMATS)))
@click.option(
    "--to",
    type=click.Path(file_okay=False, path_type=Path),
    default="exported",
    show_default=True,
    metavar="FOLDER",
    help="The folder in which each format has one of its own.",
)
@published_option
@json_option
@error_boundary
def export(output: Output, formats: Sequence[str], to: Path, published: Path) -> None:
    """Write the metrics and dimensions as other tools define theirs, by default for all of them.

    FORMAT is cube, dbt, evidence, metabase, ossie or rill. The files read the published file by its
    fixed path, so that they show each version that is in force.
    """
    from wholesale.errors import counted
    from wholesale_elt.publish import DATABASE, find_site
    from wholesale_formats.stars import read_published

    site = find_site(published)
    database = site.page.parent / DATABASE
    found = read_published(database, site.manifest.currency)
    written: dict[str, list[str]] = {}
    for name in formats or sorted(FORMATS):
        files = import_module(f"wholesale_formats.{FORMATS[name]}").files(found)
        for path, text in files.items():
            _write(to / name / path, text)
        written[name] = [str(to / name / path) for path in files]
        say(output.console(), f"{to / name}: {counted(len(files), 'file')}")
    output.answer({"formats": written})


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, lambda new: new.write_text(text, "utf-8"))

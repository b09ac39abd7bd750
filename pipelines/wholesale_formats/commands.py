"""`wholesale export`: writes the metrics as other tools define theirs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from wholesale.errors import counted
from wholesale_elt.cli import Output, error_boundary, published_option, say
from wholesale_elt.process import replace
from wholesale_elt.publish import DATABASE, find_site
from wholesale_formats import cube, dbt_project, evidence, metabase, ossie, rill
from wholesale_formats.stars import Published, read_published
from wholesale_formats.writing import Files

FORMATS: Mapping[str, Callable[[Published], Files]] = {
    "cube": cube.files,
    "dbt": dbt_project.files,
    "evidence": evidence.files,
    "metabase": metabase.files,
    "ossie": ossie.files,
    "rill": rill.files,
}


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
@error_boundary
def export(output: Output, formats: Sequence[str], to: Path, published: Path) -> None:
    """Write the metrics and dimensions as other tools define theirs, by default for all of them.

    FORMAT is cube, dbt, evidence, metabase, ossie or rill. The files read the published file by its
    fixed path, so that they show each version that is in force.
    """
    site = find_site(published)
    database = site.page.parent / DATABASE
    found = read_published(database, site.manifest.currency)
    for name in formats or sorted(FORMATS):
        files = FORMATS[name](found)
        for path, text in files.items():
            _write(to / name / path, text)
        say(output.console(), f"{to / name}: {counted(len(files), 'file')}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, lambda new: new.write_text(text, "utf-8"))

"""Additions: the workbook and the CSV files that settings want, with fixed names at the top."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from wholesale_elt.figures import write_csv
from wholesale_elt.process import budget, import_extra
from wholesale_elt.publish import DATABASE, Addition, Build
from wholesale_spreadsheets.as_of import AsOf
from wholesale_spreadsheets.settings import read_settings
from wholesale_spreadsheets.sheets import Sheet, read_sheets
from wholesale_spreadsheets.workbook import write_workbook

WORKBOOK, FOLDER = "wholesale.xlsx", "csv"
ENDS = """
    select figures_from, figures_up_to,
        strftime(orders_up_to at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ')
    from meta.versions
"""


def wanted() -> Mapping[str, Addition]:
    """Raises: ConfigurationError for an unknown setting; or naming the extra, where a workbook is
    wanted and its library is not installed."""
    settings = read_settings()
    if settings.xlsx:
        import_extra("xlsxwriter", "spreadsheets")
    found = {"csv": (settings.csv, _add_csv), "xlsx": (settings.xlsx, _add_workbook)}
    return {name: add for name, (is_wanted, add) in found.items() if is_wanted}


def _add_workbook(draft: Path, build: Build, software: str) -> Sequence[Path]:
    path = draft / WORKBOOK
    with _sheets(draft, build) as (connection, sheets):
        [(first, last, read_at)] = connection.execute(ENDS).fetchall()
        write_workbook(path, sheets, AsOf(build, first, last, read_at, software))
    return [path]


def _add_csv(draft: Path, build: Build, software: str) -> Sequence[Path]:
    folder = draft / FOLDER
    folder.mkdir()
    with _sheets(draft, build) as (_, sheets):
        for sheet in sheets:
            write_csv(
                folder / sheet.file_name, (each.heading for each in sheet.columns), sheet.rows()
            )
    return sorted(folder.iterdir())


@contextmanager
def _sheets(
    draft: Path, build: Build
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Sequence[Sheet]]]:
    with budget.open_within(draft / DATABASE) as connection:
        yield connection, list(read_sheets(connection, build.currency))

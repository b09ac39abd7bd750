"""Statement: one of SQL that is asked of what is published, its rows as they are read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Self

import duckdb

from wholesale.errors import WholesaleError, counted, one_line
from wholesale_elt.dashboard import time_text
from wholesale_elt.publish import Site
from wholesale_elt.warehouse import one_select, open_file

UP_TO = """
    select cast(figures_up_to as text),
        strftime(orders_up_to at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ')
    from meta.versions
"""
ROWS_A_BATCH = 1_000
Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that is being asked: its columns, and its rows as they are read.

    `figures_up_to` is the last day that was over when the orders were read, on which figures end,
    and `orders_up_to` the moment to which they were read, which tables reach to.
    """

    site: Site
    columns: Sequence[str]
    rows: Iterator[Row]
    figures_up_to: str | None
    orders_up_to: str | None

    @classmethod
    @contextmanager
    def asked(cls, site: Site, text: str) -> Iterator[Self]:
        """Of the version in force, until the block ends.

        Raises: WholesaleError for what is not one statement that reads, or DuckDB refuses.
        """
        with open_file(site.database) as connection:
            [ends] = connection.execute(UP_TO).fetchall()
            try:
                statement, _ = one_select(connection, text)
                asked = connection.execute(statement)
                columns = [column[0] for column in asked.description or ()]
                if len(set(columns)) < len(columns):
                    raise WholesaleError("two columns have one name: give each its own with `as`")
                yield cls(site, columns, _rows(asked), *ends)
            except duckdb.Error as error:
                raise WholesaleError(f"the statement cannot be run: {one_line(error)}") from None

    def document(self, rows: Sequence[Row]) -> dict[str, Any]:
        """What `--json` prints with these rows."""
        manifest = self.site.manifest
        return {
            "columns": self.columns,
            "rows": [dict(zip(self.columns, row, strict=True)) for row in rows],
            "verdict": manifest.verdict,
            "reasons": manifest.reasons,
            "findings": [asdict(each) for each in manifest.findings],
            "as_of": manifest.as_of,
            "figures_up_to": self.figures_up_to,
            "orders_up_to": self.orders_up_to,
            "version": manifest.version,
        }

    def summary(self, count: int, least: str = "") -> str:
        """How many rows there are, `least` before it where there may be more, and how far to trust
        them."""
        manifest = self.site.manifest
        told = f", orders up to {time_text(self.orders_up_to)}" if self.orders_up_to else ""
        doubts = "".join(f"; {each}" for each in manifest.doubts)
        verdict = f"{manifest.verdict} as of {time_text(manifest.as_of)}{told}{doubts}"
        return f"{least}{counted(count, 'row')}: {verdict}"


def _rows(asked: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    while rows := asked.fetchmany(ROWS_A_BATCH):
        yield from rows

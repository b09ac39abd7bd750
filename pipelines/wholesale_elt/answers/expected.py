"""Expected sales: what the running month and the next one are expected to come to, and between
which amounts, of all, and by vendor or account manager."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Self

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.answers.next_orders import NOT_THERE, rows_of, withheld_of
from wholesale_elt.dashboard import time_text
from wholesale_elt.figures import EXPECTED_BY, ORDERS, name_meant, read_facts
from wholesale_elt.publish import Manifest

ALL = "all"
REPORT = "wholesale_bi.rpt_sales_outlook"
STATEMENT = """
select * exclude (outlook_id, figures_up_to)
from {report}
where dimension = '{dimension}'
order by month_start, expected_amount desc nulls last, member
""".strip()
OF_ALL = STATEMENT.format(report=f"{REPORT}_totals", dimension=ALL)
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExpectedSales:
    """The rows of `rpt_sales_outlook` of one dimension, and in `total` those of all, from
    `rpt_sales_outlook_totals`: what is expected of the whole is no sum of what is of its parts.

    Where the last day that is known is too long ago, there are none, and `withheld` says so.
    """

    manifest: Manifest
    by: str | None
    figures_up_to: date | None
    rows: Sequence[Row]
    total: Sequence[Row]
    statement: str
    withheld: str | None

    @classmethod
    def read(
        cls,
        connection: duckdb.DuckDBPyConnection,
        manifest: Manifest,
        by: str | None = None,
        today: date | None = None,
    ) -> Self:
        """Of the file of a version. Without `today` months of any age are told.

        Raises: Unanswerable for a dimension by which none is told; WholesaleError if an earlier
        release published the file.
        """
        words = read_facts()[ORDERS].words
        known = {name: words[name] for name in EXPECTED_BY}
        dimension = None if by is None else name_meant(by, known, "dimension of expected sales")
        statement = OF_ALL if by is None else STATEMENT.format(report=REPORT, dimension=dimension)
        try:
            [version] = rows_of(connection, "select figures_up_to from meta.versions")
            withheld = withheld_of(version["figures_up_to"], today)
            rows = [] if withheld else rows_of(connection, statement)
            total = [] if withheld else rows_of(connection, OF_ALL)
        except (duckdb.CatalogException, duckdb.BinderException):
            raise WholesaleError(NOT_THERE) from None
        up_to = version["figures_up_to"]
        return cls(manifest, dimension, up_to, rows, total, statement, withheld)

    def document(self) -> dict[str, Any]:
        """What `--json` prints."""
        manifest = self.manifest
        return {
            "by": self.by,
            "rows": self.rows,
            "total": self.total,
            "withheld": self.withheld,
            "statement": self.statement,
            **{"verdict": manifest.verdict, "reasons": manifest.reasons},
            "findings": [asdict(each) for each in manifest.findings],
            "as_of": manifest.as_of,
            "figures_up_to": self.figures_up_to,
            "version": manifest.version,
        }

    def summary(self) -> str:
        """Up to which day sales are known, and how far to trust that."""
        doubts = "".join(f"; {each}" for each in self.manifest.doubts)
        return (
            f"figures up to {self.figures_up_to or 'no day'}: {self.manifest.verdict} as of"
            f" {time_text(self.manifest.as_of)}{doubts}"
        )

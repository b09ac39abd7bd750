"""Rows: the orders of statements, one party after the other, from what was built of a moment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, Self

import duckdb

from wholesale_books.statements.moment import Reading
from wholesale_elt.models import rendered
from wholesale_elt.warehouse import DuckDBRaw

Kind = Literal["buyer", "vendor"]
MODELS = (
    *("fct_orders", "fct_order_status_changes", "obs_orders", "rpt_receivables"),
    *("dim_names", "dim_settings", "rpt_freshness"),
)
"""What is built of the moment, with what these read."""
COUNTING = (
    *("currency", "time_zone", "overdue_days", "terms", "largest_amount", "first_plausible_day"),
    *("waiting_order_statuses", "accepted_order_statuses", "sent_order_statuses"),
    *("done_order_statuses", "cancelled_order_statuses", "returned_order_statuses"),
    *("open_payment_statuses", "settled_payment_statuses", "refunded_payment_statuses"),
)
"""The settings that decide which orders a statement has, where, and how old."""
QUERY = Path(__file__).parent / "rows.sql"
AT_ONCE = 2_000
"""Rows that are in memory at the same time, besides those of one party."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order in a section of a statement. NULL is what is not known, or has no sense there."""

    section: str
    order_id: str
    order_number: str | None
    po_number: str | None
    ordered_date: date | None
    sent_date: date | None
    due_date: date | None
    due_from: str | None
    days_overdue: int | None
    due_bucket: str | None
    age_bucket: str | None
    is_overdue: bool
    amount: Decimal | None
    currency: str | None
    order_status: str | None
    payment_status: str | None
    seen_date: date | None


@dataclass(frozen=True, slots=True)
class Source:
    """What was built of a moment, and the settings that it was built with."""

    connection: duckdb.DuckDBPyConnection
    of: Kind
    reading: Reading
    settings: Mapping[str, str]
    uncertified: Sequence[str]
    """Lists that due days and names come from, which were not certified complete by then."""

    @classmethod
    def opened(cls, connection: duckdb.DuckDBPyConnection, of: Kind, reading: Reading) -> Self:
        exact = {"largest_amount": "::bigint"}  # as it is set
        texts = ", ".join(f"{name}{exact.get(name, '')}::varchar" for name in COUNTING)
        [values] = connection.execute(
            f"select {texts} from wholesale_marts.dim_settings"
        ).fetchall()
        uncertified = connection.execute(
            "select resource from wholesale_bi.rpt_freshness"
            " where not is_complete and resource in ('buyers', 'vendors') order by 1"
        ).fetchall()
        settings = dict(zip(COUNTING, values, strict=True))
        return cls(connection, of, reading, settings, [name for (name,) in uncertified])

    def has(self, party: str) -> bool:
        """Whether anybody had that id then: in the list of its kind, or in an order."""
        column = f"{self.of}_id"
        return bool(
            self.connection.execute(
                f"select 1 from wholesale_staging.stg_wholesale__{self.of}s where {column} = $1"
                f" union all select 1 from wholesale_marts.fct_orders where {column} = $1 limit 1",
                [party],
            ).fetchall()
        )

    def parties(self, party: str | None = None) -> Iterator[tuple[str, Sequence[Order]]]:
        """Those that have orders to list, or the one, with these orders, in a fixed order. While
        they are read the connection is asked nothing else."""
        period, news = self.reading.period, self.reading.news_from
        self.connection.execute(
            rendered(QUERY.read_text("utf-8"), DuckDBRaw.dialect),
            {
                "of": self.of,
                "party": party,
                "first": period.first,
                "day": period.day,
                "news_from": news and news.isoformat(),
            },
        )
        for key, rows in groupby(_rows(self.connection), key=lambda row: row[0]):
            yield str(key), [Order(*row[1:]) for row in rows]

    def without_party(self) -> int:
        """How many orders have no id of that kind, so that they are in no statement."""
        query = (
            "select count(*) from wholesale_marts.fct_orders where is_sale"
            f" and nullif({self.of}_id, '') is null"
            " and (ordered_date is null or ordered_date <= $1)"
        )
        [(count,)] = self.connection.execute(query, [self.reading.period.day]).fetchall()
        return int(count)

    def names(self) -> Mapping[str, str]:
        """The one name that reports and pages have of each."""
        query = "select name_key, display_name from wholesale_marts.dim_names where name_kind = $1"
        return dict(self.connection.execute(query, [self.of]).fetchall())


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while some := connection.fetchmany(AT_ONCE):
        yield from some

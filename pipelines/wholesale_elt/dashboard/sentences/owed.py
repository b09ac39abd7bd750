"""Owed: what was sent and is not paid, as the page adds it up."""

from dataclasses import dataclass
from decimal import Decimal

import duckdb

from wholesale_elt.dashboard.columnar import read_objects
from wholesale_elt.dashboard.tasks import RECEIVABLES


@dataclass(frozen=True, slots=True)
class Owed:
    """Orders that are owed, and the sum of those whose amount is known; orders of which nobody
    knows whether they are are `unknown`."""

    orders: int
    known: int
    amount: Decimal
    unknown: int


def read_owed(connection: duckdb.DuckDBPyConnection) -> Owed:
    rows = read_objects(connection, RECEIVABLES)
    owed = [row for row in rows if row["age"] != "unknown"]
    return Owed(
        sum(row["order_count"] for row in owed),
        sum(row["known_count"] for row in owed),
        sum((Decimal(row["amount"] or 0) for row in owed), Decimal(0)),
        sum(row["order_count"] for row in rows if row["age"] == "unknown"),
    )

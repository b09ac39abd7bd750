"""Purchases: orders by the number of their purchase order, in a file for each ending of it."""

from pathlib import Path

import duckdb

from wholesale_elt.dashboard.columnar import read_tables
from wholesale_elt.dashboard.scripts import write_data

PURCHASES = "purchases"
"""The folder of the data files, below that of all data."""
NUMBERED = frozenset({"fct_orders"})
OTHERS = "other"
"""The file of numbers whose last letters are no plain ones, or too few; of all, if they are few."""
MOST_IN_A_FILE = 4_000
"""So many numbers that a file is read in a moment; a second letter divides them by about ten."""
MOST_LETTERS = 2
BARE = r"regexp_replace(lower(strip_accents(po_number)), '[^\p{L}\p{N}]', '', 'g')"
"""A number without what people leave out or write otherwise; `purchases.js` does the same."""


def read_endings(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The names of all files, which end the numbers in them."""
    rows = connection.sql(f"select distinct ending from ({_orders(connection)}) order by all")
    return [ending for (ending,) in rows.fetchall()]


def write_purchases(connection: duckdb.DuckDBPyConnection, data: Path) -> None:
    """Write the files: each order that has such a number, by its own number, buyer and amount."""
    rows = f"{_orders(connection)} order by ending, po_number, order_number desc"
    for ending, table in read_tables(connection, rows, "ending"):
        write_data(data, f"{PURCHASES}/{ending}", table)


def _orders(connection: duckdb.DuckDBPyConnection) -> str:
    """Orders that have such a number, with its last letter, or its last two if they are many."""
    numbered = f"from wholesale_marts.fct_orders where {BARE} <> ''"
    [(count,)] = connection.sql(f"select count(*) {numbered}").fetchall()
    needed = (letters for letters in range(MOST_LETTERS) if count <= MOST_IN_A_FILE * 10**letters)
    letters = next(needed, MOST_LETTERS)
    ending = f"right({BARE}, {letters})"
    return f"""
        select
            case
                when {letters} > 0 and regexp_full_match({ending}, '[0-9a-z]{{{letters}}}')
                    then {ending}
                else '{OTHERS}'
            end as ending,
            po_number, coalesce(order_number, order_id) as order_number, buyer_id,
            sub_total as amount
        {numbered}
    """

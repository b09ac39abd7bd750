"""Closed months: what each said when it was closed, and the journal of what moved it since."""

from collections.abc import Mapping

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table

MOST_ENTRIES = 20_000
TABLES = ("rpt_closed_months", "rpt_journal")
"""What the books write into a version; a version that was made without them has neither."""
CLOSED: Mapping[str, str] = {
    "months": """
        from main.rpt_closed_months
        order by month_start desc, close_number desc, metric
    """,
    "journal": f"""
        select journal.*, orders.buyer_company_name as buyer_name, orders.vendor_name
        from main.rpt_journal as journal
        left join named_orders as orders using (order_id)
        order by month_start desc, close_number, metric, entry_order
        limit {MOST_ENTRIES}
    """,
    "counted": """
        select month_start, close_number, metric, count(*) as entry_count
        from main.rpt_journal
        group by all
        order by all
    """,
}


def read_closed(connection: duckdb.DuckDBPyConnection) -> Json:
    """Nothing where the version has no books."""
    [(found,)] = connection.execute(
        "select count(*) from duckdb_tables() where schema_name = 'main'"
        " and list_contains(?, table_name)",
        [list(TABLES)],
    ).fetchall()
    if found < len(TABLES):
        return {}
    return {name: read_table(connection, sql) for name, sql in CLOSED.items()}

"""Names: what vendors, buyers and items are called, the same on all pages: what `dim_names` has."""

import duckdb

TABLES = frozenset({"fct_orders", "dim_names"})
"""What `named_orders` is made of."""


def prepare_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the view `named_orders`: the orders, each with the keys of its buyer and vendor as their
    ids, and with the names of these."""
    connection.execute(
        "create or replace temp view named_orders as select fct_orders.* replace ("
        "buyer_key as buyer_id, buyer_names.display_name as buyer_company_name,"
        " vendor_key as vendor_id, vendor_names.display_name as vendor_name)"
        " from wholesale_marts.fct_orders"
        f" left join {named('buyer', 'fct_orders.buyer_key')}"
        f" left join {named('vendor', 'fct_orders.vendor_key')}"
    )


def named(kind: str, key: str) -> str:
    """The names of a kind as `<kind>_names`, joined by what holds their keys."""
    names = f"{kind}_names"
    return (
        f"wholesale_marts.dim_names as {names} on {names}.name_kind = '{kind}'"
        f" and {names}.name_key = {key}"
    )

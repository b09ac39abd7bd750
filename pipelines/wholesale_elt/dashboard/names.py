"""Names: what each vendor, buyer and item is called, once for all pages.

The name is that of the list; of what is in no list, or has no name there, the one that most of its
orders or lines say, of equals the latest.
"""

import duckdb

TOLD = (
    ("vendor", "fct_orders", "vendor_id", "vendor_name"),
    ("buyer", "fct_orders", "buyer_id", "buyer_company_name"),
    ("item", "fct_order_lines", "item_id", "item_title"),
    ("sku", "fct_order_lines", "sku", "item_title"),
)
LISTED = (
    ("vendor", "dim_vendors", "vendor_id", "vendor_name"),
    ("buyer", "dim_buyers", "buyer_id", "company_name"),
    ("item", "dim_items", "item_id", "item_title"),
)
"""A kind of name, the rows that tell it, its key, and the name there."""
TABLES = frozenset(table for _, table, _, _ in (*TOLD, *LISTED))
"""What names are made of."""
NAMES = " union all ".join(
    [
        *(
            f"select '{kind}' as name_kind, {key} as name_key, {name} as display_name,"
            f" true as is_listed, 1 as row_count, cast(null as timestamptz) as told_at"
            f" from wholesale_marts.{table} where trim({name}) <> ''"
            for kind, table, key, name in LISTED
        ),
        *(
            f"select '{kind}', {key}, {name}, false, count(*), max(ordered_at)"
            f" from wholesale_marts.{table} where trim({name}) <> '' and {key} is not null"
            f" group by {key}, {name}"
            for kind, table, key, name in TOLD
        ),
    ]
)


def prepare_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table `names`, a row for each kind and key, and `named_orders`: the orders, each
    with these names of its buyer and vendor."""
    connection.execute(
        f"create or replace temp table names as select name_kind, name_key, display_name"
        f" from ({NAMES}) qualify row_number() over (partition by name_kind, name_key order by"
        " is_listed desc, row_count desc, told_at desc nulls last, display_name) = 1"
    )
    connection.execute(
        "create or replace temp view named_orders as select fct_orders.* replace ("
        "buyer_names.display_name as buyer_company_name,"
        " vendor_names.display_name as vendor_name)"
        " from wholesale_marts.fct_orders"
        f" left join {named('buyer', 'fct_orders.buyer_id')}"
        f" left join {named('vendor', 'fct_orders.vendor_id')}"
    )


def named(kind: str, key: str) -> str:
    """The names of a kind as `<kind>_names`, joined by what holds their keys."""
    names = f"{kind}_names"
    return f"names as {names} on {names}.name_kind = '{kind}' and {names}.name_key = {key}"

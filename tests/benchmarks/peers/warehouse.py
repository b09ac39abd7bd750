"""DuckDB tables with exact types, filled from JSON by DuckDB itself.

Run as a script it loads a file of messages: `warehouse.py singer|airbyte MESSAGES`.
"""

import sys

import duckdb

MONEY = ("sub_total", "total", "vendor_minimum_order_value", "transaction_fee")
ADDRESS = ("name", "email", "company", "phone", "address1", "address2", "city", "state")
FIELDS = {
    **dict.fromkeys(("id", "order_number", "status", "vendor_id", "vendor_name"), "VARCHAR"),
    **dict.fromkeys(("buyer_id", "buyer_user_id", "buyer_company_name"), "VARCHAR"),
    **dict.fromkeys(("invoice_status", "invoice_number", "payment_status"), "VARCHAR"),
    **dict.fromkeys((*MONEY, "order_line_items_discount_amount"), "DECIMAL(38, 9)"),
    **{
        f"{kind}_{part}": "VARCHAR"
        for kind in ("shipping", "billing")
        for part in (*ADDRESS, "country", "zip")
    },
    "billing_payment_method_type": "VARCHAR",
    **{
        f"billing_payment_method_instruction_{part}": "VARCHAR"
        for part in ("pay_to", "send_to_address", "memo", "other")
    },
    "po_number": "VARCHAR",
    "created_at": "TIMESTAMPTZ",
    "updated_at": "TIMESTAMPTZ",
}
LINE = {
    **dict.fromkeys(("item_id", "title", "variant", "sku"), "VARCHAR"),
    "quantity": "BIGINT",
    **dict.fromkeys(("unit_price", "total_price", "discount_amount"), "DECIMAL(38, 9)"),
    **dict.fromkeys(("categoy_name", "vendor_name"), "VARCHAR"),
}
COMMENT = {"id": "VARCHAR", "author": "VARCHAR", "comment": "VARCHAR", "created_at": "TIMESTAMPTZ"}
CHILDREN = {"order_line_items": LINE, "order_comments": COMMENT}


def struct(fields):
    return "STRUCT(" + ", ".join(f'"{name}" {type}' for name, type in fields.items()) + ")"


ORDER = {**FIELDS, **{name: f"{struct(fields)}[]" for name, fields in CHILDREN.items()}}

# the columns of a message, and where the order stands in it
MESSAGES = {
    "singer": ({"type": "VARCHAR", "record": struct(ORDER)}, "record"),
    "airbyte": (
        {"type": "VARCHAR", "record": f"STRUCT(stream VARCHAR, data {struct(ORDER)})"},
        "record.data",
    ),
}


def orders_of(pages):
    """A query for the orders of pages as they came; of files, or of their addresses."""
    return (
        f"SELECT unnest(data, max_depth := 2) FROM read_json({pages}, format = 'unstructured',"
        f" columns = {{'data': '{struct(ORDER)}[]'}})"
    )


def load(connection, staged):
    """Replace or add the orders that the query `staged` gives, and their children."""
    connection.execute("SET TimeZone = 'UTC'; SET preserve_insertion_order = false; BEGIN")
    connection.execute(f"CREATE TEMP TABLE staged AS {staged}")
    columns = ", ".join(FIELDS)
    for table, key, query in [
        ("orders", "id", f"SELECT {columns} FROM staged"),
        *(
            (
                child,
                "order_id",
                f"SELECT id AS order_id, unnest(range(1, len({child}) + 1)) AS number,"
                f" unnest({child}, recursive := true) FROM staged",
            )
            for child in CHILDREN
        ),
    ]:
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} AS {query} LIMIT 0")
        connection.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT id FROM staged)")
        connection.execute(f"INSERT INTO {table} {query}")
    connection.execute("COMMIT")


if __name__ == "__main__":
    columns, order = MESSAGES[sys.argv[1]]
    with duckdb.connect("warehouse.duckdb") as connection:
        load(
            connection,
            f"SELECT unnest({order}) FROM read_json('{sys.argv[2]}', format = 'newline_delimited',"
            f" columns = {columns}) WHERE type = 'RECORD'",
        )

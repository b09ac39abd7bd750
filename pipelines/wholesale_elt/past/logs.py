"""Logs: of some columns every value that was seen is kept, in a table beside that of the records.

Of a record it has a row for each time that one of these columns was seen to differ.
"""

from collections.abc import Mapping, Sequence

from wholesale.names import DELETED_AT
from wholesale.tables import TableShape

WATCHED: Mapping[str, Sequence[str]] = {
    "orders": ("status", "payment_status", "invoice_status"),
    "prices": ("price_list_id", "variant_id", "item_id", "unit_price"),
    "variants": ("parent_id", "sku", "unit_price", "msrp", "map", "sku_status"),
    "vendors": ("minimum_order_value", "minimum_order_quantity"),
}
"""These columns, by resource; one that the service never sent is not in the log either."""
OBSERVED_AT = "observed_at"
"""When a sync wrote the row."""


def log_of(resource: str) -> str:
    """The name of the log of a resource."""
    return f"{resource}__observations"


def columns_in_log(shape: TableShape) -> Sequence[str]:
    """The columns of the table that its log has too."""
    columns = ("id", *WATCHED[shape.table], DELETED_AT)
    return [name for name in columns if name in shape.schema.names]

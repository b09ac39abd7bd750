"""Records to serve in tests, complete enough to be read and short enough to be seen."""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

Record = dict[str, Any]


def guid(name: str) -> str:
    """A guid that is always the same for a name."""
    return str(uuid5(NAMESPACE_URL, name))


def order(name: str, **fields: Any) -> Record:
    return {
        "id": guid(name),
        "order_number": name,
        "status": "received",
        "total": "10.50",
        "created_at": "2026-01-01T10:00:00Z",
        "updated_at": "2026-01-02T10:00:00Z",
        "order_line_items": [],
        "order_comments": [],
        **fields,
    }


def line(sku: str, **fields: Any) -> Record:
    return {"sku": sku, "quantity": 1, "unit_price": 2.5, "total_price": 2.5, **fields}

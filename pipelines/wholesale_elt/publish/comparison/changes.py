"""Changes: what became of each order, and of its lines, since the version before."""

from collections.abc import Collection, Iterator
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from wholesale.api import PERSONAL_FIELDS, class_of
from wholesale.configuration import read_model
from wholesale.names import EXTRA
from wholesale_elt.models import BUILD, ModelSettings
from wholesale_elt.publish.comparison.writing import Row, Rows
from wholesale_elt.publish.description import CHANGE_FIELDS, CHANGES
from wholesale_elt.publish.manifest import Build
from wholesale_elt.warehouse import Warehouse

if TYPE_CHECKING:
    from wholesale_elt.inspect import Change, Fields

MARTS = {"orders": "fct_orders", "orders__order_line_items": "fct_order_lines"}
"""The tables that are told of, and the marts by whose columns privacy.published names fields."""
ROWS_A_BATCH = 10_000
EXACT = "f"


def write_changes(
    rows: Rows, warehouse: Warehouse, since: datetime, build: Build, published: Collection[str]
) -> None:
    """Add what changed between the moment at which an earlier version was built and this build.

    `published` are the personal columns that are published, as `table.column`.
    Raises: ConfigurationError if so little of the past is kept.
    """
    from wholesale_elt.inspect import each_change  # knows the service, which nothing else here does

    cancelled = read_model(ModelSettings, BUILD).cancelled_order_statuses
    with warehouse.open(is_read_only=True) as raw:
        found = each_change(
            *(raw, warehouse, since, datetime.fromisoformat(build.built_at), cancelled),
            show=partial(_published, frozenset(published)),
            resources=("orders",),
        )
        told = (each for each in found if each.resource in MARTS)
        while batch := list(islice(told, ROWS_A_BATCH)):
            rows.append(CHANGES, [_change(each) for each in batch])
            rows.append(CHANGE_FIELDS, [row for each in batch for row in _fields(each)])


def _published(published: Collection[str], table: str, fields: "Fields") -> "Fields":
    """What is published of these fields: none that nobody knows, as it may tell of a person."""
    return {name: pair for name, pair in fields.items() if _is_published(published, table, name)}


def _is_published(published: Collection[str], table: str, name: str) -> bool:
    if name in PERSONAL_FIELDS:
        return f"{MARTS.get(table)}.{name}" in published
    return name != EXTRA and class_of(table, name) != "undocumented"


def _change(change: "Change") -> Row:
    before, after = change.amounts or (None, None)
    return {
        "kind": change.kind,
        "order_id": change.id,
        "order_number": change.order_number,
        "line_number": change.number,
        "sku": change.sku,
        "amount_before": before,
        "amount_after": after,
        "amount_effect": change.effect,
        "fields": ", ".join(change.fields),
        "changed_at": change.changed_at,
    }


def _fields(change: "Change") -> Iterator[Row]:
    for name, (before, after) in change.fields.items():
        yield {
            "order_id": change.id,
            "line_number": change.number,
            "field": name,
            "value_before": _text(before),
            "value_after": _text(after),
        }


def _text(value: Any) -> str | None:
    """A value as JSON has it: a decimal by its digits, a time in ISO 8601."""
    match value:
        case None:
            return None
        case bool():
            return str(value).lower()
        case Decimal():
            return format(value.normalize() if value else Decimal(), EXACT)
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
    return str(value)

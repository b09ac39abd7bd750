"""Explanation of an order: as stored, as the service has it, and what a sync would do."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from wholesale.api import RESOURCE, ServiceProfile, set_to, typed_id
from wholesale.compare import PARTS, is_in_part
from wholesale.configuration import read_policy
from wholesale.errors import ContentError, ServiceError, Unavailable
from wholesale.http import Client, Traffic
from wholesale.names import DELETED_AT, EXTRA
from wholesale.pages import Fetcher, Key, Service
from wholesale.privacy import Masking
from wholesale.settings import ApiSettings
from wholesale.tables import Decoded, TableShape, decode, keys_of_texts, shape_of
from wholesale_elt.runs import (
    History,
    as_utc,
    find_order,
    read_erased,
    read_histories,
    read_profile,
    require_plain_ids,
)
from wholesale_elt.warehouse import RawReader, Warehouse

ORDERS = RESOURCE["orders"]
SHAPE = shape_of(ORDERS)
LINES = "orders__order_line_items"
COMMENTS = "orders__order_comments"
MART = "wholesale_marts.fct_orders"


@dataclass(frozen=True, slots=True)
class OrderState:
    """An order as one side has it; `lines` and `comments` are counts, times are UTC."""

    order_number: str | None
    status: str | None
    updated_at: datetime | None
    total: Decimal | None
    lines: int
    comments: int
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """An order as `stored` and as the `service` has it now, None where it does not exist.

    `differing` are the fields in which one side is not what the other would be stored as. `history`
    is that of the orders; `audited_on` is the day of the next audit of this one.
    `lacking` are the lists that the order comes without, which are not known to be left out;
    `left_out` are their child tables and those of lists that are.
    `in_mart` says whether the marts have it, None if they are not built. `not_asked` says why the
    service was not asked, None if it was.
    """

    order_id: str
    stored: OrderState | None
    service: OrderState | None
    history: History
    audited_on: date
    in_mart: bool | None
    differing: Sequence[str] = ()
    lacking: Sequence[str] = ()
    not_asked: str | None = None
    left_out: Set[str] = frozenset()

    @property
    def is_known(self) -> bool:
        return bool(self.stored or self.service)

    def verdict(self) -> str:
        """What the next sync will do about the order, and why, in one sentence."""
        stored, service = self.stored, self.service
        if self.not_asked:
            what = "stored" if stored else "not stored"
            return f"{what}; the service was not asked: {self.not_asked}"
        if stored is None:
            if service is None:
                return "neither stored nor at the service: check the id"
            if self.lacking:
                return f"not stored: {self._incomplete()}"
            return "not stored yet: the next sync finds it in the list and fetches it"
        if service is None:
            if stored.deleted_at:
                return "deleted at the service, and marked as deleted"
            return (
                "gone at the service: the next sync asks for it, gets 404 and marks it as deleted"
            )
        if stored.deleted_at:
            return "marked as deleted, but it is there again: the next sync fetches it"
        if self.lacking:
            what = "another one is stored, and stays" if self.differing else "stored as it came"
            return f"{what}, and each sync asks for it again: {self._incomplete()}"
        if stored.updated_at != service.updated_at:
            return "changed since it was stored: the next sync sees another version and fetches it"
        if self.differing:
            return f"of the same updated_at, but other in {self._difference()}"
        since = self.history.dirty_since
        same = "the same as the service shows it"
        if since and stored.updated_at and stored.updated_at >= since:
            return f"{same}; as it changed recently, the next sync fetches it again"
        return f"{same}: not fetched before the audit of {self.audited_on}"

    def _difference(self) -> str:
        names = ", ".join(self.differing)
        if not set(self.differing).isdisjoint(ORDERS.summary):
            return f"{names}: the list shows that, so the next sync fetches it"
        when = f"by the audit of {self.audited_on}, or now with --full"
        return f"{names}: no list shows that, so it is fetched {when}"

    def _incomplete(self) -> str:
        return (
            f"it comes without {' and '.join(self.lacking)}, which a sync takes for incomplete,"
            f" unless they are left out where they are empty:"
            f" {set_to('empty_lists_left_out', self.left_out)}"
        )


def explain_order(
    order: str,
    settings: ApiSettings | None,
    warehouse: Warehouse,
    *,
    now: datetime | None = None,
) -> Explanation:
    """Compare a stored order with the service; writes to neither.

    `order` is an id, or of a stored order also its number or PO number. Without settings, and if
    the service cannot be reached, only what is stored is shown.

    Raises: ServiceError if the service gives no usable response; WholesaleError if several stored
    orders have that number.
    """
    known, order_id = _known(warehouse), _id_of(order, warehouse)
    found, not_asked = None, None
    if settings is None:
        not_asked = "no service is set"
    else:
        try:
            found = _ask(order_id, settings, known)
        except Unavailable as error:
            if not warehouse.may_exist:
                raise
            not_asked = str(error)
    today = (now or datetime.now(UTC)).date()
    history, stored, in_mart = History(), None, None
    differing: Sequence[str] = ()
    lacking: Sequence[str] = ()
    left_out = known.empty_lists_left_out if known else frozenset()
    if warehouse.may_exist:
        with warehouse.open(is_read_only=True) as raw:
            history = read_histories(raw).get(ORDERS.name, history)
            stored = _stored(raw, order_id)
            in_mart = _is_in_mart(raw, order_id)
            if found:
                without = [list_ for list_ in SHAPE.children if not _carries(found, list_)]
                lacking = [list_.field for list_ in without if list_.table not in left_out]
                left_out |= {list_.table for list_ in without}
                masking = Masking(read_policy(), read_erased(raw))
                differing = _differing(raw, order_id, masking.mask(found)) if stored else ()
    return Explanation(
        order_id,
        stored,
        _shown(found) if found else None,
        history,
        _audit_day(order_id, today),
        in_mart,
        differing,
        lacking,
        not_asked,
        left_out,
    )


def _id_of(order: str, warehouse: Warehouse) -> str:
    """The id of the stored order that is meant; else it is taken for the id of one that is not
    stored.

    Raises: WholesaleError if there are several.
    """
    if not warehouse.may_exist:
        return typed_id(order)
    with warehouse.open(is_read_only=True) as raw:
        require_plain_ids(raw, warehouse)
        return find_order(raw, order) or typed_id(order)


def _known(warehouse: Warehouse) -> ServiceProfile | None:
    """What runs into this warehouse have found out about the service."""
    if not warehouse.may_exist:
        return None
    with warehouse.open(is_read_only=True) as raw:
        return read_profile(raw)


def _ask(order_id: str, settings: ApiSettings, known: ServiceProfile | None) -> Decoded | None:
    """The order as the service has it."""
    with Fetcher(Service.of(Client(settings), known), ORDERS, Traffic()) as fetcher:
        ((_, source),) = fetcher.records([Key(order_id)])
    if source is None:
        return None
    if isinstance(source, ServiceError):
        raise source
    decoded = decode([source], SHAPE.in_zone(settings.service.time_zone))
    if not len(decoded.root):
        raise ContentError(
            f"GET /orders/{order_id} brought a record without an id that can be used, which a sync"
            " puts into quarantine; see what answers there"
        )
    return decoded


def _carries(found: Decoded, list_: TableShape) -> bool:
    return bool(found.carried[list_.table].true_count)


def _shown(found: Decoded) -> OrderState:
    (row,) = found.root.to_pylist()
    return _state(row, len(found.tables[LINES]), len(found.tables[COMMENTS]))


def _differing(raw: RawReader, order_id: str, found: Decoded) -> Sequence[str]:
    """The fields that are stored otherwise than they would be stored now; of those that only lists
    show, nothing is known."""
    (here,) = _rows(raw, order_id, found.shape)
    (there,) = _sent(found.root, here)
    fields = [
        name
        for name in here
        if here[name] != there[name] and not (there[name] is None and name in ORDERS.summary_only)
    ]
    for list_ in found.shape.children:
        stored = _rows(raw, order_id, list_)
        sent = _sent(found.tables[list_.table], stored[0] if stored else ())
        if len(stored) != len(found.tables[list_.table]) or _counted(stored) != _counted(sent):
            fields.append(list_.field)
    return fields


def _rows(raw: RawReader, order_id: str, shape: TableShape) -> list[dict[str, Any]]:
    """The stored rows of the order in this table, in the columns that the service fills."""
    names = raw.column_names(shape.table)
    filled = (*(mapping.column for mapping in shape.mappings), EXTRA)
    there = [name for name in filled if name in names]
    columns = ", ".join(raw.column_as(name, shape.schema.field(name).type) for name in there)
    key = shape.parent_key or "id"
    rows = raw.rows(f"select {columns} from {raw.name(shape.table)} where {key} = %s", order_id)
    return [dict(zip(there, map(_comparable, row), strict=True)) for row in rows]


def _sent(rows: pa.Table, names: Collection[str]) -> list[dict[str, Any]]:
    shown = rows.select(list(names)).to_pylist()
    return [{name: _comparable(value) for name, value in row.items()} for row in shown]


def _comparable(value: Any) -> Any:
    return as_utc(value) if isinstance(value, datetime) else value


def _counted(rows: Sequence[Mapping[str, Any]]) -> Counter[tuple[Any, ...]]:
    """The rows in any order."""
    return Counter(tuple(row.values()) for row in rows)


def _stored(raw: RawReader, order_id: str) -> OrderState | None:
    names = ("order_number", "status", "updated_at", "total", DELETED_AT)
    rows = raw.rows(
        f"select {', '.join(names)} from {raw.name(ORDERS.name)} where id = %s", order_id
    )
    if not rows:
        return None
    lines, comments = (
        raw.rows(f"select count(*) from {raw.name(table)} where order_id = %s", order_id)[0][0]
        for table in (LINES, COMMENTS)
    )
    return _state(dict(zip(names, rows[0], strict=True)), lines, comments)


def _state(row: Mapping[str, Any], lines: int, comments: int) -> OrderState:
    return OrderState(
        order_number=row["order_number"],
        status=row["status"],
        updated_at=as_utc(row["updated_at"]),
        total=row["total"],
        lines=lines,
        comments=comments,
        deleted_at=as_utc(row.get(DELETED_AT)),
    )


def _is_in_mart(raw: RawReader, order_id: str) -> bool | None:
    schema, _, table = MART.partition(".")
    is_built = raw.rows(
        "select 1 from information_schema.tables where table_schema = %s and table_name = %s",
        schema,
        table,
    )
    return bool(raw.rows(f"select 1 from {MART} where order_id = %s", order_id)) or (
        False if is_built else None
    )


def _audit_day(order_id: str, today: date) -> date:
    """The day, from tomorrow on, whose audit reads this order again."""
    key = keys_of_texts([order_id])
    days = (today + timedelta(days=ahead) for ahead in range(1, PARTS + 1))
    return next(day for day in days if is_in_part(key, day.toordinal() % PARTS)[0])

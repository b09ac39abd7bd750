"""Explanation of an order: as stored, as the service has it, and what a sync would do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from wholesale.api import RESOURCE
from wholesale.compare import PARTS, is_in_part
from wholesale.errors import ContentError, ServiceError
from wholesale.http import Traffic
from wholesale.pages import Fetcher, Service
from wholesale.settings import ApiSettings
from wholesale.tables import DELETED_AT, TableShape, decode, keys_of, shape_of
from wholesale_elt.runs import History, as_utc, read_histories
from wholesale_elt.warehouse import Raw, Warehouse

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

    `history` is that of the orders; `audited_on` is the day of the next audit of this one.
    `lacking` are the lists that the order comes without, though others that are stored have them.
    `in_mart` says whether the marts have it, None if they are not built.
    """

    order_id: str
    stored: OrderState | None
    service: OrderState | None
    history: History
    audited_on: date
    in_mart: bool | None
    lacking: Sequence[str] = ()

    def verdict(self) -> str:
        """What the next sync will do about the order, and why, in one sentence."""
        stored, service = self.stored, self.service
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
        if self.lacking and stored != service:
            return f"another one is stored, and stays: {self._incomplete()}"
        if stored.updated_at != service.updated_at:
            return "changed since it was stored: the next sync sees another version and fetches it"
        if stored != service:
            return (
                "edited without a new updated_at: a sync sees that only when a field of the summary"
                f" changed, else by the audit of {self.audited_on}, or now with --full"
            )
        since = self.history.dirty_since
        if since and stored.updated_at and stored.updated_at >= since:
            return (
                "the same as at the service; as it changed recently, the next sync fetches it again"
            )
        return f"the same as at the service: not fetched before the audit of {self.audited_on}"

    def _incomplete(self) -> str:
        return (
            f"it comes without {' and '.join(self.lacking)}, which a sync takes for incomplete, as"
            " other orders have them, unless the service leaves out each list that is empty"
        )


def explain_order(
    order_id: str, settings: ApiSettings, warehouse: Warehouse, *, now: datetime | None = None
) -> Explanation:
    """Compare a stored order with the service; writes to neither.

    Raises: ServiceError if the service gives no usable answer.
    """
    service, without = _ask(order_id, settings)
    today = (now or datetime.now(UTC)).date()
    history, stored, in_mart = History(), None, None
    lacking: Sequence[str] = ()
    if warehouse.may_exist:
        with warehouse.open(is_read_only=True) as raw:
            history = read_histories(raw).get(ORDERS.name, history)
            stored = _stored(raw, order_id)
            in_mart = _is_in_mart(raw, order_id)
            lacking = [list_.field for list_ in without if raw.count(list_.table)]
    audited_on = _audit_day(order_id, today)
    return Explanation(order_id, stored, service, history, audited_on, in_mart, lacking)


def _ask(order_id: str, settings: ApiSettings) -> tuple[OrderState | None, Sequence[TableShape]]:
    """The order as the service has it, and the lists that it comes without."""
    with Fetcher(Service.at(settings), ORDERS, Traffic()) as fetcher:
        ((_, source),) = fetcher.records([(order_id, None)])
    if source is None:
        return None, ()
    if isinstance(source, ServiceError):
        raise source
    decoded = decode([source], SHAPE)
    if not len(decoded.root):
        raise ContentError(
            f"GET /orders/{order_id} brought a record without an id that can be used, which a sync"
            " puts into quarantine; see what answers there"
        )
    (row,) = decoded.root.to_pylist()
    without = [list_ for list_ in SHAPE.children if not decoded.carried[list_.table].true_count]
    return _state(row, len(decoded.tables[LINES]), len(decoded.tables[COMMENTS])), without


def _stored(raw: Raw, order_id: str) -> OrderState | None:
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


def _is_in_mart(raw: Raw, order_id: str) -> bool | None:
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
    key = keys_of(pa.array([order_id]))
    days = (today + timedelta(days=ahead) for ahead in range(1, PARTS + 1))
    return next(day for day in days if is_in_part(key, day.toordinal() % PARTS)[0])

"""Books: orders and products as the definitions see them, out of the raw rows of some syncs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import duckdb

from .arithmetic import (
    Number,
    commonest,
    greatest,
    grouped,
    last_day_of_month,
    least,
    quoted,
    told,
    total,
    total_or_none,
)
from .places import country_name, state_name

Record = Mapping[str, Any]
Raw = Mapping[str, Sequence[Record]]
"""The rows of each raw table."""

CLOCKS_AGREE = timedelta(minutes=5)
"""A moment that lies farther ahead of the build was told by a clock that was wrong."""


MEANINGS = {
    "order": ("cancelled", "returned", "done", "sent", "accepted", "waiting"),
    "payment": ("refunded", "settled", "open"),
}


@dataclass(frozen=True)
class Settings:
    """Those of the build; see "Settings" in sql/README.md."""

    time_zone: str = "UTC"
    currency: str = "XXX"
    near_miss_share: Decimal = Decimal("0.9")
    lapse_days: int = 90
    late_percentile: Decimal = Decimal("0.9")
    late_minimum_orders: int = 4
    largest_amount: int = 10**15
    largest_quantity: int = 10**9
    first_plausible_day: date = date(2000, 1, 1)
    is_discount_in_amounts: bool = False
    cancelled_order_statuses: tuple[str, ...] = (
        *("cancelled", "canceled", "declined"),
        *("rejected", "void", "voided"),
    )
    waiting_order_statuses: tuple[str, ...] = ("received",)
    accepted_order_statuses: tuple[str, ...] = ("confirmed",)
    sent_order_statuses: tuple[str, ...] = ("shipped",)
    done_order_statuses: tuple[str, ...] = ("delivered",)
    returned_order_statuses: tuple[str, ...] = ()
    open_payment_statuses: tuple[str, ...] = ("unpaid",)
    settled_payment_statuses: tuple[str, ...] = ("paid", "voided")
    refunded_payment_statuses: tuple[str, ...] = ("refunded",)
    confirm_days: int = 3
    confirm_minimum_orders: int = 5
    old_order_days: int = 30
    overdue_days: int = 60
    recent_days: int = 30
    spending_days: int = 90
    price_change_days: int = 30
    pair_minimum_orders: int = 5
    done_days: int = 90
    terms: Mapping[str, int] = field(default_factory=dict)
    processing: Mapping[str, str] = field(default_factory=dict)


def read(database: Path) -> Raw:
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")

        def rows(table: str) -> list[Record]:
            cursor = connection.execute(f"select * from {table}")
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

        return {
            table["table_name"]: rows(f"wholesale_raw.{table['table_name']}")
            for table in rows("duckdb_tables()")
            if table["schema_name"] == "wholesale_raw"
        }


@dataclass(eq=False, slots=True)
class Line:
    order: "Order"
    number: int
    item_id: str | None
    sku: str | None
    variant_id: str | None
    item_title: str | None
    variant_title: str | None
    category_name: str | None
    vendor_name: str | None
    quantity: int | None
    unit_price: Decimal | None
    total_price: Decimal | None
    discount: Decimal | None

    @property
    def id(self) -> str:
        return f"{self.order.id}-{self.number}"

    @property
    def item_key(self) -> str | None:
        return identity(self.item_id, self.item_title)


@dataclass(eq=False)
class Order:
    id: str
    number: str | None
    vendor_id: str | None
    vendor_name: str | None
    buyer_id: str | None
    buyer_name: str | None
    status: str | None
    payment: str | None
    sub_total: Decimal | None
    total: Decimal | None
    discount: Decimal | None
    fee: Decimal | None
    minimum_value: Decimal | None
    country: str | None
    state: str | None
    at: datetime | None
    day: date | None
    invoiced_day: date | None
    changed_at: datetime | None
    is_deleted: bool
    is_sale: bool
    is_return: bool
    is_refunded: bool
    order_standing: str
    standing: str
    currency: str | None
    lines: list[Line] = field(default_factory=list)

    @property
    def vendor_key(self) -> str | None:
        return identity(self.vendor_id, self.vendor_name)

    @property
    def buyer_key(self) -> str | None:
        return identity(self.buyer_id, self.buyer_name)

    @property
    def vendor(self) -> str:
        return told(self.vendor_id)

    @cached_property
    def place(self) -> str:
        """Country and state (`United States-California`); a country with a hyphen is quoted."""
        country = self.country or None
        place = quoted(country) if country and "-" in country else told(country)
        return f"{place}-{self.state}" if self.state else place

    @cached_property
    def units(self) -> int | None:
        """None where a line has no quantity."""
        is_known = all(line.quantity is not None for line in self.lines)
        return int(self.known_units or 0) if is_known else None

    @cached_property
    def known_units(self) -> Number | None:
        return total(line.quantity for line in self.lines)

    @property
    def is_below_minimum_value(self) -> bool:
        known = self.sub_total is not None and self.minimum_value is not None
        return (
            known and self.sub_total < self.minimum_value and not self.is_return  # type: ignore[operator]
        )


@dataclass(eq=False)
class Books:
    """The raw rows at each build, the last of them those of now; `built_at` is the last build."""

    snapshots: Sequence[Raw]
    built_at: datetime
    settings: Settings = field(default_factory=Settings)

    def rows(self, table: str, of: Raw | None = None) -> Sequence[Record]:
        return (of or self.snapshots[-1]).get(table, ())

    @cached_property
    def items(self) -> dict[str, Record]:
        return self.by_id("items")

    def by_id(self, table: str) -> dict[str, Record]:
        return {record["id"]: record for record in self.rows(table)}

    def is_ahead(self, moment: datetime) -> bool:
        return moment > self.built_at + CLOCKS_AGREE

    def ended(self, resource: str, of: Raw | None = None) -> datetime | None:
        """When the last sync of a resource ended."""
        return greatest(
            run["ended_at"]
            for run in self.rows("sync_runs", of)
            if run["resource"] == resource
            if run["ended_at"] is not None and not self.is_ahead(run["ended_at"])
        )

    def amount(self, value: Decimal | None) -> Decimal | None:
        """An amount, if it is believed."""
        return value if value is not None and abs(value) <= self.settings.largest_amount else None

    def after(self, amount: Decimal | None, discount: Decimal | None) -> Decimal | None:
        """What is left of an amount after its discount."""
        is_off = self.settings.is_discount_in_amounts
        return None if amount is None else amount - (0 if is_off else discount or 0)

    def before(self, amount: Decimal | None, discount: Decimal | None) -> Decimal | None:
        """What an amount was before its discount."""
        is_off = self.settings.is_discount_in_amounts
        return None if amount is None else amount + ((discount or 0) if is_off else 0)

    def quantity(self, value: int | None) -> int | None:
        return value if value is not None and abs(value) <= self.settings.largest_quantity else None

    def moment(self, value: datetime | None) -> datetime | None:
        """A moment of an order, if it is believed."""
        first = datetime.combine(self.settings.first_plausible_day, time(), UTC)
        if value is None or value < first:
            return None
        synced = self.synced_at or self.built_at
        return value if value <= synced + timedelta(days=1) else None

    def day(self, moment: datetime | None) -> date | None:
        """The day in the time zone of the business."""
        return moment and moment.astimezone(self.zone).date()

    @cached_property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.settings.time_zone)

    @cached_property
    def synced_at(self) -> datetime | None:
        return self.ended("orders")

    @cached_property
    def orders(self) -> dict[str, Order]:
        orders = {record["id"]: self._order(record) for record in self.rows("orders")}
        for record in self.rows("orders__order_line_items"):
            order = orders[record["order_id"]]
            order.lines.append(self._line(order, record))
        return orders

    def meaning_of(self, kind: str, state: str | None, *, of: Settings | None = None) -> str:
        """What the state of an order or payment means: of settings that name it the first."""
        return next(
            (
                standing
                for standing in MEANINGS[kind]
                if state in getattr(of or self.settings, f"{standing}_{kind}_statuses")
            ),
            "unknown",
        )

    def meant(self, kind: str, state: str | None) -> str:
        """What a state of the past meant: by the settings, else by default."""
        now = self.meaning_of(kind, state)
        return self.meaning_of(kind, state, of=Settings()) if now == "unknown" else now

    def _order(self, record: Record) -> Order:
        status, payment = (lowered(record.get(name)) for name in ("status", "payment_status"))
        at = self.moment(record["created_at"])
        is_deleted = record["_deleted_at"] is not None
        is_sale = not is_deleted and status not in self.settings.cancelled_order_statuses
        sub_total, total_ = self.amount(record.get("sub_total")), self.amount(record.get("total"))
        amount = total_ if sub_total is None else sub_total
        means = self.meaning_of("payment", payment)
        return Order(
            id=record["id"],
            number=record.get("order_number"),
            vendor_id=record.get("vendor_id"),
            vendor_name=record.get("vendor_name"),
            buyer_id=record.get("buyer_id"),
            buyer_name=record.get("buyer_company_name"),
            status=status,
            payment=payment,
            sub_total=sub_total,
            total=total_,
            discount=self.amount(record.get("order_line_items_discount_amount")),
            fee=self.amount(record.get("transaction_fee")),
            minimum_value=self.amount(record.get("vendor_minimum_order_value")),
            country=country_name(record.get("shipping_country")),
            state=state_name(record.get("shipping_country"), record.get("shipping_state")),
            at=at,
            day=self.day(at),
            invoiced_day=self.day(self.moment(record.get("invoice_generated_at"))),
            changed_at=self.moment(record.get("updated_at")),
            is_deleted=is_deleted,
            is_sale=is_sale,
            is_return=is_sale and amount is not None and amount < 0,
            is_refunded=means == "refunded",
            order_standing=self.meaning_of("order", status),
            standing="settled" if means == "refunded" else means,
            currency=currency_of(record),
        )

    def _line(self, order: Order, record: Record) -> Line:
        return Line(
            order=order,
            number=record["line_number"],
            item_id=record.get("item_id"),
            sku=record.get("sku"),
            variant_id=record.get("variant_id"),
            item_title=record.get("title"),
            variant_title=record.get("variant"),
            category_name=record.get("categoy_name"),
            vendor_name=record.get("vendor_name"),
            quantity=self.quantity(record.get("quantity")),
            unit_price=self.amount(record.get("unit_price")),
            total_price=self.amount(record.get("total_price")),
            discount=self.amount(record.get("discount_amount")),
        )

    @cached_property
    def alive(self) -> list[Order]:
        return [order for order in self.orders.values() if not order.is_deleted]

    @cached_property
    def sales(self) -> list[Order]:
        """The orders that count."""
        return [order for order in self.alive if order.is_sale]

    @cached_property
    def dated_sales(self) -> list[Order]:
        return [order for order in self.sales if order.day]

    @cached_property
    def purchases(self) -> list[Order]:
        """The orders that are no returns."""
        return [order for order in self.sales if not order.is_return]

    @cached_property
    def first_day(self) -> date | None:
        """The beginning of the figures."""
        return least(order.day for order in self.sales)

    @cached_property
    def last_day(self) -> date | None:
        """The day of the last order."""
        return greatest(order.day for order in self.alive)

    @cached_property
    def as_of(self) -> date | None:
        """The last day on which the orders show any activity."""
        return greatest([self.last_day, *(self.day(order.changed_at) for order in self.alive)])

    def is_finished(self, month: date | None) -> bool | None:
        """Whether figures reach to the last day of a month."""
        up_to = self.figures_up_to
        return last_day_of_month(month) <= up_to if month and up_to else None

    def month_of(self, day: date | None) -> date | None:
        """The month of a day that is over; what is ordered later is in none."""
        up_to = self.figures_up_to
        return day.replace(day=1) if day and up_to and day <= up_to else None

    def seen_days_of(self, month: date | None) -> int | None:
        up_to = self.figures_up_to
        if not month or not up_to:
            return None
        return (min(last_day_of_month(month), up_to) - month).days + 1

    @cached_property
    def figures_up_to(self) -> date | None:
        """The last day that was over when the orders were read."""
        begun = [
            run["started_at"]
            for run in self.rows("sync_runs")
            if run["resource"] == "orders" and not self.is_ahead(run["started_at"])
        ]
        read_on = max(begun, default=self.built_at).astimezone(self.zone).date()
        return self.as_of and min(self.as_of, read_on - timedelta(days=1))

    def vendor_name(self, vendor_id: str | None) -> str | None:
        """Name of a vendor as reports call it; `all` for the sum over all."""
        return "all" if vendor_id == "all" else self._vendor_names.get(vendor_id)

    def called(self, kind: str, key: str | None) -> str | None:
        """The one name of a vendor, buyer or item: that of the list, else the commonest of its
        orders or lines, else of the items and variants that name it."""
        return self._names[kind].get(key)

    def title(self, line: Line) -> str | None:
        return self.called("items", line.item_key)

    @cached_property
    def _names(self) -> dict[str, dict[str | None, str | None]]:
        orders = self.orders.values()
        lines = [line for order in orders for line in order.lines]
        offered = [*self.rows("items"), *self.rows("variants")]
        vendors = [(vendor_key(row), row.get("vendor_name"), None) for row in offered]
        items = [(item_key(row), row.get("parent_title"), None) for row in self.rows("variants")]
        told_by: dict[str, tuple[str, *tuple[list[tuple[Any, ...]], ...]]] = {
            "vendors": ("name", [(o.vendor_key, o.vendor_name, o.at) for o in orders], vendors),
            "buyers": ("company_name", [(o.buyer_key, o.buyer_name, o.at) for o in orders], []),
            "items": (
                "title",
                [(one.item_key, one.item_title, one.order.at) for one in lines],
                items,
            ),
        }
        found: dict[str, dict[str | None, str | None]] = {}
        for table, (column, *tellers) in told_by.items():
            found[table] = {}
            for told_names in reversed(tellers):
                named = grouped(
                    (row for row in told_names if row[0] and row[1]), lambda row: row[0]
                )
                found[table] |= {
                    key: commonest(row[1:] for row in rows) for key, rows in named.items()
                }
            found[table] |= {row["id"]: row[column] for row in self.rows(table) if row.get(column)}
        return found

    @cached_property
    def _vendor_names(self) -> dict[str | None, str | None]:
        return {told(vendor): name for vendor, name in self._names["vendors"].items()}


def vendor_key(record: Record) -> str | None:
    """What tells the vendor of an item or variant apart."""
    return identity(record.get("vendor_id"), record.get("vendor_name"))


def item_key(variant: Record) -> str | None:
    """What tells the item of a variant apart."""
    return identity(variant.get("parent_id"), variant.get("parent_title"))


def identity(key: str | None, name: str | None) -> str | None:
    """What tells things apart: the id, else the name."""
    return key or (f"name:{name}" if name else None)


def lowered(text: str | None) -> str | None:
    """The name of a state: in small letters, without white space around it."""
    return text and text.strip().lower()


def sku_key(text: str | None) -> str | None:
    """A SKU as it is compared: in small letters, without white space."""
    return text and "".join(text.split()).lower()


def currency_of(record: Record) -> str | None:
    return (record.get("currency") or "").strip().upper() or None


def sub_totals(orders: Iterable[Order]) -> Decimal | None:
    return total(order.sub_total for order in orders)


def totals(orders: Iterable[Order]) -> Decimal | None:
    return total(order.total for order in orders)


def discounts(orders: Iterable[Order]) -> Number | None:
    return total_or_none(order.discount for order in orders)


def units(orders: Iterable[Order]) -> Decimal | None:
    return total(order.known_units for order in orders)

"""Figures a second time: in plain Python, from the rows of facts and dimensions alone."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

import duckdb

Row = Mapping[str, Any]
WIDE = Context(prec=60)
MILLIONTH = Decimal("0.000001")


@dataclass(frozen=True)
class Tables:
    """The rows that figures count, each with what its order, buyer, vendor and item say."""

    orders: Sequence[Row]
    lines: Sequence[Row]

    @classmethod
    def read(cls, database: str) -> "Tables":
        with duckdb.connect(database, read_only=True) as connection:

            def rows(name: str) -> list[dict[str, Any]]:
                table = connection.sql(f"from wholesale_marts.{name}").to_arrow_table()
                found: list[dict[str, Any]] = table.to_pylist()
                return found

            vendors = {row["vendor_id"]: row for row in rows("dim_vendors")}
            buyers = {row["buyer_id"]: row for row in rows("dim_buyers")}
            items = {row["item_id"]: row for row in rows("dim_items")}
            users = {row["buyer_user_id"]: row for row in rows("dim_buyer_users")}
            categories = {row["category_id"]: row for row in rows("dim_categories")}
            options: dict[str, list[dict[str, Any]]] = defaultdict(list)
            for row in sorted(rows("dim_variant_options"), key=lambda row: row["option_number"]):
                options[row["variant_id"]].append(row)
            orders = {}
            first_days: dict[str | None, date] = {}
            for row in rows("fct_orders"):
                if row["is_sale"] and row["buyer_id"] is not None and row["ordered_date"]:
                    day = first_days.get(row["buyer_id"], row["ordered_date"])
                    first_days[row["buyer_id"]] = min(day, row["ordered_date"])
            for row in rows("fct_orders"):
                found: dict[str, Any] = {"vendor": vendors.get(row["vendor_id"], {})}
                found["first_day"] = first_days.get(row["buyer_id"])
                found["buyer"] = buyers.get(row["buyer_id"], {})
                found["user"] = users.get(row["buyer_user_id"], {})
                orders[row["order_id"]] = {**row, "of": found, "order": row}
            lines = [
                {
                    **row,
                    "order": orders[row["order_id"]]["order"],
                    "of": {
                        **orders[row["order_id"]]["of"],
                        "item": items.get(row["item_id"], {}),
                        "categories": list(ancestors(categories, items.get(row["item_id"], {}))),
                        "options": options.get(row["variant_id"], []),
                    },
                }
                for row in rows("fct_order_lines")
            ]
            return cls(list(orders.values()), lines)


def ancestors(categories: Mapping[str, Row], item: Row) -> Iterator[Row]:
    """The categories of an item, from its own upwards."""
    seen: set[str] = set()
    category = categories.get(item.get("category_id") or "")
    while category and category["category_id"] not in seen:
        yield category
        seen.add(category["category_id"])
        category = categories.get(category["parent_category_id"] or "")


def option(row: Row, *names: str) -> str | None:
    found = [
        each["option_value"]
        for each in row["of"]["options"]
        if (each["option_name"] or "").strip().lower() in names and each["option_value"]
    ]
    return max(found, default=None)


def all_options(row: Row) -> str | None:
    each = [f"{option['option_name']}: {option['option_value']}" for option in row["of"]["options"]]
    return ", ".join(each[:5]) or None


def top_category(row: Row) -> str | None:
    return row["of"]["categories"][-1]["category_id"] if row["of"]["categories"] else None


def parent_category(row: Row) -> str | None:
    found: list[Row] = row["of"]["categories"]
    return found[0]["parent_category_id"] if found else None


def total(rows: Iterable[Row], name: str, also: str = "is_sale") -> Decimal | None:
    """The sum of what is known; 0 of no sale, and None where no sale tells it."""
    told = [row[name] for row in rows if row["is_sale"] and row[also]]
    known = [Decimal(each) for each in told if each is not None]
    return None if told and not known else sum(known, Decimal(0))


def total_of_known(rows: Iterable[Row], name: str) -> Decimal:
    """The sum of what is known, and nothing where none is."""
    return total(rows, name) or Decimal(0)


def number(rows: Iterable[Row], holds: Callable[[Row], Any]) -> int:
    return sum(1 for row in rows if row["is_sale"] and holds(row))


def different(rows: Iterable[Row], name: str) -> int:
    return len({row[name] for row in rows if row["is_sale"]} - {None})


def less(one: Decimal | None, other: Decimal | None) -> bool:
    return one is not None and other is not None and one < other


def cancelled(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["is_cancelled"] and not row["is_deleted"]]


def of_kind(rows: Sequence[Row], kind: str) -> int:
    """Buyers that buy on the day of their first sale, `new`, or on another, `returning`."""
    return different([row for row in rows if buyer_kind(row) == kind], "buyer_id")


def days(rows: Iterable[Row], name: str) -> list[int]:
    return [row[name] for row in rows if row["is_sale"] and row[name] is not None]


COUNTED: Mapping[str, Callable[[Sequence[Row]], Any]] = {
    "orders": lambda rows: number(rows, lambda _: True),
    "sales": lambda rows: total(rows, "sub_total"),
    "net_sales": lambda rows: total(rows, "net_sub_total"),
    "billed": lambda rows: total(rows, "total"),
    "refunded_sales": lambda rows: total(rows, "sub_total", "is_refunded"),
    "discounts": lambda rows: total(rows, "line_discount_amount"),
    "fees": lambda rows: total(rows, "transaction_fee"),
    "units": lambda rows: total(rows, "known_unit_count"),
    "lines": lambda rows: total(rows, "line_count"),
    "active_buyers": lambda rows: different(rows, "buyer_id"),
    "orders_below_minimum_value": lambda rows: number(
        rows, lambda row: less(row["sub_total"], row["vendor_minimum_order_value"])
    ),
    "undated_orders": lambda rows: number(rows, lambda row: row["ordered_date"] is None),
    "orders_placed": lambda rows: sum(not row["is_deleted"] for row in rows),
    "cancelled_orders": lambda rows: len(cancelled(rows)),
    "cancelled_sales": lambda rows: total(
        [{**row, "is_sale": True} for row in cancelled(rows)], "sub_total"
    ),
    "ordering_users": lambda rows: different(rows, "buyer_user_id"),
    "new_buyers": lambda rows: of_kind(rows, "new"),
    "returning_buyers": lambda rows: of_kind(rows, "returning"),
    "days_until_confirmed": lambda rows: sum(days(rows, "days_to_accepted")),
    "orders_seen_confirmed": lambda rows: len(days(rows, "days_to_accepted")),
    "days_until_shipped": lambda rows: sum(days(rows, "days_to_sent")),
    "orders_seen_shipped": lambda rows: len(days(rows, "days_to_sent")),
    "days_until_paid": lambda rows: sum(days(rows, "days_to_settled")),
    "orders_seen_paid": lambda rows: len(days(rows, "days_to_settled")),
    "product_sales": lambda rows: total(rows, "total_price"),
    "product_sales_at_list_prices": lambda rows: total_of_known(rows, "list_price_amount"),
    "product_sales_with_a_list_price": lambda rows: total_of_known(rows, "paid_amount"),
    "product_units": lambda rows: total(rows, "quantity"),
    "product_lines": lambda rows: number(rows, lambda _: True),
    "product_orders": lambda rows: different(rows, "order_id"),
    "product_buyers": lambda rows: different(rows, "buyer_id"),
    "products_sold": lambda rows: different(rows, "product_id"),
}
RATIOS: Mapping[str, tuple[str, str]] = {
    "units_per_order": ("units", "orders"),
    "fee_rate": ("fees", "billed"),
    "days_to_confirm": ("days_until_confirmed", "orders_seen_confirmed"),
    "days_to_ship": ("days_until_shipped", "orders_seen_shipped"),
    "days_to_pay": ("days_until_paid", "orders_seen_paid"),
    "cancellation_rate": ("cancelled_orders", "orders_placed"),
    "below_minimum_value_rate": ("orders_below_minimum_value", "orders"),
    "price_kept_rate": ("product_sales_with_a_list_price", "product_sales_at_list_prices"),
    "average_unit_price": ("product_sales", "product_units"),
}
OF_LINES = [
    name
    for name in (*COUNTED, *RATIOS)
    if "product" in name or name.endswith(("unit_price", "kept_rate"))
]
OF_ORDERS = [name for name in (*COUNTED, *RATIOS) if name not in OF_LINES]


def state(row: Row) -> str | None:
    order = row["order"]
    parts = [order["shipping_country"], order["shipping_state"]]
    return "-".join(part for part in parts if part) or None


def buyer_kind(row: Row) -> str | None:
    first, day = row["of"]["first_day"], row["order"]["ordered_date"]
    if first is None:
        return None
    return "new" if day is not None and day <= first else "returning"


def weekday(row: Row) -> int | None:
    day = row["order"]["ordered_date"]
    return None if day is None else day.isoweekday()


def identity(row: Row, key: str, name: str) -> str | None:
    return row[key] or (f"name:{row[name]}" if row[name] else None)


MEMBERS: Mapping[str, Callable[[Row], Any]] = {
    "vendor": lambda row: identity(row["order"], "vendor_id", "vendor_name"),
    "buyer": lambda row: identity(row["order"], "buyer_id", "buyer_company_name"),
    "order_id": lambda row: row["order"]["order_id"],
    "order_status": lambda row: row["order"]["order_status"],
    "payment_status": lambda row: row["order"]["payment_status"],
    "country": lambda row: row["order"]["shipping_country"] or None,
    "state": state,
    "buyer_kind": buyer_kind,
    "price_list": lambda row: row["of"]["buyer"].get("price_list_id"),
    "account_manager": lambda row: row["of"]["buyer"].get("account_manager_id"),
    "buyer_user": lambda row: row["order"]["buyer_user_id"] or None,
    "buyer_user_role": lambda row: row["of"]["user"].get("user_role") or None,
    "weekday": weekday,
    "product": lambda row: identity(row, "item_id", "item_title"),
    "sku": lambda row: identity(row, "sku", "item_title"),
    "category": lambda row: row["category_name"] or row["of"]["item"].get("category_name"),
    "brand": lambda row: row["of"]["item"].get("brand_name"),
    "parent_category": parent_category,
    "top_category": top_category,
    "color": lambda row: option(row, "color", "colour"),
    "size": lambda row: option(row, "size"),
    "options": all_options,
}
"""What a row belongs to; those from `product` on are of lines alone."""
DIMENSIONS_OF_LINES = list(MEMBERS)[list(MEMBERS).index("product") :]
OF_STATE = ("order_id", "order_status", "payment_status")
"""Dimensions of which some metrics refuse a member."""


def begin(day: date | None, grain: str) -> date | None:
    if day is None:
        return None
    match grain:
        case "week":
            return day - timedelta(day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(day=1, month=(day.month - 1) // 3 * 3 + 1)
        case "year":
            return day.replace(day=1, month=1)
    return day


def quotient(above: Any, below: Any) -> Decimal | None:
    if above is None or not below:
        return None
    exact = Fraction(above) / Fraction(below) * 10**6
    doubled, rest = divmod(abs(exact.numerator) * 2, exact.denominator)
    rounded = (doubled + 1) // 2
    del rest
    sign = -1 if exact < 0 else 1
    return (Decimal(sign * rounded) * MILLIONTH).quantize(MILLIONTH, ROUND_HALF_UP, WIDE)


def growth(name: str, now: Sequence[Row], before: Sequence[Row]) -> Decimal | None:
    """Of a ratio that of its exact values."""
    values = [
        Fraction(exact) if exact is not None else None for exact in map(_exact(name), (now, before))
    ]
    new, old = values
    return quotient(new - old, old) if new is not None and old is not None and old > 0 else None


def _exact(name: str) -> Callable[[Sequence[Row]], Fraction | Decimal | int | None]:
    def exact(rows: Sequence[Row]) -> Fraction | Decimal | int | None:
        if name not in RATIOS:
            found: Decimal | int | None = COUNTED[name](rows)
            return found
        above, below = (COUNTED[part](rows) for part in RATIOS[name])
        return Fraction(above) / Fraction(below) if above is not None and below else None

    return exact


def value(name: str, rows: Sequence[Row]) -> Any:
    if name in RATIOS:
        above, below = (COUNTED[part](rows) for part in RATIOS[name])
        return quotient(above, below)
    return COUNTED[name](rows)


def grouped(
    rows: Iterable[Row], key: Callable[[Row], tuple[Any, ...]]
) -> Mapping[tuple[Any, ...], Sequence[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def moved(day: date, shift: str) -> date:
    """A day after an interval of so many days or months."""
    _, count, unit = shift.split()
    if unit == "day":
        return day + timedelta(int(count))
    months = day.year * 12 + day.month - 1 + int(count)
    year, month = divmod(months, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, min(day.day, last))
        except ValueError:
            continue
    raise AssertionError(day)

"""Health: what the syncs say of themselves, what is not believed, and whether sums agree."""

from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal

from .arithmetic import Number, Row, grouped, known_total, least
from .books import Books, Order, Record, currency_of
from .products import catalogue

RESTATED = {
    "strategy": "strategy",
    "page_count": "pages",
    "request_count": "requests",
    "byte_count": "bytes",
    "sweep_count": "sweeps",
    "ids_seen_count": "ids_seen",
    "first_total_count": "first_total_count",
    "last_total_count": "last_total_count",
    "duplicate_count": "duplicates",
    "new_count": "new",
    "changed_count": "changed",
    "deleted_count": "deleted",
    "unreadable_count": "unreadable",
    "audited_count": "audited",
    "silent_count": "silent",
    "missed_count": "missed",
    "open_suspect_count": "open_suspects",
    "verdict": "verdict",
}
RESOURCES = (
    *("orders", "vendors", "buyers", "buyer_users", "items", "variants"),
    *("item_images", "price_lists", "prices", "brands", "categories", "custom_fields"),
)
PRICES = ("msrp", "unit_price", "map")
AMOUNTS = {
    "orders": (
        *("sub_total", "total", "vendor_minimum_order_value", "transaction_fee"),
        "order_line_items_discount_amount",
    ),
    "orders__order_line_items": ("unit_price", "total_price", "discount_amount"),
    "items": PRICES,
    "variants": PRICES,
    "prices": ("unit_price",),
    "vendors": ("minimum_order_value",),
}
QUANTITIES = {
    "orders__order_line_items": ("quantity",),
    "items": ("moq", "quantity_multiplier"),
    "variants": ("moq", "quantity_multiplier"),
    "vendors": ("minimum_order_quantity",),
}
MOMENTS = {"orders": ("created_at", "updated_at", "invoice_generated_at")}


def _latest_runs(books: Books) -> dict[str, Record]:
    """The last run of each resource that no wrong clock put into the future."""
    runs = [run for run in books.rows("sync_runs") if not books.is_ahead(run["started_at"])]
    return {
        resource: max(found, key=lambda run: run["run_id"])
        for resource, found in grouped(runs, lambda run: run["resource"]).items()
    }


def sync_runs(books: Books) -> Iterator[Row]:
    latest = _latest_runs(books)
    for run in books.rows("sync_runs"):
        is_moved = run["first_total_count"] != run["last_total_count"]
        yield {
            "sync_run_id": f"{run['run_id']}-{run['resource']}",
            "run_id": run["run_id"],
            "resource": run["resource"],
            "started_at": run["started_at"],
            "ended_at": run["ended_at"],
            "duration_seconds": _seconds(run["started_at"], run["ended_at"]),
            **{column: run[name] for column, name in RESTATED.items()},
            "is_complete": run["verdict"] == "complete",
            "complete_as_of": run["complete_as_of"],
            "proof": run["proof"],
            "reason": run["reason"],
            "is_latest": latest.get(run["resource"]) is run,
            "has_drifted": is_moved
            or any(run[name] for name in ("duplicates", "silent", "missed")),
        }


def _seconds(start: datetime, end: datetime) -> Decimal:
    microseconds = round((end - start).total_seconds() * 10**6)
    return Decimal(microseconds).scaleb(-6)


def freshness(books: Books) -> Iterator[Row]:
    for resource, run in _latest_runs(books).items():
        complete = [
            found
            for found in books.rows("sync_runs")
            if found["resource"] == resource and found["verdict"] == "complete"
            if not books.is_ahead(found["started_at"])
        ]
        as_of = max((found["complete_as_of"] for found in complete), default=None)
        yield {
            "resource": resource,
            "last_run_at": run["started_at"],
            "verdict": run["verdict"],
            "is_complete": run["verdict"] == "complete",
            "reason": run["reason"],
            "complete_as_of": as_of,
            "lag_seconds": as_of and int(_seconds(as_of, books.built_at)),
            "built_at": books.built_at,
        }


def quarantine(books: Books) -> Iterator[Row]:
    groups = grouped(
        books.rows("quarantine"), lambda row: (row["run_id"], row["resource"], row["reason"])
    )
    for (run_id, resource, reason), found in groups.items():
        yield {
            "quarantine_id": f"{run_id}-{resource}-{reason}",
            "run_id": run_id,
            "resource": resource,
            "reason": reason,
            "record_count": len(found),
            "found_at": least(row["found_at"] for row in found),
        }


def set_aside(books: Books) -> Iterator[Row]:
    for fields, believed in (
        (AMOUNTS, books.amount),
        (QUANTITIES, books.quantity),
        (MOMENTS, books.moment),
    ):
        for table, names in fields.items():
            for name in names:
                yield from _not_believed(books, table, name, believed)


def _not_believed(
    books: Books, table: str, name: str, believed: Callable[..., object]
) -> Iterator[Row]:
    found = [
        row.get("order_id") or row["id"]
        for row in books.rows(table)
        if row.get(name) is not None and believed(row[name]) is None
    ]
    if found:
        yield {
            "set_aside_id": f"{table}.{name}",
            "table_name": table,
            "field_name": name,
            "value_count": len(found),
            "example_id": min(found),
        }


def currencies(books: Books) -> Iterator[Row]:
    named = {
        "orders": [order.currency for order in books.sales],
        **{
            table: [currency_of(row) for row in books.rows(table) if row["_deleted_at"] is None]
            for table in ("items", "prices")
        },
    }
    all_of_them = {currency for found in named.values() for currency in found if currency}
    expected = {books.settings.currency} - {"XXX"} or all_of_them
    for table, found in named.items():
        for currency in filter(None, set(found)):
            yield {
                "currency_id": f"{table}-{currency}",
                "table_name": table,
                "currency": currency,
                "record_count": found.count(currency),
                "is_expected": len(expected) == 1 and currency in expected,
            }


def reconciliation(books: Books) -> Iterator[Row]:
    yield from _of_raw_rows(books)
    yield from _of_sums(books)
    yield from _of_service(books)


def _check(
    name: str,
    resource: str,
    expected: Number | None,
    found: Number,
    different: int | None,
    severity: str,
    set_aside: int | None = None,
) -> Row:
    return {
        "reconciliation_id": f"{name}: {resource}",
        "check_name": name,
        "resource": resource,
        "severity": severity,
        "expected": expected,
        "found": found,
        "difference": None if expected is None else found - expected,
        "difference_count": different,
        "set_aside_count": set_aside,
        "is_reconciled": None if expected is None else different == 0 and found == expected,
    }


def _of_raw_rows(books: Books) -> Iterator[Row]:
    """All that is believed of the raw rows is in the marts, so both sides are the same sum."""
    not_believed = {
        (row["table_name"], row["field_name"]): row["value_count"] for row in set_aside(books)
    }
    orders = list(books.orders.values())
    lines = [line for order in orders for line in order.lines]
    sums = {
        ("orders", "fct_orders"): {
            "sub_total": known_total(order.sub_total for order in orders),
            "total": known_total(order.total for order in orders),
            "line_discount_amount": known_total(order.discount for order in orders),
            "transaction_fee": known_total(order.fee for order in orders),
            "vendor_minimum_order_value": known_total(order.minimum_value for order in orders),
        },
        ("lines", "fct_order_lines"): {
            "quantity": known_total(line.quantity for line in lines),
            "unit_price": known_total(line.unit_price for line in lines),
            "total_price": known_total(line.total_price for line in lines),
            "discount_amount": known_total(line.discount for line in lines),
        },
        ("comments", "fct_order_comments"): {
            "comment_number": known_total(
                row["comment_number"] for row in books.rows("orders__order_comments")
            )
        },
    }
    for (raw, mart), columns in sums.items():
        table = {"lines": "orders__order_line_items"}.get(raw, raw)
        for column, amount in columns.items():
            name = f"raw {raw} against {mart}, {column}"
            field = "order_line_items_discount_amount" if "line_discount" in column else column
            left_out = not_believed.get((table, field), 0)
            yield _check(name, "orders", amount, amount, 0, "error", left_out)


def _of_sums(books: Books) -> Iterator[Row]:
    """Reports of one thing hold the same sum of it."""
    dated = known_total(order.sub_total for order in books.dated_sales)
    sold = known_total(line.total_price for order in books.sales for line in order.lines)
    in_catalogue = known_total(row["sales_amount"] for row in catalogue(books))
    for name, resource, expected, found in (
        ("fct_orders against rpt_daily_sales", "orders", dated, dated),
        ("lines sold against rpt_catalogue", "orders", sold, in_catalogue),
        ("items sold against never ordered", "items", 0, 0),
        ("items that can be ordered against inactive", "items", 0, 0),
    ):
        yield _check(name, resource, expected, found, 0, "error")


def _of_service(books: Books) -> Iterator[Row]:
    orders = list(books.orders.values())

    def of_lines(name: str) -> Callable[[Order], Decimal]:
        return lambda order: known_total(getattr(line, name) for line in order.lines)

    def differing(header: str, lines: Callable[[Order], Decimal]) -> int:
        return sum((getattr(order, header) or 0) != lines(order) for order in orders)

    for name, header, of_line in (
        ("lines against sub_total", "sub_total", "total_price"),
        ("line discounts against the header", "discount", "discount"),
    ):
        yield _check(
            name,
            "orders",
            known_total(getattr(order, header) for order in orders),
            known_total(of_lines(of_line)(order) for order in orders),
            differing(header, of_lines(of_line)),
            "warn",
        )
    undated = [order for order in orders if order.day is None]
    yield _check(
        "orders without a date",
        "orders",
        0,
        known_total(order.sub_total for order in undated),
        len(undated),
        "warn",
    )
    latest = _latest_runs(books)
    for resource in RESOURCES:
        alive = sum(row["_deleted_at"] is None for row in books.rows(resource))
        name, counted = _counted(latest.get(resource))
        different = None if counted is None else abs(alive - counted)
        yield _check(name, resource, counted, alive, different, "warn")


def _counted(run: Record | None) -> tuple[str, int | None]:
    """The total of the service; where it was the proof, what the sync has held against it."""
    if run and run["proof"] == "count" and run["alive"] is not None:
        return "rows alive against the last sync", run["alive"]
    return "rows alive against total_count", run["last_total_count"] if run else None


def health_headlines(books: Books) -> Iterator[Row]:
    latest = _latest_runs(books)
    checks = list(reconciliation(books))
    yield {
        "resource_count": len(latest),
        "complete_resource_count": sum(run["verdict"] == "complete" for run in latest.values()),
        "still_resource_count": sum(
            row["is_latest"] and not row["has_drifted"] for row in sync_runs(books)
        ),
        "check_count": len(checks),
        "reconciled_check_count": sum(check["is_reconciled"] is True for check in checks),
        "quarantined_record_count": len(books.rows("quarantine")),
    }

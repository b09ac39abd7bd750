"""Tasks: what waits and for whom, what is owed, and how long each step took."""

from collections.abc import Iterator
from fractions import Fraction

from .arithmetic import Row, grouped, percentile
from .books import Books, Line, Order
from .buyers import monthly_amounts, reorders
from .forecasts import next_orders
from .orders import age, minimum_orders, order_states
from .owed import of_order, order_terms, receivables, steps
from .prices import ListPrices
from .products import Catalogue, catalogue
from .promises import promises, unknown_words
from .unusual import unusual

UNUSUAL = (
    *("grain", "dimension", "member", "member_name", "first_day", "last_day"),
    *("low_amount", "high_amount", "why"),
)
STEPS = ("accepted", "sent", "done", "settled")


def fulfilment(books: Books) -> Iterator[Row]:
    seen, promised = steps(books), promises(books)
    for order in books.purchases:
        days, settings = age(books, order), books.settings
        row = of_order(books, order)
        del row["payment_status"]
        for step in STEPS:
            day = min((day for _, to, day in seen.get(order.id, ()) if to == step), default=None)
            row[f"{step}_date"] = day
            row[f"days_to_{step}"] = (day - order.day).days if day and order.day else None
        yield {
            **row,
            **promised[order.id],
            "order_standing": order.order_standing,
            "payment_standing": order.standing,
            "sub_total": order.sub_total,
            "waiting_days": days,
            "is_waiting": order.order_standing in ("waiting", "accepted"),
            "is_old": None if days is None else days > settings.old_order_days,
            "is_recent": None if days is None else days <= settings.done_days,
        }


def tasks(books: Books) -> Iterator[Row]:
    found = []
    for kind, key, order, own in _tasks(books):
        row = dict.fromkeys(COLUMNS)
        if order:
            row |= of_order(books, order) | {"waiting_days": age(books, order)}
        found.append({"task_id": f"{kind}-{key}", "task_kind": kind, **row, **own})
    for of_kind in grouped(found, lambda task: task["task_kind"]).values():
        for rank, task in enumerate(sorted(of_kind, key=_urgency), 1):
            yield {**task, "position": rank}


def _urgency(task: Row) -> tuple[object, ...]:
    days = task["waiting_days"] if task["task_kind"] in ("unconfirmed", "old", "overdue") else 0
    largest = (task["amount"] is None, -(task["amount"] or 0), -(task["order_count"] or 0))
    return (days is None, -(days or 0), *largest, task["task_id"])


COLUMNS = (
    *("order_id", "order_number", "buyer_id", "buyer_name", "vendor_id", "vendor_name"),
    *("order_status", "payment_status", "ordered_date", "waiting_days", "order_line_id"),
    *("account_manager_id", "field_name", "state", "order_count", "threshold_days"),
    *("usual_days", "amount", "product_id", "item_title", "variant_title", "sku", "quantity"),
    *("unit_price", "list_price", "minimum_order_value", "value_shortfall"),
    *("minimum_order_quantity", "quantity_shortfall", "carton_quantity", "carton_amount"),
    *("basket_amount", "median_days_between_orders", "days_since_last_order"),
    *("last_ordered_date", "order_in_week_share", "last_day_80"),
    *UNUSUAL,
)


def _tasks(books: Books) -> Iterator[tuple[str, str, Order | None, Row]]:
    for state in order_states(books):
        if state["standing"] == "unknown" and state["state"] and state["order_count"]:
            own = {name: state[name] for name in ("field_name", "state", "order_count", "amount")}
            yield "unknown_state", state["order_state_id"], None, own
    for terms in order_terms(books):
        if terms["order_terms"] and terms["terms_days"] is None and terms["order_count"]:
            own = {
                **{"field_name": "order_terms", "state": terms["order_terms"]},
                **{"order_count": terms["order_count"], "amount": terms["amount"]},
            }
            yield "unknown_state", terms["order_terms_id"], None, own
    for words in unknown_words(books):
        own = {name: words[name] for name in ("field_name", "state", "order_count", "amount")}
        yield "unknown_state", words["id"], None, own
    products = _Products(books)
    yield from _due(books)
    yield from _silent(books, products)
    for row in unusual(books):
        own = {name: row[name] for name in ("amount", *UNUSUAL)}
        yield "unusual", row["unusual_id"], None, own
    yield from _waiting(books)
    yield from _near_misses(books, products)
    yield from _below_list(books, products)


def _waiting(books: Books) -> Iterator[tuple[str, str, Order, Row]]:
    settings = books.settings
    seen = steps(books)
    waits = []
    for order in books.purchases:
        left = [
            day
            for before, after, day in seen.get(order.id, ())
            if before == "waiting" and after != "unknown"
        ]
        if left and order.day:
            waits.append((left[0] - order.day).days)
    is_told = len(waits) >= settings.confirm_minimum_orders
    usual = percentile(waits, Fraction(1, 2)) if is_told else None
    late_after = max(settings.confirm_days if usual is None else usual, 1)
    for order in books.purchases:
        days = age(books, order)
        if days is None:
            continue
        if order.order_standing == "waiting" and late_after < days <= settings.old_order_days:
            told = {"threshold_days": late_after, "usual_days": usual}
            yield "unconfirmed", order.id, order, {**told, "amount": order.sub_total}
        if order.order_standing in ("waiting", "accepted") and days > settings.old_order_days:
            told = {"threshold_days": settings.old_order_days}
            yield "old", order.id, order, {**told, "amount": order.sub_total}
    orders = {order.id: order for order in books.purchases}
    for row in receivables(books):
        if row["is_overdue"]:
            days = row["terms_days"] if row["due_date"] else row["overdue_days"]
            own = {"threshold_days": days, "amount": row["total"]}
            yield "overdue", row["order_id"], orders[row["order_id"]], own


def _silent(books: Books, products: "_Products") -> Iterator[tuple[str, str, Order, Row]]:
    baskets = monthly_amounts(books)
    for row in reorders(books):
        if row["is_late"] and not row["is_lapsed"]:
            last, amount = baskets[row["buyer_id"]]
            lines = sorted(
                last.lines,
                key=lambda line: (line.total_price is None, -(line.total_price or 0), line.number),
            )
            most = products.told(lines[0]) if lines else {}
            told = {
                name: row[name]
                for name in (
                    *("account_manager_id", "median_days_between_orders"),
                    *("days_since_last_order", "last_ordered_date"),
                )
            }
            own = {
                **{"threshold_days": row["late_after_days"], "amount": amount},
                **{"basket_amount": last.sub_total, **told, **most},
            }
            yield "silent", row["buyer_id"], last, own


def _due(books: Books) -> Iterator[tuple[str, str, Order, Row]]:
    baskets, rows = monthly_amounts(books), {row["buyer_id"]: row for row in reorders(books)}
    for found in next_orders(books, rows.values()):
        if found["standing"] == "due":
            last, _ = baskets[found["buyer_id"]]
            row = rows[found["buyer_id"]]
            yield (
                *("due", found["buyer_id"], last),
                {
                    "amount": found["usual_amount"],
                    "basket_amount": last.sub_total,
                    **{name: found[name] for name in ("order_in_week_share", "last_day_80")},
                    **{
                        name: row[name]
                        for name in (
                            *("account_manager_id", "median_days_between_orders"),
                            *("days_since_last_order", "last_ordered_date"),
                        )
                    },
                },
            )


def _near_misses(books: Books, products: "_Products") -> Iterator[tuple[str, str, Order, Row]]:
    orders = {order.id: order for order in books.purchases}
    for row in minimum_orders(books):
        order = orders[row["order_id"]]
        days = age(books, order)
        is_open = order.order_standing in ("waiting", "accepted")
        is_old = days is None or days > books.settings.old_order_days
        if not row["is_near_miss"] or not is_open or is_old:
            continue
        cartons = []
        for line in order.lines:
            units = products.carton(line)
            if line.unit_price is not None and line.unit_price > 0:
                amount = units * line.unit_price
                if amount >= row["value_shortfall"] and units >= row["quantity_shortfall"]:
                    cartons.append((amount, units, line))
        if cartons:
            amount, units, line = min(cartons, key=lambda each: (each[0], each[2].number))
            own = {
                **{name: row[name] for name in ("minimum_order_value", "value_shortfall")},
                **{name: row[name] for name in ("minimum_order_quantity", "quantity_shortfall")},
                **{"amount": order.sub_total, "carton_quantity": units, "carton_amount": amount},
                **products.told(line),
            }
            yield "near_misses", order.id, order, own


def _below_list(books: Books, products: "_Products") -> Iterator[tuple[str, str, Order, Row]]:
    prices, recent = ListPrices(books), books.settings.recent_days
    for order in books.purchases:
        days = age(books, order)
        if days is None or not 0 <= days <= recent:
            continue
        for line in order.lines:
            variant_id = products.variant_of(line)
            if not line.quantity or line.quantity <= 0 or line.unit_price is None:
                continue
            found = prices.of(line, variant_id) if variant_id else None
            if found and line.unit_price < found[0]:
                lost = (found[0] - line.unit_price) * line.quantity
                yield (
                    "below_list",
                    line.id,
                    order,
                    {
                        **{"order_line_id": line.id, "threshold_days": recent},
                        **{"amount": lost, "quantity": line.quantity},
                        **{"unit_price": line.unit_price, "list_price": found[0]},
                        **products.told(line),
                    },
                )


class _Products:
    """What the products of lines are called, and how many pieces are in a carton."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.rows = {row["product_id"]: row for row in catalogue(books)}
        self.of = {
            id(line): product
            for product in Catalogue(books).products.values()
            for line in (*product.lines, *product.unsold)
        }

    def variant_of(self, line: Line) -> str | None:
        product = self.of[id(line)]
        return product.id if product.kind == "variant" else None

    def carton(self, line: Line) -> int:
        product = self.of[id(line)]
        units = product.record.get("quantity_multiplier") if product.kind == "variant" else None
        return max(self.books.quantity(units) or 1, 1)

    def told(self, line: Line) -> Row:
        row = self.rows[self.of[id(line)].id]
        return {
            "product_id": row["product_id"],
            "item_title": row["item_title"],
            "variant_title": row["variant_title"],
            "sku": row["sku"],
        }

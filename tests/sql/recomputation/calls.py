"""Calls: whom to call, what they usually take, and what buyers like them take."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import cache, partial
from typing import Any

from .arithmetic import Row, grouped, hashed, percentile, ratio, total_or_none
from .books import Books, Line
from .buyers import monthly_amounts, reorders
from .owed import by_buyer
from .products import Catalogue
from .tasks import tasks

DAYS, LATELY = 365, 3
MOST_USUAL, MOST_SUGGESTED = 8, 5
Takings = Mapping[str, Mapping[str, Mapping[date, list[Line]]]]
"""The lines of each buyer by product and day."""

OF_REORDERS = (
    *("account_manager_id", "purchase_count", "median_days_between_orders", "late_after_days"),
    *("has_late_percentile", "last_ordered_date", "expected_next_order_date"),
    *("days_since_last_order", "monthly_amount"),
)


def call_sheet(books: Books) -> Iterator[Row]:
    called = _called(books)
    sheet = _Sheet(books)
    owed = {row["buyer_id"]: row for row in by_buyer(books) if row["due_bucket"] == "all"}
    baskets = monthly_amounts(books)
    for row in reorders(books):
        buyer = row["buyer_id"]
        if buyer not in called:
            continue
        usual, bill = sheet.usual(buyer), owed.get(buyer, {})
        last = baskets[buyer][0] if buyer in baskets else None
        comment = _last_comment(books, buyer)
        commented = books.orders[comment["order_id"]] if comment else None
        yield {
            "buyer_id": buyer,
            "buyer_name": row["company_name"],
            "call_reason": called[buyer]["task_kind"],
            "position": called[buyer]["position"],
            **{name: row[name] for name in OF_REORDERS},
            "order_id": last and last.id,
            "order_number": last and last.number,
            "basket_amount": last and last.sub_total,
            "usual_product_count": len(usual),
            "left_out_product_count": sum(one["is_left_out"] for one in usual.values()),
            "like_buyer_count": len(sheet.like(buyer)),
            "owed_order_count": bill.get("order_count", 0),
            "owed_amount": bill.get("open_amount", 0),
            "owed_without_total_count": bill.get("open_without_total_count", 0),
            "overdue_order_count": bill.get("overdue_order_count", 0),
            "unknown_order_count": bill.get("unknown_order_count", 0),
            "last_commented_at": comment and comment["created_at"],
            "commented_order_id": commented and commented.id,
            "commented_order_number": commented and commented.number,
            "order_comment_id": comment and f"{comment['order_id']}-{comment['comment_number']}",
        }


def call_sheet_products(books: Books) -> Iterator[Row]:
    sheet = _Sheet(books)
    for buyer in _called(books):
        yield from sheet.rows(buyer, "usual", sheet.usual(buyer), MOST_USUAL)
        yield from sheet.rows(buyer, "suggested", sheet.suggested(buyer), MOST_SUGGESTED)


@cache
def _called(books: Books) -> Mapping[str, Row]:
    """The task of each buyer: who is silent is called for that, also if it is due."""
    found = list(tasks(books))
    return {
        row["buyer_id"]: row
        for kind in ("due", "silent")
        for row in found
        if row["task_kind"] == kind
    }


def _last_comment(books: Books, buyer: str) -> Row | None:
    comments = [
        row
        for row in books.rows("orders__order_comments")
        if row["created_at"] is not None
        and not books.orders[row["order_id"]].is_deleted
        and books.orders[row["order_id"]].buyer_id == buyer
    ]
    latest = max(
        comments,
        key=lambda row: (row["created_at"], row["order_id"], row["comment_number"]),
        default=None,
    )
    return dict(latest) if latest else None


class _Sheet:
    def __init__(self, books: Books) -> None:
        self.books = books
        self.takings = _takings(books)
        self.recent = {
            buyer: {
                item: {day: lines for day, lines in days.items() if self._is_recent(day)}
                for item, days in items.items()
            }
            for buyer, items in self.takings.items()
        }
        self.taken = {
            buyer: {item for item, days in items.items() if days}
            for buyer, items in self.recent.items()
        }
        self.offers = grouped(
            (
                product
                for product in Catalogue(books).products.values()
                if product.kind != "unlisted"
            ),
            lambda product: product.record["parent_id" if product.kind == "variant" else "id"],
        )

    def _is_recent(self, day: date) -> bool:
        return self.books.as_of is not None and (self.books.as_of - day).days < DAYS

    def usual(self, buyer: str) -> dict[str, Row]:
        days = sorted(
            {order.day for order in self.books.purchases if order.buyer_key == buyer and order.day}
        )
        lately = days[-LATELY] if len(days) >= LATELY else None
        found = {}
        for item, taken in self.recent.get(buyer, {}).items():
            if len(taken) < 3:
                continue
            pieces = [total_or_none(line.quantity for line in lines) for lines in taken.values()]
            last = max(self.takings[buyer][item])
            found[item] = {
                "purchase_count": len(taken),
                "amount": total_or_none(
                    line.total_price for lines in taken.values() for line in lines
                ),
                "usual_quantity": percentile(
                    [int(each) for each in pieces if each is not None], Fraction(1, 2)
                ),
                "last_ordered_date": last,
                "is_left_out": lately is not None and last < lately,
            }
        return found

    def like(self, buyer: str) -> list[str]:
        own = self.taken.get(buyer, set())

        def place(other: str) -> tuple[Any, ...]:
            shared, either = len(own & self.taken[other]), len(own | self.taken[other])
            return -(ratio(shared, either) or 0), -shared, other

        alike = [
            other for other, items in self.taken.items() if other != buyer and len(own & items) >= 3
        ]
        return sorted(alike, key=place)[:10] if len(alike) >= 5 else []

    def suggested(self, buyer: str) -> dict[str, Row]:
        like = self.like(buyer)
        counts: dict[str, int] = defaultdict(int)
        for other in like:
            for item in self.taken[other]:
                counts[item] += 1
        return {
            item: {
                "purchase_count": 0,
                "amount": None,
                "usual_quantity": None,
                "last_ordered_date": None,
                "is_left_out": False,
                "taking_buyer_count": count,
                "like_buyer_count": len(like),
            }
            for item, count in counts.items()
            if count >= 3
            and 3 * count >= len(like)
            and item not in self.takings.get(buyer, {})
            and self.is_offered(item) is not False
        }

    def is_offered(self, item: str) -> bool | None:
        found = self.offers.get(item)
        return any(product.is_orderable for product in found) if found else None

    def rows(self, buyer: str, of: str, products: Mapping[str, Row], most: int) -> Iterator[Row]:
        ranked = sorted(products, key=partial(_place, products))
        for position, item in enumerate(ranked[:most], 1):
            told = {name: value for name, value in products[item].items() if name != "amount"}
            yield {
                "call_product_id": hashed(buyer, item),
                "buyer_id": buyer,
                "product_list": of,
                "position": position,
                "item_key": item,
                "item_title": self.books.called("items", item),
                "is_offered": self.is_offered(item),
                "taking_buyer_count": None,
                "like_buyer_count": None,
                **told,
            }


def _place(products: Mapping[str, Row], item: str) -> tuple[Any, ...]:
    row = products[item]
    taking, amount = row.get("taking_buyer_count") or 0, row["amount"]
    known = (amount is None, -(amount or 0))
    return not row["is_left_out"], -row["purchase_count"], -taking, *known, item


def _takings(books: Books) -> Takings:
    found: dict[str, dict[str, dict[date, list[Line]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for order in books.purchases:
        for line in order.lines:
            if order.buyer_id is not None and order.day and line.item_key is not None:
                found[order.buyer_id][line.item_key][order.day].append(line)
    return found

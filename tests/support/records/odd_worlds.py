"""Odd worlds: raw tables with values as no honest business has them, and what is left to believe.

Each seed is a world of its own: some of its orders, lines, vendors and variants are given values
that real services have sent. What that comes to is worked out here, from the same draws.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random

from support.warehouses.marts import Marts

LARGEST_AMOUNT = Decimal(10) ** 15
"""What is beyond it is set aside."""
AMOUNTS = (
    *("0", "-0.01", "-250", "0.000000001", "999999999999999.999999999", "-1000000000000000"),
    *("1000000000000000.01", "100000000000000000000", "-1e28", "null"),
)
MOMENTS = (
    *("0001-01-01 00:00:00+00", "1899-12-31 23:59:59+00", "1970-01-01 00:00:00+00"),
    *("2999-12-31 23:59:59+00", "9999-12-31 23:59:59.999999+00", "2024-02-29 12:00:00+00"),
    *("2025-03-30 01:30:00+00", "2025-12-31 23:59:59.999999+00", None),
)
DISBELIEVED_MOMENTS = frozenset({*MOMENTS[:5]})
TEXTS = (
    *("", " ", "all", "unknown", "null", "None", "-", "'", '"', "\\", "%", "$`{}", "a,b\nc"),
    *("<b>x</b>", "</script>", "javascript:alert(1)", "=1+1", "\u202eright to left", "Ünïcödé"),
    *("a\ufffdb", "🛒" * 40, "x" * 5_000),
    *("Guinea-Bissau", "__proto__", "constructor", "NaN", "1e400", "../../x", "#/overview?x=1"),
)
STATES = ("delivered", "DELIVERED", "cancelled", "Cancelled", "teleported", "", "all", None)


@dataclass
class OddWorld:
    """What was done to the raw tables, and what must come of it."""

    seed: int
    random: Random = field(init=False)
    statements: list[str] = field(default_factory=list)
    set_aside: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)

    def befall(self, marts: Marts) -> None:
        """Give the raw tables their odd values."""
        if self.random.random() < 0.05:
            self.statements += list(nothing(self.random))
        else:
            ids = ids_of(marts, "orders")
            for key in self.random.sample(ids, self.random.randint(1, 60)):
                self._order(key)
            self._names(marts)
        marts.change(*self.statements)

    def _order(self, key: str) -> None:
        random = self.random
        column = random.choice(("sub_total", "total", "created_at", "status", "text", "lines"))
        if column in ("sub_total", "total"):
            self._set(key, column, amount := random.choice(AMOUNTS))
            if amount != "null" and abs(Decimal(amount)) > LARGEST_AMOUNT:
                self.set_aside["orders", column] += 1
        elif column == "created_at":
            self._set(key, column, quoted(moment := random.choice(MOMENTS)))
            if moment in DISBELIEVED_MOMENTS:
                self.set_aside["orders", column] += 1
        elif column == "status":
            name = random.choice(("status", "payment_status"))
            self._set(key, name, quoted(random.choice(STATES)))
        elif column == "text":
            names = ("shipping_state", "shipping_country", "vendor_id", "buyer_id", "po_number")
            self._set(key, random.choice(names), quoted(random.choice((*TEXTS, None))))
        else:
            name = random.choice(("sku", "item_id", "title"))
            self.statements.append(
                f"update wholesale_raw.orders__order_line_items set {name} ="
                f" {quoted(random.choice((*TEXTS, None)))} where order_id = '{key}'"
            )

    def _set(self, key: str, column: str, value: str) -> None:
        self.statements.append(
            f"update wholesale_raw.orders set {column} = {value} where id = '{key}'"
        )

    def _names(self, marts: Marts) -> None:
        for table, column in (("vendors", "name"), ("buyers", "company_name"), ("items", "title")):
            ids = [
                key for (key,) in marts.rows(f"select id from wholesale_raw.{table} order by id")
            ]
            for key in self.random.sample(ids, min(len(ids), 3)):
                self.statements.append(
                    f"update wholesale_raw.{table} set {column} ="
                    f" {quoted(self.random.choice((*TEXTS, None)))} where id = '{key}'"
                )


def ids_of(marts: Marts, table: str) -> list[str]:
    return [key for (key,) in marts.rows(f"select id from wholesale_raw.{table} order by id")]


def nothing(random: Random) -> Iterator[str]:
    """An account in which something there always is has never been."""
    gone = random.choice(
        (
            ("orders", "orders__order_line_items", "orders__order_comments"),
            ("items", "variants"),
            ("vendors", "buyers", "buyer_users"),
        )
    )
    for table in gone:
        yield f"delete from wholesale_raw.{table}"
    yield (
        "update wholesale_raw.sync_runs set last_total_count = 0 where resource in"
        f" ({', '.join(map(repr, gone))})"
    )


def quoted(text: str | None) -> str:
    """The text as SQL takes it."""
    return "null" if text is None else "'" + text.replace("'", "''") + "'"


def sales_of(marts: Marts) -> tuple[Decimal, Decimal]:
    """Orders that are sales, and their amounts as far as they are believed: from the raw rows."""
    rows = marts.rows(
        "select status, sub_total from wholesale_raw.orders where _deleted_at is null"
    )
    sales = [amount for status, amount in rows if (status or "").lower() != "cancelled"]
    believed = [amount for amount in sales if amount and abs(amount) <= LARGEST_AMOUNT]
    return Decimal(len(sales)), sum(believed, Decimal())

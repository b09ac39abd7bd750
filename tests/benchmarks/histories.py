"""Histories: purchases to tell the next ones of, a real one and four worlds that are made up.

A world has two years and four hundred buyers, each with a rhythm of its own: gaps of a gamma
distribution, whose mean and regularity differ from buyer to buyer.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import NamedTuple

import duckdb

SOURCE = Path(os.environ.get("ONLINE_RETAIL", "online_retail.parquet"))
"""The real history as one parquet file; nothing is downloaded."""
REAL = "real"
BEGIN, DAYS, BUYERS = date(2024, 1, 1), 731, 400
DAYS_A_MONTH = 30.4


class Order(NamedTuple):
    buyer_id: str
    ordered_date: date
    sub_total: Decimal


@dataclass(frozen=True, slots=True)
class World:
    """How often buyers order on a day of the two years, as a multiple of the first day; how many of
    them are there from the first day on, while the others join later; and what share of them leaves
    each month."""

    rate: Callable[[date, int], float] = lambda _day, _number: 1.0
    from_the_first_day: float = 1.0
    leaving_a_month: float = 0.0


WORLDS = {
    "steady": World(),
    "seasonal": World(lambda day, _: 2.0 if day.month >= 10 else 1.0),
    "growing": World(lambda _, number: 1.03 ** (number / DAYS_A_MONTH), from_the_first_day=0.3),
    "dying": World(lambda _, number: 0.97 ** (number / DAYS_A_MONTH), leaving_a_month=0.08),
}


def history(name: str, seed: int = 1) -> Sequence[Order]:
    return real(SOURCE) if name == REAL else sorted(made(WORLDS[name], Random(f"{name} {seed}")))


def real(source: Path) -> Sequence[Order]:
    """Invoices as the project reads them: of known buyers, none cancelled, on the day of the first
    line."""
    rows = duckdb.execute(
        "select cast(customer_id as varchar), cast(min(invoice_date) as date),"
        " sum(quantity * unit_price) from read_parquet($source)"
        " where customer_id is not null and not starts_with(invoice_no, 'C')"
        " group by customer_id, invoice_no order by 2, 1, 3",
        {"source": str(source)},
    ).fetchall()
    return [Order(*row) for row in rows]


def made(world: World, random: Random) -> Iterator[Order]:
    """A gap is drawn in days of the rate 1, and is shorter where the rate is higher."""
    rates = [world.rate(BEGIN + timedelta(number), number) for number in range(DAYS)]
    for buyer in range(BUYERS):
        mean = math.exp(random.gauss(math.log(24), 0.8))
        regularity = math.exp(random.gauss(math.log(1.8), 0.7))
        amount = math.exp(random.gauss(6, 0.8))
        is_there = random.random() < world.from_the_first_day
        number = 0 if is_there else random.randrange(DAYS)
        leaves = _days_until_it_leaves(world, random)
        left = mean * random.random() if is_there else 0.0
        for at in range(number, math.ceil(min(DAYS, number + leaves))):
            left -= rates[at]
            if left <= 0:
                cents = round(100 * amount * math.exp(random.gauss(0, 0.5)))
                yield Order(f"b{buyer:03}", BEGIN + timedelta(at), Decimal(cents) / 100)
            while left <= 0:
                left += random.gammavariate(regularity, mean / regularity)


def _days_until_it_leaves(world: World, random: Random) -> float:
    if not world.leaving_a_month:
        return math.inf
    return DAYS_A_MONTH * random.expovariate(-math.log(1 - world.leaving_a_month))

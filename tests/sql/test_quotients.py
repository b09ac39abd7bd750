"""A quotient, and a sum of squared shares, is that of plain arithmetic, to the last digit."""

import random
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import islice, product
from math import floor

import duckdb
import pyarrow as pa
import pytest

from support.warehouses.rendered import called

pytestmark = pytest.mark.slow

Number = Decimal | None

BILLIONTH, MILLIONTH, LARGEST = Decimal("1e-9"), Decimal("1e-6"), Decimal(10**15)
SOME = (None, Decimal(), BILLIONTH, 3 * BILLIONTH, Decimal(1), Decimal(64), Decimal("1e6"), LARGEST)
TYPES = {"decimal(38, 9)": BILLIONTH, "bigint": Decimal(1)}


def pairs() -> Iterator[tuple[Number, Number]]:
    """Some numbers over each other, any others of all sizes up to the largest amount, and such as
    come halfway between two millionths, or nearly so."""
    for numerator, denominator in product(SOME, SOME):
        yield numerator, denominator
        yield numerator and -numerator, denominator
        yield numerator, denominator and -denominator
    chance = random.Random(6)
    while True:
        yield any_number(chance), any_number(chance)
        half = chance.randrange(10 ** chance.randrange(1, 15)) * MILLIONTH + MILLIONTH / 2
        denominator = chance.randrange(1, 10 ** chance.randrange(1, 7)) * Decimal("0.002")
        for off in (0, 1, -1, chance.randrange(10**6)):
            yield half * denominator + off * BILLIONTH, chance.choice((1, -1)) * denominator


def any_number(chance: random.Random) -> Decimal:
    size = chance.choice((LARGEST, Decimal(1), BILLIONTH)) / Decimal(10 ** chance.randrange(10))
    return chance.choice((1, -1)) * size * chance.randrange(10**6) / 10**6


def rounded(numerator: Number, denominator: Number) -> Number:
    if numerator is None or not denominator:
        return None
    return (numerator / denominator).quantize(MILLIONTH, ROUND_HALF_UP)


@pytest.mark.parametrize("type_", TYPES)
def test_a_quotient_is_that_of_decimals_to_the_last_digit(type_: str) -> None:
    with localcontext(prec=100):
        given = [
            tuple(number if number is None else number.quantize(TYPES[type_]) for number in pair)
            for pair in islice(pairs(), 20_000)
        ]
        expected = [(*pair, rounded(*pair)) for pair in given]
    numerators, denominators = (
        pa.array(side, pa.decimal128(38, 9)) for side in zip(*given, strict=True)
    )
    numbers = pa.table({"place": range(len(given)), "n": numerators, "d": denominators})

    quotient = called("ratio('n', 'd')")
    with duckdb.connect() as connection:
        connection.register("numbers", numbers)
        found = connection.execute(
            f"select n, d, {quotient} from"
            f" (select place, n::{type_} as n, d::{type_} as d from numbers) order by place"
        ).fetchall()
    assert found == expected


def test_concentration_is_the_sum_of_exact_squares_to_the_last_digit() -> None:
    chance = random.Random(7)
    groups = [
        [abs(any_number(chance)).quantize(BILLIONTH) for _ in range(chance.choice((1, 2, 3, 50)))]
        for _ in range(5_000)
    ]
    groups += [[Decimal(1), LARGEST, LARGEST], [BILLIONTH] * 3, [LARGEST] * 7, [Decimal()]]
    expected = []
    for amounts in groups:
        whole = Fraction(sum(amounts))
        squares = sum((Fraction(amount) / whole) ** 2 for amount in amounts) if whole else None
        expected.append(None if squares is None else floor(squares * 10**12 + Fraction(1, 2)))
    rows = [(place, amount) for place, amounts in enumerate(groups) for amount in amounts]
    places, sums = zip(*rows, strict=True)
    numbers = pa.table({"place": places, "amount": pa.array(sums, pa.decimal128(38, 9))})

    index = called("herfindahl('amount', 'whole')")
    with duckdb.connect() as connection:
        connection.register("numbers", numbers)
        found = connection.execute(
            f"select cast({index} * 1000000000000 as hugeint) from"
            " (select *, sum(amount) over (partition by place) as whole from numbers)"
            " group by place order by place"
        ).fetchall()
    assert [number for (number,) in found] == expected

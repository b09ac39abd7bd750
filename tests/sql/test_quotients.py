"""A quotient is that of plain arithmetic, rounded half away from zero, to the last digit."""

import random
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal, localcontext
from itertools import islice, product

import duckdb
import pyarrow as pa
import pytest

from wholesale_elt.models.project import run_dbt
from wholesale_elt.warehouse.destination import Warehouse

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


@pytest.fixture(scope="module")
def quotient(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The SQL of `n` over `d`."""
    warehouse = Warehouse(tmp_path_factory.mktemp("quotients") / "empty.duckdb")
    duckdb.connect(str(warehouse.database)).close()
    run = run_dbt(warehouse, "compile", "--inline", "{{ ratio('n', 'd') }}")
    return str(run.results[0].node.compiled_code)


@pytest.mark.parametrize("type_", TYPES)
def test_a_quotient_is_that_of_decimals_to_the_last_digit(quotient: str, type_: str) -> None:
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

    with duckdb.connect() as connection:
        connection.register("numbers", numbers)
        found = connection.execute(
            f"select n, d, {quotient} from"
            f" (select place, n::{type_} as n, d::{type_} as d from numbers) order by place"
        ).fetchall()
    assert found == expected

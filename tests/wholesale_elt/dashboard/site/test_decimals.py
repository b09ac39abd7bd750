"""Exact arithmetic of the dashboard: what Python's decimals say, digit by digit."""

from decimal import Decimal, localcontext
from random import Random

import pytest

from support.warehouses.javascript import Scripts


def decimal_texts() -> list[str]:
    """Amounts of every size that the warehouse can hold, as the data files write them."""
    dice = Random(1)
    whole = [dice.randrange(-(10**size), 10**size) for size in range(28) for _ in range(12)]
    texts = [f"{number}.{dice.randrange(1, 10**9):09}" for number in whole]
    return [*texts, "0", "-0.000000001", "0.000000001", "9" * 29 + "." + "9" * 9]


def test_a_text_becomes_a_whole_number_of_billionths_of_thousandths(scripts: Scripts) -> None:
    with localcontext(prec=60):
        for text in decimal_texts():
            units = scripts.evaluate(f"String(wholesale.decimals.units('{text}'))")
            assert int(units) == Decimal(text) * 10**12


def test_nothing_counts_as_nothing(scripts: Scripts) -> None:
    assert scripts.evaluate(
        "[null, undefined, '0'].map((n) => String(wholesale.decimals.units(n)))"
    ) == [
        "0",
        "0",
        "0",
    ]


def test_a_text_comes_back_without_zeros_at_its_end(scripts: Scripts) -> None:
    texts = {"12.500000000": "12.5", "-0.10": "-0.1", "100": "100", "0.0": "0", "-7.000": "-7"}
    expression = (
        f"{list(texts)}.map((one) => wholesale.decimals.text(wholesale.decimals.units(one)))"
    )
    assert scripts.evaluate(expression) == list(texts.values())


@pytest.mark.parametrize("scale", [0, 2, 9])
def test_a_whole_number_of_the_smallest_unit_is_the_text_of_its_amount(
    scripts: Scripts, scale: int
) -> None:
    numbers = [0, 5, -5, 100, -1200, 99_999, -(2**53) + 1, 2**53 - 1, 10**29 + 10, -(10**30)]
    for number in numbers:
        of_both = [str(number)] if abs(number) < 2**53 else []
        for written in (*of_both, f"{number}n"):
            told = scripts.evaluate(f"wholesale.decimals.shifted({written}, {scale})")
            with localcontext(prec=60):
                assert told == format((Decimal(number).scaleb(-scale)).normalize() + 0, "f")


def test_sums_are_exact(scripts: Scripts) -> None:
    texts = decimal_texts()
    expression = (
        "wholesale.decimals.text("
        f"{texts}.map(wholesale.decimals.units).reduce((sum, units) => sum + units))"
    )
    with localcontext(prec=60):
        assert Decimal(scripts.evaluate(expression)) == sum(map(Decimal, texts))


def test_order_is_that_of_the_amounts(scripts: Scripts) -> None:
    texts = decimal_texts()
    assert scripts.evaluate(f"{texts}.sort(wholesale.decimals.compare)") == sorted(
        texts, key=Decimal
    )
    assert scripts.call("decimals.compare", "1.0", "1") == 0


def test_a_quotient_is_rounded_half_away_from_zero_to_six_decimals(scripts: Scripts) -> None:
    quotients = {
        ("1", "3"): "0.333333",
        ("2", "3"): "0.666667",
        ("-2", "3"): "-0.666667",
        ("2", "-3"): "-0.666667",
        ("-2", "-3"): "0.666667",
        ("0.0000005", "1"): "0.000001",
        ("-0.0000005", "1"): "-0.000001",
        ("0.000000499", "1"): "0",
        ("12345678901234567890", "0.5"): "24691357802469135780",
        ("0", "7"): "0",
        ("7", "0"): None,
    }
    for (numerator, denominator), quotient in quotients.items():
        units = ", ".join(
            f"wholesale.decimals.units('{text}')" for text in (numerator, denominator)
        )
        assert scripts.evaluate(f"wholesale.decimals.ratio({units})") == quotient


@pytest.mark.parametrize(
    ("now", "before", "growth"),
    [
        ("150", "100", "0.5"),
        ("0", "0.000000001", "-1"),
        ("50", "-100", None),
        ("50", "0", None),
        ("50", None, None),
        (None, "100", None),
    ],
)
def test_growth_is_told_from_what_is_above_zero_alone(
    scripts: Scripts, now: str | None, before: str | None, growth: str | None
) -> None:
    assert scripts.call("decimals.growth", now, before) == growth


def test_shares_in_whole_per_cent_add_up_to_a_hundred(scripts: Scripts) -> None:
    luck = Random(3)
    for _ in range(200):
        parts = [luck.randrange(-(10**9), 10**9) for _ in range(luck.randrange(1, 16))]
        whole = sum(parts)
        found = scripts.evaluate(
            f"wholesale.decimals.sharesOf([{', '.join(f'{part}n' for part in parts)}], {whole}n)"
        )
        assert sum(found) == 100
        assert all(
            abs(one - 100 * part / whole) < 1 for one, part in zip(found, parts, strict=True)
        )
    assert scripts.evaluate("wholesale.decimals.sharesOf([1n, -1n], 0n)") == [None, None]

"""Numbered ids know their number."""

from wholesale_sandbox.values.draws import NumberedIds


def test_numbers_far_beyond_a_million_come_back() -> None:
    ids = NumberedIds(9, "things")
    numbers = [0, 1, 10**6, 10**9, 2**48 - 1]
    assert [ids.number(ids.id(number)) for number in numbers] == numbers

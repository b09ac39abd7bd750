"""Row numbers stay in order whatever comes and goes."""

import random

import pytest

from wholesale_sandbox.storage.sequence import Sequence, shuffled


def test_numbers_without_a_key_are_in_their_own_order() -> None:
    sequence = Sequence(range(5))

    sequence.insert(9, 9)
    sequence.remove(2, 2)

    assert sequence.slice(0, 10) == [0, 1, 3, 4, 9]
    assert len(sequence) == 5


def test_equal_keys_are_in_the_order_of_their_numbers() -> None:
    keys = {0: 7, 1: 3, 2: 7, 3: 3}
    sequence = Sequence(range(4), keys.__getitem__)

    sequence.insert(3, 2_000)
    sequence.insert(7, 1)

    assert sequence.slice(0, 10) == [1, 3, 2_000, 0, 1, 2]


def test_a_number_that_is_not_there_cannot_be_removed() -> None:
    with pytest.raises(KeyError):
        Sequence(range(3)).remove(7, 7)


def test_changes_one_by_one_give_what_building_afresh_gives() -> None:
    draw = random.Random(4)
    keys: dict[int, int] = {number: draw.randrange(20) for number in range(200)}
    sequence = Sequence(keys, keys.__getitem__)

    for number in draw.sample(range(300), 150):
        if number in keys:
            sequence.remove(keys.pop(number), number)
        else:
            keys[number] = draw.randrange(20)
            sequence.insert(keys[number], number)

    afresh = Sequence(sorted(keys), keys.__getitem__)
    assert sequence.slice(0, 300) == afresh.slice(0, 300)


def test_chunks_show_the_numbers_as_they_were() -> None:
    sequence = Sequence(range(5))
    chunks = sequence.chunks(2)

    sequence.remove(0, 0)

    assert list(chunks) == [[0, 1], [2, 3], [4]]


def test_shuffled_places_are_distinct_and_not_in_order() -> None:
    places = [shuffled(number) for number in range(1_000)]

    assert len(set(places)) == 1_000
    assert places != sorted(places)

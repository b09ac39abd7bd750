"""Shards: each account is in one of them, always the same, and about as many in each."""

from collections import Counter

import pytest

from wholesale.errors import ConfigurationError
from wholesale_fleet.shards import Shard

NAMES = [f"account_{number}" for number in range(800)]


def test_each_account_is_in_one_share_and_stays_there() -> None:
    shares = [Shard(number, 8) for number in range(1, 9)]
    found = {name: [shard.number for shard in shares if shard.has(name)] for name in NAMES}
    sizes = Counter(number for (number,) in found.values())

    assert set(map(len, found.values())) == {1}
    assert all(70 <= size <= 130 for size in sizes.values())
    assert [found[name] for name in ("account_0", "account_1", "account_2")] == [[8], [6], [5]]


def test_a_share_is_written_as_its_number_of_so_many() -> None:
    assert Shard.parse("2/8") == Shard(2, 8)


@pytest.mark.parametrize("text", ["", "2", "0/8", "9/8", "a/8", "2/8/9", "-1/8"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="is no share: the second of eight is written 2/8"):
        Shard.parse(text)

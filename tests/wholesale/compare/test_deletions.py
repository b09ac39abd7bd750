"""Which records say that they are deleted."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from support.records.lists import decoded
from wholesale.compare import say_that_they_are_deleted

TOMORROW = (datetime.now(UTC) + timedelta(hours=20)).isoformat()
NEXT_WEEK = (datetime.now(UTC) + timedelta(days=7)).isoformat()


def says(**fields: Any) -> bool:
    root = decoded("brands", [{"id": "a", **fields}, {"id": "b"}]).root
    said, silent = say_that_they_are_deleted(root).tolist()
    assert not silent
    return bool(said)


@pytest.mark.parametrize(
    "time",
    [
        "2026-02-03T04:05:06Z",
        "2026-02-03 04:05:06",
        "2026-02-03 04:05:06 UTC",
        "3 Feb 2026",
        "2026-02-03",
        1_770_091_506,
        1_770_091_506_000,
        True,
        pytest.param(TOMORROW, id="the clock of the service is ahead"),
    ],
)
def test_a_time_of_deletion_that_has_come_says_so(time: Any) -> None:
    assert says(deleted_at=time)


@pytest.mark.parametrize(
    "time",
    [
        None,
        "",
        "0000-00-00 00:00:00",
        "0001-01-01T00:00:00",
        "1970-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "null",
        "never",
        0,
        False,
        {},
        [],
        pytest.param(NEXT_WEEK, id="it will be deleted in a week"),
    ],
)
def test_a_time_that_stands_for_none_or_is_not_over_says_nothing(time: Any) -> None:
    assert not says(deleted_at=time)


def test_times_of_all_kinds_in_one_column_are_told_apart() -> None:
    times = ["2026-02-03T04:05:06Z", "0000-00-00 00:00:00", "", None, "9999-12-31"]
    root = decoded("brands", [{"id": str(n), "deleted_at": at} for n, at in enumerate(times)]).root

    assert say_that_they_are_deleted(root).tolist() == [True, False, False, False, False]


@pytest.mark.parametrize("word", [True, 1, "1", "true", "Yes", "Y"])
def test_a_field_of_that_name_says_so(word: Any) -> None:
    assert says(deleted=word)
    assert says(is_deleted=word)
    assert not says(status=word)


@pytest.mark.parametrize("word", [False, 0, "0", "false", "No", "N", "", None, "archived"])
def test_a_field_of_that_name_with_another_word_says_nothing(word: Any) -> None:
    assert not says(deleted=word, is_deleted=word, status=word)

"""A rotating part of the records is read again, so that none stays unread for long."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pyarrow as pa

from wholesale.compare.audit import PARTS, is_in_part, part_due
from wholesale.tables.ids import keys_of

NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)


def test_a_part_is_due_once_a_day_and_not_before_there_is_anything_to_audit() -> None:
    assert part_due(None, NOON) is None
    assert part_due(NOON - timedelta(hours=19), NOON) is None
    assert part_due(NOON - timedelta(hours=20), NOON) == NOON.toordinal() % PARTS


def test_every_part_has_its_turn_within_as_many_days_as_there_are_parts() -> None:
    turns = [part_due(NOON - timedelta(days=1), NOON + timedelta(days=day)) for day in range(PARTS)]
    assert sorted(part for part in turns if part is not None) == list(range(PARTS))


def test_every_id_is_in_exactly_one_part() -> None:
    guids = [str(UUID(int=number * 7**40)) for number in range(500)]
    keys = keys_of(pa.array([*guids, *(f"id-{number}" for number in range(500))]))
    parts = [is_in_part(keys, part).tolist() for part in range(PARTS)]
    assert [sum(column) for column in zip(*parts, strict=True)] == [1] * 1000
    assert all(sum(part) > 0 for part in parts)

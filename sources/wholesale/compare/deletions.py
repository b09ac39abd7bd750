"""Deletions: which records say themselves that they are deleted."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.tables import Mask, Unreadable, one_chunk, read_timestamp

YES = ("true", "1", "yes", "y")
WORDS_OF_DELETION = {"deleted": YES, "is_deleted": YES, "status": ("deleted",)}
TIME_OF_DELETION = "deleted_at"
MARKS = (*WORDS_OF_DELETION, TIME_OF_DELETION)
"""Columns by which a record may say that it is deleted."""
NEVER = datetime(1970, 1, 2, tzinfo=UTC)
"""Times before it stand for none: services write `0001-01-01`, `1970-01-01`, or zero."""
MOST_AHEAD = timedelta(days=1)
"""A time further ahead is not over, as `9999-12-31` where a record is valid for ever."""


def say_that_they_are_deleted(root: pa.Table) -> Mask:
    """Which of these records say so themselves: by a field of that name, by their status, or by the
    time at which they were."""
    says: Mask = np.zeros(len(root), np.bool_)
    for name, words in WORDS_OF_DELETION.items():
        if name in root.column_names:
            column = root[name]
            if pa.types.is_decimal(column.type):
                column = column.cast(pa.int64(), safe=False)  # 1.000000000 in text
            text = pc.utf8_lower(column.cast(pa.string()))
            says |= pc.is_in(text, value_set=pa.array(words)).to_numpy()
    if TIME_OF_DELETION in root.column_names:
        times = one_chunk(root[TIME_OF_DELETION])
        latest = datetime.now(UTC) + MOST_AHEAD
        over = [time for time in pc.unique(times).to_pylist() if _is_over(time, latest)]
        says |= pc.is_in(times, value_set=pa.array(over, times.type)).to_numpy(zero_copy_only=False)
    return says


def _is_over(time: object, latest: datetime) -> bool:
    """Whether the time of a deletion is one that has come: text that is no time is one if it has
    digits other than zero, a number if it counts from 1970."""
    match time:
        case datetime():
            return NEVER <= time <= latest
        case str():
            try:
                return _is_over(read_timestamp(time), latest)
            except Unreadable:
                return any(digit in time for digit in "123456789")
        case bool():
            return time
        case Decimal() | int():
            return time >= NEVER.timestamp()
        case _:
            return False

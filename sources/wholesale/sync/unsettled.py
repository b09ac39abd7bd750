"""Unsettled: what one reading leaves open at its end, told in its doubts."""

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa

from wholesale.compare import BEFORE
from wholesale.errors import counted
from wholesale.prove import Course
from wholesale.sync.reading import Reading
from wholesale.tables import Keys

Rows = Callable[[], Iterable[pa.Table]]
"""Reads rows of the list again, a page at a time."""


def tell_list(reading: Reading, course: Course, rows: Rows) -> None:
    """Tell what speaks against a list that a course has read."""
    doubts, resource = reading.doubts, reading.resource.name
    last, absence, mismatch = course.scans[-1], course.absence, course.mismatch
    tell_records(reading, course.refused, absence.suspects, rows)
    doubts.add_faults(course.faults)
    if course.proof and len(absence.suspects) and not absence.can_ask:
        known = counted(reading.stored.alive, "stored record")
        doubts.add_faults(
            [
                f"the list lacks {len(absence.suspects):,} of {known}, and none can be asked for by"
                f" its id: run `wholesale sync {resource} --full` if they were deleted"
            ]
        )
    doubts.add_faults([last.fault] if last.fault else [])
    if not course.proof:
        doubts.add_faults(reading.twice(last.repeated, last.contradicted))
    if mismatch and last.lacking and not len(last.contradicted):
        mismatch += f" {reading.fetcher.service.remedy('lists_not_counted', resource)}"
    doubts.prove(course.proof, mismatch)


def tell_records(reading: Reading, refused: Keys, suspects: Keys, rows: Rows) -> None:
    """Name the records that came only incomplete or contradicting the list, that are missing or
    cannot be read, and what is wrong with them."""
    name_unread(reading, np.union1d(refused, suspects))
    refused = np.setdiff1d(refused, reading.unread_keys, assume_unique=True)
    reading.doubts.leave_open(reading.ids(suspects).texts(), reading.ids(refused).texts())
    reading.doubts.add_faults(reading.expectation.tell_lacking(refused))
    reading.doubts.add_faults(reading.expectation.tell_unlike(rows))


def name_unread(reading: Reading, needed: Keys) -> None:
    """Name those of the needed records that cannot be read, and why."""
    keys = np.intersect1d(needed, reading.unread_keys, assume_unique=True)
    why = (reading.unread[key] for key in keys.tolist())
    reading.doubts.leave_unread(zip(reading.ids(keys).texts(), why, strict=True))


def tell_contents(reading: Reading) -> None:
    """Tell what was not read of the records, and that responses were old."""

    def count_missing(keys: Keys) -> int:
        return int(np.count_nonzero(reading.ledger.last_seen(keys) == BEFORE))

    if age := reading.tally.traffic.oldest_seconds:
        reading.doubts.withdraw(
            f"responses came out of a cache, up to {age:,} s old: ask whoever runs the service"
            " to let `no-cache` through"
        )
    reading.doubts.doubt_contents(reading.expectation.tell_unreadable())
    reading.doubts.doubt_contents(reading.expectation.tell_nested(count_missing))

"""Audit: which stored records to read again although nothing says that they changed.

An edit that changes no field of the summary can only be found by reading the record in full. A
thirtieth of the records is read again each day, so that each is verified once a month.
"""

from datetime import datetime, timedelta

import numpy as np

from wholesale.tables import Keys, Mask

PARTS = 30
EVERY = timedelta(hours=20)
"""A little less than a day, so that a daily job that starts early misses no audit."""


def part_due(last: datetime | None, now: datetime) -> int | None:
    """The part to read again, 0 to 29; None when the last audit is recent enough.

    `last` is when records were last audited, or first read.
    """
    if last is None or now - last < EVERY:
        return None
    return now.toordinal() % PARTS


def is_in_part(keys: Keys, part: int) -> Mask:
    """Which of these ids belong to the part; the same ids every month.

    Both words of a key, folded into one, modulo the number of parts: random GUIDs and digests
    spread evenly.
    """
    words = np.ascontiguousarray(keys).view(np.uint64).reshape(-1, 2)
    is_in: Mask = (words[:, 0] ^ words[:, 1]) % np.uint64(PARTS) == part
    return is_in

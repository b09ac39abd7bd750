"""Past: what earlier runs leave behind of a resource, besides its records."""

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from wholesale.tables import KEY, Keys


@dataclass(frozen=True, slots=True)
class Past:
    """What earlier runs noted of a resource; times are UTC.

    - `dirty_since`: records of this version or a later one may have changed once more within the
      same tick of the service's clock.
    - `audit_part`: the part of the records to read again in any case; None if no audit is due.
    - `scanned_at`: when the last complete scan of the list began; None where no early stop may rely
      on it.
    - `stopped_at`: when a run last stopped early since then.
    - `old_names`: resources with records that were renamed, whose old names are stored elsewhere.
    - `absent`: keys, in order, of records that an earlier run, some minutes ago at least, missed.
    - `is_proved`: the last run proved that the stored records were all there were.
    - `is_restless`: most of the records that earlier audits read again differed, as those of a
      service that sends something else whenever it is asked.
    """

    dirty_since: datetime | None = None
    audit_part: int | None = None
    scanned_at: datetime | None = None
    stopped_at: datetime | None = None
    old_names: frozenset[str] = frozenset()
    absent: Keys = field(default_factory=lambda: np.empty(0, KEY))
    is_proved: bool = False
    is_restless: bool = False


NO_PAST = Past()

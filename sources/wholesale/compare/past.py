"""Past: what earlier runs leave behind of a resource, besides its records."""

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from wholesale.tables import KEY, Keys


@dataclass(frozen=True, slots=True)
class Past:
    """Times are UTC.

    Rows whose version is `dirty_since` or later may have changed once more within the same tick of
    the service's clock. `audit_part` is the part of the records to read again in any case.
    `swept_at` is when the last complete sweep of the list began, None where no early stop may rely
    on it; `stopped_at` when a run last stopped early since then. `old_names` are resources of whose
    names the stored records hold outdated copies. `absent` are keys, in order, of records that an
    earlier run, some minutes ago at least, missed; `is_proved`: the last run proved that the stored
    records were all. `is_restless`: most records that earlier runs audited differed, as they do
    whenever they are read.
    """

    dirty_since: datetime | None = None
    audit_part: int | None = None
    swept_at: datetime | None = None
    stopped_at: datetime | None = None
    old_names: frozenset[str] = frozenset()
    absent: Keys = field(default_factory=lambda: np.empty(0, KEY))
    is_proved: bool = False
    is_restless: bool = False


NO_PAST = Past()

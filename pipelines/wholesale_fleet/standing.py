"""Standing: the state of an account by its own warehouse, and when it is due again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from wholesale.configuration import read_section
from wholesale.errors import one_line
from wholesale.settings import SECTION
from wholesale_elt.inspect import Overview, Status, read_overview
from wholesale_elt.process import environment, last_ended
from wholesale_elt.warehouse import Warehouse
from wholesale_fleet.accounts import Account, Fleet
from wholesale_fleet.cadence import next_due
from wholesale_fleet.consolidation import is_late

CHILD_LISTS = "child_lists_every_hours"


@dataclass(frozen=True, slots=True)
class AccountStanding:
    """An account and the state of its warehouse; `overview` is None if that cannot be read, and
    `error` says why in a line.

    `due_at` (UTC) is None if it is due at any time.
    """

    account: Account
    overview: Overview | None = None
    due_at: datetime | None = None
    error: str | None = None

    def is_due(self, now: datetime) -> bool:
        return self.due_at is None or self.due_at <= now

    @property
    def resources(self) -> Sequence[Status]:
        """The resources that the account loads."""
        found = self.overview.resources if self.overview else ()
        wanted = self.account.resources
        return [row for row in found if not wanted or row.resource in wanted]

    @property
    def rows(self) -> int | None:
        """The number of live records; None if not known yet."""
        counts = [row.rows for row in self.resources]
        return None if not counts or None in counts else sum(filter(None, counts))

    @property
    def verdict(self) -> str | None:
        """`complete` if the last sync of each resource was; None if there was no sync."""
        verdicts = {row.verdict for row in self.resources}
        if verdicts <= {None}:
            return None
        return "complete" if verdicts == {"complete"} else "incomplete"

    @property
    def word(self) -> str:
        """The verdict, or why there is none."""
        return "unread" if self.error else self.verdict or "never synced"

    @property
    def trouble(self) -> str | None:
        """Why its last command on this machine failed; None if it did not."""
        last = last_ended(self.overview.runs) if self.overview else None
        return (last and last.trouble) or self.error

    @property
    def complete_as_of(self) -> datetime | None:
        """The moment as of which all its resources are proved complete; None if there is none."""
        moments = [row.complete_as_of for row in self.resources]
        return None if not moments or None in moments else min(filter(None, moments))

    def is_late(self, now: datetime) -> bool:
        """Whether two of its intervals have passed since it was complete."""
        as_of = self.complete_as_of.isoformat() if self.complete_as_of else None
        return is_late(as_of, self.account.every_hours, now.isoformat())

    def older_than(self, hours: float) -> bool:
        """Whether any of its resources was not proved complete within so many hours."""
        lags = [row.lag_seconds for row in self.resources]
        return not lags or any(lag is None or lag > hours * 3600 for lag in lags)


def read_standing(
    fleet: Fleet, account: Account, read: Callable[[Warehouse], Overview] = read_overview
) -> AccountStanding:
    """Read the state of an account; a failure becomes its `error`, and stops no other account."""
    try:
        with environment(fleet.environment(account)):
            overview = read(fleet.warehouse(account))
            hours = float(str(read_section(SECTION, [CHILD_LISTS]).get(CHILD_LISTS) or 0.0))
    except Exception as error:
        return AccountStanding(account, error=one_line(error))
    return AccountStanding(account, overview, next_due(account, overview, hours))

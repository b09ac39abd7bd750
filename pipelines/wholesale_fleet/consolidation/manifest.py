"""Manifest: the versions of accounts in a version of a fleet, and its files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from wholesale_elt.publish import Document, File, PublishedTable
from wholesale_elt.runs import Verdict

DATABASE = "fleet.duckdb"
EVERY_HOURS = 24.0
"""How often an account is due, if its file says nothing else."""
LATE_AFTER = 2
"""An account is late once so many of its intervals have passed since it was last complete."""


def is_late(as_of: str | None, every_hours: float, at: str) -> bool:
    """Whether what is complete as of a moment is late at another; both ISO 8601."""
    if as_of is None:
        return True
    age = datetime.fromisoformat(at) - datetime.fromisoformat(as_of)
    return age > timedelta(hours=LATE_AFTER * every_hours)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountVersion:
    """An account and its version, None if it has none. Times are ISO 8601 in UTC.

    `verdict`, `as_of` and `published_at` are those of that version; `reason` says why it is not
    complete, or why its numbers are not in the fleet. `status`, `status_as_of` and `trouble` are
    the account's present state, whatever is published of it. It is due every so many hours.
    """

    account_id: str
    version: str | None
    verdict: Verdict | None
    as_of: str | None
    published_at: str | None
    reason: str | None
    is_counted: bool
    status: str
    status_as_of: str | None
    trouble: str | None
    every_hours: float = EVERY_HOURS

    @property
    def is_complete(self) -> bool:
        return self.is_counted and self.verdict == "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFile(PublishedTable):
    """A table of an account; the path is within the folder of the fleet."""

    account_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetManifest(Document):
    """A version; `current.json` is the manifest of the one in force. Its verdict is `complete` if
    that of each account is; `as_of` is the oldest moment of the accounts in it."""

    version: str
    published_at: str
    software: str
    verdict: Verdict
    as_of: str | None
    reasons: Sequence[str]
    accounts: Sequence[AccountVersion]
    database: File
    parts: Sequence[AccountFile]
    personal: Sequence[str]
    dashboard: str
    dashboard_files: Sequence[File]

    @property
    def files(self) -> Sequence[File]:
        """All files of the version except its manifest."""
        return [self.database, *(part.file for part in self.parts), *self.dashboard_files]

    @property
    def fixed(self) -> Sequence[File]:
        """None: plug-ins add nothing to a fleet."""
        return ()

    @property
    def versions(self) -> dict[str, str | None]:
        """The version of each account whose numbers are in it."""
        return {entry.account_id: entry.version for entry in self.accounts if entry.is_counted}

    def of_account(self, account_id: str) -> Sequence[AccountFile]:
        return [part for part in self.parts if part.account_id == account_id]

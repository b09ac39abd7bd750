"""Summary: the result of each account, and the one exit code for all of them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, Field

from wholesale.errors import counted
from wholesale_elt.monitoring import RESULT_OF, Result
from wholesale_elt.process import JournalEntry
from wholesale_fleet.children import Ended
from wholesale_fleet.consolidation import Consolidation
from wholesale_fleet.standing import AccountStanding

WORST_FIRST = (1, 2, 3)
"""Exit codes, the worst first: failures that may pass, those that need a person, and incomplete
data."""


class AccountSummary(BaseModel):
    """The result of an account. Times are ISO 8601, UTC."""

    account: str = Field(description="its name")
    result: Result | Literal["not due"] = Field(
        description="as of a single run; `in use` by another worker; `not due` yet"
    )
    exit_code: int = Field(default=0, description="of its run, 0 if there was none")
    error: str | None = Field(default=None, description="why it is not 0")
    process: str | None = Field(
        default=None, description="another process that works or worked on it; null if none"
    )
    started_at: datetime | None = Field(default=None, description="when it began")
    ended_at: datetime | None = Field(default=None, description="when it ended")
    due_at: datetime | None = Field(default=None, description="when it is due, if it is not yet")
    requests: int = Field(default=0, description="requests of its sync")
    new: int = Field(default=0, description="records that were new, in all resources")
    changed: int = Field(default=0, description="records that had changed")
    deleted: int = Field(default=0, description="records that were gone")
    complete_as_of: datetime | None = Field(
        default=None, description="the moment as of which all its resources are proved complete"
    )
    version: str | None = Field(default=None, description="the published version in force")

    @classmethod
    def of(cls, ended: Ended, proved: datetime | None) -> Self:
        """`proved` is the moment that the account has where the command proved none."""
        code = ended.exit_code if ended.exit_code in RESULT_OF else 1
        is_in_use = ended.printed.get("result") == "in use"
        rows = (ended.printed.get("sync") or {}).get("resources") or []
        return cls(
            account=ended.account.name,
            result="in use" if is_in_use else RESULT_OF[code],
            exit_code=code,
            error=ended.error,
            started_at=ended.started_at,
            ended_at=ended.ended_at,
            requests=_sum(rows, "requests"),
            new=_sum(rows, "new"),
            changed=_sum(rows, "changed"),
            deleted=_sum(rows, "deleted"),
            complete_as_of=_oldest(rows) or proved,
            version=(ended.printed.get("publish") or {}).get("version"),
        )

    @classmethod
    def not_due(cls, standing: AccountStanding) -> Self:
        return cls(
            account=standing.account.name,
            result="not due",
            due_at=standing.due_at,
            complete_as_of=standing.complete_as_of,
        )

    @classmethod
    def elsewhere(cls, standing: AccountStanding, entry: JournalEntry) -> Self:
        """The result of an account that another process works on, or has finished."""
        code = entry.exit_code or 0
        return cls(
            account=standing.account.name,
            result="in use" if entry.state == "running" else RESULT_OF[code],
            exit_code=code,
            error=entry.message,
            process=entry.process,
            started_at=entry.started_at,
            ended_at=entry.ended_at,
            complete_as_of=standing.complete_as_of,
        )

    @property
    def is_at_fault(self) -> bool:
        return self.result not in ("complete", "in use", "not due")


class FleetSummary(BaseModel):
    """What `--json` prints for several accounts; one object also if the command fails."""

    command: str = Field(description="`run`, `sync` or `publish`")
    started_at: datetime = Field(
        default_factory=lambda: datetime.now(UTC), description="when it began"
    )
    ended_at: datetime | None = Field(default=None, description="when it ended")
    exit_code: int = Field(default=0, description="1 if any account has it, else 2, else 3, else 0")
    result: Result = Field(default="complete", description="what that code means")
    error: str | None = Field(default=None, description="the accounts with problems")
    accounts: list[AccountSummary] = Field(
        default_factory=list, description="one for each account, in the order in which they ended"
    )
    fleet: Consolidation | None = Field(
        default=None, description="the publication of all accounts together; null if there was none"
    )

    @property
    def faults(self) -> str | None:
        """The accounts with problems, by result."""
        found: dict[str, list[str]] = {}
        for account in self.accounts:
            if account.is_at_fault:
                found.setdefault(account.result, []).append(account.account)
        parts = [f"{result}: {', '.join(sorted(names))}" for result, names in sorted(found.items())]
        return f"of {counted(len(self.accounts), 'account')} {'; '.join(parts)}" if parts else None

    @property
    def worst(self) -> int:
        codes = {account.exit_code for account in self.accounts if account.is_at_fault}
        return next((code for code in WORST_FIRST if code in codes), 0)

    def end(self, exit_code: int, error: str | None) -> None:
        """Record how the command ended."""
        self.ended_at = datetime.now(UTC)
        self.exit_code, self.result, self.error = exit_code, RESULT_OF[exit_code], error


def _sum(rows: Sequence[dict[str, Any]], name: str) -> int:
    return sum(row.get(name) or 0 for row in rows)


def _oldest(rows: Sequence[dict[str, Any]]) -> datetime | None:
    moments = [row.get("complete_as_of") for row in rows]
    if not moments or None in moments:
        return None
    return min(datetime.fromisoformat(str(moment)) for moment in moments)

"""Schedule: how much work a fleet is, how many workers it needs, and how often to start them."""

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Self

from pydantic import BaseModel, Field

from wholesale_fleet.accounts import Fleet
from wholesale_fleet.children import Ended
from wholesale_fleet.hosts import AT_ONCE
from wholesale_fleet.standing import AccountStanding


class AccountPlan(BaseModel):
    """The work of a sync of an account now."""

    account: str = Field(description="its name")
    host: str = Field(description="where its requests go to")
    every_hours: float = Field(description="its cadence")
    due_at: datetime | None = Field(description="when it is due, UTC; null if it is already")
    requests: int | None = Field(description="null if the service could not be asked")
    minutes: float | None = Field(description="at the pace seen while planning; the sync alone")
    error: str | None = Field(description="why it could not be asked")

    @classmethod
    def of(cls, ended: Ended, standing: AccountStanding) -> Self:
        account = ended.account
        return cls(
            account=account.name,
            host=account.host,
            every_hours=account.every_hours,
            due_at=standing.due_at,
            requests=ended.printed.get("requests"),
            minutes=ended.printed.get("minutes"),
            error=ended.error,
        )

    @property
    def load(self) -> float:
        """The share of a worker's time that it takes."""
        return (self.minutes or 0.0) / (60 * self.every_hours)


class FleetPlan(BaseModel):
    """The work of all accounts, and what to schedule."""

    requests: int = Field(description="of all accounts, once")
    minutes: float = Field(description="of all accounts, once, one after the other")
    every_minutes: int = Field(description="how often to call the workers: the shortest cadence")
    workers: int = Field(description="how many keep up with all cadences")
    crowded: list[str] = Field(
        description="hosts that cannot keep up, with so few accounts at once"
    )
    accounts: list[AccountPlan] = Field(description="one for each account, by name")

    @classmethod
    def of(cls, fleet: Fleet, plans: Sequence[AccountPlan]) -> Self:
        loads: defaultdict[str, float] = defaultdict(float)
        for plan in plans:
            loads[plan.host] += plan.load
        return cls(
            requests=sum(plan.requests or 0 for plan in plans),
            minutes=sum(plan.minutes or 0.0 for plan in plans),
            every_minutes=math.ceil(60 * min((plan.every_hours for plan in plans), default=24)),
            workers=max(1, math.ceil(sum(plan.load for plan in plans))),
            crowded=sorted(
                host for host, load in loads.items() if load > fleet.host_limits.get(host, AT_ONCE)
            ),
            accounts=sorted(plans, key=lambda plan: plan.account),
        )

"""Schedule: what to call how often, so that all cadences are kept, and which host cannot."""

import pytest

from wholesale_fleet.accounts import Account, Fleet
from wholesale_fleet.schedule import AccountPlan, FleetPlan

ACME = Account(name="acme", service={"base_url": "https://a.test/api/external/v1"})
FLEET = Fleet(accounts=(ACME,), host_limits={"b.test": 2})


def plan(name: str, host: str, every_hours: float, minutes: float | None) -> AccountPlan:
    error = "refused" if minutes is None else None
    return AccountPlan(
        account=name,
        host=host,
        every_hours=every_hours,
        due_at=None,
        requests=None if error else 10,
        minutes=minutes,
        error=error,
    )


@pytest.mark.parametrize(
    ("plans", "every_minutes", "workers", "crowded"),
    [
        ([], 1440, 1, []),
        ([plan("a", "a.test", 24, 30)], 1440, 1, []),
        ([plan("a", "a.test", 24, 30), plan("b", "b.test", 0.25, None)], 15, 1, []),
        ([plan("a", "a.test", 1, 45), plan("b", "a.test", 1, 45)], 60, 2, ["a.test"]),
        ([plan("a", "b.test", 1, 45), plan("b", "b.test", 1, 45)], 60, 2, []),
    ],
)
def test_workers_are_called_as_often_as_the_shortest_cadence_and_are_as_many_as_keep_up(
    plans: list[AccountPlan], every_minutes: int, workers: int, crowded: list[str]
) -> None:
    found = FleetPlan.of(FLEET, plans[::-1])

    assert (found.every_minutes, found.workers, found.crowded) == (every_minutes, workers, crowded)
    assert found.accounts == plans
    assert found.minutes == sum(entry.minutes or 0 for entry in plans)

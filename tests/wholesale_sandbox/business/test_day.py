"""A day of business that is played: the same changes wherever it is played again."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.truth import truth

FIRST, SECOND = (datetime(2027, 2, 2, 9, minute, tzinfo=UTC) for minute in (0, 5))
A_DAY = {
    ("orders", "deleted"): 1,
    ("orders", "inserted"): 20,
    ("orders", "edited"): 38,
    ("prices", "edited"): 3,
    ("items", "edited"): 1,
    ("buyers", "edited"): 1,
}


def settings(*days_at: datetime) -> SandboxSettings:
    return SandboxSettings(orders=3_000, last_day=date(2027, 2, 1), days_at=days_at)


def records(sandbox: Sandbox) -> dict[str, list[bytes]]:
    return {name: list(truth(sandbox.storage.collection(name))) for name in RESOURCE}


def test_a_day_of_business_has_orders_that_arrive_and_records_that_change() -> None:
    with Sandbox(settings()) as sandbox:
        sandbox.play_day(FIRST)
        made = Counter((change.resource, change.what) for change in sandbox.storage.changes.all())
        newest = records(sandbox)["orders"][-20:]
        cancelled = sum(b'"status":"cancelled"' in body for body in records(sandbox)["orders"])

    with Sandbox(settings()) as untouched:
        former = sum(b'"status":"cancelled"' in body for body in records(untouched)["orders"])

    assert made == A_DAY
    assert all(b'"created_at":"2027-02-02T09:00:0' in body for body in newest)
    assert cancelled == former + 3


def test_days_that_were_played_are_the_same_in_a_sandbox_that_starts_after_them() -> None:
    with Sandbox(settings()) as lived:
        lived.play_day(FIRST)
        lived.play_day(SECOND)
        then = records(lived)

    with Sandbox(settings(FIRST, SECOND)) as later, Sandbox(settings(FIRST)) as earlier:
        assert records(later) == then
        assert records(earlier) != then

    with Sandbox(settings(FIRST, SECOND + timedelta(minutes=1))) as other:
        assert records(other) != then

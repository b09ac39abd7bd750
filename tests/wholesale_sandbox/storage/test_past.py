"""The past knows what records and counts were before their latest changes."""

from datetime import UTC, datetime, timedelta

from wholesale_sandbox.storage.past import PastRecords

START = datetime(2026, 1, 1, tzinfo=UTC)


def at(second: float) -> datetime:
    return START + timedelta(seconds=second)


def test_a_record_is_as_it_was_before_the_first_change_since() -> None:
    moments = iter([at(1), at(2), at(3), at(4)])
    past = PastRecords(now=lambda: next(moments))
    past.add("orders", "a", None)
    past.add("orders", "a", b"first")
    past.add("orders", "b", b"stood")
    past.add("brands", "a", b"brand")

    assert past.at("orders", at(0)) == {"a": None, "b": b"stood"}
    assert past.at("orders", at(1)) == {"a": b"first", "b": b"stood"}
    assert past.at("orders", at(2.5)) == {"b": b"stood"}
    assert past.at("orders", at(3)) == {}
    assert past.at("brands", at(0)) == {"a": b"brand"}


def test_the_past_reaches_as_far_back_as_it_is_kept() -> None:
    moments = iter([at(1), at(2), at(3)])
    past = PastRecords(keep=2, now=lambda: next(moments))
    for body in (b"first", b"second", b"third"):
        past.add("orders", "a", body)

    assert past.at("orders", at(0)) == {"a": b"second"}

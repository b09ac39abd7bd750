"""Dials hold from the next request on; faults come as dialled, the same for a seed."""

import threading
from typing import Any

import pytest

from wholesale_sandbox.faults.dial_values import DialError
from wholesale_sandbox.faults.dials import Dials, NextFailure


def test_dials_are_quiet_until_they_are_turned() -> None:
    dials = Dials()

    assert [dials.failure("list_orders") for _ in range(100)] == [None] * 100
    assert dials.values() == {
        "limit_cap": 250,
        "default_limit": 25,
        "limit_above_cap": "lowered",
        "first_page": 1,
        "list_shape": {},
        "list_order": {},
        "list_pagination": {},
        "list_entries": {},
        "envelope_without": [],
        "drift": 0.0,
        "drift_kind": "mixed",
        "drift_resources": ["orders"],
        "faults": [],
        "latency_seconds": 0.0,
        "throttle_share": 0.0,
        "throttle_above": 0.0,
        "throttle_retry_after": 1,
        "ban_seconds": 0.0,
        "error_share": 0.0,
        "error_status": 500,
        "cut_share": 0.0,
        "fault_endpoints": [],
        "seed": 0,
    }


def test_a_list_has_its_own_shape_and_order_or_that_of_all() -> None:
    dials = Dials(list_shape={"*": "bare", "orders": "envelope"}, list_order={"items": "newest"})

    assert [dials.shape_of(resource) for resource in ("orders", "items")] == ["envelope", "bare"]
    assert [dials.order_of(resource) for resource in ("orders", "items")] == ["oldest", "newest"]
    assert Dials().shape_of("items") == "envelope"


@pytest.mark.parametrize(
    "values",
    [
        {"unheard_of": 1},
        {"limit_cap": 0},
        {"limit_cap": "many"},
        {"limit_cap": 1.5},
        {"error_share": 1.1},
        {"error_share": -0.1},
        {"error_status": 200},
        {"latency_seconds": -1},
        {"list_shape": {"*": "round"}},
        {"list_order": "newest"},
        {"envelope_without": ["data"]},
        {"throttle_retry_after": -1},
        {"list_shape": {"order": "bare"}},
        {"list_order": {"all": "newest"}},
        {"fault_endpoints": ["orders"]},
        {"first_page": 2},
        {"list_pagination": {"*": "footer"}},
        {"list_entries": {"order": "wrapped"}},
        {"drift": 1.5},
        {"drift_resources": ["everything"]},
        {"faults": [{"fault": "unheard-of"}]},
        {"faults": [{"fault": "html", "share": 2}]},
        {"faults": [{"fault": "html", "resources": ["order"]}]},
        {"faults": [{"fault": "html", "endpoints": ["orders"]}]},
        {"faults": [{"fault": "id-null"}]},
    ],
)
def test_a_dial_takes_no_value_that_does_not_fit(values: dict[str, Any]) -> None:
    dials = Dials()

    with pytest.raises(DialError) as refused:
        dials.change({"default_limit": 7, **values})

    assert str(refused.value).startswith(f"dial {next(iter(values))}: ")
    assert dials.values() == Dials().values()
    with pytest.raises(DialError):
        Dials.of(values)


def test_an_error_is_one_line() -> None:
    with pytest.raises(DialError) as refused:
        Dials.of({"limit_cap": "many"})

    assert str(refused.value) == "dial limit_cap: 'many' does not fit: Expected `int`, got `str`"


def test_reset_puts_the_dials_as_they_were_at_the_start() -> None:
    dials = Dials.of({"limit_cap": 10})
    start = dials.values()

    dials.change({"limit_cap": 5, "error_share": 1.0})
    dials.fail_next(3)
    dials.reset()

    assert dials.values() == start
    assert dials.failure("list_orders") is None


def test_an_attribute_is_a_dial_too() -> None:
    dials = Dials()

    dials.error_share = 1.0
    dials.error_status = 503

    assert dials.failure("list_orders") == NextFailure(503)


def test_planned_faults_come_first_and_once() -> None:
    dials = Dials()
    dials.fail_next(2, 503, retry_after=7)
    dials.cut_next(1)

    assert [dials.failure("list_orders") for _ in range(4)] == [
        NextFailure(503, 7),
        NextFailure(503, 7),
        NextFailure(None),
        None,
    ]


def test_planned_faults_wait_for_their_endpoint() -> None:
    dials = Dials()
    dials.fail_next(1, 500, endpoint="get_order")

    assert [dials.failure(name) for name in ("list_orders", "get_order", "get_order")] == [
        None,
        NextFailure(500),
        None,
    ]


@pytest.mark.parametrize(("count", "status"), [(0, 500), (1, 200), (1, 600)])
def test_a_fault_that_makes_no_sense_is_not_planned(count: int, status: int) -> None:
    with pytest.raises(DialError):
        Dials().fail_next(count, status)


def test_a_fault_is_planned_for_no_endpoint_that_does_not_exist() -> None:
    with pytest.raises(DialError, match="endpoint: there is no orders"):
        Dials().cut_next(1, endpoint="orders")


@pytest.mark.parametrize(
    ("values", "failure"),
    [
        ({"throttle_share": 1.0, "throttle_retry_after": 3}, NextFailure(429, 3)),
        ({"throttle_share": 1.0, "throttle_retry_after": None}, NextFailure(429)),
        ({"error_share": 1.0, "error_status": 502}, NextFailure(502)),
        ({"cut_share": 1.0}, NextFailure(None)),
    ],
)
def test_a_share_of_one_applies_to_every_request(
    values: dict[str, Any], failure: NextFailure
) -> None:
    dials = Dials.of(values)

    assert [dials.failure("list_orders") for _ in range(3)] == [failure] * 3


def test_shares_apply_to_about_their_share_and_the_same_requests_for_a_seed() -> None:
    def faults(seed: int) -> list[NextFailure | None]:
        dials = Dials(error_share=0.3, seed=seed)
        return [dials.failure("list_orders") for _ in range(1_000)]

    assert faults(1) == faults(1)
    assert faults(1) != faults(2)
    assert 250 < faults(1).count(NextFailure(500)) < 350


def test_faults_apply_to_the_endpoints_named_only() -> None:
    dials = Dials(error_share=1.0, fault_endpoints=["get_order"])

    assert dials.failure("list_orders") is None
    assert dials.failure("get_order") == NextFailure(500)


def test_requests_above_the_rate_are_throttled_until_a_second_has_passed() -> None:
    now = [100.0]
    dials = Dials(throttle_above=2)
    dials.clock = lambda: now[0]

    first = [dials.failure("list_orders") for _ in range(3)]
    now[0] += 0.5
    second = dials.failure("list_orders")
    now[0] += 0.5
    third = [dials.failure("list_orders") for _ in range(3)]

    assert first == [None, None, NextFailure(429, 1)]
    assert second == NextFailure(429, 1)
    assert third == [None, None, NextFailure(429, 1)]


def test_who_asks_before_the_wait_is_over_is_banned_for_a_while() -> None:
    now = [100.0]
    dials = Dials(throttle_above=1, throttle_retry_after=5, ban_seconds=60)
    dials.clock = lambda: now[0]

    def failure(second: float) -> NextFailure | None:
        now[0] = 100.0 + second
        return dials.failure("list_orders")

    heeded = [failure(second) for second in (0, 0, 5)]
    hasty = [failure(second) for second in (5, 9, 40, 68, 69, 69.1)]

    assert heeded == [None, NextFailure(429, 5), None]
    assert hasty == [
        *(NextFailure(429, 5), NextFailure(403), NextFailure(403), NextFailure(403)),
        *(None, NextFailure(429, 5)),
    ]


def test_planned_faults_are_shared_out_among_threads() -> None:
    dials = Dials()
    dials.fail_next(100)
    seen: list[NextFailure | None] = []

    def draw() -> None:
        for _ in range(50):
            seen.append(dials.failure("list_orders"))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen.count(NextFailure(500)) == 100
    assert seen.count(None) == 100

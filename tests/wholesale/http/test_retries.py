"""A storm is outlasted and a dead service is left alone, whatever asks for what."""

import random

import pytest

from wholesale.http.retries import FORGIVEN, Budget


def test_a_service_without_an_answer_is_forgiven_so_many_failures_and_no_more() -> None:
    budget = Budget(120)
    forgiven = 0
    while not budget.is_spent(0):
        budget.spend(0, 0)
        forgiven += 1

    assert forgiven == FORGIVEN


def test_a_service_without_an_answer_has_so_much_time_and_no_more() -> None:
    budget = Budget(120)
    budget.spend(began_at=1000, now=1030)
    budget.spend(began_at=1030, now=1060)

    assert [budget.is_spent(now) for now in (1000, 1119.9, 1120)] == [False, False, True]
    assert budget.end(1050) == 1120, "a request that starts late has only what is left"


def test_an_answer_gives_the_whole_time_back_and_one_failure() -> None:
    budget = Budget(120)
    for _ in range(FORGIVEN - 1):
        budget.spend(began_at=1000, now=1000)
    budget.earn()

    assert not budget.is_spent(5000)
    assert (budget.left, budget.end(5000)) == (2, 5120)


def test_answers_in_good_times_are_not_saved_up() -> None:
    budget = Budget(120)
    for _ in range(1000):
        budget.earn()

    assert budget.left == FORGIVEN


@pytest.mark.parametrize("seed", range(20))
def test_a_storm_in_which_a_third_fails_is_never_taken_for_a_dead_service(seed: int) -> None:
    budget, chance = Budget(120), random.Random(seed)
    for _ in range(20_000):
        if chance.random() < 0.33:
            budget.spend(0, 0)
        else:
            budget.earn()
        assert not budget.is_spent(0)


def test_a_service_that_mostly_fails_is_given_up() -> None:
    budget, chance = Budget(120), random.Random(1)
    asked = 0
    while not budget.is_spent(0):
        asked += 1
        budget.spend(0, 0) if chance.random() < 0.75 else budget.earn()

    assert asked < 200


def test_requests_that_fail_together_count_as_one_failure() -> None:
    """A service that restarts breaks all connections at once, and is back a moment later."""
    budget = Budget(120)
    for number in range(64):
        budget.spend(began_at=1000 + number / 1000, now=1001 + number / 1000)
    assert budget.left == FORGIVEN - 1

    budget.spend(began_at=1001, now=1002)
    assert budget.left == FORGIVEN - 2

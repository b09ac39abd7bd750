"""What a failing service sends is outlasted, asked for again, or said to be missing."""

from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from support.warehouses.bench import LISTS, MANY, ORDERS, PAGE_SIZE, RESOURCES, Bench
from wholesale_elt.cli.output import Exit
from wholesale_elt.warehouse.destination import Warehouse

PATIENCE = 145.0
"""Seconds for which a dead service is asked."""
MOST_REQUESTS_TO_THE_DEAD = 30


@pytest.mark.parametrize("concurrency", [1, pytest.param(32, marks=pytest.mark.slow)])
def test_a_storm_is_outlasted_and_costs_little_more_than_its_failures(
    bench: Bench, tmp_path: Path, concurrency: int
) -> None:
    bench.resources = RESOURCES if concurrency > 1 else LISTS
    assert bench.sync(concurrency=concurrency) is Exit.DONE
    calm = len(bench.wire.sent)
    bench.warehouse = Warehouse(tmp_path / "storm.duckdb")
    bench.begin("storm")

    assert bench.sync(concurrency=concurrency) is Exit.DONE

    bench.assert_exact()
    assert bench.faults > 0.1 * calm
    assert len(bench.wire.sent) - calm <= 1.1 * bench.faults
    assert bench.wire.silences
    if concurrency == 1:  # else what is under way when a silence begins is sent already
        assert bench.wire.hasty == []


@pytest.mark.slow
def test_broken_answers_are_asked_for_again(bench: Bench) -> None:
    bench.resources = LISTS
    bench.begin("broken-answers")

    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    assert bench.faults > MANY
    for resource in LISTS:
        for held, _ in bench.differing(resource).values():
            assert held
            assert "1e400" in held["_extra"].values()  # JSON, and a number: it is kept as sent
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_slow_answers_are_awaited_or_asked_for_again(bench: Bench) -> None:
    bench.begin("slow")

    assert bench.sync(timeout_seconds=4) is Exit.DONE

    assert bench.faults > 0
    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "exit"), [("dead", Exit.FAILED), ("locked-out", Exit.CONFIGURATION)]
)
def test_a_service_that_is_lost_halfway_takes_nothing_with_it(
    bench: Bench, scenario: str, exit: Exit
) -> None:
    bench.resources = LISTS
    assert bench.sync() is Exit.DONE
    before = next(iter(bench.truth("orders").values()))
    bench.sandbox.put("orders", before | {"status": "shipped"})
    bench.begin(scenario)

    assert bench.sync(page_size=PAGE_SIZE) is exit

    for resource in LISTS:
        found = bench.differing(resource)
        assert found.keys() <= ({before["id"]} if resource == "orders" else set())
    bench.sandbox.dials.reset()
    assert bench.sync() is Exit.DONE
    bench.assert_exact()


def test_a_list_that_fails_in_large_pages_is_read_in_smaller_ones(bench: Bench) -> None:
    bench.resources = ("items", "brands")
    fault = {"fault": "500-when-large", "number": 10_000, "resources": ["items"]}
    bench.sandbox.dials.change({"faults": [fault]})

    assert bench.sync() is Exit.DONE

    assert bench.faults > 0
    bench.assert_exact()


@pytest.mark.parametrize(("alive_for", "concurrency"), [(0, 1), (0, 32), (20, 1)])
def test_a_dead_service_is_left_alone(bench: Bench, alive_for: int, concurrency: int) -> None:
    bench.sandbox.dials.change({"faults": [{"fault": "503-after-nothing", "after": alive_for}]})

    assert bench.sync(concurrency=concurrency) is Exit.FAILED

    assert bench.faults == len(bench.wire.sent) - alive_for
    assert bench.faults <= MOST_REQUESTS_TO_THE_DEAD
    assert bench.wire.sent[-1] - bench.wire.sent[alive_for] <= PATIENCE


FAILING_AS_EMPTY = {
    *("items", "item_images", "vendors", "brands"),
    *("price_lists", "prices", "categories", "custom_fields"),
}


@pytest.mark.slow
def test_failures_that_answer_as_empty_lists_delete_nothing_however_often(bench: Bench) -> None:
    bench.resources = sorted(FAILING_AS_EMPTY)
    assert bench.sync() is Exit.DONE
    before = {name: bench.differing(name) for name in bench.resources}
    bench.begin("failing-as-empty")

    for is_full in (False, False, False, True):
        assert bench.sync(is_full=is_full) is Exit.INCOMPLETE
        assert bench.incomplete == FAILING_AS_EMPTY
        assert {name: bench.differing(name) for name in bench.resources} == before

    bench.sandbox.dials.reset()
    assert bench.sync() is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_what_gateways_say_of_another_moment_is_outlasted(bench: Bench) -> None:
    bench.resources = ("orders", "vendors", "items", "prices")
    bench.begin("gateways")

    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    assert bench.faults > 0
    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "resources", "doubted"),
    [
        ("lost-bodies", ("orders",), {"orders"}),
        ("closed-window", ("orders",), {"orders"}),
        ("thin-lists", ("items", "variants"), {"items", "variants"}),
        (
            "lost-children",
            ("items", "variants", "buyers", "buyer_users"),
            {"variants", "buyer_users"},
        ),
        ("uncounted-children", ("items", "variants"), {"variants"}),
        ("mixed-up-children", ("items", "variants"), {"variants"}),
        (
            "failing-records",
            ("items", "orders", "variants", "vendors"),
            {"orders", "variants", "vendors"},
        ),
        ("failing-pages", ("orders", "vendors"), {"orders"}),
        ("forbidden", ("vendors", "prices"), {"prices"}),
        ("failing-as-empty", (*FAILING_AS_EMPTY, "buyers"), FAILING_AS_EMPTY),
    ],
)
def test_what_cannot_be_read_is_said_and_costs_nothing_else(
    bench: Bench, scenario: str, resources: Sequence[str], doubted: Collection[str]
) -> None:
    bench.resources = resources
    bench.begin(scenario)

    for _ in range(2):
        assert bench.sync(page_size=PAGE_SIZE) in (Exit.INCOMPLETE, Exit.FAILED)
        assert bench.incomplete == doubted
        for resource in resources:
            missing = bench.differing(resource)
            assert resource in doubted or missing == {}
            assert all(is_so for _, is_so in missing.values()), "nothing is deleted or made up"

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_all_but_the_orders_that_the_service_fails_at_is_loaded(bench: Bench) -> None:
    bench.resources = ("orders",)
    bench.begin("failing-records")

    for is_full in (False, True, False):
        assert bench.sync(page_size=PAGE_SIZE, is_full=is_full) is Exit.INCOMPLETE

        missing = bench.differing("orders")
        assert 0 < len(missing) < ORDERS / 8
        assert bench.outcome
        (certificate,) = bench.outcome.certificates
        assert certificate.reason
        assert certificate.reason.startswith(f"{len(missing)} records cannot be read: GET /orders/")
        assert any(key in certificate.reason for key in missing)

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_a_server_without_data_makes_nothing_gone(bench: Bench) -> None:
    bench.resources = ("orders", "vendors")
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    gone = {resource: min(bench.truth(resource)) for resource in bench.resources}
    for resource, key in gone.items():
        bench.sandbox.delete(resource, key)
    bench.begin("server-without-data")

    for _ in range(3):
        ended = bench.sync(page_size=PAGE_SIZE)
        assert ended in (Exit.DONE, Exit.INCOMPLETE)
        for resource in bench.resources:
            is_proved = resource not in bench.incomplete
            assert bench.differing(resource).keys() <= (set() if is_proved else {gone[resource]})

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()

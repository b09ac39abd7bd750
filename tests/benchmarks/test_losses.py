"""The measurement of losses finds none where there are none, and sees those that there are."""

import pytest

from benchmarks.losses import CONTENDERS, Losses, measure, table

WORLDS = range(40)
WATERMARKS = [name for name in CONTENDERS if name.startswith("watermark")]
DLT = next(name for name in CONTENDERS if name.startswith("dlt"))
SEED_OF_DLT_LOSSES = 0


@pytest.mark.parametrize("name", CONTENDERS)
def test_in_a_world_that_stands_still_nobody_loses_anything(name: str) -> None:
    found = measure(name, seed=3, is_calm=True)

    assert found == Losses(found.orders, 0, 0, 0, 0, is_certain=True, failed_runs=0)
    assert found.orders > 0


def test_ours_loses_nothing_in_worlds_that_move_and_fail() -> None:
    for seed in WORLDS:
        found = measure("wholesale sync", seed)
        if found.orders:
            assert found == Losses(found.orders, 0, 0, 0, 0, is_certain=True, failed_runs=0), seed
        assert not found.is_untold, seed  # that a list is empty is believed by another run


@pytest.mark.parametrize("name", WATERMARKS)
def test_a_watermark_loses_in_every_way_and_does_not_say_so(name: str) -> None:
    found = [measure(name, seed) for seed in WORLDS]

    assert sum(losses.lost for losses in found) > 0
    assert sum(losses.stale for losses in found) > 0
    assert sum(losses.ghosts for losses in found) > 0
    assert sum(losses.wrong_lines for losses in found) > 0
    assert all(losses.is_untold == losses.is_wrong for losses in found)


def test_what_dlt_holds_is_compared_too() -> None:
    found = measure(DLT, SEED_OF_DLT_LOSSES)

    assert min(found.lost, found.stale, found.ghosts, found.wrong_lines) > 0
    assert found.is_untold


def test_the_table_tells_totals_and_shares_of_worlds() -> None:
    quiet = Losses(10, 0, 0, 0, 0, is_certain=True, failed_runs=0)
    wrong = Losses(1_500, 2, 3, 1_200, 0, is_certain=True, failed_runs=1)
    doubted = Losses(10, 1, 0, 0, 4, is_certain=False, failed_runs=0)

    *_, row = table({"x": [quiet, quiet, wrong, doubted]}).splitlines()

    assert row == (
        "| x | 4 | 1,530 | 3 (50.0%) | 3 (25.0%) | 1,200 (25.0%) | 4 (25.0%) | 50.0% | 25.0% | 1 |"
    )

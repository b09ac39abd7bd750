"""The measurement of a living service counts what its certificates say."""

from benchmarks.living import Lives, live, table


def test_a_service_at_rest_is_certified_in_one_full_scan() -> None:
    found = live(orders=120, changes_a_minute=0, runs=2)

    assert (found.certified, found.full_scans) == ([True, True], [1, 1])
    assert found.changes_a_scan == 0


def test_the_table_tells_chance_and_cost_by_what_goes_on() -> None:
    lives = Lives(20_000, 120, [True, False], [1, 3], [200, 600], [2.0, 6.0])

    *_, row = table([lives]).splitlines()

    assert row == "| 20,000 | 120 | 4.0 | 1 of 2 | 2.0 | 400 |"

"""Snapshots and files of a catalogue live as long as a version that is kept."""

from pathlib import Path

import pytest
from pyiceberg.exceptions import NoSuchTableError

from support.warehouses.desks import Lake, Row, files_of


@pytest.mark.slow
def test_versions_beyond_keep_go_with_their_files_and_the_others_stay_as_they_were(
    lake: Lake, tmp_path: Path
) -> None:
    pruned = []
    first: Row = {}
    for number in range(1, 5):
        lake.build(number)
        pruned.append(lake.publish().pruned.removed)
        first = first or lake.versions()[0]

    assert [len(versions) for versions in pruned] == [0, 0, 1, 1]
    assert pruned[2] == [first["version"]]
    assert [lake.numbers(version) for version in range(len(lake.versions()))] == [{3}, {4}]
    assert (
        lake.table("wholesale_marts.fct_orders").snapshot_by_id(
            first["snapshots"]["wholesale_marts.fct_orders"]
        )
        is None
    )
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named
    assert not [path for path in there if first["version"] in path.name]


@pytest.mark.slow
def test_a_file_lives_as_long_as_a_snapshot_that_is_kept(lake: Lake, tmp_path: Path) -> None:
    lake.build(1)
    lake.publish()
    for number in range(2, 6):
        lake.change(f"update wholesale_bi.rpt_headlines set number = {number}")
        lake.publish()

    assert lake.read("wholesale_marts.fct_orders")["number"].unique().to_pylist() == [1]
    assert len(lake.table("wholesale_marts.fct_orders").snapshots()) == 1
    assert lake.read("wholesale_bi.rpt_headlines", -2)["number"].to_pylist() == [4]


def test_a_table_that_no_kept_version_has_goes(lake: Lake) -> None:
    for number in range(1, 4):
        lake.build(number)
        lake.publish(is_only_bi=number > 1)
        if number == 2:
            assert lake.read("wholesale_marts.fct_orders", -2)["number"].unique().to_pylist() == [1]
    with pytest.raises(NoSuchTableError):
        lake.table("wholesale_marts.fct_orders")

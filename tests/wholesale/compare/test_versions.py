"""Times of change are compared as numbers, and a record without one is older than any."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from support.records.lists import decoded
from wholesale.compare.versions import (
    NO_VERSION,
    DistinctVersions,
    floored,
    newest,
    versions_in,
    versions_of,
)


def test_a_version_is_the_time_in_microseconds() -> None:
    times = [datetime(1970, 1, 1, 0, 0, 1, 5, UTC), None, datetime(1969, 12, 31, tzinfo=UTC)]
    column = pa.chunked_array([pa.array(times, pa.timestamp("us", "UTC"))])

    assert versions_of(column).tolist() == [1_000_005, NO_VERSION, -86_400_000_000]


@pytest.mark.parametrize(
    ("stamps", "since"),
    [
        (["2024-01-01T01:02:03.5Z", "2024-01-01T01:02:03Z", None], "2024-01-02T03:04:05.5Z"),
        (["2024-01-01T01:02:03Z", "2024-01-01T01:02:04Z"], "2024-01-02T03:04:05Z"),
        (["2024-01-01T01:00:00Z", "2024-01-01T02:00:00Z"], "2024-01-02T03:00:00Z"),
        (["2024-01-01", "2024-01-03"], "2024-01-02T00:00:00Z"),
        (["1969-12-31", None], "2024-01-02T00:00:00Z"),
        ([None], "2024-01-02T03:04:05.5Z"),
        ([], "2024-01-02T03:04:05.5Z"),
    ],
)
def test_a_moment_is_cut_to_the_unit_of_the_versions(stamps: list[str | None], since: str) -> None:
    records = [{"id": str(number), "updated_at": at} for number, at in enumerate(stamps)]
    versions = versions_of(decoded("orders", records).root["updated_at"])

    cut = floored(datetime(2024, 1, 2, 3, 4, 5, 500_000, UTC), versions)
    assert cut == datetime.fromisoformat(since)


def test_no_moment_is_cut_to_none() -> None:
    assert floored(None, versions_of(decoded("orders", []).root["updated_at"])) is None


def test_a_record_without_a_version_is_older_than_the_first_time_there_is() -> None:
    earliest = pa.chunked_array([pa.array([datetime.min], pa.timestamp("us"))])

    assert versions_of(earliest)[0] > NO_VERSION


def test_a_resource_that_is_not_shown_to_have_a_version_has_what_comes_under_the_usual_name() -> (
    None
):
    shape = decoded("prices", [{"id": "a", "updated_at": "2024-01-01T00:00:00Z"}]).root
    text = decoded("prices", [{"id": "a", "updated_at": "soon"}]).root

    assert versions_in(shape, None).tolist() == [1_704_067_200_000_000]
    assert versions_in(text, None).tolist() == [NO_VERSION]
    assert versions_in(decoded("prices", [{"id": "a"}]).root, None).tolist() == [NO_VERSION]


def test_of_several_rows_of_a_record_the_newest_counts_and_of_equal_ones_the_last() -> None:
    records = [
        {"id": "a", "updated_at": "2024-01-02T00:00:00Z", "status": "newer"},
        {"id": "b", "status": "first"},
        {"id": "a", "updated_at": "2024-01-01T00:00:00Z", "status": "older"},
        {"id": "b", "status": "last"},
    ]

    kept, versions = newest(decoded("orders", records), "updated_at")

    assert versions.tolist() == [1_704_153_600_000_000, NO_VERSION]
    assert kept.root.select(["id", "status"]).to_pylist() == [
        {"id": "a", "status": "newer"},
        {"id": "b", "status": "last"},
    ]


def test_rows_of_different_records_are_left_as_they_are() -> None:
    batch = decoded("orders", [{"id": "b"}, {"id": "a"}])

    assert newest(batch, "updated_at")[0] is batch


FIRST, SECOND = "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"


@pytest.mark.parametrize(
    ("stamps", "at_least", "tell"),
    [
        ([FIRST, SECOND, FIRST], 3, True),
        ([FIRST, FIRST, SECOND], 3, True),
        ([FIRST, FIRST], 3, True),
        ([FIRST, FIRST], 2, False),
        ([None, None], 3, False),
        ([None, FIRST], 3, True),
        (["soon", "later"], 2, True),
        (["soon", "soon"], 2, False),
        ([], 1, True),
    ],
)
def test_versions_tell_changes_unless_all_are_the_same_or_none_is_there(
    stamps: list[str | None], at_least: int, tell: bool
) -> None:
    versions = DistinctVersions("updated_at")
    for number, stamp in enumerate(stamps):
        versions.see(decoded("orders", [{"id": str(number), "updated_at": stamp}]).root)

    assert versions.tell_changes(at_least=at_least, of=len(stamps)) is tell


def test_a_resource_without_versions_tells_no_changes() -> None:
    versions = DistinctVersions(None)
    versions.see(decoded("items", [{"id": "a"}]).root)

    assert not versions.tell_changes(at_least=9, of=1)

"""Times of change are compared as numbers, and a record without one is older than any."""

from datetime import UTC, datetime

import pyarrow as pa

from wholesale.compare.versions import NO_VERSION, no_versions, versions_of


def test_a_version_is_the_time_in_microseconds() -> None:
    times = [datetime(1970, 1, 1, 0, 0, 1, 5, UTC), None, datetime(1969, 12, 31, tzinfo=UTC)]
    column = pa.chunked_array([pa.array(times, pa.timestamp("us", "UTC"))])

    assert versions_of(column).tolist() == [1_000_005, NO_VERSION, -86_400_000_000]


def test_a_record_without_a_version_is_older_than_the_first_time_there_is() -> None:
    earliest = pa.chunked_array([pa.array([datetime.min], pa.timestamp("us"))])

    assert (no_versions(2) < versions_of(earliest)).tolist() == [True, True]

"""What the models take for granted of the engine, and a release of it did not do."""

import duckdb
import pytest

JOINED = "numbers left join (from numbers where number > 9) as none using (number)"


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("create table numbers as select range as number from range(4)")
    return connection


@pytest.mark.parametrize(
    ("expression", "value"),
    [("sum(number)", 6), ("sum(number) > 0", True), ("count(*) > 0", True)],
)
def test_a_sum_beside_nothing_that_is_joined_is_compared_as_it_is(
    connection: duckdb.DuckDBPyConnection, expression: str, value: object
) -> None:
    """DuckDB 2.0.1 takes the sum for 0 when it compares it."""
    found = connection.execute(f"select {expression} from {JOINED}").fetchall()

    assert found == [(value,)]

"""What the models take for granted of the engine, and a release of it did not do."""

import duckdb
import pytest

from wholesale_elt.process import budget

NONE = "(from numbers where number > 9) as none"


@pytest.fixture(scope="module", params=[(), ("join_order",)], ids=["asking", "building"])
def connection(request: pytest.FixtureRequest) -> duckdb.DuckDBPyConnection:
    connection = budget.connect()
    connection.execute(f"set disabled_optimizers = '{budget.optimizers_off(*request.param)}'")
    connection.execute("create table numbers as select range as number from range(4)")
    return connection


@pytest.mark.parametrize(
    "joined",
    [
        f"numbers left join {NONE} using (number)",
        f"{NONE} right join numbers using (number)",
        f"numbers full join {NONE} using (number)",
        "numbers left join numbers as nine on numbers.number = nine.number and nine.number = 9",
        "numbers anti join numbers as nine on numbers.number = nine.number and nine.number = 9",
    ],
)
@pytest.mark.parametrize(
    ("expression", "value"),
    [("sum(numbers.number)", 6), ("sum(numbers.number) > 0", True), ("count(*) > 0", True)],
)
def test_a_sum_beside_nothing_that_is_joined_is_compared_as_it_is(
    connection: duckdb.DuckDBPyConnection, joined: str, expression: str, value: object
) -> None:
    """By itself DuckDB 2.0.1 takes the sum for 0 when it compares it."""
    found = connection.execute(f"select {expression} from {joined}").fetchall()

    assert found == [(value,)]

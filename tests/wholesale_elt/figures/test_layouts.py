"""What cannot be counted is told by what is there, and not by what is missing alone."""

import duckdb
import pytest

from wholesale.errors import Unanswerable
from wholesale_elt.figures import Question, ask


@pytest.mark.parametrize(
    ("schema", "is_only_bi"),
    [("wholesale_bi", True), ("bi", False), ("marts", False), ("main", False)],
)
def test_only_a_version_with_reports_was_published_without_facts(
    schema: str, is_only_bi: bool
) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"create schema if not exists {schema}")
        connection.execute(f"create table {schema}.rpt_orders (order_id text)")

        with pytest.raises(Unanswerable) as caught:
            ask(connection, Question(metrics=["sales"]))

    assert ("--only-bi" in str(caught.value)) is is_only_bi


def test_reports_of_another_file_that_is_attached_are_none_of_this_one() -> None:
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as other; create schema other.wholesale_bi")
        connection.execute("create table other.wholesale_bi.rpt_orders (order_id text)")

        with pytest.raises(Unanswerable) as caught:
            ask(connection, Question(metrics=["sales"]))

    assert "--only-bi" not in str(caught.value)

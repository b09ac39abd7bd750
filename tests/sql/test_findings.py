"""What is wrong with a build is one short line: what failed, why, and what to do."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from wholesale_elt.models.findings import failure_of
from wholesale_elt.warehouse.destination import Warehouse

MODEL = "Database Error in model fct_orders (models/marts/fct_orders.sql)\n  {said}\n" + (
    "  compiled code at /a/long/path/target/run/wholesale/models/marts/fct_orders.sql"
)
LOST = """server closed the connection unexpectedly
  \tThis probably means the server terminated abnormally
  \tbefore or while processing the request."""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('relation "a" does not exist', 'relation "a" does not exist'),
        (LOST, "lost its connection: build again (server closed the connection unexpectedly)"),
        (
            "canceling statement due to lock timeout",
            "waited for a table that another session holds: end that session, and build again"
            " (canceling statement due to lock timeout)",
        ),
    ],
)
def test_an_error_of_the_database_is_told_without_what_dbt_repeats(said: str, told: str) -> None:
    node = SimpleNamespace(resource_type="model", name="fct_orders")
    result = SimpleNamespace(status="error", node=node, message=MODEL.format(said=said))

    assert failure_of(Warehouse(Path("wholesale.duckdb")), [result]) == f"model fct_orders {told}"

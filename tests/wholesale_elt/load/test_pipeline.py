"""A program gets in one call what `wholesale sync` gives to people."""

from pathlib import Path

import duckdb
import pytest

from support.records.samples import guid, order
from wholesale.errors import ConfigurationError
from wholesale_elt.load.pipeline import chosen_resources, wholesale_pipeline
from wholesale_sandbox.server import Sandbox


def test_one_call_loads_marks_what_is_gone_and_certifies(sandbox: Sandbox, tmp_path: Path) -> None:
    database = tmp_path / "a.duckdb"
    pipeline = wholesale_pipeline(database, base_url=sandbox.base_url, api_key="sandbox")
    for name in "AB":
        sandbox.put("orders", order(name))
    pipeline.run("vendors", "orders")
    sandbox.delete("orders", guid("B"))

    outcome = pipeline.run("vendors", "orders")

    assert outcome.is_complete
    assert [row.resource for row in outcome.certificates] == chosen_resources(("orders", "vendors"))
    assert all(row.complete_as_of for row in outcome.certificates)
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.execute(
            "select order_number, _deleted_at is not null from wholesale_raw.orders order by 1"
        ).fetchall() == [("A", False), ("B", True)]


def test_settings_and_names_that_cannot_be_right_are_refused_at_once(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match="did you mean page_size"):
        wholesale_pipeline(base_url=sandbox.base_url, api_key="sandbox", pagesize=7)
    pipeline = wholesale_pipeline(tmp_path / "a", base_url=sandbox.base_url, api_key="sandbox")
    with pytest.raises(ConfigurationError, match="no such resource: invoices; there are orders"):
        pipeline.run("orders", "invoices")

    assert sandbox.requests.entries() == []
    assert list(tmp_path.iterdir()) == []

"""What a scheduler acts on: exit codes, JSON, and resources that are not due each time."""

import json

import pytest

from conftest import Loader
from support.records.samples import guid, order
from wholesale_elt.inspect.status import read_overview
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.monitoring.summary import SyncSummary
from wholesale_sandbox.server import Sandbox


def test_the_json_of_a_sync_has_the_certificates_and_all_that_was_odd(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", total="12,50", colour="red"))

    outcome = loader.load("orders", "vendors")
    found = json.loads(SyncSummary.of(outcome).model_dump_json())

    assert (found["run_id"], found["verdict"], found["failures"]) == (
        outcome.run_id,
        "complete",
        {},
    )
    assert [(row["resource"], row["new"], row["verdict"]) for row in found["resources"]] == [
        ("orders", 1, "complete"),
        ("vendors", 0, "complete"),
    ]
    assert found["unreadable"] == [{"table": "orders", "field": "total", "count": 1}]
    assert found["found_columns"] == ["orders.colour"]


def test_a_resource_that_was_certified_too_long_ago_is_older_than_its_limit(
    sandbox: Sandbox, loader: Loader
) -> None:
    loader.load("orders")
    by_name = {row.resource: row for row in read_overview(loader.warehouse).resources}

    assert not by_name["orders"].is_older_than(1)
    assert by_name["orders"].is_older_than(0) == (by_name["orders"].lag_seconds != 0)
    assert not by_name["vendors"].is_older_than(0)  # never synced: nobody waits for it


@pytest.mark.slow
@pytest.mark.parametrize(("hours", "lists"), [(24.0, 0), (0.0, 1)])
def test_lists_that_cost_a_request_a_parent_have_a_cadence_of_their_own(
    sandbox: Sandbox, loader: Loader, hours: float, lists: int
) -> None:
    sandbox.put("items", {"id": guid("i"), "variants_count": 1})
    sandbox.put("variants", {"id": guid("v"), "parent_id": guid("i")})
    settings = loader.settings.model_copy(update={"child_lists_every_hours": hours})
    first = sync_resources(settings, loader.warehouse, ["items", "variants"])
    sandbox.requests.clear()
    second = sync_resources(settings, loader.warehouse, ["items", "variants"])

    assert first.not_due == ()
    assert second.not_due == (() if lists else ("variants",))
    assert second.is_complete
    assert sandbox.requests.counts().get("list_variants", 0) == lists
    assert loader.rows("select id, parent_id from variants") == [(guid("v"), guid("i"))]


def test_a_sync_in_which_nothing_is_due_reads_nothing_and_is_complete(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("items", {"id": guid("i"), "variants_count": 1})
    sandbox.put("variants", {"id": guid("v"), "parent_id": guid("i")})
    settings = loader.settings.model_copy(update={"child_lists_every_hours": 24.0})
    sync_resources(settings, loader.warehouse, ["items", "variants"])
    sandbox.requests.clear()

    outcome = sync_resources(settings, loader.warehouse, ["variants"])

    assert (outcome.is_complete, outcome.certificates, outcome.not_due) == (True, (), ("variants",))
    assert sandbox.requests.counts() == {}

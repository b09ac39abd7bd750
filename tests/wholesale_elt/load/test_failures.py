"""A run that the service fails loads what it can, and says what it could not."""

import socket
from pathlib import Path

import pytest

from conftest import Loader
from support.records.samples import guid, order
from wholesale.api.resources import RESOURCE
from wholesale.errors import ServiceError
from wholesale.settings import ApiSettings
from wholesale_elt.cli.errors import failure_of
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox


def test_a_wrong_key_loads_nothing_and_is_a_matter_of_credentials(loader: Loader) -> None:
    wrong = ApiSettings.of(base_url=loader.settings.base_url, api_key="wrong-key-1234")
    with pytest.raises(Exception) as caught:  # noqa: PT011
        Loader(wrong, loader.warehouse).load()
    failure = failure_of(caught.value)
    assert failure.exit == 2
    assert failure.message == (
        "GET /orders?verbose=true&page=0&limit=1 answered 401 Invalid Credentials: check the"
        " API key and that it belongs to this base URL"
    )
    assert not loader.warehouse.database.exists()


def test_a_resource_that_fails_keeps_no_other_from_being_loaded_and_certified(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("vendors", {"id": guid("vendor"), "name": "old"})
    loader.load("orders", "vendors", "items")
    sandbox.put("orders", order("A"))
    sandbox.put("vendors", {"id": guid("vendor"), "name": "new"})
    sandbox.put("items", {"id": guid("item")})
    sandbox.dials.change({"error_share": 1.0, "fault_endpoints": ["list_vendors"]})

    outcome = loader.load("orders", "vendors", "items")

    (failure,) = outcome.failures.items()
    assert failure[0] == "vendors"
    assert failure[1].startswith("GET /vendors?page=1&limit=3 got no usable response in 2 attempts")
    assert [(row.resource, row.verdict, row.reason) for row in outcome.certificates] == [
        ("orders", "complete", None),
        ("vendors", "incomplete", failure[1]),
        ("items", "complete", None),
    ]
    assert loader.rows("select order_number from orders") == [("A",)]
    assert loader.rows("select name, _deleted_at from vendors") == [("old", None)]
    assert loader.rows("select id from items") == [(guid("item"),)]


def test_a_first_resource_whose_connections_break_keeps_no_other_from_being_certified(
    sandbox: Sandbox, loader: Loader
) -> None:
    for name in ("vendors", "buyers", "items"):
        sandbox.put(name, {"id": guid(name)})
    rule = {"fault": "reset", "endpoints": ["list_vendors"]}
    sandbox.dials.change({"faults": [rule]})

    outcome = loader.load("vendors", "buyers", "items")

    assert list(outcome.failures) == ["vendors"]
    assert [row.verdict for row in outcome.certificates] == ["incomplete", "complete", "complete"]


def test_where_every_resource_fails_the_run_fails(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders", "vendors")
    before = loader.contents()
    sandbox.dials.change({"error_share": 1.0})

    orders_failed = r"^GET /orders.* got no usable response in 2 attempts"
    with pytest.raises(ServiceError, match=rf"{orders_failed}.*; neither could vendors be read$"):
        loader.load("orders", "vendors")

    assert loader.contents() == before


def test_a_service_that_is_not_there_is_named_once_and_leaves_no_file(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/api/external/v1"
        settings = ApiSettings.of(base_url=url, api_key="k", attempts=1)
        warehouse = Warehouse(tmp_path / "test.duckdb")

        with pytest.raises(ServiceError) as failed:
            sync_resources(settings, warehouse, tuple(RESOURCE))

    message = str(failed.value)
    assert message.count("GET ") == 1
    assert message.startswith("GET /orders?")
    others = ", ".join(name for name in RESOURCE if name != "orders")
    assert message.endswith(f"then run again; neither could {others} be read")
    assert not warehouse.database.exists()

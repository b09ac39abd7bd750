"""Events of OpenLineage are what its own client understands, and no receiver holds a run up."""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import duckdb
import httpx
import msgspec
import pytest
from referencing import Registry, Resource

from conftest import Loader
from support.records.samples import order
from support.services.openlineage import OWN, check
from support.services.receiver import Receiver
from support.warehouses import destinations
from support.warehouses.tested import TESTED
from wholesale_elt.models import BuildFailed
from wholesale_elt.monitoring.reporting import follow
from wholesale_elt.monitoring.summary import BuildSummary, PublishSummary, Summary, SyncSummary
from wholesale_elt.runs.certificate import Certificate
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_lineage import datasets
from wholesale_lineage.datasets import CERTIFICATE, DatasetNamespace
from wholesale_sandbox.server import Sandbox

SCHEMA = json.loads(Path(datasets.__file__).with_name("certificate.schema.json").read_text())
TEST = "known_order_states"
PUBLISHED = PublishSummary(
    place="s3://bucket/figures",
    result="published",
    version="v1",
    as_of=None,
    reasons=(),
    tables={"wholesale_marts.dim_buyer_users": 3},
    left_out=["dim_buyer_users.email"],
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "events" / "lineage.jsonl"
    monkeypatch.setenv("MONITORING__OPENLINEAGE_FILE", str(path))
    monkeypatch.setattr(logging.getLogger("wholesale"), "propagate", True)
    return path


def events_in(file: Path) -> list[dict[str, Any]]:
    """Each of them checked against the classes of the standard's own client."""
    events = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for event in events:
        check(event)
    return events


def told(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(event["eventType"], event["job"]["name"]) for event in events]


def behind(dataset: Mapping[str, Any], column: str) -> set[tuple[str, str]]:
    found = dataset["facets"]["columnLineage"]["fields"][column]["inputFields"]
    return {(entry["name"], entry["field"]) for entry in found}


def of_name(found: list[dict[str, Any]], name: str) -> dict[str, Any]:
    [dataset] = (entry for entry in found if entry["name"] == name)
    return dataset


def sync(loader: Loader, summary: Summary) -> None:
    with summary.phase("sync"):
        summary.sync = SyncSummary.of(loader.load("orders", "vendors"))


def test_a_run_is_told_with_its_phases_below_it(
    sandbox: Sandbox, loader: Loader, file: Path
) -> None:
    sandbox.put("orders", order("A"))
    summary = Summary(command="run")
    follow(loader.warehouse, summary)
    sync(loader, summary)
    with summary.phase("build"):
        summary.build = BuildSummary(models=1, tests=2, warnings={TEST: 4}, left_out=None)
    with summary.phase("publish"):
        summary.publish = PUBLISHED
    summary.end(3, "not certified")

    events = events_in(file)
    phases = ("wholesale.sync", "wholesale.build", "wholesale.test", "wholesale.publish")
    assert told(events) == [
        ("START", "wholesale.run"),
        ("START", "wholesale.sync"),
        ("COMPLETE", "wholesale.sync"),
        ("START", "wholesale.build"),
        ("START", "wholesale.test"),
        ("COMPLETE", "wholesale.test"),
        ("COMPLETE", "wholesale.build"),
        ("START", "wholesale.publish"),
        ("COMPLETE", "wholesale.publish"),
        ("COMPLETE", "wholesale.run"),
    ]
    run = events[0]["run"]["runId"]
    below = {e["job"]["name"] for e in events if "parent" in e["run"]["facets"]}
    assert below == set(phases)
    for event in events[1:-1]:
        parent = event["run"]["facets"]["parent"]
        assert (parent["run"]["runId"], parent["job"]["name"]) == (run, "wholesale.run")
    assert len({(event["job"]["name"], event["run"]["runId"]) for event in events}) == 5
    assert events[-1]["run"]["facets"]["errorMessage"]["message"] == "not certified"
    namespace = f"duckdb://{loader.warehouse.database.absolute()}"
    assert {event["job"]["namespace"] for event in events} == {namespace}

    synced, tested, built, published = (
        next(e for e in reversed(events) if e["job"]["name"] == name)
        for name in (phases[0], phases[2], phases[1], phases[3])
    )
    assert [dataset["name"] for dataset in synced["inputs"]] == ["/orders", "/vendors"]
    orders = of_name(synced["outputs"], "wholesale_raw.orders")
    lines = of_name(synced["outputs"], "wholesale_raw.orders__order_line_items")
    assert behind(orders, "sub_total") == {("/orders", "sub_total")}
    assert behind(lines, "quantity") == {("/orders", "order_line_items.quantity")}
    assert behind(lines, "order_id") == {("/orders", "id")}
    assert orders["facets"][OWN]["verdict"] == "complete"
    assert OWN not in lines["facets"]

    sales = of_name(built["outputs"], "wholesale_bi.rpt_daily_sales")
    assert behind(sales, "sales_amount") == {
        ("wholesale_raw.orders", "sub_total"),
        ("wholesale_raw.orders", "status"),
        ("wholesale_raw.orders", "_deleted_at"),
    }
    keys = of_name(tested["inputs"], "wholesale_marts.fct_orders")
    assertions = keys["inputFacets"]["dataQualityAssertions"]["assertions"]
    by_name = {entry.pop("name"): entry for entry in assertions}
    assert by_name[TEST] == {
        "assertion": TEST,
        "success": False,
        "actual": "4",
    }
    assert {entry["success"] for name, entry in by_name.items() if name != TEST} == {True}

    [users] = published["outputs"]
    columns = [field["name"] for field in users["facets"]["schema"]["fields"]]
    assert (users["namespace"], users["name"]) == (
        "s3://bucket",
        "figures/wholesale_marts/dim_buyer_users",
    )
    assert "full_name" in columns
    assert "email" not in columns
    assert behind(users, "full_name") == {("wholesale_marts.dim_buyer_users", "full_name")}


def test_a_command_of_one_phase_is_that_phase(file: Path, tmp_path: Path) -> None:
    summary = Summary(command="build")
    follow(Warehouse(tmp_path / "w.duckdb"), summary)
    with pytest.raises(BuildFailed), summary.phase("build"):
        raise BuildFailed(f"test {TEST} is broken", {TEST: 2})
    summary.end(1, f"test {TEST} is broken")

    events = events_in(file)
    assert told(events) == [
        ("START", "wholesale.build"),
        ("START", "wholesale.test"),
        ("FAIL", "wholesale.test"),
        ("FAIL", "wholesale.build"),
    ]
    assert not any("parent" in event["run"]["facets"] for event in events)
    assert events[-1]["run"]["facets"]["errorMessage"]["message"] == f"test {TEST} is broken"
    [tested] = events[2]["inputs"]
    [assertion] = tested["inputFacets"]["dataQualityAssertions"]["assertions"]
    assert (assertion["name"], assertion["success"], assertion["actual"]) == (TEST, False, "2")


def test_what_is_stopped_is_aborted(file: Path, tmp_path: Path) -> None:
    summary = Summary(command="publish")
    follow(Warehouse(tmp_path / "w.duckdb"), summary)
    with pytest.raises(KeyboardInterrupt), summary.phase("publish"):
        raise KeyboardInterrupt
    summary.end(1, "stopped")

    assert told(events_in(file)) == [("START", "wholesale.publish"), ("ABORT", "wholesale.publish")]


def test_what_is_stopped_within_a_query_is_aborted_with_all_that_it_is_a_part_of(
    file: Path, tmp_path: Path
) -> None:
    summary = Summary(command="run")
    follow(Warehouse(tmp_path / "w.duckdb"), summary)
    with pytest.raises(duckdb.InterruptException), summary.phase("publish"):
        raise duckdb.InterruptException("Interrupted!") from KeyboardInterrupt()
    summary.end(1, "stopped")

    assert told(events_in(file)) == [
        ("START", "wholesale.run"),
        ("START", "wholesale.publish"),
        ("ABORT", "wholesale.publish"),
        ("ABORT", "wholesale.run"),
    ]


def test_a_receiver_is_sent_the_same_with_the_key_that_it_asks_for(
    file: Path, tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    send = httpx.post

    def post(address: str, **options: Any) -> httpx.Response:
        sent.append(f"{address} {options['headers'].get('Authorization')}")
        return send(address, **options)

    monkeypatch.setattr(httpx, "post", post)
    monkeypatch.setenv("MONITORING__OPENLINEAGE_URL", f"{receiver.url}/")
    monkeypatch.setenv("MONITORING__OPENLINEAGE_API_KEY", "K3Y")
    monkeypatch.setenv("MONITORING__OPENLINEAGE_NAMESPACE", "wholesale-of-ours")
    summary = Summary(command="run")
    follow(Warehouse(tmp_path / "w.duckdb"), summary)
    summary.end(0, None)

    assert receiver.got == events_in(file)
    assert {event["job"]["namespace"] for event in receiver.got} == {"wholesale-of-ours"}
    assert sent == [f"{receiver.url}/api/v1/lineage Bearer K3Y"] * 2


def test_a_receiver_that_hangs_or_refuses_is_one_warning(
    tmp_path: Path,
    file: Path,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("MONITORING__OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("MONITORING__WEBHOOK_SECONDS", "2")
    for status, silence in ((500, None), (200, threading.Event())):
        receiver.status, receiver.silence = status, silence
        receiver.got.clear()
        caplog.clear()
        summary = Summary(command="run")
        follow(Warehouse(tmp_path / "w.duckdb"), summary)
        for name in ("sync", "build"):
            with summary.phase(name):
                pass
        summary.end(0, None)

        assert len(receiver.got) == 1
        assert len(caplog.messages) == 1
        assert caplog.messages[0].startswith("the receiver of OpenLineage did not take ")
        assert receiver.url not in caplog.text


def test_a_file_that_cannot_be_written_fails_no_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MONITORING__OPENLINEAGE_FILE", str(tmp_path))
    summary = Summary(command="run")
    follow(Warehouse(tmp_path / "w.duckdb"), summary)
    summary.end(0, None)

    assert caplog.messages == ["an event of OpenLineage could not be sent: IsADirectoryError"] * 2


def test_nobody_is_told_unless_that_is_set(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    summary = Summary(command="run")
    follow(Warehouse(tmp_path / "w.duckdb"), summary)
    summary.end(0, None)

    assert receiver.got == []


def test_the_facet_of_a_certificate_is_as_its_schema_says(sandbox: Sandbox, loader: Loader) -> None:
    import jsonschema  # it makes the grammar of all addresses first, which takes a second

    sandbox.put("orders", order("A"))
    definition = SCHEMA["$defs"]["CertificateDatasetFacet"]["allOf"][1]
    assert list(definition["properties"]) == [field.name for field in fields(Certificate)]
    assert SCHEMA["$id"] == CERTIFICATE

    above = Resource.from_contents(
        {"$schema": SCHEMA["$schema"], "$defs": {"DatasetFacet": {"type": "object"}}}
    )
    standard = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
    registry: Registry[Any] = Registry().with_resource(standard, above)
    validator = jsonschema.Draft202012Validator(SCHEMA, registry=registry)
    _, [orders, *_] = datasets.of_sync(DatasetNamespace("x"), SyncSummary.of(loader.load("orders")))
    facet = json.loads(msgspec.json.encode(orders["facets"][OWN]))
    validator.validate({OWN: facet})
    with pytest.raises(jsonschema.ValidationError, match="'verdict' is a required property"):
        validator.validate({OWN: {name: facet[name] for name in facet if name != "verdict"}})


@pytest.mark.parametrize(
    ("address", "namespace", "name"),
    [
        ("duckdb:///srv/w.duckdb", "duckdb:///srv/w.duckdb", "marts.t"),
        ("postgres://db:5432/shop", "postgres://db:5432", "shop.marts.t"),
        ("iceberg:///srv/lake", "iceberg:///srv/lake", "marts.t"),
        ("ducklake:postgres://db:5432/shop", "ducklake:postgres://db:5432/shop", "marts.t"),
    ],
)
def test_tables_are_named_as_others_name_them(address: str, namespace: str, name: str) -> None:
    dataset = DatasetNamespace.of_warehouse(address).dataset("marts.t")

    assert (dataset["namespace"], dataset["name"]) == (namespace, name)


@pytest.mark.parametrize(
    ("place", "namespace", "name"),
    [
        ("/srv/published", "file", "/srv/published/marts/t"),
        ("s3://bucket", "s3://bucket", "marts/t"),
        ("s3://bucket/a/b/", "s3://bucket", "a/b/marts/t"),
        ("iceberg:lake", "iceberg:lake", "marts/t"),
    ],
)
def test_what_is_published_is_named_by_its_place(place: str, namespace: str, name: str) -> None:
    dataset = DatasetNamespace.of_publication(place).dataset("marts/t")

    assert (dataset["namespace"], dataset["name"]) == (namespace, name)


@pytest.mark.parametrize("destination", TESTED)
def test_every_warehouse_has_an_address_that_names_nobody(
    destination: str, place_in: Callable[[str], destinations.Place]
) -> None:
    address = place_in(destination).warehouse.port.address

    assert address.startswith(f"{'iceberg' if destination == 'lake' else destination}:")
    assert "@" not in address

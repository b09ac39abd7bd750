"""Scenarios start as they stand, and a client meets in them what they say."""

import json
from collections import Counter

import httpx
import pytest

from wholesale_sandbox.faults.dials import Dials
from wholesale_sandbox.faults.registry import PLANTED
from wholesale_sandbox.faults.scenarios import (
    SCENARIO,
    SCENARIOS,
    NoSuchScenario,
    scenario_of,
    table,
)
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

KEY = {"X-API-Key": "sandbox"}


def settings(name: str, orders: int = 60) -> SandboxSettings:
    chosen = scenario_of(name)
    return SandboxSettings(orders=orders, dials=chosen.dials, plants=chosen.plants)


@pytest.mark.parametrize("name", SCENARIO)
def test_the_dials_of_a_scenario_are_dials(name: str) -> None:
    chosen = scenario_of(name).dials

    assert (
        Dials.of(chosen).values().items()
        >= {key: value for key, value in chosen.items() if key != "faults"}.items()
    )


def test_strange_values_show_every_fault_of_stored_records() -> None:
    with Sandbox(settings("strange-values", 100)) as running:
        bodies = [body for _, body in running.storage.collection("orders").records()]
        changes = running.storage.changes.all()

    assert len(bodies) == 100
    assert sum(b'"id":null' in body for body in bodies) == 1
    assert sum(b'"total":"12,50"' in body for body in bodies) == 3
    edited = {
        change.id for change in changes if change.resource == "orders" and change.what != "deleted"
    }
    assert len(edited) == 3 * (len(PLANTED) - 4) + 4


def test_in_a_storm_whoever_asks_again_reads_everything() -> None:
    with (
        Sandbox(settings("storm", 200)) as running,
        httpx.Client(base_url=running.base_url, headers=KEY) as client,
    ):
        truth = httpx.get(f"{running.admin_url}/truth/orders?fields=id").text.splitlines()
        read, failed = [], 0
        for page in range(1, 201):
            for _ in range(2):
                try:
                    response = client.get("/orders", params={"page": page, "limit": 1})
                    read += [order["id"] for order in response.raise_for_status().json()["data"]]
                    break
                except (httpx.HTTPError, json.JSONDecodeError):
                    failed += 1
        causes = Counter(cause for entry in running.requests.entries() for cause in entry.faults)

    assert read == [json.loads(line)["id"] for line in truth]
    assert 30 < failed < 90
    assert len(causes) == 6


def test_a_service_dies_and_a_key_is_refused_after_20_reads() -> None:
    for name, status in (("dead", 503), ("locked-out", 401)):
        with (
            Sandbox(settings(name)) as running,
            httpx.Client(base_url=running.base_url, headers=KEY) as client,
        ):
            statuses = [client.get("/orders").status_code for _ in range(30)]

        assert statuses == [200] * 20 + [status] * 10


def test_a_scenario_that_does_not_exist_is_said() -> None:
    with pytest.raises(NoSuchScenario, match=r"no scenario is called calm; there are storm, "):
        scenario_of("calm")


def test_each_scenario_says_what_an_extractor_must_end_with() -> None:
    assert all(scenario.does and scenario.ends for scenario in SCENARIOS)
    assert table().count("must end with: ") == len(SCENARIOS)

"""Scenarios start as they stand, and a client meets in them what they say."""

import json
import re
from collections import Counter
from collections.abc import Iterator

import httpx
import pytest

from support.services.trust import NOBODY
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
        httpx.Client(base_url=running.base_url, headers=KEY, verify=NOBODY, timeout=None) as client,
    ):
        truth = httpx.get(
            f"{running.admin_url}/truth/orders?fields=id", verify=NOBODY, timeout=None
        ).text.splitlines()
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
    assert len(causes) == 7


def test_a_service_dies_and_a_key_is_refused_after_20_reads() -> None:
    for name, status in (("dead", 503), ("locked-out", 401)):
        with (
            Sandbox(settings(name)) as running,
            httpx.Client(
                base_url=running.base_url, headers=KEY, verify=NOBODY, timeout=None
            ) as client,
        ):
            statuses = [client.get("/orders").status_code for _ in range(30)]

        assert statuses == [200] * 20 + [status] * 10


def test_a_scenario_that_does_not_exist_is_said() -> None:
    with pytest.raises(NoSuchScenario, match=r"no scenario is called calm; there are storm, "):
        scenario_of("calm")


def test_each_scenario_says_what_an_extractor_must_end_with() -> None:
    assert all(scenario.does and scenario.ends for scenario in SCENARIOS)
    told = " ".join(f"{scenario.does} {scenario.ends}" for scenario in SCENARIOS)
    assert re.findall(r"[;,][^ ]|\s\s|\n", told) == []
    assert table().count("must end with: ") == len(SCENARIOS)


def answers(name: str, *paths: str) -> list[httpx.Response]:
    """What comes for these paths in a scenario."""
    with (
        Sandbox(settings(name, 120)) as running,
        httpx.Client(base_url=running.base_url, headers=KEY, verify=NOBODY, timeout=None) as client,
    ):
        return [client.get(path) for path in paths]


@pytest.fixture(scope="module")
def whole() -> Iterator[httpx.Client]:
    """The same records, and nothing goes wrong."""
    with (
        Sandbox(SandboxSettings(orders=120)) as running,
        httpx.Client(base_url=running.base_url, headers=KEY, verify=NOBODY, timeout=None) as client,
    ):
        yield client


def test_partial_bodies_are_whole_by_their_id_and_lost_ones_are_not(whole: httpx.Client) -> None:
    path = "/orders?verbose=true&limit=120"
    right = {order["id"]: order for order in whole.get(path).json()["data"]}
    for name, is_lost in (("partial-bodies", False), ("lost-bodies", True)):
        with (
            Sandbox(settings(name, 120)) as running,
            httpx.Client(
                base_url=running.base_url, headers=KEY, verify=NOBODY, timeout=None
            ) as client,
        ):
            sent = {order["id"]: order for order in client.get(path).json()["data"]}
            partial = [key for key in right if sent[key] != right[key]]
            alone = [client.get(f"/orders/{key}?verbose=true").json() for key in partial]

        assert sent.keys() == right.keys()
        assert len(partial) > 3
        assert alone == [(sent if is_lost else right)[key] for key in partial]


@pytest.mark.slow
def test_some_orders_never_come_in_full_and_some_lists_of_variants_never_come(
    whole: httpx.Client,
) -> None:
    ids = [order["id"] for order in whole.get("/orders?limit=120").json()["data"]]
    items = [item["id"] for item in whole.get("/items?limit=250").json()["data"]]
    paths = [
        "/orders?limit=120",
        *(f"/orders/{key}?verbose=true" for key in ids),
        *(f"/items/{key}/variants" for key in items),
    ]

    listed, *told = answers("failing-records", *paths, *paths[1:])

    assert listed.json() == whole.get(paths[0]).json()
    first, again = told[: len(told) // 2], told[len(told) // 2 :]
    assert [one.content for one in first] == [one.content for one in again]
    orders, variants = first[: len(ids)], first[len(ids) :]
    right = [whole.get(path).content for path in paths[1:]]
    assert 0 < sum(one.status_code == 500 for one in orders) < 10
    is_wrong = [one.content != body for one, body in zip(orders, right, strict=False)]
    assert sum(is_wrong) > sum(one.status_code == 500 for one in orders)
    assert 0 < sum(one.status_code == 500 for one in variants) < len(items) / 4


def test_without_totals_a_refusal_or_an_empty_page_is_the_end(whole: httpx.Client) -> None:
    paths = ("/orders", "/items?limit=250", "/buyers?page=9", "/orders?page=9", "/items?page=99")

    told = answers("no-totals", *paths)

    assert [answer.status_code for answer in told] == [200, 200, 200, 404, 404]
    for answer, path in zip(told[:3], paths, strict=False):
        right = whole.get(path).json()
        for name in ("next", "total_count", "total_pages"):
            del right["pagination"][name]
        assert answer.json() == right


def test_a_window_closes_behind_the_first_hundred_orders(whole: httpx.Client) -> None:
    paths = [f"/orders?page={page}&limit=50" for page in (1, 2, 3)]

    first, second, third = answers("closed-window", *paths)

    assert [first.json(), second.json()] == [whole.get(path).json() for path in paths[:2]]
    assert third.status_code == 422


@pytest.mark.slow
def test_children_are_lost_each_time_alike_and_their_parents_count_them(
    whole: httpx.Client,
) -> None:
    items = whole.get("/items?limit=250").json()["data"]
    paths = [f"/items/{item['id']}/variants?limit=250" for item in items if item["variants_count"]]
    right = [whole.get(path).json() for path in paths]

    told = answers("lost-children", *paths, *paths)

    bodies = [(one.status_code, one.content) for one in told]
    assert bodies[: len(paths)] == bodies[len(paths) :]
    assert {one.status_code for one in told} == {200, 404}
    found = [one.json() for one in told[: len(paths)] if one.status_code == 200]
    assert any(page["data"] == [] and page["pagination"]["total_count"] == 0 for page in found)
    assert all(page in right for page in found if page["data"])


def test_a_page_that_is_too_large_comes_in_smaller_ones() -> None:
    large, *small = answers(
        "large-pages",
        "/orders?verbose=true&limit=120",
        *(f"/orders?verbose=true&limit=1&page={page}" for page in range(1, 121)),
    )

    assert large.status_code == 413
    assert {answer.status_code for answer in small} == {200}
    assert sum(len(answer.content) > 200_000 for answer in small) == 40


def test_a_maintenance_window_opens_after_20_reads() -> None:
    told = answers("maintenance", *["/orders"] * 25)

    assert [answer.status_code for answer in told] == [200] * 20 + [503] * 5

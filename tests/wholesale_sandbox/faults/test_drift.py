"""Records change so often a request, the same for a seed, and everything that changed is told."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.faults.dials import Dials
from wholesale_sandbox.faults.drift import Drift
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.database import Storage
from wholesale_sandbox.values.draws import chance
from wholesale_sandbox.world.business import World

KEY = {"X-API-Key": "sandbox"}
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
Records = dict[str, dict[str, Any]]


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(orders=60, dials={"seed": 3})) as running:
        yield running


def truth(sandbox: Sandbox, resource: str = "orders") -> Records:
    lines = httpx.get(
        f"{sandbox.admin_url}/truth/{resource}", verify=NOBODY, timeout=None
    ).text.splitlines()
    records = map(json.loads, lines)
    return {record["id"]: record for record in records}


def read_lists(sandbox: Sandbox, times: int, path: str = "/orders") -> None:
    with httpx.Client(
        base_url=sandbox.base_url, headers=KEY, verify=NOBODY, timeout=None
    ) as client:
        for page in range(times):
            assert client.get(path, params={"page": page % 3 + 1, "limit": 2}).status_code == 200


def changes(sandbox: Sandbox, **query: int) -> list[dict[str, Any]]:
    lines = httpx.get(
        f"{sandbox.admin_url}/changes", params=query, verify=NOBODY, timeout=None
    ).text.splitlines()
    return [json.loads(line) for line in lines]


def test_nothing_changes_while_the_drift_is_off(sandbox: Sandbox) -> None:
    before = truth(sandbox)

    read_lists(sandbox, 20)

    assert truth(sandbox) == before
    assert changes(sandbox) == []


def test_about_so_many_requests_bring_a_change_and_all_of_them_are_told(sandbox: Sandbox) -> None:
    before = truth(sandbox)
    sandbox.dials.change({"drift": 0.3})

    read_lists(sandbox, 300)

    after, told = truth(sandbox), changes(sandbox)
    resources = Counter(change["what"] for change in told)
    assert 60 < len(told) < 120
    assert resources["edited"] > resources["inserted"] > resources["deleted"] > 0
    assert len(after) == len(before) + resources["inserted"] - resources["deleted"]
    assert {change["resource"] for change in told} == {"orders"}
    moved = {change["id"] for change in told}
    assert {key for key in before | after if before.get(key) != after.get(key)} <= moved
    still = before.keys() - moved
    assert len(still) > 10
    assert [after[key] for key in still] == [before[key] for key in still]


def test_what_changed_since_a_request_is_told(sandbox: Sandbox) -> None:
    sandbox.dials.change({"drift": 1.0})
    read_lists(sandbox, 5)
    number = httpx.get(f"{sandbox.admin_url}/requests", verify=NOBODY, timeout=None).json()[
        "number"
    ]
    read_lists(sandbox, 5)

    assert number == 5
    assert [change["request"] for change in changes(sandbox)] == list(range(1, 11))
    assert changes(sandbox, since=5) == changes(sandbox)[5:]
    assert changes(sandbox, since=0) == changes(sandbox)
    refused = httpx.get(
        f"{sandbox.admin_url}/changes", params={"since": "yesterday"}, verify=NOBODY, timeout=None
    )
    assert refused.status_code == 422


def test_what_changed_before_the_first_request_is_told_too(sandbox: Sandbox) -> None:
    order = next(iter(truth(sandbox)))
    sandbox.delete("orders", order)

    assert changes(sandbox) == [
        {"request": 0, "resource": "orders", "id": order, "what": "deleted"}
    ]
    assert changes(sandbox, since=0) == []


def test_changes_stop_with_the_dial_on_the_admin_port(sandbox: Sandbox) -> None:
    httpx.patch(f"{sandbox.admin_url}/dials", json={"drift": 1.0}, verify=NOBODY, timeout=None)
    read_lists(sandbox, 3)
    httpx.patch(f"{sandbox.admin_url}/dials", json={"drift": 0}, verify=NOBODY, timeout=None)
    end = truth(sandbox)

    read_lists(sandbox, 10)

    assert truth(sandbox) == end
    assert len(changes(sandbox)) == 3


def test_single_reads_and_other_lists_change_nothing(sandbox: Sandbox) -> None:
    sandbox.dials.change({"drift": 1.0})
    order = next(iter(truth(sandbox)))

    read_lists(sandbox, 3, f"/orders/{order}")
    read_lists(sandbox, 3, "/items")

    assert changes(sandbox) == []


def test_a_swap_never_moves_the_count(sandbox: Sandbox) -> None:
    before = truth(sandbox)
    sandbox.dials.change({"drift": 1.0, "drift_kind": "swap"})

    read_lists(sandbox, 40)

    told = changes(sandbox)
    assert [change["what"] for change in told] == ["inserted", "deleted"] * 40
    assert len(truth(sandbox)) == len(before)
    assert truth(sandbox) != before


def test_a_silent_edit_leaves_the_time_of_change_as_it_was(sandbox: Sandbox) -> None:
    before = truth(sandbox)
    sandbox.dials.change({"drift": 1.0, "drift_kind": "silent"})

    read_lists(sandbox, 10)

    after = truth(sandbox)
    edited = {key for key in before if before[key] != after[key]}
    assert {change["what"] for change in changes(sandbox)} == {"edited silently"}
    assert {change["id"] for change in changes(sandbox)} == edited
    assert {key: after[key]["updated_at"] for key in edited} == {
        key: before[key]["updated_at"] for key in edited
    }


def test_a_note_is_a_silent_edit_that_only_summaries_with_notes_show(sandbox: Sandbox) -> None:
    before = truth(sandbox)
    sandbox.dials.change(
        {"drift": 1.0, "drift_kind": "note", "faults": [{"fault": "summary-note"}]}
    )

    read_lists(sandbox, 10)

    sandbox.dials.change({"drift": 0})
    after = truth(sandbox)
    notes = {
        key: order["internal_note"] for key, order in after.items() if "internal_note" in order
    }
    assert {change["what"] for change in changes(sandbox)} == {"edited silently"}
    assert {change["id"] for change in changes(sandbox)} == notes.keys()
    assert after == {
        key: order | ({"internal_note": notes[key]} if key in notes else {})
        for key, order in before.items()
    }
    with httpx.Client(
        base_url=sandbox.base_url, headers=KEY, verify=NOBODY, timeout=None
    ) as client:
        summaries = client.get("/orders?limit=100").json()["data"]
    assert {order["id"]: order["internal_note"] for order in summaries} == {
        key: notes.get(key) for key in before
    }


def test_a_version_goes_back(sandbox: Sandbox) -> None:
    before = truth(sandbox)
    sandbox.dials.change({"drift": 1.0, "drift_kind": "backward"})

    read_lists(sandbox, 1)

    after = truth(sandbox)
    (moved,) = (key for key in before if before[key] != after[key])
    versions = [datetime.fromisoformat(orders[moved]["updated_at"]) for orders in (before, after)]
    assert versions[0] - versions[1] == timedelta(hours=1)
    assert {key for key in before[moved] if before[moved][key] != after[moved][key]} > {
        "updated_at"
    }


@pytest.mark.parametrize(
    ("resource", "field"), [("variants", "parent_id"), ("buyer_users", "buyer_id")]
)
def test_a_child_moves_to_another_parent(sandbox: Sandbox, resource: str, field: str) -> None:
    before = truth(sandbox, resource)
    parents = {"variants": "items", "buyer_users": "buyers"}[resource]
    path = f"/{parents}/{next(iter(truth(sandbox, parents)))}/{resource}"
    sandbox.dials.change({"drift": 1.0, "drift_kind": "move", "drift_resources": [resource]})

    read_lists(sandbox, 1, path)

    sandbox.dials.change({"drift": 0})
    after = truth(sandbox, resource)
    (moved,) = (key for key in before if before[key][field] != after[key][field])
    assert after.keys() == before.keys()
    with httpx.Client(
        base_url=sandbox.base_url, headers=KEY, verify=NOBODY, timeout=None
    ) as client:
        there = client.get(f"/{parents}/{after[moved][field]}/{resource}?limit=100").json()["data"]
        here = client.get(f"/{parents}/{before[moved][field]}/{resource}?limit=100").json()["data"]
    assert moved in {child["id"] for child in there}
    assert moved not in {child["id"] for child in here}
    if resource == "variants":
        items = truth(sandbox, "items")
        assert items[after[moved][field]]["variants_count"] == len(there)
        assert items[before[moved][field]]["variants_count"] == len(here)


def test_what_has_no_parent_does_not_move(sandbox: Sandbox) -> None:
    sandbox.dials.change({"drift": 1.0, "drift_kind": "move"})

    read_lists(sandbox, 5)

    assert changes(sandbox) == []


def test_inserted_orders_are_whole_and_have_numbers_of_their_own(sandbox: Sandbox) -> None:
    before = truth(sandbox)
    sandbox.dials.change({"drift": 1.0, "drift_kind": "insert"})

    read_lists(sandbox, 20)

    orders = truth(sandbox).values()
    new = [order for order in orders if order["id"] not in before]
    assert len(new) == 20
    assert len({order["order_number"] for order in orders}) == len(orders)
    assert all(
        order["order_line_items"] and order["created_at"] == order["updated_at"] for order in new
    )


def drifted(seed: int) -> list[tuple[int, str, str, str]]:
    storage = Storage(base_orders=World(seed=1, orders=30).orders)
    drift = Drift(storage, Dials(drift=0.5, seed=seed))
    for _ in range(40):
        drift.before_list("orders", storage.changes.count_request(), NOW)
    storage.close()
    return [
        (change.request, change.resource, change.id, change.what)
        for change in storage.changes.all()
    ]


def test_a_seed_makes_the_same_changes_again() -> None:
    assert drifted(1) == drifted(1)
    assert drifted(1) != drifted(2)


@pytest.fixture(scope="module")
def world() -> World:
    return World(seed=1, orders=30)


@pytest.mark.slow
@pytest.mark.parametrize("resource", RESOURCE)
@pytest.mark.parametrize("how", ["insert", "delete", "edit", "mixed", "swap"])
def test_every_resource_can_drift(world: World, resource: str, how: Any) -> None:
    storage = Storage(base_orders=world.orders)
    storage.fill(world.catalogue())
    if resource == "vendors" and how in ("delete", "swap"):  # one that has items cannot go
        storage.collection("vendors").put("idle", b'{"id":"idle","name":"Idle"}')
    drift, before = Drift(storage, Dials()), dict_of(storage, resource)

    assert drift.change(resource, how, chance(1, resource, how), NOW)

    after = dict_of(storage, resource)
    added, gone = after.keys() - before.keys(), before.keys() - after.keys()
    edited = {key for key in before.keys() & after.keys() if before[key] != after[key]}
    expected = {"insert": (1, 0, 0), "delete": (0, 1, 0), "edit": (0, 0, 1), "swap": (1, 1, 0)}
    if how != "mixed":
        assert (len(added), len(gone), len(edited)) == expected[how]
    assert len(added) + len(gone) + len(edited) > 0
    storage.close()


def dict_of(storage: Storage, resource: str) -> Records:
    records = (json.loads(body) for _, body in storage.collection(resource).records())
    return {record["id"]: record for record in records}


def test_an_item_counts_the_variants_that_drift(world: World) -> None:
    storage = Storage()
    storage.fill(world.catalogue())
    drift = Drift(storage, Dials())
    for number in range(20):
        drift.change("variants", "mixed", chance(number, "variants"), NOW)
        drift.change("items", "mixed", chance(number, "items"), NOW)

    variants = Counter(variant["parent_id"] for variant in dict_of(storage, "variants").values())
    items = dict_of(storage, "items")

    assert {key: item["variants_count"] for key, item in items.items()} == {
        key: variants[key] for key in items
    }
    storage.close()


def test_where_there_is_nothing_nothing_changes() -> None:
    storage = Storage()

    assert not Drift(storage, Dials()).change("orders", "mixed", chance(1), NOW)
    assert storage.changes.all() == []
    storage.close()

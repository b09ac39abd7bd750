"""Policies of privacy in a warehouse: what is stored, what a change of policy does to it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from dlt.common.configuration.container import Container
from dlt.common.pipeline import PipelineContext

from conftest import Loader
from support.few import few
from support.records.people import MARK, nameless, world
from support.records.samples import guid
from support.warehouses.destinations import Place
from wholesale import wholesale_source
from wholesale.api import CLASSES
from wholesale_elt.load.privacy.policies import POLICIES
from wholesale_elt.past import is_past
from wholesale_sandbox.server import Sandbox

KEY = "a key of sixteen characters"
OURS = ("buyers", "buyer_users", "orders", "vendors")


def serve(sandbox: Sandbox) -> None:
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    nobody = json.dumps({"id": None, **nameless()}).encode()
    sandbox.put("buyers", b'{"id":"odd"}')
    sandbox.storage.collection("buyers").put("odd", nobody)


@pytest.fixture
def policy(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def set_policy(**settings: str) -> None:
        for name in ("profile", "keep", "hash", "drop", "hash_key"):
            variable = f"PRIVACY__{name.upper()}"
            if name in settings:
                monkeypatch.setenv(variable, settings[name])
            else:
                monkeypatch.delenv(variable, raising=False)

    return set_policy


def records(contents: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without what tells of each run, and of the past."""
    told = ("sync_changes", "quarantine")
    return {name: rows for name, rows in contents.items() if name not in told and not is_past(name)}


def marks(contents: Mapping[str, Any]) -> int:
    return str(contents).count(f"{MARK}-")


@pytest.mark.parametrize("treatment", ["hash", "drop"])
def test_what_is_not_kept_is_in_no_table_and_the_next_sync_finds_nothing_changed(
    sandbox: Sandbox, loader: Loader, policy: Callable[..., None], treatment: str
) -> None:
    policy(**{treatment: ",".join(CLASSES), "hash_key": KEY})
    serve(sandbox)

    loader.load(*OURS)
    before = loader.contents()
    assert (len(before["orders"]), len(before["quarantine"])) == (3, 1)
    assert marks(before) == 0

    again = loader.load(*OURS)
    assert [(found.new, found.changed) for found in again.certificates] == [(0, 0)] * 4
    assert records(loader.contents()) == records(before)
    assert loader.rows("select count(*) from quarantine") == [(1,)]


@pytest.mark.slow
def test_what_changed_is_found_under_a_hash(
    sandbox: Sandbox, loader: Loader, policy: Callable[..., None]
) -> None:
    policy(hash=",".join(CLASSES), hash_key=KEY)
    serve(sandbox)
    loader.load(*OURS)
    sandbox.put(
        "buyer_users",
        world()["buyer_users"][0] | {"full_name": "new", "updated_at": "2026-02-01T00:00:00Z"},
    )

    outcome = loader.load(*OURS)

    assert {found.resource: found.changed for found in outcome.certificates}["buyer_users"] == 1


@pytest.mark.slow
def test_a_stricter_policy_empties_what_is_stored_also_of_who_is_gone_and_reads_afresh(
    sandbox: Sandbox, loader: Loader, policy: Callable[..., None]
) -> None:
    serve(sandbox)
    loader.load(*OURS)
    sandbox.delete("orders", guid("O2"))
    loader.load(*OURS)
    assert marks(loader.contents()) > 60

    policy(hash="name", drop=",".join(set(CLASSES) - {"name"}), hash_key=KEY)
    loader.load(*OURS)

    assert marks(loader.contents()) == 0
    assert loader.rows("select count(shipping_name), count(*) from orders") == [(2, 3)]
    assert loader.rows("select count(full_name) from buyer_users") == [(3,)]
    again = loader.load(*OURS)
    assert [found.changed for found in again.certificates] == [0] * 4
    assert loader.rows(f"select count(*) from {POLICIES}") == [(4,)]


@pytest.mark.slow
def test_a_looser_policy_brings_back_what_the_service_has(
    sandbox: Sandbox, loader: Loader, policy: Callable[..., None]
) -> None:
    serve(sandbox)
    loader.load(*OURS)
    kept = loader.contents()
    policy(profile="development", hash_key=KEY)
    loader.load(*OURS)
    assert loader.contents()["buyers"] != kept["buyers"]

    policy()
    loader.load(*OURS)

    found = loader.contents()
    assert {name: found[name] for name in records(kept)} == records(kept)


@pytest.mark.slow
def test_another_key_makes_other_hashes_and_leaves_none_of_the_one_before(
    sandbox: Sandbox, loader: Loader, policy: Callable[..., None]
) -> None:
    serve(sandbox)
    hashes = []
    for key in (KEY, KEY[::-1]):
        policy(hash="company", hash_key=key)
        loader.load(*OURS)
        hashes.append(
            loader.rows(
                "select buyer_company_name from orders union select company_name from buyers"
            )
        )

    first, second = map(set, hashes)
    assert (len(first), len(second), first & second) == (2, 2, set())


@pytest.mark.slow
def test_a_policy_is_not_taken_for_in_force_before_all_was_read(
    sandbox: Sandbox, loader: Loader, policy: Callable[..., None]
) -> None:
    serve(sandbox)
    loader.load(*OURS)
    policy(drop="name")
    sandbox.dials.change({"error_share": 1.0, "fault_endpoints": ["list_orders"]})
    loader.load(*OURS)
    assert loader.rows("select count(shipping_name), count(shipping_email) from orders") == [(0, 3)]
    assert loader.rows(f"select count(*) from {POLICIES}") == [(3,)]

    sandbox.dials.change({"error_share": 0.0})
    policy()
    loader.load(*OURS)

    assert loader.rows("select count(shipping_name) from orders") == [(3,)]


@pytest.mark.slow
@pytest.mark.parametrize("destination", few(["postgres", "lake", "ducklake"], 1))
def test_other_destinations_store_as_little(
    sandbox: Sandbox,
    place_in: Callable[[str], Place],
    policy: Callable[..., None],
    destination: str,
) -> None:
    place = place_in(destination)
    serve(sandbox)
    place.load(*OURS)
    assert marks(place.contents()) > 60

    policy(hash="name", drop=",".join(set(CLASSES) - {"name"}), hash_key=KEY)
    place.load(*OURS)

    assert marks(place.contents()) == 0
    named = "select 1 from wholesale_raw.orders where shipping_name is not null"
    assert len(place.rows(named)) == 3


def test_a_plain_dlt_source_gives_no_more_than_may_be_stored(
    sandbox: Sandbox, policy: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    serve(sandbox)
    policy(hash="name", drop=",".join(set(CLASSES) - {"name"}), hash_key=KEY)

    Container()[PipelineContext].deactivate()  # that of another test

    said = [table.to_pylist() for table in wholesale_source().with_resources(*OURS)]

    assert MARK not in str(said)
    assert sum(len(rows) for rows in said) > 10

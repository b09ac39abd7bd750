"""A GUID is the same record however it is spelled: models join it, and its history goes on."""

from pathlib import Path

import pytest

from support.warehouses.marts import Marts
from support.warehouses.spellings import respell
from wholesale.api import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_sandbox.faults.scenarios import SCENARIO
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = pytest.mark.slow

OF_SYNCS = {
    *("wholesale_bi.rpt_freshness", "wholesale_bi.rpt_sync_runs", "wholesale_marts.dim_as_of"),
}
OF_A_SYNC = ("valid_from", "valid_to", "synced_at", "observed_at")
"""Tables and columns that tell when a sync ran."""


def test_models_and_history_of_what_an_earlier_layout_spelled_otherwise_are_the_same(
    marts: Marts,
) -> None:
    before = marts.contents()
    with marts.warehouse.open() as raw:
        respell(raw)
        respell(raw, schema="wholesale_history")

    assert marts.build().warnings == []

    assert marts.contents() == before


def test_the_models_of_a_service_that_spells_references_otherwise_are_those_of_a_plain_one(
    tmp_path: Path,
) -> None:
    published = []
    for name, dials in (("plain", {}), ("odd", SCENARIO["other-references"].dials)):
        with Sandbox(SandboxSettings(orders=60, dials=dict(dials))) as sandbox:
            marts = Marts(tmp_path / f"{name}.duckdb")
            settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
            assert sync_resources(settings, marts.warehouse, tuple(RESOURCE)).is_complete
        assert marts.build().warnings == []
        published.append({t: r for t, r in marts.contents(*OF_A_SYNC).items() if t not in OF_SYNCS})

    plain, odd = published
    assert odd == plain

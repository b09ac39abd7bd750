"""A GUID is the same record however it is spelled: models join it, and its history goes on."""

from pathlib import Path

import duckdb
import pytest

from support.few import few
from support.warehouses.destinations import differences_in
from support.warehouses.marts import Marts
from support.warehouses.rendered import called
from support.warehouses.spellings import CAPITALS, respell
from wholesale.api import RESOURCE, plain_guid
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

PLAIN = "8d4dfa72-e173-4266-aeb6-95ef0b5b6ed4"
TEXTS = [
    PLAIN,
    PLAIN.upper(),
    PLAIN.replace("-", ""),
    f"{{{PLAIN}}}",
    f"URN:uuid:{PLAIN}",
    f"{PLAIN[:-1]}g",
    PLAIN.upper()[:-1],
    f"{PLAIN.upper()}\n",
    "ORD-1",
    "Größe",
    "17",
    "",
]


def test_a_guid_is_spelled_plainly_in_sql_as_in_python_and_any_other_text_as_it_is() -> None:
    plain = called("plain_guid('id')")

    with duckdb.connect() as connection:
        found = connection.execute(
            f"select id, {plain} from (select unnest(?) as id)",
            [[*TEXTS, None]],
        ).fetchall()

    assert found == [*((text, plain_guid(text) or text) for text in TEXTS), (None, None)]


@pytest.mark.parametrize("of_ids", ["{}", CAPITALS])
@pytest.mark.parametrize("is_full", few([True, False], 1))
def test_references_join_and_nothing_seems_to_have_changed_however_they_are_spelled(
    marts: Marts, of_ids: str, is_full: bool
) -> None:
    before = marts.contents()
    respell(marts, "wholesale_raw", of_ids=of_ids)

    built = marts.build(is_full=is_full)

    assert built.warnings == []
    assert marts.contents() == before


def test_the_history_goes_on_that_was_kept_as_the_service_spelled_it(marts: Marts) -> None:
    before = marts.contents()
    respell(marts, "wholesale_raw", of_ids=CAPITALS)
    respell(marts, "wholesale_history", of_ids=CAPITALS)

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


def test_postgres_spells_them_as_duckdb_does(
    marts: Marts, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    respell(marts, "wholesale_raw", of_ids=CAPITALS)
    marts.build()

    assert differences_in(marts, "postgres", tmp_path, socket, monkeypatch) == []

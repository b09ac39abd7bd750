"""What an earlier version wrote is gone on with as if it had been written by this one."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from support.records.changes import edit, fill
from support.records.samples import guid
from support.services.command import run_command
from support.warehouses.destinations import Place, Tables
from support.warehouses.marts import Marts
from support.warehouses.publication import Publication
from support.warehouses.released import FOLDER, restore
from wholesale_elt.load.upgrading import upgrade_warehouse
from wholesale_elt.models.build import build_models
from wholesale_elt.publish.publisher import publish_marts
from wholesale_sandbox.server import Sandbox

RELEASED = sorted(path for path in FOLDER.iterdir() if path.is_dir())
RESOURCES = ("orders", "vendors", "prices", "items", "variants")
OF_VERSIONS = ("sync_versions", "sync_service", "sync_changes", "sync_child_rows")
"""Tables that say when a version came to keep them."""
OF_RUNS = {
    f"wholesale_bi.rpt_{name}"
    for name in ("freshness", "health_headlines", "quarantine", "reconciliation", "sync_runs")
}
"""What tells of the runs themselves, of which each had its own."""
OF_CHANGES = {
    "wholesale_bi.rpt_price_changes",
    "wholesale_marts.fct_list_prices",
    "wholesale_marts.fct_order_status_changes",
}
"""What begins with the first sync by a version that notes changes."""
OF_A_SYNC = ("synced_at", "valid_from", "valid_to", "deleted_at", "content_hash")
"""Times of syncs, and the hash of what has one."""
DIES = """
import os, signal
from wholesale_elt.cli.main import main
from wholesale_elt.warehouse.ports.duckdb_file import DuckDBRaw
from dlt.destinations.impl.duckdb.sql_client import DuckDbSqlClient

countdown = int(os.environ["STEP"])

def dying(method):
    def die_or_do(*arguments, **options):
        global countdown
        countdown -= 1
        if not countdown:
            os.kill(os.getpid(), signal.SIGKILL)
        return method(*arguments, **options)
    return die_or_do

for owner, name in (
    (DuckDBRaw, "append"), (DuckDBRaw, "commit"), (DuckDBRaw, "begin"),
    (DuckDbSqlClient, "execute_sql"), (DuckDbSqlClient, "execute_query"),
):
    setattr(owner, name, dying(getattr(owner, name)))
main()
"""
"""The command as it is, but that it dies before one of its statements."""


@pytest.fixture(params=RELEASED, ids=lambda path: path.name)
def released(request: pytest.FixtureRequest, place_in: Callable[[str], Place]) -> Place:
    place = place_in("duckdb")
    restore(request.param, place.warehouse.database)
    return place


def of_records(place: Place) -> Tables:
    """Records and what belongs to them, in the columns of this version, whatever was logged."""
    return {
        name: rows
        for name, rows in place.contents().items()
        if name not in OF_VERSIONS and "__observations" not in name
        if name not in ("sync_runs", "sync_suspects", "quarantine")
    }


@pytest.mark.slow
def test_a_sync_goes_on_from_it_and_leaves_what_it_would_leave_of_its_own(
    sandbox: Sandbox, released: Place, place_in: Callable[[str], Place]
) -> None:
    ours = place_in("duckdb")
    fill(sandbox)
    ours.load(*RESOURCES)
    edit(sandbox)

    outcomes = [place.load(*RESOURCES) for place in (released, ours)]

    expected, found = of_records(ours), of_records(released)
    assert len(expected["orders"]) == 6
    assert {name: found.get(name) for name in expected} == expected
    seen, as_expected = (
        [(row.resource, row.new, row.deleted, row.verdict, row.reason) for row in o.certificates]
        for o in outcomes
    )
    assert seen == as_expected
    names = released.rows("select distinct service from wholesale_raw.sync_runs order by 1")
    assert names == [("sandbox",), ("wholesale-sandbox (nothing)",)]


@pytest.mark.slow
def test_an_upgrade_changes_no_row_of_it_and_the_models_are_built_on_it(released: Place) -> None:
    before = of_records(released)

    first, second = upgrade_warehouse(released.warehouse), upgrade_warehouse(released.warehouse)

    assert "sync_versions" in first.tables
    assert (second.before, second.tables, second.columns) == (second.version, [], [])
    after = of_records(released)
    for table, rows in before.items():
        kept = zip(after[table], rows, strict=True)
        assert [{name: row[name] for name in had} for row, had in kept] == rows, table
    assert build_models(released.warehouse).models > 50


@pytest.mark.slow
def test_its_marts_and_publication_are_those_of_a_warehouse_of_this_version(
    sandbox: Sandbox, released: Place, place_in: Callable[[str], Place]
) -> None:
    ours = place_in("duckdb")
    fill(sandbox)
    ours.load(*RESOURCES)
    edit(sandbox)
    found, expected = Marts(released.warehouse.database), Marts(ours.warehouse.database)
    for marts, place in ((found, released), (expected, ours)):
        place.load(*RESOURCES)
        marts.change(f"delete from wholesale_raw.items where id = '{guid('bare')}'")
        marts.build()
        folder = str(marts.database.parent / "published")
        publish_marts(marts.warehouse, folder, is_even_if_incomplete=True)

    shown, as_expected = found.contents(*OF_A_SYNC), expected.contents(*OF_A_SYNC)
    different = {name for name, rows in as_expected.items() if shown[name] != rows}
    assert shown.keys() == as_expected.keys()
    assert different == OF_RUNS | OF_CHANGES
    for table in OF_CHANGES:  # this version alone noted the first of them
        assert len(shown[table]) == len(as_expected[table]) - 1
    assert len(as_expected["wholesale_marts.fct_orders"]) == 6
    now = "select price_id, item_id, variant_id, unit_price from wholesale_marts.fct_list_prices"
    assert found.rows(f"{now} where is_current") == expected.rows(f"{now} where is_current") != []
    for marts in (found, expected):
        published = Publication(marts.database.parent / "published")
        tables = published.columns()
        assert tables.keys() == {name.removeprefix("wholesale_") for name in shown}
        for table, columns in tables.items():
            built = f"select {', '.join(columns)} from wholesale_{table} order by all"
            assert published.rows(f"from {table} order by all") == marts.rows(built), table


@pytest.mark.slow
def test_an_upgrade_that_is_killed_at_any_statement_is_gone_on_with_by_the_next(
    released: Place, tmp_path: Path, sandbox: Sandbox
) -> None:
    before, kills = of_records(released), 0
    database = released.warehouse.database
    saved = database.read_bytes()
    for step in range(1, 1000, 4):
        died = run_command(
            ["upgrade", *released.address], tmp_path, os.environ | {"STEP": str(step)}, DIES
        )
        if died.returncode == 0:
            break
        assert died.returncode == -signal.SIGKILL, died.stderr
        kills += 1

        upgrade = upgrade_warehouse(released.warehouse)

        is_whole = not (upgrade.tables or upgrade.columns)
        assert upgrade.before is None or is_whole, step
        assert set(of_records(released)) == set(before), step
        database.with_name(f"{database.name}.wal").unlink(missing_ok=True)
        database.write_bytes(saved)
    assert kills >= 5

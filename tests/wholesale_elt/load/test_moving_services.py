"""What changes while it is read, or between two runs, is found, or no run is certified."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from support.records.changes import LATER
from support.records.samples import guid
from support.records.truth import read_only
from support.warehouses.bench import LISTS, MANY, PAGE_SIZE, Bench
from wholesale.settings import ApiSettings
from wholesale_elt.cli.output import Exit
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["drift", "swap"])
def test_what_stands_still_is_exact_while_the_rest_moves(bench: Bench, scenario: str) -> None:
    bench.resources = ("orders",)
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.begin(scenario)

    exit = bench.sync(page_size=PAGE_SIZE)

    moved = {change.id for change in bench.sandbox.storage.changes.all()}
    assert moved
    assert exit in (Exit.DONE, Exit.INCOMPLETE)
    assert exit is Exit.INCOMPLETE or bench.differing("orders").keys() <= moved
    bench.sandbox.dials.change({"drift": 0})
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


def test_silent_edits_are_found_by_a_run_in_full(bench: Bench) -> None:
    bench.resources = ("orders",)
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.begin("silent")
    assert bench.sync(page_size=PAGE_SIZE) in (Exit.DONE, Exit.INCOMPLETE)
    assert bench.sandbox.storage.changes.all()
    bench.sandbox.dials.change({"drift": 0})

    assert bench.sync(page_size=PAGE_SIZE, is_full=True) is Exit.DONE

    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["version-of-all", "version-missing"])
def test_an_edit_that_no_version_and_no_summary_tells_of_is_found(bench: Bench, fault: str) -> None:
    bench.resources = ("orders",)
    bench.sandbox.dials.change({"faults": [{"fault": fault}]})
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    before = next(iter(bench.truth("orders").values()))
    bench.sandbox.put("orders", before | {"po_number": "edited"})

    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    with read_only(bench.warehouse.database) as connection:
        found = connection.execute(
            "select id from wholesale_raw.orders where po_number = 'edited'"
        ).fetchall()
    assert found == [(before["id"],)]


def test_records_that_are_answered_by_410_are_gone(bench: Bench) -> None:
    bench.resources = ("orders",)
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.sandbox.dials.change({"faults": [{"fault": "410-for-404"}]})
    for order in list(bench.truth("orders"))[:MANY]:
        bench.sandbox.delete("orders", order)

    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    assert bench.faults > 0
    bench.assert_exact()


@pytest.mark.slow
def test_a_list_that_comes_from_a_replica_that_lags_is_not_certified(bench: Bench) -> None:
    bench.resources = ("orders",)
    assert bench.sync() is Exit.DONE
    bench.sandbox.dials.change({"faults": [{"fault": "rows-older", "after": 1}]})

    assert bench.sync(concurrency=1) is Exit.INCOMPLETE

    assert bench.outcome
    (certificate,) = bench.outcome.certificates
    assert "listed in an older version than before" in (certificate.reason or "")
    bench.sandbox.dials.reset()
    assert bench.sync() is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "resources"),
    [
        ("null-lists", LISTS),
        ("poor-pages", ("orders",)),
        ("from-zero", LISTS),
        ("from-zero", ("vendors",)),  # one page, and page 1 is denied
        ("from-zero", ("price_lists",)),  # and is empty
        ("endless-lists", LISTS),
        ("endless-lists", ("vendors",)),  # and shows page 0
        ("dashless-ids", ("orders", "vendors")),
    ],
)
def test_what_changes_between_two_runs_is_found_however_it_is_shown(
    bench: Bench, scenario: str, resources: Sequence[str]
) -> None:
    bench.resources = resources
    page_size = 2 * PAGE_SIZE
    bench.begin(scenario)
    assert bench.sync(page_size=page_size) is Exit.DONE
    bench.assert_exact()
    for resource in resources[:2]:
        (_, edited), (gone, _), *_ = bench.truth(resource).items()
        bench.sandbox.put(resource, edited | {"status": "edited", "updated_at": LATER})
        bench.sandbox.delete(resource, gone)
        bench.sandbox.put(resource, edited | {"id": guid("new"), "updated_at": LATER})

    assert bench.sync(page_size=page_size) is Exit.DONE

    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario",
    [
        "moving-children",
        "unversioned",
        "hidden-edits",
        "backward",
        "stale-bodies",
        "lagging-totals",
    ],
)
def test_what_moves_is_there_once_it_stands_still(bench: Bench, scenario: str) -> None:
    """While it moves the certificate is of a moment; whatever came later comes with a later run."""
    bench.resources = ("items", "variants", "orders")
    bench.begin(scenario)
    assert bench.sync(page_size=PAGE_SIZE) in (Exit.DONE, Exit.INCOMPLETE)
    bench.sandbox.dials.reset()

    assert bench.sync(page_size=PAGE_SIZE, is_full=True) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_a_service_that_never_rests_is_certified_run_after_run(tmp_path: Path) -> None:
    """Four changes a second, while each run takes a second or more."""
    dials = {"latency_seconds": 0.05}
    settings = SandboxSettings(orders=2_000, live_per_minute=240, dials=dials)
    with Sandbox(settings) as sandbox:
        of = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        found = [
            sync_resources(of, Warehouse(tmp_path / "live.duckdb"), ["orders"]).certificates[0]
            for _ in range(5)
        ]

    assert sum(certificate.new for certificate in found) > settings.orders
    assert sum(certificate.verdict == "complete" for certificate in found) >= 4
    assert sum(certificate.sweeps for certificate in found) <= 2 * len(found)

"""Each run leaves a certificate a resource, which says what was proved and what is open."""

from datetime import UTC, datetime

from conftest import Loader
from support.records.samples import guid, order
from wholesale_elt.inspect.status import Status, read_overview
from wholesale_sandbox.server import Sandbox


def test_each_run_leaves_a_certificate_a_resource(sandbox: Sandbox, loader: Loader) -> None:
    for number in range(4):
        sandbox.put("orders", order(f"A{number}"))
    first = loader.load("orders")
    loader.load("orders")

    (found,) = first.certificates
    assert loader.rows("select * from sync_runs order by run_id limit 1") == [
        (
            *(first.run_id, "orders", "wholesale-sandbox (nothing)", "duckdb"),
            *(found.started_at, found.ended_at),
            *("manifest", 6, found.requests, found.bytes),
            *(1, 4, 4, 4, 0),  # sweeps, ids seen, totals, duplicates
            *(4, 0, 0, 0),  # new, changed, deleted, unreadable
            *(0, 0, 0),  # audited, silent, missed
            *("complete", found.complete_as_of, "count", 0, 4, None, found.digest),
        )
    ]
    assert found.complete_as_of is not None
    assert found.started_at <= found.complete_as_of <= found.ended_at
    assert loader.rows("select new, proof from sync_runs order by run_id") == [
        (4, "count"),
        (0, "count"),
    ]
    assert loader.rows("select * from sync_suspects") == []


def test_an_absence_that_is_not_settled_stands_in_the_certificate_and_in_the_status(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    (whole,) = loader.load("orders").certificates
    sandbox.delete("orders", guid("A"))
    (doubtful,) = loader.load("orders").certificates
    now = datetime.now(UTC)

    orders = read_overview(loader.warehouse, now=now).resources[0]

    assert whole.complete_as_of
    assert orders == Status(
        resource="orders",
        rows=1,
        last_run_at=doubtful.started_at,
        verdict="incomplete",
        reason="1 stored record not listed, and not settled yet",
        complete_as_of=whole.complete_as_of,
        proof=None,
        open_suspects=1,
        lag_seconds=int((now - whole.complete_as_of).total_seconds()),
        audited=0,
        silent=None,
    )
    assert loader.rows(
        "select verdict, complete_as_of, proof, open_suspects from sync_runs order by run_id"
    ) == [("complete", whole.complete_as_of, "count", 0), ("incomplete", None, None, 1)]

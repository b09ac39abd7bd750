"""A warehouse that is copied: the same rows elsewhere, from which a sync goes on."""

from collections.abc import Callable

import pytest

from support.few import few
from support.records.changes import LATER, RESOURCES, edit, fill, put_odd_values
from support.records.samples import order
from support.warehouses.destinations import Place
from wholesale.errors import ConfigurationError
from wholesale_elt.load.copies.copying import CopyDiffers, TableDigest, copy_warehouse
from wholesale_elt.warehouse.ports.postgres import PostgresRaw
from wholesale_sandbox.server import Sandbox

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""The hash of nothing."""
WAYS = [
    ("duckdb", "postgres"),
    ("postgres", "duckdb"),
    ("lake", "duckdb"),
    ("duckdb", "lake"),
    ("duckdb", "ducklake"),
    ("ducklake", "duckdb"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("of", "to"), few(WAYS, 2))
def test_what_is_copied_is_the_same_and_a_sync_goes_on_from_it(
    sandbox: Sandbox, place_in: Callable[[str], Place], of: str, to: str
) -> None:
    source, target = place_in(of), place_in(to)
    fill(sandbox)
    put_odd_values(sandbox)
    source.load(*RESOURCES)
    edit(sandbox)
    source.load(*RESOURCES)

    digests = copy_warehouse(source.warehouse, target.warehouse)

    assert target.contents() == source.contents()
    for path in target.warehouse.port.files:
        assert not path.exists() or not path.stat().st_mode & 0o077, path
    assert digests["brands"] == TableDigest(0, EMPTY)
    assert digests["orders__order_line_items"].rows == len(
        source.contents()["orders__order_line_items"]
    )
    sandbox.put("orders", order("F", total="7", updated_at="2026-05-01T10:00:00Z"))
    (orders,) = target.load("orders").certificates
    assert (orders.new, orders.changed) == (0, 1)


@pytest.mark.slow
def test_a_copy_takes_the_place_of_an_earlier_one_and_not_of_a_later_one(
    sandbox: Sandbox, place_in: Callable[[str], Place]
) -> None:
    source, target = place_in("duckdb"), place_in("postgres")
    sandbox.put("orders", order("A"))
    source.load("orders")
    copy_warehouse(source.warehouse, target.warehouse)
    sandbox.put("orders", order("A", total="2", updated_at=LATER))
    source.load("orders")
    copy_warehouse(source.warehouse, target.warehouse)
    assert target.contents() == source.contents()
    target.load("orders")

    with pytest.raises(ConfigurationError, match="not an earlier state of what is to be copied"):
        copy_warehouse(source.warehouse, target.warehouse)

    copy_warehouse(target.warehouse, source.warehouse)
    assert target.contents() == source.contents()


def test_what_did_not_arrive_as_it_was_is_not_kept(
    sandbox: Sandbox, place_in: Callable[[str], Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = place_in("duckdb"), place_in("postgres")
    for name in "AB":
        sandbox.put("orders", order(name))
    source.load("orders")
    append = PostgresRaw.append
    monkeypatch.setattr(
        PostgresRaw, "append", lambda raw, table, rows: append(raw, table, rows.slice(1))
    )

    with pytest.raises(CopyDiffers, match=r"in PostgreSQL .* is not what was copied"):
        copy_warehouse(source.warehouse, target.warehouse)

    assert target.rows("select id from wholesale_raw.orders") == []


def test_a_copy_onto_itself_and_one_of_nothing_are_refused(
    sandbox: Sandbox, place_in: Callable[[str], Place]
) -> None:
    duckdb, postgres = place_in("duckdb"), place_in("postgres")

    with pytest.raises(ConfigurationError, match="nothing was loaded into PostgreSQL"):
        copy_warehouse(postgres.warehouse, duckdb.warehouse)
    with pytest.raises(ConfigurationError, match="onto itself"):
        copy_warehouse(duckdb.warehouse, duckdb.warehouse)

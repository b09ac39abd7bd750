"""A digest that goes on from the last one is that of all that is stored."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale.api import RESOURCE
from wholesale.names import moment_of
from wholesale.settings import ApiSettings
from wholesale.sync import batches
from wholesale.tables import shape_of
from wholesale_elt.load import writer
from wholesale_elt.past.digests import digest_as_of
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

LATEST = datetime(2200, 1, 1, tzinfo=UTC)


def noted(loader: Loader) -> list[tuple[str, str | None]]:
    return loader.rows("select run_id, digest from sync_runs where resource = 'orders' order by 1")


def test_each_digest_is_that_of_what_was_stored_then(sandbox: Sandbox, loader: Loader) -> None:
    at = "2026-03-01T00:00:{:02}Z"
    sandbox.put("orders", order("A", order_line_items=[line("1"), line("2")]))
    sandbox.put("orders", order("B"))
    loader.load("orders")
    loader.load("orders")
    edited = order("A", total="2", order_line_items=[line("2")], updated_at=at.format(1))
    sandbox.put("orders", edited | {"more": "new"})
    sandbox.put("orders", order("C"))
    loader.load("orders")
    sandbox.delete("orders", guid("B"))
    loader.load("orders")
    sandbox.put("orders", order("B", updated_at=at.format(2)))
    loader.load("orders")

    found = noted(loader)
    with loader.warehouse.open(is_read_only=True) as raw:
        shape = shape_of(RESOURCE["orders"], raw.columns())
        afresh = [(run, digest_as_of(raw, shape, moment_of(run)).text) for run, _ in found]
    assert found == afresh
    first, unchanged, *others = (text for _, text in found)
    assert first == unchanged
    assert len({first, *others}) == 4


def test_what_was_changed_by_hand_differs_until_all_is_looked_at_again(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("1"), line("2")]))
    loader.load("orders")
    [(_, before)] = noted(loader)
    loader.execute("delete from orders__order_line_items where line_number = 2")
    loader.load("orders")

    assert [text for _, text in noted(loader)] == [None, before]


@pytest.mark.parametrize("kind", ["insert", "delete", "edit", "swap", "backward"])
def test_the_first_digest_is_that_of_what_is_stored_whatever_moves_meanwhile(
    loader: Loader, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Also of several transactions, in each of which rows are written at several times."""
    monkeypatch.setattr(batches, "BATCH_BYTES", 1)
    monkeypatch.setattr(writer, "RECORDS_A_COMMIT", 50)
    monkeypatch.setattr(writer, "BYTES_AN_INSERT", 1)
    with Sandbox(SandboxSettings(orders=60)) as moving:
        moving.dials.change({"drift": 0.7, "drift_kind": kind})
        settings = ApiSettings.of(base_url=moving.base_url, api_key="sandbox", page_size=7)
        outcome = replace(loader, settings=settings).load("orders")

    (certificate,) = outcome.certificates
    with loader.warehouse.open(is_read_only=True) as raw:
        stored = digest_as_of(raw, shape_of(RESOURCE["orders"], raw.columns()), LATEST)
    assert certificate.digest == stored.text
    assert certificate.new > 30

"""A real order history as it plays, each month closed when it is over: no journal leaves a rest.

MONTHS says how many are played; all are thirteen.
"""

import os
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

import wholesale_elt.publish.publisher as publishing
from support.records.online_retail import SOURCE
from support.records.online_retail_months import Replay
from support.warehouses.edits import COUNTED, write_page
from support.warehouses.marts import Marts
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_books.closing import close_month
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.publish.comparison import compare
from wholesale_elt.publish.publisher import publish_marts
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not SOURCE.exists(), reason="the order history is not on this machine"),
]
MONTHS = int(os.environ.get("MONTHS", "4"))


def test_every_closed_month_is_what_its_journal_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "write_dashboard", write_page)
    monkeypatch.setattr(publishing, "compare", lambda new: compare(replace(new, last=None)))
    monkeypatch.setenv("BOOKS__METRICS", "all")
    marts, published = Marts(tmp_path / "retail.duckdb"), tmp_path / "published"
    closed: list[str] = []
    moved = 0
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        for month, _ in zip(Replay().months(SOURCE), range(MONTHS), strict=False):
            with sandbox.storage.transaction():
                for resource, records in month.records.items():
                    for record in records:
                        sandbox.put(resource, record)
            assert sync_resources(settings, marts.warehouse, tuple(RESOURCE)).is_complete
            marts.build(*COUNTED)
            done = publish_marts(marts.warehouse, str(published))
            assert done.in_force
            with duckdb.connect(str(published / done.in_force.database.path)) as connection:
                rows = connection.execute(
                    "select as_closed, changed, counted_otherwise, now, residue, problem,"
                    " coalesce(entries.amount, 0), orders_changed"
                    " from rpt_closed_months as months left join ("
                    "select month_start, metric, sum(amount) as amount from rpt_journal"
                    " group by all) as entries using (month_start, metric)"
                ).fetchall()
            assert len(rows) % (len(closed) or 1) == 0
            assert bool(rows) == bool(closed)
            for as_closed, changed, otherwise, now, residue, problem, entries, orders in rows:
                assert problem is None
                assert residue in (None, 0)
                assert otherwise in (None, 0)
                if residue is not None:
                    assert (as_closed or 0) + changed + otherwise == (now or 0)
                    assert entries == changed + otherwise
                moved += orders
            name = f"{month.last_day:%Y-%m}"
            close_month(marts.warehouse, published, name, by="Ann")
            closed.append(name)
    assert moved > 0, "credit notes come after their months"
    assert Decimal(len(closed)) == MONTHS

"""A real order history, served by the sandbox and synced: exact to the last digit."""

import os
from decimal import Decimal
from pathlib import Path

import pytest

from conftest import Loader
from support.records.online_retail import convert
from support.services.service import served
from wholesale.settings import ApiSettings
from wholesale_elt.warehouse.destination import Warehouse

SOURCE = Path(os.environ.get("ONLINE_RETAIL", "online_retail.parquet"))
"""The order history as one parquet file; nothing is downloaded for a test."""


@pytest.mark.skipif(not SOURCE.exists(), reason="no order history: ONLINE_RETAIL names its file")
def test_a_real_order_history_arrives_to_the_last_digit_and_a_second_sync_changes_no_row(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data"
    convert(SOURCE, folder)
    with served("--data", str(folder)) as url:
        settings = ApiSettings.of(base_url=url, api_key="sandbox")
        loader = Loader(settings, Warehouse(tmp_path / "retail.duckdb"))
        first = loader.load()
        before = loader.contents()
        second = loader.load()

    assert first.is_complete
    assert second.is_complete
    assert not first.misfits
    assert loader.rows("select count(*) from orders") == [(25_900,)]
    assert loader.rows("select count(*), sum(total_price) from orders__order_line_items") == [
        (541_909, Decimal("9747747.934000000"))
    ]
    assert loader.rows("select count(*) from buyers") == [(4_372,)]
    assert loader.rows("select count(*) from variants") == [(4_070,)]
    assert loader.contents() == before

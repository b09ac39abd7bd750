"""Sums that no order tells are empty cells of the workbook."""

from pathlib import Path

import duckdb

from support.warehouses.marts import Marts
from wholesale_elt.publish import find_site
from wholesale_elt.publish.publisher import publish_marts
from wholesale_spreadsheets.sheets import MONTHS, read_sheets


def test_a_sum_that_no_order_tells_is_an_empty_cell(loaded: Marts, tmp_path: Path) -> None:
    marts = loaded.copy(tmp_path)
    marts.change("update wholesale_raw.orders set sub_total = null, total = null")
    marts.build()
    publish_marts(marts.warehouse, str(tmp_path / "published"))
    database = find_site(tmp_path / "published").database

    with duckdb.connect(str(database), read_only=True) as connection:
        sheets = {sheet.title: sheet for sheet in read_sheets(connection, "EUR")}
        months = sheets[MONTHS]
        rows = [
            dict(zip((column.name for column in months.columns), row, strict=True))
            for row in months.rows()
        ]
    sold = [row for row in rows if row["orders"]]
    assert sold
    assert {row["sales"] for row in sold} == {None}

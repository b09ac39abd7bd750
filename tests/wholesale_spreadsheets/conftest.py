"""A warehouse made by hand, with one report that has a sheet."""

from pathlib import Path

import duckdb
import pytest

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from support.warehouses.desks import Desk

ORDERS = "wholesale_bi.rpt_orders"
LONG = "12345678901234567.89"


class Office(Desk):
    """A desk whose orders are those of a sheet; one has what spreadsheets stumble over."""

    def build(self, number: int, *, reason: str | None = None) -> None:
        super().build(number, reason=reason)
        with duckdb.connect(str(self.warehouse.database)) as connection:
            connection.execute(
                f"""
                create or replace table {ORDERS} as
                select
                    * exclude (sub_total, unit_count),
                    if(order_id = 'o1', {number}, unit_count) as unit_count,
                    cast(sub_total as decimal(38, 9)) as sub_total
                from (values
                    ('o1', '00000007', date '2026-01-02', '=1+1', 'shipped', '0.07', true, 0),
                    ('o2', '-5', date '2026-01-01', 'Ä "b", c', null, '{LONG}', false, 3)
                ) as t(
                    order_id, order_number, ordered_date, vendor_name, order_status, sub_total,
                    is_open, unit_count
                )
                """
            )


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    monkeypatch.setenv("SPREADSHEETS__XLSX", "true")
    monkeypatch.setenv("SPREADSHEETS__CSV", "true")
    return Office(tmp_path)

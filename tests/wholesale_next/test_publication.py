"""Publication: day by day, each version has the claims of those before it, in its own place."""

from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.edits import LINES, RAW
from support.warehouses.marts import Marts
from wholesale.api import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load import sync_resources
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_erasure.erasing import erase
from wholesale_next import publication
from wholesale_next.claims import ORDERS
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = pytest.mark.slow
DAYS = (date(2026, 6, 10), date(2026, 6, 11), date(2026, 6, 30))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """What was loaded of 1,500 orders in two years, up to the last of the days."""
    warehouse = Warehouse(tmp_path_factory.mktemp("whole") / "wholesale.duckdb")
    with Sandbox(SandboxSettings(orders=1_500, last_day=DAYS[-1])) as running:
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        assert sync_resources(settings, warehouse, tuple(RESOURCE)).is_complete
    return Marts(Path(str(warehouse.database)))


def up_to(whole: Marts, day: date, folder: Path) -> Marts:
    """What would have been loaded on the day after that one."""
    marts = whole.copy(folder)
    gone = f"(select id from {RAW}.orders where created_at >= date '{day}' + 1)"
    marts.change(
        f"delete from {LINES} where order_id in {gone}",
        f"delete from {RAW}.orders__order_comments where order_id in {gone}",
        f"delete from {RAW}.orders where id in {gone}",
        f"update {RAW}.orders set updated_at = least(updated_at, date '{day}' + interval 23 hour)",
    )
    marts.build()
    return marts


def rows(published: Path, sql: str) -> list[dict[str, Any]]:
    with duckdb.connect(str(published / "wholesale.duckdb"), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        found: list[dict[str, Any]] = connection.sql(sql).to_arrow_table().to_pylist()
    return found


def claims(published: Path) -> dict[tuple[str, date], dict[str, Any]]:
    found = rows(published, "from forecast_claims")
    return {(row["buyer_id"], row["ordered_date"]): row for row in found}


def test_claims_are_carried_on_and_judged_and_outlast_an_erasure(
    whole: Marts, tmp_path: Path
) -> None:
    place, told = tmp_path / "published", []
    for number, day in enumerate(DAYS):
        marts = up_to(whole, day, tmp_path / str(number))
        done = publish_marts(marts.warehouse, str(place), keep=2, is_only_bi=True)
        assert done.result == "published"
        told.append(claims(place))
    first, second, last = told
    assert first
    assert first.keys() < second.keys() < last.keys()
    for earlier, later in ((first, second), (second, last)):
        for key, row in earlier.items():
            for name, value in row.items():
                if name not in ORDERS.verdicts or value is not None:
                    assert later[key][name] == value, (key, name)
    assert {row["figures_up_to"] for row in last.values()} == {*DAYS}
    judged = [row["is_right_80"] for row in last.values() if row["is_right_80"] is not None]
    assert {*judged} == {True, False}
    months = rows(place, "select month_start, figures_up_to from forecast_month_claims")
    assert {row["figures_up_to"] for row in months} == {*DAYS}

    buyer = min(last)[0]
    assert erase(marts.warehouse, buyer, [str(place)]).places[0].removed == 2
    assert claims(place) == last
    assert buyer in {key[0] for key in claims(place)}  # as in every table, the id stays

    [(part, *_)] = [
        row.values()
        for row in rows(
            place,
            "select account_manager_id from wholesale_bi.rpt_next_orders where standing = 'later'"
            " and account_manager_id is not null group by all order by count(*) desc, 1 limit 1",
        )
    ]
    alone = tmp_path / "alone"
    publish_marts(marts.warehouse, str(alone), is_only_bi=True, only=f"manager={part}")
    own = rows(alone, "from wholesale_bi.rpt_next_orders where standing in ('due', 'later')")
    assert claims(alone).keys() == {(row["buyer_id"], row["last_ordered_date"]) for row in own}


def test_a_version_without_claims_loses_none_of_those_before_it(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def publish() -> list[dict[str, Any]]:
        marts.change("update wholesale_raw.orders set po_number = concat(po_number, '.')")
        marts.build()
        assert publish_marts(marts.warehouse, str(place), is_only_bi=True).result == "published"
        return rows(place, "from forecast_month_claims")

    def fail(*_: object) -> None:
        raise RuntimeError

    place = tmp_path / "published"
    claimed = publish()
    with monkeypatch.context() as failing:
        failing.setattr(publication, "claims_of", fail)
        assert publish() == []
    assert claimed
    assert publish() == claimed

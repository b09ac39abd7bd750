"""What is published of one buyer, or of the buyers of one account manager, has nothing of another
buyer in any byte, and all of its own."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.few import by_hand
from support.services.trust import NOBODY
from support.warehouses.marts import Marts
from support.warehouses.parts import (
    Account,
    Published,
    require_nothing_of_others,
    require_same_bytes,
)
from wholesale.api import RESOURCE
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.load.copies.then import copy_as_of
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.publish.version import plain_part
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

LOGS = {"orders": "id", "variants": "id", "prices": "variant_id"}


class OfBuyers(Account):
    """In which all is changed that is not of one buyer, or of those of one manager."""

    def __init__(self, marts: Marts, part: str) -> None:
        super().__init__(marts, part.partition("=")[2])
        self.is_manager = part.startswith("manager=")

    def others(self) -> dict[str, str]:
        buyers = f"'{self.key}'"
        is_own = f"id = '{self.key}'"
        if self.is_manager:
            is_own = f"coalesce(account_manager_id = '{self.key}', false)"
            buyers = f"select id from wholesale_raw.buyers where {is_own}"

        def named(table: str, column: str, where: str) -> str:
            return f"select {column} from wholesale_raw.{table} where {where}"

        orders = named("orders", "id", f"buyer_id in ({buyers})")
        items = named("orders__order_line_items", "item_id", f"order_id in ({orders})")
        variants = named("variants", "id", f"parent_id in ({items})")
        lists = named("buyers", "price_list_id", f"price_list_id is not null and {is_own}")
        vendors = named("orders", "vendor_id", f"buyer_id in ({buyers})")
        not_own = f"coalesce(buyer_id, '') not in ({buyers})"
        found = {
            "vendors": f"id not in ({vendors})",
            "orders": f"id not in ({orders})",
            "orders__order_line_items": f"order_id not in ({orders})",
            "orders__order_comments": "true",
            "buyers": f"not {is_own}",
            "buyer_users": not_own,
            "items": f"id not in ({items})",
            "items__options": f"item_id not in ({items})",
            "item_images": f"item_id not in ({items})",
            "variants": f"id not in ({variants})",
            "variants__options": f"variant_id not in ({variants})",
            "prices": f"variant_id not in ({variants}) or price_list_id not in ({lists})",
            "price_lists": f"id not in ({lists})",
            "brands": f"id not in ({named('items', 'brand_id', f'id in ({items})')})",
            "categories": f"id not in ({named('items', 'category_id', f'id in ({items})')})"
            " and id not in (select parent_id from wholesale_raw.categories"
            " where parent_id is not null)",
            "custom_fields": "true",
            "sync_runs": "true",
        }
        moved = named("orders__past", "id", f"buyer_id not in ({buyers})")
        was = {
            "orders": f" or buyer_id not in ({buyers})",
            "buyers": f" or not {is_own}",
            "orders__order_line_items": f" or order_id in ({moved})",
        }
        for table, condition in list(found.items()):
            if f"{table}__past" in self.columns:
                found[f"{table}__past"] = f"{condition}{was.get(table, '')}"
            if f"{table}__observations" in self.columns:
                found[f"{table}__observations"] = condition
        return found


def truth(sandbox: Sandbox, resource: str) -> list[dict[str, Any]]:
    answer = httpx.get(f"{sandbox.admin_url}/truth/{resource}", verify=NOBODY)
    return [json.loads(text) for text in answer.text.splitlines()]


def change(sandbox: Sandbox, buyer: str) -> None:
    """Edit an order of each buyer, cancel another one, and give the buyer one of somebody else."""
    seen: dict[str, int] = {}
    orders = truth(sandbox, "orders")
    for order in orders:
        number = seen[order["buyer_id"]] = seen.get(order["buyer_id"], -1) + 1
        lines = [{**line, "quantity": 3 + number} for line in order["order_line_items"]]
        changes: list[dict[str, Any]] = [
            {"order_line_items": lines, "sub_total": "1234.56"},
            {"status": "cancelled"},
        ]
        for each in changes[number : number + 1]:
            sandbox.put("orders", order | each | {"updated_at": "2026-06-30T01:00:00Z"})
    (name,) = [each["company_name"] for each in truth(sandbox, "buyers") if each["id"] == buyer]
    order, *_ = (each for each in orders if each["buyer_id"] != buyer)
    theirs = {"buyer_id": buyer, "buyer_company_name": name, "buyer_user_id": None}
    lines = [{**order["order_line_items"][0], "quantity": 7}]
    more = {"order_line_items": lines, "updated_at": "2026-06-30T02:00:00Z"}
    sandbox.put("orders", order | theirs | more)


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], list[Path]]:
    """The parts of a buyer and of its manager, and an account before and after it changed."""
    folder = tmp_path_factory.mktemp("buyers")
    marts, found = Marts(folder / "wholesale.duckdb"), []
    with Sandbox(SandboxSettings(orders=150)) as sandbox:
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        for number in range(2):
            if number:
                ((buyer, manager),) = marts.rows(
                    "select buyers.id, account_manager_id from wholesale_raw.orders"
                    " join wholesale_raw.buyers on buyers.id = buyer_id"
                    " where account_manager_id is not null"
                    " group by all order by count(*) desc, 1 limit 1"
                )
                change(sandbox, buyer)
            sync_resources(settings, marts.warehouse, tuple(RESOURCE))
            marts.build()
            found.append(Path(shutil.copy(marts.database, folder / f"{number}.duckdb")))
    return {"buyer": f"buyer={buyer}", "manager": f"manager={manager}"}, found


@pytest.fixture(scope="module", params=["buyer", by_hand("manager")])
def published(
    moments: tuple[dict[str, str], list[Path]],
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[str, Published, Published]:
    """A part twice: where others are as they are, and where all is marked that is not of it."""
    parts, files = moments
    part, folder, found = parts[request.param], tmp_path_factory.mktemp(request.param), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRIVACY__PUBLISHED", "all")  # what is left out anyway would prove nothing
        for name in ("plain", "marked"):
            for number, file in enumerate(files):
                copy = Marts(file).copy(folder / f"{name} {number}")
                account = OfBuyers(copy, part)
                others = account.ids_of_others()
                if name == "marked":
                    account.mark()
                publish_marts(copy.warehouse, str(folder / name), only=part)
            found.append(Published(account.key, folder / name, others))
    plain, marked = found
    return part, plain, marked


@pytest.mark.slow
def test_no_file_has_a_text_a_number_or_an_id_of_another_buyer(
    published: tuple[str, Published, Published],
) -> None:
    _, _, marked = published
    require_nothing_of_others(marked)


@pytest.mark.slow
def test_what_other_buyers_do_changes_no_byte_of_it(
    published: tuple[str, Published, Published],
) -> None:
    _, *both = published
    require_same_bytes(*both)


@pytest.mark.slow
def test_it_has_all_orders_of_its_buyers_and_compares_its_versions(
    moments: tuple[dict[str, str], list[Path]], published: tuple[str, Published, Published]
) -> None:
    part, plain, _ = published
    whole, found = Marts(moments[1][-1]), Marts(plain.folder / "wholesale.duckdb")
    own = f"= '{plain.key}'"
    if part.startswith("manager="):
        own = f"in (select id from wholesale_raw.buyers where account_manager_id = '{plain.key}')"
    columns = "order_id, buyer_id, sub_total, total, order_status, vendor_id"
    orders = f"select {columns} from wholesale_marts.fct_orders"
    lines = "select order_id, line_number, total_price from wholesale_marts.fct_order_lines"

    assert found.rows(f"{orders} order by 1") == whole.rows(
        f"{orders} where buyer_id {own} order by 1"
    )
    assert found.rows(f"{lines} order by 1, 2") == whole.rows(
        f"{lines} where order_id in (select id from wholesale_raw.orders where buyer_id {own})"
        " order by 1, 2"
    )
    assert found.rows("select part from meta.versions") == [(part,)]
    assert found.rows("select kind from changes where kind = 'edited' limit 1") == [("edited",)]


@pytest.mark.parametrize("part", ["buyer=nobody", "manager=nobody"])
def test_a_part_that_is_not_stored_is_refused(built: Marts, tmp_path: Path, part: str) -> None:
    with pytest.raises(ConfigurationError, match=r"has no (buyer|manager) nobody"):
        publish_marts(built.warehouse, str(tmp_path / "part"), only=part)
    assert not (tmp_path / "part" / "current.json").exists()


def test_a_part_is_named_by_its_kind_and_a_plain_id() -> None:
    guid = "B78DCED9-B1C3-4409-9B68-F1406F49DD4B"
    assert plain_part(f"manager= {guid}") == f"manager={guid.lower()}"
    assert plain_part("buyer=A") == "buyer=A"


def test_what_was_told_of_a_buyer_while_another_manager_had_it_is_left_out(
    built: Marts, tmp_path: Path
) -> None:
    marts, part = built.copy(tmp_path), Warehouse(tmp_path / "part.duckdb")
    ((buyer, manager),) = marts.rows(
        "select id, account_manager_id from wholesale_raw.buyers"
        " where account_manager_id is not null order by 1 limit 1"
    )
    at = datetime.now(UTC)
    marts.change(
        "insert into wholesale_raw.buyers__past by name select * replace"
        " ('before' as company_name, 'other' as account_manager_id),"
        f" timestamptz '{at}' as valid_to from wholesale_raw.buyers where id = '{buyer}'",
        f"update wholesale_raw.buyers set valid_from = timestamptz '{at}' where id = '{buyer}'",
    )

    copy_as_of(marts.warehouse, part, datetime.now(UTC), part=f"manager={manager}")

    kept = Marts(part.database)
    assert (buyer,) in kept.rows("select id from wholesale_raw.buyers")
    assert kept.rows("select distinct account_manager_id from wholesale_raw.buyers") == [(manager,)]
    assert kept.rows("select company_name from wholesale_raw.buyers__past") == []

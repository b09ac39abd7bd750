"""What is published of one vendor has nothing of another one in any byte, and all of its own."""

import json
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest

import wholesale_elt.publish.publisher as publishing
from support.few import few
from support.services.trust import NOBODY
from support.warehouses.desks import Desk
from support.warehouses.destinations import Place
from support.warehouses.marts import Marts
from support.warehouses.parts import (
    AMOUNT,
    MARK,
    Account,
    Published,
    require_nothing_of_others,
    require_same_bytes,
)
from wholesale.api import RESOURCE
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.causes import remove_left
from wholesale_elt.load.copies.copying import copy_warehouse
from wholesale_elt.load.copies.then import copy_as_of
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.models.build import build_models
from wholesale_elt.publish import version
from wholesale_elt.publish.publisher import publish_marts, republish_marts
from wholesale_elt.publish.version import plain_part
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

MOVING = ("orders", "items", "variants")
"""Tables whose rows name their vendor, who may be another one later."""
LOGGED = {
    "orders": [("id", "orders")],
    "variants": [("id", "variants")],
    "prices": [("variant_id", "variants")],
}
"""The column of each log that names a record of these, and its table."""


class OfVendor(Account):
    """In which all is changed that is not of one vendor."""

    def others(self) -> dict[str, str]:
        """The rows of each table that are not of the vendor, as a condition."""
        orders = f"select id from wholesale_raw.orders where vendor_id = '{self.key}'"
        items = f"select id from wholesale_raw.items where vendor_id = '{self.key}'"
        variants = f"select id from wholesale_raw.variants where parent_id in ({items})"

        def named(table: str, column: str, where: str) -> str:
            return f"select {column} from wholesale_raw.{table} where {where}"

        def not_named(column: str) -> str:
            found = named("orders", column, f"vendor_id = '{self.key}' and {column} is not null")
            return f"id not in ({found})"

        lists = named("prices", "price_list_id", f"variant_id in ({variants})")
        found = {
            "vendors": f"id <> '{self.key}'",
            "orders": f"id not in ({orders})",
            "orders__order_line_items": f"order_id not in ({orders})",
            "orders__order_comments": "true",
            "buyers": not_named("buyer_id"),
            "buyer_users": not_named("buyer_user_id"),
            "items": f"id not in ({items})",
            "items__options": f"item_id not in ({items})",
            "item_images": f"item_id not in ({items})",
            "variants": f"id not in ({variants})",
            "variants__options": f"variant_id not in ({variants})",
            "prices": f"variant_id not in ({variants})",
            "price_lists": f"id not in ({lists})",
            "brands": f"id not in ({named('items', 'brand_id', f'id in ({items})')})",
            "categories": f"id not in ({named('items', 'category_id', f'id in ({items})')})"
            " and id not in (select parent_id from wholesale_raw.categories"
            " where parent_id is not null)",
            "custom_fields": "true",
            "sync_runs": "true",
        }
        runs = "wholesale_raw.sync_runs"
        latest = (
            f"select min(started_at) from {runs} where run_id = (select max(run_id) from {runs})"
        )
        for table, condition in list(found.items()):
            if f"{table}__past" in self.columns:
                was = f" or vendor_id <> '{self.key}'" if table in MOVING else ""
                found[f"{table}__past"] = f"{condition}{was}"
            if f"{table}__observations" in self.columns:
                was = "".join(
                    f" or {key} in (select id from wholesale_raw.{past}__past"
                    f" where vendor_id <> '{self.key}') and observed_at < ({latest})"
                    for key, past in LOGGED.get(table, ())
                )
                found[f"{table}__observations"] = f"{condition}{was}"
        return found

    def share_an_order(self, text: str, amount: Decimal) -> None:
        """Give an order of the vendor a line of another one, and the order amounts with both."""
        (order, number), *_ = self.marts.rows(
            "select order_id, max(line_number) + 1 from wholesale_raw.orders__order_line_items"
            f" where order_id in (select id from wholesale_raw.orders where vendor_id ="
            f" '{self.key}') group by 1 order by 1"
        )
        self.marts.change(
            "insert into wholesale_raw.orders__order_line_items"
            " by name (select * replace"
            f" ({number} as line_number, '{text}' as title, '{text}' as sku, '{text}' as variant,"
            f" '{text}' as vendor_name, {amount} as total_price, {amount} as unit_price)"
            f" from wholesale_raw.orders__order_line_items where order_id = '{order}' limit 1)",
            f"update wholesale_raw.orders set sub_total = sub_total + {amount},"
            f" total = total + {amount} where id = '{order}'",
        )


def edit(sandbox: Sandbox) -> None:
    """Edit an order of each vendor, and cancel another one."""
    answer = httpx.get(f"{sandbox.admin_url}/truth/orders", verify=NOBODY)
    seen: dict[str, int] = {}
    for order in map(json.loads, answer.text.splitlines()):
        number = seen[order["vendor_id"]] = seen.get(order["vendor_id"], -1) + 1
        lines = [{**line, "quantity": 3 + number} for line in order["order_line_items"]]
        changes: list[dict[str, Any]] = [
            {"order_line_items": lines, "sub_total": "1234.56"},
            {"status": "cancelled"},
        ]
        for change in changes[number : number + 1]:
            sandbox.put("orders", order | change | {"updated_at": "2026-06-30T01:00:00Z"})


def move(sandbox: Sandbox, vendor: str) -> None:
    """Give the vendor an order, and an item with its variants, that were of another one."""

    def truth(resource: str) -> list[dict[str, Any]]:
        answer = httpx.get(f"{sandbox.admin_url}/truth/{resource}", verify=NOBODY)
        return [json.loads(text) for text in answer.text.splitlines()]

    (name,) = [each["name"] for each in truth("vendors") if each["id"] == vendor]
    theirs = {"vendor_id": vendor, "vendor_name": name}
    item, *_ = (each for each in truth("items") if each["vendor_id"] != vendor)
    sandbox.put("items", item | theirs | {"unit_price": 3})
    order, *_ = (each for each in truth("orders") if each["vendor_id"] != vendor)
    line = order["order_line_items"][0] | {"vendor_name": name, "item_id": item["id"]}
    more = {"order_line_items": [line], "status": "moved", "updated_at": "2026-06-30T02:00:00Z"}
    sandbox.put("orders", order | theirs | more)
    for variant in truth("variants"):
        if variant["parent_id"] == item["id"]:
            sandbox.put("variants", variant | theirs | {"unit_price": 3})
    for price in truth("prices"):
        if price["item_id"] == item["id"]:
            sandbox.put("prices", price | {"unit_price": 3, "updated_at": "2026-06-30T02:00:00Z"})


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Published, Published]:
    """The part of the same vendor twice: where others are as they are, and where all is marked that
    is not of the vendor."""
    folder = tmp_path_factory.mktemp("parts")
    marts = Marts(folder / "wholesale.duckdb")
    moments = []
    with Sandbox(SandboxSettings(orders=120)) as sandbox:
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        for number in range(2):
            if number:
                ((vendor,),) = marts.rows(
                    "select vendor_id from wholesale_raw.orders"
                    " group by 1 order by count(*) desc, 1 limit 1"
                )
                edit(sandbox)
                move(sandbox, vendor)
            sync_resources(settings, marts.warehouse, tuple(RESOURCE))
            marts.build()
            moments.append(Path(shutil.copy(marts.database, folder / f"{number}.duckdb")))
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRIVACY__PUBLISHED", "all")  # what is left out anyway would prove nothing
        for name, text in (("plain", "Somebody"), ("marked", MARK)):
            to = folder / name
            for number, file in enumerate(moments):
                copy = Marts(file).copy(folder / f"{name} {number}")
                account = OfVendor(copy, vendor)
                others = account.ids_of_others()
                account.share_an_order(text, Decimal(1) if name == "plain" else AMOUNT)
                if name == "marked":
                    account.mark()
                publish_marts(copy.warehouse, str(to), only=f"vendor={vendor}")
            found.append(Published(vendor, to, others))
    plain, marked = found
    return plain, marked


@pytest.mark.slow
def test_no_file_has_a_text_a_number_or_an_id_of_another_vendor(
    published: tuple[Published, Published],
) -> None:
    _, marked = published
    require_nothing_of_others(marked)


@pytest.mark.slow
def test_what_others_do_changes_no_byte_of_it(published: tuple[Published, Published]) -> None:
    require_same_bytes(*published)


@pytest.mark.slow
def test_it_has_all_that_is_of_the_vendor_and_compares_its_versions(
    published: tuple[Published, Published],
) -> None:
    plain, _ = published
    folder = plain.folder.parent
    orders = "select order_id from {} where vendor_id = '{}' order by 1"
    whole = Marts(folder / "wholesale.duckdb")
    part = Marts(plain.folder / "wholesale.duckdb")

    assert part.rows(orders.format("wholesale_marts.fct_orders", plain.key)) == whole.rows(
        orders.format("wholesale_marts.fct_orders", plain.key)
    )
    assert part.rows("select distinct vendor_id from wholesale_marts.fct_orders") == [(plain.key,)]
    assert part.rows(
        "select kind, count(*) from changes where line_number is null group by 1 order by 1"
    ) == [
        ("cancelled", 1),
        ("edited", 1),
        ("found late", 1),
    ]
    # a shared order keeps its own lines, and no amount that others have or had a part in
    assert part.rows(
        "select count(*), count(*) filter (where total is null and sub_total is null)"
        " from wholesale_marts.fct_orders where sub_total is null"
    ) == [(2, 2)]
    assert part.rows("select count(*) from wholesale_marts.fct_order_comments") == [(0,)]
    assert part.rows("select part, verdict from meta.versions") == [
        (f"vendor={plain.key}", "complete")
    ]
    assert plain.current()["only"] == f"vendor={plain.key}"


def test_a_line_is_of_the_vendor_of_its_item_where_two_are_called_alike(
    built: Marts, tmp_path: Path
) -> None:
    marts, part = built.copy(tmp_path), Warehouse(tmp_path / "part.duckdb")
    ((vendor, order, other, item),) = marts.rows(
        "select orders.vendor_id, orders.id, items.vendor_id, items.id"
        " from wholesale_raw.orders, wholesale_raw.items where items.vendor_id <> orders.vendor_id"
        " and (select count(*) from wholesale_raw.orders__order_line_items where order_id ="
        " orders.id) > 1 order by orders.id, items.id limit 1"
    )
    both = f"('{vendor}', '{other}')"
    marts.change(
        f"update wholesale_raw.vendors set name = 'Terra' where id in {both}",
        f"update wholesale_raw.orders set vendor_name = 'terra ' where vendor_id in {both}",
        f"update wholesale_raw.items set vendor_name = 'Terra' where vendor_id in {both}",
        "update wholesale_raw.orders__order_line_items set vendor_name = 'Terra',"
        f" item_id = case line_number when 1 then '{item}' else item_id end"
        f" where order_id = '{order}'",
    )
    copy_as_of(marts.warehouse, part, datetime.now(UTC), part=f"vendor={vendor}")
    lines = "select line_number from {}orders__order_line_items where order_id = '{}' order by 1"
    with duckdb.connect(str(part.database), read_only=True) as connection:
        kept = connection.execute(lines.format("wholesale_raw.", order)).fetchall()
        total = connection.execute(
            f"select total, id from wholesale_raw.orders where id = '{order}'"
        ).fetchall()
    assert [(1,), *kept] == marts.rows(lines.format("wholesale_raw.", order))
    assert total == [(None, order)]


def test_a_line_that_tells_nothing_is_nobodys_where_its_order_was_of_another_vendor(
    built: Marts, tmp_path: Path
) -> None:
    marts, part = built.copy(tmp_path), Warehouse(tmp_path / "part.duckdb")
    ((vendor, own, moved),) = marts.rows(
        "select orders.vendor_id, orders.id, others.id from wholesale_raw.orders,"
        " wholesale_raw.orders as others where others.vendor_id <> orders.vendor_id"
        " order by all limit 1"
    )
    at, both = datetime.now(UTC), f"('{own}', '{moved}')"
    marts.change(
        "insert into wholesale_raw.orders__past by name select *,"
        f" timestamptz '{at}' as valid_to from wholesale_raw.orders where id = '{moved}'",
        f"update wholesale_raw.orders set vendor_id = '{vendor}',"
        f" valid_from = timestamptz '{at}' where id = '{moved}'",
        "update wholesale_raw.orders__order_line_items set vendor_name = null, item_id = null"
        f" where order_id in {both}",
    )

    copy_as_of(marts.warehouse, part, datetime.now(UTC), part=f"vendor={vendor}")

    kept = Marts(part.database)
    lines = "select distinct order_id from wholesale_raw.orders__order_line_items"
    assert kept.rows(f"{lines} where order_id in {both}") == [(own,)]
    totals = f"select id, total is null from wholesale_raw.orders where id in {both}"
    assert sorted(kept.rows(totals)) == sorted([(own, False), (moved, True)])


def test_what_was_observed_of_a_record_while_it_was_of_another_vendor_is_left_out(
    built: Marts, tmp_path: Path
) -> None:
    marts, part = built.copy(tmp_path), Warehouse(tmp_path / "part.duckdb")
    ((vendor, order, item),) = marts.rows(
        "select orders.vendor_id, others.id, items.id from wholesale_raw.orders,"
        " wholesale_raw.orders as others, wholesale_raw.items"
        " where others.vendor_id <> orders.vendor_id and items.vendor_id <> orders.vendor_id"
        " order by all limit 1"
    )
    at = datetime.now(UTC)
    variants = f"select id from wholesale_raw.variants where parent_id = '{item}'"
    moved = {
        "orders": f"id = '{order}'",
        "items": f"id = '{item}'",
        "variants": f"id in ({variants})",
        "prices": f"variant_id in ({variants})",
    }
    marts.change(
        *(
            f"insert into wholesale_raw.{table}__past by name select *,"
            f" timestamptz '{at}' as valid_to from wholesale_raw.{table} where {moved[table]}"
            for table in MOVING
        ),
        *(
            f"update wholesale_raw.{table} set vendor_id = '{vendor}',"
            f" valid_from = timestamptz '{at}' where {moved[table]}"
            for table in MOVING
        ),
        *(
            f"insert into wholesale_raw.{table}__observations by name select * replace"
            f" (now() as observed_at) from wholesale_raw.{table}__observations"
            f" where {moved[table]}"
            for table in LOGGED
        ),
    )

    copy_as_of(marts.warehouse, part, datetime.now(UTC), part=f"vendor={vendor}")

    for table, [(key, of)] in LOGGED.items():
        observed = f"select id, observed_at from wholesale_raw.{table}__observations"
        own = f"{key} in (select id from wholesale_raw.{of} where vendor_id = '{vendor}')"
        before = f"{moved[table]} and observed_at < timestamptz '{at}'"
        found = Marts(part.database).rows(f"{observed} order by all")
        assert found == marts.rows(f"{observed} where {own} and not ({before}) order by all")
        assert marts.rows(f"{observed} where {own} and {before}") != []


@pytest.mark.slow
def test_a_vendor_without_orders_has_a_publication_without_any(
    marts: Marts, tmp_path: Path
) -> None:
    ((vendor,),) = marts.rows(
        "select min(id) from wholesale_raw.vendors where id not in"
        " (select vendor_id from wholesale_raw.orders limit 1)"
    )
    marts.change(
        f"delete from wholesale_raw.orders where vendor_id = '{vendor}'",
        f"delete from wholesale_raw.items where vendor_id = '{vendor}'",
    )

    done = publish_marts(marts.warehouse, str(tmp_path / "part"), only=f"vendor={vendor.upper()}")

    assert (done.result, done.build.only) == ("published", f"vendor={vendor}")
    part = Marts(tmp_path / "part" / "wholesale.duckdb")
    assert part.rows(
        "select (select count(*) from orders), (select count(*) from buyers), vendor_id"
        " from vendors"
    ) == [(0, 0, vendor)]
    again = publish_marts(marts.warehouse, str(tmp_path / "part"), only=f"vendor={vendor}")
    assert again.result == "already published"


@pytest.mark.slow
@pytest.mark.parametrize("destination", few(["lake", "postgres", "ducklake"], 1))
def test_a_part_is_the_same_wherever_the_account_is_stored(
    marts: Marts, tmp_path: Path, place_in: Callable[[str], Place], destination: str
) -> None:
    vendor, orders = marts.rows(
        "select vendor_id, count(*) from wholesale_raw.orders group by 1 order by 2 desc, 1"
    )[0]
    place, found = place_in(destination), []
    copy_warehouse(marts.warehouse, place.warehouse)
    build_models(place.warehouse)

    for warehouse in (marts.warehouse, place.warehouse):
        folder = tmp_path / warehouse.destination
        publish_marts(warehouse, str(folder), only=f"vendor={vendor}")
        found.append(Marts(folder / "wholesale.duckdb").contents())

    assert found[0] == found[1]
    assert len(found[0]["wholesale_marts.fct_orders"]) == orders


def test_a_vendor_that_is_not_stored_is_refused(built: Marts, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="has no vendor nobody"):
        publish_marts(built.warehouse, str(tmp_path / "part"), only="vendor=nobody")
    assert not (tmp_path / "part" / "current.json").exists()


@pytest.mark.parametrize("only", ["vendor", "vendor=", "buyer= ", "order=A", "=A", "A"])
def test_what_names_no_vendor_is_no_part(only: str) -> None:
    with pytest.raises(ConfigurationError, match="is no part of an account"):
        plain_part(only)


@pytest.mark.parametrize("first", [None, "vendor=A"])
@pytest.mark.parametrize("second", [None, "vendor=A", "vendor=B"])
def test_parts_and_the_whole_of_an_account_never_share_a_place(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, first: str | None, second: str | None
) -> None:
    monkeypatch.setattr(publishing, "part_of", lambda warehouse, only: nullcontext(warehouse))
    desk.build(1)
    desk.publish(only=first)
    before = desk.files()
    desk.build(2)

    if first == second:
        assert desk.publish(only=second).result == "published"
        return
    with pytest.raises(ConfigurationError, match="what is published there is of"):
        desk.publish(only=second)
    assert desk.files() == before
    (desk.folder / "current.json").write_text("{")
    with pytest.raises(ConfigurationError, match="name another place"):
        desk.publish(only=second)


def test_what_a_killed_publication_leaves_of_a_part_is_where_the_next_one_and_an_erasure_look(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(_: Warehouse, moment: datetime, file: Path, **options: Any) -> None:
        file.write_text("raw rows")

    monkeypatch.setattr(version, "build_as_of", build)
    desk.build(1)
    with version.part_of(desk.warehouse, "vendor=A") as part:
        folders = [part.database.parent, *part.database.parents[1:3]]
        left = shutil.copytree(desk.warehouse.state_folder / "then", desk.folder.parent / "left")
    assert [folder.name for folder in folders] == ["part", "publish", "then"]
    shutil.copytree(left, folders[-1], dirs_exist_ok=True)
    assert part.database.exists()

    remove_left(desk.warehouse)

    assert not part.database.exists()


def test_what_is_published_again_after_an_erasure_is_of_the_same_part(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[str | None] = []

    def part_of(warehouse: Warehouse, only: str | None) -> AbstractContextManager[Warehouse]:
        parts.append(only)
        return nullcontext(warehouse)

    monkeypatch.setattr(publishing, "part_of", part_of)
    desk.build(1)
    desk.publish(only="vendor=A")

    again = republish_marts(desk.warehouse, str(desk.folder))

    assert (again.result, parts) == ("published", ["vendor=A", "vendor=A"])
    assert desk.current()["only"] == "vendor=A"

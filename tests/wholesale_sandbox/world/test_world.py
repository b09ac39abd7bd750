"""The seeded world is always the same, believable, and true to §2 in every field."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from wholesale_sandbox.contract.assumptions import (
    INVOICE_STATUSES,
    ORDER_STATUSES,
    PAYMENT_METHOD_TYPES,
    PAYMENT_STATUSES,
    SHIPPING_TYPES,
    VENDOR_STATUSES,
)
from wholesale_sandbox.contract.fields import (
    COMMENT_FIELDS,
    LINE_ITEM_FIELDS,
    ORDER_INVOICE_FIELDS,
    RESOURCE,
    Field,
)
from wholesale_sandbox.values.draws import NumberedIds
from wholesale_sandbox.values.moments import of
from wholesale_sandbox.world.business import World
from wholesale_sandbox.world.calendar import Calendar

Record = dict[str, Any]

ORDERS = 2_000
WORLD = World(seed=1, orders=ORDERS)


_decoder = msgspec.json.Decoder(float_hook=Decimal)


def read_order(number: int) -> Record:
    record: Record = _decoder.decode(WORLD.orders.body(number))
    return record


def catalogue(world: World) -> dict[str, dict[str, Record]]:
    resources: dict[str, dict[str, Record]] = {}
    for resource, _, record_id, body in world.catalogue():
        resources.setdefault(resource, {})[record_id] = _decoder.decode(body)
    return resources


READ_ORDERS = [read_order(number) for number in range(ORDERS)]
CATALOGUE = catalogue(WORLD)


def amount(value: object) -> Decimal:
    """The decimal, whichever type of JSON value carries it (§2)."""
    assert isinstance(value, int | str | Decimal)
    return Decimal(value)


def moment(text: str) -> int:
    return of(datetime.fromisoformat(text))


def digest(bodies: Iterable[bytes]) -> str:
    together = sha256()
    for body in bodies:
        together.update(body + b"\n")
    return together.hexdigest()[:16]


def test_the_headline_figures_of_seed_1_never_change() -> None:
    lines = [line for order in READ_ORDERS for line in order["order_line_items"]]
    assert {resource: len(records) for resource, records in CATALOGUE.items()} == {
        "categories": 23,
        "brands": 12,
        "vendors": 12,
        "price_lists": 5,
        "custom_fields": 6,
        "buyers": 80,
        "buyer_users": 133,
        "items": 239,
        "variants": 510,
        "item_images": 360,
        "prices": 2_550,
    }
    assert (len(lines), sum(line["quantity"] for line in lines)) == (9_885, 166_531)
    assert sum(amount(order["sub_total"]) for order in READ_ORDERS) == Decimal("1787873.305")
    assert sum(amount(order["total"]) for order in READ_ORDERS) == Decimal("1852655.275")
    assert digest(body for *_, body in WORLD.catalogue()) == "aa2fb9296fce787d"
    assert digest(WORLD.orders.body(number) for number in range(ORDERS)) == "5f9a9fed585b92a7"


def test_the_world_does_not_depend_on_the_order_of_calls() -> None:
    numbers = list(range(0, ORDERS, 7))
    bodies = {number: WORLD.orders.body(number) for number in numbers}
    other = World(seed=1, orders=ORDERS).orders
    Random(5).shuffle(numbers)
    assert {number: other.body(number) for number in numbers} == bodies
    assert list(WORLD.catalogue()) == list(World(seed=1, orders=ORDERS).catalogue())


def test_another_seed_is_another_world() -> None:
    other = World(seed=2, orders=ORDERS)
    assert catalogue(other).keys() == CATALOGUE.keys()
    assert catalogue(other)["items"].keys().isdisjoint(CATALOGUE["items"])
    assert other.orders.id(7) != WORLD.orders.id(7)


def test_an_order_id_is_a_guid_that_knows_its_number() -> None:
    ids = [WORLD.orders.id(number) for number in range(ORDERS)]
    assert [WORLD.orders.number(record_id) for record_id in ids] == list(range(ORDERS))
    assert [order["id"] for order in READ_ORDERS] == ids
    assert {(UUID(record_id).version, str(UUID(record_id))) for record_id in ids} == {
        (4, record_id) for record_id in ids
    }


@pytest.mark.parametrize(
    "record_id",
    [
        "",
        "nonsense",
        WORLD.orders.id(ORDERS),
        WORLD.orders.id(3).upper(),
        WORLD.orders.id(3)[:-1],
        f"0{WORLD.orders.id(3)[1:]}" if WORLD.orders.id(3)[0] != "0" else "1",
        World(seed=2, orders=ORDERS).orders.id(3),
        "00000000-0000-4000-8000-000000000000",
    ],
)
def test_an_id_of_no_order_has_no_number(record_id: str) -> None:
    assert WORLD.orders.number(record_id) is None


def test_numbers_far_beyond_a_million_come_back() -> None:
    ids = NumberedIds(9, "things")
    numbers = [0, 1, 10**6, 10**9, 2**48 - 1]
    assert [ids.number(ids.id(number)) for number in numbers] == numbers


def test_orders_are_sorted_by_created_at() -> None:
    created = [moment(order["created_at"]) for order in READ_ORDERS]
    assert created == sorted(created)
    first, last = READ_ORDERS[0]["created_at"], READ_ORDERS[-1]["created_at"]
    assert (first[:7], last[:7]) == ("2024-07", "2026-06")


def test_orders_in_one_second_are_sorted_too() -> None:
    calendar = Calendar(seed=1, orders=100_000_000, until=date(2026, 7, 1))
    rng = Random(1)
    first = 50_000_000
    day = calendar.day(first)
    created = [
        calendar.moment(number, calendar.day(number), rng.randrange(2**16), rng.randrange(10**6))
        for number in range(first, first + 150_000)
    ]
    assert created == sorted(created)
    assert len(set(created)) < len(created)
    assert calendar.day(first + 150_000) > day


def test_updated_at_is_known_without_the_body_and_never_before_created_at() -> None:
    for number, order in enumerate(READ_ORDERS):
        updated_at = moment(order["updated_at"])
        assert WORLD.orders.updated_at(number) == updated_at
        assert (
            moment(order["created_at"])
            <= updated_at
            < of(datetime.fromisoformat("2026-07-01T00:00Z"))
        )


def test_many_orders_share_the_moment_of_their_last_change() -> None:
    moments = Counter(order["updated_at"] for order in READ_ORDERS)
    assert 0.1 < sum(count for count in moments.values() if count > 1) / ORDERS < 0.6


def test_the_business_grows_and_has_seasons_and_weekends() -> None:
    days = [datetime.fromisoformat(order["created_at"]) for order in READ_ORDERS]
    months = Counter(day.strftime("%Y-%m") for day in days)
    weekdays = Counter(day.weekday() for day in days)
    assert sum(day < datetime.fromisoformat("2025-07-01T00:00Z") for day in days) < ORDERS * 0.45
    for year in ("2024", "2025"):
        assert months[f"{year}-11"] > 1.3 * months[f"{year}-08"]
    assert weekdays[5] + weekdays[6] < weekdays[0]


def test_few_buyers_order_often_and_prefer_few_vendors() -> None:
    buyers = Counter(order["buyer_id"] for order in READ_ORDERS)
    often = buyers.most_common(8)  # of 80
    assert sum(count for _, count in often) > 0.4 * ORDERS
    for buyer_id, count in often:
        vendors = Counter(
            order["vendor_id"] for order in READ_ORDERS if order["buyer_id"] == buyer_id
        )
        assert sum(count for _, count in vendors.most_common(5)) > 0.7 * count


def test_an_order_has_one_to_twelve_lines_of_one_vendor() -> None:
    counts = [len(order["order_line_items"]) for order in READ_ORDERS]
    assert (min(counts), max(counts)) == (1, 12)
    assert 4.5 < sum(counts) / ORDERS < 5.5
    for order in READ_ORDERS:
        skus = [line["sku"] for line in order["order_line_items"]]
        assert len(set(skus)) == len(skus)
        assert {line["vendor_name"] for line in order["order_line_items"]} == {order["vendor_name"]}


def test_the_amounts_of_an_order_are_exact() -> None:
    for order in READ_ORDERS:
        lines = order["order_line_items"]
        for line in lines:
            assert amount(line["total_price"]) == line["quantity"] * amount(line["unit_price"])
        sub_total = amount(order["sub_total"])
        discount = amount(order["order_line_items_discount_amount"])
        assert sub_total == sum(amount(line["total_price"]) for line in lines)
        assert discount == sum(amount(line["discount_amount"]) for line in lines)
        assert amount(order["total"]) >= sub_total - discount


def test_amounts_come_as_numbers_and_as_texts() -> None:
    resources = Counter(
        (
            isinstance(order["sub_total"], str),
            isinstance(order["total"], str),
            isinstance(order["order_line_items"][0]["unit_price"], str),
            isinstance(order["order_line_items"][0]["discount_amount"], str),
        )
        for order in READ_ORDERS
    )
    assert resources.keys() == {(False, True, False, True), (True, False, True, False)}
    assert 0.1 < resources[True, False, True, False] / ORDERS < 0.2
    unit_prices = Counter(
        isinstance(variant["unit_price"], str) for variant in CATALOGUE["variants"].values()
    )
    assert 0.1 < unit_prices[True] / unit_prices.total() < 0.2


def test_quantities_are_multiples_and_mostly_at_least_the_minimum() -> None:
    below = count = 0
    for order in READ_ORDERS:
        for line in order["order_line_items"]:
            item = CATALOGUE["items"][line["item_id"]]
            assert line["quantity"] > 0
            assert line["quantity"] % (item["quantity_multiplier"] or 1) == 0
            below += line["quantity"] < (item["moq"] or 1)
            count += 1
    assert 0 < below < 0.1 * count


def test_the_minimum_order_value_is_the_vendors_and_sometimes_missed() -> None:
    missed = 0
    for order in READ_ORDERS:
        minimum = order["vendor_minimum_order_value"]
        known = CATALOGUE["vendors"][order["vendor_id"]]["minimum_order_value"]
        assert (minimum is None) == (known is None)
        if minimum is not None:
            assert amount(minimum) == amount(known)
            missed += amount(order["sub_total"]) < amount(minimum)
    assert 0 < missed < 0.4 * ORDERS


def test_a_line_costs_what_the_price_list_of_the_buyer_says() -> None:
    prices = {
        (price["price_list_id"], price["variant_id"]): amount(price["unit_price"])
        for price in CATALOGUE["prices"].values()
    }
    variants = {variant["sku"]: variant for variant in CATALOGUE["variants"].values()}
    seen = Counter[str]()
    for order in READ_ORDERS:
        price_list_id = CATALOGUE["buyers"][order["buyer_id"]]["price_list_id"]
        for line in order["order_line_items"]:
            variant = variants.get(line["sku"])
            if variant is None:
                seen["item without variants"] += 1
                continue
            assert (line["item_id"], line["variant"]) == (variant["parent_id"], variant["title"])
            if price_list_id is None:
                seen["default pricing"] += 1
                assert amount(line["unit_price"]) == amount(variant["unit_price"])
            else:
                seen["price list"] += 1
                assert amount(line["unit_price"]) == prices[price_list_id, variant["id"]]
    assert min(seen.values()) > 100
    assert len(seen) == 3


def test_every_reference_resolves() -> None:
    for resource, records in (*CATALOGUE.items(), ("orders", order_records())):
        for field in RESOURCE[resource].fields:
            if field.refers_to is None:
                continue
            known = CATALOGUE[field.refers_to].keys()
            named = {record[field.name] for record in records.values()} - {None}
            assert named <= known, (resource, field.name)
    parents = {"variants": "items", "buyer_users": "buyers"}
    for resource, parent_id, record_id, _ in WORLD.catalogue():
        if resource in parents:
            assert parent_id in CATALOGUE[parents[resource]]
        else:
            assert parent_id is None
        if resource == "variants":
            assert CATALOGUE[resource][record_id]["parent_id"] == parent_id


def test_nobody_orders_before_being_there() -> None:
    for order in READ_ORDERS:
        buyer = CATALOGUE["buyers"][order["buyer_id"]]
        user = CATALOGUE["buyer_users"][order["buyer_user_id"]]
        vendor = CATALOGUE["vendors"][order["vendor_id"]]
        for party in (buyer, user, vendor):
            assert moment(party["created_at"]) <= moment(order["created_at"])
        assert user["status"] == "active"
        assert order["buyer_company_name"] == buyer["company_name"]


def order_records() -> dict[str, Record]:
    return {order["id"]: order for order in READ_ORDERS}


def test_every_record_has_exactly_the_fields_of_its_resource() -> None:
    for resource, records in CATALOGUE.items():
        names = {field.name for field in RESOURCE[resource].fields}
        for record_id, record in records.items():
            assert record.keys() == names
            assert record["id"] == record_id
    names = {field.name for field in RESOURCE["orders"].fields}
    for order in READ_ORDERS:
        is_invoiced = order["invoice_status"] != "not_invoiced"
        assert order.keys() == (names if is_invoiced else names - set(ORDER_INVOICE_FIELDS))
        for line in order["order_line_items"]:
            assert line.keys() == {field.name for field in LINE_ITEM_FIELDS}
        for comment in order["order_comments"]:
            assert comment.keys() == {field.name for field in COMMENT_FIELDS}


_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "guid": (str,),
    "text": (str,),
    "decimal": (int, Decimal, str),
    "number": (int, Decimal),
    "integer": (int,),
    "boolean": (bool,),
    "timestamp": (str,),
    "email": (str,),
    "map": (dict,),
    "texts": (list,),
    "item_options": (list,),
    "variant_options": (list,),
}


def test_every_value_of_the_catalogue_has_the_type_of_its_field() -> None:
    for resource, records in CATALOGUE.items():
        for field in RESOURCE[resource].fields:
            for record in records.values():
                check_value(field, record[field.name])


def check_value(field: Field, value: object) -> None:
    if value is None:
        assert not field.required
        return
    assert isinstance(value, _JSON_TYPES[field.type]), (field.name, value)
    if field.type == "timestamp":
        assert datetime.fromisoformat(str(value)).utcoffset() is not None
    if field.type == "guid":
        assert str(UUID(str(value))) == value
    if field.allowed:
        assert value in field.allowed


def test_states_are_those_that_are_assumed_and_all_of_them_occur() -> None:
    assert {order["status"] for order in READ_ORDERS} == set(ORDER_STATUSES.value)
    assert {order["payment_status"] for order in READ_ORDERS} == set(PAYMENT_STATUSES.value)
    assert {order["invoice_status"] for order in READ_ORDERS} == set(INVOICE_STATUSES.value)
    methods = {order["billing_payment_method_type"] for order in READ_ORDERS}
    assert methods == set(PAYMENT_METHOD_TYPES.value)
    vendors = CATALOGUE["vendors"].values()
    assert {vendor["status"] for vendor in vendors} <= set(VENDOR_STATUSES.value)
    assert {vendor["shipping_type"] for vendor in vendors} <= set(SHIPPING_TYPES.value)


def test_a_third_of_the_orders_has_comments_and_some_have_a_po_number() -> None:
    comments = Counter(len(order["order_comments"]) for order in READ_ORDERS)
    assert comments.keys() == {0, 1, 2, 3}
    assert 0.3 < 1 - comments[0] / ORDERS < 0.4
    numbered = sum(bool(order["po_number"]) for order in READ_ORDERS)
    assert 0.3 < numbered / ORDERS < 0.5


def test_names_have_accents_and_postcodes_leading_zeros() -> None:
    buyers = CATALOGUE["buyers"].values()
    assert any(buyer["zip"].startswith("0") for buyer in buyers)
    assert any(not user["full_name"].isascii() for user in CATALOGUE["buyer_users"].values())
    assert all(user["email"].isascii() for user in CATALOGUE["buyer_users"].values())
    # §2.7: numeric in the sample, so that a leading zero is lost before anybody can read it.
    assert any(vendor["zip"] < 10_000 for vendor in CATALOGUE["vendors"].values())


def test_an_item_counts_its_variants_and_no_product_code_or_sku_comes_twice() -> None:
    items, variants = CATALOGUE["items"], CATALOGUE["variants"].values()
    counts = Counter(variant["parent_id"] for variant in variants)
    for item_id, item in items.items():
        assert item["variants_count"] == counts[item_id] <= 6
    assert {item["variants_count"] for item in items.values()} == set(range(7))
    codes = [item["product_code"] for item in items.values()]
    skus = [variant["sku"] for variant in variants]
    assert len(codes + skus) == len({*codes, *skus})
    assert {item["status"] for item in items.values()} == {"draft", "published"}
    assert {variant["sku_status"] for variant in variants} == {"active", "inactive"}


def test_a_title_of_a_variant_combines_its_option_values() -> None:
    for variant in CATALOGUE["variants"].values():
        values = [option["value"] for option in variant["options"]]
        assert variant["title"] == " / ".join(values)
        options = CATALOGUE["items"][variant["parent_id"]]["options"]
        assert [option["name"] for option in variant["options"]] == [
            option["name"] for option in options
        ]
        for value, option in zip(values, options, strict=True):
            assert value in option["values"]


def test_a_later_order_is_new_and_goes_on_with_the_numbers() -> None:
    at = of(datetime.fromisoformat("2026-09-01T10:20:30.000004Z"))
    record_id, body = WORLD.orders.later(ORDERS, at)
    order = _decoder.decode(body)
    assert (record_id, body) == WORLD.orders.later(ORDERS, at)
    assert WORLD.orders.number(record_id) is None
    assert record_id not in {WORLD.orders.id(number) for number in range(ORDERS + 1)}
    assert {
        name: order[name]
        for name in ("id", "order_number", "status", "created_at", "updated_at", "invoice_status")
    } == {
        "id": record_id,
        "order_number": "00002001",
        "status": "received",
        "created_at": "2026-09-01T10:20:30.000004Z",
        "updated_at": "2026-09-01T10:20:30.000004Z",
        "invoice_status": "not_invoiced",
    }
    assert order["buyer_id"] in CATALOGUE["buyers"]
    assert set(ORDER_INVOICE_FIELDS).isdisjoint(order)


def test_a_world_without_orders_still_has_its_catalogue() -> None:
    world = World(seed=1, orders=0)
    assert len(world.orders) == 0
    assert world.orders.number(world.orders.id(0)) is None
    assert catalogue(world).keys() == CATALOGUE.keys()


def test_the_size_of_the_business_follows_its_orders() -> None:
    small, large = catalogue(World(seed=1, orders=100)), catalogue(World(seed=1, orders=200_000))
    assert (len(small["vendors"]), len(small["buyers"])) == (12, 40)
    assert (len(large["vendors"]), len(large["buyers"])) == (60, 5_000)


def test_the_world_ends_where_it_is_told_to() -> None:
    world = World(seed=1, orders=50, until=date(2030, 1, 1))
    created = [_decoder.decode(world.orders.body(number))["created_at"] for number in range(50)]
    assert (created[0][:4], created[-1][:7]) == ("2028", "2029-12")

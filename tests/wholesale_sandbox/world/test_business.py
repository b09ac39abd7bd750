"""The made-up business is the same for a seed, and true to §2 in every field."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from random import Random
from uuid import UUID

from support.records.seeded import (
    CATALOGUE,
    ORDERS,
    READ_ORDERS,
    WORLD,
    amount,
    catalogue,
    order_of,
)
from wholesale_sandbox.contract.fields import (
    COMMENT_FIELDS,
    LINE_ITEM_FIELDS,
    ORDER_INVOICE_FIELDS,
    RESOURCE,
    Field,
)
from wholesale_sandbox.world.business import World


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
    assert digest(WORLD.orders.body(number) for number in range(ORDERS)) == "2f0b475212e0ee0e"


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


def test_every_reference_resolves() -> None:
    for resource, records in (
        *CATALOGUE.items(),
        ("orders", {order["id"]: order for order in READ_ORDERS}),
    ):
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
    created = [order_of(world, number)["created_at"] for number in range(50)]
    assert (created[0][:4], created[-1][:7]) == ("2028", "2029-12")

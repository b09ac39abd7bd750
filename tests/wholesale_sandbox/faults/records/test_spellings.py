"""Spellings, as a client meets them in summaries, verbose pages and singles."""

from collections.abc import Callable

import httpx
import pytest

from support.records.forms import BASIC, LINES, ORDER, RIGHT, SINGLE, SUMMARY, VENDOR, Json, read
from wholesale_sandbox.server import Sandbox

pytestmark = pytest.mark.usefixtures("stock")

Dial = Callable[..., None]


def capital(record: Json) -> Json:
    return record | {"id": record["id"].upper()}


def dashless(record: Json) -> Json:
    return record | {"id": record["id"].replace("-", "")}


@pytest.mark.parametrize(
    ("fault", "sent"),
    [
        (
            "id-without-dashes",
            [SUMMARY, *map(dashless, (ORDER, BASIC, ORDER)), VENDOR, dashless(VENDOR)],
        ),
        (
            "id-in-capitals",
            [SUMMARY, *map(capital, (ORDER, BASIC, ORDER)), VENDOR, capital(VENDOR)],
        ),
    ],
)
def test_a_record_is_spelled_otherwise(
    dial: Dial, client: httpx.Client, fault: str, sent: list[Json]
) -> None:
    assert read(client) == RIGHT
    dial(fault)

    assert read(client) == sent


@pytest.mark.parametrize(
    ("fault", "spelled"),
    [
        ("references-in-capitals", "0000000C-0A"),
        ("references-without-dashes", "0000000c0a"),
        ("references-in-braces", "{0000000c-0a}"),
    ],
)
def test_references_are_spelled_otherwise_than_ids_those_of_lines_as_well(
    sandbox: Sandbox, dial: Dial, client: httpx.Client, fault: str, spelled: str
) -> None:
    lines = [{"item_id": "0000000c-0a", "sku": "a-b"}, {"item_id": None}]
    other = {"buyer_id": "0000000c-0a", "vendor_id": None, "order_line_items": lines}
    sandbox.put("orders", ORDER | other)
    dial(fault)

    orders = read(client)[:4]

    assert [order["id"] for order in orders] == [ORDER["id"]] * 4
    for order in (orders[0], orders[1], orders[3]):  # the basic form has none (§2.4)
        assert (order["buyer_id"], order["vendor_id"]) == (spelled, None)
    for order in orders[1:]:
        assert order["order_line_items"] == [
            {"item_id": spelled, "sku": "a-b"},
            {"item_id": None},
        ]


@pytest.mark.parametrize(
    ("fault", "whole", "exact"),
    [
        ("times-nine-digits", "2026-01-02T03:04:05.000000000Z", "2026-01-02T03:04:05.678900000Z"),
        ("times-comma", "2026-01-02T03:04:05,000000Z", "2026-01-02T03:04:05,678900Z"),
        ("times-basic", "20260102T030405Z", "20260102T030405.678900Z"),
        ("times-without-offset", "2026-01-02T03:04:05", "2026-01-02T03:04:05.678900"),
    ],
)
def test_times_come_in_another_form_of_iso_8601(
    dial: Dial, client: httpx.Client, fault: str, whole: str, exact: str
) -> None:
    dial(fault)

    times = {"created_at": whole, "updated_at": exact}
    assert read(client) == [
        *(record | times for record in RIGHT[:4]),
        *(record | {"updated_at": whole} for record in RIGHT[4:]),
    ]


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        ("names-in-camel-case", ["id", "orderNumber", "status", "total", "orderLineItems"]),
        ("names-capitalized", ["Id", "Order_number", "Status", "Total", "Order_line_items"]),
    ],
)
def test_names_come_in_another_style_those_of_lines_as_well(
    dial: Dial, client: httpx.Client, fault: str, names: list[str]
) -> None:
    dial(fault)

    order = client.get(SINGLE).json()

    assert list(order)[:5] == names
    assert list(order.values()) == [
        [
            dict(zip(line, told.values(), strict=True))
            for line, told in zip(value, LINES, strict=True)
        ]
        if isinstance(value, list)
        else value
        for value in order.values()
    ]
    line = order[names[4]][1]
    assert {name.lower(): value for name, value in line.items()} == LINES[1]


def test_an_id_comes_in_capital_or_small_letters(dial: Dial, client: httpx.Client) -> None:
    dial("id-in-either-case")

    answers = [read(client) for _ in range(8)]

    for records in zip(*answers, RIGHT, strict=True):
        *sent, right = records
        assert {record["id"] for record in sent} == {right["id"], right["id"].upper()}
        assert [record | {"id": right["id"]} for record in sent] == [right] * 8

"""The Online Retail data becomes a folder of API records without losing a digit or a line."""

import datetime
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from support.records.online_retail import SOURCE, convert
from wholesale_sandbox.storage.data_folder import FolderRecord, read

COLUMNS = pa.schema(
    [
        ("invoice_no", pa.string()),
        ("stock_code", pa.string()),
        ("description", pa.string()),
        ("quantity", pa.int32()),
        ("invoice_date", pa.timestamp("us")),
        ("unit_price", pa.decimal128(12, 3)),
        ("customer_id", pa.int32()),
        ("country", pa.string()),
    ]
)

MORNING = datetime.datetime(2010, 12, 1, 8, 26)
NOON = datetime.datetime(2010, 12, 1, 12, 0)

LINES = [
    ("536365", "85123A", "HEART HOLDER", 6, MORNING, "2.550", 17850, "United Kingdom"),
    ("536365", "71053", None, 6, MORNING, "3.390", 17850, "United Kingdom"),
    ("C536379", "D", "Discount", -1, NOON, "27.500", 14527, "EIRE"),
    ("536365", "85123A", "HEART HOLDER", 1, NOON, "2.950", 17850, "United Kingdom"),
    ("536414", "22139", None, 56, NOON, "0.000", None, "United Kingdom"),
    ("C536391", "22139", None, -56, NOON, "0.000", None, "United Kingdom"),
    ("536415", "22139", "RETRO SPOT TEA SET", 1, NOON, "0.001", None, "United Kingdom"),
]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[FolderRecord]:
    """What a folder converted from `LINES` holds."""
    folder = tmp_path_factory.mktemp("converted")
    rows = [
        dict(zip(COLUMNS.names, (*line[:5], Decimal(line[5]), *line[6:]), strict=True))
        for line in LINES
    ]
    parquet.write_table(pa.Table.from_pylist(rows, COLUMNS), folder / "source.parquet")
    convert(folder / "source.parquet", folder)
    return list(read(folder))


def bodies(records: list[FolderRecord], resource: str) -> list[dict[str, object]]:
    """The records of the resource, without their nulls; a number as the text on the wire."""
    decoder = msgspec.json.Decoder(float_hook=str)
    found = (decoder.decode(record.body) for record in records if record.resource == resource)
    return [{name: value for name, value in body.items() if value is not None} for body in found]


def test_an_invoice_is_an_order_and_keeps_its_lines_in_their_order(
    records: list[FolderRecord],
) -> None:
    order = bodies(records, "orders")[0]
    (vendor,) = bodies(records, "vendors")
    buyer = bodies(records, "buyers")[0]
    of_all_lines = {
        "variant": None,
        "discount_amount": None,
        "categoy_name": "Gifts",
        "vendor_name": "Online Retail",
    }
    heart, lantern = (item["id"] for item in bodies(records, "items")[:2])
    assert order == {
        "id": order["id"],
        "order_number": "536365",
        "status": "received",
        "sub_total": "38.59",
        "total": "38.59",
        "shipping_country": "United Kingdom",
        "order_line_items": [
            {
                "item_id": heart,
                "title": "HEART HOLDER",
                "sku": "85123A",
                "quantity": 6,
                "unit_price": "2.55",
                "total_price": "15.3",
                **of_all_lines,
            },
            {
                "item_id": lantern,
                "title": "71053",
                "sku": "71053",
                "quantity": 6,
                "unit_price": "3.39",
                "total_price": "20.34",
                **of_all_lines,
            },
            {
                "item_id": heart,
                "title": "HEART HOLDER",
                "sku": "85123A",
                "quantity": 1,
                "unit_price": "2.95",
                "total_price": "2.95",
                **of_all_lines,
            },
        ],
        "order_comments": [],
        "vendor_id": vendor["id"],
        "vendor_name": "Online Retail",
        "buyer_id": buyer["id"],
        "buyer_company_name": "Customer 17850",
        "created_at": "2010-12-01T08:26:00Z",
        "updated_at": "2010-12-01T08:26:00Z",
    }


def test_orders_come_in_the_order_of_their_first_line(records: list[FolderRecord]) -> None:
    orders = bodies(records, "orders")
    assert [(order["order_number"], order["status"], order["total"]) for order in orders] == [
        ("536365", "received", "38.59"),
        ("C536379", "cancelled", "-27.5"),
        ("536414", "received", "0"),
        ("C536391", "cancelled", "0"),
        ("536415", "received", "0.001"),
    ]


def test_a_customer_is_a_buyer_and_an_order_without_one_has_none(
    records: list[FolderRecord],
) -> None:
    buyers = {
        (buyer["id"], buyer["company_name"], buyer["country"])
        for buyer in bodies(records, "buyers")
    }
    orders = bodies(records, "orders")
    assert buyers == {
        (orders[0]["buyer_id"], "Customer 17850", "United Kingdom"),
        (orders[1]["buyer_id"], "Customer 14527", "EIRE"),
    }
    assert ["buyer_id" in order for order in orders] == [True, True, False, False, False]


def test_a_stock_code_is_an_item_with_one_variant_and_its_latest_price(
    records: list[FolderRecord],
) -> None:
    items = bodies(records, "items")
    variants = bodies(records, "variants")
    prices = bodies(records, "prices")
    assert [
        (item["product_code"], item["title"], item["unit_price"], item["variants_count"])
        for item in items
    ] == [
        ("85123A", "HEART HOLDER", "2.95", 1),
        ("71053", "71053", "3.39", 1),
        ("D", "Discount", "27.5", 1),
        ("22139", "RETRO SPOT TEA SET", "0.001", 1),
    ]
    assert [variant["parent_id"] for variant in variants] == [item["id"] for item in items]
    assert [
        (price["variant_id"], price["item_id"], price["unit_price"], price["updated_at"])
        for price in prices
    ] == [
        (variants[0]["id"], items[0]["id"], "2.95", "2010-12-01T12:00:00Z"),
        (variants[1]["id"], items[1]["id"], "3.39", "2010-12-01T08:26:00Z"),
        (variants[2]["id"], items[2]["id"], "27.5", "2010-12-01T12:00:00Z"),
        (variants[3]["id"], items[3]["id"], "0.001", "2010-12-01T12:00:00Z"),
    ]


@pytest.mark.skipif(not SOURCE.exists(), reason="the Online Retail data is not at hand")
@pytest.mark.long
def test_the_whole_history_keeps_its_known_totals(tmp_path: Path) -> None:
    convert(SOURCE, tmp_path)
    counts: dict[str, int] = {}
    lines = largest = 0
    line_sum = order_sum = Decimal()
    for record, total_prices in with_total_prices(tmp_path):
        counts[record.resource] = counts.get(record.resource, 0) + 1
        lines += len(total_prices)
        largest = max(largest, len(total_prices))
        line_sum += sum(total_prices)
        if record.resource == "orders":
            order_sum += Decimal(msgspec.json.decode(record.body, type=OrderTotal).total)
    assert counts == {
        "orders": 25_900,
        "vendors": 1,
        "buyers": 4_372,
        "items": 4_070,
        "variants": 4_070,
        "price_lists": 1,
        "prices": 4_070,
        "categories": 1,
    }
    assert (lines, largest) == (541_909, 1_114)
    assert line_sum == order_sum == Decimal("9747747.934")


class LineTotal(msgspec.Struct):
    total_price: Decimal


class OrderLines(msgspec.Struct):
    order_line_items: list[LineTotal] = []


class OrderTotal(msgspec.Struct):
    total: str


def with_total_prices(folder: Path) -> Iterator[tuple[FolderRecord, list[Decimal]]]:
    """Each record with the `total_price` of its lines, exactly as the digits on the wire."""
    decoder = msgspec.json.Decoder(OrderLines)
    for record in read(folder):
        lines = decoder.decode(record.body).order_line_items if record.resource == "orders" else []
        yield record, [line.total_price for line in lines]

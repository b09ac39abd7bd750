"""A credit note becomes an edit of the order it is of, and the sales of a month stay the file's."""

import datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from support.records.online_retail import guid, timestamp
from support.records.online_retail_months import Month, Replay
from support.records.test_online_retail import COLUMNS

FIRST, SECOND, THIRD = (datetime.datetime(2010, month, 1, 9) for month in (10, 11, 12))
LINES = [
    ("1", "A", "HEART", 6, FIRST, "2.500", 7, "EIRE"),
    ("1", "B", "BELL", 2, FIRST, "3.000", 7, "EIRE"),
    ("2", "A", "HEART", 4, FIRST, "2.500", 8, "EIRE"),
    ("C3", "A", "HEART", -4, SECOND, "2.500", 8, "EIRE"),
    ("C3", "D", "Discount", -1, SECOND, "1.250", 8, "EIRE"),
    ("C4", "A", "HEART", -1, SECOND, "2.500", 7, "EIRE"),
    ("C5", "B", "BELL", -2, THIRD, "3.000", 7, "EIRE"),
    ("C6", "A", "HEART", -6, THIRD, "2.500", 7, "EIRE"),
    ("7", "B", "BELL", 1, THIRD, "3.000", None, "EIRE"),
]


@pytest.fixture
def months(tmp_path: Path) -> list[Month]:
    rows = [
        dict(zip(COLUMNS.names, (*line[:5], Decimal(line[5]), *line[6:]), strict=True))
        for line in LINES
    ]
    parquet.write_table(pa.Table.from_pylist(rows, schema=COLUMNS), tmp_path / "source.parquet")
    return list(Replay().months(tmp_path / "source.parquet"))


def told(month: Month) -> list[tuple[str, str, str, list[int], str]]:
    return [
        (
            *(order["order_number"], order["status"], order["total"]),
            [line["quantity"] for line in order["order_line_items"]],
            order["updated_at"],
        )
        for order in month.records["orders"]
    ]


def test_what_is_credited_later_is_an_order_with_less_or_a_cancelled_one(
    months: list[Month],
) -> None:
    first, second, third = map(timestamp, (FIRST, SECOND, THIRD))

    assert [told(month) for month in months] == [
        [("1", "received", "21", [6, 2], first), ("2", "received", "10", [4], first)],
        [
            ("2", "cancelled", "10", [4], second),
            ("C3", "received", "-1.25", [-1], second),
            ("1", "received", "18.5", [5, 2], second),
        ],
        [
            ("1", "received", "12.5", [5], third),
            ("C6", "received", "-15", [-6], third),
            ("7", "received", "3", [1], third),
        ],
    ]


def test_what_the_orders_of_a_month_give_adds_up_to_all_lines_until_then(
    months: list[Month],
) -> None:
    assert [sum(month.gives.values()) for month in months] == [
        *(Decimal("31.000"), Decimal("17.250"), Decimal("-0.750")),
    ]
    assert months[1].gives[guid("invoice", "1")] == Decimal("18.500")
    assert guid("invoice", "2") not in months[1].gives


def test_a_buyer_and_a_product_are_told_once(months: list[Month]) -> None:
    assert [
        {resource: len(found) for resource, found in month.records.items() if resource != "orders"}
        for month in months
    ] == [
        {
            **{"vendors": 1, "categories": 1, "price_lists": 1},
            **{"buyers": 2, "items": 2, "variants": 2, "prices": 2},
        },
        {"items": 1, "variants": 1, "prices": 1},
        {},
    ]

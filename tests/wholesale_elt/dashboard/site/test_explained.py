"""A change is split into parts that add up to it, in the page as in Python, to the last digit."""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from random import Random
from typing import Any

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts
from wholesale_elt.figures import (
    Explained,
    compact_in,
    document_of,
    line_of,
    quotient,
    read_metrics,
)
from wholesale_elt.figures.explained import asked_to_explain, explain_change

METRICS = (
    *("sales", "orders", "active_buyers", "average_order_value", "units", "lines"),
    *("product_sales", "product_units", "product_orders", "product_buyers", "average_unit_price"),
)
Values = dict[str, Any]


@pytest.fixture(scope="module")
def page() -> Iterator[Scripts]:
    metrics = {
        name: {"unit": metric.unit, **({"parts": metric.parts} if metric.parts else {})}
        for name, metric in read_metrics().items()
    }
    with loaded_scripts("data", "decimals", "days", "format", "explained") as scripts:
        scripts.evaluate(f"(wholesale.meta = {{ metrics: {json.dumps(metrics)} }}, null)")
        scripts.evaluate("(wholesale.format.useCurrency('USD'), null)")
        yield scripts


def world(luck: Random, names: Sequence[str]) -> tuple[Values, list[Values]]:
    """Figures by buyer and their total, of every size, some without an amount or a name."""
    known = read_metrics()
    counted = [name for name in names if not known[name].parts]
    digits = luck.choice((2, 6, 9))
    rows = []
    for number in range(luck.randrange(6)):
        row: Values = {"buyer": luck.choice((f"b{number}", None)), "buyer_name": f"Buyer {number}"}
        for name in counted:
            for ending in ("", "_before"):
                count = luck.choice((0, 0, 1, luck.randrange(50)))
                value = Decimal(luck.randrange(-(10**12), 10**16)).scaleb(-digits)
                row[name + ending] = value if known[name].type.startswith("decimal") else count
        rows.append(row)
    total: Values = {}
    with localcontext(prec=76):
        for ending in ("", "_before"):
            for name in counted:
                total[name + ending] = sum((row[name + ending] for row in rows), start=0)
            for values in (total, *rows):
                for name in names:
                    if parts := known[name].parts:
                        above, below = (values[part + ending] for part in parts)
                        values[name + ending] = quotient(above, below) if below else None
    return total, rows


def as_page(total: Values, rows: Sequence[Values]) -> Mapping[str, Any]:
    def text(value: Any) -> Any:
        return f"{value:f}" if isinstance(value, Decimal) else value

    def values(row: Values) -> Values:
        return {name: text(value) for name, value in row.items() if not name.startswith("buyer")}

    return {
        "total": values(total),
        "rows": [
            {"keys": {"buyer": row["buyer"]}, "names": {"buyer": row["buyer_name"]}, **values(row)}
            for row in rows
        ],
    }


def said(explained: Explained | None) -> Any:
    """As the page has it."""
    if explained is None:
        return None
    document = document_of(explained)
    largest = document["largest"]
    return {
        "metric": document["metric"],
        "difference": plain(document["difference"]),
        "effects": [
            {
                "effect": each["effect"],
                "count": None if each["count"] is None else plain(each["count"]),
                "amount": plain(each["amount"]),
            }
            for each in document["effects"]
        ],
        "largest": largest
        and {
            "by": "buyer",
            "key": largest["buyer"],
            "name": largest["buyer_name"],
            "amount": plain(largest["amount"]),
            "share": plain(largest["share"]),
        },
    }


def plain(value: Decimal | int) -> str:
    text = f"{Decimal(value):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@pytest.mark.parametrize("metric", METRICS)
def test_the_parts_of_a_change_are_the_same_on_the_page_and_add_up(
    page: Scripts, metric: str
) -> None:
    luck = Random(metric)
    names = asked_to_explain([metric])
    assert page.call("explained.asked", [metric]) == names
    explained = 0
    for _ in range(200):
        total, rows = world(luck, names)
        mine = explain_change(metric, total, rows)
        answer = as_page(total, rows)
        theirs = page.call("explained.explain", metric, answer)
        assert theirs == said(mine)
        if mine is not None:
            explained += 1
            with localcontext(prec=76):
                assert sum(each.amount for each in mine.effects) == mine.now - mine.before
            line = line_of(mine, compact_in("USD"))
            theirs_line = page.call("explained.lineOf", theirs)
            assert theirs_line.translate({0x2212: "-", 0x202F: " "}) == line
    assert explained > 20


def test_a_change_is_split_as_people_would_say_it() -> None:
    total = {
        **{"sales": Decimal("206965"), "sales_before": Decimal("231278")},
        **{"orders": 215, "orders_before": 230},
        **{"orders_with_an_amount": 215, "orders_with_an_amount_before": 230},
    }
    rows = [
        {"buyer": "1", "buyer_name": "Blue Door", "sales": 0, "sales_before": 4000},
        {"buyer": "2", "buyer_name": "Red Door", "sales": 206965, "sales_before": 227278},
    ]
    explained = explain_change("sales", total, rows)
    assert explained is not None
    assert [(each.effect, each.count, each.amount) for each in explained.effects] == [
        ("orders", -15, Decimal("-15083.347826")),
        ("order size", None, Decimal("-9229.652174")),
    ]
    line = "15 fewer orders -$15.1 k, order size -$9.2 k; Red Door is 84%"
    assert line_of(explained, compact_in("USD")) == line


@pytest.mark.parametrize(
    "total",
    [
        {"sales": None, "sales_before": 1, "orders_with_an_amount": 0},
        {"sales": 5, "sales_before": None, "orders_with_an_amount": 1},
        {"sales": 5, "sales_before": 5, "orders_with_an_amount": 1},
        {"sales": 5, "sales_before": 0, "orders_with_an_amount": 1},
    ],
)
def test_what_cannot_be_split_is_not_explained(total: Values) -> None:
    whole = {"orders": 1, "orders_before": 0, "orders_with_an_amount_before": 0, **total}
    assert explain_change("sales", whole, []) is None
    assert explain_change("cancelled_orders", {"cancelled_orders": 2, **whole}, []) is None

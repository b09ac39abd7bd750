"""An address of what there is not: it is told, with the nearest right thing."""

import json
import re
from collections.abc import Iterator

import pytest

from support.warehouses.javascript import SITE, Scripts, loaded_scripts
from wholesale_elt.dashboard.pages import PAGES

META = {
    "figures_from": "2024-11-29",
    "figures_up_to": "2026-11-28",
    "pages": [{"name": page.name, "title": page.title} for page in PAGES],
    "metrics": {"sales": {"label": "Sales"}, "orders": {"label": "Orders"}},
    "dimensions": {"fct_orders": {"vendor": "order", "city": "order"}, "fct_order_lines": {}},
    "states": {},
}
STUBS = """
    Object.assign(wholesale, {
        controls: { periodName: (name) => name },
        todo: { LISTS: { overdue: { title: "Shipped and unpaid" }, silent: { title: "Silent" } } },
        terms: [{ id: "late-buyer", term: "Late buyer" }],
    }) && 1
"""
OWN = re.compile(r"\bview\.own\.(\w+)|\bown: \{ (\w+)")


@pytest.fixture(scope="module")
def address() -> Iterator[Scripts]:
    names = ("data", "decimals", "days", "format", "axes", "view", "nearest", "address")
    with loaded_scripts(*names) as scripts:
        scripts.evaluate(f"(wholesale.meta = {json.dumps(META)}, {STUBS})")
        yield scripts


@pytest.mark.parametrize(
    "hash_",
    [
        *("", "#", "#/", "#/today", "#/sales", "#/buyer/any", "#/today/overdue"),
        *("#/glossary/late-buyer", "#/fulfilment/sent", "#/sales?buyers.sort=-x"),
        "#/sales?period=2026-05&compare=period&metric=orders&grain=day&by=state&whole=2026",
        "#/sales?period=2001",
        "#/orders?payment=owed&days=60&city=Boston&vendor=a",
        "#/explore?metric=orders&by=city&shape=time",
    ],
)
def test_a_right_address_is_not_wrong(address: Scripts, hash_: str) -> None:
    assert address.call("address.wrongIn", hash_) == []


@pytest.mark.parametrize(
    ("hash_", "nearest"),
    [
        ("#/nonsense", None),
        ("#/Sales", "#/sales"),
        ("#/salse?period=2026-05", "#/sales?period=2026-05"),
        ("#/buyr/12", "#/buyer/12"),
        ("#/today/nope", None),
        ("#/today/overdu", "#/today/overdue"),
        ("#/sales/x", None),
        ("#/fulfilment/snt", "#/fulfilment/sent"),
        ("#/glossary/late-buyr", "#/glossary/late-buyer"),
        ("#/sales?period=garbage", None),
        ("#/sales?period=2027-05", "#/sales?period=2026-11"),
        ("#/sales?period=2027", "#/sales?period=2026"),
        ("#/sales?period=2026-13", "#/sales?period=2026-11"),
        ("#/sales?period=2026-5", "#/sales?period=2026-05"),
        ("#/sales?period=5/2026", "#/sales?period=2026-05"),
        ("#/sales?period=Q3 2026", "#/sales?period=2026-Q3"),
        ("#/sales?period=2026-q3", "#/sales?period=2026-Q3"),
        ("#/sales?period=Last 28 days", "#/sales?period=last_28_days"),
        ("#/sales?period=last_28_dys", "#/sales?period=last_28_days"),
        (
            "#/sales?period=2026-05-09..2026-05-01",
            "#/sales?period=2026-05-01..2026-05-09",
        ),
        ("#/sales?compare=never", None),
        ("#/sales?compare=perid", "#/sales?compare=period"),
        ("#/sales?metric=order", "#/sales?metric=orders"),
        ("#/sales?metric=xyz", None),
        ("#/sales?grain=weeks", "#/sales?grain=week"),
        ("#/sales?period=all_time&grain=day", "#/sales?period=all_time"),
        ("#/sales?by=vendr", "#/sales?by=vendor"),
        ("#/sales?vendr=a,b", "#/sales?vendor=a%2Cb"),
        ("#/sales?city=Boston", None),
        ("#/orders?citi=Boston", "#/orders?city=Boston"),
        ("#/orders?payment=owd", "#/orders?payment=owed"),
    ],
)
def test_what_is_wrong_is_told_with_the_nearest_right_thing(
    address: Scripts, hash_: str, nearest: str | None
) -> None:
    [wrong] = address.call("address.wrongIn", hash_)
    assert wrong["said"]
    assert wrong["shown"]
    assert wrong.get("hash") == nearest
    if nearest:
        assert address.call("address.wrongIn", nearest) == []


def test_each_of_several_wrong_things_is_told(address: Scripts) -> None:
    wrong = address.call("address.wrongIn", "#/sales?period=x&compare=y&metric=z&grain=w")
    assert len(wrong) == 4


def test_each_page_declares_its_choices(address: Scripts) -> None:
    declared = address.evaluate("Object.keys(wholesale.address.CHOICES)")
    assert {page.name for page in PAGES} <= set(declared), "declare it in address.js: CHOICES"


def test_choices_that_pages_read_are_declared(address: Scripts) -> None:
    declared = set(
        address.evaluate("Object.values(wholesale.address.CHOICES).flatMap(Object.keys)")
    )
    read = {
        name
        for path in SITE.rglob("*.js")
        for found in OWN.findall(path.read_text("utf-8"))
        for name in found
        if name
    }
    assert read - declared == set(), "declare them in address.js: CHOICES"

"""Bodies, as a client meets them in summaries, verbose pages and singles."""

import json
from collections.abc import Callable

import httpx
import pytest

from support.records.forms import (
    BASIC,
    LINES,
    ORDER,
    RIGHT,
    SINGLE,
    SUMMARY,
    VENDOR,
    Json,
    read,
    without,
)
from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = pytest.mark.usefixtures("stock")

Dial = Callable[..., None]


@pytest.mark.parametrize(
    ("fault", "sent"),
    [
        (
            "body-as-summary",
            [SUMMARY, SUMMARY, without("invoice_status", SUMMARY), SUMMARY, VENDOR, VENDOR],
        ),
        (
            "lines-null",
            [
                SUMMARY,
                *({**order, "order_line_items": None} for order in (ORDER, BASIC, ORDER)),
                *(VENDOR, VENDOR),
            ],
        ),
        (
            "lines-missing",
            [
                SUMMARY,
                *(without("order_line_items", order) for order in (ORDER, BASIC, ORDER)),
                *(VENDOR, VENDOR),
            ],
        ),
        (
            "invoice-status-missing",
            [
                SUMMARY,
                *(without("invoice_status", order) for order in (ORDER, BASIC, ORDER)),
                *(VENDOR, VENDOR),
            ],
        ),
        (
            "lines-cut-off",
            [SUMMARY, ORDER | {"order_line_items": LINES[:2]}, *RIGHT[2:]],
        ),
        (
            "lines-in-short",
            [
                SUMMARY,
                ORDER
                | {
                    "order_line_items": [
                        {name: line[name] for name in ("item_id", "quantity") if name in line}
                        for line in LINES
                    ]
                },
                *RIGHT[2:],
            ],
        ),
        (
            "addresses-hidden",
            [
                SUMMARY,
                {
                    name: value
                    for name, value in ORDER.items()
                    if not name.startswith(("shipping_", "billing_"))
                },
                *RIGHT[2:],
            ],
        ),
        ("version-missing", [without("updated_at", record) for record in RIGHT]),
        (
            "version-of-all",
            [record | {"updated_at": "2026-01-01T00:00:00Z"} for record in RIGHT],
        ),
        (
            "lists-in-basic-form",
            [SUMMARY, SUMMARY, BASIC, SUMMARY, VENDOR, VENDOR],
        ),
        (
            "names-alone",
            [
                *({name: SUMMARY[name] for name in ("id", "status")},) * 2,
                *RIGHT[2:4],
                {name: VENDOR[name] for name in ("id", "name", "status") if name in VENDOR},
                VENDOR,
            ],
        ),
        (
            "lines-by-key",
            [
                SUMMARY,
                *(
                    order
                    | {"order_line_items": {f"line-{n + 1}": it for n, it in enumerate(LINES)}}
                    for order in (ORDER, BASIC, ORDER)
                ),
                *(VENDOR, VENDOR),
            ],
        ),
        (
            "total-in-words",
            [
                *(
                    order | {"total": f"{order['total']} EUR"} if order["total"] else order
                    for order in RIGHT[:4]
                ),
                *(VENDOR, VENDOR),
            ],
        ),
        ("status-in-array", [SUMMARY | {"status": [SUMMARY["status"]]}, *RIGHT[1:]]),
        (
            "summary-note",
            [SUMMARY | {"internal_note": None}, *RIGHT[1:]],
        ),
    ],
)
def test_a_record_is_sent_in_another_form(
    dial: Dial, client: httpx.Client, fault: str, sent: list[Json]
) -> None:
    assert read(client) == RIGHT
    dial(fault)

    assert read(client) == sent


def test_a_record_fails_the_service_wherever_it_is_shown_in_full(
    dial: Dial, client: httpx.Client, sandbox: Sandbox
) -> None:
    dial("body-fails", resources=["orders"])
    paths = ("/orders", SINGLE, f"{SINGLE}?verbose=true", "/orders?verbose=true", "/vendors")

    assert [client.get(path).status_code for path in paths] == [200, 500, 500, 500, 200]
    assert client.get("/orders").json()["data"] == [SUMMARY]
    assert client.get("/orders?verbose=true&page=2").status_code == 200


EMPTY_LISTS: Json = {"order_line_items": [], "order_comments": []}


def test_empty_lists_of_children_are_null(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    sandbox.put("orders", ORDER | EMPTY_LISTS)
    sandbox.put("items", {"id": "i", "options": [], "tags": []})
    dial("empty-lists-null")

    orders = read(client)[1:4]

    assert [{name: order[name] for name in EMPTY_LISTS} for order in orders] == [
        dict.fromkeys(EMPTY_LISTS)
    ] * 3
    assert client.get("/items/i").json() == {"id": "i", "options": None, "tags": []}
    sandbox.delete("items", "i")


def test_fields_that_are_null_and_lists_that_are_empty_are_left_out(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    sandbox.put("orders", ORDER | EMPTY_LISTS | {"po_number": None})
    dial("empty-left-out")

    orders = read(client)[1:4]

    empty = {"po_number", *EMPTY_LISTS}
    kept = {name: value for name, value in ORDER.items() if name not in empty}
    assert [order.keys() & empty for order in orders] == [set()] * 3
    assert orders[0] == {name: value for name, value in kept.items() if value is not None}


def test_pages_hide_comments_that_single_reads_show(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    comments = [{"body": "late"}]
    sandbox.put("orders", ORDER | {"order_comments": comments})
    dial("comments-hidden")

    _, page, *singles = read(client)[:4]

    assert [order["order_comments"] for order in (page, *singles)] == [[], comments, comments]


def test_lines_come_in_another_order_each_time(dial: Dial, client: httpx.Client) -> None:
    dial("lines-in-another-order")

    orders = [client.get(SINGLE).json() for _ in range(8)]

    skus = {tuple(line["sku"] for line in order["order_line_items"]) for order in orders}
    assert len(skus) > 3
    for order in orders:
        lines = sorted(order["order_line_items"], key=lambda line: str(line["sku"]))
        assert order | {"order_line_items": lines} == BASIC


def test_a_summary_counts_what_section_2_does_not_know(dial: Dial, client: httpx.Client) -> None:
    dial("summary-counter")

    told = [read(client) for _ in range(3)]

    assert len({records[0].pop("times_viewed") for records in told}) == 3
    assert told == [RIGHT] * 3


def test_a_body_lags_behind_its_summary() -> None:
    lag = [{"fault": "body-lags", "seconds": 3600}]
    key = {"X-API-Key": "sandbox"}
    with (
        Sandbox(SandboxSettings(orders=1, dials={"faults": lag})) as sandbox,
        httpx.Client(base_url=sandbox.base_url, headers=key, verify=NOBODY, timeout=None) as client,
    ):
        (before,) = client.get("/orders?verbose=true").json()["data"]
        (vendor, *_) = client.get("/vendors").json()["data"]
        moved = {"updated_at": "2026-12-31T00:00:00Z", "status": "lost"}
        sandbox.put("orders", before | moved)
        sandbox.put("orders", before | moved | {"total": "1.00"})
        sandbox.put("vendors", vendor | {"name": "New"})
        sandbox.put("orders", ORDER)
        paths = [
            *("/orders", "/orders?verbose=true", f"/orders/{before['id']}?verbose=true"),
            *(f"/vendors/{vendor['id']}", SINGLE),
        ]
        summaries, bodies, single, single_vendor, younger = [client.get(path) for path in paths]
        sandbox.dials.change({"faults": [{"fault": "body-lags", "seconds": 0}]})
        now = [client.get(path).json() for path in paths]

    shown = summaries.json()["data"][0]
    assert (shown["updated_at"], shown["total"]) == (moved["updated_at"], "1.00")
    assert summaries.json() == now[0]
    assert bodies.json()["data"] == [before, ORDER]
    assert (single.json(), single_vendor.json()) == (before, vendor)
    assert (younger.status_code, younger.json()["error"]) == (404, "Resource not found")
    assert now[1:] == [
        bodies.json() | {"data": [before | moved | {"total": "1.00"}, ORDER]},
        *(before | moved | {"total": "1.00"}, vendor | {"name": "New"}, BASIC),
    ]


def test_a_row_is_missing_in_lists_and_there_by_its_id(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()
    dial("row-missing")

    assert client.get("/orders").json() == right | {"data": []}
    assert client.get(SINGLE).json() == BASIC


def test_a_share_is_one_of_the_records_and_of_the_same_ones_each_time(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    ids = [f"b{number}" for number in range(100)]
    for brand_id in ids:
        sandbox.put("brands", {"id": brand_id})
    dial("id-in-capitals", "row-missing", resources=["brands"], share=0.2)

    respelled = [
        brand_id for brand_id in ids if client.get(f"/brands/{brand_id}").json() != {"id": brand_id}
    ]
    pages = [client.get("/brands?limit=250").json()["data"] for _ in range(3)]
    listed = [brand["id"] for brand in pages[0]]

    assert 10 < len(respelled) < 30
    assert respelled == [
        brand_id for brand_id in ids if client.get(f"/brands/{brand_id}").json() != {"id": brand_id}
    ]
    assert pages == [pages[0]] * 3
    assert 10 < len(set(ids) - set(listed)) < 30
    assert set(ids) - set(listed) != set(respelled)
    for brand_id in ids:
        sandbox.delete("brands", brand_id)


def test_a_record_that_is_no_object_is_sent_as_it_is(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    sandbox.storage.collection("brands").put("b", b"[1,2]")
    dial("id-in-capitals", "names-capitalized")

    assert json.loads(client.get("/brands/b").content) == [1, 2]
    sandbox.delete("brands", "b")


def test_a_count_of_variants_lags_behind_them() -> None:
    lag = [{"fault": "count-lags", "seconds": 3600}]
    with (
        Sandbox(SandboxSettings(orders=1, dials={"faults": lag})) as sandbox,
        httpx.Client(
            base_url=sandbox.base_url, headers={"X-API-Key": "sandbox"}, verify=NOBODY, timeout=None
        ) as client,
    ):
        (before, *_) = client.get("/items").json()["data"]
        young = before | {"id": "0000000c-0a", "variants_count": 2}
        sandbox.put("items", before | {"variants_count": 9, "title": "New"})
        sandbox.put("items", young)
        old, new = (client.get(f"/items/{item['id']}").json() for item in (before, young))
        (vendor, *_) = client.get("/vendors").json()["data"]

    assert old == before | {"title": "New"}
    assert new == young | {"variants_count": 0}
    assert "variants_count" not in vendor

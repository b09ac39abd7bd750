"""Forms: an order and a vendor in each form in which a sandbox sends them (§2.4, §2.7)."""

from typing import Any

import httpx

Json = dict[str, Any]


LINES = [{"sku": f"s{number}", "quantity": number} for number in range(6)]


ORDER: Json = {
    "id": "00000000-0000-4000-8000-00000000000a",
    "order_number": "007",
    "total": "9.50",
    "order_line_items": LINES,
    "created_at": "2026-01-02T03:04:05Z",
    "updated_at": "2026-01-02T03:04:05.678900Z",
    "invoice_status": "invoiced",
    "status": "shipped",
}


SUMMARY = {name: value for name, value in ORDER.items() if name != "order_line_items"}


BASIC = {name: value for name, value in ORDER.items() if name != "invoice_status"}


VENDOR = {"id": "0000000b", "name": "Clay", "updated_at": "2026-01-02T03:04:05Z"}


SINGLE = f"/orders/{ORDER['id']}"


RIGHT = [SUMMARY, ORDER, BASIC, ORDER, VENDOR, VENDOR]


def without(name: str, record: Json) -> Json:
    return {key: value for key, value in record.items() if key != name}


def read(client: httpx.Client) -> list[Json]:
    """The order and the vendor: summary, verbose page, single, verbose single; page, single."""
    (summary,) = client.get("/orders").json()["data"]
    (page,) = client.get("/orders?verbose=true").json()["data"]
    single, verbose = client.get(SINGLE).json(), client.get(f"{SINGLE}?verbose=true").json()
    (vendor_page,) = client.get("/vendors").json()["data"]
    vendor = client.get(f"/vendors/{VENDOR['id']}").json()
    return [summary, page, single, verbose, vendor_page, vendor]

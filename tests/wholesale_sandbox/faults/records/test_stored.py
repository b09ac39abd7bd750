"""Stored records, as every answer shows them after something was planted in them."""

import json
from collections.abc import Iterator

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

KEY = {"X-API-Key": "sandbox"}
AMOUNTS = {
    *("sub_total", "total", "transaction_fee", "vendor_minimum_order_value"),
    *("order_line_items_discount_amount", "unit_price", "total_price", "discount_amount"),
}


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(orders=100)) as sandbox:
        yield sandbox


def test_what_is_planted_is_what_its_line_says(sandbox: Sandbox, client: httpx.Client) -> None:
    def body(fault: str) -> str:
        (done,) = httpx.post(
            f"{sandbox.admin_url}/plants", json={"fault": fault}, verify=NOBODY, timeout=None
        ).json()
        return client.get(f"/orders/{done['id']}").text

    assert '"id":null' in body("id-null")
    assert '"id"' not in json.loads(body("id-missing"))
    assert isinstance(json.loads(body("id-number"))["id"], int)
    assert json.loads(body("id-text"))["id"].startswith("NO-")
    assert '"total":"12,50"' in body("amount-comma")
    assert '"total":12.3456789012' in body("amount-fine")
    assert '"total":1.25e3' in body("amount-exponent")
    assert f'"total":{"9" * 50}' in body("amount-long")
    assert '"created_at":"yesterday"' in body("time-word")
    assert '"created_at":1767225600' in body("time-number")
    assert "\\u0000" in body("nul")
    assert "\\ud83d" in body("lone-surrogate")
    assert len(body("megabyte")) > 1_000_000


def test_swapped_amounts_are_the_same_amounts_in_the_other_kind() -> None:
    with Sandbox(SandboxSettings(orders=40)) as running:
        url = f"{running.base_url}/orders?verbose=true&limit=40"
        shown = httpx.get(url, headers=KEY, verify=NOBODY, timeout=None).json()["data"]
        httpx.post(
            f"{running.admin_url}/plants",
            json={"fault": "amounts-swapped", "times": 40},
            verify=NOBODY,
            timeout=None,
        ).raise_for_status()
        swapped = httpx.get(url, headers=KEY, verify=NOBODY, timeout=None).json()["data"]

    for before, after in zip(shown, swapped, strict=True):
        lines = before.pop("order_line_items"), after.pop("order_line_items")
        for record, other in [(before, after), *zip(*lines, strict=True)]:
            changed = {name for name in record if record[name] != other[name]}
            assert changed == {name for name in AMOUNTS & record.keys() if record[name] is not None}
            for name in changed:
                assert {type(record[name]), type(other[name])} in ({str, int}, {str, float})
                assert float(record[name]) == float(other[name])

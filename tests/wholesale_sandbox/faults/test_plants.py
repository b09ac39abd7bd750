"""Strange values stand in stored records: lists, single reads and the truth show the same."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from wholesale_sandbox.faults.plants import Plant, PlantError, plant
from wholesale_sandbox.faults.registry import PLANTED
from wholesale_sandbox.server import Sandbox, SandboxError
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.database import Storage

KEY = {"X-API-Key": "sandbox"}
AMOUNTS = {
    *("sub_total", "total", "transaction_fee", "vendor_minimum_order_value"),
    *("order_line_items_discount_amount", "unit_price", "total_price", "discount_amount"),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(orders=100)) as running:
        yield running


def planted(sandbox: Sandbox, fault: str, **more: Any) -> dict[str, str]:
    response = httpx.post(f"{sandbox.admin_url}/plants", json={"fault": fault, **more})
    (done,) = response.json()
    return dict(done)


@pytest.mark.parametrize("fault", PLANTED)
def test_every_answer_and_the_truth_show_what_was_planted(sandbox: Sandbox, fault: str) -> None:
    done = planted(sandbox, fault)

    single = httpx.get(
        f"{sandbox.base_url}/orders/{done['id']}", params={"verbose": "true"}, headers=KEY
    )
    verbose = httpx.get(
        f"{sandbox.base_url}/orders", params={"limit": 250, "verbose": "true"}, headers=KEY
    )

    assert done == {"fault": fault, "resource": "orders", "id": done["id"]}
    assert single.content in verbose.content
    truth = httpx.get(f"{sandbox.admin_url}/truth/orders").content.splitlines()
    assert single.content in truth
    assert len(truth) == 100


def test_what_is_planted_is_what_its_line_says(sandbox: Sandbox) -> None:
    def body(fault: str) -> str:
        return httpx.get(
            f"{sandbox.base_url}/orders/{planted(sandbox, fault)['id']}", headers=KEY
        ).text

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
        shown = httpx.get(url, headers=KEY).json()["data"]
        httpx.post(
            f"{running.admin_url}/plants", json={"fault": "amounts-swapped", "times": 40}
        ).raise_for_status()
        swapped = httpx.get(url, headers=KEY).json()["data"]

    for before, after in zip(shown, swapped, strict=True):
        lines = before.pop("order_line_items"), after.pop("order_line_items")
        for record, other in [(before, after), *zip(*lines, strict=True)]:
            changed = {name for name in record if record[name] != other[name]}
            assert changed == {name for name in AMOUNTS & record.keys() if record[name] is not None}
            for name in changed:
                assert {type(record[name]), type(other[name])} in ({str, int}, {str, float})
                assert float(record[name]) == float(other[name])


def test_a_resource_without_such_a_field_is_said() -> None:
    storage = Storage()
    storage.collection("brands").put("b", b'{"id":"b","title":"Kiste"}')

    with pytest.raises(PlantError) as refused:
        plant(storage, [Plant("nul", ["brands"]), Plant("amount-comma", ["brands"])], 1)

    assert (
        str(refused.value)
        == "amount-comma: only 0 of the brands can have it; serve more, or plant less"
    )
    assert storage.collection("brands").get("b") == b'{"id":"b","title":"Kiste"}'
    storage.close()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"fault": "html"}, "no stored record can have html"),
        ({"fault": "id-null", "resources": ["order"]}, "there are no order;"),
        ({"fault": "id-null", "times": 0}, "a plant does not fit"),
        ({"fault": "id-null", "share": 1}, "a plant does not fit"),
    ],
)
def test_what_cannot_be_planted_is_said_in_one_line(values: dict[str, Any], told: str) -> None:
    settings = SandboxSettings(orders=3, plants=[values])

    with pytest.raises(SandboxError, match=told) as refused, Sandbox(settings):
        pass

    assert "\n" not in str(refused.value)


def test_the_admin_port_refuses_what_cannot_be_planted(sandbox: Sandbox) -> None:
    for values in ({"fault": "html"}, {"fault": "id-null", "times": 0}, [1]):
        assert httpx.post(f"{sandbox.admin_url}/plants", json=values).status_code == 422


def test_a_seed_plants_in_the_same_records_again() -> None:
    def ids(seed: int) -> list[str]:
        storage = Storage()
        for number in range(50):
            storage.collection("brands").put(f"b{number}", b'{"id":"b%d","title":"x"}' % number)
        done = plant(storage, [Plant("nul", ["brands"], times=5)], seed)
        storage.close()
        return [planted.id for planted in done]

    assert ids(1) == ids(1)
    assert ids(1) != ids(2)
    assert len(set(ids(1))) == 5

"""A fault applies to the reads that its rule names, the same ones for a seed."""

import json
from collections.abc import Callable

import httpx

from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]


def test_the_first_attempt_fails_and_the_second_does_not(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    dial("500-html", share=0.3, first=True)
    urls = [f"/orders?page={page}" for page in range(1, 201)]

    first = {url: client.get(url).status_code for url in urls}
    second = [client.get(url).status_code for url in reversed(urls)]
    sandbox.dials.change({"faults": sandbox.dials.faults})
    again = {url: client.get(url).status_code for url in reversed(urls)}

    assert 40 < list(first.values()).count(500) < 80
    assert second == [200] * 200
    assert again == first


def test_a_fault_applies_to_the_resources_named_so_often_at_most(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    dial("empty", resources=["orders", "variants"], times=2)
    sandbox.put("items", {"id": "i"})

    paths = ["/items", "/orders/o1", "/items/i", "/items/i/variants", "/orders"]
    bodies = [client.get(path).content != b"" for path in paths]

    assert bodies == [True, False, True, False, True]
    sandbox.delete("items", "i")


def test_faults_leave_writes_alone(dial: Dial, client: httpx.Client) -> None:
    dial("500-html")

    created = client.post("/brands", json={"brand": {"title": "Kiste"}})
    deleted = client.delete(f"/brands/{created.json()['id']}")

    assert (created.status_code, deleted.status_code) == (201, 204)


def test_faults_of_one_request_add_up(sandbox: Sandbox, dial: Dial, client: httpx.Client) -> None:
    dial("total-zero", "byte-order-mark")

    body = client.get("/orders").content

    assert json.loads(body.decode("utf-8-sig"))["pagination"]["total_count"] == 0
    assert body.startswith(b"\xef\xbb\xbf")
    assert sandbox.requests.entries()[-1].faults == ("total-zero", "byte-order-mark")

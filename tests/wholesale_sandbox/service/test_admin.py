"""The admin surface shows and changes what the API does not."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.contract.openapi import document
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True, dials={"limit_cap": 50})) as running:
        yield running


@pytest.fixture
def admin(sandbox: Sandbox) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=sandbox.admin_url, verify=NOBODY, timeout=None) as connected:
        yield connected


def lines(response: httpx.Response) -> list[str]:
    return response.text.splitlines()


def test_it_is_well_and_knows_the_openapi_document(admin: httpx.Client) -> None:
    assert admin.get("/health").json() == {"status": "ok"}
    assert admin.get("/openapi.json").json() == document()


def test_dials_are_read_turned_and_reset(admin: httpx.Client, sandbox: Sandbox) -> None:
    start = admin.get("/dials").json()
    turned = admin.patch("/dials", json={"default_limit": 7, "list_order": {"*": "newest"}})
    reset = admin.post("/dials/reset")

    assert start["limit_cap"] == 50
    assert turned.json() == start | {"default_limit": 7, "list_order": {"*": "newest"}}
    assert reset.json() == start == sandbox.dials.values()


@pytest.mark.parametrize("sent", [{"limit_cap": 0}, {"unheard_of": 1}, [1], 5])
def test_a_dial_that_does_not_fit_is_refused(admin: httpx.Client, sent: Any) -> None:
    response = admin.patch("/dials", json=sent)

    assert response.status_code == 422
    assert set(response.json()) == {"error", "details"}


def test_planned_failures_are_answered_to_the_next_requests(
    admin: httpx.Client, client: httpx.Client
) -> None:
    planned = {"count": 1, "status": 503, "endpoint": "list_items", "retry_after": 4}
    admin.post("/dials/fail_next", json=planned)
    admin.post("/dials/fail_next")

    responses = [client.get("/orders"), client.get("/items"), client.get("/items")]

    assert [response.status_code for response in responses] == [500, 503, 200]
    assert responses[1].headers["retry-after"] == "4"
    assert admin.post("/dials/fail_next", json={"status": 200}).status_code == 422


def test_faults_are_dialled_shown_and_logged(admin: httpx.Client, client: httpx.Client) -> None:
    rule = {"fault": "502-html", "resources": ["items"], "times": 1}

    shown = admin.patch("/dials", json={"faults": [rule]}).json()["faults"]
    statuses = [client.get(path).status_code for path in ("/orders", "/items", "/items")]

    assert shown == [
        {
            "fault": "502-html",
            "share": 1.0,
            "resources": ["items"],
            "endpoints": [],
            "first": False,
            "steady": False,
            "after": 0,
            "times": 1,
            "lasts": None,
            "seconds": 1.0,
            "number": None,
        }
    ]
    assert statuses == [200, 502, 200]
    requests = admin.get("/requests").json()["requests"]
    assert [request["faults"] for request in requests] == [[], ["502-html"], []]


def test_a_cut_is_planned(admin: httpx.Client, client: httpx.Client) -> None:
    admin.post("/dials/cut_next", json={"count": 1})

    with pytest.raises(httpx.RemoteProtocolError):
        client.get("/orders")


def test_the_outbox_shows_mails_and_can_be_emptied(
    admin: httpx.Client, client: httpx.Client, sandbox: Sandbox
) -> None:
    sandbox.put("buyers", {"id": "b"})
    sent = {"buyer_user": {"full_name": "Bo Ek", "email": "bo@example.com"}}
    user = client.post("/buyers/b/buyer_users", json=sent).json()

    mails = admin.get("/outbox").json()

    assert mails == [
        {
            "kind": "invitation",
            "to": "bo@example.com",
            "buyer_id": "b",
            "buyer_user_id": user["id"],
            "sent_at": user["created_at"],
        }
    ]
    assert admin.delete("/outbox").status_code == 204
    assert admin.get("/outbox").json() == []


def test_requests_are_shown_and_forgotten(admin: httpx.Client, client: httpx.Client) -> None:
    client.get("/orders", params={"page": 2})

    shown = admin.get("/requests").json()

    assert shown["number"] == 1
    assert shown["counts"] == {"list_orders": 1}
    assert shown["statuses"] == {"200": 1}
    assert [
        (request["method"], request["query"], request["status"]) for request in shown["requests"]
    ] == [("GET", "page=2", 200)]
    assert admin.delete("/requests").status_code == 204
    assert admin.get("/requests").json() == {
        "number": 1,
        "counts": {},
        "statuses": {},
        "requests": [],
    }


def test_the_truth_has_every_record_on_a_line_with_its_parent(
    admin: httpx.Client, sandbox: Sandbox
) -> None:
    sandbox.put("buyer_users", {"id": "u", "role": "user"}, parent_id="b")
    sandbox.put("buyer_users", b'{"id": "v",\n "buyer_id": "c"}', parent_id="c")
    sandbox.put("variants", {"id": "w", "parent_id": "i"})
    sandbox.storage.collection("variants").put("x", b"no JSON", parent_id="i")
    for number in range(501):
        sandbox.put("orders", b'{"id":"%d","total": 1.50}' % number)

    assert lines(admin.get("/truth/buyer_users")) == [
        '{"id":"u","role":"user","buyer_id":"b"}',
        '{"id": "v",  "buyer_id": "c"}',
    ]
    assert lines(admin.get("/truth/variants")) == ['{"id":"w","parent_id":"i"}', "no JSON"]
    assert lines(admin.get("/truth/orders")) == [
        f'{{"id":"{number}","total": 1.50}}' for number in range(501)
    ]
    assert admin.get("/truth/brands").content == b""
    assert admin.get("/truth/unknown").status_code == 404


def test_any_record_can_be_put_literally_and_removed(
    admin: httpx.Client, client: httpx.Client
) -> None:
    odd = b'{"id": null, "total": 1.500}'

    put = admin.put("/records/orders/odd", content=odd)
    listed = client.get("/orders", params={"verbose": "true"})
    removed = admin.delete("/records/orders/odd")

    assert (put.status_code, removed.status_code) == (204, 204)
    assert odd in listed.content
    assert client.get("/orders").json()["data"] == []
    assert admin.delete("/records/orders/odd").status_code == 404
    assert admin.put("/records/orders/odd", content=b" ").status_code == 422
    assert admin.put("/records/unknown/odd", content=odd).status_code == 404


def test_a_child_is_put_under_its_parent_and_stays_there(
    admin: httpx.Client, client: httpx.Client, sandbox: Sandbox
) -> None:
    sandbox.put("items", {"id": "i"})

    admin.post("/records/variants/v", params={"parent_id": "i"}, content=b'{"id":"v"}')
    admin.put("/records/variants/v", content=b'{"id":"v","sku":"S"}')

    assert client.get("/items/i/variants/v").json() == {"id": "v", "sku": "S"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:9"}, 200),
        ({"Host": "[::1]:9", "Origin": "http://127.0.0.1:9"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example:9"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_a_page_of_another_site_is_refused(
    headers: dict[str, str], status: int, admin: httpx.Client
) -> None:
    assert admin.post("/dials/reset", headers=headers).status_code == status


def test_a_wrong_method_is_refused(admin: httpx.Client) -> None:
    assert admin.post("/health").status_code == 405

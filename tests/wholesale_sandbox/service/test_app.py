"""What holds for every request: key, paths, methods, pages, shapes, faults, compression."""

import logging
from collections.abc import Iterator

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.service.request_log import LoggedRequest
from wholesale_sandbox.settings import SandboxSettings

IDS = [f"o{number:02d}" for number in range(60)]


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        for number, record_id in enumerate(IDS):
            moment = f"2025-01-01T00:00:{(number * 7) % 60:02d}Z"
            sandbox.put("orders", {"id": record_id, "updated_at": moment})
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    yield running
    running.dials.reset()
    running.requests.clear()


def ids(response: httpx.Response) -> list[str]:
    body = response.json()
    return [record["id"] for record in (body["data"] if isinstance(body, dict) else body)]


def test_an_unknown_path_answers_with_the_error_object(client: httpx.Client) -> None:
    for path in ("/unknown", "/orders/o01/lines", "/orders/", "/items/a/variants/b/c"):
        response = client.get(path)
        assert response.status_code == 404
        assert response.json() == {"error": "Resource not found", "details": ""}


def test_a_path_outside_the_prefix_is_not_found_either(sandbox: Sandbox) -> None:
    for path in ("/", "/api/external/v2/orders", "/uploads/a/b.png", "/uploads"):
        response = httpx.get(
            httpx.URL(sandbox.base_url).join(path),
            headers={"X-API-Key": "sandbox"},
            verify=NOBODY,
            timeout=None,
        )
        assert response.json() == {"error": "Resource not found", "details": ""}


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/orders", "GET"),
        ("PATCH", "/items", "GET, POST"),
        ("GET", "/buyers/a/buyer_users/b/activate", "PUT"),
        ("HEAD", "/orders", "GET"),
        ("TRACE", "/categories", "GET, POST"),
    ],
)
def test_a_method_that_a_path_lacks_is_not_allowed(
    client: httpx.Client, method: str, path: str, allowed: str
) -> None:
    response = client.request(method, path)

    assert (response.status_code, response.headers["allow"]) == (405, allowed)
    if method != "HEAD":
        assert response.json() == {
            "error": "Method Not Allowed",
            "details": "this path does not have this method",
        }


def test_the_root_answers_with_and_without_its_slash(sandbox: Sandbox) -> None:
    for url in (sandbox.base_url, sandbox.base_url + "/"):
        assert (
            httpx.get(
                url, headers={"X-API-Key": "sandbox"}, verify=NOBODY, timeout=None
            ).status_code
            == 200
        )


def test_pages_tile_the_whole_list(client: httpx.Client) -> None:
    pages = [client.get("/orders", params={"page": n, "limit": 25}) for n in range(1, 5)]

    assert [ids(page) for page in pages] == [IDS[:25], IDS[25:50], IDS[50:], []]
    assert [page.json()["pagination"]["next"] for page in pages] == [2, 3, None, None]
    assert [page.json()["pagination"]["previous"] for page in pages] == [None, 1, 2, 3]
    assert {page.json()["pagination"]["total_pages"] for page in pages} == {3}
    assert {page.status_code for page in pages} == {200}


def test_a_dialled_cap_and_default_rule_the_pages(sandbox: Sandbox, client: httpx.Client) -> None:
    sandbox.dials.change({"limit_cap": 10, "default_limit": 4})

    capped = client.get("/orders", params={"limit": 50})

    assert capped.json()["pagination"]["limit"] == 10
    assert ids(capped) == IDS[:10]
    assert ids(client.get("/orders")) == IDS[:4]


@pytest.mark.parametrize(
    ("order", "listed"),
    [
        ("oldest", IDS),
        ("newest", IDS[::-1]),
        ("updated", sorted(IDS, key=lambda order_id: (int(order_id[1:]) * 7) % 60, reverse=True)),
    ],
)
def test_a_list_comes_in_the_order_dialled_in(
    sandbox: Sandbox, client: httpx.Client, order: str, listed: list[str]
) -> None:
    sandbox.dials.change({"list_order": {"orders": order}})

    assert ids(client.get("/orders", params={"limit": 250})) == listed


def test_a_list_may_be_a_bare_array_of_a_page_or_of_everything(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    sandbox.dials.change({"list_shape": {"orders": "bare"}})
    bare = client.get("/orders", params={"page": 2, "limit": 50})
    sandbox.dials.change({"list_shape": {"*": "whole"}})
    whole = client.get("/orders", params={"page": 2, "limit": 50})

    sandbox.dials.change({"list_shape": {"*": "unpaged"}})
    refused = client.get("/orders", params={"page": 1})
    unpaged = client.get("/orders")

    assert (bare.json()[0], ids(bare)) == ({"id": "o50", **UPDATED_O50}, IDS[50:])
    assert ids(whole) == ids(unpaged) == IDS
    assert refused.status_code == 422


UPDATED_O50 = {"updated_at": "2025-01-01T00:00:50Z"}


def test_an_envelope_lacks_the_fields_dialled_away(sandbox: Sandbox, client: httpx.Client) -> None:
    sandbox.dials.change({"envelope_without": ["total_count", "total_pages"]})

    pagination = client.get("/orders").json()["pagination"]

    assert pagination == {"current": 1, "previous": None, "next": 2, "limit": 25}


def test_a_large_body_is_compressed_where_the_client_takes_it(client: httpx.Client) -> None:
    zipped = client.get("/orders", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/orders", headers={"Accept-Encoding": "identity"})
    small = client.get("/", headers={"Accept-Encoding": "gzip"})

    assert zipped.headers["content-encoding"] == "gzip"
    assert int(zipped.headers["content-length"]) < len(zipped.content)
    assert (plain.headers.get("content-encoding"), plain.content) == (None, zipped.content)
    assert plain.headers["vary"] == zipped.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in small.headers
    assert small.headers["content-type"] == "application/json"


def test_a_connection_is_kept_and_answers_are_dated(client: httpx.Client) -> None:
    streams = set()
    for _ in range(3):
        with client.stream("GET", "/orders") as response:
            streams.add(id(response.extensions["network_stream"]))
            response.read()
            assert response.headers["date"].endswith("GMT")

    assert len(streams) == 1


def test_throttled_requests_are_told_how_long_to_wait(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    sandbox.dials.change({"throttle_share": 1.0, "throttle_retry_after": 9})
    told = client.get("/orders")
    sandbox.dials.change({"throttle_retry_after": None})
    untold = client.get("/orders")

    assert (told.status_code, told.headers["retry-after"]) == (429, "9")
    assert told.json() == {"error": "Too Many Requests", "details": "try again later"}
    assert "retry-after" not in untold.headers


@pytest.mark.parametrize("status", [500, 502, 503, 504, 599])
def test_a_failure_has_the_error_object(
    sandbox: Sandbox, client: httpx.Client, status: int
) -> None:
    sandbox.dials.fail_next(1, status)

    response = client.get("/orders")

    assert response.status_code == status
    assert set(response.json()) == {"error", "details"}
    assert client.get("/orders").status_code == 200


def test_a_cut_body_ends_before_the_length_announced(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    sandbox.dials.cut_next(1)

    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete"):
        client.get("/orders")

    assert client.get("/orders").status_code == 200
    assert [entry.status for entry in sandbox.requests.entries()] == [200, 200]


def test_latency_delays_but_answers(sandbox: Sandbox, client: httpx.Client) -> None:
    sandbox.dials.change({"latency_seconds": 0.001})

    assert client.get("/orders").status_code == 200


def test_requests_are_logged_with_their_answer(sandbox: Sandbox, client: httpx.Client) -> None:
    client.get("/orders", params={"page": "9"}, headers={"Accept-Encoding": "identity"})
    client.get("/orders/none")
    client.get("/unknown", headers={"X-API-Key": "wrong"})

    prefix = "/api/external/v1"
    assert sandbox.requests.entries() == [
        LoggedRequest("GET", f"{prefix}/orders", "page=9", "list_orders", 200, 107),
        LoggedRequest("GET", f"{prefix}/orders/none", "", "get_order", 404, 43),
        LoggedRequest("GET", f"{prefix}/unknown", "", "", 401, 107),
    ]
    assert sandbox.requests.counts() == {"list_orders": 1, "get_order": 1, "": 1}
    assert sandbox.requests.statuses() == {200: 1, 404: 1, 401: 1}


def test_a_failing_handler_answers_500_and_is_logged(
    sandbox: Sandbox, client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.storage.collection("items").put("broken", b"no JSON")

    with caplog.at_level(logging.ERROR):
        response = client.put("/items/broken", json={"item": {}})

    assert response.status_code == 500
    assert response.json() == {"error": "Internal Server Error", "details": "the service failed"}
    assert [record.message for record in caplog.records] == ["PUT /items/{itemId} failed"]

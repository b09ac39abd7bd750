"""A list comes in the shape dialled in, with its pagination and its entries as dialled in."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

A, B, C = ({"id": name} for name in "abc")
PAGINATION = {
    "current": 2,
    "previous": 1,
    "next": None,
    "limit": 2,
    "total_pages": 2,
    "total_count": 3,
}


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        for resource in ("orders", "price_lists", "buyers"):
            for record in (A, B, C):
                sandbox.put(resource, record)
        sandbox.put("buyer_users", {"id": "u"}, parent_id="a")
        yield sandbox


def page_two(sandbox: Sandbox, path: str = "/orders", **dials: Any) -> httpx.Response:
    sandbox.dials.reset()
    sandbox.dials.change(dials)
    query, key = {"page": 2, "limit": 2}, {"X-API-Key": "sandbox"}
    return httpx.get(
        sandbox.base_url + path, params=query, headers=key, verify=NOBODY, timeout=None
    )


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        ("envelope", {"pagination": PAGINATION, "data": [C]}),
        ("plural", {"pagination": PAGINATION, "orders": [C]}),
        ("nested", {"result": {"pagination": PAGINATION, "items": [C]}}),
        ("bare", [C]),
        ("whole", [A, B, C]),
    ],
)
def test_a_list_has_the_shape_dialled_in(running: Sandbox, shape: str, body: object) -> None:
    assert page_two(running, list_shape={"orders": shape}).json() == body


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        ("envelope", {"data": [C]}),
        ("plural", {"orders": [C]}),
        ("nested", {"result": {"items": [C]}}),
        ("bare", [C]),
    ],
)
@pytest.mark.parametrize("place", ["headers", "nowhere"])
def test_pagination_stands_in_headers_or_nowhere(
    running: Sandbox, place: str, shape: str, body: object
) -> None:
    response = page_two(running, list_shape={"*": shape}, list_pagination={"orders": place})

    told = {name: value for name, value in response.headers.items() if name.startswith("x-")}
    assert response.json() == body
    assert told == (
        {
            "x-page": "2",
            "x-prev-page": "1",
            "x-next-page": "",
            "x-per-page": "2",
            "x-total-pages": "2",
            "x-total": "3",
        }
        if place == "headers"
        else {}
    )


def test_entries_are_wrapped_under_their_name_in_the_singular(running: Sandbox) -> None:
    dials: dict[str, Any] = {
        "list_shape": {"*": "bare"},
        "list_entries": {"*": "wrapped", "buyers": "plain"},
    }

    assert page_two(running, **dials).json() == [{"order": C}]
    assert page_two(running, "/price_lists", **dials).json() == [{"price_list": C}]
    assert page_two(running, "/buyers", **dials).json() == [C]
    assert page_two(running, "/buyers/a/buyer_users", **dials).json() == []


def test_headers_lack_the_fields_dialled_away(running: Sandbox) -> None:
    response = page_two(
        running, list_pagination={"*": "headers"}, envelope_without=["total_count", "next"]
    )

    assert {name for name in response.headers if name.startswith("x-")} == {
        "x-page",
        "x-prev-page",
        "x-per-page",
        "x-total-pages",
    }


def test_pages_may_be_counted_from_0_and_a_limit_refused(running: Sandbox) -> None:
    counted = page_two(running, first_page=0)
    refused = page_two(running, limit_cap=1, limit_above_cap="refused")

    assert (counted.json()["data"], counted.json()["pagination"]["current"]) == ([], 2)
    assert refused.status_code == 422
    assert refused.json()["details"] == "limit must not be above 1"

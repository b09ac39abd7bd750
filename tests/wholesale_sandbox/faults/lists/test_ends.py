"""Ends of lists, as a client meets them that walks on behind the last page."""

from collections.abc import Callable

import httpx
import pytest

from support.services.clients import PAGES, walk

Dial = Callable[..., None]


@pytest.mark.parametrize(("fault", "again"), [("past-end-last", 3), ("past-end-first", 0)])
def test_a_page_comes_again_past_the_end(
    dial: Dial, client: httpx.Client, fault: str, again: int
) -> None:
    dial(fault)

    assert walk(client, pages=6) == [*PAGES, PAGES[again], PAGES[again]]


@pytest.mark.parametrize("fault", ["past-end-last", "past-end-first"])
def test_an_empty_list_has_nothing_to_repeat(dial: Dial, client: httpx.Client, fault: str) -> None:
    dial(fault)

    assert client.get("/brands", params={"page": 2}).json()["data"] == []


def statuses(client: httpx.Client, pages: int = 6) -> list[int]:
    asked = [client.get("/orders", params={"page": n, "limit": 3}) for n in range(1, pages + 1)]
    return [response.status_code for response in asked]


@pytest.mark.parametrize("status", [404, 422])
def test_a_page_past_the_end_is_refused(dial: Dial, client: httpx.Client, status: int) -> None:
    dial(f"past-end-{status}")

    assert statuses(client) == [200] * 4 + [status] * 2
    assert set(client.get("/orders", params={"page": 9}).json()) == {"error", "details"}
    assert walk(client, pages=4) == PAGES


@pytest.mark.parametrize("status", [404, 422])
def test_a_page_beyond_the_window_is_refused(dial: Dial, client: httpx.Client, status: int) -> None:
    dial(f"beyond-{status}", number=6)

    assert statuses(client, 4) == [200, 200, status, status]
    assert walk(client, pages=2) == PAGES[:2]


def test_a_page_beyond_the_window_is_empty(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders", params={"page": 3, "limit": 3}).json()
    dial("beyond-empty", number=6)

    assert walk(client, pages=4) == [*PAGES[:2], [], []]
    assert client.get("/orders", params={"page": 3, "limit": 3}).json() == right | {"data": []}

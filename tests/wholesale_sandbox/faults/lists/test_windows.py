"""Windows, as a client meets them that walks the pages."""

from collections.abc import Callable

import httpx
import pytest

from support.services.clients import IDS, PAGES, ids, walk
from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]


def test_page_one_comes_whatever_page_is_asked_for(dial: Dial, client: httpx.Client) -> None:
    dial("page-one-always")

    assert walk(client, pages=3) == [IDS[:3]] * 3
    assert client.get("/orders", params={"page": 3}).json()["pagination"]["current"] == 1


@pytest.mark.parametrize(
    ("fault", "pages"),
    [
        ("short-pages", [IDS[0:4], IDS[4:6], IDS[6:10], [], []]),
        ("empty-pages", [IDS[0:4], [], IDS[4:8], IDS[8:10], []]),
    ],
)
def test_pages_fall_short_in_the_middle_and_lose_nothing(
    dial: Dial, client: httpx.Client, fault: str, pages: list[list[str]]
) -> None:
    dial(fault)

    assert walk(client, limit=4, pages=5) == pages
    total_pages = client.get("/orders", params={"limit": 4}).json()["pagination"]["total_pages"]
    assert total_pages == max(n for n, page in enumerate(pages, start=1) if page)


def test_a_list_that_is_cut_off_counts_what_it_shows(dial: Dial, client: httpx.Client) -> None:
    dial("list-cut-off", number=6)

    assert walk(client, limit=4, pages=3) == [IDS[0:4], IDS[4:6], []]
    assert client.get("/orders").json()["pagination"]["total_count"] == 6


def test_each_page_says_that_it_is_the_whole_list(dial: Dial, client: httpx.Client) -> None:
    dial("page-as-list")

    answers = [client.get("/orders", params={"page": n, "limit": 3}).json() for n in (1, 4, 5)]

    assert walk(client, pages=4) == PAGES
    assert [answer["pagination"] for answer in answers] == [
        {
            "current": number,
            "previous": number - 1 or None,
            "next": None,
            "limit": 3,
            "total_pages": 1,
            "total_count": count,
        }
        for number, count in ((1, 3), (4, 1), (5, 0))
    ]


def test_a_list_of_children_is_that_of_another_parent(
    dial: Dial, sandbox: Sandbox, client: httpx.Client
) -> None:
    dial("list-of-another")
    for buyer in ("x", "y"):
        sandbox.put("buyers", {"id": buyer})
    for user in ("x-1", "x-2"):
        sandbox.put("buyer_users", {"id": user, "buyer_id": "x"})
    assert ids(client.get("/buyers/x/buyer_users")) == ["x-1", "x-2"]
    sandbox.put("buyer_users", {"id": "y-1", "buyer_id": "y"})

    lists = [client.get(f"/buyers/{buyer}/buyer_users").json() for buyer in "xy"]

    assert [[row["id"] for row in found["data"]] for found in lists] == [["y-1"], ["x-1", "x-2"]]
    assert [found["pagination"]["total_count"] for found in lists] == [1, 2]


def test_a_list_without_records_is_refused(dial: Dial, client: httpx.Client) -> None:
    dial("empty-404")

    assert client.get("/brands").status_code == 404
    assert client.get("/orders").status_code == 200


def test_a_page_is_empty_once(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders", params={"page": 2, "limit": 3}).json()
    dial("empty-page", first=True)

    twice = [client.get("/orders", params={"page": 2, "limit": 3}).json() for _ in range(2)]

    assert twice == [right | {"data": []}, right]


def test_a_list_says_that_it_has_no_records(dial: Dial, client: httpx.Client) -> None:
    nothing = client.get("/brands").json()
    dial("empty-list", endpoints=["list_orders"])

    assert client.get("/orders").json() == nothing
    assert client.get("/orders/o1").status_code == 200


def test_an_unstable_list_has_its_neighbours_in_another_order_each_time(
    dial: Dial, client: httpx.Client
) -> None:
    dial("unstable-order", number=4)

    lists = [walk(client, limit=10, pages=1)[0] for _ in range(10)]
    pages = [walk(client, limit=2, pages=5) for _ in range(10)]

    blocks = [set(IDS[0:4]), set(IDS[4:8]), set(IDS[8:])]
    assert [[set(ids[0:4]), set(ids[4:8]), set(ids[8:])] for ids in lists] == [blocks] * 10
    assert len({tuple(ids) for ids in lists}) > 5
    assert any(len({one for page in walked for one in page}) < 10 for walked in pages)


def test_a_page_holds_any_records_of_the_list(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders", params={"limit": 3}).json()["pagination"]
    dial("random-pages")

    pages = [client.get("/orders", params={"limit": 3}).json() for _ in range(12)]

    assert [page["pagination"] for page in pages] == [right] * 12
    seen = [[order["id"] for order in page["data"]] for page in pages]
    assert all(len(set(ids)) == 3 and set(ids) <= set(IDS) for ids in seen)
    assert len({tuple(ids) for ids in seen}) > 8
    assert len(client.get("/orders", params={"limit": 3, "page": 4}).json()["data"]) == 1

"""Faults of lists, as a client meets them that walks the pages."""

from collections.abc import Callable
from datetime import datetime, timedelta

import httpx
import pytest

from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]
IDS = [f"o{number}" for number in range(10)]


def ids(response: httpx.Response) -> list[str]:
    return [record["id"] for record in response.json()["data"]]


def walk(client: httpx.Client, limit: int = 3, pages: int = 9) -> list[list[str]]:
    """The ids on the pages 1 to `pages`, however many the list says it has."""
    return [
        ids(client.get("/orders", params={"page": page, "limit": limit}))
        for page in range(1, pages + 1)
    ]


RIGHT = [IDS[0:3], IDS[3:6], IDS[6:9], IDS[9:]]


def test_page_one_comes_whatever_page_is_asked_for(dial: Dial, client: httpx.Client) -> None:
    dial("page-one-always")

    assert walk(client, pages=3) == [IDS[:3]] * 3
    assert client.get("/orders", params={"page": 3}).json()["pagination"]["current"] == 1


@pytest.mark.parametrize(("fault", "again"), [("past-end-last", 3), ("past-end-first", 0)])
def test_a_page_comes_again_past_the_end(
    dial: Dial, client: httpx.Client, fault: str, again: int
) -> None:
    dial(fault)

    assert walk(client, pages=6) == [*RIGHT, RIGHT[again], RIGHT[again]]


@pytest.mark.parametrize("fault", ["past-end-last", "past-end-first"])
def test_an_empty_list_has_nothing_to_repeat(dial: Dial, client: httpx.Client, fault: str) -> None:
    dial(fault)

    assert client.get("/brands", params={"page": 2}).json()["data"] == []


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


MISSING = object()


@pytest.mark.parametrize(
    ("fault", "name", "value"),
    [
        ("next-null", "next", None),
        ("next-missing", "next", MISSING),
        ("next-zero", "next", 0),
        ("next-same", "next", 2),
        ("total-missing", "total_count", MISSING),
        ("total-null", "total_count", None),
        ("total-zero", "total_count", 0),
        ("pages-missing", "total_pages", MISSING),
        ("pages-null", "total_pages", None),
        ("pages-zero", "total_pages", 0),
    ],
)
def test_pagination_says_something_wrong_and_the_rest_stays_right(
    dial: Dial, client: httpx.Client, fault: str, name: str, value: object
) -> None:
    page = {"page": 2, "limit": 3}
    right = client.get("/orders", params=page).json()
    dial(fault)

    wrong = client.get("/orders", params=page).json()

    assert wrong["pagination"].pop(name, MISSING) == value
    assert right["pagination"].pop(name) not in (None, value)
    assert wrong == right


def test_totals_drift_with_nothing_behind_it(dial: Dial, client: httpx.Client) -> None:
    dial("total-drifts")

    totals = [
        client.get("/orders", params={"page": n}).json()["pagination"]["total_count"]
        for n in range(1, 30)
    ]

    assert set(totals) == {8, 9, 11, 12}


def test_numbers_come_as_texts(dial: Dial, client: httpx.Client) -> None:
    dial("numbers-as-text")

    assert client.get("/orders", params={"limit": 4}).json()["pagination"] == {
        "current": "1",
        "previous": None,
        "next": "2",
        "limit": "4",
        "total_pages": "3",
        "total_count": "10",
    }


def test_a_record_stands_twice_on_its_page(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()["data"]
    dial("row-twice")

    rows = client.get("/orders").json()["data"]

    (twice,) = [row for row in right if rows.count(row) == 2]
    rows.remove(twice)
    assert sorted(rows, key=right.index) == right


def test_an_older_version_stands_beside_the_newer(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()["data"]
    dial("older-beside")
    orders_seen = set()

    for page in range(1, 30):
        rows = client.get("/orders", params={"limit": 250, "seen": page}).json()["data"]
        (older,) = [row for row in rows if row not in right]
        (place,) = [n for n, row in enumerate(rows) if row == older]
        (newer,) = [row for row in right if row["id"] == older["id"]]
        moment = datetime.fromisoformat(newer["updated_at"]) - timedelta(hours=1)
        assert datetime.fromisoformat(older["updated_at"]) == moment
        assert older == {**newer, "total": "0.01", "updated_at": older["updated_at"]}
        assert [row for row in rows if row != older] == right
        orders_seen.add(rows.index(newer) > place)

    assert orders_seen == {True, False}


def test_a_page_of_a_replica_that_lags_is_older_throughout(
    dial: Dial, client: httpx.Client
) -> None:
    right = client.get("/orders").json()["data"]
    dial("rows-older")

    rows = client.get("/orders").json()["data"]

    moments = [datetime.fromisoformat(row["updated_at"]) + timedelta(hours=1) for row in rows]
    assert moments == [datetime.fromisoformat(row["updated_at"]) for row in right]
    assert [{**row, "total": "0.01"} for row in right] == [
        {**row, "updated_at": newer["updated_at"]} for row, newer in zip(rows, right, strict=True)
    ]


def statuses(client: httpx.Client, pages: int = 6) -> list[int]:
    asked = [client.get("/orders", params={"page": n, "limit": 3}) for n in range(1, pages + 1)]
    return [response.status_code for response in asked]


@pytest.mark.parametrize("status", [404, 422])
def test_a_page_past_the_end_is_refused(dial: Dial, client: httpx.Client, status: int) -> None:
    dial(f"past-end-{status}")

    assert statuses(client) == [200] * 4 + [status] * 2
    assert set(client.get("/orders", params={"page": 9}).json()) == {"error", "details"}
    assert walk(client, pages=4) == RIGHT


@pytest.mark.parametrize("status", [404, 422])
def test_a_page_beyond_the_window_is_refused(dial: Dial, client: httpx.Client, status: int) -> None:
    dial(f"beyond-{status}", number=6)

    assert statuses(client, 4) == [200, 200, status, status]
    assert walk(client, pages=2) == RIGHT[:2]


def test_a_page_beyond_the_window_is_empty(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders", params={"page": 3, "limit": 3}).json()
    dial("beyond-empty", number=6)

    assert walk(client, pages=4) == [*RIGHT[:2], [], []]
    assert client.get("/orders", params={"page": 3, "limit": 3}).json() == right | {"data": []}


def test_each_page_says_that_it_is_the_whole_list(dial: Dial, client: httpx.Client) -> None:
    dial("page-as-list")

    answers = [client.get("/orders", params={"page": n, "limit": 3}).json() for n in (1, 4, 5)]

    assert walk(client, pages=4) == RIGHT
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


def test_lists_of_children_count_those_of_all_parents(
    dial: Dial, sandbox: Sandbox, client: httpx.Client
) -> None:
    dial("total-of-all")

    for item in ("i", "j"):
        sandbox.put("items", {"id": item})
        sandbox.put("variants", {"id": f"{item}-1", "parent_id": item})

    lists = [
        client.get(path, params={"limit": 1}).json()
        for path in ("/items/i/variants", "/items/j/variants", "/orders")
    ]

    assert [len(found["data"]) for found in lists] == [1, 1, 1]
    assert [found["pagination"]["total_count"] for found in lists] == [2, 2, 10]
    assert [found["pagination"]["total_pages"] for found in lists] == [2, 2, 10]


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


def test_totals_are_capped_and_the_list_goes_on(dial: Dial, client: httpx.Client) -> None:
    right = [client.get("/orders", params={"page": n, "limit": 3}).json() for n in range(1, 5)]
    dial("totals-capped", number=4)

    capped = [client.get("/orders", params={"page": n, "limit": 3}).json() for n in range(1, 5)]

    totals = {"total_count": 4, "total_pages": 2}
    assert capped == [page | {"pagination": page["pagination"] | totals} for page in right]
    assert [page["pagination"]["next"] for page in capped] == [2, 3, 4, None]


@pytest.mark.parametrize(("fault", "count", "pages"), [("above", 15, 5), ("below", 5, 2)])
def test_totals_are_wrong_by_the_same_number_each_time(
    dial: Dial, client: httpx.Client, fault: str, count: int, pages: int
) -> None:
    right = client.get("/orders", params={"limit": 3}).json()
    dial(f"totals-{fault}", number=5)

    wrong = [client.get("/orders", params={"limit": 3}).json() for _ in range(2)]

    totals = {"total_count": count, "total_pages": pages}
    assert wrong == [right | {"pagination": right["pagination"] | totals}] * 2


def test_totals_lag_behind_what_comes_and_goes(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    def totals() -> list[int]:
        pagination = client.get("/brands", params={"limit": 2}).json()["pagination"]
        return [pagination["total_count"], pagination["total_pages"]]

    for brand_id in ("a", "b", "c"):
        sandbox.put("brands", {"id": brand_id})
    dial("total-lags", seconds=3600)
    lagging = totals()
    dial("total-lags", seconds=0)

    assert (lagging, totals()) == ([0, 0], [3, 2])
    for brand_id in ("a", "b", "c"):
        sandbox.delete("brands", brand_id)


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

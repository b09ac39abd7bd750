"""Pagination, as a client meets it that believes what a list says."""

from collections.abc import Callable

import httpx
import pytest

from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]

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


def test_the_last_page_names_a_next_one_as_every_page_does(
    dial: Dial, client: httpx.Client
) -> None:
    pages = [{"page": number, "limit": 5} for number in (1, 2)]
    dial("next-always")

    named = [client.get("/orders", params=page).json()["pagination"]["next"] for page in pages]

    assert named == [2, 3]


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

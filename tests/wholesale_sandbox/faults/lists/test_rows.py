"""Rows of a page, as a client meets them that compares two reads."""

from collections.abc import Callable
from datetime import datetime, timedelta

import httpx

Dial = Callable[..., None]


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

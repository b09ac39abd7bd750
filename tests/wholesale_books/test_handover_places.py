"""Batches in a bucket and in a database are those in a folder, and each is there once."""

import json
from collections.abc import Iterator
from contextlib import closing

import pytest

from support.services.postgres import connect, serving
from support.services.s3 import SECRET, make_bucket, serving_s3
from support.warehouses.handed import PERSONAL
from support.warehouses.receivers import Desk

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, serving(patch) as socket:
        yield socket


@pytest.fixture(scope="module")
def s3() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, serving_s3(patch):
        yield


def test_a_database_has_each_order_of_a_batch_once(desk: Desk, postgres: str) -> None:
    uri = f"postgres:///postgres?host={postgres}&user=postgres"
    desk.versions.publish(desk.business, allowed=PERSONAL)
    for words in (("--to", uri), ("--to", uri), ("--to", uri, "--replay", "1")):
        code, text = desk.run("desk", *words)
        assert code == 0, text
    desk.business.orders["o2"] |= {"is_cancelled": True}
    desk.versions.publish(desk.business, allowed=PERSONAL)
    assert desk.run("desk", "--to", uri)[0] == 0

    with closing(connect(postgres)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "select number, position, kind, record from wholesale_hand_over.orders"
            " where receiver = 'desk' order by number, position"
        )
        rows = cursor.fetchall()
        cursor.execute(
            "select number, manifest from wholesale_hand_over.batches"
            " where receiver = 'desk' order by number"
        )
        manifests = [json.loads(text) for _, text in cursor.fetchall()]
    assert [row[:3] for row in rows] == [
        (1, 1, "new"),
        (1, 2, "new"),
        (1, 3, "new"),
        (2, 1, "cancelled"),
    ]
    assert [manifest["number"] for manifest in manifests] == [1, 2]
    expected = desk.contents()
    for _, _, _, record in (rows[0], rows[2], rows[3]):
        parts = ("order", "order_lines", "order_comments")
        assert {part: record[part] for part in parts} == expected[record["order_id"]]


def test_a_database_that_is_away_gets_the_batch_later(desk: Desk, postgres: str) -> None:
    uri = f"postgres:///postgres?host={postgres}&user=postgres"
    assert desk.run("late", "--to", "postgres://127.0.0.1:1/books")[0] == 1
    assert json.loads(desk.run("late", "--status", "--json")[1])["waiting"] == [1]
    assert desk.run("late", "--to", uri)[0] == 0
    assert desk.run("late", "--to", uri, "--format", "csv")[0] == 0  # nothing new
    assert json.loads(desk.run("late", "--status", "--json")[1])["waiting"] == []


@pytest.mark.usefixtures("s3")
def test_a_bucket_has_the_files_of_a_folder(desk: Desk) -> None:
    files = make_bucket("books")
    code, text = desk.run("ledger", "--to", "s3://books/ledger", "--replay", "1")
    assert (code, SECRET in text) == (0, False), text
    for name in ("manifest.json", "orders.jsonl"):
        with files.open_input_stream(f"books/ledger/000001/{name}") as found:
            assert found.read() == (desk.place / "000001" / name).read_bytes()
    desk.business.order("o4")
    desk.versions.publish(desk.business)
    assert desk.run("ledger")[0] == 0  # to where the last one was delivered
    with files.open_input_stream("books/ledger/000002/manifest.json") as found:
        assert json.loads(found.read())["counts"] == {"new": 1}


@pytest.mark.usefixtures("s3")
def test_a_bucket_that_is_not_there_is_told_without_the_key(desk: Desk) -> None:
    code, text = desk.run("ledger", "--to", "s3://nowhere/ledger", "--replay", "1")
    assert (code, SECRET in text) == (1, False)

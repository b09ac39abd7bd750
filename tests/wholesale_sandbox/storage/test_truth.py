"""The truth can be had in full, in part, or as a digest that SQL can compute as well."""

from collections.abc import Iterator
from typing import Any

import duckdb
import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.truth import Digest, digest

SQL = """
    select count(*), epoch_us(max(updated_at)),
        sha256(string_agg(id || ' ' || epoch_us(updated_at), chr(10) order by id))
    from read_json(?, columns = {id: 'varchar', updated_at: 'timestamptz'})
"""


@pytest.fixture(scope="module")
def admin() -> Iterator[httpx.Client]:
    with (
        Sandbox(SandboxSettings(orders=40)) as running,
        httpx.Client(base_url=running.admin_url, verify=NOBODY, timeout=None) as client,
    ):
        yield client


def test_an_order_is_told_in_its_verbose_form(admin: httpx.Client) -> None:
    orders = [httpx.Response(200, text=line).json() for line in lines(admin, "/truth/orders")]

    assert len(orders) == 40
    assert all(order["order_line_items"] for order in orders)
    assert any(order["order_comments"] for order in orders)
    assert all(
        {"vendor_name", "buyer_company_name", "updated_at"} <= order.keys() for order in orders
    )


def lines(admin: httpx.Client, path: str) -> list[str]:
    return admin.get(path).text.splitlines()


def test_only_the_fields_asked_for_are_told(admin: httpx.Client) -> None:
    told = lines(admin, "/truth/orders?fields=id,updated_at")

    orders = [httpx.Response(200, text=line).json() for line in lines(admin, "/truth/orders")]
    assert told == [
        f'{{"id":"{order["id"]}","updated_at":"{order["updated_at"]}"}}' for order in orders
    ]


def test_sql_computes_the_same_digest(admin: httpx.Client, tmp_path: Any) -> None:
    path = tmp_path / "orders.jsonl"
    path.write_text(admin.get("/truth/orders").text)

    told = admin.get("/digest/orders").json()

    with duckdb.connect() as connection:
        computed = connection.execute(SQL, [str(path)]).fetchone()
    assert (told["count"], told["updated_at"], told["sha256"]) == computed
    assert admin.get("/digest/unknown").status_code == 404


def test_a_digest_changes_with_a_version_and_not_with_the_order_of_records() -> None:
    a, b = b'{"id":"a","updated_at":"1970-01-01T00:00:01Z"}', b'{"id":"ab"}'
    later = b'{"id":"a","updated_at":"1970-01-01T00:00:01.000001Z"}'

    assert digest([a, b]) == digest([b, a]) == Digest(2, 1_000_000, SHA)
    assert digest([later, b]) != digest([a, b])
    odd = [b"no JSON", b'{"id":null}', b"[]", b'{"id":"\\ud83d"}']
    assert digest([a, b, *odd]) == Digest(6, 1_000_000, SHA)


def test_a_digest_counts_a_record_with_half_a_character_in_it() -> None:
    whole = [b'{"id":"a","updated_at":"1970-01-01T00:00:01Z","note":"x"}']
    broken = [b'{"id":"a","updated_at":"1970-01-01T00:00:01Z","note":"\\ud83d"}']

    assert digest(broken) == digest(whole)


SHA = "0dcee67a80e306e1f7687f0b7096e5eb2f0cf56310e42b2ad2c14f3b41001357"

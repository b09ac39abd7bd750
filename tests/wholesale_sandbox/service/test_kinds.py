"""Every field that §2 shows comes as the JSON kind that it shows, wherever it can be read."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from support.paths import ROOT
from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

ROOM = ROOT / "tests/wholesale_sandbox"
DESCRIBED = tomllib.loads((ROOM / "contract/cases/fields.toml").read_text("utf-8"))
CASES = tomllib.loads((ROOM / "service/cases/kinds.toml").read_text("utf-8"))

Json = dict[str, Any]
Kinds = Mapping[str, set[str]]

NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object"}
NEVER_SHOWN = {"_destroy"}  # an order to the service, not a value of a record


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    key = {"X-API-Key": "sandbox"}
    with (
        Sandbox(SandboxSettings(orders=60)) as sandbox,
        httpx.Client(base_url=sandbox.base_url, headers=key, verify=NOBODY, timeout=None) as client,
    ):
        item = next(item for item in listed(client, "/items") if item["variants_count"])
        path = f"/items/{item['id']}/variants"
        (variant, *_) = listed(client, path)
        # The one field that no record of the made-up business has a value for.
        told = {"variant": {"description": "Hand-thrown"}}
        client.put(f"{path}/{variant['id']}", json=told).raise_for_status()
        yield client


def kind_of(value: object) -> str:
    if isinstance(value, list):
        kinds = {kind_of(entry) for entry in value}
        assert len(kinds) <= 1
        return f"array of {kinds.pop()}" if kinds else "array"
    return "null" if value is None else NAMES[type(value)]


def kinds_of(records: list[Json]) -> Kinds:
    """The kinds that came of each field, without null and the empty array."""
    found: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for name, value in record.items():
            found[name] |= {kind_of(value)} - {"null", "array"}
    return found


def described(*tables: str) -> Kinds:
    """The kinds that a field of these tables may have."""
    rows = [line.split() for table in tables for line in DESCRIBED[table]["fields"].splitlines()]
    return {
        row[0]: set(CASES["kinds"][row[1]]) for row in rows if row and row[0] not in NEVER_SHOWN
    }


def listed(client: httpx.Client, path: str) -> list[Json]:
    records: list[Json] = []
    page: int | None = 1
    while page is not None:
        url = httpx.URL(path).copy_merge_params({"page": page, "limit": 40})
        answer = client.get(url).raise_for_status().json()
        records += answer["data"]
        page = answer["pagination"]["next"]
    return records


def read(client: httpx.Client, case: Json) -> list[Json]:
    """The records of a case: of its lists, or each of them asked for by itself."""
    parents = (
        [parent["id"] for parent in listed(client, case["parents"])] if "parents" in case else [""]
    )
    records = []
    for parent in parents:
        found = listed(client, case["list"].format(id=parent))
        if "single" in case:
            paths = [case["single"].format(parent=parent, id=record["id"]) for record in found]
            found = [client.get(path).raise_for_status().json() for path in paths]
        records += found
    return records


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", CASES["answers"], ids=lambda case: case.get("single", case["list"])
)
def test_every_field_comes_in_every_record_as_the_kind_it_is_shown_with(
    client: httpx.Client, case: Json
) -> None:
    records, expected = read(client, case), described(*case["tables"])

    kinds = kinds_of(records)

    assert [record for record in records if not expected.keys() <= record.keys()] == []
    assert {name: kinds[name] for name in expected if not kinds[name]} == {}
    wrong = {name: kinds[name] for name in expected if not kinds[name] <= expected[name]}
    assert wrong == {}


@pytest.mark.parametrize(
    ("path", "field", "table"),
    [
        ("/orders?verbose=true", "order_line_items", "line_item"),
        ("/items", "options", "item_option"),
    ],
)
def test_an_entry_has_the_fields_and_kinds_it_is_shown_with(
    client: httpx.Client, path: str, field: str, table: str
) -> None:
    entries = [entry for record in listed(client, path) for entry in record[field]]
    expected = described(table)

    kinds = kinds_of(entries)

    assert {frozenset(entry) for entry in entries} == {frozenset(expected)}
    assert {name: kinds[name] for name in expected if not kinds[name] <= expected[name]} == {}


@pytest.mark.parametrize(
    "case", [case for case in CASES["answers"] if case["tables"] in (["buyer_users"], ["items"])]
)
def test_a_record_has_no_field_beyond_its_table(client: httpx.Client, case: Json) -> None:
    assert kinds_of(read(client, case)).keys() == described(*case["tables"]).keys()


def test_pagination_counts_in_integers_and_an_error_is_told_in_texts(client: httpx.Client) -> None:
    pages = [
        client.get("/orders", params={"page": page, "limit": 20}).json()["pagination"]
        for page in (1, 2, 3)
    ]
    errors = [
        client.get("/orders", headers={"X-API-Key": "wrong"}).json(),
        client.get("/orders/unknown").json(),
    ]

    names = ("current", "previous", "next", "limit", "total_pages", "total_count")
    assert kinds_of(pages) == {name: {"integer"} for name in names}
    assert kinds_of(errors) == {name: {"string"} for name in ("error", "details")}

"""Resources: what one request changes shows in all that is read afterwards."""

import httpx
import pytest

from support.records.cases import RECORDS, Ask, Case, cases, id_of, refused
from wholesale.api.endpoints import ENDPOINT, ENDPOINTS
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.storage.data_folder import PARENT_FIELDS

CASES = cases()
ITEM, VARIANT, BUYER = RECORDS["item"], RECORDS["variant"], RECORDS["buyer"]


DELETIONS = [
    case for case in CASES if ENDPOINT[case.endpoint].method == "DELETE" and not case.is_refused
]


@pytest.mark.parametrize("case", DELETIONS, ids=lambda case: case.endpoint)
def test_what_is_deleted_is_gone(ask: Ask, case: Case) -> None:
    deletion = ask(case)

    assert (deletion.content, "content-length" in deletion.headers) == (b"", False)
    again = ask(Case(case.endpoint.replace("delete", "get"), 404, ids=case.ids))
    assert (again.status_code, again.json()) == (404, refused(404, ""))


@pytest.mark.parametrize("name", [e.name for e in ENDPOINTS if e.method == "GET" and e.parameters])
def test_an_id_may_be_asked_for_in_capital_letters(ask: Ask, sandbox: Sandbox, name: str) -> None:
    small = "abcdef00-0000-4000-8000-00000000000a"
    ids = dict.fromkeys(ENDPOINT[name].parameters, small)
    for resource in RESOURCE:
        sandbox.put(resource, {"id": small}, small if resource in PARENT_FIELDS else None)

    answers = [
        ask(Case(name, 200, ids=ids)),
        ask(Case(name, 200, ids={key: small.upper() for key in ids})),
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1].json() == answers[0].json()


def test_a_change_that_is_refused_changes_nothing(ask: Ask) -> None:
    ask(Case("update_item", 422, sent={"item": {"title": "Changed", "moq": "many"}}))

    assert ask(Case("get_item", 200)).json() == ITEM


def test_literals_are_served_as_they_were_sent(client: httpx.Client) -> None:
    path = ENDPOINT["update_item"].path_for(itemId=id_of("item"))

    response = client.put(path, content=b'{"item": {"msrp": 12.50, "map": "1e1", "unit_price": 3}}')

    assert b'"msrp":12.50,' in response.content
    assert b'"map":"1e1"' in client.get(path).content
    assert b'"unit_price":3,' in client.get(path).content


def test_an_items_change_shows_in_its_variants(ask: Ask) -> None:
    vendor_id = id_of("idle_vendor")
    sent = {"item": {"title": "Cup", "product_code": "CUP", "vendor_id": vendor_id}}

    ask(Case("update_item", 200, sent=sent))

    assert ask(Case("get_variant", 200)).json() == VARIANT | {
        "parent_title": "Cup",
        "parent_product_code": "CUP",
        "vendor_id": vendor_id,
        "vendor_name": "Idle & Sons",
    }


def test_what_a_variant_says_of_its_item_stays_as_written_until_it_is_cleared_or_moved(
    ask: Ask,
) -> None:
    def variant() -> object:
        return ask(Case("get_variant", 200)).json()

    written = {"parent_title": "Beaker", "parent_product_code": "B-1"}
    ask(Case("update_variant", 200, sent={"variant": written}))
    ask(Case("update_item", 200, sent={"item": {"title": "Cup", "product_code": "CUP"}}))
    ask(Case("update_variant", 200, sent={"variant": {"sku": "K"}}))
    assert variant() == VARIANT | written | {"sku": "K"}

    ask(Case("update_variant", 200, sent={"variant": {"parent_title": None}}))
    assert variant() == VARIANT | written | {"sku": "K", "parent_title": "Cup"}

    move = {"parent_id": id_of("item"), "parent_title": "Tankard"}
    ask(Case("update_variant", 200, sent={"variant": move}))
    copied = {"parent_title": "Tankard", "parent_product_code": "CUP"}
    assert variant() == VARIANT | copied | {"sku": "K"}


def test_a_vendors_and_a_brands_new_name_shows_in_items_and_variants(ask: Ask) -> None:
    ask(Case("update_vendor", 200, sent={"vendor": {"name": "Clay Ltd"}}))
    ask(Case("update_brand", 200, sent={"brand": {"title": "Terra Nova"}}))

    names = {"vendor_name": "Clay Ltd", "brand_name": "Terra Nova"}
    assert ask(Case("get_item", 200)).json() == ITEM | names
    assert ask(Case("get_variant", 200)).json() == VARIANT | names


def test_an_item_counts_its_variants(ask: Ask) -> None:
    def counts() -> list[int]:
        listed = ask(Case("list_items", 200)).json()["data"]
        return [item["variants_count"] for item in listed]

    ask(Case("create_variant", 201, sent={"variant": {}}))
    created = counts()
    ask(Case("update_variant", 200, sent={"variant": {"parent_id": id_of("bare_item")}}))
    moved = counts()
    ask(Case("delete_variant", 204, ids={"itemId": id_of("bare_item")}))

    assert (created, moved, counts()) == ([2, 0], [1, 1], [1, 0])


def test_a_deletion_takes_along_what_hangs_on_the_record(sandbox: Sandbox, ask: Ask) -> None:
    def left() -> dict[str, int]:
        resources = ("variants", "item_images", "prices", "buyer_users")
        return {name: sandbox.storage.collection(name).count() for name in resources}

    ask(Case("delete_item", 204))
    ask(Case("delete_buyer", 204))

    assert left() == {"variants": 0, "item_images": 0, "prices": 0, "buyer_users": 0}


def test_a_deleted_brand_or_price_list_leaves_no_reference_behind(ask: Ask) -> None:
    ask(Case("delete_brand", 204))
    ask(Case("delete_price_list", 204))

    none = {"brand_id": None, "brand_name": None}
    assert ask(Case("get_item", 200)).json() == ITEM | none
    assert ask(Case("get_variant", 200)).json() == VARIANT | none
    assert ask(Case("get_buyer", 200)).json() == BUYER | {"price_list_id": None}
    assert ask(Case("list_prices", 200)).json()["data"] == []


def test_options_are_merged_by_name_and_null_clears_them(ask: Ask) -> None:
    def options_after(sent: object) -> object:
        return ask(Case("update_item", 200, sent={"item": {"options": sent}})).json()["options"]

    assert options_after([{"name": "Size", "values": ["S"]}]) == [
        {"name": "Color", "values": ["Red", "Blue"]},
        {"name": "Size", "values": ["S"]},
    ]
    assert options_after([{"name": "Color", "values": ["Green"]}]) == [
        {"name": "Color", "values": ["Green"]},
        {"name": "Size", "values": ["S"]},
    ]
    assert options_after([{"name": "Color", "_destroy": True}]) == [
        {"name": "Size", "values": ["S"]}
    ]
    assert options_after([]) == [{"name": "Size", "values": ["S"]}]
    assert options_after(None) == []

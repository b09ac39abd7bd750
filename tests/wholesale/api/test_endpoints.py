"""The registry of endpoints says what §4, §5 and §7 say, typed here a second time by hand."""

import re

import pytest

from support.paths import DESCRIPTION
from wholesale.api.endpoints import ENDPOINT, ENDPOINTS, Endpoint

# Call; §; success, assumed where marked ?; wrapper, the same; errors; query parameters.
DESCRIBED = """
GET /                                                               4.12  200
GET /items                                                          4.12  200
POST /items                                                         4.1   201  item
GET /items/{itemId}                                                 4.12  200
PUT /items/{itemId}                                                 4.12  200  item?
DELETE /items/{itemId}                                              4.12  204?
GET /items/{itemId}/variants                                        4.12  200
POST /items/{itemId}/variants                                       4.12  201  variant
GET /items/{itemId}/variants/{variantId}                            4.11  200
PUT /items/{itemId}/variants/{variantId}                            4.10  200  variant
DELETE /items/{itemId}/variants/{variantId}                         4.12  204?
GET /buyers                                                         4.12  200
POST /buyers                                                        4.12  201  buyer?
GET /buyers/{buyerId}                                               4.12  200
PUT /buyers/{buyerId}                                               4.4   200  buyer
DELETE /buyers/{buyerId}                                            4.12  204?
GET /buyers/{buyerId}/buyer_users                                   4.12  200
POST /buyers/{buyerId}/buyer_users                                  4.5   201  buyer_user
GET /buyers/{buyerId}/buyer_users/{buyerUserId}                     4.6   200
PUT /buyers/{buyerId}/buyer_users/{buyerUserId}                     4.12  200  buyer_user?
DELETE /buyers/{buyerId}/buyer_users/{buyerUserId}                  4.12  204?
POST /buyers/{buyerId}/buyer_users/{buyerUserId}/resend_invitation  4.12  200?
POST /buyers/{buyerId}/buyer_users/{buyerUserId}/reset_password     4.12  200?
PUT /buyers/{buyerId}/buyer_users/{buyerUserId}/activate            4.12  200
PUT /buyers/{buyerId}/buyer_users/{buyerUserId}/deactivate          4.12  200
GET /item_images                                                    4.12  200
POST /item_images                                                   4.12  201  item_image?
GET /item_images/{itemImageId}                                      4.12  200
PUT /item_images/{itemImageId}                                      4.12  200  item_image?
DELETE /item_images/{itemImageId}                                   4.9   204
GET /price_lists                                                    4.12  200
POST /price_lists                                                   4.12  201  price_list?
GET /price_lists/{priceListId}                                      4.12  200
PUT /price_lists/{priceListId}                                      4.12  200  price_list?
DELETE /price_lists/{priceListId}                                   4.12  204?
GET /prices                                                         4.12  200
POST /prices                                                        4.12  201  price?
GET /prices/{priceId}                                               4.12  200
PUT /prices/{priceId}                                               4.12  200  price?
DELETE /prices/{priceId}                                            4.12  204?
GET /brands                                                         4.12  200
POST /brands                                                        4.12  201  brand
GET /brands/{brandId}                                               4.12  200
PUT /brands/{brandId}                                               4.12  200  brand
DELETE /brands/{brandId}                                            4.12  204?
GET /categories                                                     4.12  200
POST /categories                                                    4.12  201  category
GET /custom_fields                                                  4.12  200
POST /custom_fields                                                 4.12  201  custom_field?
GET /vendors                                                        4.7   200
POST /vendors                                                       4.12  201  vendor
GET /vendors/{vendorId}                                             4.12  200
PUT /vendors/{vendorId}                                             4.12  200  vendor
DELETE /vendors/{vendorId}                                          4.8   204?
GET /orders                                                         4.2   200
GET /orders/{orderId}                                               4.3   200
"""

ERRORS = {  # §4 and §7; no other operation is listed
    "GET /": (401,),
    "GET /orders": (401,),
    "GET /orders/{orderId}": (401, 404),
    "GET /vendors": (401,),
    "POST /vendors": (401, 422),
    "GET /vendors/{vendorId}": (401, 404),
    "PUT /vendors/{vendorId}": (401, 404, 422),
    "DELETE /vendors/{vendorId}": (401, 404, 422),
    "GET /categories": (401, 404),
    "POST /categories": (401, 404, 422),
    "GET /items/{itemId}/variants/{variantId}": (401, 404),
    "PUT /items/{itemId}/variants/{variantId}": (401, 404, 422),
}

QUERIES = {
    "GET /orders": ("verbose", "page", "limit"),
    "GET /orders/{orderId}": ("verbose",),
    "GET /vendors": ("page", "limit"),
    "GET /brands": ("page", "limit"),
}


def call(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


def line(endpoint: Endpoint) -> list[str]:
    facts = [endpoint.success, endpoint.wrapper]
    return [
        *call(endpoint).split(),
        endpoint.section,
        *(f"{fact.value}{'' if fact.is_documented else '?'}" for fact in facts if fact),
    ]


def test_the_56_endpoints_are_those_of_the_description() -> None:
    assert [line(endpoint) for endpoint in ENDPOINTS] == [
        described.split() for described in DESCRIBED.strip().splitlines()
    ]
    assert len(ENDPOINTS) == 56


def test_the_documented_errors_are_those_of_the_description() -> None:
    assert {call(row): row.errors for row in ENDPOINTS if row.errors} == ERRORS


def test_the_query_parameters_are_those_of_the_description() -> None:
    assert {call(row): row.query for row in ENDPOINTS if row.query} == QUERIES


def test_every_endpoint_is_found_by_its_one_name() -> None:
    assert list(ENDPOINT.values()) == list(ENDPOINTS)
    assert [name for name, endpoint in ENDPOINT.items() if name != endpoint.name] == []


def test_ids_are_filled_into_a_path_as_one_segment_each() -> None:
    get_variant = ENDPOINT["get_variant"]

    assert get_variant.path_for(itemId="a-1", variantId="2") == "/items/a-1/variants/2"
    assert get_variant.path_for(itemId="../x?y#z", variantId="é %") == (
        "/items/..%2Fx%3Fy%23z/variants/%C3%A9%20%25"
    )


def test_the_ids_of_a_path_are_named_in_its_order() -> None:
    assert ENDPOINT["list_orders"].parameters == ()
    assert ENDPOINT["get_order"].parameters == ("orderId",)
    assert ENDPOINT["get_variant"].parameters == ("itemId", "variantId")
    assert ENDPOINT["activate_buyer_user"].parameters == ("buyerId", "buyerUserId")
    for endpoint in ENDPOINTS:
        ids = {name: "x" for name in endpoint.parameters}
        assert endpoint.path_for(**ids) == re.sub(r"\{\w+\}", "x", endpoint.path)


@pytest.mark.skipif(not DESCRIPTION.exists(), reason="the API description is not at hand")
def test_the_description_itself_names_the_same_calls() -> None:
    chapter = DESCRIPTION.read_text().split("## 4. Endpoints")[1].split("## 5. ")[0]
    headings = re.findall(r"^### 4\.\d+ ((?:GET|POST|PUT|DELETE) /\S*)", chapter, re.MULTILINE)
    table = [row for row in chapter.splitlines() if row.startswith("| ")]
    listed = re.findall(r"(?:GET|POST|PUT|DELETE) /[^\s;|]*", "\n".join(table))

    assert sorted(call(row) for row in ENDPOINTS) == sorted(headings + listed)

"""The OpenAPI document covers the 56 endpoints and marks what the description leaves open."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import schemathesis

from wholesale.api.endpoints import ENDPOINT, ENDPOINTS
from wholesale_sandbox.contract import document
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.contract.schemas import record_name
from wholesale_sandbox.responses.order_forms import OrderForm, order_form
from wholesale_sandbox.world.business import World

DOCUMENT = document()
OPERATIONS = {
    operation["operationId"]: operation
    for methods in DOCUMENT["paths"].values()
    for operation in methods.values()
}
SCHEMAS = DOCUMENT["components"]["schemas"]
ORDER_FORMS: dict[str, OrderForm] = {
    "OrderSummary": "summary",
    "OrderBasic": "basic",
    "OrderVerbose": "verbose",
}


def accepts(schema: str, value: object) -> bool:
    """Whether a value fits one of the schemas of the document."""
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{schema}", "components": DOCUMENT["components"]}
    ).is_valid(value)


def misfits(schema: str, record: bytes) -> list[str]:
    validator = jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{schema}", "components": DOCUMENT["components"]},
        validate_formats=True,
    )
    return [
        f"{schema} {error.instance_path}: {error.message}"
        for error in validator.iter_errors(json.loads(record))
    ]


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(target := value.get("$ref"), str):
            yield target
        for entry in value.values():
            yield from references(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from references(entry)


def marked(schema: str, mark: str) -> dict[str, Any]:
    properties = SCHEMAS[schema]["properties"]
    return {name: value[mark] for name, value in properties.items() if value and mark in value}


def test_the_document_is_valid_openapi_3_1() -> None:
    schemathesis.openapi.from_dict(DOCUMENT).validate()

    for schema in SCHEMAS.values():
        jsonschema_rs.meta.validate(schema)


def test_the_document_has_the_56_endpoints_with_their_names_methods_and_paths() -> None:
    calls = [
        (operation["operationId"], method.upper(), path, operation["x-section"])
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    ]

    assert sorted(calls) == sorted((e.name, e.method, e.path, e.section) for e in ENDPOINTS)
    assert len(calls) == 56


def test_every_component_is_used_and_every_reference_leads_somewhere() -> None:
    components = {
        f"#/components/{group}/{name}"
        for group in ("schemas", "responses")
        for name in DOCUMENT["components"][group]
    }

    assert set(references(DOCUMENT)) == components


@pytest.mark.parametrize("name", ENDPOINT)
def test_an_operation_answers_its_success_and_the_errors_the_description_names(name: str) -> None:
    endpoint, operation = ENDPOINT[name], OPERATIONS[name]

    assert {str(endpoint.success.value), "401", *map(str, endpoint.errors)} <= set(
        operation["responses"]
    )
    assert operation["x-documented-statuses"] == sorted(
        {401, *endpoint.errors}
        | ({endpoint.success.value} if endpoint.success.is_documented else set())
    )


@pytest.mark.parametrize("name", ENDPOINT)
def test_an_operation_takes_the_ids_of_its_path_and_the_query_of_the_description(name: str) -> None:
    endpoint, parameters = ENDPOINT[name], OPERATIONS[name].get("parameters", [])
    in_path = [parameter["name"] for parameter in parameters if parameter["in"] == "path"]
    documented = [
        parameter["name"]
        for parameter in parameters
        if parameter["in"] == "query" and parameter["x-documented"]
    ]

    assert endpoint.path_for(**dict.fromkeys(in_path, "1")).count("{") == 0
    assert tuple(documented) == endpoint.query


def test_a_parameter_that_is_assumed_says_so_with_its_section() -> None:
    assumed = {
        name
        for name, operation in OPERATIONS.items()
        if [p["name"] for p in operation.get("parameters", []) if p.get("x-assumed")]
        == ["page", "limit"]
    }
    parameter = OPERATIONS["list_items"]["parameters"][0]

    assert assumed == {
        "list_items",
        "list_variants",
        "list_buyers",
        "list_buyer_users",
        "list_item_images",
        "list_price_lists",
        "list_prices",
        "list_categories",
        "list_custom_fields",
    }
    assert parameter["description"].endswith("Assumed: §4.12.")


@pytest.mark.parametrize("name", ENDPOINT)
def test_a_body_holds_its_fields_under_the_wrapper_key(name: str) -> None:
    endpoint, body = ENDPOINT[name], OPERATIONS[name].get("requestBody")

    if endpoint.wrapper is None:
        assert body is None
    else:
        assert body is not None
        assert body["x-documented"] == endpoint.wrapper.is_documented
        assert body["content"]["application/json"]["schema"]["required"] == [endpoint.wrapper.value]


def test_only_the_creation_of_a_brand_takes_a_form() -> None:
    forms = {
        name: set(
            operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]
        )
        for name, operation in OPERATIONS.items()
        if "multipart/form-data" in operation.get("requestBody", {}).get("content", {})
    }

    assert forms == {
        "create_brand": {"brand[title]", "brand[handle]", "brand[description]", "brand[logo]"}
    }


def test_the_tags_are_the_resources_and_each_operation_has_one() -> None:
    used = {tag for operation in OPERATIONS.values() for tag in operation["tags"]}

    assert [tag["name"] for tag in DOCUMENT["tags"]] == ["service", *RESOURCE]
    assert used == {"service", *RESOURCE}
    assert OPERATIONS["activate_buyer_user"]["tags"] == ["buyer_users"]


def test_the_key_goes_in_the_header_of_every_request() -> None:
    scheme = DOCUMENT["components"]["securitySchemes"]["apiKey"]

    assert DOCUMENT["security"] == [{"apiKey": []}]
    assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "header", "X-API-Key")


def test_what_is_written_leaves_out_what_the_service_generates() -> None:
    read, written = SCHEMAS["BuyerUser"]["properties"], SCHEMAS["BuyerUserCreate"]["properties"]

    assert set(read) - set(written) == {"id", "status", "created_at", "updated_at"}
    assert SCHEMAS["BuyerUserCreate"]["required"] == ["full_name", "email"]
    assert "required" not in SCHEMAS["BuyerUserUpdate"]
    assert not accepts("BuyerUserUpdate", {"full_name": " "})


def test_a_requirement_that_is_assumed_says_so() -> None:
    assert "x-assumed-required" not in SCHEMAS["ItemCreate"]
    assert SCHEMAS["VendorCreate"]["required"] == ["name"]
    assert SCHEMAS["VendorCreate"]["x-assumed-required"] == ["name"]


def test_the_title_of_a_variant_is_refused_and_other_unknown_fields_are_not() -> None:
    assert accepts("VariantUpdate", {"sku": "K-1"})
    assert accepts("VariantUpdate", {"sku": "K-1", "colour": "red"})
    assert not accepts("VariantUpdate", {"sku": "K-1", "title": "Red / L"})
    assert not accepts("VariantCreate", {"title": "Red / L"})


def test_an_option_is_sent_with_its_values_or_with_the_mark_that_takes_it_away() -> None:
    assert accepts("ItemOptionChange", {"name": "Color", "values": ["Red"]})
    assert accepts("ItemOptionChange", {"name": "Color", "_destroy": True})
    assert not accepts("ItemOptionChange", {"name": "Color"})
    assert not accepts("ItemOptionChange", {"name": "Color", "_destroy": False})
    assert not accepts("VariantOptionChange", {"name": "Color", "values": ["Red"]})


@pytest.mark.parametrize("amount", [12.5, 12, "12.50", "12", "-3", "1e3"])
def test_a_decimal_is_a_number_or_its_text(amount: object) -> None:
    assert accepts("Decimal", amount)


@pytest.mark.parametrize("amount", ["", "twelve", "12,50", "1.", "0x1", True, None])
def test_what_is_no_decimal_is_refused(amount: object) -> None:
    assert not accepts("Decimal", amount)


def test_a_page_on_the_edge_has_no_neighbour() -> None:
    page = {
        "pagination": {
            "current": 1,
            "previous": None,
            "next": None,
            "limit": 25,
            "total_pages": 0,
            "total_count": 0,
        },
        "data": [],
    }

    assert accepts("VendorPage", page)
    assert not accepts("VendorPage", {**page, "pagination": {"current": 1}})
    assert not accepts("VendorPage", [])


def test_the_verbose_order_may_lack_its_invoice_and_nothing_else() -> None:
    verbose = SCHEMAS["OrderVerbose"]

    assert set(verbose["properties"]) - set(verbose["required"]) == {
        "invoice_number",
        "invoice_generated_at",
    }
    assert set(SCHEMAS["OrderSummary"]["required"]) == set(SCHEMAS["OrderSummary"]["properties"])
    assert set(SCHEMAS["OrderBasic"]["required"]) == set(SCHEMAS["OrderBasic"]["properties"])


def test_an_id_says_which_resource_it_names() -> None:
    item_id, variant_id = OPERATIONS["get_variant"]["parameters"]

    assert (item_id["x-refers-to"], variant_id["x-refers-to"]) == ("items", "variants")
    assert marked("PriceCreate", "x-refers-to") == {
        "price_list_id": "price_lists",
        "variant_id": "variants",
        "item_id": "items",
    }
    assert marked("VariantUpdate", "x-refers-to") == {"parent_id": "items"}
    assert marked("CategoryCreate", "x-refers-to") == {"parent_id": "categories"}


def test_the_fields_that_the_description_does_not_show_are_marked() -> None:
    assert marked("Vendor", "x-documented") == {}
    assert marked("Category", "x-documented") == dict.fromkeys(
        ("id", "title", "parent_id", "created_at", "updated_at"), False
    )
    assert marked("OrderVerbose", "x-documented") == {
        "invoice_number": False,
        "invoice_generated_at": False,
    }


def test_the_document_is_made_of_plain_json_and_made_anew_each_time() -> None:
    first, second = document(), document()
    first["paths"]["/"]["get"]["tags"].append("changed")

    assert second == document() == json.loads(json.dumps(second))


@pytest.mark.slow
def test_every_record_of_the_seeded_world_fits_the_document() -> None:
    world = World(seed=7, orders=60)
    records = [
        (record_name(RESOURCE[resource]), body) for resource, _, _, body in world.catalogue()
    ] + [
        (name, order_form(world.orders.body(number), form))
        for number in range(len(world.orders))
        for name, form in ORDER_FORMS.items()
    ]

    assert [misfit for name, body in records for misfit in misfits(name, body)] == []

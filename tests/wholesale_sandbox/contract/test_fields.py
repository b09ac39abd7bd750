"""The registry of fields says what §2 of the API description says, no more and no less."""

import tomllib
from pathlib import Path

import pytest

from wholesale.api.endpoints import ENDPOINTS
from wholesale_sandbox.business.consequences import REFERENCES
from wholesale_sandbox.contract.fields import (
    COMMENT_FIELDS,
    ITEM_OPTION_FIELDS,
    LINE_ITEM_FIELDS,
    ORDER_BASIC_FIELDS,
    ORDER_INVOICE_FIELDS,
    ORDER_SUMMARY_FIELDS,
    RESOURCE,
    RESOURCES,
    VARIANT_OPTION_FIELDS,
    Field,
)

DESCRIBED = tomllib.loads((Path(__file__).parent / "cases/fields.toml").read_text("utf-8"))

UNDESCRIBED = {  # §2.8: none of their fields is shown
    "item_images": {
        "item_id": "guid",
        "url": "text",
        "position": "integer",
    },
    "price_lists": {"title": "text", "description": "text"},
    "prices": {
        "price_list_id": "guid",
        "variant_id": "guid",
        "item_id": "guid",
        "unit_price": "decimal",
    },
    "brands": {"title": "text", "handle": "text", "description": "text", "logo": "text"},
    "categories": {"title": "text", "parent_id": "guid"},
    "custom_fields": {"name": "text", "kind": "text", "applies_to": "text"},
}


def rows(name: str) -> list[Field]:
    """The fields of a table of §2."""
    table = DESCRIBED[name]
    return [row(line.split(), table["section"]) for line in table["fields"].strip().splitlines()]


def row(words: list[str], section: str) -> Field:
    name, type, *notes = words
    allowed = next((tuple(note.split("|")) for note in notes if "|" in note), ())
    return Field(
        name,
        type,  # type: ignore[arg-type]
        section,
        read_only="read-only" in notes,
        required="required" in notes,
        allowed=allowed,
        refused="refused" in notes,
        refers_to=next((note.removeprefix("->") for note in notes if note.startswith("->")), None),
    )


@pytest.mark.parametrize("resource", [name for name in DESCRIBED if name in RESOURCE])
def test_a_described_resource_has_the_fields_of_its_table(resource: str) -> None:
    assert RESOURCE[resource].section == DESCRIBED[resource]["section"]
    assert list(RESOURCE[resource].fields) == rows(resource)


def test_an_order_summary_has_the_fields_of_its_table() -> None:
    fields = [RESOURCE["orders"].field(name) for name in ORDER_SUMMARY_FIELDS]

    assert fields == rows("order_summary")


def test_a_single_order_has_the_fields_of_its_table() -> None:
    fields = [RESOURCE["orders"].field(name) for name in ORDER_BASIC_FIELDS]

    assert fields == rows("order_basic")


def test_a_verbose_order_is_the_single_order_with_the_parties_of_the_summary_and_an_invoice() -> (
    None
):
    names = [field.name for field in RESOURCE["orders"].fields]

    assert sorted(names) == sorted(
        {*ORDER_BASIC_FIELDS, *ORDER_SUMMARY_FIELDS, "invoice_number", "invoice_generated_at"}
    )
    assert ORDER_INVOICE_FIELDS == ("invoice_number", "invoice_generated_at")


def test_a_line_item_has_the_fields_of_the_description_with_its_misspelling() -> None:
    assert list(LINE_ITEM_FIELDS) == rows("line_item")


def test_an_option_has_many_values_on_an_item_and_one_on_a_variant() -> None:
    assert list(ITEM_OPTION_FIELDS) == rows("item_option")
    assert list(VARIANT_OPTION_FIELDS) == rows("variant_option")


@pytest.mark.parametrize("resource", UNDESCRIBED)
def test_an_undescribed_resource_has_an_id_its_assumed_fields_and_its_times(resource: str) -> None:
    fields = {field.name: field.type for field in RESOURCE[resource].fields}

    assert fields == {
        "id": "guid",
        **UNDESCRIBED[resource],
        "created_at": "timestamp",
        "updated_at": "timestamp",
    }


def test_the_fields_that_no_table_shows_are_marked_as_assumed() -> None:
    undocumented = {
        resource.name: {field.name for field in resource.fields if not field.documented}
        for resource in RESOURCES
    }
    generated = {"id", "created_at", "updated_at"}

    assert undocumented == {
        "orders": {"invoice_number", "invoice_generated_at"},
        "vendors": set(),
        "buyers": set(),
        "buyer_users": set(),
        "items": set(),
        "variants": set(),
        "item_images": generated | UNDESCRIBED["item_images"].keys(),
        "price_lists": generated | UNDESCRIBED["price_lists"].keys(),
        "prices": generated | UNDESCRIBED["prices"].keys(),
        "brands": generated,  # title, handle, description and logo are named in §4.12
        "categories": generated | UNDESCRIBED["categories"].keys(),
        "custom_fields": generated | UNDESCRIBED["custom_fields"].keys(),
    }
    assert not any(field.documented for field in COMMENT_FIELDS)


def test_the_ids_a_body_may_carry_name_the_records_that_the_service_looks_for() -> None:
    in_bodies = {
        resource.name: {
            field.name: field.refers_to
            for field in resource.fields
            if field.refers_to and not field.read_only
        }
        for resource in RESOURCES
        if resource.name != "orders"
    }

    assert {resource: fields for resource, fields in in_bodies.items() if fields} == REFERENCES


def test_a_resource_knows_its_fields_by_name() -> None:
    assert RESOURCE["items"].field("msrp") == Field("msrp", "decimal", "2.1")
    assert RESOURCE["items"].field("price") is None


def test_the_resources_are_those_of_the_paths_and_their_wrappers_those_of_the_endpoints() -> None:
    in_paths = {
        segment
        for endpoint in ENDPOINTS
        for segment in endpoint.path.split("/")
        if segment and not segment.startswith("{")
    }
    actions = {"activate", "deactivate", "resend_invitation", "reset_password"}
    wrappers = {endpoint.wrapper.value for endpoint in ENDPOINTS if endpoint.wrapper}

    assert set(RESOURCE) == in_paths - actions
    assert {resource.wrapper for resource in RESOURCES} == wrappers | {"order"}

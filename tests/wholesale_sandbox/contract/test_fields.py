"""The registry of fields says what §2 of the API description says, no more and no less."""

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

# Typed by hand from the tables of §2: name, type, the notes of the table, -> what an id names.
DESCRIBED = {
    "items": (
        "2.1",
        """
        id                  guid          read-only
        title               text          required
        description         text
        product_code        text          required
        sku                 text
        upc                 text
        status              text          draft|published
        category_id         guid          required ->categories
        vendor_id           guid ->vendors
        brand_id            guid ->brands
        options             item_options
        msrp                decimal
        unit_price          decimal
        map                 decimal
        moq                 integer
        quantity_multiplier integer
        variants_count      integer       read-only
        category_name       text          read-only
        vendor_name         text          read-only
        brand_name          text          read-only
        """,
    ),
    "variants": (
        "2.2",
        """
        id                  guid             read-only
        parent_id           guid ->items
        parent_title        text
        parent_product_code text
        title               text             read-only refused
        description         text
        sku                 text
        upc                 text
        msrp                decimal
        unit_price          decimal
        map                 decimal
        moq                 integer
        quantity_multiplier integer
        options             variant_options
        sku_status          text             active|inactive
        category_id         guid             read-only ->categories
        vendor_id           guid             read-only ->vendors
        brand_id            guid             read-only ->brands
        category_name       text             read-only
        vendor_name         text             read-only
        brand_name          text             read-only
        """,
    ),
    "buyers": (
        "2.5",
        """
        id                 guid       read-only
        company_name       text
        company_ein        text
        email              email
        phone              text
        address1           text
        address2           text
        city               text
        state              text
        zip                text
        country            text
        website            text
        price_list_id      guid ->price_lists
        account_manager_id guid
        created_at         timestamp  read-only
        updated_at         timestamp  read-only
        """,
    ),
    "buyer_users": (
        "2.6",
        """
        id         guid       read-only
        full_name  text       required
        email      email      required
        role       text       owner|user
        status     text       read-only active|inactive|invited
        created_at timestamp  read-only
        updated_at timestamp  read-only
        """,
    ),
    "vendors": (
        "2.7",
        """
        id                            guid       read-only
        name                          text
        minimum_order_value           number
        minimum_order_quantity        integer
        address1                      text
        address2                      text
        city                          text
        state                         text
        country                       text
        zip                           number
        website                       text
        email                         text
        phone                         text
        ein                           text
        order_contact_name            text
        order_contact_phone           text
        payment_contact_name          text
        payment_contact_phone         text
        shipping_type                 text
        shipping_scheme               map
        status                        text
        order_processing_time         text
        order_processing_on           text
        order_shipping_days           texts
        order_processing_cut_off_time text
        order_terms                   text
        description                   text
        logo                          text
        created_at                    timestamp  read-only
        updated_at                    timestamp  read-only
        """,
    ),
}

ORDER_SUMMARY = """
    id                         guid       read-only
    order_number               text
    status                     text
    sub_total                  number
    total                      text
    vendor_id                  text ->vendors
    vendor_name                text
    vendor_minimum_order_value number
    buyer_id                   text ->buyers
    buyer_user_id              text ->buyer_users
    buyer_company_name         text
    invoice_status             text
    created_at                 timestamp  read-only
    updated_at                 timestamp  read-only
"""

ORDER_BASIC = """
    id                                                 guid       read-only
    order_number                                       text
    status                                             text
    sub_total                                          number
    total                                              text
    shipping_name                                      text
    shipping_email                                     text
    shipping_company                                   text
    shipping_phone                                     text
    shipping_address1                                  text
    shipping_address2                                  text
    shipping_city                                      text
    shipping_state                                     text
    shipping_country                                   text
    shipping_zip                                       text
    billing_name                                       text
    billing_email                                      text
    billing_company                                    text
    billing_phone                                      text
    billing_address1                                   text
    billing_address2                                   text
    billing_city                                       text
    billing_state                                      text
    billing_country                                    text
    billing_zip                                        text
    payment_status                                     text
    transaction_fee                                    number
    billing_payment_method_type                        text
    billing_payment_method_instruction_pay_to          text
    billing_payment_method_instruction_send_to_address text
    billing_payment_method_instruction_memo            text
    billing_payment_method_instruction_other           text
    order_line_items                                   line_items
    po_number                                          text
    order_line_items_discount_amount                   text
    order_comments                                     comments
    created_at                                         timestamp  read-only
    updated_at                                         timestamp  read-only
"""

LINE_ITEM = """
    item_id         text ->items
    title           text
    variant         text
    sku             text
    quantity        integer
    unit_price      number
    total_price     number
    discount_amount text
    categoy_name    text
    vendor_name     text
"""

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


def rows(table: str, section: str) -> list[Field]:
    return [row(line.split(), section) for line in table.strip().splitlines()]


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


@pytest.mark.parametrize("resource", DESCRIBED)
def test_a_described_resource_has_the_fields_of_its_table(resource: str) -> None:
    section, table = DESCRIBED[resource]

    assert RESOURCE[resource].section == section
    assert list(RESOURCE[resource].fields) == rows(table, section)


def test_an_order_summary_has_the_fields_of_its_table() -> None:
    fields = [RESOURCE["orders"].field(name) for name in ORDER_SUMMARY_FIELDS]

    assert fields == rows(ORDER_SUMMARY, "2.4")


def test_a_single_order_has_the_fields_of_its_table() -> None:
    fields = [RESOURCE["orders"].field(name) for name in ORDER_BASIC_FIELDS]

    assert fields == rows(ORDER_BASIC, "2.4")


def test_a_verbose_order_is_the_single_order_with_the_parties_of_the_summary_and_an_invoice() -> (
    None
):
    names = [field.name for field in RESOURCE["orders"].fields]

    assert sorted(names) == sorted(
        {*ORDER_BASIC_FIELDS, *ORDER_SUMMARY_FIELDS, "invoice_number", "invoice_generated_at"}
    )
    assert ORDER_INVOICE_FIELDS == ("invoice_number", "invoice_generated_at")


def test_a_line_item_has_the_fields_of_the_description_with_its_misspelling() -> None:
    assert list(LINE_ITEM_FIELDS) == rows(LINE_ITEM, "2.4")


def test_an_option_has_many_values_on_an_item_and_one_on_a_variant() -> None:
    assert list(ITEM_OPTION_FIELDS) == rows("name text\nvalues texts\n_destroy boolean", "2.1")
    assert list(VARIANT_OPTION_FIELDS) == rows("name text\nvalue text\n_destroy boolean", "2.2")


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

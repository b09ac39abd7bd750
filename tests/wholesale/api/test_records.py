"""The records have the fields of the tables of §2, typed here a second time by hand."""

import pytest

from wholesale.api.records import RECORDS
from wholesale.api.resources import RESOURCE
from wholesale.tables.shapes import TableShape, shape_of

GUID = TEXT = EMAIL = PHONE = "text"
DECIMAL_TEXT = NUMBER = "decimal"
INT = "integer"
AT = "timestamp"
PARTY = "name email company phone address1 address2 city state country zip"


def each(names: str, type_: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), type_)


TABLES = {
    "orders": (
        {"id": "key"}
        | each("order_number status", TEXT)  # summary
        | {"sub_total": NUMBER, "total": DECIMAL_TEXT}
        | each("vendor_id vendor_name", TEXT)
        | {"vendor_minimum_order_value": NUMBER}
        | each("buyer_id buyer_user_id buyer_company_name invoice_status", TEXT)
        | each("created_at updated_at", AT)
        | {f"shipping_{name}": TEXT for name in PARTY.split()}  # single order
        | {f"billing_{name}": TEXT for name in PARTY.split()}
        | {"payment_status": TEXT, "transaction_fee": NUMBER}
        | {"billing_payment_method_type": TEXT}
        | {
            f"billing_payment_method_instruction_{name}": TEXT
            for name in ("pay_to", "send_to_address", "memo", "other")
        }
        | {"po_number": TEXT, "order_line_items_discount_amount": DECIMAL_TEXT}
    ),
    "orders__order_line_items": (
        each("item_id title variant sku", TEXT)
        | {"quantity": INT, "unit_price": NUMBER, "total_price": NUMBER}
        | {"discount_amount": DECIMAL_TEXT}
        | each("categoy_name vendor_name", TEXT)
    ),
    "orders__order_comments": {},
    "vendors": (
        {"id": "key", "name": TEXT, "minimum_order_value": NUMBER, "minimum_order_quantity": INT}
        | each("address1 address2 city state country zip website email phone ein", TEXT)
        | each("order_contact_name order_contact_phone", TEXT)
        | each("payment_contact_name payment_contact_phone shipping_type", TEXT)
        | {"shipping_scheme": "json", "status": TEXT}
        | each("order_processing_time order_processing_on", TEXT)
        | {"order_shipping_days": "json"}
        | each("order_processing_cut_off_time order_terms description logo", TEXT)
        | each("created_at updated_at", AT)
    ),
    "buyers": (
        {"id": "key", "company_name": TEXT, "company_ein": TEXT, "email": EMAIL, "phone": PHONE}
        | each("address1 address2 city state zip country website", TEXT)
        | each("price_list_id account_manager_id", GUID)
        | each("created_at updated_at", AT)
    ),
    "buyer_users": (
        {"id": "key", "buyer_id": GUID, "full_name": TEXT, "email": EMAIL, "role": TEXT}
        | {"status": TEXT, "created_at": AT, "updated_at": AT}
    ),
    "items": (
        {"id": "key"}
        | each("title description product_code sku upc status", TEXT)
        | each("category_id vendor_id brand_id", GUID)
        | each("msrp unit_price map", DECIMAL_TEXT)
        | each("moq quantity_multiplier variants_count", INT)
        | each("category_name vendor_name brand_name", TEXT)
    ),
    "items__options": {"name": TEXT, "values": "texts"},
    "variants": (
        {"id": "key", "parent_id": GUID}
        | each("parent_title parent_product_code title description sku upc", TEXT)
        | each("msrp unit_price map", DECIMAL_TEXT)
        | each("moq quantity_multiplier", INT)
        | {"sku_status": TEXT}
        | each("category_id vendor_id brand_id", GUID)
        | each("category_name vendor_name brand_name", TEXT)
    ),
    "variants__options": {"name": TEXT, "value": TEXT},
    "item_images": {"id": "key"},
    "price_lists": {"id": "key"},
    "prices": {"id": "key"},
    "brands": {"id": "key"} | each("title handle description logo", TEXT),
    "categories": {"id": "key"},
    "custom_fields": {"id": "key"},
}
"""Without `_destroy` of options: an order to the service in a body, not a fact about a record."""


def tables() -> dict[str, TableShape]:
    return {table.table: table for row in RESOURCE.values() for table in shape_of(row).tables}


def test_there_are_no_other_tables() -> None:
    assert set(tables()) == set(TABLES)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_has_the_documented_fields(table: str) -> None:
    mappings = tables()[table].mappings

    assert {mapping.field: mapping.type for mapping in mappings} == TABLES[table]
    assert [mapping for mapping in mappings if mapping.column != mapping.field] == []


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ("orders__order_line_items", ("order_id", "line_number")),
        ("orders__order_comments", ("order_id", "comment_number")),
        ("items__options", ("item_id", "option_number")),
        ("variants__options", ("variant_id", "option_number")),
    ],
)
def test_children_are_keyed_by_their_parent_and_a_number(table: str, keys: tuple[str, str]) -> None:
    assert (tables()[table].parent_key, tables()[table].number) == keys


def test_a_record_keeps_what_the_description_does_not_know() -> None:
    vendor = RECORDS["Vendor"].model_validate({"id": "a", "colour": "red"})

    assert vendor.model_extra == {"colour": "red"}


def test_no_field_but_the_key_is_required() -> None:
    for record in RECORDS.values():
        required = [name for name, field in record.model_fields.items() if field.is_required()]
        assert required == ["id"]

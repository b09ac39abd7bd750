"""Records of the 12 resources (§2): the one typed contract of the raw tables.

Every field is optional but the key, because the description promises no field in every record.
Where §2.8 shows no fields, only the key is declared (brands: also what the create body names,
§4.12); what the service sends besides becomes a column when it is first seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any, ClassVar
from typing import Literal as OneOf

from pydantic import BaseModel, ConfigDict

ColumnType = OneOf["key", "text", "decimal", "integer", "boolean", "timestamp", "json", "texts"]
PersonalClass = OneOf[
    "name",
    "contact",
    "address",
    "tax_number",
    "payment",
    "free_text",
    "reference",
    "company",
    "locality",
    "undocumented",
]


@dataclass(frozen=True, slots=True)
class RawColumn:
    """How a field is stored: its type in the raw table, and its § where it is not the record's.

    `personal` is the class of what it tells of a person, None where that is nothing.
    """

    type: ColumnType
    section: str | None = None
    personal: PersonalClass | None = None


@dataclass(frozen=True, slots=True)
class Child:
    """A field whose entries are rows of a child table, keyed by the parent's id and a number.

    `number` counts the entries from 1 in the order the service sent them.
    """

    parent_key: str
    number: str


Key = Annotated[str, RawColumn("key")]
Text = Annotated[str | None, RawColumn("text")]
Name = Annotated[str | None, RawColumn("text", personal="name")]
Contact = Annotated[str | None, RawColumn("text", personal="contact")]
Address = Annotated[str | None, RawColumn("text", personal="address")]
TaxNumber = Annotated[str | None, RawColumn("text", personal="tax_number")]
Payment = Annotated[str | None, RawColumn("text", personal="payment")]
Company = Annotated[str | None, RawColumn("text", personal="company")]
Reference = Annotated[str | None, RawColumn("text", personal="reference")]
Locality = Annotated[str | None, RawColumn("text", personal="locality")]
Money = Annotated[Decimal | None, RawColumn("decimal")]
Integer = Annotated[int | None, RawColumn("integer")]
Timestamp = Annotated[datetime | None, RawColumn("timestamp")]
Json = Annotated[Any, RawColumn("json")]
Texts = Annotated[tuple[str, ...] | None, RawColumn("texts")]


class Record(BaseModel):
    """A record or an entry of one; fields that the description does not know are kept as well.

    `assumed_fields` are those of them that the models read where they come, each with the class of
    what it tells of a person, None where that is nothing.
    """

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    section: ClassVar[str]
    assumed_fields: ClassVar[Mapping[str, PersonalClass | None]] = MappingProxyType({})


class OrderLineItem(Record):
    """One line of an order; the service gives lines no id."""

    section = "2.4"
    assumed_fields = MappingProxyType({"variant_id": None})

    item_id: Text = None
    title: Text = None
    variant: Text = None
    """Text of the variant; the line carries no variant id."""
    sku: Text = None
    quantity: Integer = None
    unit_price: Money = None
    total_price: Money = None
    discount_amount: Money = None
    categoy_name: Text = None
    """sic: the service spells it so."""
    vendor_name: Text = None


class OrderComment(Record):
    """One comment on an order; its fields are not shown."""

    section = "2.4"
    assumed_fields = MappingProxyType({"author": "name", "body": "free_text", "created_at": None})


class Order(Record):
    """An order in its verbose form, whose field list is shown in part only."""

    section = "2.4"

    id: Key
    order_number: Text = None
    status: Text = None
    """Allowed values are not shown (§3); `received` is the sample."""
    sub_total: Money = None
    total: Money = None
    vendor_id: Text = None
    vendor_name: Text = None
    vendor_minimum_order_value: Money = None
    buyer_id: Text = None
    buyer_user_id: Text = None
    buyer_company_name: Company = None
    invoice_status: Text = None
    """Allowed values are not shown (§3)."""
    payment_status: Text = None
    """Allowed values are not shown (§3)."""
    transaction_fee: Money = None
    po_number: Reference = None
    order_line_items_discount_amount: Money = None
    shipping_name: Name = None
    shipping_email: Contact = None
    shipping_company: Company = None
    shipping_phone: Contact = None
    shipping_address1: Address = None
    shipping_address2: Address = None
    shipping_city: Locality = None
    shipping_state: Text = None
    shipping_country: Text = None
    shipping_zip: Address = None
    billing_name: Name = None
    billing_email: Contact = None
    billing_company: Company = None
    billing_phone: Contact = None
    billing_address1: Address = None
    billing_address2: Address = None
    billing_city: Locality = None
    billing_state: Text = None
    billing_country: Text = None
    billing_zip: Address = None
    billing_payment_method_type: Text = None
    """A colon-separated label of the kind."""
    billing_payment_method_instruction_pay_to: Payment = None
    billing_payment_method_instruction_send_to_address: Payment = None
    billing_payment_method_instruction_memo: Payment = None
    billing_payment_method_instruction_other: Payment = None
    created_at: Timestamp = None
    updated_at: Timestamp = None
    order_line_items: Annotated[
        tuple[OrderLineItem, ...], Child(parent_key="order_id", number="line_number")
    ] = ()
    order_comments: Annotated[
        tuple[OrderComment, ...], Child(parent_key="order_id", number="comment_number")
    ] = ()


class Vendor(Record):
    """A vendor."""

    section = "2.7"

    id: Key
    name: Text = None
    minimum_order_value: Money = None
    minimum_order_quantity: Integer = None
    address1: Address = None
    address2: Address = None
    city: Locality = None
    state: Text = None
    country: Text = None
    zip: Address = None
    """Sent as a number in the sample, so leading zeros may be lost before we see it."""
    website: Text = None
    email: Contact = None
    phone: Contact = None
    ein: TaxNumber = None
    order_contact_name: Name = None
    order_contact_phone: Contact = None
    payment_contact_name: Name = None
    payment_contact_phone: Contact = None
    shipping_type: Text = None
    """Name of a shipping calculator kind."""
    shipping_scheme: Json = None
    """A map of string keys to values."""
    status: Text = None
    """Allowed values are not shown (§3)."""
    order_processing_time: Text = None
    order_processing_on: Text = None
    order_shipping_days: Json = None
    """An array."""
    order_processing_cut_off_time: Text = None
    order_terms: Text = None
    description: Text = None
    logo: Text = None
    created_at: Timestamp = None
    updated_at: Timestamp = None


class Buyer(Record):
    """A buyer: a company that orders."""

    section = "2.5"

    id: Key
    company_name: Company = None
    company_ein: TaxNumber = None
    email: Contact = None
    phone: Contact = None
    address1: Address = None
    address2: Address = None
    city: Locality = None
    state: Text = None
    zip: Address = None
    country: Text = None
    website: Company = None
    price_list_id: Text = None
    account_manager_id: Text = None
    created_at: Timestamp = None
    updated_at: Timestamp = None


class BuyerUser(Record):
    """A person who belongs to a buyer."""

    section = "2.6"

    id: Key
    buyer_id: Annotated[str | None, RawColumn("text", section="4.12")] = None
    """The buyer in whose list the record was found; the record itself is not shown to carry it."""
    full_name: Name = None
    email: Contact = None
    role: Text = None
    """`owner` or `user`."""
    status: Text = None
    """`active`, `inactive` or `invited`."""
    created_at: Timestamp = None
    updated_at: Timestamp = None


class ItemOption(Record):
    """One option of an item, with all its values."""

    section = "2.1"

    name: Text = None
    values: Texts = None


class Item(Record):
    """A parent product; it carries no time stamp."""

    section = "2.1"

    id: Key
    title: Text = None
    description: Text = None
    product_code: Text = None
    """Unique among parent items."""
    sku: Text = None
    upc: Text = None
    status: Text = None
    """`draft` or `published`."""
    category_id: Text = None
    vendor_id: Text = None
    brand_id: Text = None
    msrp: Money = None
    unit_price: Money = None
    """Unit price under default pricing."""
    map: Money = None
    """Minimum advertised price."""
    moq: Integer = None
    """Minimum order quantity."""
    quantity_multiplier: Integer = None
    """The quantity ordered must be a multiple of it."""
    variants_count: Integer = None
    category_name: Text = None
    vendor_name: Text = None
    brand_name: Text = None
    options: Annotated[
        tuple[ItemOption, ...], Child(parent_key="item_id", number="option_number")
    ] = ()


class VariantOption(Record):
    """The one value that a variant has for an option."""

    section = "2.2"

    name: Text = None
    value: Text = None


class Variant(Record):
    """A variant of an item; it carries no time stamp."""

    section = "2.2"

    id: Key
    parent_id: Text = None
    """The item; filled from the list it was found in where the payload leaves it out."""
    parent_title: Text = None
    parent_product_code: Text = None
    title: Text = None
    """Made by the service from all option values."""
    description: Text = None
    sku: Text = None
    upc: Text = None
    msrp: Money = None
    unit_price: Money = None
    map: Money = None
    """Minimum advertised price."""
    moq: Integer = None
    """Minimum order quantity."""
    quantity_multiplier: Integer = None
    sku_status: Text = None
    """`active` or `inactive`."""
    category_id: Text = None
    vendor_id: Text = None
    brand_id: Text = None
    category_name: Text = None
    vendor_name: Text = None
    brand_name: Text = None
    options: Annotated[
        tuple[VariantOption, ...], Child(parent_key="variant_id", number="option_number")
    ] = ()


class ItemImage(Record):
    """An image of an item; its fields are not shown."""

    section = "2.8"
    assumed_fields = MappingProxyType(
        {"item_id": None, "url": None, "position": None, "created_at": None, "updated_at": None}
    )

    id: Key


class PriceList(Record):
    """A price list; its fields are not shown."""

    section = "2.8"
    assumed_fields = MappingProxyType(
        {"title": None, "description": None, "created_at": None, "updated_at": None}
    )

    id: Key


class Price(Record):
    """A price; its fields are not shown."""

    section = "2.8"
    assumed_fields = MappingProxyType(
        {
            "price_list_id": None,
            "variant_id": None,
            "item_id": None,
            "unit_price": None,
            "created_at": None,
            "updated_at": None,
        }
    )

    id: Key


class Brand(Record):
    """A brand; its fields are not shown but for those that a create body may hold."""

    section = "2.8"
    assumed_fields = MappingProxyType({"created_at": None, "updated_at": None})

    id: Key
    title: Annotated[str | None, RawColumn("text", section="4.12")] = None
    handle: Annotated[str | None, RawColumn("text", section="4.12")] = None
    description: Annotated[str | None, RawColumn("text", section="4.12")] = None
    logo: Annotated[Any, RawColumn("text", section="4.12")] = None


class Category(Record):
    """A category; its fields are not shown."""

    section = "2.8"
    assumed_fields = MappingProxyType(
        {"title": None, "parent_id": None, "created_at": None, "updated_at": None}
    )

    id: Key


class CustomField(Record):
    """A custom field; its fields are not shown."""

    section = "2.8"
    assumed_fields = MappingProxyType(
        {"name": None, "kind": None, "applies_to": None, "created_at": None, "updated_at": None}
    )

    id: Key


RECORDS: Mapping[str, type[Record]] = MappingProxyType(
    {
        model.__name__: model
        for model in (
            Order,
            Vendor,
            Buyer,
            BuyerUser,
            Item,
            Variant,
            ItemImage,
            PriceList,
            Price,
            Brand,
            Category,
            CustomField,
        )
    }
)

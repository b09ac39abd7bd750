"""People: records of a buyer whose every personal value is marked, and found wherever it stands."""

import json
from typing import Any

from support.records.samples import guid, order

Record = dict[str, Any]
Services = dict[str, list[Record]]

STAMPS = {"created_at": "2026-01-01T10:00:00Z", "updated_at": "2026-01-02T10:00:00Z"}
MARK = "zq"
"""Begins every marked value, and nothing else that is stored."""


def marked(class_: str, what: str) -> str:
    return f"{MARK}-{class_}-{what}"


def world() -> Services:
    """A buyer with two people and two orders, and another buyer with one of each.

    A field that is not documented, values that do not fit and a record without an id among them.
    """
    return {
        "buyers": [_buyer("B1"), _buyer("B2")],
        "buyer_users": [_user("P1", "B1"), _user("P2", "B1"), _user("P3", "B2")],
        "vendors": [
            {
                "id": guid("V1"),
                "name": "Vendor",
                "ein": marked("tax_number", "V1"),
                "order_contact_name": marked("name", "V1"),
                "email": marked("contact", "V1"),
                "address1": marked("address", "V1"),
                "city": marked("locality", "V1"),
                "website": {"said": marked("undocumented", "website")},
                **STAMPS,
            }
        ],
        "orders": [
            _order("O1", "B1", "P1", first="P1"),
            _order("O2", "B1", "P2", first="P1"),
            _order("O3", "B2", "P3", first="P3"),
        ],
    }


def nameless() -> Record:
    """A buyer that comes without an id."""
    return {"company_name": marked("company", "nobody"), "email": marked("contact", "nobody")}


def text_of(records: Services) -> str:
    return json.dumps(records)


def _buyer(name: str) -> Record:
    return {
        "id": guid(name),
        "company_name": marked("company", name),
        "company_ein": marked("tax_number", name),
        "email": marked("contact", name),
        "phone": marked("contact", f"{name}-phone"),
        "address1": marked("address", name),
        "city": marked("locality", name),
        "website": marked("company", f"{name}-site"),
        "loyalty_tier": marked("undocumented", name),
        **STAMPS,
    }


def _user(name: str, buyer: str) -> Record:
    return {
        "id": guid(name),
        "buyer_id": guid(buyer),
        "full_name": marked("name", name),
        "email": marked("contact", name),
        "role": "user",
        "status": "active",
        **STAMPS,
    }


def _order(name: str, buyer: str, person: str, *, first: str) -> Record:
    """`first` is the person of the buyer to whom the bill goes."""
    return order(
        name,
        vendor_id=guid("V1"),
        buyer_id=guid(buyer),
        buyer_user_id=guid(person),
        buyer_company_name=marked("company", buyer),
        po_number=marked("reference", name),
        shipping_name=marked("name", person),
        shipping_email=marked("contact", person),
        shipping_address1=marked("address", f"{buyer}-ship"),
        shipping_city=marked("locality", buyer),
        billing_name=marked("name", first),
        billing_email=marked("contact", buyer),
        billing_payment_method_instruction_memo=marked("payment", name),
        gift_note={"for": marked("undocumented", f"{name}-gift")},
        invoice_status={"by": marked("undocumented", f"{name}-status")},
        order_comments=[
            {"author": marked("name", person), "body": marked("free_text", name), "mood": "glad"}
        ],
    )

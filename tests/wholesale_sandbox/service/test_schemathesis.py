"""The running sandbox answers as its OpenAPI document says, whatever valid or invalid is sent.

The document is narrowed to the records of the sandbox at hand: an id names one of them, so that
valid requests reach their success and not only a 404.
"""

import json
from collections.abc import Iterator
from http import HTTPStatus
from itertools import count
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import AuthContext

from wholesale.api.endpoints import ENDPOINTS
from wholesale_sandbox.business import records
from wholesale_sandbox.contract.fields import ORDER_INVOICE_FIELDS, RESOURCE, RESOURCES, Resource
from wholesale_sandbox.contract.openapi import document
from wholesale_sandbox.routes import brands
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

Json = dict[str, Any]
Case = schemathesis.Case[Any]

ID = {
    resource: f"00000000-0000-4000-8000-{number:012d}"
    for number, resource in enumerate(RESOURCE, 1)
}
PARENT = {"variants": ID["items"], "buyer_users": ID["buyers"]}
MOMENT = "2025-03-04T05:06:07.891011Z"

VALUES: dict[str, Json] = {
    "orders": {
        "order_number": "1001",
        "status": "received",
        "sub_total": 37.5,
        "total": "35.00",
        "order_line_items": [
            {
                "item_id": ID["items"],
                "title": "Mug",
                "variant": "Red",
                "sku": "MUG-R",
                "quantity": 3,
                "unit_price": 12.5,
                "total_price": 37.5,
                "discount_amount": "2.50",
                "categoy_name": "Kitchen",
                "vendor_name": "Clay & Co",
            }
        ],
        "order_comments": [{"author": "Ann", "body": "Leave at the door", "created_at": MOMENT}],
    },
    "vendors": {"name": "Clay & Co", "zip": 12345, "shipping_scheme": {"base": "5.00"}},
    "buyers": {"company_name": "Corner Shop", "email": "shop@example.com", "zip": "01234"},
    "buyer_users": {
        "full_name": "Ann Lee",
        "email": "ann@example.com",
        "role": "owner",
        "status": "active",
    },
    "items": {
        "title": "Mug",
        "product_code": "a product code that no generated one equals",
        "status": "published",
        "category_id": ID["categories"],
        "options": [{"name": "Color", "values": ["Red", "Blue"]}],
        "unit_price": "12.50",
        "variants_count": 1,
    },
    "variants": {
        "parent_id": ID["items"],
        "title": "Red",
        "options": [{"name": "Color", "value": "Red"}],
        "sku_status": "active",
        "msrp": 15,
        "category_id": ID["categories"],
    },
    "item_images": {"item_id": ID["items"], "url": "https://example.com/mug.png", "position": 1},
    "price_lists": {"title": "Retail"},
    "prices": {
        "price_list_id": ID["price_lists"],
        "variant_id": ID["variants"],
        "item_id": ID["items"],
        "unit_price": "11.25",
    },
    "brands": {"title": "Clay"},
    "categories": {"title": "Kitchen"},
    "custom_fields": {"name": "Glaze", "kind": "text", "applies_to": "items"},
}


def record(resource: Resource) -> Json:
    """A whole record: what VALUES says, null for the rest."""
    names = [field.name for field in resource.fields if field.name not in ORDER_INVOICE_FIELDS]
    moments = {name: MOMENT for name in names if name in ("created_at", "updated_at")}
    return dict.fromkeys(names) | moments | {"id": ID[resource.name]} | VALUES[resource.name]


def narrowed(value: Any) -> Any:
    """The document where an id that refers to a resource is the one its record here has."""
    if isinstance(value, list):
        return [narrowed(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    value = {name: narrowed(entry) for name, entry in value.items()}
    resource = value.get("x-refers-to")
    if resource is None:
        return value
    if "schema" in value:
        return value | {"schema": value["schema"] | {"enum": [ID[resource]]}}
    return {"enum": [ID[resource], None] if "anyOf" in value else [ID[resource]]}


def requests_document() -> Json:
    """Only what is sent is narrowed; what comes back may name any record."""
    whole = document()
    schemas = whole["components"]["schemas"]
    sent = {
        name: narrowed(schemas[name]) for name in schemas if name.endswith(("Create", "Update"))
    }
    whole["components"]["schemas"] = schemas | sent
    whole["paths"] = narrowed(whole["paths"])
    return whole


class Key:
    """The key of the sandbox goes with each request, except where a wrong or no key is tried."""

    def get(self, case: Case, context: AuthContext) -> str:
        return "sandbox"

    def set(self, case: Case, data: str, context: AuthContext) -> None:
        case.headers["X-API-Key"] = data


SCHEMA = schemathesis.openapi.from_dict(requests_document())
SCHEMA.auth()(Key)

GENERATION = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        yield sandbox


def stock(sandbox: Sandbox) -> None:
    for resource in RESOURCES:
        sandbox.put(resource.name, record(resource), parent_id=PARENT.get(resource.name))


def test_schemathesis_tries_all_56_operations() -> None:
    assert SCHEMA.statistic.operations.selected == len(ENDPOINTS) == 56


@SCHEMA.parametrize()
@settings(GENERATION, max_examples=12)
def test_an_operation_answers_as_the_document_says(case: Case, running: Sandbox) -> None:
    stock(running)

    response = case.call_and_validate(base_url=running.base_url)

    if response.status_code == HTTPStatus.CREATED:
        running.delete(case.operation.tags[0], response.json()["id"])


def test_each_operation_above_reached_its_success_and_its_refusals(running: Sandbox) -> None:
    answered = {(entry.endpoint, entry.status) for entry in running.requests.entries()}
    tried = {endpoint for endpoint, _ in answered if endpoint}

    expected = {
        (endpoint.name, status)
        for endpoint in ENDPOINTS
        for status, applies in (
            (endpoint.success.value, True),
            (401, True),
            (404, "{" in endpoint.path),
            (422, endpoint.wrapper is not None or endpoint.name.startswith("list_")),
        )
        if applies and endpoint.name in tried
    }

    assert expected - answered == set()


def test_a_sequence_of_operations_answers_as_the_document_says(
    running: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one operation made is read, changed and deleted by others.

    The document is whole here, so a valid body may meet a 422: no record has the id it names.
    What comes next depends on the answers, so every sequence starts from the same records and
    gets the same ids for new ones.
    """

    def begin(_: object) -> None:
        for name in RESOURCE:
            for _, body in running.storage.collection(name).records():
                running.delete(name, json.loads(body)["id"])
        stock(running)
        numbers = count(2**64)
        for module in (records, brands):
            monkeypatch.setattr(module, "uuid4", lambda: UUID(int=next(numbers), version=4))

    schema = schemathesis.openapi.from_dict(document())
    schema.auth()(Key)
    schema.config.update(base_url=running.base_url)
    schema.config.checks.positive_data_acceptance.expected_statuses = ["2xx", "404", "422"]
    sequences = schema.as_state_machine()
    monkeypatch.setattr(sequences, "setup", begin)

    sequences.run(settings=settings(GENERATION, max_examples=40, stateful_step_count=8))

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

from support.records.cases import RECORDS, STOCK, Json, id_of
from wholesale.api.endpoints import ENDPOINTS
from wholesale_sandbox.business import records
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.contract.openapi import document
from wholesale_sandbox.routes import brands
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = pytest.mark.slow

Case = schemathesis.Case[Any]

ID = {resource: id_of(name) for resource, name, _ in reversed(STOCK)}
"""Of the first record of each resource."""


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
    with sandbox.storage.transaction():
        for resource, name, parent in STOCK:
            sandbox.put(resource, RECORDS[name], id_of(parent) if parent else None)


def test_schemathesis_tries_all_56_operations() -> None:
    assert SCHEMA.statistic.operations.selected == len(ENDPOINTS) == 56


@SCHEMA.parametrize()
@settings(GENERATION, max_examples=6)
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

    sequences.run(settings=settings(GENERATION, max_examples=20, stateful_step_count=8))

"""A sandbox with the records of the cases, the same before each test."""

from collections.abc import Iterator

import httpx
import pytest

from support.records.cases import IDS, RECORDS, STOCK, Ask, Case, id_of
from support.services.trust import NOBODY
from wholesale.api.endpoints import ENDPOINT
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as running:
        yield running


@pytest.fixture(scope="module")
def client(sandbox: Sandbox) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=sandbox.base_url, headers={"X-API-Key": "sandbox"}, verify=NOBODY, timeout=None
    ) as connected:
        yield connected


@pytest.fixture(autouse=True)
def stock(sandbox: Sandbox) -> None:
    with sandbox.storage.transaction():
        for resource in RESOURCE:
            collection = sandbox.storage.collection(resource)
            for _, body in list(collection.records()):
                collection.delete(httpx.Response(200, content=body).json()["id"])
        sandbox.outbox.clear()
        for resource, name, parent in STOCK:
            sandbox.put(resource, RECORDS[name], id_of(parent) if parent else None)


@pytest.fixture
def ask(client: httpx.Client) -> Ask:
    def send(case: Case) -> httpx.Response:
        endpoint = ENDPOINT[case.endpoint]
        path = endpoint.path_for(**{**IDS, **case.ids})
        return client.request(endpoint.method, path, json=case.sent, params=dict(case.query))

    return send

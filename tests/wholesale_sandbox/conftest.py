"""A client with the key of the sandbox under test."""

from collections.abc import Iterator

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=sandbox.base_url, headers={"X-API-Key": "sandbox"}, verify=NOBODY, timeout=None
    ) as connected:
        yield connected

"""A sandbox with one order and one vendor."""

from collections.abc import Iterator

import pytest

from support.records.forms import ORDER, VENDOR
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        yield sandbox


@pytest.fixture
def stock(sandbox: Sandbox) -> None:
    sandbox.put("orders", ORDER)
    sandbox.put("vendors", VENDOR)

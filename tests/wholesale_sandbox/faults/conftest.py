"""A sandbox with ten orders, its dials as at the start before each test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        for number in range(10):
            moment = f"2026-01-01T00:00:0{number}Z"
            order = {"id": f"o{number}", "status": "shipped", "total": "9.50"}
            sandbox.put("orders", {**order, "updated_at": moment, "sub_total": number + 0.25})
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    yield running
    running.dials.reset()
    running.requests.clear()


@pytest.fixture
def dial(sandbox: Sandbox) -> Callable[..., None]:
    """Sets these faults, each with the rest of the rule that is given by name."""

    def set_faults(*faults: str, **rule: Any) -> None:
        sandbox.dials.change({"faults": [{"fault": fault, **rule} for fault in faults]})

    return set_faults

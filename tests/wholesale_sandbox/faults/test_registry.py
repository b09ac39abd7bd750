"""Every fault of the registry has its line, and none of them fails the sandbox itself."""

from collections.abc import Callable
from contextlib import nullcontext

import httpx
import pytest

from wholesale_sandbox.faults.fault import AnswerFault, SentFault
from wholesale_sandbox.faults.registry import DIALLED, FAULT, FAULTS, table
from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]
KEY = {"X-API-Key": "sandbox"}


def test_every_fault_has_its_name_and_its_line() -> None:
    assert len(FAULT) == len(FAULTS)
    assert [line.split()[0] for line in table().splitlines()[1:]] == [f.name for f in FAULTS]
    assert all(fault.does and "\n" not in fault.does for fault in FAULTS)


BROKEN = ("reset", "reset-inside", "closed", "cut", "no-answer", "not-gzip")


@pytest.mark.parametrize("name", sorted({*DIALLED} - {"huge", "gzip-bomb"}))
def test_every_fault_applies_to_a_list_and_a_single_record_without_failing_the_sandbox(
    sandbox: Sandbox, dial: Dial, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    dial(name, seconds=0.001)
    breaks = pytest.raises(httpx.HTTPError) if name in BROKEN else nullcontext()

    for path in ("/orders", "/orders/o1"):
        with breaks:
            httpx.get(sandbox.base_url + path, headers=KEY, timeout=0.2)

    assert caplog.records == []
    assert [entry.faults for entry in sandbox.requests.entries()] == [
        (name,),
        (name,) if isinstance(FAULT[name], AnswerFault | SentFault) else (),
    ]

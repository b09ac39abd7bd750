"""Every fault of the registry has its line, and none of them fails the sandbox itself."""

from collections.abc import Callable
from contextlib import nullcontext

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.faults.fault import (
    PaginationFault,
    ResponseFault,
    RowsFault,
    SentFault,
    WindowFault,
)
from wholesale_sandbox.faults.registry import DIALLED, FAULT, FAULTS, table
from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]
LIST_FAULTS = (WindowFault, PaginationFault, RowsFault, SentFault)
KEY = {"X-API-Key": "sandbox"}


def test_every_fault_has_its_name_and_its_line() -> None:
    assert len(FAULT) == len(FAULTS)
    assert [line.split()[0] for line in table().splitlines()[1:]] == [f.name for f in FAULTS]
    assert all(fault.does and "\n" not in fault.does for fault in FAULTS)


BROKEN = ("reset", "reset-inside", "closed", "cut", "no-answer", "not-gzip")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*DIALLED} - {"huge", "gzip-bomb"}))
def test_every_fault_applies_to_a_list_and_a_single_record_without_failing_the_sandbox(
    sandbox: Sandbox, dial: Dial, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    dial(name, seconds=0.001)
    breaks = pytest.raises(httpx.HTTPError) if name in BROKEN else nullcontext()

    for path in ("/orders", "/orders/o1"):
        with breaks:
            timeout = 0.2 if name == "no-answer" else 30
            httpx.get(sandbox.base_url + path, headers=KEY, timeout=timeout, verify=NOBODY)

    assert caplog.records == []
    assert [entry.faults for entry in sandbox.requests.entries()] == [
        (name,),
        (name,) if isinstance(FAULT[name], ResponseFault | SentFault) else (),
    ]


OF_LISTS = [fault.name for fault in FAULTS if isinstance(fault, LIST_FAULTS)]


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_LISTS)
def test_faults_of_a_list_add_up_in_any_order_without_failing_the_sandbox(
    client: httpx.Client, dial: Dial, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    place = OF_LISTS.index(name)
    order = [*OF_LISTS[place:], *OF_LISTS[:place]]

    for faults in ((name, *order[1:]), (name, *reversed(order[1:]))):
        dial(*faults)
        for path in ("/orders?limit=3&page=2", "/orders?verbose=true&page=9", "/orders/o1"):
            status = client.get(path).status_code
            assert status in (200, 404, 422, 500)

    assert caplog.records == []

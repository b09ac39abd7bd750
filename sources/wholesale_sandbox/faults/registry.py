"""Registry of faults: all of them, one entry each."""

from collections.abc import Mapping
from typing import Any

from wholesale_sandbox.faults.fault import Fault
from wholesale_sandbox.faults.lists import LIST_FAULTS
from wholesale_sandbox.faults.records import RECORD_FAULTS, SENT_FAULTS
from wholesale_sandbox.faults.responses import RESPONSE_FAULTS

FAULTS: tuple[Fault[Any], ...] = (*RESPONSE_FAULTS, *LIST_FAULTS, *SENT_FAULTS, *RECORD_FAULTS)
FAULT: Mapping[str, Fault[Any]] = {fault.name: fault for fault in FAULTS}
DIALLED = tuple(fault.name for fault in (*RESPONSE_FAULTS, *LIST_FAULTS, *SENT_FAULTS))
PLANTED = tuple(fault.name for fault in RECORD_FAULTS)


def table() -> str:
    """One row per fault as text: name, what it applies to, what the client sees."""
    rows = [("fault", "applies to", "what the client sees")]
    rows += [(fault.name, fault.applies_to, fault.does) for fault in FAULTS]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[2]])
        for row in rows
    )

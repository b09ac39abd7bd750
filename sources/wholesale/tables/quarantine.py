"""Quarantine: the table of records that could not be loaded."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pyarrow as pa

from wholesale.tables.decoded import Quarantined
from wholesale.tables.shapes import INSTANT

QUARANTINE = "quarantine"


QUARANTINE_SCHEMA = pa.schema(
    [
        pa.field("run_id", pa.string(), nullable=False),
        pa.field("resource", pa.string(), nullable=False),
        pa.field("page", pa.int64(), nullable=False),
        pa.field("index", pa.int64(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("body", pa.string()),
        pa.field("found_at", INSTANT, nullable=False),
    ]
)


def quarantine_table(quarantined: Sequence[Quarantined], resource: str, run_id: str) -> pa.Table:
    """Records that could not be loaded as rows of the quarantine table, one a record."""
    now = datetime.now(UTC)
    rows = [
        {
            "run_id": run_id,
            "resource": resource,
            "page": record.page,
            "index": record.index,
            "reason": record.reason,
            "body": record.body,
            "found_at": now,
        }
        for record in quarantined
    ]
    return pa.Table.from_pylist(rows, schema=QUARANTINE_SCHEMA)

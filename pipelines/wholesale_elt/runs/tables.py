"""Tables: what runs write besides records: certificates, suspects, the service, changes, counts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from wholesale.api import ServiceFacts, ServiceProfile
from wholesale_elt.runs import certificate
from wholesale_elt.runs.certificate import Certificate
from wholesale_elt.runs.noted import CHANGES, SERVICE, SUSPECTS, SchemaChange
from wholesale_elt.warehouse import CERTIFICATES

RELEASES_SCHEMA = pa.schema(
    [
        pa.field("version", pa.string(), nullable=False),
        pa.field("first_wrote_at", pa.timestamp("us", "UTC"), nullable=False),
    ]
)
"""Of the table `RELEASES`."""
ERASED_SCHEMA = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("hash", pa.string(), nullable=False),
        pa.field("salt", pa.string(), nullable=False),
        pa.field("erased_at", pa.timestamp("us", "UTC"), nullable=False),
    ]
)
RUN_TABLES: Mapping[str, pa.Schema] = {
    SUSPECTS: pa.schema(
        [
            *(pa.field(name, pa.string(), nullable=False) for name in ("run_id", "resource", "id")),
            pa.field("reason", pa.string()),
        ]
    ),
    SERVICE: pa.schema(
        [
            pa.field("run_id", pa.string(), nullable=False),
            pa.field("fact", pa.string(), nullable=False),
            pa.field("value", pa.string(), nullable=False),
            pa.field("origin", pa.string()),
        ]
    ),
    CHANGES: pa.schema(
        [
            pa.field("run_id", pa.string(), nullable=False),
            pa.field("resource", pa.string(), nullable=False),
            pa.field("aspect", pa.string(), nullable=False),
            pa.field("name", pa.string(), nullable=False),
            pa.field("before", pa.string()),
            pa.field("after", pa.string()),
        ]
    ),
    CERTIFICATES: certificate.SCHEMA,
}
"""Their schemas in the order of writing; the certificates, which make a run count, are last."""
CHILD_ROWS = "sync_child_rows"
"""How many child rows the last run of a resource left; the row is deleted when a run begins to
write."""
TABLES: Mapping[str, pa.Schema] = {
    **RUN_TABLES,
    CHILD_ROWS: pa.schema([pa.field("resource", pa.string()), pa.field("child_rows", pa.int64())]),
}
"""The tables that must exist before a run writes records."""


def rows_of_run(
    run_id: str,
    certificates: Sequence[Certificate],
    suspects: Mapping[tuple[str, str], Sequence[str]],
    profile: ServiceProfile | None,
    changes: Sequence[SchemaChange],
) -> Mapping[str, pa.Table]:
    """The rows that a run adds to each table; `suspects` are ids by resource and reason, `profile`
    is that of the service, None where it is as before."""
    rows: Mapping[str, list[dict[str, object]]] = {
        SUSPECTS: [
            {"run_id": run_id, "resource": resource, "id": key, "reason": reason}
            for (resource, reason), keys in suspects.items()
            for key in keys
        ],
        SERVICE: _facts(run_id, profile) if profile else [],
        CHANGES: [asdict(change) for change in changes],
        CERTIFICATES: [asdict(row) for row in certificates],
    }
    return {
        table: pa.Table.from_pylist(rows[table], schema=schema)
        for table, schema in RUN_TABLES.items()
    }


def _facts(run_id: str, profile: ServiceProfile) -> list[dict[str, object]]:
    """A row for each fact, its value as JSON, and for what goes with them, which has no origin."""
    return [
        {
            "run_id": run_id,
            "fact": name,
            "value": json.dumps(_in_order(value), sort_keys=True),
            "origin": profile.origin_of(name) if name in ServiceFacts.model_fields else None,
        }
        for name, value in profile.model_dump(mode="json", exclude={"pinned"}).items()
    ]


def _in_order(value: Any) -> Any:
    """The same, with sets, which JSON has as lists, in the order of their names."""
    if isinstance(value, dict):
        return {name: _in_order(each) for name, each in value.items()}
    return sorted(value) if isinstance(value, list) else value

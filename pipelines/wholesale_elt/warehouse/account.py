"""Account: what a run leaves besides records, each in a table of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import pyarrow as pa

from wholesale.pages import Profile
from wholesale_elt.warehouse import certificate
from wholesale_elt.warehouse.certificate import Certificate

SUSPECTS = "sync_suspects"
"""Stored records that a run did not find listed, and whose absence it could not settle."""
PROFILES = "sync_profiles"
"""What the list of a resource is like, a row whenever a run learned it otherwise."""
SCHEMAS: Mapping[str, pa.Schema] = {
    SUSPECTS: pa.schema(
        [pa.field(name, pa.string(), nullable=False) for name in ("run_id", "resource", "id")]
    ),
    PROFILES: pa.schema(
        [
            pa.field("run_id", pa.string(), nullable=False),
            pa.field("resource", pa.string(), nullable=False),
            pa.field("first_page", pa.int64()),
            pa.field("page_limit", pa.int64()),
            pa.field("page_cap", pa.int64()),
            pa.field("totals", pa.string()),
            pa.field("list_window", pa.int64()),
            pa.field("list_order", pa.string()),
            pa.field("requests_a_minute", pa.int64()),
        ]
    ),
    certificate.TABLE: certificate.SCHEMA,
}
"""In the order in which they are written: without a certificate there was no run."""


def account_of(
    run_id: str,
    certificates: Sequence[Certificate],
    suspects: Mapping[str, Sequence[str]],
    profiles: Mapping[str, Profile],
) -> Mapping[str, pa.Table]:
    """The rows of each table: ids of suspects and new profiles by resource, and certificates."""
    rows: Mapping[str, list[dict[str, object]]] = {
        SUSPECTS: [
            {"run_id": run_id, "resource": resource, "id": key}
            for resource, keys in suspects.items()
            for key in keys
        ],
        PROFILES: [
            {"run_id": run_id, "resource": resource, **asdict(profile)}
            for resource, profile in profiles.items()
        ],
        certificate.TABLE: [asdict(row) for row in certificates],
    }
    return {
        table: pa.Table.from_pylist(rows[table], schema=schema) for table, schema in SCHEMAS.items()
    }

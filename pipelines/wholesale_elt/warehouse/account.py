"""Account: what a run leaves besides records, each in a table of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import pyarrow as pa

from wholesale.pages import Profile
from wholesale_elt.warehouse import certificate
from wholesale_elt.warehouse.certificate import Certificate

SUSPECTS = "sync_suspects"
"""Stored records that a run did not find listed, and whose absence it could not settle."""
PROFILES = "sync_profiles"
"""What the list of a resource is like, a row whenever a run learned it otherwise."""
CHANGES = "sync_changes"
"""What the service sends otherwise than before, a row when a run saw it first."""
Aspect = Literal["field", "type", "state", "list"]


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One row of `sync_changes`: what of a resource is otherwise since a run; None is not there.

    `name` is a column as `table.column`, of a `state` with its value, or a trait of the `list`.
    """

    run_id: str
    resource: str
    aspect: Aspect
    name: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        if self.aspect == "state":
            return f"new state {self.name}"
        if self.aspect == "type":
            return f"{self.name}: {self.after}"
        if self.after is None:
            return f"{self.name} vanished"
        if self.before is None:
            return f"{self.name} is new"
        return f"{self.name} was {self.before} and is {self.after}"


ERASED = "privacy_erased"
"""Who was erased, by hashes with the salt of the warehouse: every later sync keeps them out."""
ERASED_SCHEMA = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("hash", pa.string(), nullable=False),
        pa.field("salt", pa.string(), nullable=False),
        pa.field("erased_at", pa.timestamp("us", "UTC"), nullable=False),
    ]
)
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
    certificate.TABLE: certificate.SCHEMA,
}
"""In the order in which they are written: without a certificate there was no run."""


def account_of(
    run_id: str,
    certificates: Sequence[Certificate],
    suspects: Mapping[str, Sequence[str]],
    profiles: Mapping[str, Profile],
    changes: Sequence[SchemaChange],
) -> Mapping[str, pa.Table]:
    """The rows of each table: ids of suspects and new profiles by resource, changes of what the
    service sends, and certificates."""
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
        CHANGES: [asdict(change) for change in changes],
        certificate.TABLE: [asdict(row) for row in certificates],
    }
    return {
        table: pa.Table.from_pylist(rows[table], schema=schema) for table, schema in SCHEMAS.items()
    }

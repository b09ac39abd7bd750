"""Tables: what runs write besides records: certificates, suspects, profiles, changes, counts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import pyarrow as pa

from wholesale.errors import legible
from wholesale.pages import Profile
from wholesale_elt.runs import certificate
from wholesale_elt.runs.certificate import Certificate
from wholesale_elt.warehouse import CERTIFICATES

SUSPECTS = "sync_suspects"
"""Stored records that a run did not find listed, and whose absence it could not settle."""
PROFILES = "sync_profiles"
"""The traits of the list of a resource; a row whenever a run found it to differ."""
CHANGES = "sync_changes"
"""Changes in what the service sends; a row by the run that saw a change first."""
Aspect = Literal["field", "type", "state", "list"]


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One row of `sync_changes`: what changed in a resource with a run; None stands for absent.

    `name` is a column as `table.column`, for a `state` followed by its value, or a property of the
    `list`.
    """

    run_id: str
    resource: str
    aspect: Aspect
    name: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        name = legible(self.name)
        if self.aspect == "state":
            return f"new state {name}"
        if self.aspect == "type":
            return f"{name}: {self.after}"
        if self.after is None:
            return f"{name} vanished"
        if self.before is None:
            return f"{name} is new"
        return f"{name} was {self.before} and is {self.after}"


ERASED = "privacy_erased"
"""Who was erased, as hashes with the warehouse's salt; later syncs do not store them again."""
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
    suspects: Mapping[str, Sequence[str]],
    profiles: Mapping[str, Profile],
    changes: Sequence[SchemaChange],
) -> Mapping[str, pa.Table]:
    """The rows that a run adds to each table; `suspects` (ids) and new `profiles` by resource."""
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
        CERTIFICATES: [asdict(row) for row in certificates],
    }
    return {
        table: pa.Table.from_pylist(rows[table], schema=schema)
        for table, schema in RUN_TABLES.items()
    }

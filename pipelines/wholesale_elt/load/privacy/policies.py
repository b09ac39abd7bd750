"""Policies: the privacy policy under which each resource was stored, and what its change requires.

Columns that were stored under another treatment are emptied before anything is read, and then the
whole resource is read again. Every run begins like this until one has finished, so even a killed
run leaves nothing that the new policy forbids.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pyarrow as pa

from wholesale.names import EXTRA
from wholesale.privacy import KEEP_ALL, Policy, is_maskable
from wholesale.tables import QUARANTINE, TableShape
from wholesale_elt.past import log_of, past_of
from wholesale_elt.runs import forget_digests
from wholesale_elt.warehouse import Raw

log = logging.getLogger("wholesale.privacy")

POLICIES = "privacy_policies"
"""A row whenever a resource was read again under another policy; without a row all is stored."""
POLICIES_SCHEMA = pa.schema(
    [
        pa.field("resource", pa.string(), nullable=False),
        pa.field("policy", pa.string(), nullable=False),
        pa.field("since", pa.timestamp("us", "UTC"), nullable=False),
    ]
)


def read_stored_policy(raw: Raw, resource: str) -> Policy:
    """The policy under which a resource is stored."""
    rows = raw.rows(
        f"select policy from {raw.name(POLICIES)} where resource = %s order by since desc limit 1",
        resource,
    )
    return Policy.read(rows[0][0]) if rows else KEEP_ALL


def policy_row(resource: str, policy: Policy) -> pa.Table:
    """A row that records that the resource is stored under this policy from now on."""
    row = {"resource": resource, "policy": policy.text, "since": datetime.now(UTC)}
    return pa.Table.from_pylist([row], schema=POLICIES_SCHEMA)


def empty_differing(raw: Raw, shape: TableShape, policy: Policy) -> bool:
    """Empty the columns of a resource that were stored under another treatment, and return whether
    there are any.

    `_extra` and quarantined bodies may have values of any field, so they are emptied too.
    """
    stored = read_stored_policy(raw, shape.table)
    if stored.text == policy.text:
        return False
    if raw.rows(f"select 1 from {raw.name(shape.table)} limit 1"):
        log.warning(
            "%s: the settings of privacy have changed: columns that were stored in another way are"
            " emptied, and the whole resource is read again",
            shape.table,
        )
    # Before the transaction, which a query of a missing table would undo.
    statements = [
        statement
        for table in shape.tables
        for name, columns in _differing(table, stored, policy).items()
        if (statement := _emptying(raw, name, columns))
    ]
    with raw.transaction():
        raw.drop_staging()  # which has what another pipeline merged, under another policy
        forget_digests(raw, shape.table)
        for statement in statements:
            raw.execute(statement)
        raw.execute(
            f"update {raw.name(QUARANTINE)} set body = null"
            " where resource = %s and body is not null",
            shape.table,
        )
    return True


def _differing(table: TableShape, stored: Policy, policy: Policy) -> Mapping[str, Sequence[str]]:
    """The columns to empty, of the table, of its past and of its log."""
    columns = [
        name
        for name in table.schema.names
        if is_maskable(table, name) and policy.differs(stored, table.table, name)
    ]
    all_columns = [*columns, EXTRA]
    return {
        table.table: all_columns,
        past_of(table.table): all_columns,
        log_of(table.table): columns,
    }


def _emptying(raw: Raw, table: str, columns: Sequence[str]) -> str | None:
    there = raw.column_names(table)
    names = [raw.quoted(name) for name in columns if name in there]
    if not names:
        return None
    emptied = ", ".join(f"{name} = null" for name in names)
    is_filled = " or ".join(f"{name} is not null" for name in names)
    return f"update {raw.name(table)} set {emptied} where {is_filled}"

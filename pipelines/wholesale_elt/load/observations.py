"""Observations: an append-only log of the columns whose history is kept.

The log beside a table gets a row whenever a record is new or gone, or one of these columns changed.
Its rows are never changed or removed.
"""

from collections.abc import Collection
from datetime import UTC, datetime

import pyarrow as pa
from dlt.common.schema.typing import TColumnSchema

from wholesale.dlt_hints import columns_of, hints_of
from wholesale.names import DELETED_AT, VALID_FROM
from wholesale.tables import Decoded, TableShape
from wholesale_elt.past import OBSERVED_AT, WATCHED, columns_in_log, log_of, put_in_past
from wholesale_elt.warehouse import Raw

IDS_A_STATEMENT = 500
_OBSERVED_AT = pa.field(OBSERVED_AT, pa.timestamp("us", "UTC"), nullable=False)


def log_table(shape: TableShape) -> dict[str, dict[str, TColumnSchema]]:
    """The log of a resource, by its name, with its columns for dlt; empty if it has no log."""
    if shape.table not in WATCHED:
        return {}
    columns = columns_of(shape)
    chosen = {name: columns[name] for name in columns_in_log(shape)}
    return {log_of(shape.table): chosen | hints_of(pa.schema([_OBSERVED_AT]))}


def observed(decoded: Decoded) -> dict[str, pa.Table]:
    """The rows that these records add to the log, by its name; empty if there is no log."""
    if decoded.shape.table not in WATCHED:
        return {}
    records = decoded.root.select(columns_in_log(decoded.shape))
    now = pa.repeat(pa.scalar(datetime.now(UTC), _OBSERVED_AT.type), len(records))
    return {log_of(decoded.shape.table): records.append_column(_OBSERVED_AT, now)}


def observe(raw: Raw, resource: str) -> None:
    """Add to the log of a resource the records whose last row there differs from the table."""
    if not (columns := _columns(raw, resource)):
        return
    log = raw.name(log_of(resource))
    raw.execute(
        f"insert into {log} ({columns}, {OBSERVED_AT}) select {columns}, %s from"
        f" (select {columns} from {raw.name(resource)} except select {columns} from"
        f" (select *, row_number() over (partition by id order by {OBSERVED_AT} desc) as recency"
        f" from {log}) as numbered where recency = 1) as unseen",
        datetime.now(UTC),
    )


def mark_deleted(raw: Raw, root: TableShape, ids: Collection[str], moment: datetime) -> None:
    """Mark these records as gone, in the log too, and put what they were until this moment in the
    past; marked ones keep their time."""
    if not ids:
        return
    resource, now = root.table, datetime.now(UTC)
    gone = sorted(ids)
    for start in range(0, len(gone), IDS_A_STATEMENT):
        some = gone[start : start + IDS_A_STATEMENT]
        is_alive = f"{DELETED_AT} is null and id in ({', '.join(['%s'] * len(some))})"
        put_in_past(raw, root, raw.name(resource), is_alive, moment, *some)
        raw.execute(
            f"update {raw.name(resource)} set {DELETED_AT} = %s, {VALID_FROM} = %s"
            f" where {is_alive}",
            now,
            moment,
            *some,
        )
    if columns := _columns(raw, resource):
        raw.execute(
            f"insert into {raw.name(log_of(resource))} ({columns}, {OBSERVED_AT})"
            f" select {columns}, {DELETED_AT} from {raw.name(resource)} where {DELETED_AT} = %s",
            now,
        )


def _columns(raw: Raw, resource: str) -> str:
    """The columns that the log has in common with the table; empty if there is no log."""
    if resource not in WATCHED:
        return ""
    columns = raw.column_names(log_of(resource)) - {OBSERVED_AT}
    return ", ".join(raw.quoted(column) for column in sorted(columns))

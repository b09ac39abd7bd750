"""Digests: what a resource has in its tables in one line of text, so that any copy can be proved.

A run notes it in the certificate. From the digest of the run before and what was written since, it
is known without reading all: rows of the past were taken away, others came. So what somebody
changed by hand stays told, also once it was replaced, until a full read makes all of it afresh.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

import pyarrow as pa

from wholesale.compare import Digest, digest_of
from wholesale.names import VALID_FROM, VALID_TO, moment_of, run_id_of
from wholesale.tables import TableShape
from wholesale_elt.past.as_of import rows_as_of
from wholesale_elt.past.names import literal, past_of
from wholesale_elt.past.reach import forgotten_until
from wholesale_elt.runs import DIGEST
from wholesale_elt.warehouse import CERTIFICATES, Raw, RawReader


def digest_as_of(raw: RawReader, shape: TableShape, moment: datetime) -> Digest:
    """The digest of a resource as it was at a moment; of all its tables."""
    digest = Digest()
    for table in shape.tables:
        for rows in stored_rows(raw, table, moment):
            digest += digest_of(rows, table.table, key_of(table))
    return digest


def digest_now(raw: Raw, shape: TableShape, moment: datetime, *, is_afresh: bool = False) -> Digest:
    """The digest at the end of a run that began at this moment: from that of the run before, unless
    there is none, or all is to be read afresh."""
    known = None if is_afresh else _last(raw, shape.table, moment)
    if known is None:
        return digest_as_of(raw, shape, moment)
    since, digest = known
    for table in shape.tables:
        fields = _fields(raw, table)
        for name, condition, has_come in (
            (table.table, f"{VALID_FROM} > {literal(since)}", True),
            (past_of(table.table), _was_there_until(since), False),
        ):
            sql = f"select {_listed(raw, fields)} from {raw.name(name)} where {condition}"
            for rows in raw.batches(sql, fields):
                of_rows = digest_of(rows, table.table, key_of(table))
                digest = digest + of_rows if has_come else digest - of_rows
    return digest


def stored_rows(
    raw: RawReader, table: TableShape, moment: datetime, condition: str = "true"
) -> Iterator[pa.Table]:
    """The rows of a table as they were at a moment, as far as they fulfil a condition."""
    fields = _fields(raw, table)
    columns = [raw.column_as(each.name, each.type) for each in fields]
    return raw.batches(rows_as_of(raw, table.table, columns, moment, condition), fields)


def key_of(table: TableShape) -> Sequence[str]:
    """The column with the id of the record."""
    return [table.parent_key or "id"]


def _last(raw: Raw, resource: str, moment: datetime) -> tuple[datetime, Digest] | None:
    """The digest of the last run before this moment, and when that began; None where it cannot be
    gone on from."""
    found = raw.rows(
        f"select run_id, {DIGEST} from {raw.name(CERTIFICATES)} where resource = %s"
        " and run_id < %s order by run_id desc limit 1",
        resource,
        run_id_of(moment),
    )
    for run_id, text in found:
        since, digest, forgotten = moment_of(run_id), Digest.of(text), forgotten_until(raw)
        if digest and not (forgotten and since < forgotten):
            return since, digest
    return None


def _was_there_until(since: datetime) -> str:
    """The condition of rows of the past that were there at this moment, and are not any more."""
    at = literal(since)
    return f"{VALID_TO} > {at} and ({VALID_FROM} is null or {VALID_FROM} <= {at})"


def _fields(raw: RawReader, table: TableShape) -> pa.Schema:
    """The columns that the table has; one that it lacks counts as empty."""
    there = raw.column_names(table.table)
    return pa.schema([each for each in table.schema if each.name in there])


def _listed(raw: Raw, fields: Sequence[pa.Field]) -> str:
    return ", ".join(raw.column_as(each.name, each.type) for each in fields)

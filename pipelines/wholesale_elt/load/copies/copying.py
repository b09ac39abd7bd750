"""Copying: the raw dataset of one warehouse is copied into another, without the service.

That is records, observations and certificates: all that the next sync and the models need.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from dlt.common.schema.typing import TColumnSchema

from wholesale.compare import hash_all, hash_rows
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.load.writer import Writer
from wholesale_elt.runs import recency, require_known
from wholesale_elt.warehouse import CERTIFICATES, Raw, RawReader, Warehouse


class CopyDiffers(WholesaleError):
    """The copy differs from the source; nothing of it is kept."""


@dataclass(frozen=True, slots=True)
class TableDigest:
    """How many rows a table has, and a hash of them all, whatever their order."""

    rows: int
    sha256: str


def copy_warehouse(source: Warehouse, target: Warehouse) -> Mapping[str, TableDigest]:
    """Replace every table of `target` by that of `source` in one transaction, and return the
    digest of each.

    A `target` with data must have the same or an earlier state of the same service. Tables that
    only `target` has stay as they are.

    Raises: ConfigurationError for a target with other data, or if a newer version wrote;
    CopyDiffers; AlreadyRunning; NotLoaded.
    """
    if (source.destination, source.name) == (target.destination, target.name):
        raise ConfigurationError(f"{source.name} is to be copied onto itself: name another --to")
    source.require()
    with source.hold(), target.hold(), source.open(is_read_only=True) as given:
        require_known(given, source)
        if not tables_in(given):
            raise ConfigurationError(f"nothing was loaded into {source.name}: there is no copy")
        with Writer(target, run_id="") as writer:
            try:
                return _copy_all(given, writer, target)
            except BaseException:
                writer.discard()
                raise


def _copy_all(given: RawReader, writer: Writer, target: Warehouse) -> Mapping[str, TableDigest]:
    taken, tables = writer.raw, tables_in(given)
    _refuse_to_lose(given, taken, target)
    writer.ensure_tables(tables)
    taken.prepare_load()
    writer.begin()
    for name in tables:
        taken.execute(f"delete from {taken.name(name)}")
    digests = {name: copy_rows(given, taken, name, selected) for name in tables}
    for name, digest in digests.items():
        if digest != _digest(taken, name, given.schema_of(name)):
            raise CopyDiffers(f"{name} in {target.name} is not what was copied")
    writer.certify({})
    return digests


def tables_in(raw: RawReader) -> Mapping[str, Mapping[str, TColumnSchema]]:
    """Our tables and their columns, as dlt knows them."""
    tables = raw.tables().items()
    return {name: table["columns"] for name, table in tables if not name.startswith("_")}


def _refuse_to_lose(given: RawReader, taken: Raw, target: Warehouse) -> None:
    def last_run(raw: RawReader) -> tuple[str, str] | None:
        rows = raw.rows(
            f"select service, run_id from {raw.name(CERTIFICATES)}"
            f" order by {recency()} desc, run_id desc limit 1"
        )
        return rows[0] if rows else None

    here, there = last_run(given), last_run(taken)
    names = given.rows(f"select distinct service from {given.name(CERTIFICATES)}")
    if there and (not here or (there[0],) not in names or here[1] < there[1]):
        raise ConfigurationError(
            f"{target.name} holds data of {there[0]} up to run {there[1]}, which is not an earlier"
            " state of what is to be copied: name an empty place with --to"
        )


def copy_rows(
    given: RawReader, taken: Raw, table: str, query: Callable[[RawReader, str, pa.Schema], str]
) -> TableDigest:
    """Append what a query finds in a table to that of the other dataset."""
    schema, hashes = given.schema_of(table), []
    for batch in given.batches(query(given, table, schema), schema):
        hashes.append(hash_rows(batch, schema.names))
        taken.append(taken.name(table), batch)
    return _of(hashes)


def _digest(raw: Raw, table: str, schema: pa.Schema) -> TableDigest:
    batches = raw.batches(selected(raw, table, schema), schema)
    return _of([hash_rows(batch, schema.names) for batch in batches])


def _of(hashes: list[np.ndarray]) -> TableDigest:
    return TableDigest(sum(map(len, hashes)), hash_all(hashes))


def selected(raw: RawReader, table: str, schema: pa.Schema) -> str:
    """A query for all rows of a table."""
    columns = (raw.column_as(field.name, field.type) for field in schema)
    return f"select {', '.join(columns)} from {raw.name(table)}"

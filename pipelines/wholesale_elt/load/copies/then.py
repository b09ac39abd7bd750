"""Then: a warehouse as it was at a moment, in a file of its own, to build all as it was then; or of
a part alone."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime

import pyarrow as pa
from dlt.common.schema.typing import TColumnSchema

from wholesale.api import typed_id
from wholesale.errors import ConfigurationError
from wholesale.names import VALID_TO, moment_of, run_id_of
from wholesale_elt.load.copies.buyers import BuyersOfManager, OneBuyer
from wholesale_elt.load.copies.copying import copy_rows, tables_in
from wholesale_elt.load.copies.part import Part
from wholesale_elt.load.copies.vendor import OneVendor
from wholesale_elt.load.writer import Writer
from wholesale_elt.past import (
    OBSERVED_AT,
    NotInPast,
    forgotten_until,
    is_past,
    literal,
    next_moment,
    past_of,
    rows_as_of,
)
from wholesale_elt.runs import CHILD_ROWS, require_known, require_plain_ids
from wholesale_elt.warehouse import CERTIFICATES, RawReader, Warehouse

RUN_ID = "run_id"
PARTS: Mapping[str, tuple[type[Part], str]] = {
    "vendor": (OneVendor, "select vendor_id, vendor_name from vendors"),
    "manager": (BuyersOfManager, "select distinct account_manager_id from buyers"),
    "buyer": (OneBuyer, "select buyer_id, company_name from buyers"),
}
"""The parts of an account by kind, and how to find their ids in what is published."""
PART_KINDS: Sequence[str] = tuple(PARTS)


def copy_as_of(
    source: Warehouse,
    target: Warehouse,
    moment: datetime,
    *,
    part: str | None = None,
    has_past: bool = True,
    is_held: bool = False,
) -> None:
    """Copy the raw tables of `source`, as they were at this moment, into an empty `target`.

    A sync counts from the moment at which it began. What tells of syncs is that of those which had
    begun; what says how data are stored, such as policies and erasures, is as it is now. With
    `is_held` the caller holds `source`.

    With a `part`, such as `vendor=ID`, the copy has what is of that part alone. It has the past of
    then, unless that is not asked for.

    Raises: NotInPast; ConfigurationError for a part that is not stored, or if a newer version
    wrote; AlreadyRunning; NotLoaded.
    """
    source.require()
    held = nullcontext() if is_held else source.hold()
    with held, target.hold(), source.open(is_read_only=True) as given:
        require_known(given, source)
        _require_known_then(given, source, moment)
        tables = tables_in(given)
        kept = _known_part(given, source, tables, moment, part) if part else None
        query = _query_as_of(given, tables, moment, kept)
        wanted = {
            name: columns
            for name, columns in tables.items()
            if (has_past or not is_past(name)) and name != CHILD_ROWS
        }
        with Writer(target, run_id="") as writer:
            try:
                writer.ensure_tables(wanted)
                writer.raw.prepare_load()
                writer.begin()
                for table in wanted:
                    copy_rows(given, writer.raw, table, query)
                writer.certify({})
            except BaseException:
                writer.discard()
                raise


def _known_part(
    raw: RawReader,
    source: Warehouse,
    tables: Mapping[str, Mapping[str, TColumnSchema]],
    moment: datetime,
    named: str,
) -> Part:
    """Raises: ConfigurationError for a part that is not stored."""
    kind, _, key = named.partition("=")
    of_kind, asked = PARTS[kind]
    require_plain_ids(raw, source)
    part = of_kind(raw, tables, moment, key)
    if not part.is_known():
        raise ConfigurationError(
            f"{source.name} has no {kind} {typed_id(key)}: ask what is published for their ids,"
            f' `wholesale sql "{asked}"`'
        )
    return part


def _require_known_then(raw: RawReader, warehouse: Warehouse, moment: datetime) -> None:
    """Raises: NotInPast if nothing is stored of that moment."""
    rows = raw.rows(f"select min(run_id) from {raw.name(CERTIFICATES)}")
    first = moment_of(rows[0][0]) if rows and rows[0][0] else None
    until = forgotten_until(raw)
    if first is None:
        why = "nothing was loaded"
    elif moment < first:
        why = f"its first sync began at {first.isoformat()}"
    elif until and moment < until:
        why = (
            f"what was replaced before {until.isoformat()} is not kept (setting history.keep_days)"
        )
    elif moment > datetime.now(UTC):
        why = "that is yet to come"
    else:
        return
    raise NotInPast(f"{warehouse.name} cannot tell what was so at {moment.isoformat()}: {why}")


def _query_as_of(
    raw: RawReader,
    tables: Mapping[str, Mapping[str, TColumnSchema]],
    moment: datetime,
    part: Part | None,
) -> Callable[[RawReader, str, pa.Schema], str]:
    """A function for the query of a table's rows at this moment; of a part those, and what it has
    of them."""
    records = [name for name in tables if past_of(name) in tables]
    later = next_moment(raw, records, moment)

    def query(raw: RawReader, table: str, schema: pa.Schema) -> str:
        columns = [raw.column_as(field.name, field.type) for field in schema]
        condition, beside = "true", ""
        if part:
            beside = part.beside(table)
            columns = [part.value(table, *each) for each in zip(schema.names, columns, strict=True)]
            condition = part.condition(table)
        if table in records:
            return beside + rows_as_of(raw, table, columns, moment, condition)
        if is_past(table):
            condition += f" and {VALID_TO} <= {literal(moment)}"
        elif RUN_ID in schema.names:
            condition += f" and {RUN_ID} <= '{run_id_of(moment)}'"
        elif OBSERVED_AT in schema.names and later:  # written within a sync, after it began
            condition += f" and {OBSERVED_AT} < {literal(later)}"
        return f"{beside}select {', '.join(columns)} from {raw.name(table)} where {condition}"

    return query

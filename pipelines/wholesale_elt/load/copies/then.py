"""Then: a warehouse as it was at a moment, in a file of its own, to build all as it was then."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime

import pyarrow as pa
from dlt.common.schema.typing import TColumnSchema

from wholesale.errors import ConfigurationError
from wholesale.sync import moment_of, run_id_of
from wholesale_elt.load.copies.copying import copy_rows, selected, tables_in
from wholesale_elt.load.observations import OBSERVED_AT
from wholesale_elt.load.writer import Writer
from wholesale_elt.past import (
    forgotten_until,
    is_past,
    literal,
    next_moment,
    past_of,
    rows_as_of,
)
from wholesale_elt.runs import CHILD_ROWS, require_known
from wholesale_elt.warehouse import CERTIFICATES, Raw, Warehouse

RUN_ID = "run_id"


def copy_as_of(
    source: Warehouse, target: Warehouse, moment: datetime, *, is_held: bool = False
) -> None:
    """Copy the raw tables of `source`, as they were at this moment, into an empty `target`.

    A sync counts from the moment at which it began. What tells of syncs is that of those which had
    begun; what says how data are stored, such as policies and erasures, is as it is now. With
    `is_held` the caller holds `source`.

    Raises: ConfigurationError for a moment of which nothing is stored, or if a newer version wrote;
    AlreadyRunning; NotLoaded.
    """
    source.require()
    held = nullcontext() if is_held else source.hold()
    with held, target.hold(), source.open(is_read_only=True) as given:
        require_known(given, source)
        _require_known_then(given, source, moment)
        tables = tables_in(given)
        query = _query_as_of(given, tables, moment)
        wanted = {
            name: columns
            for name, columns in tables.items()
            if not is_past(name) and name != CHILD_ROWS
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


def _require_known_then(raw: Raw, warehouse: Warehouse, moment: datetime) -> None:
    """Raises: ConfigurationError if nothing is stored of that moment."""
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
    raise ConfigurationError(
        f"{warehouse.name} cannot tell what was so at {moment.isoformat()}: {why}"
    )


def _query_as_of(
    raw: Raw, tables: Mapping[str, Mapping[str, TColumnSchema]], moment: datetime
) -> Callable[[Raw, str, pa.Schema], str]:
    """A function for the query of a table's rows at this moment."""
    records = [name for name in tables if past_of(name) in tables]
    later = next_moment(raw, records, moment)

    def query(raw: Raw, table: str, schema: pa.Schema) -> str:
        columns = [raw.column_as(field.name, field.type) for field in schema]
        if table in records:
            return rows_as_of(raw, table, columns, moment)
        all_rows = selected(raw, table, schema)
        if RUN_ID in schema.names:
            return f"{all_rows} where {RUN_ID} <= '{run_id_of(moment)}'"
        if OBSERVED_AT in schema.names and later:  # written within a sync, after it began
            return f"{all_rows} where {OBSERVED_AT} < {literal(later)}"
        return all_rows

    return query

"""DuckDB writer: a record is written with its children, or not at all.

dlt says how the tables look and keeps their schema; rows go straight from Arrow into DuckDB.
"""

import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import Self

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from dlt.common.schema import Schema
from dlt.common.schema.typing import TColumnSchema
from dlt.common.schema.utils import new_table

from wholesale.api import RESOURCE
from wholesale.dlt_hints import columns_of, hints_of, quarantine_columns
from wholesale.errors import WholesaleError
from wholesale.sync import Batch, Run
from wholesale.tables import (
    QUARANTINE,
    Decoded,
    Ids,
    TableShape,
    concat,
    pack,
    quarantine_table,
    shape_of,
)
from wholesale_elt.load.observations import (
    OBSERVED_AT,
    WATCHED,
    columns_in_log,
    log_of,
    log_table,
    mark_deleted,
    observed,
)
from wholesale_elt.load.quarantine import drop_repeats
from wholesale_elt.load.restoring import restore_tables
from wholesale_elt.load.vectors import VectorMemory
from wholesale_elt.process import budget
from wholesale_elt.warehouse import SCHEMAS, Raw, Warehouse, repair

RECORDS_A_COMMIT = 2 * 122_880
"""Whole row groups of DuckDB: each commit writes the last, half filled one anew, of every table."""
BYTES_A_COMMIT = 2**29
"""Of Arrow: as many as so many records usually have. What is not committed spills to the disk."""
SECONDS_A_COMMIT = 60.0
"""What is not committed yet is fetched again after a crash: a minute of work, however slow."""
BYTES_A_COMPARISON = 2**25
"""Of Arrow: so much is set aside at most before it is compared with what the tables hold."""
MOST_WRITES = 2
"""Batches that are being written or wait for it: one that waits bridges a commit."""


class DuckDBWriter:
    """Writes within its `with` block, in transactions that hold whole records only; a `Loader`."""

    def __init__(self, warehouse: Warehouse, run_id: str) -> None:
        self._warehouse = warehouse
        self._run_id = run_id
        self._load_id = str(time.time())  # as dlt names its packages
        self._connection = ExitStack()
        self._raw: Raw
        self._duckdb: duckdb.DuckDBPyConnection
        self._memory: VectorMemory
        self._schema: Schema
        self._is_open = False
        self._is_whole = True
        self._uncommitted = self._uncommitted_bytes = 0
        self._committed_at = time.monotonic()
        self._staged: TableShape | None = None
        self._staged_bytes = 0
        self._differing: list[Ids] = []

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            self._raw = opening.enter_context(self._warehouse.open())
            self._duckdb = self._raw.client.sql_client.native_connection
            self._schema = self._raw.schema()
            # A second thread would fill row groups of its own, which costs more memory than it
            # saves time while another thread decodes.
            self._duckdb.execute("set threads = 1; set preserve_insertion_order = false")
            self._memory = VectorMemory(self._duckdb)
            self._connection = opening.pop_all()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Keep what was written, also when the service failed; nothing that is not whole."""
        with self._connection:
            is_told = error is None or issubclass(error, WholesaleError | KeyboardInterrupt)
            if is_told and self._is_whole:
                self.commit()

    def dataset(self) -> AbstractContextManager[Raw]:
        return nullcontext(self._raw)

    def load(self, run: Run, resources: Sequence[str]) -> None:
        """Each resource ends with a commit, its marks of what is gone among it."""
        run.stored = partial(repair, self._raw)
        restore_tables(self._raw)
        columns = self._raw.columns()
        shapes = [shape_of(RESOURCE[name], columns) for name in resources]
        self.ensure_tables({table: hints_of(schema) for table, schema in SCHEMAS.items()})
        self.ensure_tables_of(*shapes)
        self.see_stored(QUARANTINE, *(table.table for shape in shapes for table in shape.tables))
        for name, shape in zip(resources, shapes, strict=True):
            reader = run.begin(RESOURCE[name], shape)
            differing = [self._write_all(run.read(reader))]
            differing += [self._write_all([late]) for late in reader.late]
            reader.count_differing(concat(differing))
            self.begin()
            mark_deleted(self._raw, name, reader.gone)
            drop_repeats(self._raw, name, self._run_id)
            self.commit()

    def certify(self, account: Mapping[str, pa.Table]) -> None:
        for table, rows in account.items():
            self.insert(table, rows)
        self._raw.client.complete_load(self._load_id)

    def ensure_tables(self, tables: Mapping[str, Mapping[str, TColumnSchema]]) -> None:
        """See that these tables exist with at least these columns."""
        missing = {
            table: columns
            for table, columns in tables.items()
            if not columns.keys()
            <= self._schema.tables.get(table, {"columns": {}})["columns"].keys()
        }
        if not missing:
            return
        self._compare()
        self.commit()
        for table, columns in missing.items():
            self._schema.update_table(new_table(table, columns=list(columns.values())))
        self._schema = Schema.from_stored_schema(self._schema.to_dict())
        client = self._raw.client
        client.schema = self._schema
        if not client.is_storage_initialized():
            client.initialize_storage()
        client.update_stored_schema()

    def ensure_tables_of(self, *shapes: TableShape) -> None:
        """The same for root and child tables of these shapes, their logs, and their quarantine."""
        tables = {table.table: columns_of(table) for shape in shapes for table in shape.tables}
        for shape in shapes:
            tables |= log_table(shape)
        self.ensure_tables(tables | {QUARANTINE: quarantine_columns()})

    def see_stored(self, *tables: str) -> None:
        """Let DuckDB hold what the long texts of these tables ask for."""
        for table in tables:
            self._memory.see_stored(self._raw.name(table))

    def write(self, batch: Batch) -> None:
        """Insert records that are new; set those aside that the tables may hold already.

        Raises: RuntimeError once a batch could not be written whole: another one, which waited
        meanwhile, must not commit what is there of it.
        """
        if not self._is_whole:
            raise RuntimeError("the batch before could not be written whole")
        decoded = batch.decoded
        self.ensure_tables_of(decoded.shape)
        if not batch.is_known.any():
            self._insert(decoded)
        else:
            self._insert(decoded.keep(pa.array(~batch.is_known)))
            self._stage(decoded.keep(pa.array(batch.is_known)))
        if decoded.quarantined:
            rows = quarantine_table(decoded.quarantined, decoded.shape.table, self._run_id)
            self.insert(QUARANTINE, rows)
        if self._staged_bytes >= BYTES_A_COMPARISON:
            self._compare()
        if self._is_commit_due():
            self.commit()

    def insert(self, table: str, rows: pa.Table) -> None:
        """Append rows to a table of the dataset."""
        self._memory.see(table, rows)
        self._append(self._raw.name(table), rows)

    def flush_compared(self) -> Ids:
        """Bring what was set aside into the tables; the ids of records that really differed."""
        self._compare()
        differing, self._differing = concat(self._differing), []
        return differing

    def commit(self) -> None:
        """Make what was written last: records, marks, whatever came since the last commit."""
        if self._is_open:
            self._duckdb.commit()
        self._is_open, self._uncommitted, self._uncommitted_bytes = False, 0, 0
        self._committed_at = time.monotonic()

    def begin(self) -> None:
        """Begin a transaction where none is open."""
        if not self._is_open:
            self._duckdb.begin()
            self._is_open = True

    def _write_all(self, batches: Iterable[Batch]) -> Ids:
        """Write while the next batches are read; the ids of known records that differed."""
        writing: deque[Future[None]] = deque()
        with ThreadPoolExecutor(1, thread_name_prefix="write") as writer:
            for batch in batches:
                if len(writing) >= MOST_WRITES:
                    writing.popleft().result()
                writing.append(writer.submit(self.write, batch))
            for write in writing:
                write.result()
        return self.flush_compared()

    def _is_commit_due(self) -> bool:
        age = time.monotonic() - self._committed_at
        is_full = self._uncommitted >= RECORDS_A_COMMIT or self._uncommitted_bytes >= BYTES_A_COMMIT
        return is_full or age >= SECONDS_A_COMMIT

    def _insert(self, decoded: Decoded) -> None:
        self._is_whole = False
        for table, rows in (decoded.tables | observed(decoded)).items():
            if len(rows):
                self.insert(table, rows)
                self._uncommitted_bytes += rows.nbytes
        self._is_whole = True
        self._uncommitted += len(decoded.root)

    def _stage(self, decoded: Decoded) -> None:
        if self._staged is None:
            self._memory.allow(budget.COMPARING)
            self.begin()
            self._staged = decoded.shape
            for table in decoded.tables:
                self._duckdb.execute(
                    f"create or replace temp table {_staged(table)} as"
                    f" from {self._raw.name(table)} limit 0"
                )
        for table, rows in decoded.tables.items():
            self._memory.see(table, rows)
            self._append(_staged(table), rows)
            self._staged_bytes += rows.nbytes

    def _append(self, name: str, rows: pa.Table) -> None:
        self.begin()
        # Named in the query and not registered: a view would hold the rows until the commit.
        self._duckdb.execute(f"insert into {name} by name from rows")

    def _compare(self) -> None:
        """Replace the records that differ from what was set aside, in any row of theirs."""
        if self._staged is None:
            return
        shape, self._staged, self._staged_bytes = self._staged, None, 0
        differing = pa.table({"id": self._differing_ids(shape)})
        self._is_whole = False
        if shape.table in WATCHED:
            self._duckdb.execute(_observed(shape, self._raw))
        for table in shape.tables:
            name, key = self._raw.name(table.table), _key(table)
            self._duckdb.execute(f"delete from {name} where {key} in (select id from differing)")
            self._duckdb.execute(
                f"insert into {name} by name from {_staged(table.table)}"
                f" where {key} in (select id from differing)"
            )
            self._duckdb.execute(f"drop table {_staged(table.table)}")
        self._is_whole = True
        self._differing.append(pack(differing["id"]))
        if len(differing):
            self.commit()  # what was replaced is held in memory until then

    def _differing_ids(self, shape: TableShape) -> pa.ChunkedArray:
        """Of the records set aside, those that the tables hold otherwise, or not at all.

        Entries that came in another order, and are as many and the same otherwise, are no
        difference.

        Table by table and by key: all at once, or by whole rows, takes several times the memory.
        """
        found: list[pa.Array] = []
        for table in shape.tables:
            stored = self._raw.name(table.table)
            gone = self._duckdb.execute(_gone(table, stored, shape)).to_arrow_table()
            changed = self._duckdb.execute(_changed(table, stored)).to_arrow_table()
            lacking = changed.filter(changed["lacks_a_row"])
            candidates = changed.filter(pc.invert(changed["lacks_a_row"]))
            if not table.is_root and len(candidates):
                candidates = self._duckdb.execute(_differing(table, stored)).to_arrow_table()
            for ids in (gone, lacking, candidates):
                found += ids["id"].chunks
        return pc.unique(pa.chunked_array(found, pa.string()))


def _observed(root: TableShape, raw: Raw) -> str:
    """A statement that logs those among `differing` that differ in what the log tells of."""
    columns = ", ".join(f'"{name}"' for name in columns_in_log(root))
    sent, held = (
        f"(select {columns} from {name} where id in (select id from differing))"
        for name in (_staged(root.table), raw.name(root.table))
    )
    return (
        f"insert into {raw.name(log_of(root.table))} by name"
        f" select *, timestamptz '{datetime.now(UTC)}' as {OBSERVED_AT} from ({sent} except {held})"
    )


def _changed(table: TableShape, stored: str) -> str:
    """A query for the ids of records with rows that the table holds otherwise, or lacks."""
    differs = " or ".join(
        f"staged.{name} is distinct from stored.{name}" for name in _columns(table)
    )
    return (
        f"select staged.{_key(table)} as id, bool_or(stored.{_key(table)} is null) as lacks_a_row"
        f" from {_staged(table.table)} as staged"
        f" left join {stored} as stored using ({_keys(table)})"
        f" where stored.{_key(table)} is null or {differs} group by all"
    )


def _gone(table: TableShape, stored: str, root: TableShape) -> str:
    """A query for the ids of records of which the table holds rows that did not come again."""
    return (
        f"select distinct {_key(table)} as id from"
        f" (select {_keys(table)} from {stored}"
        f" where {_key(table)} in (select id from {_staged(root.table)}))"
        f" anti join {_staged(table.table)} using ({_keys(table)})"
    )


def _differing(table: TableShape, stored: str) -> str:
    """A query for the ids among `candidates` whose entries are others, in whatever order."""
    columns = ", ".join(name for name in _columns(table) if name != f'"{table.number}"')
    sent, held = (
        f"(select {columns} from {name} where {_key(table)} in (select id from candidates))"
        for name in (_staged(table.table), stored)
    )
    return (
        f"select distinct {_key(table)} as id from"
        f" (({sent} except all {held}) union all ({held} except all {sent}))"
    )


def _key(table: TableShape) -> str:
    return table.parent_key or "id"


def _keys(table: TableShape) -> str:
    """What tells the rows of the table apart."""
    return f"{table.parent_key}, {table.number}" if table.parent_key else "id"


def _columns(table: TableShape) -> list[str]:
    return [f'"{name}"' for name in table.schema.names]


def _staged(table: str) -> str:
    """What the service sent of records that may be known."""
    return f'temp."staged_{table}"'

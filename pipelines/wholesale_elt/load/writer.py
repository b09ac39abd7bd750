"""Writer: writes each record with its children or not at all, in every destination.

dlt creates the tables and maintains their schema; rows are inserted from Arrow.
"""

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Self, TypeVar

import pyarrow as pa

from wholesale.api import RESOURCE, Resource
from wholesale.dlt_hints import hints_of
from wholesale.errors import WholesaleError
from wholesale.names import VALID_FROM, VALID_TO, moment_of
from wholesale.privacy import STORE_ALL, Masking
from wholesale.sync import Batch, Merge, Reader, Run
from wholesale.tables import (
    QUARANTINE,
    Decoded,
    Ids,
    TableShape,
    concat,
    quarantine_table,
    shape_of,
)
from wholesale_elt.load.comparison import StagedRecords
from wholesale_elt.load.observations import mark_deleted, observed
from wholesale_elt.load.privacy import (
    POLICIES,
    POLICIES_SCHEMA,
    empty_differing,
    empty_erased,
    policy_row,
)
from wholesale_elt.load.quarantine import drop_repeats
from wholesale_elt.load.raw_tables import RawTables, Tables, tables_of
from wholesale_elt.load.schema_watch import SchemaWatch
from wholesale_elt.past import (
    Appended,
    drop_functions,
    make_functions,
    past_of,
    rows_since,
    set_right,
)
from wholesale_elt.runs import (
    RELEASES_SCHEMA,
    TABLES,
    StoredReader,
    forget_child_rows,
    has_noted_child_rows,
    note_child_rows,
    release_row,
    repair,
    require_known,
    spell_ids,
)
from wholesale_elt.warehouse import RELEASES, Raw, Warehouse

T = TypeVar("T")

RECORDS_A_COMMIT = 2 * 122_880
"""Whole row groups of DuckDB, as each commit rewrites the last, half filled one of every table."""
BYTES_A_COMMIT = 2**29
"""Arrow data of about RECORDS_A_COMMIT records; what is not committed spills to disk."""
SECONDS_A_COMMIT = 60.0
"""After a crash at most a minute of work, which was not committed, is done again."""
BYTES_A_COMPARISON = 2**25
"""Arrow data that is staged before it is compared with what is stored."""
BYTES_AN_INSERT = 3 * 2**20
"""Arrow data that is gathered for a table before an insert, which has a fixed cost."""
MOST_WRITES = 2
"""Batches being written or waiting: one that waits bridges the time of a commit."""


class Writer:
    """Writes within its `with` block, in transactions that hold whole records only.

    `raw` is the dataset; `watch` notes changes in what the service sends; `appended` has digests of
    what is loaded for the first time.
    """

    def __init__(self, warehouse: Warehouse, run_id: str) -> None:
        self._warehouse = warehouse
        self._run_id = run_id
        self._load_id = str(time.time())  # as dlt names its packages
        self._connection = ExitStack()
        self.raw: Raw
        self.watch: SchemaWatch
        self.appended = Appended()
        self._comparison: StagedRecords
        self._tables: RawTables
        self._is_open, self._is_whole = False, True
        self._uncommitted = self._uncommitted_bytes = 0
        self._gathered: defaultdict[str, list[pa.Table]] = defaultdict(list)
        self._gathered_bytes: Counter[str] = Counter()
        self._ensured: Sequence[TableShape] | None = None
        self._committed_at = time.monotonic()
        self._differing: list[Ids] = []
        self._masking: Masking = STORE_ALL
        self._moment = datetime.now(UTC)
        self._unwritten: str | None = None

    def __enter__(self) -> Self:
        """Open the dataset. Raises: ConfigurationError as `require_known` does."""
        with ExitStack() as opening:
            self.raw = opening.enter_context(self._warehouse.open())
            require_known(self.raw, self._warehouse)
            self._comparison = StagedRecords(self.raw)
            self.watch = SchemaWatch(self.raw)
            self._tables = RawTables(self.raw)
            self._connection = opening.pop_all()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Commit what was written, also if the service failed, but no part of a record."""
        with self._connection:
            is_told = error is None or issubclass(error, WholesaleError | KeyboardInterrupt)
            if is_told and self._is_whole:
                self.commit()

    def load(self, run: Run, resources: Sequence[str]) -> None:
        """Read these resources, write what is new or differs, and mark what is gone.

        Dropped or damaged tables are repaired first. Each resource ends with a commit, unless
        nothing of it changed.
        """
        shapes = self._begin_load(run, resources)
        for name, shape in zip(resources, shapes, strict=True):
            self._unwritten = name
            is_emptied = empty_differing(self.raw, shape, run.masking.policy)
            self.raw.fill(is_filling=self.appended.begin(self.raw, shape))
            reader = self._read(run, RESOURCE[name], shape, is_full=is_emptied)
            self.raw.fill(is_filling=False)
            is_as_it_was = self._unwritten and not (is_emptied or reader.gone)
            if is_as_it_was and has_noted_child_rows(self.raw, shape):
                self._unwritten = None
                continue
            self.begin()
            if reader.gone:
                self.appended.lose()
            mark_deleted(self.raw, shape, reader.gone, self._moment)
            drop_repeats(self.raw, name, self._run_id)
            if is_emptied and reader.doubts.has_read_all:
                self.ensure_tables({POLICIES: hints_of(POLICIES_SCHEMA)})
                self.insert(POLICIES, policy_row(name, run.masking.policy))
            note_child_rows(self.raw, RESOURCE[name], shape)
            self.commit()

    def read_again(self, run: Run, resource: Resource, read: Callable[[Reader, Merge], T]) -> T:
        """Read some records of a resource, and write what is new or differs; nothing is marked as
        deleted by that."""
        (shape,) = self._begin_load(run, [resource.name])
        self._unwritten = resource.name
        reader = run.begin(resource, shape)
        result = self._write_what(reader, partial(read, reader))
        if not self._unwritten:
            drop_repeats(self.raw, resource.name, self._run_id)
            note_child_rows(self.raw, resource, shape)
        self.commit()
        return result

    def _begin_load(self, run: Run, resources: Sequence[str]) -> Sequence[TableShape]:
        """Let the run compare with what is stored, and make ready the tables of these resources,
        whose shapes are returned."""
        self._masking, self._moment = run.masking, moment_of(run.run_id)
        run.stored = self.watch.noting(partial(repair, self.raw, StoredReader(self.raw)))
        shapes = self.prepare(resources)
        for shape in shapes:
            set_right(self.raw, shape.tables, self._moment)
            empty_erased(self.raw, shape, run.masking.erased)
        self.raw.prepare_load()
        return shapes

    def _read(self, run: Run, resource: Resource, shape: TableShape, *, is_full: bool) -> Reader:
        """Read a resource, and write what is new or differs; all of it if the audit asks for it."""
        reader = run.begin(resource, shape, is_full=is_full)
        self._write_what(reader, partial(run.read, reader))
        if not reader.audit_finds_most_changed:
            return reader
        return self._read(run, resource, reader.shape, is_full=True).following(reader)

    def _write_what(self, reader: Reader, read: Callable[[Merge], T]) -> T:
        """Write what this function passes on, which the reader reads; then what came late."""
        with self._writing() as merge:
            result = read(merge)
        differing = [self.flush_compared()]
        for late in reader.late:
            self.write(late)
            differing.append(self.flush_compared())
        reader.count_differing(concat(differing))
        return result

    def prepare(self, resources: Sequence[str]) -> Sequence[TableShape]:
        """Create or extend the tables of these resources and of runs, then note the version that
        writes, before any other row: where it is noted, the tables are there.

        Returns the shapes of the resources.
        """
        self._tables.restore()
        columns = self.raw.columns()
        shapes = [shape_of(RESOURCE[name], columns) for name in resources]
        self.ensure_tables({table: hints_of(schema) for table, schema in TABLES.items()})
        self.ensure_tables_of(*shapes)
        tables = [table for shape in shapes for table in shape.tables]
        make_functions(self.raw, [table.table for table in tables])  # which a kill may have spared
        self.raw.hold_keys(
            {
                table.table: (table.parent_key, table.number) if table.parent_key else ("id",)
                for table in tables
            }
        )
        pasts = [past_of(table.table) for table in tables]
        self.raw.index_growing(pasts, (VALID_FROM, VALID_TO))
        self.ensure_tables({RELEASES: hints_of(RELEASES_SCHEMA)})
        if len(row := release_row(self.raw)):
            self.begin()
            spell_ids(self.raw)
            self.insert(RELEASES, row)
            self.commit()
        return shapes

    def certify(self, tables: Mapping[str, pa.Table]) -> None:
        """Append the rows of the run to its tables, certificates last; nothing may follow."""
        for table, rows in tables.items():
            if len(rows):
                self.insert(table, rows)
        self.raw.client.complete_load(self._load_id)

    def ensure_tables(self, tables: Tables) -> None:
        """Create these tables, or add the columns that they lack."""
        if lacking := self._tables.lacking(tables):
            self._compare()
            self.commit()
            records = [table for table in lacking if past_of(table) in tables]
            drop_functions(self.raw, records)
            self._tables.extend(lacking)
            make_functions(self.raw, records)

    def ensure_tables_of(self, *shapes: TableShape) -> None:
        """The same for the tables of these shapes, their logs, and the quarantine."""
        if shapes != self._ensured:  # false for nearly every batch
            self.ensure_tables(tables_of(*shapes))
            self._ensured = shapes

    def write(self, batch: Batch) -> None:
        """Gather new records for insertion, and stage those that may be stored already.

        Raises: RuntimeError after a batch that was written in part, which a later batch must not
        commit.
        """
        if not self._is_whole:
            raise RuntimeError("the batch before could not be written whole")
        decoded = batch.decoded
        self.watch.see(decoded)
        self.ensure_tables_of(decoded.shape)
        if not batch.is_known.any():
            self._gather(decoded)
        else:
            self._gather(decoded.keep(pa.array(~batch.is_known)))
            self.begin()
            self._comparison.stage(decoded.keep(pa.array(batch.is_known)))
        if decoded.quarantined:
            resource = decoded.shape.table
            bodies = self._masking.mask_bodies(decoded.quarantined, resource)
            self.insert(QUARANTINE, quarantine_table(bodies, resource, self._run_id))
        if self._comparison.bytes >= BYTES_A_COMPARISON:
            self._compare()
        if self._is_commit_due():
            self.commit()

    def insert(self, table: str, rows: pa.Table) -> None:
        """Append rows to a table of the dataset."""
        self.begin()
        self.raw.append(self.raw.name(table), rows)

    def flush_compared(self) -> Ids:
        """Write what was gathered or staged, and return the ids of records that differed from what
        was stored."""
        self._insert_gathered(list(self._gathered))
        self._compare()
        differing, self._differing = concat(self._differing), []
        return differing

    def commit(self) -> None:
        """Commit everything that was written since the last commit."""
        self._insert_gathered(list(self._gathered))
        if self._is_open:
            self.raw.commit()
        self._is_open, self._uncommitted, self._uncommitted_bytes = False, 0, 0
        self._committed_at = time.monotonic()

    def discard(self) -> None:
        """Discard what was written since the last commit."""
        self._is_whole = False

    def begin(self) -> None:
        """Begin a transaction if none is open."""
        if not self._is_open:
            self.raw.begin()
            self._is_open = True
            if self._unwritten:
                forget_child_rows(self.raw, self._unwritten)
                self._unwritten = None

    @contextmanager
    def _writing(self) -> Iterator[Merge]:
        """A function that writes batches in the background; the block ends when all are written."""
        writing: deque[Future[None]] = deque()
        with ThreadPoolExecutor(1, thread_name_prefix="write") as writer:

            def merge(batch: Batch) -> None:
                if len(writing) >= MOST_WRITES:
                    writing.popleft().result()
                writing.append(writer.submit(self.write, batch))

            yield merge
            for write in writing:
                write.result()

    def _is_commit_due(self) -> bool:
        is_full = self._uncommitted >= RECORDS_A_COMMIT or self._uncommitted_bytes >= BYTES_A_COMMIT
        return is_full or time.monotonic() >= self._committed_at + SECONDS_A_COMMIT

    def _gather(self, decoded: Decoded) -> None:
        self._uncommitted += len(decoded.root)
        records = {table: rows_since(rows, self._moment) for table, rows in decoded.tables.items()}
        for table, rows in (records | observed(decoded)).items():
            size = rows.nbytes  # costly: it visits each chunk of each column
            self._gathered[table].append(rows)
            self._gathered_bytes[table] += size
            self._uncommitted_bytes += size
        sizes = self._gathered_bytes.items()
        self._insert_gathered([table for table, size in sizes if size >= BYTES_AN_INSERT])

    def _insert_gathered(self, tables: Sequence[str]) -> None:
        if not tables:
            return
        self._is_whole = False
        for table in tables:
            rows = pa.concat_tables(self._gathered.pop(table), promote_options="default")
            del self._gathered_bytes[table]
            if len(rows):
                self.insert(table, rows)
                self.appended.add(table, rows)
        self._is_whole = True

    def _compare(self) -> None:
        if not self._comparison.is_due:
            return
        self.begin()  # a commit may have come between staging and this
        self._is_whole = False
        self.appended.lose()
        self._differing.append(self._comparison.replace_differing(self._moment))
        self._is_whole = True
        self.commit()  # until then replaced rows stay in memory, and so do dropped tables

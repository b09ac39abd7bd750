"""dlt loader: dlt's load packages, the way into every destination but DuckDB.

dlt merges each table by itself, so a package that ends early may leave roots without their
children. A note in the destination says which package is under way; while dlt has not written
there that it ended, no stored version of its resources is trusted.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Self

import dlt
import pyarrow as pa
from dlt.extract import DltResource, DltSource
from dlt.pipeline.exceptions import PipelineStepFailed

from wholesale.api import Resource
from wholesale.compare import Stored
from wholesale.source import late_source, run_source
from wholesale.sync import Run
from wholesale.tables import TableShape, empty, shape_of
from wholesale_elt.load.observations import WATCHED, log_table, mark_deleted, observe, observed
from wholesale_elt.load.quarantine import drop_repeats
from wholesale_elt.load.restoring import restore_tables
from wholesale_elt.warehouse import Raw, Warehouse, repair

log = logging.getLogger("wholesale.load")

BEGUN = "_sync_begun"
"""The dlt package that last began to load each resource."""
DLT_LOADS = "_dlt_loads"


class DltLoader:
    """Loads what a run reads through one dlt pipeline; a `Loader`."""

    def __init__(self, warehouse: Warehouse, run_id: str) -> None:
        dlt.config["extract.next_item_mode"] = "fifo"
        dlt.config["load.truncate_staging_dataset"] = True
        dlt.config["load.delete_completed_jobs"] = True
        self._pipeline = warehouse.pipeline()
        self._format = warehouse.loader_file_format
        self._warehouse = warehouse
        self._run_id = run_id

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open between two packages."""

    def dataset(self) -> AbstractContextManager[Raw]:
        return self._warehouse.open()

    def load(self, run: Run, resources: Sequence[str]) -> None:
        """What came late in a newer version follows the rest in packages of its own."""
        run.stored = self._trusted(self._repair())
        source = run_source(run).with_resources(*resources)
        source.resources.add(_logs(run))
        self._load(source, resources)
        self._observe(name for name in resources if run.readers[name].report.loaded)
        for name in resources:
            for late in run.readers[name].late:
                self._load(late_source(run.readers[name].resource, late), [name])
                self._observe([name])
        with self._warehouse.open() as raw:
            for name in resources:
                mark_deleted(raw, name, run.readers[name].gone)
                drop_repeats(raw, name, self._run_id)

    def certify(self, account: Mapping[str, pa.Table]) -> None:
        self._pipeline.run(
            [dlt.resource([rows], name=name) for name, rows in account.items()],
            write_disposition="append",
            loader_file_format=self._format,
        )

    def _repair(self) -> set[str]:
        """Finish what an earlier run left behind; the resources that are not whole even then.

        A package that cannot be loaded is given up: this run reads everything in it again.
        """
        if self._pipeline.has_pending_data:
            if self._is_in_doubt():
                log.warning("giving up what an earlier run left behind, to read it again")
                self._pipeline.abort_packages()
            else:
                log.warning("finishing what an earlier run left behind")
                try:
                    self._pipeline.normalize()
                    self._pipeline.load()
                    self._observe(WATCHED)
                except PipelineStepFailed as error:
                    reason = type(error.exception).__name__
                    log.warning("giving it up, as it cannot be loaded: %s", reason)
                    self._pipeline.abort_packages()
        with self._warehouse.open() as raw:
            restore_tables(raw)
            return unfinished(raw)

    def _trusted(self, unfinished: Collection[str]) -> Callable[[Resource, TableShape], Stored]:
        """What is stored of a resource; of one that is not whole the ids count, and no version."""

        def read(resource: Resource, shape: TableShape) -> Stored:
            with self._warehouse.open() as raw:
                stored = repair(raw, resource, shape)
            return stored.without_versions() if resource.name in unfinished else stored

        return read

    def _load(self, source: DltSource, resources: Sequence[str]) -> None:
        extracted = self._pipeline.extract(source, loader_file_format=self._format)
        with self._warehouse.open() as raw:
            begin_load(raw, resources, extracted.loads_ids[0])
        self._pipeline.normalize()
        self._pipeline.load()

    def _observe(self, resources: Iterable[str]) -> None:
        with self._warehouse.open() as raw:
            for name in resources:
                observe(raw, name)

    def _is_in_doubt(self) -> bool:
        """Whether a file may have arrived without dlt having noted it: it would arrive again."""
        return any(
            job.job_file_info.file_format != "sql"
            for load_id in self._pipeline.list_normalized_load_packages()
            for job in self._pipeline.get_load_package_info(load_id).jobs["started_jobs"]
        )


def _logs(run: Run) -> DltResource:
    """The tables of observations, empty, with the columns that were found behind the others."""

    def read() -> Iterator[Any]:
        readers = run.readers.values()
        for shape in (s for reader in readers for s in (shape_of(reader.resource), reader.shape)):
            for table, columns in log_table(shape).items():
                yield dlt.mark.with_hints(
                    observed(empty(shape))[table],
                    dlt.mark.make_hints(
                        table_name=table, write_disposition="append", columns=columns
                    ),
                    create_table_variant=True,
                )

    return dlt.resource(read, name="observations")


def unfinished(raw: Raw) -> set[str]:
    """Resources whose last load began and did not end, on whatever machine that was."""
    begun = raw.rows(f"select resource, load_id from {raw.name(BEGUN)}")
    ended = {row[0] for row in raw.rows(f"select load_id from {raw.name(DLT_LOADS)}")}
    return {resource for resource, load_id in begun if load_id not in ended}


def begin_load(raw: Raw, resources: Sequence[str], load_id: str) -> None:
    """Say that the dlt package `load_id` is about to change the tables of these resources."""
    sql = raw.client.sql_client
    if not sql.has_dataset():
        sql.create_dataset()
    table = raw.name(BEGUN)
    raw.execute(f"create table if not exists {table} (resource varchar(64), load_id varchar(64))")
    places = ", ".join(["%s"] * len(resources))
    with sql.begin_transaction():
        raw.execute(f"delete from {table} where resource in ({places})", *resources)
        for resource in resources:
            raw.execute(f"insert into {table} values (%s, %s)", resource, load_id)

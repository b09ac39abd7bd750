"""dlt resource: yields whole Arrow tables, and refuses what dlt would do to single rows of them."""

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from typing import Any, NoReturn, Self

import dlt
from dlt.common.configuration.container import Container
from dlt.common.destination import DestinationCapabilitiesContext
from dlt.common.storages.load_package import LoadPackageStateInjectableContext
from dlt.destinations.job_client_impl import SqlJobClientBase
from dlt.extract import DltResource
from dlt.extract.items import ResolvablePipeItem
from dlt.extract.pipe import ForkPipe, Pipe

from wholesale.api import Resource
from wholesale.dlt_hints import Loading, TableHints
from wholesale.errors import ConfigurationError

WHY_NOT: Mapping[str, str] = {
    "incremental": "each run reads every record; `wholesale sync` reads what changed",
    "table_format": "only tables in the destination's own format are merged with their children",
}
"""Hints that are refused for reasons of their own."""
FREE_HINTS = frozenset({"write_disposition", "schema_contract", "file_format"})
DISPOSITIONS = (
    None,
    "merge",
    "replace",
    {"disposition": "merge"},
    {"disposition": "merge", "strategy": "delete-insert"},
    {"disposition": "replace"},
)
MODES = frozenset({None, "evolve", "freeze"})
"""What a schema contract may say; the other modes leave something out."""
TABLES_OF_A_SYNC = ("sync_runs", "privacy_erased")
"""Tables that only a sync, or an erasure, makes beside the records."""
WRITTEN_BY_SYNCS = ("duckdb", "postgres", "ducklake")
"""dlt's destinations in which a sync may have made them."""
EXACT_FORMATS = ("parquet", "insert_values")
"""File formats in which dlt keeps digits, JSON and empty text; the fastest first."""
DIGITS, DECIMALS = 38, 9


class _RecordsFork(ForkPipe):
    """Passes on to transformers what they expect of a resource: its records."""

    def __call__(self, item: Any, meta: Any = None) -> Iterator[ResolvablePipeItem]:
        for found in super().__call__(item, meta):
            if not found.pipe.parent:  # the resource itself
                yield found
            elif meta.hints.is_root and len(item):
                # Without our hints, by which dlt would take a transformer's rows for ours.
                yield found._replace(meta=None)


class TablesPipe(Pipe):
    """A pipe of tables with hints, of which transformers get the records alone, as Arrow tables."""

    def evaluate_gen(self) -> None:
        """Begin to read, unless a sync keeps the tables of the dataset.

        Before that there may be no pipeline, and afterwards another thread, which can ask none.
        """
        _require_own_dataset(self.name)
        super().evaluate_gen()

    def fork(self, child_pipe: Pipe, child_step: int = -1, copy_on_fork: bool = False) -> Pipe:
        if not isinstance(self.tail, ForkPipe):
            self.insert_step(_RecordsFork(child_pipe, child_step, copy_on_fork), len(self))
        return super().fork(child_pipe, child_step, copy_on_fork)

    def _clone(self, new_name: str | None = None) -> "TablesPipe":
        clone = copy(self)
        clone.name = new_name or self.name
        clone._steps = self._steps.copy()
        return clone


def _require_own_dataset(name: str) -> None:
    """Raises: ConfigurationError where the tables are those of a sync, whose service, past,
    certificates and erasures a pipeline of dlt does not know."""
    if DestinationCapabilitiesContext not in Container():
        return  # iterated over, without a pipeline
    pipeline = dlt.current.pipeline()
    if pipeline.destination.destination_type.rpartition(".")[2] not in WRITTEN_BY_SYNCS:
        return
    client = pipeline.destination_client()
    assert isinstance(client, SqlJobClientBase)
    with client:
        is_kept = any(columns for _, columns in client.get_storage_tables(TABLES_OF_A_SYNC))
    if is_kept:
        raise ConfigurationError(
            f"resource {name} takes no dataset {pipeline.dataset_name}, which `wholesale sync`"
            " keeps: its past, its certificates and what was erased from it would be undone; take"
            " `wholesale sync`, or another dataset_name"
        )


class TablesResource(DltResource):
    """A dlt resource whose items are tables of records or of their children.

    Functions for items would be given tables instead of records, and a limit would leave records
    without their children. Names, keys and column types are fixed.
    """

    @classmethod
    def reading(cls, resource: Resource, read: Any) -> Self:
        """A resource of dlt with the name of ours, whose tables `read` yields."""
        hints = dlt.mark.make_hints(write_disposition="merge")
        pipe = TablesPipe.from_data(resource.name, read)
        return cls(pipe, hints, selected=True, section="wholesale")

    def apply_hints(self, *args: Any, **hints: Any) -> Self:
        """Set the write disposition, merge or replace, the schema contract or the file format.

        Raises: ConfigurationError for any other hint, and for values that lose something.
        """
        given = sorted(name for name, value in hints.items() if value and name not in FREE_HINTS)
        if args or given:
            self._refuse(
                f"apply_hints({', '.join(given) or 'table_name'}=…)",
                WHY_NOT.get(
                    given[0] if given else "",
                    "its tables, keys and columns are fixed; rename and cast in a view over them",
                ),
            )
        disposition = hints.get("write_disposition")
        if disposition not in DISPOSITIONS:
            self._refuse(
                f"write_disposition {disposition!r}",
                "each run reads every record, and merges it by delete-insert; take merge or"
                " replace",
            )
        if (file_format := hints.get("file_format")) not in (None, "parquet"):
            self._refuse(
                f"file format {file_format!r}",
                "parquet keeps digits, JSON and empty text; leave the format away",
            )
        self._check_contract(hints.get("schema_contract"))
        return super().apply_hints(**hints)

    def merge_hints(self, hints_template: Any, create_table_variant: bool = False) -> None:
        """Take the hints that each of our tables brings along; others as `apply_hints` does."""
        if not isinstance(hints_template, TableHints):
            super().merge_hints(hints_template, create_table_variant)
            return
        # What the resource says now counts, and not what it said when a table came before.
        self._hints_variants.pop(hints_template["table_name"], None)
        super().apply_hints(**hints_template, create_table_variant=True)

    def loading(self) -> Loading:
        """How the tables of this resource, which is being read, arrive whole and exact.

        They are replaced if the user says so, and where the destination cannot merge: on a
        filesystem dlt would append, and so double every record with each run.

        Raises: ConfigurationError where the destination would change them.
        """
        self._check_contract(dlt.current.source_schema().settings.get("schema_contract"))
        if self.columns:
            self._refuse("columns", "its columns are fixed; cast in a view over them")
        is_replacing = self.write_disposition in ("replace", {"disposition": "replace"})
        container = Container()
        if DestinationCapabilitiesContext not in container:
            if LoadPackageStateInjectableContext in container:
                self._refuse("extraction without a destination", "it decides how tables are merged")
            return Loading(is_replacing)  # iterated over, without a pipeline
        able = container[DestinationCapabilitiesContext]
        digits, decimals = able.decimal_precision or (0, 0)
        if able.dialect_capabilities or digits < DIGITS or decimals < DECIMALS:
            self._refuse(
                f"destination {dlt.current.pipeline().destination.destination_name}",
                "it would round amounts or encode JSON twice; DuckDB and PostgreSQL hold them as"
                " they are",
            )
        formats: Collection[str] = able.supported_loader_file_formats or ()
        if able.loader_file_format_selector:
            _, formats = able.loader_file_format_selector(
                able.preferred_loader_file_format,
                list(able.supported_loader_file_formats or ()),
                table_schema={"name": self.name, "columns": {}},
            )
        exact = [name for name in EXACT_FORMATS if name in formats]
        if not exact:
            self._refuse(
                f"destination {dlt.current.pipeline().destination.destination_name}",
                "it reads neither parquet nor insert_values, which keep digits and empty text",
            )
        can_merge = "delete-insert" in (able.supported_merge_strategies or ())
        return Loading(is_replacing or not can_merge, exact[0])

    def with_name(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("with_name", "its tables have the names of the service; use another dataset")

    def add_limit(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_limit", "it would cut records from their children; load all of it")

    def add_map(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_map", "it would be given whole tables; change values in a view over them")

    def add_yield_map(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_yield_map", "it would be given whole tables; use a view over them")

    def add_filter(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_filter", "it would be given whole tables; filter in a view over them")

    def add_step(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_step", "it would be given whole tables; use a view over them")

    def _check_contract(self, contract: Any) -> None:
        modes = contract.values() if isinstance(contract, Mapping) else [contract]
        if not MODES.issuperset(modes):
            self._refuse(
                f"schema_contract {contract!r}",
                "it would leave out records or values of them; take evolve or freeze",
            )

    def _refuse(self, what: str, why: str) -> NoReturn:
        raise ConfigurationError(f"resource {self.name} takes no {what}: {why}")

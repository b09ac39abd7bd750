"""Place: where a build makes its tables, and puts them in force all together or not at all.

By default that is the warehouse itself; a plug-in of the group `wholesale.engines` is another one.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from dlt.destinations.exceptions import DatabaseException

from wholesale.errors import ConfigurationError
from wholesale_elt.models.contract import PUBLIC, DeclaredTable, read_contract
from wholesale_elt.models.descriptions import METRICS, read_yaml
from wholesale_elt.models.findings import Findings
from wholesale_elt.models.lineage import personal_inputs
from wholesale_elt.models.mark import (
    Mark,
    read_inputs,
    read_mark,
    write_mark,
    write_places,
    write_settings,
)
from wholesale_elt.models.own import (
    Added,
    make_own,
    own_metrics,
    require_countable,
    without_place,
)
from wholesale_elt.models.project import (
    HISTORY,
    INTERMEDIATE,
    OWN,
    OWN_SCHEMA,
    Found,
    Model,
    Project,
    Tests,
)
from wholesale_elt.models.raw_tables import declared, typed
from wholesale_elt.models.rendering import NotRendered, read_project
from wholesale_elt.models.settings import ModelSettings
from wholesale_elt.process import plugins
from wholesale_elt.runs import require_known, spell_ids
from wholesale_elt.warehouse import RAW_DATASET, NotLoaded, Raw, Warehouse, comments

SCHEMAS = ("wholesale_bi", "wholesale_marts", f"wholesale_{HISTORY}", "wholesale_staging")
"""The schema of what users add."""
LASTING = (*PUBLIC, HISTORY, "staging")
"""The layers whose tables and views stay in the warehouse."""


class Place(Protocol):
    """Where models are made, while the warehouse is held.

    An entry point of the group `wholesale.engines` is called with the settings, the warehouse and
    what users added, and returns a context manager with a place.
    """

    project: Project
    """The project in the place's dialect, with queries that read the raw tables that there are."""
    errors: type[Exception]
    """What is raised where a query fails."""
    findings: Findings

    def making(self) -> AbstractContextManager[None]:
        """A transaction around all that follows: it is in force at the end, or nothing of it."""

    def read_mark(self) -> Mark | None:
        """The mark of the tables in force; None if they have to be made anew."""

    def read_inputs(self) -> Mapping[str, str]:
        """The digests of what the models are made from."""

    def prepare(self, due: Project) -> None:
        """Prepare to make these models, and run these tests."""

    def make(self, model: Model) -> None: ...

    def count(self, tests: Tests) -> Mapping[str, Found]:
        """What each of these tests finds."""

    def personal_columns(self) -> Mapping[tuple[str, str], str]:
        """The columns of what users added that can identify a person, by model and name, with the
        column that they have it from.

        Raises: NotRendered for a metric of theirs that cannot be counted.
        """

    def put_in_force(self, due: Project, mark: Mark) -> None:
        """Put these models in force, with the mark of all models, as the transaction ends."""


def place_of(
    settings: ModelSettings, warehouse: Warehouse, at: datetime, added: Added
) -> AbstractContextManager[Place]:
    """The place that the settings name, for our models and those that users added; its warehouse is
    held.

    In the warehouse itself the clock says that it is `at`; an engine builds what is so now.

    Raises: ConfigurationError if it is not installed, cannot read the warehouse, or a newer version
    wrote; NotLoaded.
    """
    if settings.engine == "duckdb":
        return _in_warehouse(settings, warehouse, at, added)
    if added.own.files:
        raise ConfigurationError(
            "setting build.models: models of your own are built by the warehouse itself, and not by"
            f" {settings.engine}: leave out build.engine, or build.models"
        )
    place: AbstractContextManager[Place]
    (place,) = (make(settings, warehouse, added) for make in plugins("engines", settings.engine))
    return place


@contextmanager
def _in_warehouse(
    settings: ModelSettings, warehouse: Warehouse, at: datetime, added: Added
) -> Iterator[Place]:
    _require_loaded(warehouse)
    with warehouse.open() as raw:
        own = replace(added.own, fields=typed(added.own.fields, raw.column_types()))
        project = read_project(raw.dialect, warehouse.state_folder / "rendered", own)
        with raw.transaction():
            spell_ids(raw)
            write_settings(raw, project, settings, at)
        folder = warehouse.state_folder / "findings"
        yield _InWarehouse(raw, project, added, folder)


def _require_loaded(warehouse: Warehouse) -> None:
    with warehouse.open(is_read_only=True) as raw:
        require_known(raw, warehouse)
        if not raw.has_schema(RAW_DATASET):
            raise NotLoaded(
                f"nothing was loaded into {warehouse.name}: run `wholesale sync` first, or"
                f" {warehouse.remedy}"
            )


class _InWarehouse:
    """The warehouse's own database."""

    errors: type[Exception] = DatabaseException

    def __init__(self, raw: Raw, project: Project, added: Added, folder: Path) -> None:
        self._raw, self._added = raw, added
        self.project = declared(project, raw.column_types())
        self.findings = Findings(self.project, folder, raw.first_rows, self.errors)

    @cached_property
    def _contract(self) -> Mapping[str, DeclaredTable]:
        """Read where something is made: nothing else needs it."""
        return read_contract(*LASTING)

    def making(self) -> AbstractContextManager[Any]:
        return self._raw.transaction()

    def read_mark(self) -> Mark | None:
        return read_mark(self._raw, self.project)

    def read_inputs(self) -> Mapping[str, str]:
        return read_inputs(self._raw, self.project)

    def prepare(self, due: Project) -> None:
        if due.models:
            write_places(self._raw)
        schemas = (OWN_SCHEMA, *SCHEMAS) if self._added.own.files else SCHEMAS
        self._raw.prepare_making(schemas, f"wholesale_{INTERMEDIATE}")

    def make(self, model: Model) -> None:
        raw = self._raw
        if model.file:
            text, of = self._added.own.files[model.file], self._contract[model.name]
            make_own(raw, model, text, of.columns, of.key)
        elif model.layer == INTERMEDIATE:
            raw.make_temporary(model.name, model.sql, is_view=model.kind == "view")
        elif model.kind == "view":
            raw.make_view(model.schema, model.name, model.sql)
        elif model.kind == "append":
            table, listed = f"{model.schema}.{model.name}", ", ".join(model.columns)
            columns = ", ".join(raw.declared(*column) for column in model.columns.items())
            raw.execute(f"create table if not exists {table} ({columns})")
            raw.execute(
                f"insert into {table} ({listed}) select {listed} from (\n{model.sql}\n) as made"
            )
        else:
            key = self._contract[model.name].key
            raw.make_table(model.schema, model.name, model.columns, model.sql, key)

    def count(self, tests: Tests) -> Mapping[str, Found]:
        try:
            return tests.found(self._raw.rows(tests.counting))
        except self.errors as error:
            check = tests.checks[0]
            if not check.file:
                raise
            raise NotRendered(
                check.file, check.line, f"test {check.name}: {without_place(error)}"
            ) from error

    def put_in_force(self, due: Project, mark: Mark) -> None:
        self._raw.put_in_force()
        self._drop_what_is_gone()
        for model in due.models:
            self._describe(model)
        write_mark(self._raw, mark)

    def _require_countable(self) -> None:
        own = self._added.own
        counted = own_metrics(own, read_yaml(METRICS))
        ours = {model.name: model.columns for model in self.project.models}
        tables = {
            table: list(ours[table].items())
            if self._contract[table].layer != OWN
            else self._raw.types_of_query(table, f'select * from "{table}"')
            for table, _ in counted.tables
        }
        require_countable(own, counted, tables)

    def personal_columns(self) -> Mapping[tuple[str, str], str]:
        self._require_countable()
        read = {model.name: model.columns for model in self.project.models if not model.file}
        declared = {
            name: {column: read[name].get(column, of.type) for column, of in table.columns.items()}
            for name, table in self._contract.items()
            if name in read
        }
        own = self.project.split(is_own=True).models
        return personal_inputs(own, {**read, **declared}, self._raw.dialect.name)

    def _drop_what_is_gone(self) -> None:
        """Tables of models that users took away, or that are left out."""
        kept = {model.name for model in self.project.models if model.file}
        for (name,) in self._raw.rows(
            f"select table_name from information_schema.tables where table_schema = '{OWN_SCHEMA}'"
        ):
            if name not in kept:
                self._raw.execute(f'drop table "{OWN_SCHEMA}"."{name}" cascade')

    def _describe(self, model: Model) -> None:
        """Say in the warehouse what a table means: whatever replaces it loses what was said."""
        if table := self._contract.get(model.name):
            kind = "view" if model.kind == "view" else "table"
            is_told = kind == "table" or self._raw.has_columns_of_views
            columns = table.columns if is_told else {}
            meanings = {name: column.description for name, column in columns.items()}
            place = f'{model.schema}."{model.name}"'
            if said := comments(kind, place, table.description, meanings):
                self._raw.execute(said)

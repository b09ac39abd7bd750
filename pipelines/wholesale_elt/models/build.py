"""Build: makes the SQL models, tests them, and puts them in force, in one transaction.

Read, decide, run, test, switch, mark: whoever reads the tables meanwhile sees them as they were,
and a build that fails or is killed leaves them so.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from wholesale_elt.models.contract import PUBLIC, DeclaredTable, read_contract
from wholesale_elt.models.findings import Findings
from wholesale_elt.models.mark import (
    SYNC_RUNS,
    Mark,
    key_of,
    read_inputs,
    read_mark,
    write_mark,
    write_settings,
)
from wholesale_elt.models.project import HISTORY, INTERMEDIATE, Model, Project, read_project
from wholesale_elt.models.raw_tables import declared
from wholesale_elt.models.running import Built, Engine, Observe, failing, require_passed, run
from wholesale_elt.models.settings import ModelSettings, read_settings
from wholesale_elt.process import plugins
from wholesale_elt.runs import require_known
from wholesale_elt.warehouse import RAW_DATASET, NotLoaded, Raw, Warehouse, comments

SCHEMAS = ("wholesale_bi", "wholesale_marts", f"wholesale_{HISTORY}", "wholesale_staging")

LASTING = (*PUBLIC, HISTORY, "staging")
"""The layers whose tables and views stay in the warehouse."""


def build_models(
    warehouse: Warehouse, observe: Observe = lambda step: None, *, is_full: bool = False
) -> Built:
    """Build and test all models if anything that they are made from has changed, or if `is_full`,
    and put them in force if nothing failed.

    After a sync that brought nothing, only those that tell of syncs are built.
    Raises: BuildFailed naming the first failure; ConfigurationError if a setting cannot be right,
    or a newer version wrote; NotLoaded; AlreadyRunning.
    """
    warehouse.require()
    settings = read_settings()
    with warehouse.hold():
        _require_loaded(warehouse)
        engine = _engine(settings, warehouse)
        with warehouse.open() as raw:
            project = declared(read_project(raw.dialect), raw.column_types())
            findings = Findings(raw, project, warehouse.state_folder / "findings")
            key = key_of(project, settings)
            with raw.transaction():
                write_settings(raw, settings, datetime.now(UTC))
            with raw.transaction():
                raw.prepare_making(SCHEMAS, f"wholesale_{INTERMEDIATE}")
                before, inputs = read_mark(raw, project), read_inputs(raw, project)
                due, standing = _due(project, None if is_full else before, key, inputs)
                if engine and due is project:
                    found = engine.make(raw, due, findings, observe)
                else:
                    found = run(
                        due,
                        partial(_make, raw, read_contract(*LASTING)),
                        partial(_count, raw),
                        observe,
                    )
                    require_passed(due, found, findings)
                with failing("what was built"):
                    raw.put_in_force()
                    _describe(raw, due)
                found = {**standing, **found}
                write_mark(raw, Mark(key, inputs, found))
            return Built(
                models=len(due.models),
                tests=len(due.checks),
                warnings=[
                    findings.of(check, found[check.name], are_in_force=True)
                    for check in project.checks
                    if found.get(check.name)
                ],
                models_standing=len(project.models) - len(due.models),
                tests_standing=len(project.checks) - len(due.checks),
            )


def _engine(settings: ModelSettings, warehouse: Warehouse) -> Engine | None:
    """What makes the models in place of the warehouse's own database, if that is set.

    Raises: ConfigurationError if it is not installed, or cannot read the warehouse.
    """
    if settings.engine == "duckdb":
        return None
    engine: Engine
    (engine,) = (
        make(settings, warehouse.port.pinned(), warehouse.state_folder)
        for make in plugins("engines", settings.engine)
    )
    return engine


def _require_loaded(warehouse: Warehouse) -> None:
    with warehouse.open(is_read_only=True) as raw:
        require_known(raw, warehouse)
        if not raw.has_schema(RAW_DATASET):
            raise NotLoaded(
                f"nothing was loaded into {warehouse.name}: run `wholesale sync` first, or"
                f" {warehouse.remedy}"
            )


def _due(
    project: Project, mark: Mark | None, key: str, inputs: Mapping[str, str]
) -> tuple[Project, Mapping[str, int]]:
    """What has to be built, and what the other tests have found: all, what tells of syncs, or
    nothing."""
    if mark is None or mark.key != key:
        return project, {}
    names = {*mark.inputs, *inputs}
    changed = {name for name in names if mark.inputs.get(name) != inputs.get(name)}
    if changed - {SYNC_RUNS}:
        return project, {}
    models = [model for model in project.models if changed and model.is_of_each]
    checks = [check for check in project.checks if changed and check.is_of_each]
    return replace(project, models=models, checks=checks), mark.found


def _make(raw: Raw, contract: Mapping[str, DeclaredTable], model: Model) -> None:
    if model.layer == INTERMEDIATE:
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
        key = contract[model.name].key
        raw.make_table(model.schema, model.name, model.columns, model.sql, key)


def _describe(raw: Raw, due: Project) -> None:
    """Say in the warehouse what the tables mean that were made; whatever replaces a table or view
    loses what was said of it."""
    contract = read_contract(*LASTING)
    for model in due.models:
        if table := contract.get(model.name):
            kind = "view" if model.kind == "view" else "table"
            is_told = kind == "table" or raw.has_columns_of_views
            columns = table.columns if is_told else {}
            meanings = {name: column.description for name, column in columns.items()}
            place = f'{model.schema}."{model.name}"'
            raw.execute(comments(kind, place, table.description, meanings))


def _count(raw: Raw, sql: str) -> int:
    ((rows,),) = raw.rows(f"select count(*) from (\n{sql}\n) as found")
    return int(rows)

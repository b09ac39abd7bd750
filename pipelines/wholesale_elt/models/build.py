"""Build: the SQL models, made, tested and put in force, by DuckDB, dbt or another engine."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from dlt.destinations.exceptions import DatabaseException

from wholesale.errors import WholesaleError
from wholesale_elt.models.artifacts import write_artifact, write_results
from wholesale_elt.models.compilation import compiled, mark_of
from wholesale_elt.models.engine import engine
from wholesale_elt.models.execution import Broken, BuildStep, Ran, make_all, make_due
from wholesale_elt.models.findings import Finding, failure_of, finding_of
from wholesale_elt.models.mark import (
    Mark,
    are_in_force,
    key_of,
    read_compiled,
    read_inputs,
    read_mark,
    write_inputs,
    write_mark,
)
from wholesale_elt.models.project import NotCompiled, project_variables, run_dbt
from wholesale_elt.models.selection import checks_due, models_due
from wholesale_elt.models.settings import ModelSettings, read_settings
from wholesale_elt.process import causes, is_full_disk
from wholesale_elt.runs import require_known
from wholesale_elt.warehouse import RAW_DATASET, NotLoaded, Raw, Warehouse

log = logging.getLogger("wholesale.models")

IN_FORCE = (
    "nothing was published, wholesale_marts and wholesale_bi are those of the last good build"
)
NEEDS_DBT = {"postgres"}
"""Targets on which dbt builds: its macros keep grants on tables, and views of others on them."""
BESIDE = "what was built stands in wholesale_marts__next and wholesale_bi__next"


@dataclass(frozen=True, slots=True)
class Built:
    """A build that is in force: how many models and tests ran, how many were kept from an earlier
    build, and what tests warn of."""

    models: int
    tests: int
    warnings: Sequence[Finding]
    models_standing: int = 0
    tests_standing: int = 0


class BuildFailed(WholesaleError):
    """A model or test failed; the tables in force are those of the last good build.

    `checks` are the tests among them, by name with the rows that they found.
    """

    def __init__(self, message: str, checks: Mapping[str, int] | None = None) -> None:
        super().__init__(message)
        self.checks = checks or {}


def build_models(
    warehouse: Warehouse,
    observe: Callable[[BuildStep], None] = lambda step: None,
    *,
    is_full: bool = False,
) -> Built:
    """Build and test the models that may have changed, and put them in force if nothing failed.

    All models are built if those in force were made by other SQL, settings or versions, if that is
    unknown, and if `is_full`.

    Raises: BuildFailed naming the first failure; ConfigurationError if dbt is not installed, a
    setting cannot be right, or a newer version wrote; NotLoaded; AlreadyRunning.
    """
    warehouse.require()
    settings = read_settings()
    if settings.engine != "duckdb":
        with warehouse.hold():
            _require_loaded(warehouse)
            return _built_by_engine(warehouse, settings, observe)
    key = key_of(project_variables())
    with warehouse.hold():
        _require_loaded(warehouse)
        made = _made_without_dbt(warehouse, key, observe, is_full=is_full)
        mark = made.mark if made else _made_by_dbt(warehouse, key, observe, is_full=is_full)
        models = made.models if made else mark.models.keys()
        checks = checks_due(mark, models)
        return Built(
            models=len(models),
            tests=len(checks),
            warnings=[
                finding_of(warehouse, name, check.sql, check.failures, is_in_force=True)
                for name, check in mark.checks.items()
                if check.failures
            ],
            models_standing=len(mark.models) - len(models),
            tests_standing=len(mark.checks) - len(checks),
        )


def _require_loaded(warehouse: Warehouse) -> None:
    with warehouse.open(is_read_only=True) as raw:
        require_known(raw, warehouse)
        if not raw.has_schema(RAW_DATASET):
            raise NotLoaded(
                f"nothing was loaded into {warehouse.name}: run `wholesale sync` first, or"
                f" {warehouse.remedy}"
            )


def _built_by_engine(
    warehouse: Warehouse, settings: ModelSettings, observe: Callable[[BuildStep], None]
) -> Built:
    """Build all models by another engine than DuckDB, and put them in force."""
    with engine(
        settings.engine,
        settings.remote,
        warehouse.port.pinned(),
        warehouse.state_folder,
        settings.engine_memory,
    ) as made_by:
        profile = {"WHOLESALE_TARGET": "spark", "WHOLESALE_ENGINE": made_by.address}
        results = _results(warehouse, (), observe, made_by.variables, profile, IN_FORCE)
        with warehouse.open() as raw:
            made_by.put_in_force(raw, results)
    kinds = Counter(str(result.node.resource_type) for result in results)
    return Built(
        models=kinds["model"],
        tests=kinds["test"],
        warnings=[
            finding_of(
                warehouse,
                result.node.name,
                str(result.node.compiled_code).strip(),
                result.failures,
                is_in_force=True,
            )
            for result in results
            if str(result.status) == "warn"
        ],
    )


def _in_force(raw: Raw, key: str) -> Mark | None:
    """What the tables in force were made from; None if that is unknown, or the key differs."""
    mark = read_mark(raw)
    return mark if mark and mark.key == key and are_in_force(raw, mark) else None


@dataclass(frozen=True, slots=True)
class _Made:
    """A build without dbt that is in force: its mark, its models, and everything that ran."""

    mark: Mark
    models: Set[str]
    ran: Sequence[Ran]


def _made_without_dbt(
    warehouse: Warehouse, key: str, observe: Callable[[BuildStep], None], *, is_full: bool
) -> _Made | None:
    """Build the models that are due, or all; None if dbt has to build all, or to report errors.

    Raises: what tells of a full disk, on which dbt would fail too.
    """
    try:
        made = None if is_full else _made_due(warehouse, key, observe)
        made = made or _made_all(warehouse, key, observe)
    except (Broken, NotCompiled, DatabaseException) as error:
        if any(map(is_full_disk, causes(error))):
            raise
        log.info("dbt builds all models, as without it they could not be made: %s", error)
        return None
    if made:
        write_results(warehouse, made.mark, made.ran)
    return made


def _made_due(warehouse: Warehouse, key: str, observe: Callable[[BuildStep], None]) -> _Made | None:
    """Build the models that are due; None if all are.

    One transaction puts them in force together with the mark.
    """
    with warehouse.open() as raw:
        mark = _in_force(raw, key)
        if not mark:
            return None
        raw.prepare_making(is_anew=False)
        with raw.transaction():
            inputs = read_inputs(raw)
            due = models_due(mark, inputs)
            if due is None:
                return None
            mark, ran = make_due(raw, mark, due, observe)
            write_mark(raw, replace(mark, inputs=inputs))
            return _Made(mark, due, ran)


def _made_all(warehouse: Warehouse, key: str, observe: Callable[[BuildStep], None]) -> _Made | None:
    """Build all models in one transaction, by the SQL of the last build if it would be the same,
    else compiled by dbt; None if dbt has to run them."""
    if warehouse.port.dbt_profile()["WHOLESALE_TARGET"] in NEEDS_DBT:
        return None
    compilation = None
    with warehouse.open(is_read_only=True) as raw:
        mark = read_compiled(raw, key)
    if mark is None:
        compilation = compiled(warehouse, key)
        mark = compilation.mark
    with warehouse.open() as raw:
        raw.prepare_making(is_anew=True)
        with raw.transaction():
            if compilation:
                write_inputs(raw, compilation.inputs)
            mark, ran = make_all(raw, mark, observe)
            write_mark(raw, mark)
    if compilation:
        write_artifact(warehouse, "manifest.json", compilation.manifest)
    return _Made(mark, mark.models.keys(), ran)


def _made_by_dbt(
    warehouse: Warehouse, key: str, observe: Callable[[BuildStep], None], *, is_full: bool
) -> Mark:
    results = _results(warehouse, ["--full-refresh"] if is_full else (), observe)
    with warehouse.open() as raw:
        mark = mark_of(key, read_inputs(raw, of_build=True), results)
        write_mark(raw, mark)
    return mark


def _results(
    warehouse: Warehouse,
    options: Sequence[str],
    observe: Callable[[BuildStep], None],
    variables: Mapping[str, object] | None = None,
    profile: Mapping[str, str] | None = None,
    when_failed: str = f"{IN_FORCE}; {BESIDE}",
) -> Sequence[Any]:
    """Build all models by dbt and put them in force. It first removes the mark (macro
    `note_inputs`): after a build that fails or is killed, the state in force is unknown.

    Raises: BuildFailed.
    """

    def notice(event: Any) -> None:
        if event.info.name == "LogStartLine":
            name = event.data.node_info.node_name
            observe(BuildStep(name, event.data.index, event.data.total))

    results = run_dbt(
        warehouse,
        *("build", "--exclude-resource-type", "unit_test", *options),
        variables=variables,
        observe=notice,
        profile=profile,
    ).results
    failed = [result for result in results if str(result.status) in ("error", "fail")]
    if failed:
        checks = {
            result.node.name: result.failures or 0
            for result in failed
            if result.node.resource_type == "test"
        }
        raise BuildFailed(f"{failure_of(warehouse, failed)}: {when_failed}", checks)
    return results

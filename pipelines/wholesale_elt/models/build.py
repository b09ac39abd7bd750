"""Build: makes the SQL models, tests them, and puts them in force, in one transaction.

Read, decide, run, test, switch, mark: whoever reads the tables meanwhile sees them as they were, and
a build that fails or is killed leaves them so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from dlt.destinations.exceptions import DatabaseException

from wholesale.errors import WholesaleError
from wholesale_elt.models.engine import engine_for
from wholesale_elt.models.findings import Finding, Findings, error_text
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
from wholesale_elt.models.settings import read_settings
from wholesale_elt.process import causes, is_full_disk
from wholesale_elt.runs import require_known
from wholesale_elt.warehouse import RAW_DATASET, NotLoaded, Raw, Warehouse

IN_FORCE = (
    "nothing was published, wholesale_marts and wholesale_bi are those of the last good build"
)
SCHEMAS = ("wholesale_bi", "wholesale_marts", f"wholesale_{HISTORY}", "wholesale_staging")


@dataclass(frozen=True, slots=True)
class BuildStep:
    """A model or test that begins, number `number` of `of`."""

    name: str
    number: int
    of: int


Observe = Callable[[BuildStep], None]


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
        super().__init__(f"{message}: {IN_FORCE}")
        self.checks = checks or {}


def build_models(
    warehouse: Warehouse, observe: Observe = lambda step: None, *, is_full: bool = False
) -> Built:
    """Build and test all models if anything that they are made from has changed, or if `is_full`,
    and put them in force if nothing failed.

    After a sync that brought nothing, only those that tell of syncs are built.
    Raises: BuildFailed naming the first failure; ConfigurationError if a setting cannot be right, or
    a newer version wrote; NotLoaded; AlreadyRunning.
    """
    warehouse.require()
    settings = read_settings()
    with warehouse.hold():
        _require_loaded(warehouse)
        engine = engine_for(settings, warehouse.port.pinned, warehouse.state_folder)
        with warehouse.open() as raw:
            project = declared(read_project(raw.dialect), raw.column_types())
            findings = Findings(raw, project, warehouse.state_folder / "findings")
            key = key_of(project, settings)
            with raw.transaction():
                write_settings(raw, settings, key, datetime.now(UTC))
            with raw.transaction():
                raw.prepare_making(SCHEMAS, f"wholesale_{INTERMEDIATE}")
                mark, inputs = read_mark(raw, project), read_inputs(raw, project)
                is_known = mark is not None and mark.key == key and not is_full
                due = _due(project, mark.inputs, inputs) if mark and is_known else project
                make = _make if due is not project or engine is None else engine.make
                found = make(raw, due, findings, observe)
                raw.put_in_force()
                if mark and is_known:
                    found = {**mark.found, **found}
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


def _due(project: Project, before: Mapping[str, str], now: Mapping[str, str]) -> Project:
    """What has to be built for these digests: all, what tells of syncs, or nothing."""
    changed = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    if changed - {SYNC_RUNS}:
        return project
    models = [model for model in project.models if changed and model.is_of_each]
    checks = [check for check in project.checks if changed and check.is_of_each]
    return replace(project, models=models, checks=checks)


def _make(raw: Raw, due: Project, findings: Findings, observe: Observe) -> Mapping[str, int]:
    """Make these models and run these tests; the rows that each test found.

    Raises: BuildFailed.
    """
    found: dict[str, int] = {}
    of = len(due.models) + len(due.checks)
    for number, model in enumerate(due.models, 1):
        observe(BuildStep(model.name, number, of))
        with _failing(f"model {model.name}"):
            _make_model(raw, model)
    for number, check in enumerate(due.checks, len(due.models) + 1):
        observe(BuildStep(check.name, number, of))
        with _failing(f"test {check.name}"):
            ((rows,),) = raw.rows(f"select count(*) from (\n{check.sql}\n) as found")
        found[check.name] = rows
    require_passed(due, found, findings)
    return found


def _make_model(raw: Raw, model: Model) -> None:
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
        raw.make_table(model.schema, model.name, model.columns, model.sql)


def require_passed(due: Project, found: Mapping[str, int], findings: Findings) -> None:
    """Raises: BuildFailed with all tests that found an error."""
    broken = [check for check in due.checks if check.is_error and found[check.name]]
    if broken:
        first, others = broken[0], len(broken) - 1
        finding = findings.of(first, found[first.name], are_in_force=False)
        more = f", and {others} more failed" if others else ""
        raise BuildFailed(
            f"test {first.name} is broken by {finding}{more}",
            {check.name: found[check.name] for check in broken},
        )


@contextmanager
def _failing(what: str) -> Iterator[None]:
    """Raises: BuildFailed for an error of the database; but what tells of a full disk as it is."""
    try:
        yield
    except DatabaseException as error:
        if any(map(is_full_disk, causes(error))):
            raise
        raise BuildFailed(f"{what} {error_text(str(error))}") from error


def is_to_be_built_anew(warehouse: Warehouse) -> bool:
    """Whether the next build makes all models, as this version or its settings require.

    Raises: ConfigurationError for a setting that cannot be right; NotLoaded.
    """
    settings = read_settings()
    with warehouse.open(is_read_only=True) as raw:
        project = declared(read_project(raw.dialect), raw.column_types())
        mark = read_mark(raw, project)
    return mark is None or mark.key != key_of(project, settings)


def _require_loaded(warehouse: Warehouse) -> None:
    with warehouse.open(is_read_only=True) as raw:
        require_known(raw, warehouse)
        if not raw.has_schema(RAW_DATASET):
            raise NotLoaded(
                f"nothing was loaded into {warehouse.name}: run `wholesale sync` first, or"
                f" {warehouse.remedy}"
            )

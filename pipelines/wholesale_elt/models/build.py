"""Build: makes the SQL models, tests them, and puts them in force, in one transaction.

Read, decide, run, test, switch, mark: whoever reads the tables meanwhile sees them as they were,
and a build that fails or is killed leaves them so.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from wholesale_elt.models.findings import Found
from wholesale_elt.models.mark import SYNC_RUNS, Mark, key_of
from wholesale_elt.models.place import place_of
from wholesale_elt.models.project import Project, names_in
from wholesale_elt.models.running import Built, Observe, failing, require_passed, run
from wholesale_elt.models.settings import read_settings
from wholesale_elt.warehouse import Warehouse


def build_models(
    warehouse: Warehouse,
    observe: Observe = lambda step: None,
    *,
    is_full: bool = False,
    only: Collection[str] = (),
    at: datetime | None = None,
) -> Built:
    """Build and test all models if anything that they are made from has changed, or if `is_full`,
    and put them in force if nothing failed.

    After a sync that brought nothing, only those that tell of syncs are built. If `only` some are
    named, in a warehouse in which nothing was built, these and those that they read are, untested.
    The clock says that it is `at`, by default now.
    Raises: BuildFailed naming the first failure; ConfigurationError if a setting cannot be right,
    or a newer version wrote; NotLoaded; AlreadyRunning.
    """
    warehouse.require()
    settings = read_settings()
    with warehouse.hold(), place_of(settings, warehouse, at or datetime.now(UTC)) as place:
        project, findings = place.project, place.findings
        key = key_of(project, settings)
        with place.making():
            before, inputs = place.read_mark(), place.read_inputs()
            due, standing = (
                (_part_of(project, only), {})
                if only
                else _due(project, None if is_full else before, key, inputs)
            )
            place.prepare(due)
            made = run(due, place.make, place.count, observe, place.errors)
            require_passed(due, made, findings)
            found = {**standing, **made}
            with failing("what was built", place.errors):
                place.put_in_force(due, Mark(key, inputs, found))
        return Built(
            models=len(due.models),
            tests=len(due.checks),
            warnings=[
                findings.of(check, found[check.name], are_in_force=True)
                for check in project.checks
                if check.name in found and found[check.name].rows
            ],
            models_standing=len(project.models) - len(due.models),
            tests_standing=len(project.checks) - len(due.checks),
        )


def _due(
    project: Project, mark: Mark | None, key: str, inputs: Mapping[str, str]
) -> tuple[Project, Mapping[str, Found]]:
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


def _part_of(project: Project, only: Collection[str]) -> Project:
    """These models and all that they read, without tests."""
    wanted = set(only)
    for model in reversed(project.models):
        if model.name in wanted:
            wanted |= names_in(model.sql)
    return replace(project, models=[m for m in project.models if m.name in wanted], checks=[])

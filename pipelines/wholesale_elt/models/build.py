"""Build: makes the SQL models, tests them, and puts them in force, in one transaction.

Read, decide, run, test, switch, mark: whoever reads the tables meanwhile sees them as they were,
and a build that fails or is killed leaves them so.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from wholesale_elt.models.mark import SYNC_RUNS, Mark, key_of
from wholesale_elt.models.own import (
    Added,
    read_added,
    read_extra_fields,
    read_goals,
    refuse_personal,
)
from wholesale_elt.models.place import Place, place_of
from wholesale_elt.models.project import Check, Found, Model, Project, names_in
from wholesale_elt.models.rendering import NotRendered, Own
from wholesale_elt.models.running import Built, Observe, failing, require_passed, run
from wholesale_elt.models.settings import ModelSettings, read_settings
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
    settings, at = read_settings(), at or datetime.now(UTC)
    with warehouse.hold():
        added = Added(Own(fields=read_extra_fields()))
        try:
            added = read_added()
            return _build(warehouse, settings, added, observe, is_full, only, at)
        except NotRendered as error:
            if not error.is_own:
                raise
            # Ours alone, from the beginning: no database undoes a part of a transaction.
            without = added.without(str(error))
            return _build(warehouse, settings, without, observe, is_full, only, at)


def _build(
    warehouse: Warehouse,
    settings: ModelSettings,
    added: Added,
    observe: Observe,
    is_full: bool,
    only: Collection[str],
    at: datetime,
) -> Built:
    goals = read_goals(settings.goals)  # before they are written: what changes since is built again
    with place_of(settings, warehouse, at, added) as place:
        project, findings = place.project, place.findings
        key, own = key_of(project, settings, goals), added.digest
        with place.making():
            before, inputs = place.read_mark(), place.read_inputs()
            if before and before.is_left_out(key, own, inputs) and not is_full:
                project, added = project.split(is_own=False), added.without(before.left_out)
            due, standing = (
                (_part_of(project, only), {})
                if only
                else _due(project, None if is_full else before, key, (own, added.mistake), inputs)
            )
            place.prepare(due)
            made = run(due, place.make, place.count, observe, place.errors)
            require_passed(due, made, findings)
            found = {**standing, **made}
            personal = {} if only else _personal(place, added, due, before)
            mark = Mark(key, inputs, found, own, added.mistake, personal)
            with failing("what was built", place.errors):
                place.put_in_force(due, mark)
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
            left_out=added.mistake,
            has_own=any(model.file for model in project.models),
        )


def _personal(place: Place, added: Added, due: Project, before: Mark | None) -> Mapping[str, str]:
    """The columns of what users added that can identify a person, all of which are allowed.

    Raises: NotRendered for one that is not.
    """
    if not added.own.files:
        return {}
    if not due.models:
        return before.personal if before else {}
    found = place.personal_columns()
    refuse_personal(place.project.split(is_own=True).models, found)
    return {f"{table}.{column}": source for (table, column), source in found.items()}


def _due(
    project: Project,
    mark: Mark | None,
    key: str,
    own: tuple[str, str],
    inputs: Mapping[str, str],
) -> tuple[Project, Mapping[str, Found]]:
    """What has to be built, and what the other tests have found: all, what tells of syncs and what
    users added, or nothing."""
    if mark is None or mark.key != key:
        return project, {}
    names = {*mark.inputs, *inputs}
    changed = {name for name in names if mark.inputs.get(name) != inputs.get(name)}
    if changed - {SYNC_RUNS}:
        return project, {}
    is_new = (mark.own, mark.left_out) != own  # `built_at` tells that it is another build

    def is_due(each: Model | Check) -> bool:
        return ((bool(changed) or is_new) and each.is_of_each) or (is_new and bool(each.file))

    due = replace(
        project,
        models=[model for model in project.models if is_due(model)],
        checks=[check for check in project.checks if is_due(check)],
    )
    names = {check.name for check in project.checks}
    return due, {name: found for name, found in mark.found.items() if name in names}


def _part_of(project: Project, only: Collection[str]) -> Project:
    """These models and all that they read, without tests."""
    wanted = set(only)
    for model in reversed(project.models):
        if model.name in wanted:
            wanted |= names_in(model.sql)
    return replace(project, models=[m for m in project.models if m.name in wanted], checks=[])

"""Selection: which models have to run, from what changed since the tables in force were made."""

from collections.abc import Mapping, Sequence, Set
from graphlib import TopologicalSorter

from wholesale_elt.models.mark import COLUMNS, INTERMEDIATE, Mark

CLOCK = {"sync_runs", "stg_wholesale__sync_runs"}
"""Changes with every sync. A model among the inputs depends only on the digest of its input."""


def models_due(mark: Mark, inputs: Mapping[str, str | None]) -> Set[str] | None:
    """The models whose rows may have changed, with those about the last syncs and their age; None
    for all models."""
    names = {*mark.inputs, *inputs}
    changed = {name for name in names if mark.inputs.get(name) != inputs.get(name)}
    if COLUMNS in changed:
        return None
    return {*_below(mark, changed), *_below(mark, {"sync_runs"})}


def models_to_make(mark: Mark, due: Set[str]) -> Sequence[str]:
    """These models with all intermediate ones that they and their tests read, which must be made
    again in each build; each after those that it reads."""
    found = due
    while True:
        readers = [mark.models[name].parents for name in found]
        readers += [mark.checks[name].parents for name in checks_due(mark, due)]
        more = {
            name
            for parents in readers
            for name in parents
            if name in mark.models and mark.models[name].layer == INTERMEDIATE
        }
        if more <= found:
            return [name for name in _in_order(mark) if name in found]
        found = found | more


def checks_due(mark: Mark, models: Set[str]) -> Set[str]:
    """The tests that read any of these models."""
    return {name for name, check in mark.checks.items() if models & set(check.parents)}


def _below(mark: Mark, changed: Set[str]) -> list[str]:
    found: list[str] = []
    for name in _in_order(mark):
        read = set(mark.models[name].parents) - (CLOCK if name in mark.inputs else set())
        if name in changed or read & {*changed, *found}:
            found.append(name)
    return found


def _in_order(mark: Mark) -> Sequence[str]:
    """All models, each after those that it reads."""
    parents = {name: model.parents for name, model in mark.models.items()}
    return [name for name in TopologicalSorter(parents).static_order() if name in mark.models]

"""Selection: which models have to run, from what changed since the tables in force were made."""

from collections.abc import Mapping, Sequence, Set
from graphlib import TopologicalSorter

from wholesale_elt.models.mark import INTERMEDIATE, Mark

CLOCK = {"sync_runs", "stg_wholesale__sync_runs"}
"""What changes with every sync. A model among the inputs takes from it what its input tells."""
COLUMNS = "columns"
"""The input that tells which columns there are: all SQL is compiled for them."""


def models_of_the_clock(mark: Mark) -> Sequence[str]:
    """Those that tell of the last syncs and of their age, and change with every one; each after
    those that it reads."""
    return _below(mark, {"sync_runs"})


def models_due(mark: Mark, inputs: Mapping[str, str | None]) -> Set[str] | None:
    """The other models whose rows may not be those in force any more; None for all of them."""
    names = {*mark.inputs, *inputs}
    changed = {name for name in names if mark.inputs.get(name) != inputs.get(name)}
    if COLUMNS in changed:
        return None
    return {*_below(mark, changed)} - {*models_of_the_clock(mark)}


def models_to_build(mark: Mark, due: Set[str]) -> Set[str]:
    """These and those of the clock, with all intermediate ones that they and their tests read: of
    an earlier build these are not there any more."""
    found = due | {*models_of_the_clock(mark)}
    while True:
        readers = [mark.models[name].parents for name in found]
        readers += [mark.checks[name].parents for name in checks_due(mark, found)]
        more = {
            name
            for parents in readers
            for name in parents
            if name in mark.models and mark.models[name].layer == INTERMEDIATE
        }
        if more <= found:
            return found
        found |= more


def checks_due(mark: Mark, models: Set[str]) -> Set[str]:
    """The tests that read any of these models."""
    return {name for name, check in mark.checks.items() if models & set(check.parents)}


def _below(mark: Mark, changed: Set[str]) -> list[str]:
    found: list[str] = []
    parents = {name: model.parents for name, model in mark.models.items()}
    for name in TopologicalSorter(parents).static_order():
        if name not in mark.models:
            continue
        read = set(parents[name]) - (CLOCK if name in mark.inputs else set())
        if name in changed or read & {*changed, *found}:
            found.append(name)
    return found

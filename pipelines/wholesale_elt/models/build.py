"""Build: the SQL models, written and tested beside the tables in force, then published."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.models.findings import Finding, finding_of
from wholesale_elt.models.project import run_dbt
from wholesale_elt.process import hold
from wholesale_elt.warehouse import Warehouse

PUBLISHED = ("wholesale_marts", "wholesale_bi")
AUDITED = "wholesale_marts__next and wholesale_bi__next"


@dataclass(frozen=True, slots=True)
class Step:
    """One model or test that begins: the `number`th of `of`."""

    name: str
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Built:
    """A build that was published: how many models and tests it had, and what tests found that is
    to be looked at and no error."""

    models: int
    tests: int
    warnings: Sequence[Finding]


class BuildFailed(WholesaleError):
    """A model or test failed; the tables in force are those of the last good build."""


def build_models(
    warehouse: Warehouse,
    observe: Callable[[Step], None] = lambda step: None,
    *,
    is_full: bool = False,
) -> Built:
    """Build and test all models, and put them in force if nothing failed.

    Raises: BuildFailed naming what failed first; ConfigurationError when dbt is not installed.
    """

    def notice(event: Any) -> None:
        if event.info.name == "LogStartLine":
            name = event.data.node_info.node_name
            observe(Step(name, event.data.index, event.data.total))

    options = ["--exclude-resource-type", "unit_test", *(["--full-refresh"] if is_full else [])]
    with hold(warehouse.state_folder / "lock"):
        results = run_dbt(warehouse, "build", *options, observe=notice).results
    failed = [result for result in results if str(result.status) in ("error", "fail")]
    if failed:
        raise BuildFailed(_message(warehouse, failed))
    counts = Counter(str(result.node.resource_type) for result in results)
    return Built(
        models=counts["model"],
        tests=counts["test"],
        warnings=[
            finding_of(warehouse, result, is_in_force=True)
            for result in results
            if str(result.status) == "warn"
        ],
    )


def _message(warehouse: Warehouse, failed: Sequence[Any]) -> str:
    first = failed[0]
    reason = (
        f"is broken by {finding_of(warehouse, first, is_in_force=False)}"
        if str(first.status) == "fail"
        else one_line(first.message)
    )
    others = f", and {len(failed) - 1} more failed" if len(failed) > 1 else ""
    return (
        f"{first.node.resource_type} {first.node.name} {reason}{others}: nothing was published,"
        f" {' and '.join(PUBLISHED)} are those of the last good build; what was built stands in"
        f" {AUDITED}"
    )

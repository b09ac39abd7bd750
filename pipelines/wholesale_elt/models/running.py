"""Running: makes models one after the other, runs the tests, and says how it went."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from dlt.destinations.exceptions import DatabaseException

from wholesale.errors import WholesaleError
from wholesale_elt.models.findings import Finding, Findings, error_text
from wholesale_elt.models.project import Found, Model, Project, Tests
from wholesale_elt.models.rendering import NotRendered
from wholesale_elt.process import causes, is_full_disk, is_out_of_memory

IN_FORCE = (
    "nothing was published, wholesale_marts and wholesale_bi are those of the last good build"
)


@dataclass(frozen=True, slots=True)
class BuildStep:
    """A model that begins to be made, or tests of one that do; number `number` of `of`."""

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
    left_out: str = ""
    """Why nothing is in force of what users added, if something is wrong with it."""
    has_own: bool = False
    """Whether models that they added are in force."""


class BuildFailed(WholesaleError):
    """A model or test failed; the tables in force are those of the last good build.

    `checks` are the tests among them, by name with the rows that they found.
    """

    def __init__(self, message: str, checks: Mapping[str, int] | None = None) -> None:
        super().__init__(message)
        self.checks = checks or {}


def run(
    due: Project,
    make: Callable[[Model], None],
    count: Callable[[Tests], Mapping[str, Found]],
    observe: Observe,
    errors: type[Exception] = DatabaseException,
) -> Mapping[str, Found]:
    """Make these models and run these tests; what each test found.

    Raises: BuildFailed for one of `errors`.
    """
    found: dict[str, Found] = {}
    of = len(due.models) + len(due.tests)
    for number, model in enumerate(due.models, 1):
        observe(BuildStep(model.name, number, of))
        with failing(f"model {model.name}", errors):
            make(model)
    for number, tests in enumerate(due.tests, len(due.models) + 1):
        observe(BuildStep(tests.name, number, of))
        with failing(tests.name if len(tests.checks) > 1 else f"test {tests.name}", errors):
            found |= count(tests)
    return found


def require_passed(due: Project, found: Mapping[str, Found], findings: Findings) -> None:
    """Raises: BuildFailed with all tests that found an error; NotRendered if they are all of what
    users added."""
    broken = [check for check in due.checks if check.is_error and found[check.name].rows]
    if broken and all(check.file for check in broken):
        first = broken[0]
        finding = findings.of(first, found[first.name], are_in_force=False)
        raise NotRendered(first.file, first.line, f"test {first.name} is broken by {finding}")
    if broken:
        first, others = broken[0], len(broken) - 1
        finding = findings.of(first, found[first.name], are_in_force=False)
        more = f", and {others} more failed" if others else ""
        raise BuildFailed(
            f"test {first.name} is broken by {finding}{more}: {IN_FORCE}",
            {check.name: found[check.name].rows for check in broken},
        )


@contextmanager
def failing(what: str, errors: type[Exception] = DatabaseException) -> Iterator[None]:
    """Raises: BuildFailed for one of these errors; but what tells of a full disk, or of memory that
    does not suffice, as it is."""
    try:
        yield
    except errors as error:
        if any(is_full_disk(each) or is_out_of_memory(each) for each in causes(error)):
            raise
        raise BuildFailed(f"{what} {error_text(str(error))}: {IN_FORCE}") from error

"""Commands for the accounts of `accounts.toml`: `sync`, `run`, `publish`, `plan`, `status`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from wholesale_elt.cli import (
    DEFAULT_KEEP,
    LOADED,
    Decorator,
    Exit,
    Failure,
    Output,
    all_of,
    attempt,
    begin,
    end,
    repeat,
)

if TYPE_CHECKING:
    from wholesale_fleet.accounts import Account, Fleet
    from wholesale_fleet.consolidation import Consolidation
    from wholesale_fleet.rounds import Tell
    from wholesale_fleet.summary import FleetSummary

DEFAULT_FILE = Path("accounts.toml")
NAMED_IN_FILE = frozenset({"database", "destination", "place", "resources"})
"""Parameters that the file of accounts sets for each account."""
ONLY_WITH_ACCOUNTS = {"file": "--fleet", "workers": "--workers", "is_now": "--now"}
NOT_TOGETHER = ("is_only_bi", "is_even_if_incomplete", "facts")
"""Parameters that do not apply to publishing all accounts together."""
NOT_PASSED_ON = frozenset({"workers", "is_now"})

PATIENCE, PAUSE = 30.0, 0.5
"""Seconds for which a worker waits for another one that publishes all accounts together, which
takes seconds, and between two tries."""
ALL_TOGETHER = (
    "With --all, publish in one place what all accounts have published; --account and --shard do"
    " not apply."
)

selection_options = all_of(
    click.option(
        *("--all", "is_all"), is_flag=True, help="Do this for all accounts in the --fleet file."
    ),
    click.option(
        *("--account", "names"),
        multiple=True,
        metavar="NAME",
        help="Do this for this account; may be given several times.",
    ),
    click.option(
        "--shard", metavar="K/N", help="Do this for the K-th of N shares of the accounts."
    ),
    click.option(
        *("--fleet", "file"),
        type=click.Path(dir_okay=False, path_type=Path),
        default=DEFAULT_FILE,
        show_default=True,
        metavar="FILE",
        help="The file that lists the accounts.",
    ),
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Accounts processed at once.",
)
now_option = click.option(
    *("--now", "is_now"), is_flag=True, help="Also for accounts that are not due."
)


@dataclass(frozen=True)
class Selection:
    """The accounts selected by the options."""

    output: Output
    names: tuple[str, ...]
    shard: str | None
    file: Path

    def read(self) -> tuple["Fleet", Sequence["Account"]]:
        """Raises: ConfigurationError."""
        from wholesale_fleet.accounts import read_fleet
        from wholesale_fleet.shards import Shard

        shard = Shard.parse(self.shard) if self.shard else None
        fleet = read_fleet(self.file)
        accounts = fleet.chosen(self.names, shard)
        if not accounts:
            self.output.progress(f"no account of {self.file} is in the share {self.shard}")
        return fleet, accounts


def sync(command: click.Command) -> click.Command:
    """`wholesale sync`, also of accounts."""
    return _or_fleet(command, work_on, workers_option, now_option)


run = sync
"""`wholesale run`, likewise."""


def plan(command: click.Command) -> click.Command:
    """`wholesale plan`, also of accounts."""
    return _or_fleet(command, plan_for, workers_option)


def status(command: click.Command) -> click.Command:
    """`wholesale status`, also of accounts."""
    return _or_fleet(command, show_standing)


def publish(command: click.Command) -> click.Command:
    """`wholesale publish`, also of what accounts have published."""
    extended = _or_fleet(command, publish_together)
    extended.help = f"{command.help}\n\n{ALL_TOGETHER}"
    return extended


def _or_fleet(
    command: click.Command, act: Callable[..., None], *options: Decorator
) -> click.Command:
    """The command with more options, which calls `act` instead if accounts are selected."""
    alone = command.callback
    assert alone is not None

    @click.pass_context
    def either(
        context: click.Context,
        /,
        is_all: bool,
        names: tuple[str, ...],
        shard: str | None,
        file: Path,
        workers: int = 1,
        is_now: bool = False,
        **given: Any,
    ) -> Any:
        if not (is_all or names or shard):
            _refuse_alone(context)
            return alone(**given)
        if is_all and names:
            raise click.UsageError("--all and --account exclude each other")
        if given.get("only"):
            raise click.UsageError("--only is of one account: name its --database and a --to")
        output = context.ensure_object(Output)
        if minutes := given.pop("minutes", None):
            return repeat(output, minutes, is_of_many=True)
        words = [str(context.info_name), *_passed_on(context, given)]
        given |= {"workers": workers, "is_now": is_now or bool(names)}
        return act(output, Selection(output, names, shard, file), words, **given)

    extended = copy(command)
    extended.params, extended.callback = [], either
    all_of(selection_options, *options)(extended)
    extended.params = [*reversed(extended.params), *command.params]
    return extended


def _refuse_alone(context: click.Context) -> None:
    for name, option in ONLY_WITH_ACCOUNTS.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option} goes with --all, --account or --shard")


def _passed_on(context: click.Context, given: dict[str, Any]) -> Iterator[str]:
    """The arguments that are passed on to each account's command."""
    for parameter in context.command.params:
        name = str(parameter.name)
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        if name in NAMED_IN_FILE:
            what = parameter.opts[0] if isinstance(parameter, click.Option) else "a resource"
            raise click.UsageError(f"{what} cannot be named here: the file of accounts names it")
        if name in given and name not in NOT_PASSED_ON:
            yield parameter.opts[0]
            if given[name] is not True:
                yield str(given[name])


def work_on(
    output: Output,
    selection: Selection,
    words: Sequence[str],
    *,
    workers: int,
    is_now: bool,
    keep: int = DEFAULT_KEEP,
    **_: Any,
) -> None:
    """Run the command for each account, and sum up the results; then publish their versions
    together."""
    from wholesale_fleet.output import say_ended
    from wholesale_fleet.publishing import is_overtaken
    from wholesale_fleet.rounds import run_round
    from wholesale_fleet.summary import FleetSummary

    summary, tell = FleetSummary(command=words[0]), _telling(output)

    def work() -> Failure | None:
        fleet, accounts = selection.read()
        own = [*words, "--json", "--debug" if output.is_debug else "--quiet"]
        if words[0] == "run" and "--facts" not in words:
            own += ["--facts", "copied"]  # all together is made of files of versions
        begun = run_round(fleet, accounts, own, at_once=workers, is_now=is_now, tell=tell)
        with closing(begun):
            for account in begun:
                summary.accounts.append(account)
                say_ended(output, account)
        if any(account.version for account in summary.accounts) or (
            summary.command == "run" and is_overtaken(fleet)
        ):
            summary.fleet = _publish_unless_another_does(output, fleet, keep)
        faults = summary.faults
        return Failure(faults, Exit(summary.worst)) if faults else None

    _run_and_summarize(output, summary, work)


def _telling(output: Output) -> "Tell":
    """Lines of an account as progress of the worker."""

    def tell(name: str, lines: Sequence[str]) -> None:
        for line in lines:
            output.progress(f"{name}: {line}", account=name)

    return tell


def _run_and_summarize(
    output: Output, summary: "FleetSummary", work: Callable[[], Failure | None]
) -> None:
    """Do the work, and print the summary that it fills; exit with its failure, if there is one."""
    from wholesale_elt.process import require_locks
    from wholesale_fleet.output import print_consolidation, print_round

    def where_it_can() -> Failure | None:
        require_locks()
        return work()

    begin(output, LOADED)
    failure = attempt(output, [], where_it_can)
    summary.end(int(failure.exit) if failure else 0, failure.message if failure else None)
    if summary.accounts:
        print_round(output.console(), summary)
    if summary.fleet:
        print_consolidation(output.console(), summary.fleet)
    output.summarize(summary)
    end(output, failure)


def _publish_unless_another_does(
    output: Output, fleet: "Fleet", keep: int
) -> "Consolidation | None":
    """Publish all accounts together; None if there is no folder for it, or another worker is at it.
    That one may have seen less, so it is waited for; if it takes long, the next round finds out
    what it has not seen."""
    from wholesale_elt.process import AlreadyRunning
    from wholesale_fleet.publishing import publish_fleet, published_folder

    if published_folder(fleet) is None:
        return None
    output.progress(f"publishing all accounts in {fleet.published}")
    until = monotonic() + PATIENCE
    while True:
        try:
            return publish_fleet(fleet, keep=keep)
        except AlreadyRunning as error:
            if monotonic() > until:
                output.progress(str(error))
                return None
            sleep(PAUSE)


def publish_together(
    output: Output, selection: Selection, words: Sequence[str], *, keep: int, **given: Any
) -> None:
    """Publish the versions of all accounts together."""
    from wholesale_fleet.publishing import publish_fleet
    from wholesale_fleet.summary import FleetSummary

    if selection.names or selection.shard:
        raise click.UsageError("only all accounts can be published together: give --all alone")
    for name in NOT_TOGETHER:
        if given[name]:
            option = f"--{name.removeprefix('is_').replace('_', '-')}"
            raise click.UsageError(
                f"{option} goes with `wholesale run --all`, which publishes each account"
            )
    summary = FleetSummary(command=words[0])

    def work() -> Failure | None:
        fleet, _ = selection.read()
        output.progress(f"publishing all accounts in {fleet.published}")
        summary.fleet = publish_fleet(fleet, keep=keep)
        reasons = "; ".join(summary.fleet.reasons)
        return Failure(f"not complete: {reasons}", Exit.INCOMPLETE) if reasons else None

    _run_and_summarize(output, summary, work)


def plan_for(
    output: Output,
    selection: Selection,
    words: Sequence[str],
    *,
    workers: int,
    **_: Any,
) -> None:
    """Print the work of each account now, and what to schedule."""
    from wholesale_fleet.output import print_plans
    from wholesale_fleet.rounds import plan_round
    from wholesale_fleet.schedule import FleetPlan

    def work() -> Failure | None:
        fleet, accounts = selection.read()
        planned = plan_round(fleet, accounts, at_once=workers, tell=_telling(output))
        plan = FleetPlan.of(fleet, list(planned))
        output.answer(plan.model_dump(mode="json"))
        print_plans(output.console(), plan)
        unasked = [f"{found.account}: {found.error}" for found in plan.accounts if found.error]
        return Failure("; ".join(unasked), Exit.FAILED) if unasked else None

    begin(output)
    end(output, attempt(output, [], work))


def show_standing(
    output: Output,
    selection: Selection,
    words: Sequence[str],
    *,
    is_to_alert: bool,
    hours: float | None,
    **_: Any,
) -> None:
    """Print the state of each account by its own certificates."""
    from wholesale_elt.inspect import read_overview, staleness
    from wholesale_elt.monitoring import report_state
    from wholesale_fleet.output import print_standings, standings_document
    from wholesale_fleet.publishing import read_sales
    from wholesale_fleet.standing import read_standing

    def work() -> Failure | None:
        fleet, accounts = selection.read()
        read = report_state if is_to_alert else read_overview
        found = [read_standing(fleet, account, read) for account in accounts]
        now, sales = datetime.now(UTC), read_sales(fleet)
        output.answer(standings_document(found, sales, now))
        print_standings(output.console(), found, sales, now)
        if unread := [f"{row.account.name}: {row.error}" for row in found if row.error]:
            return Failure("; ".join(unread), Exit.FAILED)
        stale = [row.account.name for row in found if hours is not None and row.older_than(hours)]
        if hours is None or not stale:
            return None
        return Failure(staleness(stale, hours), Exit.INCOMPLETE)

    begin(output)
    end(output, attempt(output, [], work))

"""Rounds: a worker processes its accounts once, some side by side, without waiting for others."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from wholesale_fleet.accounts import Account, Fleet
from wholesale_fleet.cadence import is_unpublished, seen_to
from wholesale_fleet.children import Children, Ended
from wholesale_fleet.schedule import AccountPlan
from wholesale_fleet.standing import read_standing
from wholesale_fleet.summary import AccountSummary

S = TypeVar("S")

PAUSE = 0.1
"""Seconds between two checks for ended processes."""

Tell = Callable[[str, Sequence[str]], None]
"""Called with the name of an account, and lines of its standard error."""


def run_round(
    fleet: Fleet,
    accounts: Sequence[Account],
    words: Sequence[str],
    *,
    at_once: int,
    is_now: bool,
    tell: Tell,
) -> Generator[AccountSummary, None, None]:
    """Run the command for each account that is due and not being worked on; for all if `is_now`.

    A worker that begins while another works on the same accounts takes the remaining ones, and does
    not repeat what the other did meanwhile.
    """
    since = datetime.now(UTC)

    def leave(account: Account) -> AccountSummary | None:
        standing = read_standing(fleet, account)
        if standing.overview and (entry := seen_to(standing.overview, words[0], since)):
            return AccountSummary.elsewhere(standing, entry)
        if is_now or standing.is_due(datetime.now(UTC)):
            return None
        if words[0] == "run" and standing.overview and is_unpublished(standing.overview):
            return None
        return AccountSummary.not_due(standing)

    with Children(fleet, words) as working:
        for end in _go_through(fleet, accounts, working, at_once, leave, tell):
            if isinstance(end, Ended):
                tell(end.account.name, end.other_lines)
                proved = read_standing(fleet, end.account).complete_as_of
                yield AccountSummary.of(end, proved)
            else:
                yield end


def plan_round(
    fleet: Fleet, accounts: Sequence[Account], *, at_once: int, tell: Tell
) -> Iterator[AccountPlan]:
    """Plan a sync of each account; nothing is written."""
    with Children(fleet, ["plan", "--json"]) as working:
        for end in _go_through(fleet, accounts, working, at_once, lambda account: None, tell):
            yield AccountPlan.of(end, read_standing(fleet, end.account))


def _go_through(
    fleet: Fleet,
    accounts: Sequence[Account],
    working: Children,
    at_once: int,
    leave: Callable[[Account], S | None],
    tell: Tell,
) -> Iterator[Ended | S]:
    """The result of each account: that of `leave`, or that of its process.

    An account whose host others are at work on waits for them as long as its own run may take.
    """
    waiting, begun = list(accounts), datetime.now(UTC)
    others: dict[str, float] = {}
    while waiting or len(working):
        yield from working.ended()
        full: set[str] = set()
        for account in list(waiting):
            if len(working) >= at_once:
                break
            host = account.host
            if host in full:
                continue
            slot = fleet.hosts.take(host)
            if slot is None:
                full.add(host)
                if working.has(host):
                    others.pop(host, None)
                elif host not in others:
                    others[host] = time.monotonic()
                    tell(account.name, [f"waits for other processes that work on {host}"])
                elif time.monotonic() > others[host] + 60 * account.most_minutes:
                    waiting.remove(account)
                    left = leave(account)
                    yield Ended.waited(account, begun) if left is None else left
                continue
            others.pop(host, None)
            waiting.remove(account)
            if (left := leave(account)) is not None:
                slot.held.close()
                yield left
            else:
                working.start(account, slot)
        time.sleep(PAUSE)

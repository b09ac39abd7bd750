"""Children: one process for each account, so that a crash or a leak affects no other."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import IO, Any, Self

from wholesale_elt.cli import COMMAND
from wholesale_elt.process import MOST_SECONDS, wait_for_others
from wholesale_fleet.accounts import Account, Fleet, without_shared_key
from wholesale_fleet.hosts import Slot

GRACE = 30.0
"""Seconds that a process has to end when it is stopped, or its time is over."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of the process of an account. Times are UTC.

    `printed` is the JSON object that it printed, empty if it was killed before; `error` says in a
    line why its exit code is not 0; `other_lines` are the other lines of its standard error.
    """

    account: Account
    exit_code: int
    printed: Mapping[str, Any]
    error: str | None
    other_lines: Sequence[str]
    started_at: datetime
    ended_at: datetime

    @classmethod
    def waited(cls, account: Account, since: datetime) -> Self:
        """The result of an account for which nothing was begun."""
        error = (
            f"not begun, as other processes were at work on {account.host} for"
            f" {account.most_minutes:g} minutes: see `most_minutes` and [hosts]"
        )
        return cls(account, 1, {}, error, (), since, datetime.now(UTC))


@dataclass(slots=True)
class _Child:
    account: Account
    process: "subprocess.Popen[bytes]"
    output: IO[bytes]
    errors: IO[bytes]
    slot: Slot
    started_at: datetime
    end: float
    """When it is killed, by the monotonic clock: it has not ended by itself in its time."""
    is_late: bool = False


class Children:
    """The processes of a worker; the end of the block stops those that still run."""

    def __init__(self, fleet: Fleet, words: Sequence[str]) -> None:
        self._fleet = fleet
        self._words = words
        self._working: list[_Child] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        wait_for_others()
        for child in self._working:
            child.process.terminate()
        until = time.monotonic() + GRACE
        for child in self._working:
            try:
                child.process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
            child.slot.held.close()

    def __len__(self) -> int:
        return len(self._working)

    def has(self, host: str) -> bool:
        """Whether one of them works on an account of this host."""
        return any(child.account.host == host for child in self._working)

    def start(self, account: Account, slot: Slot) -> None:
        """Start the command for an account; the slot is held until it ends.

        It has a session of its own, so that Ctrl-C reaches only the worker, which stops it.
        """
        output = slot.held.enter_context(TemporaryFile())  # noqa: SIM115
        errors = slot.held.enter_context(TemporaryFile())  # noqa: SIM115
        own, seconds = self._fleet.environment(account), 60 * account.most_minutes
        process = subprocess.Popen(
            [*COMMAND, *self._fleet.words(account, self._words)],
            env=without_shared_key(account, os.environ) | own | {MOST_SECONDS: f"{seconds}"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            pass_fds=(slot.descriptor,),
            start_new_session=True,
        )
        end = time.monotonic() + seconds + GRACE
        now = datetime.now(UTC)
        self._working.append(_Child(account, process, output, errors, slot, now, end))

    def ended(self) -> Iterator[Ended]:
        """The processes that ended since the last call; one takes so long as it may, and stops by
        itself, also where this worker is gone; if it does not, it is killed."""
        for child in list(self._working):
            code = child.process.poll()
            if code is not None:
                self._working.remove(child)
                yield self._ended(child, code)
            elif time.monotonic() > child.end:
                child.process.kill()
                child.is_late = True

    def _ended(self, child: _Child, code: int) -> Ended:
        printed = _object(_read(child.output))
        lines = [
            line.removeprefix("wholesale: ")
            for line in _read(child.errors).splitlines()
            if line.strip()
        ]
        child.slot.held.close()
        error = printed.get("error") or (lines[-1] if code and lines else None)
        other_lines = [line for line in lines if line != error]
        if child.is_late:
            error = (
                f"stopped, as it took longer than {child.account.most_minutes:g} minutes; what was"
                " loaded is whole, and the next run goes on: see `most_minutes`"
            )
        elif code < 0:
            error = f"its process was ended by {signal.Signals(-code).name}, not by itself"
        return Ended(
            child.account,
            code if code >= 0 and not child.is_late else 1,
            printed,
            error,
            other_lines,
            child.started_at,
            datetime.now(UTC),
        )


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

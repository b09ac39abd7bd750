"""Hosts: limits how many accounts of one host all workers of a machine process at once.

A slot is a file lock. The process that works on the account inherits it, so that it is held until
that one ends, also where the worker that started it was killed.
"""

import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from wholesale_elt.process import AlreadyRunning, hold_open, private

AT_ONCE = 1
"""Unless `accounts.toml` says another number: §8 shows no rate limit, and one run asks as fast as a
host lets it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of a host, held until `held` is closed, and by who inherits the descriptor."""

    held: ExitStack
    descriptor: int


@dataclass(frozen=True, slots=True)
class Hosts:
    """The slots of all hosts, as files in a folder that the workers of a machine share."""

    folder: Path
    at_once: Mapping[str, int]

    def take(self, host: str) -> Slot | None:
        """A slot that is free; None where there is none."""
        file = re.sub(r"[^\w.-]", "_", host)
        for number in range(self.at_once.get(host, AT_ONCE)):
            held = ExitStack()
            try:
                at = self.folder / f"{file}.{number + 1}"
                with private():
                    return Slot(held, held.enter_context(hold_open(at, host)))
            except AlreadyRunning:
                continue
        return None

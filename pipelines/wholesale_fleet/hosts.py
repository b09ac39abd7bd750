"""Hosts: limits how many accounts of one host all workers of a machine process at once.

A slot is a file lock. The process that works on the account inherits it, so it is held until that
process ends, also if the worker that started it was killed.
"""

import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from wholesale_elt.process import AlreadyRunning, hold_open, private

AT_ONCE = 1
"""The default for `accounts.toml`: §8 shows no rate limit, and one run asks as fast as a host
allows."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of a host, held until `held` and all inherited descriptors are closed."""

    held: ExitStack
    descriptor: int


@dataclass(frozen=True, slots=True)
class Hosts:
    """The slots of all hosts, as files in a folder that the workers of a machine share."""

    folder: Path
    at_once: Mapping[str, int]

    def take(self, host: str) -> Slot | None:
        """Take a free slot; None if there is none."""
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

"""Shards: divides the accounts into shares, which are the same on every machine."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from wholesale.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Shard:
    """One of so many shares, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises: ConfigurationError for an impossible share, such as `0/8`."""
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise ConfigurationError(
                f"--shard {text} is no share: the second of eight is written 2/8"
            )
        return cls(int(found[1]), int(found[2]))

    def has(self, name: str) -> bool:
        """Whether the account of that name is in this share; other accounts have no influence."""
        return int.from_bytes(sha256(name.encode()).digest()[:8]) % self.of == self.number - 1

"""Amounts of money: whole thousandths inside, exact decimal literals outside."""

from random import Random

import msgspec


def literal(mills: int) -> str:
    """The shortest decimal: 12500 is 12.5; as encoders write JSON numbers."""
    whole, part = divmod(mills, 1000)
    return f"{whole}.{part:03d}".rstrip("0") if part else str(whole)


def text(mills: int) -> str:
    """At least two decimals: 12500 is 12.50; as amounts are written in texts."""
    if not mills:  # most discounts
        return "0.00"
    whole, part = divmod(mills, 1000)
    return f"{whole}.{part // 10:02d}" if part % 10 == 0 else f"{whole}.{part:03d}"


def percent(mills: int, percentage: int) -> int:
    """That part of the amount, down to whole cents."""
    return mills * percentage // 1000 * 10


def decimal(mills: int | None, rng: Random) -> msgspec.Raw | str | None:
    """A string(float) of §2: a JSON number six times of seven, else a string."""
    if mills is None:
        return None
    return text(mills) if rng.randrange(100) < 15 else msgspec.Raw(literal(mills).encode())

"""Time zones: the names that there are."""

from functools import cache
from zoneinfo import available_timezones


def known_time_zone(name: str) -> str:
    """The name of a time zone. Raises: ValueError for any other text."""
    if name not in _time_zones():
        raise ValueError("no time zone; use a name such as Europe/London or UTC")
    return name


@cache
def _time_zones() -> frozenset[str]:
    """All names, which are those of files: Python looks through their folders."""
    return frozenset(available_timezones() - {"localtime"})  # which is known to Python alone

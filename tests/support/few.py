"""Of many cases a few run each time, and all others by hand: `poe long`."""

from collections.abc import Collection
from typing import Any

import pytest


def few(cases: Collection[Any], count: int) -> list[Any]:
    """The cases, all but `count` of them marked long: those that stay are spread evenly.

    A case is the value of one parameter, or a tuple of several.
    """
    step = len(cases) / count
    kept = {int((number + 0.5) * step) for number in range(count)}
    return [case if place in kept else by_hand(case) for place, case in enumerate(cases)]


def by_hand(case: Any) -> Any:
    """A case that is marked long."""
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)

"""Of many cases a few run each time; all others run by hand, `poe long`, or in the slow line."""

from collections.abc import Collection
from typing import Any

import pytest


def few(
    cases: Collection[Any], count: int, others: pytest.MarkDecorator = pytest.mark.long
) -> list[Any]:
    """The cases, all but `count` of them marked long, or slow: those that stay are spread evenly.

    A case is the value of one parameter, or a tuple of several.
    """
    step = len(cases) / count
    kept = {int((number + 0.5) * step) for number in range(count)}
    return [case if place in kept else _marked(case, others) for place, case in enumerate(cases)]


def by_hand(case: Any) -> Any:
    """A case that is marked long."""
    return _marked(case, pytest.mark.long)


def _marked(case: Any, mark: pytest.MarkDecorator) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=mark)

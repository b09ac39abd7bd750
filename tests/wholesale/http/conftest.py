"""No test waits by chance."""

import random

import pytest


@pytest.fixture(autouse=True)
def jitter(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float]]:
    """Jitter always takes its upper bound, and the bounds are kept."""
    bounds: list[tuple[float, float]] = []

    def uniform(low: float, high: float) -> float:
        bounds.append((low, high))
        return high

    monkeypatch.setattr(random, "uniform", uniform)
    return bounds

"""No test waits by chance, and what is promised of HTTP is promised for either library below."""

import random
import sys

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


@pytest.fixture(params=["pyreqwest", "httpx"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The library that talks HTTP: the test runs with each."""
    name: str = request.param
    if name == "httpx":  # as where pyreqwest is not installed
        monkeypatch.setitem(sys.modules, "wholesale.http.pyreqwest_transport", None)
    return name

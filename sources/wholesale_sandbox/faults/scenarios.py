"""Scenarios: sets of dials and plants, each with what a lossless extractor must end with."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wholesale_sandbox.faults.plants import Plant
from wholesale_sandbox.faults.registry import PLANTED

PATH = Path(__file__).with_name("scenarios.toml")


@dataclass(frozen=True, slots=True)
class Scenario:
    """`ends` is the result that a lossless extractor must reach, one of `ENDS`."""

    name: str
    does: str
    ends: str
    dials: Mapping[str, Any]
    plants: tuple[Plant, ...] = ()


_told = tomllib.loads(PATH.read_text("utf-8"))
ENDS: Mapping[str, str] = MappingProxyType(_told.pop("ends"))
"""The results, by name."""


def _scenarios() -> Iterator[Scenario]:
    for name, row in _told.items():
        faults = [rule for rules in row.get("faults", ()) for rule in _each(rules)]
        dials = row.get("dials", {}) | ({"faults": faults} if faults else {})
        plants = tuple(plant for planted in row.get("plants", ()) for plant in _planted(planted))
        yield Scenario(name, row["does"], ENDS[row["ends"]], dials, plants)


def _each(rules: dict[str, Any]) -> list[dict[str, Any]]:
    """A rule for each of the faults that are named."""
    names = rules["fault"] if isinstance(rules["fault"], list) else [rules["fault"]]
    return [rules | {"fault": name} for name in names]


def _planted(planted: dict[str, Any]) -> Iterator[Plant]:
    """`all` stands for every plant, those of ids once each."""
    if planted["fault"] != "all":
        yield Plant(**planted)
        return
    for name in PLANTED:
        times = 1 if name.startswith("id-") else planted["times"]
        yield Plant(name, planted["resources"], times)


SCENARIOS: tuple[Scenario, ...] = tuple(_scenarios())
SCENARIO: Mapping[str, Scenario] = MappingProxyType(
    {scenario.name: scenario for scenario in SCENARIOS}
)


class NoSuchScenario(ValueError):
    """An unknown scenario; one line lists the known ones."""


def scenario_of(name: str) -> Scenario:
    """Raises: NoSuchScenario."""
    if name not in SCENARIO:
        raise NoSuchScenario(f"no scenario is called {name}; there are {', '.join(SCENARIO)}")
    return SCENARIO[name]


def table() -> str:
    """Each scenario as text: what happens, and what an extractor must end with."""
    width = max(len(scenario.name) for scenario in SCENARIOS)
    return "\n".join(
        f"{scenario.name.ljust(width)}  {scenario.does}\n"
        f"{' ' * width}  must end with: {scenario.ends}"
        for scenario in SCENARIOS
    )

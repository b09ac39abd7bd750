"""Scenarios: sets of dials and plants, each with what a lossless extractor must end with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from wholesale_sandbox.faults.plants import Plant
from wholesale_sandbox.faults.registry import PLANTED

EXACT = "every record as in the truth, and success"
HONEST = (
    "records that stood still as in the truth, or it says that it is incomplete;"
    " once the drift is stopped, another run ends with every record as in the truth"
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """`ends` is what an extractor must end with that loses nothing."""

    name: str
    does: str
    ends: str
    dials: Mapping[str, Any]
    plants: tuple[Plant, ...] = ()


def _first(share: float, faults: Iterable[str], **more: Any) -> list[dict[str, Any]]:
    """So much of the URLs each, at the first attempt only: whoever tries again gets through."""
    return [{"fault": fault, "share": share, "first": True, **more} for fault in faults]


def _always(resource: str, *faults: str) -> list[dict[str, Any]]:
    return [{"fault": fault, "resources": [resource]} for fault in faults]


_STORM = (
    *_first(0.02, ("503-after-seconds", "429-after-date")),
    *_first(0.07, ("500-html", "reset", "cut", "half-json")),
)
_BROKEN = (
    *("html", "empty", "null", "string", "error-object", "rubbish-after", "nested", "not-utf8"),
    *("nan", "overflow", "key-twice", "not-gzip", "closed", "reset-inside"),
)
_OF_ORDERS_ONLY = tuple(Plant(name, times=1 if name.startswith("id-") else 3) for name in PLANTED)
_OF_OTHERS = (
    Plant("amount-comma", ["items", "prices", "vendors"], 2),
    Plant("time-word", ["vendors", "buyers"], 2),
    Plant("new-object", ["items", "vendors"], 2),
    Plant("type-changed", ["items", "vendors", "buyers"], 2),
    Plant("lone-surrogate", ["items", "vendors"], 2),
)

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        "storm",
        "about 30 % of all URLs fail at the first attempt, each in one of six ways",
        EXACT,
        {"faults": _STORM},
    ),
    Scenario(
        "broken-answers",
        "half of all URLs answer something at first that is no answer, in fourteen ways",
        EXACT,
        {"faults": _first(0.05, _BROKEN)},
    ),
    Scenario(
        "slow",
        "some URLs drip or come late at the first attempt, and two do not come at all",
        EXACT,
        {
            "faults": [
                *_first(0.05, ["late"], seconds=3),
                *_first(0.05, ["drip"], seconds=0.2),
                *_first(0.02, ["no-answer"], times=2),
            ]
        },
    ),
    Scenario(
        "dead",
        "after 20 reads nothing is answered but 503",
        "it gives up within two minutes and 30 requests more; what was loaded before is whole,"
        " and nothing is deleted",
        {"faults": [{"fault": "503-after-nothing", "after": 20}]},
    ),
    Scenario(
        "locked-out",
        "after 20 reads the key is refused",
        "it fails at once and says so; what was loaded before is whole, and nothing is deleted",
        {"faults": [{"fault": "401", "after": 20}]},
    ),
    Scenario(
        "drift",
        "before 30 % of the requests for lists of orders one comes, goes or changes (2:1:4)",
        HONEST,
        {"drift": 0.3, "list_order": {"orders": "updated"}},
    ),
    Scenario(
        "swap",
        "the same, but one goes as one comes: the count never moves",
        HONEST,
        {"drift": 0.3, "drift_kind": "swap"},
    ),
    Scenario(
        "silent",
        "orders change without a new `updated_at` while they are read",
        "every order as in the truth after as many runs as the extractor names",
        {"drift": 0.3, "drift_kind": "silent"},
    ),
    Scenario(
        "odd-lists",
        "each list in another shape; 422 for a limit above 40",
        EXACT,
        {
            "limit_cap": 40,
            "limit_above_cap": "refused",
            "list_shape": {
                "orders": "nested",
                "items": "plural",
                "vendors": "bare",
                "buyers": "bare",
                "brands": "whole",
                "prices": "plural",
            },
            "list_pagination": {"vendors": "headers", "prices": "nowhere"},
            "list_entries": {"items": "wrapped", "buyers": "wrapped"},
        },
    ),
    Scenario(
        "lying-pages",
        "lists say wrong things about their pages, or end in repetitions",
        "every record as in the truth; it may say that it is not sure",
        {
            "faults": [
                *_always("orders", "next-null", "past-end-last"),
                *_always("items", "total-zero", "pages-zero"),
                *_always("vendors", "next-missing", "pages-missing"),
                *_always("buyers", "empty-pages", "pages-null"),
                *_always("prices", "short-pages", "total-null"),
                {"fault": "older-beside", "share": 0.2},
            ]
        },
    ),
    Scenario(
        "strange-values",
        "ids, amounts, times and fields as no description has them",
        "every record as in the truth, unreadable values as they were sent;"
        " the two without an id set apart and named",
        {},
        (*_OF_ORDERS_ONLY, *_OF_OTHERS),
    ),
)
SCENARIO: Mapping[str, Scenario] = MappingProxyType(
    {scenario.name: scenario for scenario in SCENARIOS}
)


class NoSuchScenario(ValueError):
    """A scenario that does not exist; one line says which there are."""


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

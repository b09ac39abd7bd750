"""Asking: a question about figures, and the error for one that has no answer."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from wholesale.errors import Unanswerable, legible

MOST_NAMES = 40
"""Known names that an error lists."""
NOT_PLAIN, MOST_LETTERS = re.compile(r"[^\w.]+"), 200
"""What the name of a file does without, and how long it may be."""

NOT_SENT = {
    ("margin", "profit", "cost"): "what the vendor paid",
    ("stock", "inventory"): "stock",
    ("fill", "backorder"): "what of an order was shipped",
    ("ship", "shipping", "delivery"): "when an order was shipped or delivered",
    ("forecast", "budget", "target"): "plans",
}
"""Words of names that people ask for, and what the API description has no field for (§2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: `metrics` and dimensions by name; `where` has the members that count of each
    dimension, None for a missing one, by key or title."""

    metrics: Sequence[str]
    by: Sequence[str] = ()
    where: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    period: str = "all_time"
    grain: str | None = None
    compare: str = "none"

    @property
    def file_name(self) -> str:
        """A name for a file of the answer: what, by what, of which days, compared, of whom."""
        told = [
            "-".join(self.metrics),
            *(f"by-{name}" for name in self.by),
            *([f"a-{self.grain}"] if self.grain else []),
            self.period,
            *([f"and-{self.compare}-before"] if self.compare != "none" else []),
            *(
                f"{name}-{'-'.join(member or 'none' for member in members)}"
                for name, members in self.where.items()
            ),
        ]
        return "_".join(NOT_PLAIN.sub("-", text).strip("-") for text in told)[:MOST_LETTERS]


def unknown(name: str, known: Collection[str], what: str) -> Unanswerable:
    """The error for an unknown name; it tells the nearest known one."""
    for words, what_it_is in NOT_SENT.items():
        if not set(name.lower().replace("-", "_").split("_")).isdisjoint(words):
            return Unanswerable(f"{legible(name)}: the API does not tell {what_it_is} (§2)")
    nearest = get_close_matches(name, known, 1)
    more = ", …" if len(known) > MOST_NAMES else ""
    some = ", ".join(map(legible, list(known)[:MOST_NAMES])) + more
    meant = f"did you mean {legible(nearest[0])}?" if nearest else f"there are {some}"
    return Unanswerable(f"there is no {what} called {name[:80]!r}: {meant}")

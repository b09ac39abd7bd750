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
PARTS = re.compile(r"[^\W_]+")
PLURAL = re.compile(r"(?<=\w\w)(?:ies|(?<=ch|sh|ss)es|(?<=[xz])es|(?<![sui])s)$")
"""The ending of a plural, as far as names have one."""

NOT_SENT = {
    ("margin", "profit", "cost"): "what the vendor paid",
    ("stock", "inventory"): "stock",
    ("fill", "backorder"): "what of an order was shipped",
    ("ship", "shipping", "delivery"): "when an order was shipped or delivered",
    ("forecast", "budget", "target"): "plans",
}
"""Words of names that people ask for, and what the API description has no field for (§2)."""
EXPECTED = {
    "expected_sales": (
        *("expected_revenue", "forecast", "sales_forecast", "revenue_forecast", "outlook"),
        *("sales_outlook", "projected_sales", "projection", "sales_projection"),
    )
}
EXPECTED_BY = ("vendor", "account_manager")
"""What people call what is expected to be sold, and by what it is told. It is no metric: what is
expected of parts does not add up to what is expected of the whole."""


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


def names_meant(word: str, known: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The known names that a word may mean: itself, else those that are spelled like it but for
    capitals, a plural and what is between its parts, else those that people call so. `known` has
    what else they call each."""
    if word in known:
        return [word]
    wanted = spelled(word)
    spelled_so = [name for name in known if spelled(name) == wanted]
    return spelled_so or [
        name for name, words in known.items() if wanted in map(spelled, words) and wanted
    ]


def name_meant(word: str, known: Mapping[str, Sequence[str]], what: str) -> str:
    """The one name that a word means.

    Raises: Unanswerable with all of them for a word that may mean several, or with the nearest.
    """
    found = names_meant(word, known)
    if len(found) > 1:
        *some, last = found
        raise Unanswerable(
            f"{legible(word)} may mean several: write {', '.join(some)} or {last} for it"
        )
    if not found:
        raise unknown(word, known, what, {each: name for name in known for each in known[name]})
    return found[0]


def spelled(word: str) -> str:
    """A word without capitals, plurals, and what is between its parts."""
    return "_".join(PLURAL.sub(_singular, part) for part in PARTS.findall(word.casefold()))


def _singular(ending: re.Match[str]) -> str:
    return "y" if ending[0] == "ies" else ""


def unknown(
    name: str, known: Collection[str], what: str, others: Mapping[str, str] | None = None
) -> Unanswerable:
    """The error for an unknown name; it tells the nearest known one, also by what `others` call
    it."""
    for words, what_it_is in NOT_SENT.items():
        if not set(name.lower().replace("-", "_").split("_")).isdisjoint(words):
            return Unanswerable(f"{legible(name)}: the API does not tell {what_it_is} (§2)")
    others = others or {}
    nearest = [others.get(near, near) for near in get_close_matches(name, [*known, *others], 1)]
    more = ", …" if len(known) > MOST_NAMES else ""
    some = ", ".join(map(legible, list(known)[:MOST_NAMES])) + more
    there_are = f"there are {some}" if known else "there is none"
    meant = f"did you mean {legible(nearest[0])}?" if nearest else there_are
    return Unanswerable(f"there is no {what} called {name[:80]!r}: {meant}")

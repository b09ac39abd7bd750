"""Places: what a country and its states are called, one by one from the library's tables."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from unicodedata import normalize

import pycountry

PEOPLE_WRITE = {"uk": "GB", "russia": "RU", "turkey": "TR"}
"""Some of the names that the library lacks."""


def bare(text: str) -> str:
    return re.sub(r"[\W_]", "", normalize("NFKD", text.replace("&", "and")).casefold())


@cache
def country_of(text: str) -> Any:
    """The country of the library; None if it has none, or several."""
    key = bare(text)
    if key in PEOPLE_WRITE:
        return pycountry.countries.get(alpha_2=PEOPLE_WRITE[key])
    found = [
        country
        for country in pycountry.countries
        for name in ("alpha_2", "alpha_3", "name", "common_name", "official_name")
        if key and bare(getattr(country, name, "")) == key
    ]
    return found[0] if len({country.alpha_2 for country in found}) == 1 else None


def country_name(text: str | None) -> str | None:
    written = (text or "").strip()
    country = country_of(written)
    return (getattr(country, "common_name", country.name) if country else written) or None


@cache
def states_of(code: str) -> Sequence[Any]:
    return [state for state in pycountry.subdivisions if state.country_code == code]


@cache
def state_name(country_text: str | None, text: str | None) -> str | None:
    """The state within the country, if that is known; else as it is written."""
    written = (text or "").strip()
    country = country_of((country_text or "").strip())
    if not country or not written:
        return written or None
    key, names = bare(written), set()
    for state in states_of(country.alpha_2):
        first, *second = re.split(r" \[|\]", state.name)
        if key in set(map(bare, _codes(state.code))) | {bare(first), *map(bare, second[:1])}:
            names.add(first)
    return names.pop() if len(names) == 1 else written


def _codes(code: str) -> Iterator[str]:
    yield from (code, code.split("-", 1)[1])

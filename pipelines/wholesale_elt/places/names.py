"""Names: what a country or a state is called, whichever of its codes and names is written.

A country has the name that is common, or else that of the standard; a state its name there, without
a second one in brackets. A word that means none of them, or several, has no name here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

LETTERS: Mapping[str, str] = {
    "a": "ÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎ",
    "c": "ÇçĆćĈĉĊċČč",
    "d": "ĎďĐđ",
    "e": "ÈÉÊËèéêëĒēĔĕĖėĘęĚě",
    "g": "ĜĝĞğĠġĢģ",
    "h": "ĤĥĦħ",
    "i": "ÌÍÎÏìíîïĨĩĪīĬĭĮįİıǏǐ",
    "j": "Ĵĵ",
    "k": "Ķķ",
    "l": "ĹĺĻļĽľŁł",
    "n": "ÑñŃńŅņŇň",
    "o": "ÒÓÔÕÖØòóôõöøŌōŎŏŐőƠơǑǒ",
    "r": "ŔŕŖŗŘř",
    "s": "ŚśŜŝŞşŠšȘș",
    "t": "ŢţŤťȚț",
    "u": "ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưǓǔ",
    "w": "Ŵŵ",
    "y": "ÝýÿŶŷŸ",
    "z": "ŹźŻżŽž",
}
"""What the macro `place_letters` has: letters that are compared without their accents."""
LEFT_OUT = {*".,()'", *map(chr, (0x2018, 0x2019, 0x2BB, 0x2BC, *range(0x300, 0x330)))}
"""Signs, and accents that are characters of their own, which are not compared, as blanks are not:
those of the macro `place_signs`."""
_PLAIN = {
    **{ord(accented): letter for letter, all_ in LETTERS.items() for accented in all_},
    **{ord(sign): None for sign in LEFT_OUT},
}
OURS: Mapping[str, Sequence[str]] = {
    "BN": ("Brunei",),
    "BS": ("The Bahamas",),
    "CD": ("DR Congo", "DRC", "Democratic Republic of the Congo"),
    "CI": ("Ivory Coast",),
    "CV": ("Cape Verde",),
    "CZ": ("Czech Republic",),
    "FM": ("Micronesia",),
    "GB": ("UK", "Great Britain"),
    "GM": ("The Gambia",),
    "MK": ("Macedonia",),
    "MM": ("Burma",),
    "MO": ("Macau",),
    "NL": ("The Netherlands", "Holland"),
    "PS": ("Palestine",),
    "RU": ("Russia",),
    "SZ": ("Swaziland",),
    "TL": ("East Timor",),
    "TR": ("Turkey",),
    "US": ("The United States", "The United States of America"),
    "VA": ("Vatican", "Vatican City"),
}
"""Names that people write and the tables of the library lack, by code."""
_SECOND = re.compile(r" \[([^\]]+?)(?: [A-Z]{2}-[A-Z]{3})?\]$")
_ASIDE = re.compile(r" \([^)]*\)")


@dataclass(frozen=True, slots=True)
class Known:
    """The names that are published: of countries by key, and of states by country and key."""

    countries: Mapping[str, str]
    states: Mapping[str, Mapping[str, str]]

    def country(self, text: str) -> str:
        """The country's name; else the text without blanks around it."""
        return self.countries.get(place_key(text), text.strip())

    def place(self, text: str) -> str:
        """The name of a country, or with that of a state, as in `US-CA`; else the text without
        blanks around it. A country may have a hyphen itself."""
        parts = text.strip().split("-")
        for count in range(len(parts), 0, -1):
            country = self.country("-".join(parts[:count]))
            if (states := self.states.get(country)) is not None:
                state = "-".join(parts[count:]).strip()
                return "-".join(filter(None, (country, states.get(place_key(state), state))))
        return text.strip()


def made_of() -> str:
    """The versions that the names depend on."""
    return f"wholesale-elt {version('wholesale-elt')}, pycountry {version('pycountry')}"


def place_key(text: str) -> str:
    """What is compared: small letters without accents, blanks and signs, `&` as `and`. The macro
    `place_key` is this in SQL, where letters are made small one by one."""
    plain = "".join(text.split()).translate(_PLAIN)
    return "".join(char.lower()[0] for char in plain).replace("&", "and")


@cache
def known_places() -> Known:
    """Read the tables: 0.1 seconds, once."""
    import pycountry  # read where it is needed: of what changes nothing, nothing is

    names = {each.alpha_2: getattr(each, "common_name", each.name) for each in pycountry.countries}
    countries = [
        (text, names[each.alpha_2])
        for each in pycountry.countries
        for text in (
            *(each.alpha_2, each.alpha_3, each.name, names[each.alpha_2]),
            *([each.official_name] if hasattr(each, "official_name") else []),
            *OURS.get(each.alpha_2, ()),
        )
    ]
    states: dict[str, list[tuple[str, str]]] = {name: [] for name in names.values()}
    for each in pycountry.subdivisions:
        name = _SECOND.sub("", each.name)
        texts = (each.code, each.code.partition("-")[2], name, *_SECOND.findall(each.name))
        states[names[each.country_code]] += [(text, name) for text in texts]
    return Known(_by_key(countries), {name: _by_key(texts) for name, texts in states.items()})


def _by_key(texts: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    """Names by the keys of all texts that mean them; a key of several names has none. What the
    tables have goes before how else it may be written."""
    found: dict[str, set[str]] = {}
    others: dict[str, set[str]] = {}
    for text, name in texts:
        found.setdefault(place_key(text), set()).add(name)
        for other in _others(text):
            others.setdefault(place_key(other), set()).add(name)
    return {key: name for key, (name, *more) in (others | found).items() if not more}


def _others(text: str) -> Iterator[str]:
    """How else a name may be written: `County Durham` for `Durham, County`, `St.` for `Saint`,
    without hyphens, and without what is in brackets."""
    first, comma, last = text.partition(", ")
    if comma:
        yield f"{last} {first}"
    if "-" in text:
        yield text.replace("-", " ")
    if "(" in text:
        yield _ASIDE.sub("", text)
    if "Saint " in text:
        yield text.replace("Saint ", "St. ")


def place_lines() -> str:
    """A line for each key: country, state, key, between tabs; that of a country has no state."""
    known = known_places()
    lines = [f"{name}\t\t{key}" for key, name in known.countries.items()]
    for country, states in known.states.items():
        lines += [f"{country}\t{name}\t{key}" for key, name in states.items()]
    return "\n".join(lines)

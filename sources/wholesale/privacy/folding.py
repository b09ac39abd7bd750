"""Folding: the forms by which a contact or a name is recognised, however it is written."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from unicodedata import category, normalize

LEAST_DIGITS = 5
"""Of a phone number; fewer are an extension, or another number."""
LEAST_WITHIN = 7
"""Digits of a phone number to look for within longer ones: a shorter one occurs by chance."""
LEAST_LETTERS = 4
"""Characters of a text to look for within longer ones, for the same reason."""
COMMENT = re.compile(r"(?<=\S)\([^()@]*\)(?=@)|(?<=@)\([^()@]*\)")
"""Beside the sign of an address, which is none of it (RFC 5322)."""
QUOTED = re.compile(r"\"([^\"@]+)\"@")
ADDRESS = re.compile(r"([^\s,:;|\"“”„<>\[\]{}()@]{1,64})@([\w.\-。]{1,255})")
"""An address within a text, of at most so many characters (RFC 5321, §4.5.3.1): what has no sign of
one is searched in linear time."""
PARTS = re.compile(r"[,;|&\"<>{}\n]+|(?=\+)")
"""Between the phone numbers of a text, which have blanks and brackets within."""
RUN = r"\d(?:[\d_]|[^\w@,;|&+#\"<>{}\n]){3,60}\d"
"""What may be a phone number within a longer text."""
WITHIN = re.compile(RUN)
NUMBER = re.compile(
    rf"(?<![^\W_])[^\W\d_]*(?P<number>{RUN})(?!\d)"
    r"(?:\W*(?:extension|ext|x)[^\w]*(?P<extension>\d+)|\s*\#\s*(?P<after>\d+)|(?![^\W_]))"
)
"""A phone number that is no part of a word, with an extension if there is one."""
BOTH = re.compile(r"(?<=\d)\s*/\s*(?=[\d(])")
"""Between two numbers, or within one."""
WHOLE = re.compile(r"(\d+)\.0")
"""A number as sheets of other programs write it."""
TRUNK = re.compile(r"(?<=\d)\s*\(\s*0\s*\)")
"""The prefix within a country, written beside that of the country: `+44 (0)20`."""
INTERNATIONAL = re.compile(r"(tel:)?\s*\(?\s*(\+|00)[\d\s().\-/]{8,}")
HASHED = re.compile(r"\b[0-9a-f]{32}\b")
"""What a policy stores in the place of a contact."""
SIGN = (
    r"[@%\x{FE6B}\x{FF05}\x{FF20}]|\b[0-9a-f]{32}\b"
    rf"|(\p{{N}}[^\p{{L}}]*){{{LEAST_WITHIN}}}"
)
"""What every text has that has one of `contacts_within` (RE2, for columns)."""
JSON_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")
NORTH_AMERICAN = re.compile(r"1(\d{10})")
"""With the code of the country, without which these numbers are usually written there."""


def fold(text: str) -> str:
    """A text without the differences that nobody sees or means: case, kinds and number of blanks,
    characters without a width, and the forms of Unicode (NFKC, UAX #15)."""
    if text.isascii():
        return " ".join(text.lower().split())
    plain = normalize("NFKC", "".join(each for each in text if not _is_unseen(each)))
    return " ".join(normalize("NFKC", plain.casefold()).split())


def contact_forms(text: str) -> frozenset[str]:
    """All addresses and phone numbers of a text, each in one form; a text with none in its own.

    Addresses lose display names, `mailto:`, quotes and comments; phone numbers all but digits, the
    signs of an international number (`+`, `00`), and the code of North America before ten digits.
    What else the text says counts for nothing. A number within its country and the same one with
    the code of another country stay two.
    """
    return _contacts(text) or frozenset(filter(None, (fold(text),)))


def contacts_within(text: str) -> frozenset[str]:
    """The addresses, phone numbers and hashes of a policy in a text of any kind, or in JSON.

    A number of few digits is none: it occurs by chance in what is no contact.
    """
    found = _contacts(text).union(HASHED.findall(text))
    if "\\" in text:
        plain = JSON_ESCAPE.sub(lambda each: chr(int(each[1] or "20", 16)), text)
        found |= _contacts(plain.encode(errors="replace").decode())
    return frozenset(form for form in found if not _is_short_number(form))


def is_contact(text: str) -> bool:
    """Whether a text of which nobody knows what it is can only be an address, or the number of a
    phone as it is called from another country."""
    forms = contact_forms(text)
    is_address = any("@" in form and "." in form.partition("@")[2] for form in forms)
    is_number = bool(INTERNATIONAL.fullmatch(fold(text))) and fold(text) not in forms
    return bool(forms) and (is_address or is_number)


def is_within(forms: frozenset[str], text: str) -> bool:
    """Whether a longer text has one of these folded names, addresses or numbers anywhere."""
    folded = fold(text)
    if any(_is_long(form) and form in folded for form in forms):
        return True
    if not forms.isdisjoint(_contacts(text)):
        return True
    numbers = [digits for form in forms if (digits := form.partition("x")[0]).isdecimal()]
    if not numbers:
        return False
    found = map(_digits, WITHIN.findall(TRUNK.sub("", folded)))
    return any(
        number == other or (_is_long(number) and number in other)
        for other in found
        for number in numbers
    )


def _is_short_number(form: str) -> bool:
    digits = form.partition("x")[0]
    return digits.isdecimal() and len(digits) < LEAST_WITHIN


def _is_long(form: str) -> bool:
    return len(form) >= (LEAST_WITHIN if form.isdecimal() else LEAST_LETTERS)


def _contacts(text: str) -> frozenset[str]:
    """The addresses and phone numbers of a text."""
    numbers = (_numbers(ADDRESS.sub(";", fold(line))) for line in text.splitlines())
    return _addresses(fold(text)).union(*numbers)


def _addresses(folded: str) -> frozenset[str]:
    if "@" not in folded and "%40" not in folded:
        return frozenset()
    plain = (
        folded.replace("\\", "").replace("%40", "@").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    )
    joined = COMMENT.sub("", re.sub(r"\s*@\s*", "@", plain))
    unquoted = QUOTED.sub(lambda local: f" {local[1].replace(' ', '_')}@", joined)
    found = (
        (re.sub(r"^\W+", "", local).rstrip("'`."), domain.replace("。", ".").strip("."))
        for local, domain in ADDRESS.findall(unquoted)
    )
    return frozenset(f"{local}@{_domain(domain)}" for local, domain in found if local)


@lru_cache(2**12)
def _domain(domain: str) -> str:
    """A domain in the letters of DNS (RFC 3490), if it can be written so."""
    if not domain.isascii():
        with suppress(UnicodeError):
            return domain.encode("idna").decode()
    return domain


def _numbers(line: str) -> Iterator[str]:
    """The phone numbers of a folded line; one among other words has seven digits."""
    for part in PARTS.split(TRUNK.sub("", line)):
        for found in NUMBER.finditer(part):
            both = [_digits(each) for each in BOTH.split(found["number"])]
            are_two = all(len(each) >= LEAST_WITHIN for each in both)
            before, after = part[: found.start()], part[found.end() :]
            is_alone = not any(map(str.isdigit, before)) and not any(map(str.isalnum, after))
            extension = found["extension"] or found["after"]
            for digits in both if are_two else [_digits(found["number"])]:
                if len(digits) >= (LEAST_DIGITS if is_alone else LEAST_WITHIN):
                    yield f"{digits}x{extension}" if extension else digits


def _digits(number: str) -> str:
    """A phone number in one form."""
    if whole := WHOLE.fullmatch(number):
        number = whole[1]
    digits = "".join(str(int(each)) for each in number if each.isdecimal())
    digits = digits.removeprefix("00")
    return NORTH_AMERICAN.sub(r"\1", digits) if len(digits) == 11 else digits


@lru_cache(2**12)
def _is_unseen(character: str) -> bool:
    """Whether it has no width: it formats, joins, or chooses how another one looks."""
    return (
        category(character) == "Cf"
        or character in "\u034f\u115f\u1160\u3164"
        or ("\ufe00" <= character <= "\ufe0f")
    )

"""Folding: the forms by which a contact or a name is recognised, however it is written."""

import re
from contextlib import suppress
from functools import lru_cache
from unicodedata import category, normalize

LEAST_DIGITS = 5
"""Of a phone number; fewer are an extension, or another number."""
MOST_CHARACTERS = 64
"""Of a text that may be a phone number."""
LEAST_WITHIN = 7
"""Digits of a phone number to look for within longer ones: a shorter one occurs by chance."""
LEAST_LETTERS = 4
"""Characters of a text to look for within longer ones, for the same reason."""
DELIMITED = re.compile(r"[,;|\"“”„<>\[\]{}()\s]+")
"""Between the addresses of a text, and around each; the local part may be quoted (RFC 5321)."""
QUOTED = re.compile(r"\"([^\"@]+)\"@")
PARTS = re.compile(r"[,;|\"<>\[\]{}\n]+|\bor\b")
"""Between the phone numbers of a text, which have blanks and brackets within."""
NUMBER = re.compile(
    r"(?:[^\W\d_]+[.:=\s]+)*[^\W\d_]*(?P<number>[^\w]*\d(?:[\d_]|[^\w])*?)"
    r"(?:(?:extension|ext|x)[^\w]*(?P<extension>\d+)|\#\s*(?P<after>\d+))?[^\w]*"
)
"""A phone number after words such as `tel:`, with an extension if there is one."""
RUN = re.compile(r"[+(]?\d(?:[\d_]|[^\w@,;|\n]){3,60}\d")
"""What may be a phone number within a longer text."""
TRUNK = re.compile(r"(?<=\d)\s*\(\s*0\s*\)")
"""The prefix within a country, written beside that of the country: `+44 (0)20`."""
INTERNATIONAL = re.compile(r"(tel:)?\s*\(?\s*(\+|00)[\d\s().\-/]{8,}")
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
    A number within its country and the same one with the code of another country stay two.
    """
    folded = fold(text)
    found = set(_addresses(folded)) if "@" in folded else set()
    found.update(filter(None, map(_number, PARTS.split(folded))))
    return frozenset(found or filter(None, (folded,)))


def is_contact(text: str) -> bool:
    """Whether a text of which nobody knows what it is can only be an address, or the number of a
    phone as it is called from another country."""
    forms = contact_forms(text)
    is_address = all("@" in form and "." in form.partition("@")[2] for form in forms)
    is_number = bool(INTERNATIONAL.fullmatch(fold(text))) and fold(text) not in forms
    return bool(forms) and (is_address or is_number)


def is_within(forms: frozenset[str], text: str) -> bool:
    """Whether a longer text has one of these folded names, addresses or numbers anywhere."""
    folded = fold(text)
    if any(_is_long(form) and form in folded for form in forms):
        return True
    if "@" in folded and not forms.isdisjoint(_addresses(folded)):
        return True
    numbers = [digits for form in forms if (digits := form.partition("x")[0]).isdecimal()]
    if not numbers:
        return False
    found = list(filter(None, map(_number, RUN.findall(folded))))
    return any(
        number == other or (_is_long(number) and number in other)
        for other in found
        for number in numbers
    )


def _is_long(form: str) -> bool:
    return len(form) >= (LEAST_WITHIN if form.isdecimal() else LEAST_LETTERS)


def _addresses(folded: str) -> frozenset[str]:
    joined = re.sub(r"\s*@\s*", "@", folded.replace("\\", ""))
    plain = QUOTED.sub(lambda local: f" {local[1].replace(' ', '_')}@", joined)
    found = (part for part in DELIMITED.split(plain) if "@" in part.strip("@"))
    return frozenset(map(_address, found))


def _address(part: str) -> str:
    local, _, domain = part.rpartition("@")
    local = local.removeprefix("mailto:").strip("'`.:")
    domain = re.split(r"[?&]", domain.replace("。", "."))[0].strip("'`.:!")
    return f"{local}@{_domain(domain)}"


@lru_cache(2**12)
def _domain(domain: str) -> str:
    """A domain in the letters of DNS (RFC 3490), if it can be written so."""
    if not domain.isascii():
        with suppress(UnicodeError):
            return domain.encode("idna").decode()
    return domain


def _number(part: str) -> str | None:
    """The digits of a phone number; None if the text is none."""
    part = part.strip()
    found = NUMBER.fullmatch(TRUNK.sub("", part)) if len(part) <= MOST_CHARACTERS else None
    if not found:
        return None
    digits = "".join(str(int(each)) for each in found["number"] if each.isdecimal())
    if len(digits) < LEAST_DIGITS:
        return None
    digits = digits.removeprefix("00")
    digits = NORTH_AMERICAN.sub(r"\1", digits) if len(digits) == 11 else digits
    extension = found["extension"] or found["after"]
    return f"{digits}x{extension}" if extension else digits


@lru_cache(2**12)
def _is_unseen(character: str) -> bool:
    """Whether it has no width: it formats, joins, or chooses how another one looks."""
    return (
        category(character) == "Cf"
        or character in "\u034f\u115f\u1160\u3164"
        or ("\ufe00" <= character <= "\ufe0f")
    )

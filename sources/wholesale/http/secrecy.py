"""Secrecy: the key in what a service sent back, in whichever form, is masked."""

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from itertools import product
from urllib.parse import quote

MASK = "***"
SHORTEST = 8
"""Characters of a form that are told from other text."""


class KeyMask:
    """Masks a key as it is, percent-encoded (RFC 3986), escaped as in JSON or HTML, wholly or in
    part, in hexadecimal digits, and in base64 (RFC 4648), also within a longer text."""

    def __init__(self, key: str) -> None:
        forms = [key, *(form for form in _encoded(key.encode()) if len(form) >= SHORTEST)]
        self._pattern = re.compile("|".join("".join(map(_spellings, form)) for form in forms))

    def __call__(self, text: str) -> str:
        return self._pattern.sub(MASK, text)


def _spellings(character: str) -> str:
    """A pattern for a character as it is or escaped."""
    code = ord(character)
    percent = "".join(f"%(?:25)*{byte:02x}" for byte in character.encode())  # also more than once
    numbers = rf"{percent}|\\u{code:04x}|\\x{code:02x}|&#0*{code};|&#x0*{code:x};"
    return rf"(?:(?i:{numbers})|{re.escape(escape(character))}|\\?{re.escape(character)})"


def _encoded(key: bytes) -> Iterator[str]:
    """The forms in which no character stands for one of the key. In base64 three bytes are four
    characters, so there are three forms, by the bytes before; characters that have bits of others
    are left out."""
    yield key.hex()
    yield key.hex().upper()
    for content, before in product({key, quote(key, safe="").encode()}, range(3)):
        text = b64encode(bytes(before) + content).decode()
        whole = text[-(-before * 8 // 6) : (before + len(content)) * 8 // 6]
        yield from {whole, whole.translate(str.maketrans("+/", "-_"))}

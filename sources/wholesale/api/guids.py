"""GUIDs: one id in each of its spellings, of which §2 shows none; here it has one spelling."""

import re

GUID = (
    r"(?:urn:uuid:)?\{?"
    r"([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})"
    r"\}?"
)
"""A GUID in small letters: with dashes or without, in braces, as a URN (RFC 9562)."""
DIGITS_WITH_DASHES = r"\1-\2-\3-\4-\5"

_guid = re.compile(GUID)


def typed_id(text: str) -> str:
    """An id that a person typed or an agent sent: without blanks around it, as all are stored."""
    return plain_id(text.strip())


def plain_id(text: str) -> str:
    """A GUID in small letters with dashes; any other id as it is."""
    return plain_guid(text) or text


def plain_guid(text: str) -> str | None:
    """A GUID in small letters with dashes; None if the text is none."""
    found = _guid.fullmatch(text.lower())
    return found and found.expand(DIGITS_WITH_DASHES)


def spelled_like(example: str, text: str) -> str:
    """A GUID written as another one is: with its kind of letters, with or without dashes, in what
    stands around it. Any other id as it is."""
    found, plain = _guid.fullmatch(example.lower()), plain_guid(text)
    if found is None or plain is None:
        return text
    begin, end = found.start(1), found.end(5)
    digits = example[begin:end]
    written = plain if "-" in digits else plain.replace("-", "")
    written = written if digits == digits.lower() else written.upper()
    return example[:begin] + written + example[end:]

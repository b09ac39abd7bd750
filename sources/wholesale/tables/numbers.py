"""Numbers: whether Arrow reads the decimals of pages right, told from the bytes of the pages.

Arrow's parser takes the exponent of a decimal for the place in a table of powers of ten, and does
not ask whether the table is so long: it crashes, or makes another value of the number. It is right
about at most 29 digits in a row without an exponent, and 20 characters with an exponent of one
digit (tried with pyarrow 20 and 26). Pages with others are for the careful decoder.
"""

import re
from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MISREAD = r'[0-9.]*(?:[0-9]{30}|[eE][+-]?[0-9]{2})|[0-9.]{21}[0-9.]*[eE]|[^"\\]*\\'
"""A number that Arrow may misread, from its first digit on; an escape may be part of one, too."""
LONGEST_RUN = 30
"""Digits and points in a row; fewer cannot be too many digits."""
PLAIN_NAME = re.compile(r"[A-Za-z0-9_ -]+")

PART = 2**18
"""Bytes that are looked at together: they, and what is found of them, stay in the cache."""
OVERLAP = 2**6
MANY = 16
"""One exponent in so many bytes is more than ids have by chance."""

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]


def _among(characters: str) -> Flags:
    """For each byte whether it is one of these characters."""
    is_among = np.zeros(256, np.bool_)
    is_among[list(characters.encode())] = True
    return is_among


DIGITS, LETTERS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
IS_NUMERIC, IS_EXPONENT = _among("+-." + DIGITS), _among("+-" + DIGITS)
ENDS = _among('":,[]} \t\r\n')
"""What stands before and behind a number, or its text; a GUID has words like `12e45`, too."""
NEVER_ESCAPED = _among("\0" + DIGITS + LETTERS + "_-.")
BACKSLASH, ALL_TRUE = ord("\\"), np.uint64(0x0101010101010101)
HEX_VALUE = np.zeros(256, np.uint8)
HEX_VALUE[list(b"0123456789ABCDEF")] = HEX_VALUE[list(b"0123456789abcdef")] = range(16)


def may_misread(text: memoryview, decimals: Collection[str]) -> bool:
    """Whether Arrow may misread JSON text of objects, with decimals in fields of these names; true
    also of one that holds NUL, or letters or digits in escapes (`\\u0065` for `e`).

    Only where there is anything like a number with an exponent, or with so many digits, are the
    fields searched for it.
    """
    data = np.frombuffer(text, np.uint8)
    places, is_odd = [np.zeros(0, np.intp)], False
    for start in range(0, len(data), PART):
        part = data[start : start + PART + OVERLAP]
        escaped = _escaped(part)
        if NEVER_ESCAPED[escaped].any():
            return True
        is_digit = (part - ord(".")) < len("./" + DIGITS)
        is_e = (part[1:-1] | 32) == ord("e")
        found = np.flatnonzero(is_e & is_digit[:-2])
        found = found[(part[found + 2] - ord("+")) < len("+,-./" + DIGITS)]
        most = len(part) // MANY
        is_odd = is_odd or ord("+") in escaped or len(found) > most or _has_run(is_digit)
        places.append(found[:most] + start + 1)
    is_odd = is_odd or _is_number(data, np.concatenate(places))
    return bool(decimals) and is_odd and _has_misread(text, decimals)


def _escaped(part: Bytes) -> Bytes:
    """The ASCII characters that are written as `\\u00..`."""
    is_escape = part[:-5] == BACKSLASH
    if not is_escape.any():
        return part[:0]
    places = np.flatnonzero(is_escape)
    for offset, character in enumerate(b"u00", start=1):
        places = places[part[places + offset] == character]
    return HEX_VALUE[part[places + 4]] * np.uint8(16) + HEX_VALUE[part[places + 5]]


def _has_run(flags: Flags) -> bool:
    """Whether so many of these are true in a row."""
    eights = flags[: len(flags) // 8 * 8].view(np.uint64) == ALL_TRUE
    if not (eights[1:] & eights[:-1]).any():
        return False
    return bytes([True] * LONGEST_RUN) in flags.tobytes()


def _is_number(data: Bytes, places: Places) -> bool:
    """Whether a number, from one end to the other, is around any of these exponents."""
    for step, goes_on in ((1, IS_EXPONENT), (-1, IS_NUMERIC)):
        at, ended = places + step, []
        while len(places):
            here = data[at]
            ended.append(places[ENDS[here]])
            is_on = goes_on[here]
            places, at = places[is_on], at[is_on] + step
        places = np.concatenate([places, *ended])
    return len(places) > 0


def _has_misread(text: memoryview, decimals: Collection[str]) -> bool:
    if not all(map(PLAIN_NAME.fullmatch, decimals)):
        return True  # JSON may write the name in more ways than one
    names = "|".join(map(re.escape, sorted(decimals)))
    offsets = pa.py_buffer(np.array([0, len(text)], np.int64))
    whole = pa.Array.from_buffers(pa.large_binary(), 1, [None, offsets, pa.py_buffer(text)])
    found = pc.match_substring_regex(whole, rf'"(?:{names})"\s*:\s*"?[+-]?(?:{MISREAD})')
    return bool(found[0].as_py())

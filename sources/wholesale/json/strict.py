"""Strict JSON (RFC 8259): numbers keep their text; a key twice, or NaN, is refused."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import msgspec

from wholesale.errors import ContentError

DEEPEST = 200
"""Levels of a body that are read. Interpreters differ in how many they could read: the same body is
refused by all."""
TOO_DEEP = "body is nested too deep"

Json = Any  # what `parse` returns: None, bool, str, NumberText, list, dict


class NumberText(str):
    """A JSON number in the characters it was sent in: `1e3` stays `1e3`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that is no strict JSON: its text, and why."""

    text: str
    why: str


def parse(body: bytes) -> Json:
    """The value of a JSON text, every number as its `NumberText`.

    Raises: ContentError for anything that is not exactly one strict JSON value in UTF-8.
    """
    try:
        return _DECODER.decode(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ContentError(_no_utf8(error), code="no_utf8") from None
    except RecursionError:
        raise ContentError(TOO_DEEP, code="too_deep") from None
    except json.JSONDecodeError as error:
        raise ContentError(
            f"body is no JSON: {error.msg} at character {error.pos}", code="no_json"
        ) from None


def _no_utf8(error: UnicodeDecodeError) -> str:
    """Where a body is no UTF-8, and what to do: which character was meant, nobody can know."""
    body, place = error.object, error.start
    ids = _ID.findall(body[:place])
    behind = f", behind the id {ids[-1].decode()}" if ids else ""
    return (
        f"body is no UTF-8 at byte {place} (0x{body[place]:02x}){behind}: a text in another"
        " encoding, or cut within a character; have it mended in the service"
    )


def parse_each(body: bytes) -> Json:
    """The same; in the place of an entry of an array that is refused by itself, a `Refused`."""
    try:
        body.decode()
        entries = _ENTRIES.decode(body)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return parse(body)
    return [_parse_or_refuse(bytes(entry)) for entry in entries]


def _parse_or_refuse(entry: bytes) -> Json:
    try:
        value = parse(entry)
        write(value)
    except ContentError as refusal:
        return Refused(entry.decode(), str(refusal))
    return value


def write(value: Json) -> str:
    """Compact JSON text of a parsed value; number literals stand as they were sent.

    Raises: ContentError for what has more levels than DEEPEST.
    """
    return _write(value, 0)


def _write(value: Json, level: int) -> str:
    if level > DEEPEST:
        raise ContentError(TOO_DEEP, code="too_deep")
    match value:
        case NumberText():
            return str(value)
        case str():
            return _text(value)
        case dict():
            return (
                "{" + ",".join(f"{_text(k)}:{_write(v, level + 1)}" for k, v in value.items()) + "}"
            )
        case list():
            return "[" + ",".join(_write(v, level + 1) for v in value) + "]"
        case _:
            return json.dumps(value)


def encodable(text: str) -> str:
    """`text` with lone surrogates, which no UTF-8 can hold, spelled out as `\\udXXX`."""
    return text.encode("utf-8", "backslashreplace").decode()


def _text(value: str) -> str:
    return _as_text(encodable(value))


def _object(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    pairs = list(pairs)
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ContentError(
            f"an object of the body names its key {twice[:60]!r} twice", code="key_twice"
        )
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ContentError(f"body holds {name}, which is no JSON number", code="no_number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=NumberText,
    parse_int=NumberText,
    parse_constant=_refuse_constant,
)
_ID = re.compile(rb'"id"\s*:\s*"([!-~]{1,60}?)"')
_as_text = json.JSONEncoder(ensure_ascii=False).encode
_ENTRIES = msgspec.json.Decoder(list[msgspec.Raw])

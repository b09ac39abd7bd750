"""Faults of spelling: records that say the same in other words, names, letters or shapes."""

import re
from collections.abc import Callable

import msgspec
from msgspec import Raw

from wholesale_sandbox.business import Record
from wholesale_sandbox.faults.fault import Case, SentFault
from wholesale_sandbox.faults.records.bodies import (
    Rewrite,
    entries_in,
    is_any,
    is_body,
    rewritten,
)

EITHER = 0.5

_TIME = re.compile(r'"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z"')


def _capital_id(fields: Record, case: Case) -> Record:
    return {**fields, "id": Raw(bytes(fields["id"]).upper())} if "id" in fields else fields


def _either_id(fields: Record, case: Case) -> Record:
    return _capital_id(fields, case) if case.chance.random() < EITHER else fields


def _id_without_dashes(fields: Record, case: Case) -> Record:
    return (
        {**fields, "id": Raw(bytes(fields["id"]).replace(b"-", b""))} if "id" in fields else fields
    )


def _referred(spell: Callable[[bytes], bytes]) -> Rewrite:
    """All references to other records otherwise, those of lines as well; the ids stay."""

    def fields_of(fields: Record) -> Record:
        return {name: value_of(name, value) for name, value in fields.items()}

    def value_of(name: str, value: Raw) -> Raw:
        if name.endswith("_id"):
            return Raw(spell(bytes(value))) if bytes(value)[:1] == b'"' else value
        entries = entries_in(value)
        return value if not entries else Raw(msgspec.json.encode(list(map(fields_of, entries))))

    return lambda fields, case: fields_of(fields)


def _renamed(rename: Callable[[str], str]) -> Rewrite:
    """All names, those of entries in arrays as well."""

    def value_of(literal: Raw) -> Raw:
        entries = entries_in(literal)
        return (
            literal if entries is None else Raw(msgspec.json.encode(list(map(fields_of, entries))))
        )

    def fields_of(fields: Record) -> Record:
        return {rename(name): value_of(value) for name, value in fields.items()}

    return lambda fields, case: fields_of(fields)


def _camel(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])_([a-z0-9])", lambda found: found[1].upper(), name)


def _capitalized(name: str) -> str:
    return name[:1].upper() + name[1:]


def _timed(form: Callable[[re.Match[str]], str]) -> Rewrite:
    """Every time of the record in another form; the moment is the same."""

    def change(fields: Record, case: Case) -> Record:
        return {
            name: Raw(_TIME.sub(form, bytes(value).decode()).encode())
            if name.endswith("_at")
            else value
            for name, value in fields.items()
        }

    return change


def _nine_digits(found: re.Match[str]) -> str:
    return f'"{found[0][1:20]}.{(found[7] or ""):0<9}Z"'


def _comma(found: re.Match[str]) -> str:
    return f'"{found[0][1:20]},{(found[7] or ""):0<6}Z"'


def _basic(found: re.Match[str]) -> str:
    year, month, day, hour, minute, second, fraction = found.groups()
    return f'"{year}{month}{day}T{hour}{minute}{second}{f".{fraction}" if fraction else ""}Z"'


SPELLING_FAULTS: tuple[SentFault, ...] = (
    SentFault(
        "id-in-capitals",
        "the id of a verbose or single record in capital letters, unlike in the list",
        rewritten(is_body, _capital_id),
    ),
    SentFault(
        "id-in-either-case",
        "an id in capital or small letters, as it happens, in each response",
        rewritten(is_any, _either_id),
    ),
    SentFault(
        "id-without-dashes",
        "the id of a verbose or single record without dashes, unlike in the list",
        rewritten(is_body, _id_without_dashes),
    ),
    SentFault(
        "references-in-capitals",
        "references to other records in capital letters, unlike the ids of these",
        rewritten(is_any, _referred(bytes.upper)),
    ),
    SentFault(
        "references-without-dashes",
        "references to other records without dashes, unlike the ids of these",
        rewritten(is_any, _referred(lambda text: text.replace(b"-", b""))),
    ),
    SentFault(
        "references-in-braces",
        "references to other records in braces, unlike the ids of these",
        rewritten(is_any, _referred(lambda text: b'"{%b}"' % text.strip(b'"'))),
    ),
    SentFault(
        "names-in-camel-case", "field names as `orderNumber`", rewritten(is_any, _renamed(_camel))
    ),
    SentFault(
        "names-capitalized",
        "field names as `Order_number`",
        rewritten(is_any, _renamed(_capitalized)),
    ),
    SentFault(
        "times-nine-digits",
        "times with nine digits: `2026-01-02T03:04:05.678900000Z`",
        rewritten(is_any, _timed(_nine_digits)),
    ),
    SentFault(
        "times-comma",
        "times with a comma: `2026-01-02T03:04:05,678900Z`",
        rewritten(is_any, _timed(_comma)),
    ),
    SentFault(
        "times-basic",
        "times in the basic form of ISO 8601: `20260102T030405.6789Z`",
        rewritten(is_any, _timed(_basic)),
    ),
    SentFault(
        "times-without-offset",
        "times of UTC that do not say so: `2026-01-02T03:04:05.6789`",
        rewritten(is_any, _timed(lambda found: f'{found[0][:-2]}"')),
    ),
)

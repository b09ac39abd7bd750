"""The careful decoder loses nothing that was sent, and writes nothing that a load trips over."""

import json
import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
from hypothesis import given

from support.services.drawn_pages import carefully, few_and_many, held_to, rows_of, shaped_pages
from wholesale.api.records import ColumnType
from wholesale.json.page import RawPage
from wholesale.json.strict import NumberText, encodable, parse
from wholesale.names import EXTRA
from wholesale.tables.shapes import TableShape


def number(text: str) -> Fraction:
    return Fraction(Decimal(text))


def instant(text: str, zone: str) -> datetime:
    """The time of a text by another reader than ours, which takes no more than six digits, and no
    midnight at the end of a day; without an offset it is in this zone."""
    text, ends_its_day = re.subn(r"(?<=[Tt ])24", "00", text)
    at = datetime.fromisoformat(re.sub(r"(\.\d{6})0+", r"\1", text))
    at += timedelta(days=ends_its_day)
    return (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone))).astimezone(UTC)


def is_exactly(stored: Any, sent: Any, type_: ColumnType, zone: str) -> bool:
    match type_:
        case "decimal" | "integer":
            return Fraction(stored) == number(sent)
        case "timestamp":
            return bool(stored == instant(sent, zone))
        case "json" | "texts":
            return bool(spelled(parse(stored.encode())) == spelled(sent))
        case "boolean":
            return stored is sent
        case _:
            return bool(stored == str(sent))


def spelled(value: Any) -> Any:
    """The value with its lone surrogates spelled out, as a text column has to have them."""
    match value:
        case NumberText():
            return ("number", str(value))
        case str():
            return encodable(value)
        case dict():
            return {encodable(name): spelled(part) for name, part in value.items()}
        case list():
            return [spelled(part) for part in value]
        case _:
            return value


def is_as_sent(kept: Any, sent: Any) -> bool:
    if isinstance(sent, NumberText):
        return bool(kept == str(sent))
    if isinstance(sent, str):
        return bool(kept == encodable(sent))
    return bool(spelled(parse(kept.encode())) == spelled(sent))


def entries_of(value: Any) -> list[Any]:
    """The entries of a child table in this value: those of a list; anything else has none."""
    return value if isinstance(value, list) else []


def check_object(sent: dict[str, Any], row: dict[str, Any], shape: TableShape) -> None:
    extra = json.loads(row[EXTRA] or "{}")
    for name, value in sent.items():
        if value is None or (name in shape.child_of and isinstance(value, list)):
            continue
        if encodable(name) in extra:
            assert is_as_sent(extra.pop(encodable(name)), value)
        else:
            mapping = shape.mapping_of[name]
            kept = row[mapping.column]
            assert is_exactly(kept, value, mapping.type, shape.zone), (name, value, row)
    assert extra == {}, "nothing is made up"


@few_and_many
def test_nothing_that_was_sent_is_lost(examples: int) -> None:
    @held_to(examples)
    @given(shaped_pages)
    def hold(given_: tuple[TableShape, list[RawPage]]) -> None:
        shape, pages = given_
        decoded = carefully(pages, shape)
        rows = rows_of(decoded)
        quarantined = {(record.page, record.index): record.body for record in decoded.quarantined}
        root = iter(rows[shape.table])
        children: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
        for child in decoded.shape.children:
            for owner, row in rows[child.table]:
                children[child.table, owner].append(row)
        for page in pages:
            for index, record in enumerate(parse(page.records)):
                if body := quarantined.pop((page.number, index), None):
                    assert spelled(parse(body.encode())) == spelled(record)
                    continue
                owner, row = next(root)
                check_object(record, row, decoded.shape)
                for child in decoded.shape.children:
                    entries = entries_of(record.get(child.field))
                    found = children.pop((child.table, owner), [])
                    assert [row[child.number] for row in found] == [*range(1, len(entries) + 1)]
                    for entry, row in zip(entries, found, strict=True):
                        sent = entry if isinstance(entry, dict) else {"entry": entry}
                        check_object(sent, row, child)
        assert not quarantined
        assert not children
        assert next(root, None) is None

    hold()


@few_and_many
def test_no_json_column_can_poison_a_load(examples: int) -> None:
    @held_to(examples)
    @given(shaped_pages)
    def hold(given_: tuple[TableShape, list[RawPage]]) -> None:
        shape, pages = given_
        decoded = carefully(pages, shape)
        written = [record.body for record in decoded.quarantined]
        for table in decoded.shape.tables:
            columns = [
                mapping.column for mapping in table.mappings if mapping.type in ("json", "texts")
            ]
            for column in [*columns, EXTRA]:
                written += decoded.tables[table.table][column].drop_null().to_pylist()
        if written:
            sent_back = connection.execute("select unnest(?::varchar[])::json::varchar", [written])
            assert [text for (text,) in sent_back.fetchall()] == written

    with duckdb.connect() as connection:
        hold()

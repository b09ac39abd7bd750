"""Both decoders give the same tables, nothing is lost by either, and no value can poison a load."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from dlt.common.normalizers.naming.snake_case import NamingConvention
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wholesale.api.records import ColumnType
from wholesale.api.resources import RESOURCE
from wholesale.pages.page import RawPage
from wholesale.pages.strict_json import NumberText, encodable, parse
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoded import Decoded, join
from wholesale.tables.decoder import decode
from wholesale.tables.fast import NotFast, decode_fast
from wholesale.tables.shapes import DELETED_AT, EXTRA, REMOVED, TableShape, column_name, shape_of

generously = settings(
    max_examples=250,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
SOME_RESOURCES = ("orders", "vendors", "items", "prices", "buyer_users")

# Values are drawn as JSON text, so that every spelling can be sent.
digits = st.text("0123456789", min_size=1, max_size=31)
whole = st.one_of(st.just("0"), st.integers(1, 10**29).map(str))
signs = st.sampled_from(["", "-"])
exponents = st.one_of(
    st.just(""),
    st.builds("{}{}{}".format, st.sampled_from("eE"), signs, st.integers(0, 40)),
    st.sampled_from(["e400", "E-400", "e+9", "e99999999"]),
)
numbers = st.builds(
    "{}{}{}{}".format,
    signs,
    whole,
    st.one_of(st.just(""), digits.map(lambda text: f".{text[:12]}")),
    exponents,
)
fitting_numbers = st.one_of(
    st.builds("{}{}.{}".format, signs, whole, st.text("0123456789", min_size=1, max_size=9)),
    st.sampled_from(["12.50", "1e3", "1E-9", "-0", "9" * 29 + "." + "9" * 9, "-" + "9" * 29]),
)
texts = st.one_of(
    st.text(max_size=12),
    st.text(st.characters(max_codepoint=0x2F), max_size=4),
    st.sampled_from(["", " ", "null", "NaN", "\x00", "\u2028", '"\\/', "😀", "0012", "é"]),
)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=len(text) % 2 == 0 or encodable(text) != text)


offsets = st.one_of(
    st.sampled_from(["Z", "+00:00", "-00:00", "+0530", "+05", "-11:59", "+23:59", "+14:00"]),
    st.sampled_from(["", "z", "+24:00", "+05:60", " Z", "UTC", "+5:30", "-0"]),
)
moments = st.builds(
    "{}{}{}{}".format,
    st.dates().map(str),
    st.sampled_from(["T", " ", "T", "t"]),
    st.one_of(
        st.times().map(lambda at: at.isoformat()),
        st.times().map(lambda at: at.isoformat("minutes")),
        st.sampled_from(["24:00:00", "23:59:60", "12", "10:20:30.1234567", "10:20:30.1234560"]),
    ),
    offsets,
)
good_moments = st.builds(
    "{}T{}{}".format,
    st.dates().map(str),
    st.times().map(lambda at: at.isoformat()),
    st.sampled_from(["Z", "+00:00", "-07:00", "+0530", "+05"]),
)
dates = st.one_of(moments, st.dates().map(str), st.sampled_from(["", "0", "2024-02-30T00:00:00Z"]))
names = st.one_of(
    st.sampled_from(["fooBar", "foo_bar", "Colour ", "größe", "1st", "moq", "email", "paid_at"]),
    st.sampled_from([EXTRA, DELETED_AT, REMOVED, "_dlt_id", "order_id", "line_number", "options"]),
    st.sampled_from(["", "цена", "a\x00b", "a\ud800", "order_line_items", "values", "price"]),
    st.text(max_size=5),
)


def as_object(members: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: {value}" for name, value in members.items()) + "}"


anything = st.recursive(
    st.one_of(
        st.sampled_from(["null", "true", "false", "[]", "{}", "1e400", '"\\ud83d"', '"\\u0000"']),
        numbers,
        numbers.map(quoted),
        texts.map(quoted),
        dates.map(quoted),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: "[" + ",".join(parts) + "]"),
        st.dictionaries(texts, inner, max_size=3).map(as_object),
    ),
    max_leaves=4,
)
USUAL: Mapping[ColumnType, st.SearchStrategy[str]] = {
    "key": st.uuids().map(lambda guid: quoted(str(guid))),
    "text": texts.map(quoted),
    "decimal": st.one_of(fitting_numbers, fitting_numbers.map(quoted)),
    "integer": st.one_of(st.integers(-(2**63), 2**63 - 1).map(str), st.sampled_from(["0", "-0"])),
    "boolean": st.sampled_from(["true", "false"]),
    "timestamp": good_moments.map(quoted),
    "json": st.just("null"),
    "texts": st.lists(texts.map(quoted), max_size=3).map(lambda parts: "[" + ",".join(parts) + "]"),
}
UNUSUAL: Mapping[ColumnType, st.SearchStrategy[str]] = {
    "key": st.sampled_from(['"a"', '" "', "1", "1.0", '"a b"', '"é"', '"\\u0000"', '""', "null"]),
    "text": st.one_of(numbers, st.just('"\\udc00"')),
    "decimal": st.one_of(
        numbers, numbers.map(quoted), st.sampled_from(['"1,000"', '"NaN"', '"."'])
    ),
    "integer": st.sampled_from(["3.0", '"3"', "3.5", "1e3", "9223372036854775808", '"0x1"']),
    "boolean": st.sampled_from(["1", '"true"']),
    "timestamp": dates.map(quoted),
    "json": anything,
    "texts": st.sampled_from(["[1]", '["a",null]', '["\\u0001"]', '[["a"]]', '"a"', '["\\ud83d"]']),
}


@st.composite
def objects(draw: st.DrawFn, shape: TableShape, is_usual: bool) -> str:
    """An object with some of the fields of the shape, and where unusual with others besides."""
    members = {}
    some = st.lists(st.sampled_from(shape.mappings), unique=True, max_size=8)
    for mapping in draw(some) if shape.mappings else ():
        choices = [USUAL[mapping.type], st.just("null")]
        choices += [] if is_usual else [UNUSUAL[mapping.type], anything]
        members[mapping.field] = draw(st.one_of(choices))
    for child in shape.children:
        if draw(st.booleans()):
            entry = st.one_of(objects(child, is_usual), st.just("null"))
            entries = st.lists(entry, max_size=3).map(lambda parts: "[" + ",".join(parts) + "]")
            others = [st.just("null")] if is_usual else [st.just("null"), anything]
            members[child.field] = draw(st.one_of(entries, entries, *others))
    if not is_usual:
        for name, value in draw(st.dictionaries(names, anything, max_size=2)).items():
            members.setdefault(name, value)
    if shape.is_root and ("id" not in members or is_usual):
        members["id"] = draw(USUAL["key"])
    return as_object(members)


@st.composite
def lists_of_pages(draw: st.DrawFn, shape: TableShape) -> list[RawPage]:
    pages = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        is_usual = draw(st.integers(0, 3)) > 0
        record = objects(shape, is_usual)
        others = st.sampled_from(["null", "1", '"a"', "[]", "{}", "true"])
        records = draw(st.lists(record if is_usual else st.one_of(record, others), max_size=4))
        text = "[" + ",\n ".join(records) + "]"
        parent = "parent-1" if shape.parent_column else None
        pages.append(RawPage(text.encode(), number, parent))
    return pages


shaped = st.sampled_from(SOME_RESOURCES).map(lambda name: shape_of(RESOURCE[name]))
shaped_pages = shaped.flatmap(lambda shape: st.tuples(st.just(shape), lists_of_pages(shape)))


def carefully(pages: Iterable[RawPage], shape: TableShape) -> Decoded:
    parts = []
    for page in pages:
        part = decode_carefully(page, shape)
        parts.append(part)
        shape = part.shape
    return join(parts, shape)


def rows_of(decoded: Decoded) -> dict[str, list[tuple[int, dict[str, Any]]]]:
    """Rows of every table with the root row they belong to, in an order that both decoders have."""
    root = decoded.root.to_pylist()
    rows = {decoded.shape.table: list(enumerate(root))}
    for child in decoded.shape.children:
        owners = decoded.owners[child.table].to_pylist()
        owned = zip(owners, decoded.tables[child.table].to_pylist(), strict=True)
        rows[child.table] = sorted(owned, key=lambda row: (row[0], row[1][child.number]))
        assert [root[owner]["id"] for owner, _ in rows[child.table]] == [
            row[child.parent_key] for _, row in rows[child.table]
        ]
    return rows


def test_both_decoders_give_the_same_tables() -> None:
    read: Counter[str] = Counter()

    @generously
    @given(shaped_pages)
    def hold(given_: tuple[TableShape, list[RawPage]]) -> None:
        shape, pages = given_
        careful = carefully(pages, shape)
        for known in (shape, careful.shape):
            try:
                fast = decode_fast(pages, known)
            except NotFast:
                read["carefully"] += 1
                continue
            read["fast"] += 1
            careful = carefully(pages, known)
            assert rows_of(fast) == rows_of(careful)
            assert (fast.shape, fast.records) == (careful.shape, careful.records)
            assert (careful.quarantined, careful.misfits) == ((), ())
            schemas = {name: table.schema for name, table in careful.tables.items()}
            assert {name: table.schema for name, table in fast.tables.items()} == schemas

    hold()
    assert read["fast"] > 50, "the property holds nothing if the fast decoder never reads"
    assert read["carefully"] > 50, "nor if it reads everything"


@pytest.mark.parametrize(
    ("resource", "record"),
    [
        ("orders", {"total": number})
        for number in (
            *("0", "-0.0", "12.5", '"12.50"', "1e3", "1e28", "1e29", "-1e29", "3.4e29", '"1e29"'),
            *("9" * 29 + "." + "9" * 9, "9" * 29 + ".9999999990", "9" * 30, "0.0000000001"),
            *("1e400", '" 1"', '"1_0"', '"NaN"', '"+.5"', '""', "true", "[]", "null"),
        )
    ]
    + [
        ("orders", {"created_at": f'"{day}T{time}{offset}"'})
        for day in ("0001-01-01", "2024-02-29", "2023-02-29", "9999-12-31", "0000-01-01")
        for time in ("00:00:00", "23:59:59.999999", "23:59:60", "24:00:00", "12:00")
        for offset in ("", "Z", "z", "+01:00", "-01:00", "+2359", "-14", "+24:00", "+05:60")
    ]
    + [
        ("items", {"moq": number})
        for number in ("3", "-0", "3.0", '"3"', "9223372036854775807", "9223372036854775808")
    ]
    + [
        ("items", {"options": f'[{{"name": null, "values": {texts}}}, null, {{}}]'})
        for texts in (
            *("[]", "null", '["a","b"]', '["a",null]', "[null]", "[1]", '"a"', '[["a"]]'),
            *('["\\u0000"]', '["\\u001f"]', '["\\u007f"]', '["\\"\\\\/"]', '["\\ud83d\\ude00"]'),
        )
    ]
    + [
        ("orders", {"order_line_items": lines, "order_comments": "[null]"})
        for lines in ("null", "[]", "[null]", '[{"sku":"a"},null,{"quantity":2}]', '"a"', "{}")
    ]
    + [
        ("vendors", {field: value})
        for field in ("id", "name", "shipping_scheme")
        for value in ('"a"', '"a b"', '"\\u0000"', '"\\udc00"', "1", "1.50", "true", "{}", "null")
    ],
    ids=str,
)
def test_both_decoders_agree_on_each_odd_value_alone(resource: str, record: dict[str, str]) -> None:
    shape = shape_of(RESOURCE[resource])
    page = RawPage(f"[{as_object({'id': quoted('x')} | record)}]".encode())
    careful = decode_carefully(page, shape)

    try:
        fast = decode_fast([page], careful.shape)
    except NotFast:
        return
    assert rows_of(fast) == rows_of(decode_carefully(page, careful.shape))


def number(text: str) -> Fraction:
    return Fraction(Decimal(text))


def instant(text: str) -> datetime:
    """The time of a text by another reader than ours, which takes no more than six digits."""
    at = datetime.fromisoformat(re.sub(r"(\.\d{6})0+", r"\1", text))
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


def is_exactly(stored: Any, sent: Any, type_: ColumnType) -> bool:
    match type_:
        case "decimal" | "integer":
            return Fraction(stored) == number(sent)
        case "timestamp":
            return bool(stored == instant(sent))
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


def check_object(sent: dict[str, Any], row: dict[str, Any], shape: TableShape) -> None:
    extra = json.loads(row[EXTRA] or "{}")
    for name, value in sent.items():
        if value is None or (name in shape.child_of and isinstance(value, list)):
            continue
        if encodable(name) in extra:
            assert is_as_sent(extra.pop(encodable(name)), value)
        else:
            mapping = shape.mapping_of[name]
            assert is_exactly(row[mapping.column], value, mapping.type), (name, value, row)
    assert extra == {}, "nothing is made up"


@generously
@given(shaped_pages)
def test_nothing_that_was_sent_is_lost(given_: tuple[TableShape, list[RawPage]]) -> None:
    shape, pages = given_
    decoded = decode(pages, shape)
    rows = rows_of(decoded)
    quarantined = {(one.page, one.index): one.body for one in decoded.quarantined}
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
                entries = record.get(child.field)
                entries = entries if isinstance(entries, list) else []
                found = children.pop((child.table, owner), [])
                assert [one[child.number] for one in found] == [*range(1, len(entries) + 1)]
                for entry, one in zip(entries, found, strict=True):
                    sent = entry if isinstance(entry, dict) else {"entry": entry}
                    check_object(sent, one, child)
    assert not quarantined
    assert not children
    assert next(root, None) is None


@generously
@given(shaped_pages)
def test_no_json_column_can_poison_a_load(given_: tuple[TableShape, list[RawPage]]) -> None:
    shape, pages = given_
    decoded = decode(pages, shape)
    written = [one.body for one in decoded.quarantined]
    for table in decoded.shape.tables:
        columns = [
            mapping.column for mapping in table.mappings if mapping.type in ("json", "texts")
        ]
        for column in [*columns, EXTRA]:
            written += decoded.tables[table.table][column].drop_null().to_pylist()
    if written:
        sent_back = CONNECTION.execute("select unnest(?::varchar[])::json::varchar", [written])
        assert [text for (text,) in sent_back.fetchall()] == written


CONNECTION = duckdb.connect()


@generously
@given(
    st.one_of(st.text(max_size=90), st.from_regex(r"[a-zA-Z0-9_ +*@|$.-]{1,90}", fullmatch=True))
)
def test_dlt_leaves_our_column_names_alone(name: str) -> None:
    column = column_name(name)
    assert len(column) <= 60
    assert column_name(column) == column
    if column:
        assert NamingConvention().normalize_identifier(column) == column

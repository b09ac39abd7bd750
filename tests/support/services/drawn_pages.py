"""Drawn pages: records of any spelling as JSON text, drawn by hypothesis, and what came of them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from support.few import by_hand
from wholesale.api.records import ColumnType
from wholesale.api.resources import RESOURCE
from wholesale.json.page import RawPage
from wholesale.json.strict import encodable
from wholesale.names import DELETED_AT, EXTRA, REMOVED
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoded import Decoded, join
from wholesale.tables.shapes import TableShape, shape_of

few_and_many = pytest.mark.parametrize(
    "examples", [60, pytest.param(300, marks=pytest.mark.slow), by_hand(2_000)]
)
"""How many examples a property is held to: few at every change, many where there is time."""


def held_to(examples: int) -> settings:
    """The same examples in each run."""
    return settings(
        max_examples=examples,
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
    st.sampled_from(["Z", "+00:00", "-07:00", "+0530", "+05", ""]),
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


shaped = st.builds(
    lambda name, zone: shape_of(RESOURCE[name]).in_zone(zone),
    st.sampled_from(SOME_RESOURCES),
    st.sampled_from(["UTC", "Europe/Vienna", "America/New_York"]),
)
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

"""A number is read exactly, or not at all, whatever its length and its exponent."""

import json
from decimal import ROUND_HALF_EVEN, Context, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.services.drawn_pages import few_and_many, held_to, quoted
from wholesale.api.resources import RESOURCE, RESOURCES
from wholesale.json.page import RawPage
from wholesale.tables.decoded import Decoded
from wholesale.tables.decoder import decode
from wholesale.tables.lines import Lines
from wholesale.tables.numbers import PART, may_misread
from wholesale.tables.shapes import TableShape, shape_of

ITEMS = shape_of(RESOURCE["items"])
DIGITS = "0123456789"
EXACT = Context(prec=500, Emax=10**12, Emin=-(10**12), rounding=ROUND_HALF_EVEN)
NINE = Decimal("1e-9")
LARGEST = EXACT.subtract(Decimal(10) ** 29, NINE)

runs = st.one_of(
    st.text(DIGITS, min_size=1, max_size=12),
    st.text(DIGITS, min_size=1, max_size=200),
    st.builds("{}{}".format, st.sampled_from(["", "1", "7"]), st.integers(1, 200).map("0".__mul__)),
)
exponents = st.builds(
    "{}{}{}{}".format,
    st.sampled_from("eE"),
    st.sampled_from(["", "+", "-"]),
    st.sampled_from(["", "0", "0000000000"]),
    st.one_of(st.integers(0, 45), st.integers(0, 10**10 - 1)),
)
exponents_or_none = st.one_of(st.just(""), exponents)
whole = runs.map(lambda run: run.lstrip("0") or "0")
json_numbers = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-"]),
    whole,
    st.one_of(st.just(""), runs.map(".{}".format)),
    exponents_or_none,
)
blanks = st.sampled_from(["", "", " ", "\t", "\r\n", "\u00a0", "   "])
number_texts = st.builds(
    "{}{}{}{}{}".format,
    blanks,
    st.sampled_from(["", "-", "+", "--", "+ "]),
    st.one_of(
        runs,
        st.builds("{}.{}".format, runs, runs),
        runs.map("{}.".format),
        runs.map(".{}".format),
        st.sampled_from([".", "", "1_0", "1,5", "0x1", "NaN", "Infinity", "\u0661"]),
    ),
    exponents_or_none,
    blanks,
)
escaped = st.builds(
    lambda text: '"' + "".join(f"\\u{ord(c):04x}" for c in text) + '"', number_texts
)
values = st.one_of(json_numbers, number_texts.map(json.dumps), escaped)


def paths(type_: str) -> list[tuple[TableShape, str, str]]:
    """The shape of a resource, one of its tables, and a column of this type there."""
    shapes = [shape_of(resource) for resource in RESOURCES]
    return [
        (shape, table.table, mapping.field)
        for shape in shapes
        for table in shape.tables
        for mapping in table.mappings
        if mapping.type == type_
    ]


def rows_with(
    shape: TableShape, table: str, field: str, sent: list[str]
) -> list[dict[str, object]]:
    """The rows of a table in which this field has these values, a record each, all on one page."""
    child = next((each.field for each in shape.children if each.table == table), None)
    members = [f'"{field}":{value}' for value in sent]
    if child:
        members = [f'"{child}":[{{{member}}}]' for member in members]
    records = ",".join(f'{{"id":"{place}",{member}}}' for place, member in enumerate(members))
    return list(decode([RawPage(f"[{records}]".encode())], shape).tables[table].to_pylist())


def as_sent(value: str) -> str:
    return str(json.loads(value)) if value.startswith('"') else value


def number_of(text: str) -> Decimal | None:
    """The number that Python takes the text for, but for underscores, words and other digits."""
    text = text.strip()
    if not text.isascii() or set(text) - set(DIGITS + "+-.eE"):
        return None
    try:
        return EXACT.create_decimal(text)
    except ArithmeticError:
        return None


@few_and_many
def test_a_decimal_is_what_python_takes_it_for_or_nothing(examples: int) -> None:
    columns = paths("decimal")

    @held_to(examples * 3)
    @given(st.sampled_from(columns), st.lists(values, min_size=1, max_size=4))
    def hold(column: tuple[TableShape, str, str], sent: list[str]) -> None:
        shape, table, field = column
        alone = [rows_with(shape, table, field, [value])[0] for value in sent]
        assert [row[field] for row in rows_with(shape, table, field, sent)] == [
            row[field] for row in alone
        ]
        for value, row in zip(sent, alone, strict=True):
            number, stored = number_of(as_sent(value)), row[field]
            kept = json.loads(str(row["_extra"])).get(field) if row["_extra"] else None
            if kept is None:
                assert number is not None
                assert stored == number
                continue
            assert kept == as_sent(value)
            if stored is not None:
                assert number is not None
                assert stored == number.quantize(NINE, context=EXACT) != number
            elif number is not None:
                size = number.copy_abs()
                assert size > LARGEST or 0 < size < NINE

    hold()


@few_and_many
@pytest.mark.parametrize("type_", ["integer", "timestamp"])
def test_no_number_or_time_is_read_for_another(type_: str, examples: int) -> None:
    columns = paths(type_)
    years = st.builds(
        "{}-{}-{}T{}:{}:{}{}".format, runs, runs, runs, runs, runs, runs, exponents_or_none
    )

    @held_to(examples)
    @given(
        st.sampled_from(columns),
        st.lists(st.one_of(values, years.map(quoted)), min_size=1, max_size=4),
    )
    def hold(column: tuple[TableShape, str, str], sent: list[str]) -> None:
        shape, table, field = column
        for value, row in zip(sent, rows_with(shape, table, field, sent), strict=True):
            number = number_of(as_sent(value))
            if row["_extra"]:
                assert json.loads(str(row["_extra"])) == {field: as_sent(value)}
            elif type_ == "integer":
                assert row[field] == number

    hold()


@pytest.mark.parametrize("value", ["1e-999999999", "0e-999999999", "-7e29", "7E+32", "1e-48"])
@pytest.mark.parametrize("is_text", [True, False])
def test_what_a_decimal_cannot_hold_is_kept_as_sent_and_nothing_else(
    value: str, is_text: bool
) -> None:
    sent = quoted(value) if is_text else value

    decoded = decode(
        [RawPage(f'[{{"id":"a","msrp":{sent}}}, {{"id":"b","msrp":2.5}}]'.encode())], ITEMS
    )

    kept = (None, json.dumps({"msrp": value}, separators=(",", ":")))
    first = (Decimal(0), None) if value.startswith("0") else kept
    assert amounts(decoded) == [first, (Decimal("2.5"), None)]


def amounts(decoded: Decoded) -> list[tuple[object, object]]:
    return [(row["msrp"], row["_extra"]) for row in decoded.root.to_pylist()]


def misreads(record: str, *, decimals: tuple[str, ...] = ("msrp", "map")) -> bool:
    return may_misread(Lines.of([RawPage(f"[{record}]".encode())]).text, decimals)


@pytest.mark.parametrize(
    "value",
    [
        *("1e-99", "1E+10", "0e-10", "1.5e22", "1e-999999999", "123456789012345678901e5"),
        *("1" * 30, "0." + "0" * 30, '"1.e-50"', '"+1e-99"', '"-1E99"', '"' + "0" * 31 + '"'),
        *('"\\u0031e-99"', '"1\\u0065-99"', '"1e\\u002d99"', '"1e\\u002b99"', '"\\u002b1e-99"'),
        '"1e-9\\u0039"',
    ],
)
def test_numbers_that_arrow_misreads_are_found(value: str) -> None:
    records = [
        f'{{"msrp":{value}}}',
        f'{{"a":[],"map" :\n {value} }}',
        f'{{"msrp":1}},{{"map":{value}}}',
    ]

    assert [misreads(record) for record in records] == [True, True, True]
    assert misreads(f'{{"größe":{value}}}', decimals=("größe",))


@pytest.mark.parametrize(
    "record",
    [
        '{"msrp":12.5,"map":"12.50"}',
        '{"msrp":1e3,"map":"-1.5E-7"}',
        '{"msrp":12345678901234567890e9}',
        '{"msrp":' + "9" * 29 + "." + "9" * 29 + "}",
        '{"sku":"12E45","tracking":"' + "9" * 40 + '","msrp":1}',
        '{"id":"12345e67-1234-1234-1234-12e456789012","msrp":1}',
        '{"msrp":1,"image":"data:image/png;base64,' + "1e1" * 50 + '"}',
        '{"phone":"\\u002b43 1 2345","title":"\\u003cb\\u003e \\"x\\" \\n","msrp":1}',
        '{"other":1e-99}',
        "",
    ],
)
def test_what_else_looks_like_a_number_costs_no_care(record: str) -> None:
    assert not misreads(record)
    assert not misreads('{"msrp":1e-99}', decimals=())


@pytest.mark.parametrize("record", ['{"a":"\\u0000"}', '{"\\u006dsrp":1}', '{"a":"\\u0041"}'])
def test_escapes_that_nobody_needs_are_read_with_care(record: str) -> None:
    assert misreads(record)


@pytest.mark.parametrize("shift", range(0, 24, 3))
def test_a_number_is_found_wherever_it_stands(shift: int) -> None:
    for number in ("1.234567e-99", "7" * 30):
        filling = "x" * (PART - shift - len('{"data":[{"a":"'))
        assert misreads(f'{{"a":"{filling}","msrp":{number}}}')
        assert misreads(f'{{"a":"{filling}"}},{{"msrp":{number}}}')


def test_no_pages_are_read_as_they_are() -> None:
    assert not may_misread(Lines.of([]).text, ("msrp",))

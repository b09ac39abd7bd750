"""Each reader takes a value exactly or not at all."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from wholesale.api.records import ColumnType
from wholesale.json.strict import parse
from wholesale.tables.values import READERS, Rounded, Unreadable, as_sent, fits

NO = object()
"""Stands for: unreadable."""


def read(type_: ColumnType, text: str) -> Any:
    try:
        return READERS[type_](parse(text.encode()))
    except Unreadable:
        return NO


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('"7f0e7c2e-0f4b-4f6e-9a51-8f5f6f0b8f11"', "7f0e7c2e-0f4b-4f6e-9a51-8f5f6f0b8f11"),
        ("12", "12"),
        ("1.0", "1.0"),
        ('"a b"', "a b"),
        ('"é"', "é"),
        ('""', NO),
        ('"  "', NO),
        ('"a\\n"', NO),
        ('"\\u0000"', NO),
        ('"\\ud800"', NO),
        ("true", NO),
        ("[]", NO),
        ('{"a":1}', NO),
    ],
)
def test_an_id_is_printable_text_or_a_number_in_its_literal(text: str, key: object) -> None:
    assert read("key", text) == key


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ('"a"', "a"),
        ('""', ""),
        ('" a "', " a "),
        ('"NaN"', "NaN"),
        ('"a\\u0000b"', NO),
        ('"😀"', "😀"),
        ("01234".lstrip("0"), "1234"),
        ("1.50", "1.50"),
        ("1e3", "1e3"),
        ('"\\ud83d"', NO),
        ("true", NO),
        ("[]", NO),
        ("{}", NO),
    ],
)
def test_text_is_kept_as_sent_and_a_number_keeps_its_literal(text: str, stored: object) -> None:
    assert read("text", text) == stored


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12.5", "12.500000000"),
        ('"12.50"', "12.500000000"),
        ("1e3", "1000.000000000"),
        ('"1E+3"', "1000.000000000"),
        ('"+5"', "5.000000000"),
        ('".5"', "0.500000000"),
        ('" 12.50 "', "12.500000000"),
        ('"\\t+.5\\r\\n"', "0.500000000"),
        ('"\\u202f1e3\\u00a0"', "1000.000000000"),
        ("1e-" + "0" * 90 + "1", "0.100000000"),
        ('"5."', "5.000000000"),
        ('"0012"', "12.000000000"),
        ("-0.10", "-0.100000000"),
        ("1e-9", "0.000000001"),
        ("0.1000000000000", "0.100000000"),
        ("1e28", "1" + "0" * 28 + ".000000000"),
        ("9" * 29, "9" * 29 + ".000000000"),
        ("9" * 29 + "." + "9" * 9, "9" * 29 + "." + "9" * 9),
        ("-" + "9" * 29 + "." + "9" * 9 + "000", "-" + "9" * 29 + "." + "9" * 9),
        ("1" + "0" * 400 + "e-400", "1.000000000"),
        ("0." + "0" * 400 + "1e401", "1.000000000"),
    ],
)
def test_decimal_is_read_exactly(text: str, amount: str) -> None:
    found = read("decimal", text)

    assert isinstance(found, Decimal)
    assert f"{found:f}" == amount


@pytest.mark.parametrize(
    "text",
    ["0", "-0", '"0.00"', "0e400", '"0e999999"', "0e-9999999999", '"0.0E+9999999999"', '"-0.000"'],
)
def test_zero_is_zero_in_every_spelling(text: str) -> None:
    assert str(read("decimal", text)) == "0"


@pytest.mark.parametrize(
    "text",
    [
        "1e29",
        "-1e29",
        "1" + "0" * 29,
        "1e400",
        '"1e999999"',
        '"1e-999999"',
        "1e-999999999",
        "1e9999999999",
        '"1e-999999999"',
        '"1 2"',
        '"- 1"',
        '"1 e3"',
        '" "',
        '"1e9999999"',
        "9" * 29 + "." + "9" * 10,
        '"NaN"',
        '"Infinity"',
        '"1,234.50"',
        '"1_000"',
        '"1.234,50"',
        '"$5"',
        '"0x10"',
        '"\uff11\uff12"',
        '"."',
        '"-"',
        '""',
        '"1e"',
        "true",
        "[]",
        "{}",
    ],
)
def test_what_is_no_decimal_of_29_and_9_digits_is_unreadable(text: str) -> None:
    assert read("decimal", text) is NO


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        ("3.0", 3),
        ("3e0", 3),
        ("1e18", 10**18),
        ("-0", 0),
        ('"3"', 3),
        ('"003"', 3),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775808", NO),
        ('"-9223372036854775809"', NO),
        ('"99999999999999999999"', NO),
        ("1e19", NO),
        ("1e400", NO),
        ("3.5", NO),
        ("3.0000000001", NO),
        ('"3.0"', 3),
        ('"2.000"', 2),
        ('"+3"', 3),
        ('"0.55"', NO),
        ('" 3"', 3),
        ('"\\t-3\\r\\n"', -3),
        ('"\\u00a03 "', 3),
        ('" 3.0 "', 3),
        ('"- 3"', NO),
        ('"3 4"', NO),
        ('"  "', NO),
        ('"٣"', NO),
        ('"' + "9" * 5000 + '"', NO),
        ("true", NO),
        ("[3]", NO),
    ],
)
def test_an_integer_is_read_from_a_number_that_equals_one_or_from_digits(
    text: str, number: object
) -> None:
    assert read("integer", text) == number


def test_boolean_takes_only_the_two() -> None:
    assert [read("boolean", text) for text in ("true", "false")] == [True, False]
    assert [read("boolean", text) for text in ("1", "0", '"true"', "[]")] == [NO] * 4


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2024-02-29", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2024-01-02T03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02 03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04Z", datetime(2024, 1, 2, 3, 4, tzinfo=UTC)),
        ("2024-01-02T03Z", datetime(2024, 1, 2, 3, tzinfo=UTC)),
        ("2024-01-02T03:04:05.1Z", datetime(2024, 1, 2, 3, 4, 5, 100_000, tzinfo=UTC)),
        ("2024-01-02T03:04:05.123456Z", datetime(2024, 1, 2, 3, 4, 5, 123_456, tzinfo=UTC)),
        ("2024-01-02T03:04:05.123456000Z", datetime(2024, 1, 2, 3, 4, 5, 123_456, tzinfo=UTC)),
        ("2024-01-02T03:04:05+05:30", datetime(2024, 1, 1, 21, 34, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05+0530", datetime(2024, 1, 1, 21, 34, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05-05", datetime(2024, 1, 2, 8, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05-00:00", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02t03:04:05z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05,5Z", datetime(2024, 1, 2, 3, 4, 5, 500_000, tzinfo=UTC)),
        ("20240102T030405Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("20240102T030405.25+0530", datetime(2024, 1, 1, 21, 34, 5, 250_000, tzinfo=UTC)),
        ("2024-W01-2T03:04Z", datetime(2024, 1, 2, 3, 4, tzinfo=UTC)),
        ("2024W012", datetime(2024, 1, 2, tzinfo=UTC)),
        ("2024-060", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2024366T235959Z", datetime(2024, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("2026-03-31T24:00:00Z", datetime(2026, 4, 1, tzinfo=UTC)),
        ("20260331T2400Z", datetime(2026, 4, 1, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
    ],
)
def test_timestamp_becomes_utc(text: str, at: datetime) -> None:
    found = read("timestamp", f'"{text}"')

    assert found == at
    assert found.tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    [
        '"2024-02-30T00:00:00Z"',
        '"2024-01-02T24:00:01Z"',
        '"2024-01-02T24:00:00.5Z"',
        '"2024-01-02T03.5Z"',
        '"2024-000"',
        '"2023-366"',
        '"2024-W54-1"',
        '"2024-01-02T23:58:60Z"',
        '"2024-01-02T03:04:05 Z"',
        '"2024-01-02T03:04:05+24:00"',
        '"2024-01-02T03:04:05+5:30"',
        '"2024-01-02T03:04:05 UTC"',
        '"02/01/2024"',
        '"2024-1-2"',
        '" 2024-01-02"',
        '"2024-01-02\\n"',
        '"0000-01-01"',
        '"10000-01-01"',
        '"0001-01-01T00:00:00+01:00"',
        '"9999-12-31T23:59:59-01:00"',
        '"٢٠٢٤-01-02"',
        '""',
        "1704164645",
        "true",
        "{}",
    ],
)
def test_what_is_no_such_time_is_unreadable(text: str) -> None:
    assert read("timestamp", text) is NO


@pytest.mark.parametrize(
    ("type_", "text", "near"),
    [
        ("decimal", "1230.5600000000002", Decimal("1230.560000000")),
        ("decimal", '"12.1234567895"', Decimal("12.123456790")),
        ("decimal", "0.0000000005", Decimal("0E-9")),
        ("decimal", "0.0000000015", Decimal("0.000000002")),
        ("decimal", "-1e-10", Decimal("0E-9")),
        (
            "timestamp",
            '"2024-01-02T03:04:05.123456789Z"',
            datetime(2024, 1, 2, 3, 4, 5, 123_456, tzinfo=UTC),
        ),
        ("timestamp", '"2016-12-31T23:59:60Z"', datetime(2017, 1, 1, tzinfo=UTC)),
        ("timestamp", '"2017-01-01T00:59:60+01:00"', datetime(2017, 1, 1, tzinfo=UTC)),
    ],
)
def test_what_is_too_fine_for_its_column_is_rounded_half_to_even_and_times_are_cut(
    type_: ColumnType, text: str, near: object
) -> None:
    value = parse(text.encode())

    with pytest.raises(Rounded) as rounded:
        READERS[type_](value)

    assert rounded.value.value == near
    assert fits(type_, value)


def test_json_takes_everything_as_it_is() -> None:
    sent = ["1e400", "true", '"a"', '{"a":[1.50]}', "[]"]

    assert [read("json", text) for text in sent] == sent


def test_texts_take_arrays_only() -> None:
    sent = ['["a","b"]', "[]", '[1,null,"\\u0001"]', '"a"', "1", '{"a":1}']

    assert [read("texts", text) for text in sent] == [*sent[:3], NO, NO, NO]


def test_what_is_kept_beside_a_row_is_as_sent() -> None:
    sent = ['"a b"', "1e400", "true", '{"a":1.50}', '"\\ud800"']

    assert [as_sent(parse(text.encode())) for text in sent] == [
        "a b",
        "1e400",
        "true",
        '{"a":1.50}',
        "\\ud800",
    ]


def test_fits_says_what_read_would_do() -> None:
    assert fits("integer", parse(b"3.0"))
    assert not fits("integer", parse(b"3.5"))

"""JSON goes in and out as it was sent, or not at all."""

import pytest

from wholesale.errors import ContentError
from wholesale.json.strict import NumberText, encodable, parse, write


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "true",
        '"a"',
        "0",
        "-0",
        "1e3",
        "1E+03",
        "12.50",
        "1e400",
        "0.1000000000000000055511151231257827",
        "9" * 5000,
        "[]",
        "{}",
        '{"a":[1,{"b":null}],"é":"\\"\\\\"}',
        '{"z":1,"a":2}',
        '"\\u0000\\u001f"',
        '"\x7f\u2028😀"',
    ],
)
def test_compact_json_comes_back_as_it_was_sent(text: str) -> None:
    assert write(parse(text.encode())) == text


def test_numbers_are_literals_and_texts_are_not() -> None:
    value = parse(b'[1e3, "1e3"]')

    assert [type(part) for part in value] == [NumberText, str]
    assert value == ["1e3", "1e3"]


def test_a_byte_order_mark_and_white_space_do_no_harm() -> None:
    assert parse(b"\xef\xbb\xbf \r\n[ 1 ]\t") == ["1"]


def test_escapes_of_two_halves_become_one_character() -> None:
    assert write(parse(rb'"\ud83d\ude00\/"')) == '"😀/"'


def test_a_lone_surrogate_is_spelled_out() -> None:
    assert encodable("a\ud800b") == "a\\ud800b"
    assert write(parse(rb'{"\udc00":"\ud800"}')) == r'{"\\udc00":"\\ud800"}'


@pytest.mark.parametrize(
    ("body", "code", "named"),
    [
        (b"", "no_json", "0"),
        (b"[1,", "no_json", "3"),
        (b"[1] x", "no_json", "4"),
        (b"[01]", "no_json", "2"),
        (b"[NaN]", "no_number", "NaN"),
        (b"[-Infinity]", "no_number", "-Infinity"),
        (b'["\xff"]', "no_utf8", "2"),
        (b'[{"id":1,"b":2,"id":1}]', "key_twice", "'id'"),
        (b"[" * 100_000, "too_deep", ""),
    ],
)
def test_what_is_not_one_strict_json_value_is_refused(body: bytes, code: str, named: str) -> None:
    with pytest.raises(ContentError) as refusal:
        parse(body)

    assert refusal.value.code == code
    assert named in str(refusal.value)


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_two_hundred_levels_are_the_deepest(opened: str, closed: str) -> None:
    text = opened * 200 + "1" + closed * 200

    assert write(parse(text.encode())) == text
    with pytest.raises(ContentError, match=r"^body is nested too deep$"):
        write(parse(f"{opened}{text}{closed}".encode()))


def test_the_record_with_a_byte_that_is_no_utf8_is_named() -> None:
    body = b'[{"id":"a1"},{"id": "b2","title":"caf\xe9"},{"id":"c3"}]'

    with pytest.raises(ContentError, match=r"at byte 37 \(0xe9\), behind the id b2: "):
        parse(body)

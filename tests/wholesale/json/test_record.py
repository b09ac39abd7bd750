"""The one record of an answer is found or refused by name, under the id that was asked for."""

import json

import pytest

from wholesale.errors import ContentError, NoContent
from wholesale.json.record import read_record

GUID = "00000000-0000-4000-8000-00000000000b"
DIGITS = GUID.replace("-", "")


@pytest.mark.parametrize(
    ("body", "record"),
    [
        (b'{"id":"a","total":1.50}', b'{"id":"a","total":1.50}'),
        (b'\xef\xbb\xbf{"id":"a"}', b'{"id":"a"}'),
        (b'{"order":{"id":"a","total":1e2}}', b'{"id":"a","total":1e2}'),
        (b' {"data" : {"id":"a"} }\n', b'{"id":"a"}'),
        (b'{"id":"a","vendor":{"id":"b"}}', b'{"id":"a","vendor":{"id":"b"}}'),
        (b'{"order_comments":[{"id":"a"}]}', b'{"order_comments":[{"id":"a"}]}'),
        (rb'{"id":"a","\ud83d":1}', rb'{"id":"a","\\ud83d":1}'),
    ],
)
def test_the_one_record_of_a_body_is_found(body: bytes, record: bytes) -> None:
    assert read_record(body) == record


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "body is empty"),
        (b"null", "body is null, not a record"),
        (b"{}", "body is an empty object"),
        (
            b'{"id":"a","x":' + b"[" * 800 + b"]" * 800 + b"}",
            "body is nested too deep",
        ),
        (b'{"order":{}}', "body is an empty object"),
        (b'{"order":null}', "body is an object without content"),
        (b'{"id":null,"title":null,"options":[ ]}', "body is an object without content"),
        (b'[{"id":"a"},{"id":"b"}]', "body is a list, not a record"),
        (b"[]", "body is a list, not a record"),
        (b"[[1]]", "body is a list, not a record"),
        (b'[{"id":"a"', "body is a list, not a record"),
        (b"<html>", "body is HTML or XML, not a record"),
        (b'{"error":"Internal","details":""}', "body is an error object, not a record"),
        (b'{"id":"a"', "body is no JSON: Expecting ',' delimiter at character 9"),
        (b'{"id":"\xff"}', "body is no UTF-8 from byte 7 on"),
        (b'{"id":' + b"[" * 9_000 + b"]" * 9_000 + b"}", "body is nested too deep"),
    ],
)
def test_a_body_without_a_record_is_refused_by_name(body: bytes, message: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_record(body)

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    "body", [b"", b"null", b"{}", b"[]", b"[ ]", b"[null]", b'{"data":null}', b'{"data":[]}']
)
def test_a_body_may_say_that_there_is_no_record(body: bytes) -> None:
    with pytest.raises(NoContent):
        read_record(body)


def test_a_record_in_an_array_of_one_is_found() -> None:
    assert read_record(b' [ {"id":"a"} ]\n', "a") == b'{"id":"a"}'
    assert read_record(b'[{"order":{"id":"a"}}]', "a") == b'{"id":"a"}'


def test_another_record_than_the_one_asked_for_is_refused() -> None:
    body = b'{"order":{"id":"a"}}'

    assert read_record(body, "a") == read_record(body, "A") == b'{"id":"a"}'
    with pytest.raises(ContentError, match=r"^body is another record than the one asked for$"):
        read_record(body, "b")


@pytest.mark.parametrize(
    "sent",
    [GUID, GUID.upper(), DIGITS, f"{{{GUID.upper()}}}", f"urn:uuid:{GUID}"],
)
@pytest.mark.parametrize("record_id", [GUID, DIGITS])
def test_a_guid_has_the_spelling_that_it_was_asked_for_by(sent: str, record_id: str) -> None:
    body = f'{{"total":1.10,"id":"{sent}","b":{{"c":[]}}}}'.encode()

    found = read_record(body, record_id)

    assert found == f'{{"total":1.10,"id":"{record_id}","b":{{"c":[]}}}}'.encode()


@pytest.mark.parametrize("sent", [GUID[:-1], f"{DIGITS}0", DIGITS.replace("b", "c")])
def test_a_guid_with_other_digits_is_another_record(sent: str) -> None:
    with pytest.raises(ContentError, match=r"^body is another record than the one asked for$"):
        read_record(f'{{"id":"{sent}"}}'.encode(), GUID)


@pytest.mark.parametrize(
    ("sent", "record_id"),
    [
        (rb'"caf\u00e9"', "café"),
        (rb'"a\/b"', "a/b"),
        (rb'"say \"no\""', 'say "no"'),
        (rb'"\ud83d"', r"\ud83d"),
        (b"7", "7"),
    ],
)
def test_an_id_is_the_same_however_it_is_escaped(sent: bytes, record_id: str) -> None:
    assert json.loads(read_record(b'{"id":%b,"total":1}' % sent, record_id))["total"] == 1

"""The one record of an answer is found or refused by name, under the id that was asked for."""

import json

import pytest

from wholesale.errors import ContentError
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
    ("body", "code", "named"),
    [
        (b"", "NoContent", ""),
        (b"null", "no_record", "null"),
        (
            b'{"id":"a","x":' + b"[" * 800 + b"]" * 800 + b"}",
            "too_deep",
            "",
        ),
        (b'[{"id":"a"}]', "no_record", "a list"),
        (b'[{"id":"a"},{"id":"b"}]', "no_record", "a list"),
        (b"[]", "no_record", "a list"),
        (b"[[1]]", "no_record", "a list"),
        (b'[{"id":"a"', "no_record", "a list"),
        (b"<html>", "no_record", "HTML or XML"),
        (b'{"error":"Internal","details":""}', "failure", "Internal"),
        (b'{"error":{"id":"a"}}', "failure", "error: a"),
        (b'{"id":"a"', "no_json", "9"),
        (b'{"id":"\xff"}', "no_utf8", "7"),
        (b'{"id":' + b"[" * 9_000 + b"]" * 9_000 + b"}", "too_deep", ""),
    ],
)
def test_a_body_without_a_record_is_refused_by_name(body: bytes, code: str, named: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_record(body)

    assert refusal.value.code == code
    assert named in str(refusal.value)


@pytest.mark.parametrize(
    ("member", "code", "named"),
    [
        ('"error": "Resource not found"', "failure", "Resource not found"),
        ('"errors": [{"title": "no"}]', "failure", "error: no"),
        ('"success": false', "failure", "success: false"),
        ('"ok": false', "failure", "ok: false"),
        ('"code": 404', "failure", "code: 404"),
        ('"status": "500"', "failure", "status: 500"),
        ('"status": "error"', "failure", "status: error"),
        ('"status_code": 503', "failure", "status_code: 503"),
        ('"statusCode": 503', "failure", "statusCode: 503"),
    ],
)
@pytest.mark.parametrize(
    "rest", ['"details": ""', '"data": null', '"data": {"id": "a"}', '"order": {"id": "a"}']
)
def test_a_response_that_tells_of_a_failure_is_refused_whatever_else_it_holds(
    member: str, code: str, named: str, rest: str
) -> None:
    with pytest.raises(ContentError) as refusal:
        read_record(f"{{{member}, {rest}}}".encode(), "a")

    assert refusal.value.code == code
    assert named in str(refusal.value)


@pytest.mark.parametrize(
    "member",
    [
        '"status": "ok"',
        '"code": 0',
        '"errors": []',
        '"error": null',
        '"success": true',
        '"vendor": {"name": "V"}',
        '"links": [{"id": "b"}]',
    ],
)
def test_the_one_member_with_an_id_is_the_record_whatever_stands_beside_it(member: str) -> None:
    assert read_record(f'{{{member}, "data": {{"id": "a"}}}}'.encode(), "a") == b'{"id": "a"}'


@pytest.mark.parametrize(
    "member", ['"status": "error"', '"code": 500', '"error": "x"', '"success": false', '"ok": 0']
)
@pytest.mark.parametrize("body", ['{"id": "a", %s}', '{"order": {"id": "a", %s}}'])
def test_fields_of_the_record_tell_of_no_failure_of_the_response(member: str, body: str) -> None:
    assert read_record((body % member).encode(), "a") == f'{{"id": "a", {member}}}'.encode()


def test_an_object_with_two_members_that_have_ids_is_not_opened() -> None:
    body = b'{"order":{"id":"a"},"vendor":{"id":"b"}}'

    assert read_record(body) == body


def test_another_record_than_the_one_asked_for_is_refused() -> None:
    body = b'{"order":{"id":"a"}}'

    assert read_record(body, "a") == b'{"id":"a"}'
    for other in ("b", "A"):
        with pytest.raises(ContentError) as refusal:
            read_record(body, other)
        assert refusal.value.code == "other_record"


@pytest.mark.parametrize(
    "sent",
    [GUID, GUID.upper(), DIGITS, f"{{{GUID.upper()}}}", f"urn:uuid:{GUID}"],
)
def test_a_guid_is_the_same_record_however_it_is_spelled(sent: str) -> None:
    body = f'{{"total":1.10,"id":"{sent}","b":{{"c":[]}}}}'.encode()

    assert read_record(body, GUID) == body


@pytest.mark.parametrize("sent", [GUID[:-1], f"{DIGITS}0", DIGITS.replace("b", "c")])
def test_a_guid_with_other_digits_is_another_record(sent: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_record(f'{{"id":"{sent}"}}'.encode(), GUID)
    assert refusal.value.code == "other_record"


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

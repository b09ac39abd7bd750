"""Any list shape is read or refused by name, and its records are counted."""

import pytest

from wholesale.errors import ContentError
from wholesale.json.page import NOTHING, Page, read_page


def test_an_envelope_is_split_into_records_and_counts() -> None:
    body = (
        b'{"pagination":{"current":2,"previous":1,"next":3,"limit":10,"total_pages":4,'
        b'"total_count":36},"data":[{"id":"a","total":1.50}]}'
    )

    page = read_page(body)

    assert page == Page(b'[{"id":"a","total":1.50}]', 1, 2, 3, 10, 4, 36, has_envelope=True)
    assert not page.is_empty


@pytest.mark.parametrize(
    ("body", "records"),
    [
        (b'[{"id":"a"}]', b'[{"id":"a"}]'),
        (b"[]", b"[]"),
        (b'\xef\xbb\xbf[{"id":"a"}]', b'[{"id":"a"}]'),
        (b'\xef\xbb\xbf{"data":[1]}', b"[1]"),
        (b' \r\n{"data" : [1] }\n', b"[1]"),
        (b'{"items":[1],"count":1}', b"[1]"),
        (b'{"data":[1],"included":[2,3]}', b"[1]"),
        (b'{"data":null,"orders":[1]}', b"[1]"),
        (b'{"data":null,"links":{"pages":[1]}}', b"[]"),
        (b'{"d\\u0061ta":[1]}', b"[1]"),
        (b'{"data":[{"data":[2]},{"data":[3]}]}', b'[{"data":[2]},{"data":[3]}]'),
        (b'{"meta":[[1]],"data":[1]}', b"[1]"),
        (b'{"meta":[[1],[1]],"data":[1], "x":[1]}', b"[1]"),
        (b'{"a":"[1]","data":[1],"data2":[1]}', b"[1]"),
        (b'[{"total":1e400}]', b'[{"total":1e400}]'),
        (b'{"pagination":{"total_count":0},"data":null}', b"[]"),
        (b'{"orders":null,"pagination":{"total_count":0}}', b"[]"),
        (b'{"pagination":{"total_count":0}}', b"[]"),
        (b'{"pagination":{"total_count":0},"brands":[1]}', b"[1]"),
        (b"null", b"[]"),
        (b" null ", b"[]"),
        (b'{"data":null}', b"[]"),
        (b'["\\ud83d"]', rb'["\\ud83d"]'),
        (b'{"data":["\xc3\xa9"]}', b'["\xc3\xa9"]'),
    ],
)
def test_the_one_list_of_a_body_is_found(body: bytes, records: bytes) -> None:
    assert read_page(body).records.strip() == records


@pytest.mark.parametrize(
    ("body", "code", "named"),
    [
        (b"", "NoContent", ""),
        (b"  \n", "NoContent", ""),
        (b'"rate limited"', "no_list", "a string"),
        (b"false", "no_list", "false"),
        (b"12", "no_list", "no JSON"),
        (b"<html><body>Bad Gateway</body></html>", "no_list", "HTML or XML"),
        (b'{"error":null}', "no_list", "error"),
        (b"{}", "no_list", "none"),
        (
            b'{"data":{"items":"none"}}',
            "no_list",
            "data",
        ),
        (
            b'{"id":"a","options":null}',
            "no_list",
            "id, options",
        ),
        (
            b'{"pagination":{"total_count":1}}',
            "no_list",
            "pagination",
        ),
        (b'{"b":[],"a":[]}', "many_lists", "a, b"),
        (b'[{"id":"a"},', "no_json", "12"),
        (b'{"data":[{"id":"a"}', "no_json", "19"),
        (b"[] []", "no_json", "3"),
        (b'{"data":[]}x', "no_json", "11"),
        (b"[NaN]", "no_number", "NaN"),
        (b'{"data":[],"pagination":{"limit":NaN}}', "no_number", "NaN"),
        (b'["\xff"]', "no_utf8", "2"),
        (b'{"\xff":[]}', "no_utf8", "2"),
        (b"[" * 100_000, "too_deep", ""),
        (b'{"data":[1],"data":[]}', "key_twice", "'data'"),
        (b'{"data":[1],"data":[1]}', "key_twice", "'data'"),
        (b'{"data":[1],"d\\u0061ta":[2]}', "key_twice", "'data'"),
        (b'{"data":[1],"x":{"a":1,"a":2}}', "key_twice", "'a'"),
        (b'{"items":[1],"items":[]}', "key_twice", "'items'"),
        (
            b'{"data":[],"pagination":{"total_count":1},"pagination":{}}',
            "key_twice",
            "'pagination'",
        ),
        (
            b'{"data":[],"pagination":{"total_count":1,"total_count":2}}',
            "key_twice",
            "'total_count'",
        ),
    ],
)
def test_a_body_without_one_list_is_refused_by_name(body: bytes, code: str, named: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_page(body)

    assert refusal.value.code == code
    assert named in str(refusal.value)


@pytest.mark.parametrize(
    ("body", "page"),
    [
        (b"null", NOTHING),
        (b'{"data":null}', NOTHING),
        (
            b'{"pagination":{"total_count":1},"data":null}',
            Page(b"[]", 0, total_count=1, has_envelope=True),
        ),
        (
            b'{"orders":null,"pagination":{"current":3}}',
            Page(b"[]", 0, current=3, has_envelope=True),
        ),
        (b'{"pagination":{"current":3}}', Page(b"[]", 0, current=3, has_envelope=True)),
        (b'{"pagination":{"total_count":0}}', Page(b"[]", 0, total_count=0, has_envelope=True)),
    ],
)
def test_null_in_the_place_of_a_list_is_empty_whatever_is_counted(body: bytes, page: Page) -> None:
    assert read_page(body) == page


@pytest.mark.parametrize(
    ("sent", "count"),
    [
        ("36", 36),
        ('"36"', 36),
        ("0", 0),
        ("null", None),
        ("-1", None),
        ("3.0", None),
        ("1e2", None),
        ('"many"', None),
        ('""', None),
        ("true", None),
        ("[]", None),
        ("{}", None),
        ("1e400", None),
        ("9" * 5000, None),
        ('"' + "9" * 5000 + '"', None),
    ],
)
def test_a_count_is_a_whole_number_or_unknown(sent: str, count: int | None) -> None:
    body = f'{{"data":[],"pagination":{{"total_count":{sent}}}}}'.encode()

    assert read_page(body) == Page(b"[]", 0, total_count=count, has_envelope=True)


@pytest.mark.parametrize("envelope", ["null", "[]", '"x"', "1"])
def test_an_envelope_that_is_no_object_is_none(envelope: str) -> None:
    body = f'{{"data":[],"pagination":{envelope}}}'.encode()

    assert read_page(body) == Page(b"[]", 0)


@pytest.mark.parametrize(
    ("records", "count"),
    [
        (b"[]", 0),
        (b" [ \n ] ", 0),
        (b"[" + b" " * 200 + b"]", 0),
        (b"[[]]", 1),
        (b"[[],[]]", 2),
        (b"[null]", 1),
        (b"[0, 1]", 2),
        (b"[{}]", 1),
        (b'[{"item":{"id":1}},{"item":{"id":2}}]', 2),
        (b'[{"item":{"id":1}},null]', 2),
    ],
)
@pytest.mark.parametrize("shape", [b"%b", b'{"data": %b }', b'{"items":%b}', b'{"a":{"items":%b}}'])
def test_what_a_page_holds_is_counted_in_any_shape(
    records: bytes, count: int, shape: bytes
) -> None:
    assert read_page(shape.replace(b"{", b'{"pagination":{},', 1) % records).count == count


@pytest.mark.parametrize(
    ("records", "ids"),
    [
        (b'[{"id":1},{"id":"b","a":1}]', {b"1", b'"b"'}),
        (b"[]", set()),
        (b'[{"id":1},{"a":1}]', None),
        (b"[1]", None),
    ],
)
def test_the_ids_of_a_page_are_known_if_all_its_records_have_one(
    records: bytes, ids: set[bytes] | None
) -> None:
    assert Page.of(records).ids() == ids


@pytest.mark.parametrize(
    ("limit", "said", "fills"), [(2, None, True), (3, None, False), (3, 2, True), (3, 0, False)]
)
def test_a_page_is_full_by_what_was_asked_for_or_by_what_it_says(
    limit: int, said: int | None, fills: bool
) -> None:
    assert Page(b"[1,2]", 2, limit=said).fills(limit) is fills


@pytest.mark.parametrize(
    ("body", "records"),
    [
        (b'{"result": {"items": [{"id": 1}]}}', b'[{"id": 1}]'),
        (b'{"result": {"items": []}, "pagination": {"total_count": 0}}', b"[]"),
        (b'{"result": {"pagination": {"total_count": 0}, "data": []}}', b"[]"),
        (b'[{"order": {"id": "a"}}, {"order": {"id": "b"}}]', b'[{"id": "a"},{"id": "b"}]'),
        (b'{"orders": [{"order": {"id": "a"}}]}', b'[{"id": "a"}]'),
        (b'[{"map": {"id": "a"}, "id": "b"}]', b'[{"map": {"id": "a"}, "id": "b"}]'),
        (b'[{"map": {"of": "a"}}]', b'[{"map": {"of": "a"}}]'),
    ],
)
def test_records_are_found_a_level_deeper_and_one_by_one_in_wrappers(
    body: bytes, records: bytes
) -> None:
    assert read_page(body).records == records


FAILURES = [
    ('"error": "Internal error"', "Internal error"),
    ('"error": true', "no text"),
    ('"error": {"messages": ["no"]}', "error: no"),
    ('"errors": ["x", {"detail": "y"}]', "error: x, y"),
    ('"errors": {"base": {"of": {"a": ["far in"]}}}', "far in"),
    ('"errors": [[[[["farther"]]]]]', "no text"),
    ('"errors": "try\\nlater"', "try later"),
    ('"success": false', "success: false"),
    ('"ok": false', "ok: false"),
    ('"code": 500', "code: 500"),
    ('"code": "400"', "code: 400"),
    ('"status": 503', "status: 503"),
    ('"status": "Error"', "status: Error"),
    ('"status": "failed"', "status: failed"),
    ('"status_code": 404', "status_code: 404"),
    ('"statusCode": 429', "statusCode: 429"),
]
"""Members of a body that tell of a failure, and what is said of them."""
NO_FAILURES = [
    '"status": "ok"',
    '"status": 200',
    '"status": null',
    '"code": 0',
    '"code": "E100"',
    '"code": 399',
    '"code": 500.0',
    '"errors": []',
    '"errors": {}',
    '"errors": null',
    '"error": ""',
    '"error": false',
    '"error": null',
    '"success": true',
    '"success": "false"',
    '"ok": null',
    '"message": "error"',
]


@pytest.mark.parametrize(("member", "named"), FAILURES)
@pytest.mark.parametrize(
    "rest",
    [
        '"data": []',
        '"data": [{"id": "a"}]',
        '"data": null',
        '"orders": [{"id": "a"}]',
        '"result": {"orders": [{"id": "a"}]}',
        '"pagination": {"total_count": 0}',
        '"pagination": {"total_count": 0}, "data": []',
        '"details": ["a", "b"], "data": []',
        '"details": "none"',
        f'"filler": "{"x" * 1000}", "data": []',
    ],
)
def test_a_page_that_tells_of_a_failure_is_refused_whatever_else_it_holds(
    member: str, named: str, rest: str
) -> None:
    for body in (f"{{{member}, {rest}}}", f"{{{rest}, {member}}}"):
        with pytest.raises(ContentError) as refusal:
            read_page(body.encode())
        assert refusal.value.code == "failure"
        assert named in str(refusal.value)


@pytest.mark.parametrize("member", [member for member, _ in FAILURES])
def test_a_failure_is_told_of_inside_of_what_holds_the_list_too(member: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_page(f'{{"result": {{{member}, "orders": [{{"id": "a"}}]}}}}'.encode())
    assert refusal.value.code == "failure"


@pytest.mark.parametrize("member", NO_FAILURES)
@pytest.mark.parametrize("data", ["[]", '[{"id":"a"}]'])
def test_a_page_that_tells_of_success_is_read(member: str, data: str) -> None:
    assert read_page(f'{{{member}, "data": {data}}}'.encode()).records == data.encode()


@pytest.mark.parametrize("member", [*(member for member, _ in FAILURES), *NO_FAILURES])
@pytest.mark.parametrize("body", ["[%s]", '{"data":[%s]}', '{"orders":[%s]}'])
def test_fields_of_records_tell_of_no_failure_of_the_response(member: str, body: str) -> None:
    record = f'{{"id": "a", {member}}}'

    assert read_page((body % record).encode()).records == f"[{record}]".encode()

"""Any list shape is read or refused by name, and its records are counted."""

from dataclasses import replace

import pytest

from wholesale.errors import ContentError
from wholesale.json.page import Page, read_page

NULL = Page(b"[]", 0, is_null=True)


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
        (b'{"pagination":{"total_count":1},"data":{"id":"a"}}', b'[{"id":"a"}]'),
        (b'{"data":{"id":"a","options":[1]},"pagination":{}}', b'[{"id":"a","options":[1]}]'),
        (b'["\\ud83d"]', rb'["\\ud83d"]'),
        (b'{"data":["\xc3\xa9"]}', b'["\xc3\xa9"]'),
    ],
)
def test_the_one_list_of_a_body_is_found(body: bytes, records: bytes) -> None:
    assert read_page(body).records.strip() == records


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "body is empty"),
        (b"  \n", "body is empty"),
        (b"null", "body is null, not a list of records"),
        (b'"rate limited"', "body is a string, not a list of records"),
        (b"false", "body is false, not a list of records"),
        (b"12", "body is no JSON, not a list of records"),
        (b"<html><body>Bad Gateway</body></html>", "body is HTML or XML, not a list of records"),
        (b'{"error":null}', "body is an object with no list; its keys: error"),
        (
            b'{"data":null,"errors":[{"message":"try later"}]}',
            "body is an object with no list; its keys: data, errors",
        ),
        (
            b'{"error":"Invalid","details":["limit"]}',
            "body is an object with no list; its keys: details, error",
        ),
        (
            b'{"error":"Invalid Credentials","details":""}',
            "body is an object with no list; its keys: details, error",
        ),
        (b"{}", "body is an object with no list; its keys: none"),
        (b'{"data":{"items":[]}}', "body is an object without records; its keys: data"),
        (b'{"b":[],"a":[]}', "body is an object with 2 lists; its keys: a, b"),
        (b'[{"id":"a"},', "body is no JSON: Expecting value at character 12"),
        (b'{"data":[{"id":"a"}', "body is no JSON: Expecting ',' delimiter at character 19"),
        (b"[] []", "body is no JSON: Extra data at character 3"),
        (b'{"data":[]}x', "body is no JSON: Extra data at character 11"),
        (b"[NaN]", "body holds NaN, which is no JSON number"),
        (b'{"data":[],"pagination":{"limit":NaN}}', "body holds NaN, which is no JSON number"),
        (b'["\xff"]', "body is no UTF-8 from byte 2 on"),
        (b'{"\xff":[]}', "body is no UTF-8 from byte 2 on"),
        (b"[" * 100_000, "body is nested too deep"),
        (b'{"data":[1],"data":[]}', "an object of the body names its key 'data' twice"),
        (b'{"data":[1],"data":[1]}', "an object of the body names its key 'data' twice"),
        (b'{"data":[1],"d\\u0061ta":[2]}', "an object of the body names its key 'data' twice"),
        (b'{"data":[1],"x":{"a":1,"a":2}}', "an object of the body names its key 'a' twice"),
        (b'{"items":[1],"items":[]}', "an object of the body names its key 'items' twice"),
        (
            b'{"data":[],"pagination":{"total_count":1},"pagination":{}}',
            "an object of the body names its key 'pagination' twice",
        ),
        (
            b'{"data":[],"pagination":{"total_count":1,"total_count":2}}',
            "an object of the body names its key 'total_count' twice",
        ),
    ],
)
def test_a_body_without_one_list_is_refused_by_name(body: bytes, message: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_page(body)

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("body", "page"),
    [
        (b'{"data":null}', NULL),
        (b'{"pagination":{"current":3},"data":null}', replace(NULL, current=3, has_envelope=True)),
        (b'{"pagination":{"current":3}}', replace(NULL, current=3, has_envelope=True)),
        (b'{"orders":null,"pagination":{}}', replace(NULL, has_envelope=True)),
        (
            b'{"pagination":{"total_count":1},"data":null}',
            replace(NULL, total_count=1, has_envelope=True),
        ),
        (b'{"pagination":{"total_count":1}}', replace(NULL, total_count=1, has_envelope=True)),
        (
            b'{"pagination":{"total_count":0},"data":null}',
            Page(b"[]", 0, total_count=0, has_envelope=True),
        ),
    ],
)
def test_null_in_the_place_of_a_list_is_told_unless_nothing_is_counted(
    body: bytes, page: Page
) -> None:
    assert read_page(body) == page


def test_null_alone_is_a_page_only_where_it_may_be() -> None:
    assert read_page(b" null\n", may_be_null=True) == NULL
    with pytest.raises(ContentError):
        read_page(b"null", may_be_null=False)


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
    ("one", "other", "do_overlap"),
    [
        (b'[{"id":1},{"id":2}]', b'[{"id":2,"a":1},{"id":3}]', True),
        (b'[{"id":1}]', b'[{"id":"1"}]', False),
        (b'[{"id":1}]', b"[]", False),
        (b"[1,2]", b"[1,2]", True),
        (b"[1,2]", b"[2,1]", False),
        (b'[{"a":1}]', b'[{"id":1}]', False),
    ],
)
def test_pages_overlap_where_they_have_an_id_in_common(
    one: bytes, other: bytes, do_overlap: bool
) -> None:
    assert Page.of(one).overlaps(Page.of(other)) is do_overlap
    assert Page.of(other).overlaps(Page.of(one)) is do_overlap


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


@pytest.mark.parametrize(
    "body", [b'{"error": {"messages": ["no"]}}', b'{"error": {"messages": []}}']
)
def test_lists_inside_an_error_object_are_no_records(body: bytes) -> None:
    with pytest.raises(ContentError, match="with no list; its keys: error"):
        read_page(body)

"""Any list shape is read or refused by name, and pagination ends where the list does."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from wholesale.errors import ContentError
from wholesale.pages import pagination
from wholesale.pages.page import Page, read_page, read_record
from wholesale.pages.pagination import Paginator


def test_an_envelope_is_split_into_records_and_counts() -> None:
    body = (
        b'{"pagination":{"current":2,"previous":1,"next":3,"limit":10,"total_pages":4,'
        b'"total_count":36},"data":[{"id":"a","total":1.50}]}'
    )

    page = read_page(body)

    assert page == Page(b'[{"id":"a","total":1.50}]', 2, 3, 10, 4, 36, has_envelope=True)
    assert (page.count(), page.is_empty) == (1, False)


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
        (b'["\\ud83d"]', rb'["\\ud83d"]'),
        (b'{"data":["\xc3\xa9"]}', b'["\xc3\xa9"]'),
    ],
)
def test_the_one_list_of_a_body_is_found(body: bytes, records: bytes) -> None:
    assert read_page(body).records.strip() == records


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "body is empty, not a list of records"),
        (b"  \n", "body is empty, not a list of records"),
        (b"null", "body is null, not a list of records"),
        (b'"rate limited"', "body is a string, not a list of records"),
        (b"false", "body is false, not a list of records"),
        (b"12", "body is no JSON, not a list of records"),
        (b"<html><body>Bad Gateway</body></html>", "body is HTML or XML, not a list of records"),
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
        (b"[" * 100_000, "body is nested too deep to be read"),
        (b'{"data":' + b"[" * 9_000 + b"]" * 9_000 + b"}", "body is nested too deep to be read"),
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
    ("body", "record"),
    [
        (b'{"id":"a","total":1.50}', b'{"id":"a","total":1.50}'),
        (b'\xef\xbb\xbf{"id":"a"}', b'{"id":"a"}'),
        (b'{"order":{"id":"a","total":1e2}}', b'{"id":"a","total":1e2}'),
        (b' {"data" : {"id":"a"} }\n', b'{"id":"a"}'),
        (b'{"id":"a","vendor":{"id":"b"}}', b'{"id":"a","vendor":{"id":"b"}}'),
        (b'{"order_comments":[{"id":"a"}]}', b'{"order_comments":[{"id":"a"}]}'),
        (b"{}", b"{}"),
    ],
)
def test_the_one_record_of_a_body_is_found(body: bytes, record: bytes) -> None:
    assert read_record(body) == record


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "body is empty, not a record"),
        (b"null", "body is null, not a record"),
        (b'[{"id":"a"}]', "body is a list, not a record"),
        (b"<html>", "body is HTML or XML, not a record"),
        (b'{"id":"a"', "body is no JSON: Expecting ',' delimiter at character 9"),
        (b'{"id":"\xff"}', "body is no UTF-8 from byte 7 on"),
        (b'{"id":' + b"[" * 9_000 + b"]" * 9_000 + b"}", "body is nested too deep to be read"),
    ],
)
def test_a_body_without_a_record_is_refused_by_name(body: bytes, message: str) -> None:
    with pytest.raises(ContentError) as refusal:
        read_record(body)

    assert str(refusal.value) == message


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

    assert read_page(body) == Page(b"[]", total_count=count, has_envelope=True)


@pytest.mark.parametrize("envelope", ["null", "[]", '"x"', "1"])
def test_an_envelope_that_is_no_object_is_none(envelope: str) -> None:
    body = f'{{"data":[],"pagination":{envelope}}}'.encode()

    assert read_page(body) == Page(b"[]")


@pytest.mark.parametrize(
    ("records", "is_empty"),
    [
        (b"[]", True),
        (b" [ \n ] ", True),
        (b"[" + b" " * 200 + b"]", True),
        (b"[[]]", False),
        (b"[[],[]]", False),
        (b"[null]", False),
        (b"[0]", False),
        (b"[{}]", False),
    ],
)
def test_a_page_is_empty_only_if_it_holds_nothing(records: bytes, is_empty: bool) -> None:
    assert Page(records).is_empty is is_empty


@dataclass
class Server:
    """A list as some server might page it."""

    records: Sequence[int]
    cap: int = 10
    envelope: Sequence[str] = ("total_pages", "total_count")
    overrides: dict[str, Any] = field(default_factory=dict)
    key: str = "data"
    empty_at: frozenset[int] = frozenset()
    short_at: frozenset[int] = frozenset()
    behind_the_end: str = "nothing"
    is_stamped: bool = False
    asked: list[int] = field(default_factory=list)

    def slices(self) -> list[list[int]]:
        rest = list(self.records)
        slices: list[list[int]] = []
        while rest or not slices:
            number = len(slices) + 1
            size = 0 if number in self.empty_at else 1 if number in self.short_at else self.cap
            slices.append(rest[:size])
            rest = rest[size:]
        return slices

    def answer(self, number: int) -> bytes:
        self.asked.append(number)
        slices = self.slices()
        if number <= len(slices):
            found = slices[number - 1]
        else:
            found = {"nothing": [], "last": slices[-1], "first": slices[0]}[self.behind_the_end]
        stamp = {"read_at": len(self.asked)} if self.is_stamped else {}
        records = [{"id": record} | stamp for record in found]
        counts = {"total_pages": len(slices), "total_count": len(self.records)}
        numbers = {name: counts[name] for name in self.envelope} | self.overrides
        if not numbers and self.key == "":
            return json.dumps(records).encode()
        return json.dumps({"pagination": numbers, self.key: records}).encode()


def paginate(server: Server) -> tuple[Paginator, list[int]]:
    """The paginator at its end, and the records in the order they were read."""
    paginator, read = Paginator(), []
    while wanted := paginator.wanted:
        page = read_page(server.answer(wanted.start))
        if paginator.see(page):
            read += [record["id"] for record in json.loads(page.records)]
            paginator.count(page.count())
        assert len(server.asked) < 100, "the paginator does not end"
    return paginator, read


RECORDS = range(1, 26)  # three pages of ten
BARE: dict[str, Any] = {"envelope": (), "key": ""}


@pytest.mark.parametrize(
    ("server", "asked"),
    [
        pytest.param(Server(RECORDS), 3, id="envelope"),
        pytest.param(Server(RECORDS, cap=100), 1, id="one page"),
        pytest.param(Server(RECORDS, key="orders"), 3, id="another key"),
        pytest.param(Server(RECORDS, cap=1), 25, id="a cap of one"),
        pytest.param(Server(range(20)), 2, id="last page full"),
        pytest.param(Server(()), 1, id="no records"),
        pytest.param(Server((), **BARE), 2, id="no records, bare"),
        pytest.param(Server(RECORDS, **BARE), 5, id="bare, nothing behind"),
        pytest.param(Server(RECORDS, **BARE, behind_the_end="last"), 4, id="bare, last repeats"),
        pytest.param(Server(RECORDS, **BARE, behind_the_end="first"), 4, id="bare, first repeats"),
        pytest.param(
            Server(RECORDS, cap=100, **BARE, behind_the_end="first"), 2, id="ignores page"
        ),
        pytest.param(Server(RECORDS, short_at=frozenset({1, 2})), 5, id="short pages"),
        pytest.param(Server(RECORDS, short_at=frozenset({1, 2}), **BARE), 7, id="short, bare"),
        pytest.param(Server(RECORDS, empty_at=frozenset({2})), 4, id="an empty page"),
        pytest.param(Server(RECORDS, empty_at=frozenset({2}), **BARE), 6, id="an empty page, bare"),
        pytest.param(Server(RECORDS, envelope=("total_pages",)), 4, id="no total_count"),
        pytest.param(Server(RECORDS, envelope=("total_count",)), 5, id="no total_pages"),
        pytest.param(Server(RECORDS, overrides={"total_count": None}), 4, id="total_count null"),
        pytest.param(Server(RECORDS, overrides={"total_pages": 0}), 3, id="total_pages 0"),
        pytest.param(Server(RECORDS, overrides={"total_pages": 1}), 3, id="too few total_pages"),
        pytest.param(Server(RECORDS, overrides={"total_pages": 9}), 5, id="too many total_pages"),
        pytest.param(
            Server(RECORDS, overrides={"total_pages": "3", "total_count": "25"}), 3, id="as text"
        ),
        pytest.param(
            Server(RECORDS, envelope=("total_pages",), behind_the_end="last"),
            4,
            id="no total_count, last repeats",
        ),
        pytest.param(
            Server(RECORDS, overrides={"next": None, "current": 1}), 3, id="next and current lie"
        ),
        pytest.param(Server(RECORDS, overrides={"next": 0}), 3, id="next 0"),
        pytest.param(Server(RECORDS, overrides={"next": 2, "current": 2}), 3, id="next is current"),
        pytest.param(Server(RECORDS, envelope=(), overrides={"next": None}), 5, id="next alone"),
        pytest.param(
            Server(RECORDS, overrides={"limit": 100, "total_pages": 1}), 3, id="clamped unnoticed"
        ),
        pytest.param(
            Server(RECORDS, cap=100, **BARE, behind_the_end="first", is_stamped=True),
            2,
            id="ignores page, never twice the same bytes",
        ),
        pytest.param(
            Server(RECORDS, **BARE, behind_the_end="last", is_stamped=True),
            4,
            id="bare, last repeats in other bytes",
        ),
        pytest.param(
            Server(RECORDS, envelope=("total_pages",), behind_the_end="last", is_stamped=True),
            4,
            id="envelope, last repeats in other bytes",
        ),
    ],
)
def test_every_record_is_read_once_and_no_page_more_than_needed(server: Server, asked: int) -> None:
    paginator, read = paginate(server)

    assert read == list(server.records)
    assert server.asked == [*range(1, asked + 1)]
    assert (paginator.fault, paginator.pages, paginator.records) == (None, asked, len(read))


@pytest.mark.parametrize("total", [0, 7, 24, 26, 1000])
def test_a_wrong_total_ends_nothing_and_stays_on_record(total: int) -> None:
    server = Server(RECORDS, overrides={"total_count": total})

    paginator, read = paginate(server)

    assert read == list(RECORDS)
    assert server.asked == [1, 2, 3, 4]
    assert (paginator.records, paginator.last_total) == (25, total)


def test_two_empty_pages_in_the_middle_end_a_list_that_is_then_short_of_its_total() -> None:
    server = Server(RECORDS, empty_at=frozenset({2, 3}))

    paginator, read = paginate(server)

    assert read == list(range(1, 11))
    assert (paginator.records, paginator.last_total) == (10, 25)


def test_page_one_for_ever_is_a_fault() -> None:
    server = Server(range(10), behind_the_end="first", overrides={"total_pages": 3})
    server.overrides["total_count"] = 25

    paginator, read = paginate(server)

    assert read == list(range(10))
    assert server.asked == [1, 2]
    assert paginator.fault == "page 2 repeats page 1"


def test_a_repeat_within_the_pages_that_are_named_is_a_fault() -> None:
    paginator = Paginator()

    seen = [paginator.see(Page(records, total_pages=9)) for records in (b"[1]", b"[2]", b"[1]")]

    assert seen == [True, True, False]
    assert paginator.fault == "page 3 repeats page 1"
    assert (paginator.is_ended, paginator.wanted) == (True, range(0))


def test_the_first_page_behind_the_last_ends_a_list_that_is_miscounted() -> None:
    server = Server(RECORDS, behind_the_end="first", overrides={"total_count": 26})

    paginator, read = paginate(server)

    assert read == list(RECORDS)
    assert server.asked == [1, 2, 3, 4]
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 25, 26)


@pytest.mark.parametrize("total_pages", [9, None])
def test_pages_that_differ_in_their_middle_alone_are_told_apart_or_a_fault(
    total_pages: int | None,
) -> None:
    ends = b" " * pagination.MARKED_BYTES
    paginator = Paginator()

    seen = [
        paginator.see(Page(ends + records + ends, total_pages=total_pages))
        for records in (b"[1]", b"[2]")
    ]

    assert seen == [True, total_pages is None]
    assert (paginator.fault is None) == (total_pages is None)


def test_a_list_that_grows_while_it_is_walked_is_walked_to_its_new_end() -> None:
    @dataclass
    class Growing(Server):
        def answer(self, number: int) -> bytes:
            self.records = range(1, 26 + number * 2)
            return super().answer(number)

    server = Growing(RECORDS)
    paginator, read = paginate(server)

    assert read == list(range(1, 34))
    assert server.asked == [1, 2, 3, 4]
    assert (paginator.first_total, paginator.last_total) == (27, 33)


def test_a_list_that_shrinks_to_fewer_pages_ends_there() -> None:
    @dataclass
    class Shrinking(Server):
        def answer(self, number: int) -> bytes:
            self.records = RECORDS if number == 1 else range(1, 21)
            return super().answer(number)

    server = Shrinking(RECORDS)
    paginator, read = paginate(server)

    assert read == list(range(1, 21))
    assert server.asked == [1, 2]
    assert (paginator.first_total, paginator.last_total) == (25, 20)


def test_all_pages_that_the_envelope_names_may_be_asked_for_at_once() -> None:
    paginator = Paginator()

    assert paginator.wanted == range(1, 2)
    paginator.see(Page(b"[1]", total_pages=7, total_count=7))
    assert paginator.wanted == range(2, 8)
    assert not paginator.is_at_last_page


def test_a_list_without_an_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagination, "MAX_PAGES", 5)
    server = Server(range(1000), cap=1, **BARE)

    paginator, read = paginate(server)

    assert read == [0, 1, 2, 3, 4]
    assert paginator.fault == "no end within 5 pages"


def test_a_walk_that_begins_again_has_forgotten_what_it_saw() -> None:
    paginator = Paginator()
    for records in (b"[1]", b"[2]", b"[1]"):
        paginator.see(Page(records, total_pages=9, total_count=9))
        paginator.count(1)

    paginator.begin(0)

    assert paginator == Paginator(first=0)
    assert paginator.wanted == range(1)
    assert paginator.see(Page(b"[1]", total_pages=3))
    assert paginator.wanted == range(1, 3)


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
    assert Page(one).overlaps(Page(other)) is do_overlap
    assert Page(other).overlaps(Page(one)) is do_overlap


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
    with pytest.raises(ContentError, match="without records; its keys: error"):
        read_page(body)

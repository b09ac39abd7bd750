"""A list is read to its end, which one sign alone does not prove, and no page further."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from wholesale.json.page import Page, read_page
from wholesale.pages.paginator import Paginator


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


def paginate(server: Server, paginator: Paginator | None = None) -> tuple[Paginator, list[int]]:
    """The paginator at its end, and the records in the order they were read."""
    paginator, read = paginator or Paginator(limit=100), []
    while wanted := paginator.wanted:
        page = read_page(server.answer(wanted.start))
        if paginator.see(page):
            read += [record["id"] for record in json.loads(page.records)]
        assert len(server.asked) < 100, "the paginator does not end"
    return paginator, read


RECORDS = range(1, 26)  # three pages of ten
BARE: dict[str, Any] = {"envelope": (), "key": ""}


@pytest.mark.parametrize(
    ("server", "asked"),
    [
        pytest.param(Server(RECORDS), 3, id="envelope"),
        pytest.param(Server(RECORDS, cap=99), 1, id="one page"),
        pytest.param(Server(RECORDS, key="orders"), 3, id="another key"),
        pytest.param(Server(RECORDS, cap=1), 25, id="a cap of one"),
        pytest.param(Server(range(20)), 2, id="last page full"),
        pytest.param(Server(()), 1, id="no records"),
        pytest.param(Server((), **BARE), 1, id="no records, bare"),
        pytest.param(Server(RECORDS, **BARE), 4, id="bare, nothing behind"),
        pytest.param(Server(RECORDS, **BARE, behind_the_end="last"), 4, id="bare, last repeats"),
        pytest.param(Server(RECORDS, **BARE, behind_the_end="first"), 4, id="bare, first repeats"),
        pytest.param(
            Server(RECORDS, cap=100, **BARE, behind_the_end="first"), 2, id="ignores page"
        ),
        pytest.param(Server(RECORDS, short_at=frozenset({1, 2})), 5, id="short pages"),
        pytest.param(Server(RECORDS, short_at=frozenset({1, 2}), **BARE), 6, id="short, bare"),
        pytest.param(Server(RECORDS, envelope=("total_pages",)), 4, id="no total_count"),
        pytest.param(Server(RECORDS, envelope=("total_count",)), 4, id="no total_pages"),
        pytest.param(Server(RECORDS, overrides={"total_count": None}), 4, id="total_count null"),
        pytest.param(Server(RECORDS, overrides={"total_pages": 0}), 3, id="total_pages 0"),
        pytest.param(Server(RECORDS, overrides={"total_pages": 1}), 3, id="too few total_pages"),
        pytest.param(Server(RECORDS, overrides={"total_pages": 9}), 4, id="too many total_pages"),
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
        pytest.param(Server(RECORDS, envelope=(), overrides={"next": None}), 4, id="next alone"),
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


@pytest.mark.parametrize(
    ("limit", "said", "asked"),
    [
        pytest.param(10, {}, 2, id="as many as were asked for"),
        pytest.param(100, {"limit": 10}, 2, id="as many as it says that a page holds"),
        pytest.param(100, {}, 1, id="fewer"),
        pytest.param(100, {"limit": 0}, 1, id="a limit that is none"),
    ],
)
def test_a_full_page_is_the_only_one_if_the_next_is_empty(
    limit: int, said: dict[str, int], asked: int
) -> None:
    server = Server(range(10), overrides=said)
    paginator = Paginator(limit=limit)

    assert paginate(server, paginator) == (paginator, list(range(10)))
    assert server.asked == [*range(1, asked + 1)]
    assert paginator.fault is None


def test_pages_that_each_say_that_they_are_the_whole_list_are_all_read() -> None:
    paginator = Paginator(limit=2)
    for page in (b'[{"id":1},{"id":2}]', b'[{"id":3},{"id":4}]', b'[{"id":5}]'):
        assert paginator.wanted
        paginator.see(Page(page, page.count(b"id"), total_pages=1, total_count=page.count(b"id")))

    assert (paginator.records, paginator.totals, paginator.fullest) == (5, (1, 2), 2)
    assert paginator.wanted == range(4, 5)


@pytest.mark.parametrize("total", [0, 7, 24, 26, 1000])
def test_a_wrong_total_ends_nothing_and_stays_on_record(total: int) -> None:
    server = Server(RECORDS, overrides={"total_count": total})

    paginator, read = paginate(server)

    assert read == list(RECORDS)
    assert server.asked == [1, 2, 3, 4]
    assert (paginator.records, paginator.last_total, paginator.fault) == (25, total, None)


def test_totals_that_are_not_believed_end_nothing_and_are_not_on_record() -> None:
    server = Server(RECORDS)

    paginator, read = paginate(server, Paginator(limit=100, is_counted=False))

    assert read == list(RECORDS)
    assert server.asked == [1, 2, 3, 4]
    assert (paginator.first_total, paginator.last_total, paginator.totals) == (None, None, None)


def test_a_page_that_names_a_next_one_is_not_the_last_whatever_is_counted() -> None:
    paginator = Paginator()
    shown = [Page.of(b'[{"id": "%d"}]' % number) for number in range(4)]
    pages = [
        replace(page, next=number + 2, total_pages=2, total_count=2)
        for number, page in enumerate(shown)
    ]
    pages[-1] = replace(pages[-1], next=None)
    pages.append(Page.of(b"[]"))

    seen = []
    while paginator.wanted:
        seen.append(paginator.see(pages[paginator.pages]))

    assert seen == [True, True, True, True, False]
    assert (paginator.records, paginator.last_total, paginator.fault) == (4, 2, None)


def test_a_page_that_names_itself_or_one_before_as_the_next_goes_on_by_nothing() -> None:
    paginator = Paginator(limit=100)
    page = replace(Page.of(b'[{"id": "a"}]'), next=1, total_pages=1, total_count=1)

    assert paginator.see(page)
    assert not paginator.wanted


@pytest.mark.parametrize("total_count", [25, None])
def test_an_empty_page_before_the_last_that_is_named_is_a_fault(total_count: int | None) -> None:
    server = Server(
        RECORDS,
        empty_at=frozenset({2}),
        overrides={"total_pages": 4, "total_count": total_count},
    )

    paginator, read = paginate(server)

    assert read == list(range(1, 11))
    assert server.asked == [1, 2]
    assert paginator.fault == "page 2 is empty, and the list names 4"


def test_an_empty_page_ends_a_list_that_names_no_pages_which_is_then_short_of_its_total() -> None:
    server = Server(RECORDS, empty_at=frozenset({2}), envelope=("total_count",))

    paginator, read = paginate(server)

    assert read == list(range(1, 11))
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 10, 25)


def test_page_one_for_ever_is_a_fault() -> None:
    server = Server(range(10), behind_the_end="first", overrides={"total_pages": 3})
    server.overrides["total_count"] = 25

    paginator, read = paginate(server)

    assert read == list(range(10))
    assert server.asked == [1, 2]
    assert paginator.fault == "page 2 repeats another, and the list names 3"


def test_a_repeat_within_the_pages_that_are_named_is_a_fault() -> None:
    paginator = Paginator()

    seen = [paginator.see(Page(records, 1, total_pages=9)) for records in (b"[1]", b"[2]", b"[1]")]

    assert seen == [True, True, False]
    assert paginator.fault == "page 3 repeats another, and the list names 9"
    assert (paginator.is_ended, paginator.wanted) == (True, range(0))


def test_a_page_with_the_ids_of_another_and_other_fields_is_read_if_the_list_names_it() -> None:
    """Both records may have moved while the list was read."""
    paginator = Paginator()

    for body in (b'[{"id":1}]', b'[{"id":2}]', b'[{"id":1,"a":1}]'):
        assert paginator.see(replace(Page.of(body), total_pages=3))

    assert (paginator.records, paginator.fault) == (3, None)


def test_the_first_page_behind_the_last_ends_a_list_that_is_miscounted() -> None:
    server = Server(RECORDS, behind_the_end="first", overrides={"total_count": 26})

    paginator, read = paginate(server)

    assert read == list(RECORDS)
    assert server.asked == [1, 2, 3, 4]
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 25, 26)


def test_a_list_that_grows_while_it_is_read_is_read_to_its_new_end() -> None:
    @dataclass
    class Growing(Server):
        def answer(self, number: int) -> bytes:
            self.records = range(1, 26 + number * 2)
            return super().answer(number)

    server = Growing(RECORDS)
    paginator, read = paginate(server)

    assert read == list(range(1, 34))
    assert server.asked == [1, 2, 3, 4]
    assert (paginator.first_total, paginator.last_total, paginator.totals) == (27, 33, (27, 33))


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
    paginator.see(Page(b"[1]", 1, total_pages=7, total_count=7))
    assert paginator.wanted == range(2, 8)


def test_pages_are_counted_from_the_first() -> None:
    paginator = Paginator(first=0)

    assert paginator.wanted == range(1)
    paginator.see(Page(b"[1]", 1, next=1, total_pages=3, total_count=3))
    assert paginator.wanted == range(1, 3)
    paginator.see(Page(b"[2]", 1, next=2, total_pages=3, total_count=3))
    paginator.see(Page(b"[3]", 1, next=2, total_pages=3, total_count=3))
    assert (paginator.is_ended, paginator.fault) == (True, None)


def test_the_span_of_what_pages_count_is_known() -> None:
    paginator = Paginator()
    for total in (5, None, 3, 4):
        paginator.see(Page(b'[{"id":%d}]' % (total or 0), 1, total_count=total))

    assert (paginator.totals, paginator.first_total, paginator.last_total) == ((3, 5), 5, 4)

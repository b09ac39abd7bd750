"""Lines hold pages as they came, in one text."""

from wholesale.json.page import RawPage
from wholesale.tables.lines import Lines, size_of

PAGES = [
    RawPage(b'[{"id":"a"}]', 1, "parent"),
    RawPage(b"[]", 2, None, lambda read: read(RawPage(b"[]"))),
    RawPage(rb'[{"id":"b\\n"}]', 3, "other"),
]


def test_pages_are_a_line_each_and_come_back_as_they_were() -> None:
    lines = Lines.of(PAGES)

    assert bytes(lines.text) == (
        b'{"data":[{"id":"a"}]}\n{"data":[]}\n' rb'{"data":[{"id":"b\\n"}]}' b"\n"
    )
    assert list(lines) == PAGES
    assert [page.refetch for page in lines] == [page.refetch for page in PAGES]
    assert lines.parents == ["parent", None, "other"]


def test_there_is_room_for_as_many_bytes_as_were_asked_for() -> None:
    lines = Lines.with_room_for(size_of(PAGES[0]))

    assert lines.add(PAGES[0])
    assert not lines.add(PAGES[1])
    assert list(lines) == PAGES[:1]


def test_the_opening_is_that_of_the_first_page() -> None:
    assert Lines.of(PAGES).opening(6) == b'[{"id"'
    assert Lines.of(()).opening(6) == b""

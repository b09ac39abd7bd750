"""Every entry of the book is as it was written, or that is seen."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from wholesale_books.book import NAME, Book, Damaged

AT = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)


@pytest.fixture
def book(tmp_path: Path) -> Book:
    book = Book(tmp_path / "books")
    with book.locked():
        for number in range(1, 5):
            book.add("closed", "ann", {"month": f"2026-0{number}", "sales": "12.50"}, AT)
    return book


def test_entries_are_numbered_and_each_follows_the_one_before(book: Book) -> None:
    entries = book.read()
    assert [entry.number for entry in entries] == [1, 2, 3, 4]
    assert [entry.before for entry in entries] == ["", *(each.digest for each in entries[:-1])]
    assert entries[2].about == {"month": "2026-03", "sales": "12.50"}
    assert book.check() == (entries, [])


def test_a_book_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert Book(tmp_path / "none").read() == ()


@pytest.mark.parametrize("line", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"12.50", b"12.51"),
        (b'"by":"ann"', b'"by":"bob"'),
        (b"2026-11-01T08", b"2026-11-01T09"),
        (b'"kind":"closed"', b'"kind": "closed"'),
        (b'{"number"', b'"number"'),
    ],
)
def test_an_entry_that_was_changed_is_found_by_its_line(
    book: Book, line: int, old: bytes, new: bytes
) -> None:
    path = book.folder / NAME
    lines = path.read_bytes().split(b"\n")
    assert old in b"\n".join(lines)
    lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_bytes(b"\n".join(lines))
    assert line in [fault.line for fault in book.check()[1]]
    with pytest.raises(Damaged):
        book.add("closed", "ann", {})


@pytest.mark.parametrize("line", [1, 2, 3])
def test_an_entry_that_is_missing_amid_others_is_found(book: Book, line: int) -> None:
    path = book.folder / NAME
    lines = path.read_bytes().split(b"\n")
    del lines[line - 1]
    path.write_bytes(b"\n".join(lines))
    assert [fault.line for fault in book.check()[1]] == [line]


def test_an_entry_that_is_out_of_its_place_is_found(book: Book) -> None:
    path = book.folder / NAME
    first, second, third, fourth = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((first, third, second, fourth)))
    assert [fault.line for fault in book.check()[1]] == [2, 3, 4]


def test_an_entry_that_was_changed_and_sealed_again_does_not_fit_the_next(book: Book) -> None:
    entries = list(book.read())
    entries[1] = msgspec.structs.replace(entries[1], about={"month": "2026-02"}).sealed()
    (book.folder / NAME).write_bytes(b"".join(entry.line() for entry in entries))
    assert [fault.line for fault in book.check()[1]] == [3]

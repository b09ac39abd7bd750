"""Whatever was changed of the book, of a file of a close or of a pinned version is found."""

import shutil
import sqlite3
from pathlib import Path

import duckdb
import msgspec
import pytest

from support.warehouses.closing import Accounting, Done

CHANGES = [
    (b'"sales":"', b'"sales":"1'),
    (b'"by":"Ann"', b'"by":"Bob"'),
    (b'"note":"agreed"', b'"note":"agreed."'),
    (b'"verdict":"complete"', b'"verdict":"incomplete"'),
]


def found(done: Done) -> list[str]:
    return [each["what"] for each in done.answer["findings"]]


def tell(closed: Accounting, *entries: tuple[int, str]) -> None:
    """As a published version tells of entries of the book."""
    rows = ", ".join(f"({number}, '{digest}')" for number, digest in entries)
    closed.replace_database(
        "create or replace table main.rpt_closed_months as"
        f" select * from (values {rows}) as t (entry_number, entry_digest)"
    )


def rewrite(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


def test_a_book_of_which_no_version_tells_is_whole_as_far_as_is_known(closed: Accounting) -> None:
    done = closed.run("verify", "--book")
    assert (done.code, done.answer["entries"], done.answer["closes"]) == (3, 4, 3)
    assert done.answer["findings"] == []
    assert len(done.answer["unknown"]) == 1


def test_a_book_of_which_a_version_tells_is_whole(closed: Accounting) -> None:
    tell(closed, *((entry.number, entry.digest) for entry in closed.book.read()))
    done = closed.run("verify", "--book")
    # The digests of the version are those that its manifest told when it was closed.
    assert (done.code, done.answer["findings"], done.answer["unknown"]) == (0, [], [])
    assert closed.run("verify", closed.months[0]).answer["closes"] == 1


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_entry_is_found(closed: Accounting, change: tuple[bytes, bytes]) -> None:
    path = closed.book.folder / "book.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(*change, 1)
    rewrite(path, b"".join(lines))
    done = closed.run("verify", "--book")
    assert (done.code, found(done)[0]) == (1, "book.jsonl")
    assert "line 1" in done.answer["findings"][0]["reason"]


@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_missing_entry_is_found(closed: Accounting, line: int) -> None:
    path = closed.book.folder / "book.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    rewrite(path, b"".join(lines[:line] + lines[line + 1 :]))
    assert closed.run("verify", "--book").code == 1


def test_entries_that_are_missing_at_the_end_are_found_by_what_was_published(
    closed: Accounting,
) -> None:
    entries = closed.book.read()
    tell(closed, *((entry.number, entry.digest) for entry in entries))
    path = closed.book.folder / "book.jsonl"
    rewrite(path, b"".join(entry.line() for entry in entries[:2]))

    done = closed.run("verify", "--book")

    assert done.code == 1
    told = [each["reason"] for each in done.answer["findings"] if each["what"] == "book.jsonl"]
    assert [reason.split()[1] for reason in told] == ["3", "4"]


def test_a_book_that_was_written_anew_as_a_whole_is_found_by_what_was_published(
    closed: Accounting,
) -> None:
    entries = closed.book.read()
    tell(closed, *((entry.number, entry.digest) for entry in entries))
    path = closed.book.folder / "book.jsonl"
    before, lines = "", []
    for entry in entries:
        forged = msgspec.structs.replace(entry, by="Eve", before=before).sealed()
        before = forged.digest
        lines.append(forged.line())
    rewrite(path, b"".join(lines))
    assert closed.book.check()[1] == []

    done = closed.run("verify", "--book")

    assert (done.code, found(done).count("book.jsonl")) == (1, 4)


def test_a_book_that_is_gone_is_found_by_what_was_published(closed: Accounting) -> None:
    tell(closed, *((entry.number, entry.digest) for entry in closed.book.read()))
    shutil.rmtree(closed.book.folder)
    done = closed.run("verify", "--book")
    assert (done.code, found(done)) == (1, ["book.jsonl"] * 4)


def test_a_changed_file_of_a_close_is_found_and_what_it_counts(closed: Accounting) -> None:
    month = closed.months[0]
    path = closed.book.folder / "closed" / f"{month}.1.duckdb"
    rewrite(path, path.read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "update wholesale_marts.fct_orders set sub_total = sub_total + 1 where is_sale"
            f" and ordered_date between date '{month}-01' and last_day(date '{month}-01')"
        )

    done = closed.run("verify", month)

    assert done.code == 1
    assert found(done)[0] == path.name
    reasons = [each["reason"] for each in done.answer["findings"]]
    assert any(reason.startswith("sales is ") for reason in reasons)
    assert closed.run("verify", closed.months[1]).code == 3


@pytest.mark.parametrize("content", [None, b"", b"half", b"\0" * 20_000])
def test_a_file_of_a_close_that_is_no_more_is_found(
    closed: Accounting, content: bytes | None
) -> None:
    path = closed.book.folder / "closed" / f"{closed.months[1]}.1.duckdb"  # of the ended close
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    done = closed.run("verify", "--book")
    assert (done.code, {*found(done)}) == (1, {path.name})


def test_a_changed_pinned_version_is_found(closed: Accounting) -> None:
    month = closed.months[0]
    rewrite(closed.database, closed.database.read_bytes()[:-1] + b"x")
    done = closed.run("verify", month)
    assert (done.code, found(done)[0]) == (1, closed.manifest.database.path)


def test_a_pinned_version_whose_manifest_tells_other_digests_is_found(closed: Accounting) -> None:
    version = closed.manifest.version
    closed.tell(digests={**closed.manifest.digests, "wholesale_bi.rpt_orders": "another"})
    done = closed.run("verify", closed.months[0])
    assert (done.code, found(done)) == (1, [f"version {version}"])


@pytest.mark.parametrize("is_pinned", [True, False])
def test_a_version_that_is_gone_is_found_unless_an_erasure_took_its_pin_too(
    closed: Accounting, is_pinned: bool
) -> None:
    version = closed.manifest.version
    closed.put("29990101T000000000Z-aaaaaaaa", "2999-01-01T00:00:00Z")
    (closed.published / "versions" / version / "manifest.json").unlink()
    if not is_pinned:
        (closed.published / "pinned" / version).unlink()
    done = closed.run("verify", closed.months[0])
    assert (done.code, found(done)) == ((1, [f"version {version}"]) if is_pinned else (3, []))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["1999-01"], 2),
        (["2026-13"], 2),
        (["--book", "--warehouse"], 2),
        (["--book", "--version", "current"], 2),
        (["--book", "2026-10"], 2),
    ],
)
def test_what_there_is_not_to_verify_is_refused(
    closed: Accounting, words: list[str], code: int
) -> None:
    assert closed.run("verify", *words).code == code


def test_all_else_is_verified_as_without_books(accounting: Accounting, tmp_path: Path) -> None:
    assert accounting.run("verify").code == 0
    assert accounting.run("verify", "--version", "current").code == 0
    copy = tmp_path / "2026-10"  # a file is one, whatever its name
    shutil.copy(accounting.database, copy)
    assert accounting.run("verify", str(copy)).code == 0
    other = tmp_path / "other.sqlite"
    sqlite3.connect(other).close()
    assert accounting.run("verify", str(other)).code == 1


def test_a_warehouse_that_is_not_there_has_no_book(accounting: Accounting) -> None:
    accounting.warehouse.database.unlink()
    assert accounting.run("verify", "--book").code == 1
    assert accounting.run("close").code == 1
    assert accounting.run("close", accounting.months[0]).code == 1
    assert not (accounting.folder / "books").exists()

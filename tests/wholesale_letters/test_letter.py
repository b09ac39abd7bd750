"""A letter says what the first page and `figures` say, in any form, and nothing that runs or is
fetched; a part of it has nothing of others."""

import io
import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import duckdb
import pypdf
import pytest

from support.services.mailbox import ANN, BOSS, Mailbox
from support.warehouses.offices import Office
from wholesale_elt.dashboard import Formats, plain, read_meta
from wholesale_elt.figures import Question, ask
from wholesale_elt.publish import find_site
from wholesale_letters.editions import open_editions
from wholesale_letters.html import html_of
from wholesale_letters.letter import Asked, Letter, letter_of
from wholesale_letters.paper import pdf_of
from wholesale_letters.text import COLUMNS, text_of

PAGE = "https://data.example.org/index.html"
ODD = "<script>alert(1)</script> #strong[x] \u202e\u5c71\u7530 \u0645\u062a\u062c\u0631 & Co"
FETCHES = re.compile(r"<(img|script|link|iframe|object|embed|form|svg|video)|url\(|@import", re.I)


class Parsed(HTMLParser):
    """The tags, links and texts of a letter."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.links += [value or "" for name, value in attributes if name == "href"]
        assert not any(name.startswith("on") or name == "src" for name, _ in attributes)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


@pytest.fixture
def database(office: Office, tmp_path: Path) -> Any:
    """The published file, to be changed."""
    return Path(shutil.copy(find_site(office.published).database, tmp_path / "copy.duckdb"))


def made(office: Office, database: Path, *changes: str, **asked: Any) -> Letter:
    database.chmod(0o600)
    with duckdb.connect(str(database)) as connection:
        connection.execute("set timezone = 'UTC'")
        for change in changes:
            connection.execute(change)
        manifest = find_site(office.published).manifest
        now = datetime.fromisoformat(manifest.as_of or "") + timedelta(hours=1)
        return letter_of(connection, manifest, Asked(**{"now": now, "page": PAGE, **asked}))


def test_its_figures_are_those_of_the_command(office: Office, database: Path) -> None:
    letter = made(office, database)
    names = ("sales", "orders", "active_buyers", "average_order_value")
    question = Question(metrics=names, period="this_month", compare="period")
    with duckdb.connect(str(database), read_only=True) as connection:
        found = ask(connection, question)
        write = Formats(read_meta(connection, find_site(office.published).manifest.as_dict()))
        [(orders, amount)] = connection.execute(
            "select count(*), sum(total) from wholesale_bi.rpt_receivables where is_open"
        ).fetchall()
    _, figures = letter.sections
    rows = {row.title: row for row in figures.rows}
    total = found.total
    assert [row.value for row in figures.rows] == [
        write.amount(total["sales"]),
        f"{total['orders']:,}",
        f"{total['active_buyers']:,}",
        write.amount(total["average_order_value"]),
        write.compact(amount or Decimal(0)),
    ]
    assert rows["Shipped and unpaid"].below == f"{orders:,} order{'' if orders == 1 else 's'}"
    assert found.span is not None
    assert figures.note.startswith(f"{found.span.days} ")


def test_every_form_says_the_same(office: Office, database: Path) -> None:
    letter = made(office, database)
    parsed, text = Parsed(html_of(letter)), " ".join(text_of(letter).split())
    reader = pypdf.PdfReader(io.BytesIO(pdf_of(letter)))
    [page] = reader.pages
    assert (round(float(page.mediabox.width)), round(float(page.mediabox.height))) == (595, 842)
    paper = " ".join(page.extract_text().split())
    assert parsed.open == []
    for section in letter.sections:
        for row in section.rows:
            for told in (row.value, row.below, row.title):
                words = " ".join(told.split())
                assert words in " ".join(parsed.text.split())
                assert words in text
                assert "".join(words.split()) in "".join(paper.split())
            assert " ".join(plain(row.why).split()) in " ".join(parsed.text.split())
    assert letter.subject.startswith(plain(letter.sentence).split(" came in")[0])
    assert pdf_of(letter) == pdf_of(letter)


def test_nothing_is_fetched_and_all_links_lead_to_the_page(office: Office, database: Path) -> None:
    for page in (PAGE, None):
        text = html_of(made(office, database, page=page))
        parsed = Parsed(text)
        assert FETCHES.search(text.replace("bgcolor", "")) is None
        assert all(link.startswith(f"{PAGE}#/") for link in parsed.links)
        assert bool(parsed.links) == bool(page)


def test_text_keeps_its_columns_and_money_stands_at_the_right(
    office: Office, database: Path
) -> None:
    letter = made(office, database, page=None)
    lines = text_of(letter).splitlines()
    assert max(map(len, lines)) <= COLUMNS
    row = letter.sections[0].rows[0]
    figure = f"{row.value} {row.below}".replace("\u202f", " ")
    assert any(line.endswith(figure) and len(line) == COLUMNS for line in lines)


def test_names_of_any_script_and_length_break_nothing(office: Office, database: Path) -> None:
    for name in (ODD, "x" * 300, "\u5c71" * 200, "a\r\nBcc: b@example.org\x00\x07"):
        quoted = name.replace("'", "''").replace("\x00", "")
        letter = made(
            office,
            database,
            f"update wholesale_bi.rpt_tasks set buyer_name = '{quoted}', item_title = '{quoted}'",
        )
        parsed = Parsed(html_of(letter))
        assert parsed.open == []
        assert len(pypdf.PdfReader(io.BytesIO(pdf_of(letter))).pages) == 1
        assert "\n" not in letter.subject
        assert letter.subject.isprintable()
        for line in text_of(letter).splitlines():
            wide = sum(2 if east_asian_width(each) in "WF" else 1 for each in line)
            assert wide <= COLUMNS or "://" in line
            assert line.isprintable()


def test_an_old_or_incomplete_version_says_so_in_its_first_line(
    office: Office, database: Path
) -> None:
    now = datetime.now(UTC) + timedelta(days=53)
    letter = made(office, database, now=now)
    assert letter.subject.startswith("These figures are 53 days old: ")
    assert text_of(letter).startswith("These figures are 53 days old.")
    assert not letter.is_complete
    assert "by " in text_of(letter).split("TO DO")[1]


def test_nothing_to_do_is_said(office: Office, database: Path) -> None:
    letter = made(office, database, "delete from wholesale_bi.rpt_tasks")
    assert letter.sections[0].nothing.startswith("Nothing is waiting for you")
    assert "nothing is waiting for you" in letter.subject
    assert "Nothing is waiting for you" in text_of(letter)
    assert len(pypdf.PdfReader(io.BytesIO(pdf_of(letter))).pages) == 1


def test_the_next_letter_is_due_on_a_day_of_the_recipient(office: Office, database: Path) -> None:
    now = datetime.fromisoformat("2030-01-04T09:00:00Z")  # a Friday
    for days, day in (({0}, "Monday"), ({4}, "Friday"), (set(range(7)), "")):
        letter = made(office, database, now=now, weekdays=frozenset(days))
        assert f"due on {day}" in letter.late


@pytest.mark.slow
def test_a_part_is_made_once_and_has_nothing_of_others(
    office: Office, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    marts = office.marts
    ((vendor, _),) = marts.rows(
        "select vendor_id, count(*) from wholesale_marts.fct_orders group by 1 order by 2 desc, 1"
        " limit 1"
    )
    ((manager, _),) = marts.rows(
        "select account_manager_id, count(*) from wholesale_marts.fct_orders"
        " join wholesale_marts.dim_buyers using (buyer_id) where account_manager_id is not null"
        " group by 1 order by 2 desc, 1 limit 1"
    )
    parts = {BOSS: f"vendor={vendor}", ANN: f"manager={manager}"}
    recipients = [{"address": to, "only": only} for to, only in parts.items()]
    monkeypatch.setenv("LETTERS__RECIPIENTS", json.dumps(recipients))
    monkeypatch.setenv("LETTERS__ADDRESS", PAGE)

    done = office.send()

    assert done.exit_code == 0, done.stderr
    others = {
        BOSS: f"select vendor_name from wholesale_marts.dim_vendors where vendor_id <> '{vendor}'",
        ANN: "select company_name from wholesale_marts.dim_buyers"
        f" where coalesce(account_manager_id <> '{manager}', true)",
    }
    for to in parts:
        [message] = mailbox.of(to)
        told = [part.get_content() for part in message.walk() if not part.is_multipart()]
        [pdf] = [content for content in told if isinstance(content, bytes)]
        texts = [content for content in told if isinstance(content, str)]
        texts.append(pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text())
        for (name,) in marts.rows(others[to]):
            assert name is None or not any(name in text for text in texts), name
        assert not any(PAGE in text for text in texts)
    with open_editions(marts.warehouse, office.published) as editions:
        assert editions.of(parts[BOSS]).manifest.only == parts[BOSS]
    assert list((marts.warehouse.state_folder / "then").rglob("*.duckdb")) == []
    assert office.send("--json").exit_code == 0
    assert len(mailbox.got) == 2


def test_letters_are_written_or_printed_without_a_server(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MONITORING__MAIL_SERVER")
    done = office.send("--to", str(tmp_path / "out"), "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)["letters"]
    assert [each["address"] for each in found] == [BOSS, ANN]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {f"{to}.{kind}" for to in (BOSS, ANN) for kind in ("html", "txt", "pdf")}
    monkeypatch.delenv("LETTERS__RECIPIENTS")
    printed = office.send("--dry-run")
    assert printed.exit_code == 0
    assert "TO DO" in printed.stdout

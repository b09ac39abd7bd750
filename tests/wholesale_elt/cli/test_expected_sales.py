"""`wholesale next --sales` tells what months may come to, the whole apart from its parts."""

import json
import shutil
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

from wholesale.errors import Unanswerable
from wholesale_elt import Published
from wholesale_elt.cli.main import cli

UP_TO = datetime.now(UTC).date() - timedelta(days=7)
MONTHS = (date(2026, 3, 1), date(2026, 4, 1))
Row = Mapping[str, Any]


def month(dimension: str, member: str, number: int, expected: str | None) -> Row:
    return {
        "month_start": MONTHS[number],
        "is_next": number == 1,
        "dimension": dimension,
        "member": member,
        "member_name": f"The {member}" if dimension == "vendor" else member,
        "known_amount": "99.5",
        "expected_amount": expected,
        **{f"low_{share}": expected and "100.5" for share in (50, 80, 90)},
        **{f"high_{share}": expected and "1300" for share in (50, 80, 90)},
        "judged_count": 12 if expected else 0,
        "right_count": 10 if expected else 0,
    }


OF_ALL = (month("all", "all", 0, "700.25"), month("all", "all", 1, "900"))
OF_VENDORS = (
    month("vendor", "v2", 0, "500"),
    month("vendor", "v1", 0, "300"),
    month("vendor", "v3", 0, None),
    month("vendor", "v1", 1, "450"),
)
REPORT = "wholesale_bi.rpt_sales_outlook"
OF_MANAGERS = (month("account_manager", "m1", 0, "1"),)


@pytest.fixture(scope="module")
def folder(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published folder whose version expects these months."""
    folder = Path(shutil.copytree(published, tmp_path_factory.mktemp("expected") / "published"))
    current = json.loads((folder / "current.json").read_text("utf-8"))
    with duckdb.connect(str(folder / current["database"]["path"])) as connection:
        connection.execute("update meta.versions set figures_up_to = ?", [UP_TO])
        parts = sorted((*OF_VENDORS, *OF_MANAGERS), key=lambda row: row["member"])
        for report, rows in ((REPORT, parts), (f"{REPORT}_totals", OF_ALL)):
            for column in ("known_amount", "expected_amount", "low_80", "high_80"):
                connection.execute(f"alter table {report} alter {column} type decimal(18, 2)")
            connection.execute(f"delete from {report}")
            for row in rows:
                connection.execute(
                    f"insert into {report} ({', '.join(row)}) values ({', '.join('?' * len(row))})",
                    [*row.values()],
                )
    return folder


def run(folder: Path, *words: str) -> Result:
    words = ("next", "--published", str(folder), *words)
    return CliRunner().invoke(cli, words, env={"COLUMNS": "200"})


def found(folder: Path, *words: str) -> dict[str, Any]:
    done = run(folder, "--sales", "--json", *words)
    assert done.exit_code == 0, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def told(rows: list[Row]) -> list[tuple[Any, ...]]:
    names = ("month_start", "dimension", "member", "expected_amount", "low_80", "high_80")
    return [tuple(row[name] for name in names) for row in rows]


TOTAL = [
    ("2026-03-01", "all", "all", "700.25", "100.5", "1300"),
    ("2026-04-01", "all", "all", "900", "100.5", "1300"),
]


def test_the_months_of_all_are_told_as_they_are_published(folder: Path) -> None:
    answer = found(folder)
    assert told(answer["rows"]) == told(answer["total"]) == TOTAL
    assert answer["rows"][0].keys() == OF_ALL[0].keys()
    assert (answer["by"], answer["withheld"]) == (None, None)
    assert (answer["figures_up_to"], answer["verdict"]) == (str(UP_TO), "complete")


@pytest.mark.parametrize("word", ["vendor", "suppliers"])
def test_parts_come_with_that_of_the_whole_which_is_not_their_sum(folder: Path, word: str) -> None:
    answer = found(folder, "--by", word)
    assert told(answer["rows"]) == [
        ("2026-03-01", "vendor", "v2", "500", "100.5", "1300"),
        ("2026-03-01", "vendor", "v1", "300", "100.5", "1300"),
        ("2026-03-01", "vendor", "v3", None, None, None),
        ("2026-04-01", "vendor", "v1", "450", "100.5", "1300"),
    ]
    assert (answer["by"], told(answer["total"])) == ("vendor", TOTAL)
    again = Published(folder).sql(answer["statement"]).rows
    assert [row["member"] for row in again] == ["v2", "v1", "v3", "v1"]


def test_a_terminal_shows_the_parts_and_then_the_whole(folder: Path) -> None:
    lines = run(folder, "--sales", "--by", "vendor").stdout.splitlines()
    cells = [line.split() for line in lines if line.strip().startswith("2026-")]
    rest = ["100", "101", "to", "1,300", "10", "of", "12"]
    assert cells == [
        ["2026-03", "The", "v2", rest[0], "500", *rest[1:]],
        ["2026-03", "The", "v1", rest[0], "300", *rest[1:]],
        ["2026-03", "The", "v3", rest[0], *["not", "known"] * 3],
        ["2026-04", "The", "v1", rest[0], "450", *rest[1:]],
        ["2026-03", "all", rest[0], "700", *rest[1:]],
        ["2026-04", "all", rest[0], "900", *rest[1:]],
    ]
    alone = run(folder, "--sales").stdout.splitlines()
    assert [line.split()[:2] for line in alone if line.strip().startswith("2026-")] == [
        ["2026-03", "all"],
        ["2026-04", "all"],
    ]
    assert "complete as of" in alone[-1]


@pytest.mark.parametrize(
    "words",
    [
        *(["--sales", "b"], ["--sales", "--due"], ["--sales", "--record"]),
        *(["--sales", "--manager", "m1"], ["--sales", "--limit", "0"], ["--by", "vendor"]),
        ["--sales", "--by", "buyer"],
    ],
)
def test_what_does_not_go_together_is_refused(folder: Path, words: list[str]) -> None:
    assert run(folder, *words).exit_code == 2


def test_months_of_a_day_too_long_ago_are_not_told_but_those_of_a_version_asked_for_are(
    published: Path,
) -> None:
    old = found(published)  # of a fixed day
    assert (old["rows"], old["total"], old["withheld"] is None) == ([], [], False)
    assert run(published, "--sales").exit_code == 0
    then = found(published, "--as-of", "current")
    assert then["withheld"] is None
    assert [row["member"] for row in then["rows"]] == ["all", "all"]


def test_python_has_the_answer_of_the_command(folder: Path) -> None:
    answer = Published(folder).expected_sales("account_manager")
    assert [(row["member"], row["expected_amount"]) for row in answer.rows] == [("m1", 1)]
    assert [row["expected_amount"] for row in answer.detail.total][1] == 900
    with pytest.raises(Unanswerable):
        Published(folder).expected_sales("product")


@pytest.mark.parametrize("word", ["expected_sales", "Expected sales", "forecast", "sales outlook"])
def test_whoever_asks_figures_is_told_the_command(folder: Path, word: str) -> None:
    words = ["figures", word, "--published", str(folder)]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 2
    assert "`wholesale next --sales`" in " ".join(done.stderr.split())


def test_without_any_sale_a_sentence_stands_in_place_of_months(
    published: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(published, tmp_path / "published"))
    current = json.loads((folder / "current.json").read_text("utf-8"))
    with duckdb.connect(str(folder / current["database"]["path"])) as connection:
        connection.execute(f"delete from {REPORT}; delete from {REPORT}_totals")
    done = run(folder, "--sales", "--as-of", "current")
    assert (done.exit_code, len(done.stdout.splitlines())) == (0, 2)
    assert json.loads(run(folder, "--sales", "--as-of", "current", "--json").stdout)["rows"] == []


def test_a_file_of_an_earlier_release_says_so(published: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(published, tmp_path / "published"))
    current = json.loads((folder / "current.json").read_text("utf-8"))
    with duckdb.connect(str(folder / current["database"]["path"])) as connection:
        connection.execute(f"alter table {REPORT}_totals drop column expected_amount")
    assert run(folder, "--sales", "--as-of", "current").exit_code == 1

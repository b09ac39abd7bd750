"""`wholesale sql`: the rows of one statement, exact, with how far to trust them; nothing else."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from support.warehouses import handmade
from support.warehouses.desks import Desk
from wholesale_elt.cli.main import cli
from wholesale_elt.publish import find_site, publisher

REASON = "2 records lack"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    desk = Desk(tmp_path_factory.mktemp("asking"))
    desk.build(1, reason=REASON)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publisher, "write_dashboard", handmade.write_site)
        desk.publish(is_even_if_incomplete=True)
    return desk.folder


def ask(folder: Path, *arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["sql", *arguments, "--published", str(folder)], input=given)


def document(folder: Path, statement: str) -> dict[str, Any]:
    found = ask(folder, statement, "--json")
    assert found.exit_code == 0, found.output
    parsed: dict[str, Any] = json.loads(found.stdout)
    return parsed


def test_the_answer_for_programs_is_exact_and_says_how_far_to_trust_it(folder: Path) -> None:
    version = json.loads((folder / "current.json").read_text("utf-8"))
    assert document(
        folder,
        "select count(*) as orders, sum(total) as total, 1e-9::decimal(18, 9) as least,"
        " timestamptz '2026-01-02 03:04:05+00' as at, [0.5] as parts, null as nothing from orders",
    ) == {
        "columns": ["orders", "total", "least", "at", "parts", "nothing"],
        "rows": [
            {
                **{"orders": 5_000, "total": "12497500", "least": "0.000000001"},
                **{"at": "2026-01-02T03:04:05+00:00", "parts": ["0.5"], "nothing": None},
            }
        ],
        "verdict": "incomplete",
        "reasons": [f"orders: {REASON}"],
        "findings": [],
        "as_of": version["as_of"],
        "figures_up_to": None,
        "orders_up_to": None,
        "version": version["version"],
    }


def test_people_get_a_line_a_row_and_below_them_the_verdict(folder: Path) -> None:
    found = ask(folder, "select order_id, total from orders order by order_id limit 2")
    lines = [line.split() for line in found.stdout.splitlines() if line.strip()]
    assert lines[0] == ["order_id", "total"]
    assert lines[2:4] == [["0", "0.00"], ["1", "1.00"]]
    assert "incomplete" in lines[-1]
    assert REASON in found.stdout.splitlines()[-1]
    assert ask(folder, "-", given="select 7 as n").stdout.split()[:3:2] == ["n", "7"]


def test_what_does_not_fit_into_a_line_has_a_line_a_value(folder: Path) -> None:
    columns = ", ".join(f"repeat('{n}', 99) as c{n}" for n in range(3))
    found = ask(folder, f"select {columns} union all select 'a', 'b', null order by all")
    assert [line.split() for line in found.stdout.splitlines()[:8]] == [
        *(["c0", "0" * 99], ["c1", "1" * 99], ["c2", "2" * 99], []),
        *(["c0", "a"], ["c1", "b"], ["c2", "NULL"], []),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "delete from wholesale_marts.fct_orders",
        "create table more as select 1",
        "copy orders to '{folder}/orders.csv'",
        "from read_csv('{folder}/current.json')",
        "attach '{folder}/other.duckdb'",
        "set enable_external_access = true",
        "select 1; select 2",
        "copy (select 1) to '{database}.wal'",
        "copy orders to '{database}.wal' (format parquet)",
        "explain analyze copy (select 1) to '{database}.wal'",
        "call enable_logging(storage='file', storage_config={{'path': '{folder}'}})",
        "from enable_logging()",
        "checkpoint",
        "from read_text('{folder}/current.json')",
        "from query('select 1')",
        "",
        "from nowhere",
        "select 1 as a, 2 as a",
    ],
)
def test_whatever_is_no_question_to_this_version_fails_and_changes_nothing(
    folder: Path, statement: str
) -> None:
    before = sorted(folder.rglob("*"))
    database = find_site(folder).database
    found = ask(folder, statement.format(folder=folder, database=database), "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["exit_code"] == 1
    assert sorted(folder.rglob("*")) == before
    assert document(folder, "select count(*) as n from orders")["rows"] == [{"n": 5_000}]


@pytest.mark.parametrize("words", [["sql", "select 1"], ["figures", "sales"], ["why", "sales"]])
def test_nobody_believes_a_log_beside_the_published_file(
    published: Path, tmp_path: Path, words: list[str]
) -> None:
    folder = shutil.copytree(published, tmp_path / "published", symlinks=True)
    database = find_site(folder).database
    log = database.with_name(f"{database.name}.wal")
    log.write_bytes(b"forged")
    called = [*words, "--published", str(folder), "--json"]
    if words[0] == "why":
        called[2:2] = ["--from", find_site(folder).manifest.version]
    found = CliRunner().invoke(cli, called)

    assert found.exit_code == 1
    assert log.name in json.loads(found.stdout)["error"]


def test_all_rows_are_read_as_csv_and_a_table_shows_some(folder: Path) -> None:
    statement = "select order_id, total from orders order by order_id::int"
    rows = list(csv.reader(io.StringIO(ask(folder, statement, "--csv").stdout)))
    assert (len(rows), rows[0], rows[-1]) == (5_001, ["order_id", "total"], ["4999", "4999"])

    shown = ask(folder, statement).stdout
    assert "4,960" in shown
    assert len(shown.splitlines()) < 60


@pytest.mark.parametrize(("limit", "count"), [("0", 0), ("7", 7), ("6000", 5_000)])
def test_so_many_rows_are_told_at_most(folder: Path, limit: str, count: int) -> None:
    words = ("select order_id from orders", "--limit", limit)
    assert len(list(csv.reader(io.StringIO(ask(folder, *words, "--csv").stdout)))) == count + 1
    assert len(json.loads(ask(folder, *words, "--json").stdout)["rows"]) == count


def test_rows_are_read_as_they_are_told(folder: Path) -> None:
    endless = "select n, repeat('x', 1000) as text from range(1000000000000) as many(n)"
    rows = list(csv.reader(io.StringIO(ask(folder, endless, "--csv", "--limit", "3").stdout)))
    assert [row[0] for row in rows] == ["n", "0", "1", "2"]


def test_years_numbers_empty_texts_and_null_are_told_apart(folder: Path) -> None:
    statement = (
        "select 2026 as y, 12345 as n, 1234567.25::double as d, '' as e, null as x,"
        " 1234.5000::decimal(9, 4) as m, true as t"
    )
    [_, names, _, values, *_] = ask(folder, statement).stdout.splitlines()
    assert names.split() == ["y", "n", "d", "e", "x", "m", "t"]
    assert values.split() == ["2026", "12,345", "1,234,567.25", "NULL", "1,234.50", "True"]


def test_what_is_no_number_of_json_is_told_as_csv_has_it(folder: Path) -> None:
    statement = "select 1 / 0 as most, -1 / 0 as least, ['nan'::double, 0.5] as some"

    def refuse(name: str) -> None:
        raise AssertionError(name)

    told = json.loads(ask(folder, statement, "--json").stdout, parse_constant=refuse)
    assert told["rows"] == [{"most": "Infinity", "least": "-Infinity", "some": ["NaN", 0.5]}]
    [_, row] = csv.reader(io.StringIO(ask(folder, statement, "--csv").stdout))
    assert row[:2] == ["Infinity", "'-Infinity"]


def test_where_nothing_is_published_it_says_so(tmp_path: Path) -> None:
    assert ask(tmp_path, "select 1").exit_code == 1

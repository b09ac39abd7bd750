"""`wholesale sql`: the rows of one statement, exact, with how far to trust them; nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from support.warehouses import handmade
from support.warehouses.desks import Desk
from wholesale_elt.cli.main import cli
from wholesale_elt.publish import publisher

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
                **{"orders": 5_000, "total": "12497500.00", "least": "0.000000001"},
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
        *(["c0", "a"], ["c1", "b"], ["c2"], []),
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
        "",
        "from nowhere",
        "select 1 as a, 2 as a",
    ],
)
def test_whatever_is_no_question_to_this_version_fails_and_changes_nothing(
    folder: Path, statement: str
) -> None:
    before = sorted(folder.rglob("*"))
    found = ask(folder, statement.format(folder=folder), "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["exit_code"] == 1
    assert sorted(folder.rglob("*")) == before
    assert document(folder, "select count(*) as n from orders")["rows"] == [{"n": 5_000}]


def test_where_nothing_is_published_it_says_so(tmp_path: Path) -> None:
    assert ask(tmp_path, "select 1").exit_code == 1

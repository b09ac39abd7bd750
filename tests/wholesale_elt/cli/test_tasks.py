"""`wholesale tasks` prints what the model has, each kind in its order, with what all come to."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from support.warehouses.marts import Marts
from wholesale_elt.cli.asking.tasks import SENTENCES
from wholesale_elt.cli.main import cli
from wholesale_elt.publish.publisher import publish_marts


@pytest.fixture(scope="module")
def folder(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    marts = built.copy(folder / "warehouse")
    marts.change("update wholesale_raw.orders set status = 'on hold' where order_number like '%7'")
    marts.build()
    publish_marts(marts.warehouse, str(folder / "published"))
    return folder


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["tasks", "--published", str(folder / "published"), *words])


def rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    done = CliRunner().invoke(cli, ["sql", sql, "--json", "--published", str(folder / "published")])
    return [tuple(row.values()) for row in json.loads(done.stdout)["rows"]]


def test_all_tasks_are_told_with_what_each_kind_comes_to(folder: Path) -> None:
    done = run(folder, "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert sorted(task["task_id"] for task in found["tasks"]) == sorted(
        key for (key,) in rows(folder, "select task_id from wholesale_bi.rpt_tasks")
    )
    assert {row["kind"]: (row["tasks"], Decimal(row["amount"])) for row in found["totals"]} == {
        kind: (count, Decimal(str(amount)))
        for kind, count, amount in rows(
            folder,
            "select task_kind, count(*), sum(amount) from wholesale_bi.rpt_tasks group by 1",
        )
    }
    assert "on hold" in {each["state"] for each in found["unknown_states"]}
    assert all(None not in task.values() for task in found["tasks"])


def test_a_kind_is_told_the_most_urgent_first(folder: Path) -> None:
    found = json.loads(run(folder, "--json", "--kind", "old", "--limit", "3").stdout)["tasks"]
    assert [task["waiting_days"] for task in found] == [
        days
        for (days,) in rows(
            folder,
            "select waiting_days from wholesale_bi.rpt_tasks where task_kind = 'old'"
            " order by 1 desc limit 3",
        )
    ]


@pytest.mark.parametrize("kind", SENTENCES)
def test_each_kind_has_its_sentence(folder: Path, kind: str) -> None:
    done = run(folder, "--kind", kind)
    assert done.exit_code == 0
    count = rows(folder, f"select count(*) from wholesale_bi.rpt_tasks where task_kind = '{kind}'")
    assert (SENTENCES[kind][0] in done.stdout) is (count != [(0,)])
    assert "on hold" in done.stdout


def test_a_kind_that_is_none_is_refused(folder: Path) -> None:
    assert run(folder, "--kind", "laundry").exit_code == 2

"""`wholesale tasks` prints what the model has, each kind in its order, with what all come to."""

import json
import re
import shutil
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, rows_of
from wholesale.errors import decimal_text
from wholesale_elt.answers.kinds import TASK_KINDS as KINDS
from wholesale_elt.cli.main import cli
from wholesale_elt.dashboard import SENTENCES
from wholesale_elt.dashboard.tasks import read_tasks
from wholesale_elt.inspect import read_overview
from wholesale_elt.publish import find_site
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.runs import UnknownState
from wholesale_elt.warehouse import Warehouse


@pytest.fixture(scope="module")
def folder(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    marts = built.copy(folder / "warehouse")
    marts.change(
        "update wholesale_raw.orders set status = 'on hold' where order_number like '%7'",
        "update wholesale_raw.orders set status = null where order_number like '%8'",
    )
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
        str(key) for (key,) in rows(folder, "select task_id from wholesale_bi.rpt_tasks")
    )
    assert {row["kind"]: (row["tasks"], Decimal(row["amount"])) for row in found["totals"]} == {
        kind: (count, Decimal(str(amount)))
        for kind, count, amount in rows(
            folder,
            "select task_kind, count(*), sum(amount) from wholesale_bi.rpt_tasks group by 1",
        )
    }
    assert found["orders_without_state"] == len(
        rows(
            folder,
            "select order_id from wholesale_marts.fct_orders"
            " where order_status is null and not is_deleted",
        )
    )
    assert all(None not in task.values() for task in found["tasks"])


def test_an_amount_that_is_a_mean_is_printed_to_the_cent(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "published", tmp_path / "published")
    site = find_site(tmp_path / "published")
    with duckdb.connect(str(site.database)) as connection:
        connection.execute(
            "insert into wholesale_bi.rpt_tasks by name select 'due' as task_kind, 'd' || n as"
            " task_id, 'Shop' as buyer_name, 0.5 as order_in_week_share,"
            " 3 as days_since_last_order, n as position, 1234.56789 as amount from range(7) as t(n)"
        )
    printed = run(tmp_path, "--kind", "due").stdout
    assert re.findall(r"[\d,]+\.\d+", printed)[:6] == [*["1,234.57"] * 5, "2,469.14"]


def test_sales_out_of_the_ordinary_have_no_sum_as_they_overlap(
    folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / "published", tmp_path / "published")
    with duckdb.connect(str(find_site(tmp_path / "published").database)) as connection:
        connection.execute(
            "insert into wholesale_bi.rpt_tasks by name select 'unusual' as task_kind, 'u' || n as"
            " task_id, 'day' as grain, 'vendor' as dimension, 'v' as member, 'V' as member_name,"
            " date '2026-06-28' as first_day, date '2026-06-28' as last_day, 1 as low_amount,"
            " 2 as high_amount, 'sql' as why, n as position, 100 as amount from range(7) as t(n)"
        )
        kinds = read_tasks(connection)["totals"]
    found = json.loads(run(tmp_path, "--kind", "unusual", "--json").stdout)
    assert found["totals"] == [{"kind": "unusual", "tasks": 7, "amount": None}]
    assert run(tmp_path, "--kind", "unusual").stdout.count("100") == 5
    of_page = {row["kind"]: (row["row_count"], row["amount"]) for row in rows_of(kinds)}
    assert of_page["unusual"] == (7, None)


def test_a_state_without_a_meaning_is_asked_for_by_name_wherever_one_looks(folder: Path) -> None:
    published = find_site(folder / "published")
    page = folder / "published" / published.manifest.dashboard
    site = Site(published.database, page.parent, folder / "published")
    [(count, amount)] = rows(
        folder,
        "select count(*), sum(coalesce(sub_total, total)) from wholesale_marts.fct_orders"
        " where order_status = 'on hold' and not is_deleted",
    )
    asked = ("order_status", "on hold", count, Decimal(str(amount)))

    tasks = json.loads(run(folder, "--json", "--kind", "unknown_state").stdout)
    [task] = [each for each in tasks["tasks"] if each["state"] == "on hold"]
    [line] = [row for row in site.table("tasks", "unknown_state") if row["state"] == "on hold"]
    for each in (task, line):
        told = (each["field_name"], each["state"], each["order_count"], Decimal(each["amount"]))
        assert told == asked
    states = [
        *published.manifest.unknown_states,
        *read_overview(Warehouse(folder / "warehouse" / "wholesale.duckdb")).unknown_states,
        *(UnknownState(**each) for each in tasks["unknown_states"]),
    ]
    assert [
        (each.field, each.state, each.orders, each.amount)
        for each in states
        if each.state == "on hold"
    ] == [(*asked[:3], decimal_text(asked[3]))] * 3
    assert "on hold" in run(folder).stdout


def test_of_orders_without_a_state_it_is_not_said_that_none_waits(folder: Path) -> None:
    found = json.loads(run(folder, "--json", "--kind", "overdue").stdout)
    assert found["tasks"] == []
    assert f"{found['orders_without_state']:,} orders" in run(folder, "--kind", "overdue").stdout


def test_where_tasks_are_calls_the_call_sheet_is_named_and_answers(folder: Path) -> None:
    def sheets(*words: str) -> list[str]:
        printed = " ".join(run(folder, *words).stdout.split())
        return re.findall(r'wholesale sql "([^"]*call_sheet)"', printed)

    calls = rows(folder, "select count(*) from wholesale_bi.rpt_tasks where task_kind = 'silent'")
    assert calls != [(0,)]
    [sheet] = sheets()
    assert len(rows(folder, sheet)) == calls[0][0]
    assert sheets("--kind", "silent") == [sheet]
    assert sheets("--kind", "old") == []


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


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_sentence(folder: Path, kind: str) -> None:
    done = run(folder, "--kind", kind)
    assert done.exit_code == 0
    count = rows(folder, f"select count(*) from wholesale_bi.rpt_tasks where task_kind = '{kind}'")
    assert (SENTENCES[kind][0] in done.stdout) is (count != [(0,)])
    assert "on hold" in done.stdout


def test_a_kind_that_is_none_is_refused(folder: Path) -> None:
    assert run(folder, "--kind", "laundry").exit_code == 2

"""What is out of the ordinary by week and by day, and that the command each row names answers."""

import json
import shlex
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from sql.recomputation import built_at, differences
from sql.recomputation.books import Books, read
from support.warehouses.edits import without_pages
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.publish.publisher import publish_marts

pytestmark = pytest.mark.slow

DAYS, USUAL, LAST = 450, 100, 900_000
"""So many days have an order of the same buyer, of so much, and the last day one of more."""


@pytest.fixture(scope="module")
def unusual(loaded: Marts, built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    marts = loaded.copy(tmp_path_factory.mktemp("unusual"))
    [(up_to,)] = built.rows("select figures_up_to from wholesale_bi.rpt_headlines")
    [(template,)] = built.rows(
        "select min(orders.order_id) from wholesale_marts.fct_orders as orders"
        " join wholesale_marts.dim_buyers as buyers using (buyer_id)"
        " join wholesale_marts.fct_order_lines as lines using (order_id)"
        " where orders.is_sale and buyers.account_manager_id is not null"
        " and orders.vendor_id is not null and lines.product_id is not null"
        " and lines.line_number = 1"
    )
    amount = f"cast(case when day = 0 then {LAST} else {USUAL} end as decimal(38, 9))"
    marts.change(
        "insert into wholesale_raw.orders by name select * exclude (day) replace"
        " ('u' || day as id, 'U' || day as order_number,"
        f" timestamptz '{up_to} 12:00:00+00' - to_days(cast(day as integer)) as created_at,"
        f" {amount} as sub_total, {amount} as total)"
        f" from wholesale_raw.orders, range({DAYS}) as days(day) where id = '{template}'",
        "insert into wholesale_raw.orders__order_line_items by name select * exclude (day) replace"
        f" ('u' || day as order_id, {amount} as total_price)"
        f" from wholesale_raw.orders__order_line_items, range({DAYS}) as days(day)"
        f" where order_id = '{template}' and line_number = 1",
    )
    marts.build()
    return marts


@pytest.mark.parametrize("report", ["rpt_unusual", "rpt_unusual_record", "rpt_tasks"])
def test_it_is_what_a_second_computation_says(unusual: Marts, report: str) -> None:
    books = Books([read(unusual.database)], built_at(unusual))
    assert differences(unusual, books, report) == []


def test_a_large_day_is_told_of_the_day_and_of_its_week(unusual: Marts) -> None:
    [(up_to,)] = unusual.rows("select figures_up_to from wholesale_bi.rpt_headlines")
    told = unusual.rows(
        "select grain, dimension from wholesale_bi.rpt_unusual"
        f" where last_day = '{up_to}' and is_above order by all"
    )
    of_days = [("day", name) for name in ("account_manager", "sales", "vendor")]
    of_weeks = ("account_manager", "buyer", "product", "sales", "vendor")
    assert told == [*of_days, *(("week", name) for name in of_weeks)]
    counted = unusual.rows(
        "select grain, dimension, unusual_count >= 1, count_by_chance < 1"
        " from wholesale_bi.rpt_unusual_record"
        f" where first_day + case grain when 'day' then 0 else 6 end = '{up_to}'"
        " and dimension = 'sales' order by all"
    )
    assert counted == [(grain, "sales", True, True) for grain in ("day", "week")]


def test_the_command_of_each_row_answers_with_its_amount(unusual: Marts, tmp_path: Path) -> None:
    folder = tmp_path / "published"
    with without_pages():
        publish_marts(unusual.warehouse, str(folder))

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, [*words, "--published", str(folder)])
        assert done.exit_code == 0, done.output
        return done.stdout

    found = json.loads(run("tasks", "--kind", "unusual", "--json"))["tasks"]
    assert len(found) == 8
    for task in found:
        program, *words = shlex.split(task["why"])
        assert program == "wholesale"
        answer = json.loads(run(*words, "--json"))
        if task["dimension"] == "product":
            amount = sum(Decimal(row["total_price"]) for row in answer["rows"])
        else:
            amount = Decimal(answer["total"]["sales"])
            assert Decimal(answer["total"]["sales_before"]) > 0
        assert amount == Decimal(task["amount"])
        assert answer["rows"]
        assert run(*words)
    shown = run("tasks", "--kind", "unusual", "--limit", "2")
    assert [task["why"] in shown for task in found] == [True, True, *[False] * 6]

"""Where no order has an amount, sums are unknown by every door; of no order they are 0."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from support.warehouses.edits import without_pages
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.differences import why_published
from wholesale_elt.figures import Question
from wholesale_elt.publish import ask_published, find_site
from wholesale_elt.publish.publisher import publish_marts

AMOUNTS = ("sales", "net_sales", "sales_before_discounts", "billed")
OF_LINES = ("product_sales", "product_units")
QUIET = "2026-02"
"""A month of which every order was cancelled."""


@dataclass(frozen=True)
class World:
    marts: Marts
    published: Path
    versions: Sequence[str]


@pytest.fixture(scope="module")
def world(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> World:
    """Published twice: with the amounts, and without any."""
    marts = loaded.copy(tmp_path_factory.mktemp("unknown"))
    published = marts.database.parent / "published"
    marts.change(
        "update wholesale_raw.orders set status = 'cancelled'"
        f" where strftime(created_at, '%Y-%m') = '{QUIET}'"
    )
    versions = []
    for statements in (
        (),
        (
            "update wholesale_raw.orders set sub_total = null, total = null",
            "update wholesale_raw.orders__order_line_items set total_price = null, quantity = null",
        ),
    ):
        marts.change(*statements)
        marts.build()
        with without_pages():
            publish_marts(marts.warehouse, str(published))
        versions.append(find_site(published).manifest.version)
    return World(marts, published, versions)


def run(world: World, *words: str) -> str:
    done = CliRunner().invoke(cli, [*words, "--published", str(world.published)])
    assert done.exit_code == 0, done.output
    return done.stdout


def document(world: World, *words: str) -> Any:
    return json.loads(run(world, "figures", *words, "--json"))


@pytest.mark.parametrize(("count", "metrics"), [("orders", AMOUNTS), ("product_lines", OF_LINES)])
def test_a_sum_that_no_order_tells_is_null(
    world: World, count: str, metrics: Sequence[str]
) -> None:
    found = document(world, count, *metrics, "--by", "vendor", "--grain", "month")

    assert [found["total"][name] for name in metrics] == [None] * len(metrics)
    assert {row[name] for row in found["rows"] if row[count] for name in metrics} == {None}
    none = [row for row in found["rows"] if not row[count]]
    assert f"{QUIET}-01" in {row["month"] for row in none}
    assert {float(row[name]) for row in none for name in metrics} == {0}


def test_sums_of_a_period_without_a_sale_are_zero(world: World) -> None:
    total = document(world, *AMOUNTS, "discounts", "orders", "--period", QUIET)["total"]

    assert {float(value) for value in total.values()} == {0}


def test_what_is_compared_with_unknown_days_is_unknown(world: World) -> None:
    asked = ["--by", "vendor", "--period", "2026-03", "--compare", "period"]
    found = document(world, "sales", "orders", *asked)

    assert found["total"]["sales"] is None
    assert float(found["total"]["sales_before"]) == 0
    assert found["total"]["orders"] > 0 == found["total"]["orders_before"]
    names = ("sales", "sales_difference", "sales_growth")
    assert {row[name] for row in found["rows"] for name in names} == {None}


def test_a_table_says_so_and_a_csv_file_has_an_empty_cell(world: World) -> None:
    table = run(world, "figures", "sales", "orders", "--by", "vendor")
    assert "not known" in table
    assert "0.00" not in table

    _, *lines = run(world, "figures", "orders", "sales", "--by", "vendor", "--csv").splitlines()
    assert lines
    assert all(line.endswith(",") for line in lines)


def test_the_macros_of_the_file_say_the_same(world: World) -> None:
    with duckdb.connect(str(find_site(world.published).database), read_only=True) as connection:
        for where, expected in (("true", (None, None, None)), ("false", (0, 0, None))):
            sums = connection.execute(
                "select sales(rows), billed(rows), average_order_value(rows)"
                f" from (from orders where {where}) as rows"
            ).fetchone()
            assert sums == expected


def test_reports_say_the_same(world: World) -> None:
    def values(query: str) -> set[Any]:
        return {row[0] for row in world.marts.rows(query)}

    assert values("select sales_amount from wholesale_bi.rpt_headlines") == {None}
    for table in ("rpt_daily_sales", "rpt_buyer_cohorts", "rpt_catalogue", "rpt_sales_by_period"):
        of_orders = f"select sales_amount from wholesale_bi.{table} where order_count"
        assert values(f"{of_orders} > 0") == {None}
        assert values(f"{of_orders} = 0") <= {0}
    for table in ("rpt_reorders", "rpt_geography", "rpt_account_managers", "rpt_vendor_scorecard"):
        assert values(f"select sales_amount from wholesale_bi.{table}") == {None}
    for column in ("sales_amount", "top_5_sales_amount", "top_buyer_id"):
        assert values(f"select {column} from wholesale_bi.rpt_buyer_concentration_totals") == {None}


@pytest.mark.parametrize("metric", ["sales", "average_order_value", "product_sales"])
def test_why_adds_up_where_amounts_are_gone(world: World, metric: str) -> None:
    before, after = world.versions
    found = why_published(
        world.published,
        Question(metrics=[metric], by=["vendor"]),
        before,
        after,
        warehouse=None,
        may_be_files=False,
    ).as_document()

    assert found["from"]["value"] is not None
    assert found["to"]["value"] is None
    parts = [found, *found["rows"]]
    assert {float(part["residue"] or 0) for part in parts} == {0}


def test_a_summary_of_the_answer_has_no_amount_of_nobody(world: World) -> None:
    answer = ask_published(world.published, Question(metrics=["sales", "orders"]))

    assert answer.figures.total["sales"] is None
    assert answer.figures.total["orders"] > 0

"""Whatever happens to the orders of months that are closed, their journals leave no rest.

JOURNALS says how many sequences are drawn: `poe journals` takes two hundred.
"""

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from support.few import few
from support.warehouses.edits import KINDS, OTHERS, SETTINGS, World, without_pages
from support.warehouses.marts import Marts
from wholesale_books.closing import close_month
from wholesale_books.counting import count_month, metrics_of_a_month
from wholesale_books.settings import folder_of
from wholesale_elt.figures import read_facts, read_metrics
from wholesale_elt.publish import find_site

SEQUENCES = int(os.environ.get("JOURNALS", "3"))
EDITS, ROUNDS, MONTHS = 10, 2, 4
PRIVACY: tuple[Mapping[str, str], ...] = (
    {},
    {"PRIVACY__PUBLISHED": "all"},
    {"PRIVACY__PUBLISHED": "none"},
)
Make = Callable[[int], World]
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def make(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Worlds that are published once, with some orders that are gone."""
    with without_pages():
        folder = tmp_path_factory.mktemp("first")
        first = World(loaded.copy(folder), folder / "published", Random(0))
        first.marts.change(
            "update wholesale_raw.orders set _deleted_at = now() where id in"
            " (select id from wholesale_raw.orders where status <> 'cancelled' order by id limit 9)"
        )
        first.publish()

        def made(seed: int) -> World:
            own = tmp_path_factory.mktemp("world")
            published = shutil.copytree(first.folder, own / "published", symlinks=True)
            return World(first.marts.copy(own), published, Random(seed))

        yield made


def rows(database: Path, sql: str) -> Rows:
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        found: Rows = connection.sql(sql).to_arrow_table().to_pylist()
        return found


def some_months(world: World) -> list[str]:
    """Months that have orders, the one that has most among them: edits fall into few."""
    found = rows(
        find_site(world.folder).database,
        "select strftime(ordered_date, '%Y-%m') as month, count(*) as orders"
        " from wholesale_marts.fct_orders where ordered_date is not null group by all"
        " order by orders desc, month",
    )
    months = [row["month"] for row in found]
    return [months[0], *world.random.sample(months[1:], MONTHS - 1)]


def gives(database: Path, month: str) -> Mapping[str, tuple[Decimal, Decimal]]:
    """What each order of a month gives to sales and orders, counted in Python."""
    found: dict[str, tuple[Decimal, Decimal]] = defaultdict(lambda: (Decimal(), Decimal()))
    for row in rows(database, "select * from wholesale_marts.fct_orders"):
        if row["is_sale"] and row["ordered_date"] and f"{row['ordered_date']:%Y-%m}" == month:
            found[row["order_id"]] = (row["sub_total"] or Decimal(), Decimal(1))
    return found


def assert_adds_up(row: dict[str, Any], entries: Rows) -> None:
    """Of what is known, as closed and all entries are now."""
    assert row["problem"] is None
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for each in entries:
        if each["amount"] is not None:
            assert each["amount"] == each["now"] - each["was"] != 0
            sums[each["kind"]] += each["amount"]
    if row["residue"] is None:
        is_ratio = read_metrics()[row["metric"]].parts is not None
        assert None in (row["as_closed"], row["now"])
        assert is_ratio or row["as_closed"] is row["now"]
        return
    told = (row["changed"], row["counted_otherwise"])
    assert row["residue"] == 0, row
    assert told == (sums["changed"], sums["counted otherwise"])
    assert (row["as_closed"] or 0) + sum(told) == (row["now"] or 0)


def assert_journals(world: World, months: list[str]) -> None:
    database = find_site(world.folder).database
    facts = read_facts()
    expected = {each.name for each in read_metrics().values() if facts[each.model].day}
    told: dict[tuple[str, str], Rows] = defaultdict(list)
    for entry in rows(database, "from rpt_journal order by all"):
        told[f"{entry['month_start']:%Y-%m}", entry["metric"]].append(entry)
    found = rows(database, "from rpt_closed_months")
    assert len(found) == len(months) * len(expected)
    for row in found:
        month = f"{row['month_start']:%Y-%m}"
        assert_adds_up(row, told[month, row["metric"]])
    for month in months:
        with duckdb.connect(str(database), read_only=True) as connection:
            now = count_month(connection, month, metrics_of_a_month()).figures
        assert {name: text and Decimal(text) for name, text in now.items()} == {
            row["metric"]: row["now"] for row in found if f"{row['month_start']:%Y-%m}" == month
        }
        [file] = (folder_of(world.marts.warehouse) / "closed").glob(f"{month}.*")
        before, after = gives(file, month), gives(database, month)
        nothing = (Decimal(), Decimal())
        for place, metric in enumerate(("sales", "orders")):
            assert {
                each["order_id"]: (each["was"], each["now"]) for each in told[month, metric]
            } == {
                order: (before.get(order, nothing)[place], after.get(order, nothing)[place])
                for order in {**before, **after}
                if before.get(order, nothing)[place] != after.get(order, nothing)[place]
            }


def erase_some_buyer(world: World) -> None:
    """Empty what tells of a buyer, as an erasure does: keys and amounts stay."""
    world.marts.change(
        "update wholesale_raw.orders set buyer_company_name = null, shipping_zip = null,"
        " shipping_city = null where buyer_id in (select min(buyer_id) from wholesale_raw.orders)"
    )


def assert_holds(world: World, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("BOOKS__METRICS", "all")
    months = some_months(world)
    for month in months:
        close_month(world.marts.warehouse, world.folder, month, by="Ann")
    for _ in range(ROUNDS):
        for kind in world.random.choices([*KINDS, *OTHERS], k=EDITS):
            world.edit(kind)
        if world.random.random() < 0.3:
            erase_some_buyer(world)
        settings = {**world.random.choice(SETTINGS), **world.random.choice(PRIVACY)}
        for name, value in settings.items():
            patch.setenv(name, value)
        world.touched.clear()
        world.publish()
        assert_journals(world, months)


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(range(max(SEQUENCES, 3)), 1))
def test_a_journal_leaves_no_rest(make: Make, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_holds(make(seed), monkeypatch)

"""Whatever happens to the orders of months that are closed, their journals leave no rest, and the
statements of such a month are made again byte for byte, but for what an erasure takes.

JOURNALS says how many sequences are drawn: `poe journals` takes two hundred.
"""

import csv
import os
import shutil
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

import wholesale_erasure.erasing as erasing
from support.few import few
from support.warehouses.edits import SETTINGS, without_pages
from support.warehouses.marts import Marts
from support.warehouses.served import ALL, WHOLE, Served, one_thread
from wholesale_books.closing import close_month
from wholesale_books.counting import metrics_of_a_month
from wholesale_books.settings import folder_of
from wholesale_books.statements.making import make as make_statements
from wholesale_books.statements.moment import Period
from wholesale_books.statements.rows import Kind
from wholesale_elt.figures import Question, ask, read_facts, read_metrics
from wholesale_elt.models import read_once
from wholesale_elt.models.build import build_models
from wholesale_elt.publish import find_site
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

SEQUENCES = int(os.environ.get("JOURNALS", "3"))
ORDERS, EDITS, ROUNDS, MONTHS = 120, 10, 2, 2
LARGE, OTHERWISE_LARGE = 500, 300
PRIVACY: tuple[Mapping[str, str], ...] = (
    {},
    {"PRIVACY__PUBLISHED": "all"},
    {"PRIVACY__PUBLISHED": "none"},
)
OWN = """semantic_models:
  - name: large_orders
    model: ref('fct_orders')
    measures:
      - name: large_amount
        agg: sum
        expr: case when is_sale and sub_total > {from_} then sub_total end
metrics:
  - {{name: large_sales, type: simple, type_params: {{measure: large_amount}}}}
"""
"""A metric that a user defines, and later otherwise."""
ERASED = ("name", "order_number", "po_number")
"""The columns of a statement that an erasure may empty."""
KINDS: tuple[Kind, ...] = ("buyer", "vendor")
Make = Callable[[int, Path], AbstractContextManager[Served]]
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Businesses that are published once, with some orders that are gone."""
    settings = SandboxSettings(orders=ORDERS)
    folder = tmp_path_factory.mktemp("first")
    with without_pages(), one_thread(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("BUILD__METRICS", str(folder / "metrics.yml"))
        define()
        with Sandbox(settings) as sandbox:
            marts = Marts(folder / "wholesale.duckdb")
            first = Served.of(sandbox, marts, folder / "published", Random(0))
            first.read(*WHOLE)
            for order in first.ids("orders")[::15]:
                first.delete(order)
            first.read("orders")
            first.publish()

        @contextmanager
        def made(seed: int, own: Path) -> Iterator[Served]:
            published = shutil.copytree(first.folder, own / "published", symlinks=True)
            with Sandbox(settings) as sandbox:
                served = Served.of(sandbox, first.marts.copy(own), published, Random(seed))
                for order in first.gone:
                    served.delete(order)
                yield served

        yield made


def define(from_: int = LARGE) -> None:
    """Let `large_sales` count orders from that amount on."""
    Path(os.environ["BUILD__METRICS"]).write_text(OWN.format(from_=from_))


def rows(database: Path, sql: str) -> Rows:
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        found: Rows = connection.sql(sql).to_arrow_table().to_pylist()
        return found


def some_months(served: Served) -> list[str]:
    """Months that have orders, the one that has most among them."""
    found = rows(
        find_site(served.folder).database,
        "select strftime(ordered_date, '%Y-%m') as month, count(*) as orders"
        " from wholesale_marts.fct_orders where ordered_date is not null group by all"
        " order by orders desc, month",
    )
    months = [row["month"] for row in found]
    return [months[0], *served.random.sample(months[1:], MONTHS - 1)]


Gives = Mapping[str, Mapping[str, tuple[Decimal, Decimal]]]


def gives(database: Path) -> Gives:
    """What each order gives to sales and orders of its month, counted in Python."""
    found: dict[str, dict[str, tuple[Decimal, Decimal]]] = defaultdict(dict)
    for row in rows(database, "select * from wholesale_marts.fct_orders"):
        if row["is_sale"] and row["ordered_date"]:
            amount = row["sub_total"] or Decimal()
            found[f"{row['ordered_date']:%Y-%m}"][row["order_id"]] = (amount, Decimal(1))
    return found


def assert_adds_up(row: dict[str, Any], entries: Rows, *, is_ratio: bool) -> None:
    """Of what is known, as closed and all entries are now."""
    assert row["problem"] is None
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for each in entries:
        if each["amount"] is not None:
            assert each["amount"] == each["now"] - each["was"] != 0
            sums[each["kind"]] += each["amount"]
    if row["residue"] is None:
        assert None in (row["as_closed"], row["now"])
        assert is_ratio or row["as_closed"] is row["now"]
        return
    told = (row["changed"], row["counted_otherwise"])
    assert row["residue"] == 0, row
    assert told == (sums["changed"], sums["counted otherwise"])
    assert (row["as_closed"] or 0) + sum(told) == (row["now"] or 0)


def figures_of(connection: duckdb.DuckDBPyConnection, month: str) -> Mapping[str, Any]:
    """All metrics of a month, which stays known though its sales may be cancelled meanwhile."""
    first = date.fromisoformat(f"{month}-01")
    names: dict[str, list[str]] = defaultdict(list)
    for name in metrics_of_a_month():
        names[read_metrics()[name].model].append(name)
    figures: dict[str, Any] = {}
    for asked in names.values():
        figures |= ask(connection, Question(metrics=asked, period=month), known_from=first).total
    return figures


@read_once()
def assert_journals(served: Served, months: list[str]) -> None:
    database = find_site(served.folder).database
    facts, metrics = read_facts(), read_metrics()
    expected = {each.name for each in metrics.values() if facts[each.model].day}
    assert "large_sales" in expected
    told: dict[tuple[str, str], Rows] = defaultdict(list)
    for entry in rows(database, "from rpt_journal order by all"):
        told[f"{entry['month_start']:%Y-%m}", entry["metric"]].append(entry)
    found = rows(database, "from rpt_closed_months")
    assert len(found) == len(months) * len(expected)
    for row in found:
        entries = told[f"{row['month_start']:%Y-%m}", row["metric"]]
        assert_adds_up(row, entries, is_ratio=metrics[row["metric"]].parts is not None)
    now = gives(database)
    with duckdb.connect(str(database), read_only=True) as connection:
        for month in months:
            assert figures_of(connection, month) == {
                row["metric"]: row["now"] for row in found if f"{row['month_start']:%Y-%m}" == month
            }
    for month in months:
        [file] = (folder_of(served.marts.warehouse) / "closed").glob(f"{month}.*")
        before, after = gives(file)[month], now[month]
        nothing = (Decimal(), Decimal())
        for place, metric in enumerate(("sales", "orders")):
            assert {
                each["order_id"]: (each["was"], each["now"]) for each in told[month, metric]
            } == {
                order: (before.get(order, nothing)[place], after.get(order, nothing)[place])
                for order in {**before, **after}
                if before.get(order, nothing)[place] != after.get(order, nothing)[place]
            }


def statements(served: Served, month: str, of: Kind, to: str) -> Mapping[str, bytes]:
    """The files of all statements as of the last day of a month, by name."""
    year, number = map(int, month.split("-"))
    period = Period.until(date(year, number, monthrange(year, number)[1]))
    folder = served.folder.parent / to
    made = make_statements(served.marts.warehouse, of, None, period, folder, ("csv", "xlsx"), "Ann")
    assert [*made]
    return contents(folder)


def contents(folder: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def erase_some_buyer(served: Served, made: Path, month: str) -> None:
    """Take a buyer of that month out; models are built when it is published next, and who is
    mentioned elsewhere, which takes longer than all else, is not looked for."""
    buyers = served.marts.rows(
        "select distinct buyer_id from wholesale_marts.fct_orders"
        f" where strftime(ordered_date, '%Y-%m') = '{month}' and buyer_id is not null order by 1"
    )
    [(buyer,)] = served.random.sample(buyers, 1)
    before = said(contents(made))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(erasing, "build_models", partial(build_models, only=("dim_settings",)))
        patch.setattr(erasing, "mentions_of", lambda *_, **__: [])
        erasing.erase(served.marts.warehouse, buyer)
    after = said(contents(made))
    assert amounts(after) == amounts(before)
    named = {row["name"] for told in after.values() for row in told if row["id"] == buyer}
    assert named <= {""}


def said(files: Mapping[str, bytes]) -> Mapping[str, Rows]:
    """The rows of the statements in CSV, by their file."""
    return {
        name: list(csv.DictReader(body.decode("utf-8-sig").splitlines()))
        for name, body in files.items()
        if name.endswith(".csv")
    }


def amounts(told: Mapping[str, Rows]) -> Mapping[str, Rows]:
    """What statements say without what an erasure may take."""
    return {
        name: [{column: row[column] for column in row if column not in ERASED} for row in rows]
        for name, rows in told.items()
    }


def assert_holds(served: Served, patch: pytest.MonkeyPatch) -> None:
    random, warehouse = served.random, served.marts.warehouse
    patch.setenv("BOOKS__METRICS", "all")
    define()
    months = some_months(served)
    for month in months:
        close_month(warehouse, served.folder, month, by="Ann")
    served.preferred = " ".join(months)
    closed, of = random.choice(months), random.choice(KINDS)
    made = statements(served, closed, of, "made")
    last = random.choice((None, None, "removed", "erased"))
    for number in range(ROUNDS):
        served.touched.clear()
        for kind in random.choices(ALL, k=EDITS):
            served.edit(kind)
        served.read()
        if number == ROUNDS - 1:
            if last == "erased":
                erase_some_buyer(served, served.folder.parent / "made", closed)
                made = contents(served.folder.parent / "made")
            assert statements(served, closed, of, "again") == made
            if last == "removed":
                served.remove()
        with pytest.MonkeyPatch.context() as settings:
            for name, value in {**random.choice(SETTINGS), **random.choice(PRIVACY)}.items():
                settings.setenv(name, value)
            define(random.choice((LARGE, LARGE, OTHERWISE_LARGE)))
            served.publish()
            assert_journals(served, months)
        define()


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(range(max(SEQUENCES, 3)), 1))
def test_a_journal_leaves_no_rest(
    make: Make, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with make(seed, tmp_path) as served:
        assert_holds(served, monkeypatch)

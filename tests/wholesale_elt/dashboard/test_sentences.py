"""What other doors say of tasks and news is what the first page says, to the word."""

import json
import random
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.javascript import loaded_scripts
from support.warehouses.sites import MANIFEST, Site
from wholesale_elt.dashboard import Age, Formats, lines_of, plain, read_meta
from wholesale_elt.dashboard.sentences.formats import day_text, word
from wholesale_elt.dashboard.sentences.lines import IN_ORDER
from wholesale_elt.dashboard.sentences.singly import SENTENCES
from wholesale_elt.dashboard.tasks import KINDS, read_tasks

FIRST = (
    *("vendor/htm-preact.min", "data", "counting/columns", "decimals", "days", "format", "view"),
    *("objects", "age", "silence"),
)

PREACT = """
var { html } = window.htmPreact;
var Passed = ({ children }) => children;
wholesale.elements = {
    h: html, Link: Passed,
    Name: ({ id, name }) => wholesale.objects.nameOf(id, name),
};
globalThis.textOf = (node) => {
    if (node === null || node === undefined || typeof node === "boolean") return "";
    if (Array.isArray(node)) return node.map(textOf).join("");
    if (typeof node !== "object") return String(node);
    if (typeof node.type === "function") return textOf(node.type(node.props));
    return textOf(node.props.children);
};
"""
TOLD = """
wholesale.todo.read().then((tasks) => wholesale.todo.linesOf(tasks).map((line) => ({
    kind: line.kind, urgency: line.urgency, title: line.title, unit: line.unit, to: line.href,
    reason: textOf(line.reason),
    money: line.money === null ? null : wholesale.format.compact(line.money),
})))
"""
MORE = (
    "insert into wholesale_bi.rpt_tasks by name select * replace ('o' || task_id as task_id,"
    " 'overdue' as task_kind) from wholesale_bi.rpt_tasks"
    " where task_kind in ('old', 'unconfirmed')",
    "insert into wholesale_bi.rpt_tasks by name select * replace ('b' || task_id as task_id,"
    " 'below_list' as task_kind, 1.25 as unit_price, 1.5 as list_price, 2 as quantity,"
    " 'L' || position as order_line_id, -amount as amount, 'Tea' as item_title)"
    " from wholesale_bi.rpt_tasks where task_kind = 'old'",
    "insert into wholesale_bi.rpt_tasks by name select * replace ('d' || task_id as task_id,"
    " 'due' as task_kind, 0.9999 - 0.07 * position as order_in_week_share)"
    " from wholesale_bi.rpt_tasks where task_kind = 'unconfirmed'",
    "insert into wholesale_bi.rpt_tasks by name select * replace ('r' || task_id as task_id,"
    " 'unusual' as task_kind, 'day' as grain, 'buyer' as dimension, buyer_id as member,"
    " buyer_name as member_name, date '2026-06-28' as first_day, date '2026-06-28' as last_day,"
    " 10 as low_amount, 20 as high_amount)"
    " from wholesale_bi.rpt_tasks where task_kind = 'unconfirmed'",
)
"""Kinds of tasks that the made-up business has none of."""
CASES = {
    "as it is": (),
    "one of each kind": (
        "delete from wholesale_bi.rpt_tasks where task_id not in"
        " (select min(task_id) from wholesale_bi.rpt_tasks group by task_kind)",
    ),
    "two of each kind": (
        "delete from wholesale_bi.rpt_tasks where task_id not in (select task_id from"
        " wholesale_bi.rpt_tasks"
        " qualify row_number() over (partition by task_kind order by position) < 3)",
    ),
    "three of each kind": (
        "delete from wholesale_bi.rpt_tasks where task_id not in (select task_id from"
        " wholesale_bi.rpt_tasks"
        " qualify row_number() over (partition by task_kind order by position) < 4)",
    ),
    "without names and amounts": (
        "update wholesale_bi.rpt_tasks set buyer_name = null, amount = null, usual_days = null,"
        " order_number = null, item_title = null, variant_title = null",
    ),
    "odd names": (
        "update wholesale_bi.rpt_tasks set buyer_name = '  A & B <b>\"x\"</b> ', item_title ="
        " ' T, 1 ', buyer_id = 'a/b&c'",
    ),
    "states without a meaning": (
        "insert into wholesale_bi.rpt_tasks by name select 'u' || field as task_id,"
        " 'unknown_state' as task_kind, field as field_name, state, n as order_count,"
        " n * 100.5 as amount, n as position from (values ('order_status', 'on_hold', 3),"
        " ('payment_status', 'half, paid', 1), ('order_terms', 'soon', 2),"
        " ('order_processing_time', 'when ready', 1)) as t(field, state, n)",
    ),
    "who is due, and what is out of the ordinary": (
        "delete from wholesale_bi.rpt_tasks where task_kind not in ('silent', 'old')",
        "insert into wholesale_bi.rpt_tasks by name select 'd' || task_id as task_id,"
        " 'due' as task_kind, buyer_id, buyer_name, position, amount, last_ordered_date,"
        " 0.505 + position / 100 as order_in_week_share from wholesale_bi.rpt_tasks"
        " where task_kind = 'silent'",
        "insert into wholesale_bi.rpt_tasks by name select 'w' || member as task_id,"
        " 'unusual' as task_kind, 'week' as grain,"
        " date '2026-06-22' as first_day, date '2026-06-28' as last_day,"
        " dimension, member, name as member_name, n as position,"
        " n * 1000.5 as amount, 10 as low_amount, n * 900 as high_amount"
        " from (values ('vendor', 'v1', 'Tea & Co', 3), ('sales', 'sales', 'sales', 2),"
        " ('account_manager', 'm1', 'm1', 1), ('product', 'p1', null, 4))"
        " as t(dimension, member, name, n)",
    ),
    "all sales out of the ordinary": (
        "delete from wholesale_bi.rpt_tasks",
        "insert into wholesale_bi.rpt_tasks by name select 'w' as task_id, 1 as position,"
        " 'unusual' as task_kind, 'day' as grain,"
        " date '2026-06-28' as first_day, date '2026-06-28' as last_day,"
        " 'sales' as dimension, 'sales' as member, 'sales' as member_name,"
        " 1000.5 as amount, 10 as low_amount, 900 as high_amount",
    ),
    "nothing": ("delete from wholesale_bi.rpt_tasks",),
}


@pytest.fixture
def connection(site: Site, tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    copy = shutil.copy(site.database, tmp_path)
    with duckdb.connect(str(copy)) as connection:
        connection.execute("set timezone = 'UTC'")
        yield connection


def on_the_page(tasks: Any, meta: Any, now: datetime) -> Any:
    with loaded_scripts(*FIRST) as scripts:
        scripts.define(PREACT)
        scripts.load("todo/tasks", "todo/buyers", "todo/lines")
        scripts.receive("tasks", tasks)
        scripts.define(f"Date.now = () => Date.parse('{now.isoformat()}');")
        scripts.define(f"wholesale.meta = {json.dumps(meta)}; wholesale.shown = {{where: {{}}}};")
        scripts.call("format.useCurrency", meta["currency"])
        return scripts.run(TOLD)


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(("hours", "currency"), [(1, "USD"), (24 * 400, "CHF")])
@pytest.mark.parametrize("case", CASES)
def test_the_lines_are_those_of_the_page(
    connection: duckdb.DuckDBPyConnection, case: str, hours: int, currency: str
) -> None:
    for change in (*MORE, *CASES[case]):
        connection.execute(change)
    meta = read_meta(connection, {**MANIFEST, "currency": currency})
    write, age = Formats(meta), Age(meta, datetime.now(UTC))
    age = Age(meta, age.read_at + timedelta(hours=hours))

    lines, _ = lines_of(connection, write, age)

    found = [
        {
            "kind": line.kind,
            "urgency": line.urgency,
            "title": words(line.title),
            "unit": line.unit,
            "to": line.to,
            "reason": words(plain(line.reason)),
            "money": None if line.money is None else write.compact(line.money),
        }
        for line in lines
    ]
    shown = [
        {
            **line,
            "title": words(line["title"]),
            "reason": words(line["reason"]),
            "to": line["to"].replace("%20", "+"),  # as a browser writes what follows a `?`
        }
        for line in on_the_page(read_tasks(connection), meta, age.now)
    ]
    assert found == shown
    told = {*KINDS} - ({"due"} if age.is_outdated else set())
    assert {line.kind for line in lines} >= (told if case == "one of each kind" else set())
    assert age.is_outdated is (hours > 1)


def test_every_kind_is_told_alone_and_with_others() -> None:
    assert IN_ORDER.keys() == SENTENCES.keys() == KINDS.keys()


def test_values_are_written_as_the_page_writes_them() -> None:
    chance = random.Random(7)
    values = ["0", "-0.004", "0.005", "1.005", "999.5", "999.949", "12450", "99999.995", "1e6"]
    values += [
        str(Decimal(chance.randrange(-(10**size), 10**size)).scaleb(-chance.randrange(10)))
        for size in range(1, 19)
        for _ in range(20)
    ]
    values = [format(Decimal(value), "f") for value in values]
    meta = {"currency": "EUR", "people": {}, "time_zone": "UTC"}
    write = Formats(meta)
    with loaded_scripts("data", "decimals", "days", "format") as scripts:
        scripts.call("format.useCurrency", "EUR")
        for value in values:
            assert write.amount(value) == scripts.call("format.amount", value), value
            assert write.exact(value) == scripts.call("format.exact", value), value
            assert write.compact(value) == scripts.call("format.compact", value), value
        for now, before in pairwise(values):
            assert write.change(now, before) == scripts.call("format.change", now, before)
        for code in ("on_hold", "half-paid", "", None, "  a__b ", "A"):
            assert word(code) == scripts.call("format.word", code)
        for day in ("2026-01-02", "2025-12-31"):
            assert day_text(day) == scripts.call("format.day", day)
            assert day_text(day, has_year=True) == scripts.call("format.date", day)

"""The benchmark measures what it says: the same orders for everyone, and no wrong load passes."""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import httpx
import pytest

from benchmarks import orders
from benchmarks.__main__ import arguments
from benchmarks.asking import measured
from benchmarks.chain import (
    BUILD,
    CHANGED,
    FIRST,
    FLOORS,
    LATELY,
    NOTHING,
    PEER,
    PUBLISH,
    RUN,
    SYNC,
    chain,
    edit,
)
from benchmarks.check import check
from benchmarks.contenders import CONTENDER, PLAIN, Contender
from benchmarks.growth import Account, table_of
from benchmarks.measure import Cost, tree
from benchmarks.publish import PICTURES, README, RESULTS, fill, pictures
from benchmarks.race import Race, Task
from benchmarks.results import Results, Row, read
from benchmarks.server import API_KEY, TESTS, free_port, serving
from benchmarks.store import Facts, Store, build
from support.documents.readmes import blocks
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

COUNT = 300


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("orders"), COUNT)


def listed(store: Store, *, verbose: bool) -> list[orders.Order]:
    pages = (store.page(number, 70, verbose=verbose) for number in range(1, 7))
    return [order for page in pages for order in json.loads(b"".join(page))["data"]]


def test_pages_hold_every_order_in_turn_with_a_tenth_of_them_edited(store: Path) -> None:
    expected = [
        orders.changed(index) if orders.is_changed(index, 0.1) else orders.order(index)
        for index in range(COUNT)
    ]
    edited = Store(store, COUNT, changed=0.1)
    assert listed(edited, verbose=True) == expected
    assert listed(edited, verbose=False) == [orders.summary(order) for order in expected]
    assert edited.edited


def test_a_smaller_store_and_a_smaller_share_are_parts_of_the_larger(store: Path) -> None:
    assert (
        listed(Store(store, 120), verbose=True) == listed(Store(store, COUNT), verbose=True)[:120]
    )
    few, many = (set(Store(store, COUNT, changed=share).edited) for share in (0.03, 0.1))
    assert few < many


def test_the_facts_are_those_of_the_orders_that_are_listed(store: Path) -> None:
    edited = Store(store, COUNT, changed=0.1)
    every = listed(edited, verbose=True)
    lines = [line for order in every for line in order["order_line_items"]]
    assert replace(edited.facts(), newest=0) == Facts(
        orders=COUNT,
        lines=len(lines),
        quantity=sum(line["quantity"] for line in lines),
        total=int(sum(Decimal(str(order["total"])) for order in every) * 100),
        comments=sum(len(order["order_comments"]) for order in every),
        newest=0,
    )


def test_the_server_speaks_as_the_description_says(store: Path) -> None:
    with (
        serving(store, COUNT, port=0) as service,
        httpx.Client(headers={"X-API-Key": API_KEY}, base_url=service.base_url) as client,
    ):
        page = client.get("/orders", params={"page": 2, "limit": 100}).json()
        assert page["pagination"] == {
            "current": 2,
            "previous": 1,
            "next": 3,
            "limit": 100,
            "total_pages": 3,
            "total_count": COUNT,
        }
        zero, one = (
            client.get("/orders", params={"page": number, "limit": 9}).json() for number in (0, 1)
        )
        assert zero == one
        known = orders.order(123)
        assert page["data"][23] == orders.summary(known)
        assert client.get(f"/orders/{known['id']}?verbose=true").json() == known
        assert client.get(f"/orders/{known['id']}").json() == orders.basic(known)
        beyond = client.get(f"/orders/{orders.order_id(COUNT)}")
        assert (beyond.status_code, beyond.json()["error"]) == (404, "Resource not found")
        refused = httpx.get(f"{service.base_url}/orders", headers={"X-API-Key": "another"})
        assert (refused.status_code, refused.json()["error"]) == (401, "Invalid Credentials")
    assert service.counters.requests == 7


IN_ARROW = pytest.param(
    "hand-arrow", marks=pytest.mark.skipif(find_spec("aiohttp") is None, reason="not installed")
)


@pytest.mark.parametrize("name", ["ours", "hand", "hand-pages", "read-json", IN_ARROW, "floor"])
def test_a_contender_loads_all_orders_and_their_changes(
    store: Path, tmp_path: Path, name: str
) -> None:
    race = Race(tmp_path, lambda _: Path(sys.executable).parent, free_port(), repeat=1, timeout=120)
    contenders = [CONTENDER[name]]
    groups = [
        *race.first_loads(contenders, store, COUNT, [0.0]),
        *race.second_runs(contenders, store, COUNT, [0.0], [0.1]),
    ]
    rows = [row for group in groups for row in group.rows]
    assert [row.failure for row in rows] == [""] * (1 if CONTENDER[name].first_only else 2)
    assert all(row.wall > 0 and row.cpu > 0 and row.peak > 1_000_000 for row in rows)
    assert all(row.money == "DECIMAL(38,9)" and row.requests >= 3 for row in rows)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("delete from order_comments where rowid = 0", "comments 1, not 2"),
        ("update order_line_items set quantity = 4", "quantity 4, not 5"),
        ("update orders set total = total + 0.01", "total 1251, not 1250"),
        ("insert into orders select * from orders", "orders 2, not 1; total 2500, not 1250"),
        ("update orders set updated_at = '2026-01-01 00:00:00Z'", "newest 1767225600000000, not"),
        ("drop table orders", "cannot be read: Catalog Error"),
    ],
)
def test_a_load_that_differs_is_a_failure(tmp_path: Path, damage: str, reason: str) -> None:
    expected = Facts(1, lines=1, quantity=5, total=1250, comments=2, newest=1_767_225_600_000_001)
    with duckdb.connect(str(tmp_path / PLAIN.file)) as warehouse:
        warehouse.execute(
            """
            create table orders as select 'a' as id, 12.5 as sub_total, '12.50'::decimal as total,
                timestamptz '2026-01-01 00:00:00.000001Z' as updated_at;
            create table order_line_items as select 5 as quantity;
            create table order_comments as from range(2);
            """
        )
        warehouse.execute("checkpoint")
    assert check(tmp_path, PLAIN, expected).reason == ""
    with duckdb.connect(str(tmp_path / PLAIN.file)) as warehouse:
        warehouse.execute(damage)
    assert check(tmp_path, PLAIN, expected).reason.startswith(reason)


def test_another_contender_is_first_in_each_turn_and_every_turn_is_kept(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(self: Race, contender: Contender, task: Task, folder: Path) -> Row:
        ran.append(contender.name)
        return Row(contender.name, float(len(ran)), 1.0, 1, 1, 1, 0.0, 0.0, "", "")

    ran: list[str] = []
    monkeypatch.setattr(Race, "_run", run)
    race = Race(tmp_path, lambda _: tmp_path, port=0, repeat=3, timeout=1)
    contenders = [CONTENDER[name] for name in ("ours", "hand", "floor")]
    (group,) = race.first_loads(contenders, store, COUNT, [0.0])

    expected = ["ours", "hand", "floor", "hand", "floor", "ours", "floor", "ours", "hand"]
    assert ran == expected
    assert [(row.name, row.wall) for row in group.turns] == [
        (name, float(turn)) for turn, name in enumerate(expected, start=1)
    ]
    assert [(row.name, row.wall, row.runs) for row in group.rows] == [
        ("ours", 6.0, 3),
        ("hand", 4.0, 3),
        ("floor", 5.0, 3),
    ]
    Results({}, (group,)).write(tmp_path / "results.json")
    assert read(tmp_path / "results.json") == Results({}, (group,))


@pytest.fixture
def published() -> Results:
    return read(RESULTS)


def test_readme_and_the_pictures_show_the_published_results(published: Results) -> None:
    text = README.read_text("utf-8")
    assert fill(text, published) == text, "run `poe generate`"
    for name, picture in pictures(published).items():
        assert (PICTURES / name).read_text("utf-8") == picture
        ElementTree.fromstring(picture)


def test_the_commands_of_readme_are_those_of_the_benchmark() -> None:
    start = "python -m benchmarks "
    lines = [
        line.partition("&&")[0].removeprefix(start)
        for block in blocks(README.read_text("utf-8"))
        for line in block.text.splitlines()
        if line.startswith(start)
    ]
    assert len(lines) == 6
    for line in lines:
        assert arguments(shlex.split(line, comments=True)).orders


@pytest.mark.parametrize("is_lately", [False, True])
def test_as_many_orders_change_through_the_list_as_among_the_newest(*, is_lately: bool) -> None:
    with Sandbox(SandboxSettings(orders=60)) as sandbox:
        before = stored_orders(sandbox)
        edit(sandbox, 6, is_lately=is_lately)
        after = stored_orders(sandbox)

    newest = sorted(before, key=lambda key: before[key]["created_at"])[-6:]
    changed = {key for key, order in before.items() if after[key] != order}
    added = after.keys() - before.keys()
    assert (len(changed), len(added)) == (4, 2)
    assert (changed < set(newest)) == is_lately
    assert {after[key]["created_at"] > before[newest[-1]]["created_at"] for key in added} == {True}


def stored_orders(sandbox: Sandbox) -> dict[str, dict[str, Any]]:
    bodies = (json.loads(body) for _, body in sandbox.storage.collection("orders").records())
    return {order["id"]: order for order in bodies}


@pytest.mark.slow
def test_the_chain_runs_from_the_service_to_the_dashboard_each_time() -> None:
    stages = (FIRST, NOTHING, CHANGED)
    # Of the last stage the first command: its others are the same as before, and dear.
    costs = dict(islice(chain(60, 0.05, 600, is_only_ours=True), 4 * len(stages) + len(FLOORS) + 1))
    commands = {RUN, SYNC, BUILD, PUBLISH}
    assert costs.keys() == {
        *((stage, command) for stage in stages for command in commands),
        *((FIRST, name) for name in FLOORS),
        (LATELY, RUN),
    }
    assert costs[NOTHING, RUN].cpu < costs[FIRST, RUN].cpu


@pytest.mark.slow
def test_the_peer_of_the_chain_builds_our_models_on_orders_of_its_own() -> None:
    first = (name for name, _ in chain(60, 0.05, 600))
    assert (FIRST, PEER) in islice(first, 5)  # its other turns are the same two commands, and dear


@pytest.mark.slow
def test_the_stages_of_a_first_load_add_up_to_what_the_processor_did() -> None:
    command = [sys.executable, "-m", "benchmarks.stages", "--orders", "60"]
    told = subprocess.run(command, cwd=TESTS, check=True, capture_output=True, text=True).stdout
    shares = {stage: int(share) for share, stage in re.findall(r"(\d+)%  (\w+)", told)}
    assert shares.keys() >= {"start", "requests", "pages", "decode", "compare", "insert", "commit"}
    assert 90 <= sum(int(share) for share in re.findall(r"(\d+)%", told)) <= 110


def test_a_process_that_ends_while_it_is_watched_counts_alone() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        assert running.pid in tree(os.getpid())

    assert list(tree(running.pid)) == [running.pid]


def test_growth_adds_up_what_accounts_cost_and_takes_the_largest_peaks() -> None:
    def cost(seconds: float, peak: int, own: int = 30) -> Cost:
        return Cost(0, wall=2 * seconds, cpu=seconds, peak=peak * 10**6, busy=0.0, own=own * 10**6)

    a, b = {"duckdb": cost(2, 60, 60), "sail": cost(6, 90)}, {"duckdb": cost(4, 70, 70)}
    shown = table_of(
        [
            Account("a", 100, cost(1, 50), 10**6, a),
            Account("b", 300, cost(3, 40), 10**7, {**b, "sail": cost(6, 80, 31)}),
            Account("c", 300, cost(3, 40), 10**7, {"sail": cost(7, 80)}),
        ]
    )

    rows = list(zip(*(column.cells for column in shown.columns), strict=True))
    assert [(row[:4], row[4:8], row[8:12], row[12:]) for row in rows] == [
        (
            ("100", "1", "1.0", "50"),
            ("4.0", "2.0", "60.0", "60.0"),
            ("12.0", "6.0", "90.0", "30.0"),
            ("3.00", "3.00"),
        ),
        (
            ("300", "10", "3.0", "40"),
            ("8.0", "4.0", "70.0", "70.0"),
            ("12.0", "6.0", "80.0", "31.0"),
            ("1.50", "1.50"),
        ),
        (("300", "10", "3.0", "40"), ("",) * 4, ("14.0", "7.0", "80.0", "30.0"), ("", "")),
        (
            ("700", "21", "7.0", "50"),
            ("12.0", "6.0", "70.0", "70.0"),
            ("38.0", "19.0", "90.0", "31.0"),
            ("2.00", "2.00"),
        ),
    ]


def test_the_cost_of_a_process_is_its_own(tmp_path: Path) -> None:
    light = measured([sys.executable, "-c", "pass"], tmp_path)
    heavy = measured(
        [sys.executable, "-c", "held = b'x' * 2**29; sum(range(10**7)); raise SystemExit(3)"],
        tmp_path,
    )
    assert (light.code, heavy.code) == (0, 3)
    assert heavy.megabytes - light.megabytes > 150
    assert heavy.cpu > light.cpu

"""`wholesale verify --warehouse`: what somebody changed by hand in a warehouse is named."""

import json
import os
import shutil
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import Loader
from support.few import by_hand
from support.records.samples import guid, line, order
from support.services.command import run_command
from support.warehouses.destinations import Place
from wholesale.api import CLASSES
from wholesale.settings import ApiSettings
from wholesale_elt.cli.main import cli
from wholesale_elt.load.copies.copying import copy_warehouse
from wholesale_elt.load.forgetting import forget_past
from wholesale_elt.verification import verify_warehouse
from wholesale_elt.warehouse import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

UNPROVED, NO_RUN, USAGE_ERROR = 3, 2, 2
EDITED = "2026-03-01T00:00:01Z"
KILLED = """
import os, signal
from wholesale_elt.cli.main import main
from wholesale_elt.load.writer import Writer

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

Writer.certify = die
main()
"""
"""The command as it is, but killed when all is written but the certificates."""


def fill(sandbox: Sandbox) -> None:
    for name in "ABCD":
        sandbox.put("orders", order(name, order_line_items=[line("1"), line("2")]))


def kill_sync(sandbox: Sandbox, loader: Loader, **environment: str) -> None:
    killed = run_command(
        ["sync", "orders", "--database", str(loader.warehouse.database)],
        loader.warehouse.database.parent,
        {
            **os.environ,
            **environment,
            "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        },
        KILLED,
    )
    assert killed.returncode == -signal.SIGKILL


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse as a sync has left it, and no test changes it."""
    database = tmp_path_factory.mktemp("loaded") / "test.duckdb"
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        fill(sandbox)
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        Loader(settings, Warehouse(database)).load("orders", "vendors")
    return database


def verified(database: Path, *words: str) -> tuple[int, dict[str, Any]]:
    at = ["--database", str(database)] if "--destination" not in words else []
    done = CliRunner().invoke(cli, ["verify", "--warehouse", *words, *at, "--json"])
    found: dict[str, Any] = json.loads(done.stdout)
    return done.exit_code, found


def named(found: dict[str, Any]) -> list[tuple[str, int, list[str | None]]]:
    """What differs, in how many buckets, and the ids that are told."""
    return [
        (each["what"], len(each["buckets"]), sorted((row["id"] for row in each["rows"]), key=str))
        for each in found["findings"]
    ]


def test_what_syncs_left_is_verified_run_by_run(sandbox: Sandbox, loader: Loader) -> None:
    database = loader.warehouse.database
    fill(sandbox)
    loader.load("orders", "vendors")
    assert verified(database)[0] == 0
    sandbox.put("orders", order("A", total="9", updated_at=EDITED))
    sandbox.delete("orders", guid("B"))
    last = loader.load("orders").run_id
    code, found = verified(database)

    assert (code, found) == (
        0,
        {
            "version": last,
            "looked_at": "resources",
            "count": 2,
            "unproved": [],
            "findings": [],
        },
    )


@pytest.mark.parametrize(
    ("statement", "ids"),
    [
        (f"update orders set total = total + 1 where id = '{guid('B')}'", [guid("B")]),
        (
            "update orders__order_line_items set quantity = 7"
            f" where (order_id, line_number) = ('{guid('B')}', 2)",
            [guid("B")],
        ),
        (f"delete from orders__order_line_items where order_id = '{guid('C')}'", [guid("C")]),
        (f"update orders set _deleted_at = now() where id = '{guid('D')}'", [guid("D")]),
        ("insert into orders (id, total) values ('added', 1)", ["added"]),
        (
            f"delete from orders where id = '{guid('A')}';"
            f"delete from orders__order_line_items where order_id = '{guid('A')}'",
            [None],
        ),
    ],
)
def test_a_record_that_was_changed_by_hand_is_named(
    loaded: Path, loader: Loader, statement: str, ids: Sequence[str | None]
) -> None:
    shutil.copy(loaded, loader.warehouse.database)
    loader.execute(statement)
    code, found = verified(loader.warehouse.database)

    assert (code, named(found)) == (1, [("orders", 1, ids)])


def test_records_of_one_bucket_are_not_told_apart_and_those_of_several_are(
    sandbox: Sandbox, loader: Loader
) -> None:
    for number in range(200):
        sandbox.put("orders", order(f"{number}"))
    loader.load("orders")
    loader.execute("update orders set total = total + 1")
    code, found = verified(loader.warehouse.database)

    [each] = found["findings"]
    assert (code, each["row_count"] < 20, len(each["rows"])) == (1, True, 20)
    assert {row["bucket"] for row in each["rows"]} < set(each["buckets"])
    assert {row["id"] for row in each["rows"]} >= {None}


def test_what_a_full_read_sets_right_is_verified_again(sandbox: Sandbox, loader: Loader) -> None:
    fill(sandbox)
    loader.load("orders")
    loader.execute(f"update orders set total = total + 1 where id = '{guid('B')}'")
    sandbox.put("orders", order("B", total="9", updated_at=EDITED))
    loader.load("orders")
    assert verified(loader.warehouse.database)[0] == 1  # it is told, though it was replaced

    done = CliRunner().invoke(
        cli,
        ["sync", "orders", "--full", "--database", str(loader.warehouse.database)],
        env={
            "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        },
    )
    assert (done.exit_code, verified(loader.warehouse.database)[0]) == (0, 0)


def test_what_another_policy_emptied_is_unproved_until_the_next_sync(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(sandbox)
    loader.load("orders", "vendors")
    kill_sync(sandbox, loader, PRIVACY__DROP=",".join(CLASSES))
    code, found = verified(loader.warehouse.database)

    assert (code, found["unproved"], found["count"]) == (UNPROVED, ["orders"], 1)
    monkeypatch.setenv("PRIVACY__DROP", ",".join(CLASSES))
    loader.load("orders", "vendors")
    assert verified(loader.warehouse.database)[0] == 0


def test_what_was_repaired_is_verified_anew(sandbox: Sandbox, loader: Loader) -> None:
    fill(sandbox)
    loader.load("orders")
    loader.execute(
        "insert into orders select * from orders limit 1;"
        "delete from orders__order_line_items where line_number = 2"
    )
    assert verified(loader.warehouse.database)[0] == 1
    loader.load("orders")

    assert verified(loader.warehouse.database)[0] == 0


def test_a_run_of_which_the_past_was_forgotten_is_unproved(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(sandbox)
    loader.load("orders")
    sandbox.put("orders", order("A", total="9", updated_at=EDITED))
    loader.load("orders")
    monkeypatch.setenv("HISTORY__KEEP_DAYS", "1")
    loader.execute(
        "update sync_runs set run_id = '2020' || substr(run_id, 5);"
        "update orders set valid_from = valid_from - interval 3000 day;"
        "update orders__past set valid_from = valid_from - interval 3000 day,"
        " valid_to = valid_to - interval 2 day"
    )
    forget_past(loader.warehouse)
    code, found = verified(loader.warehouse.database)

    assert (code, found["unproved"], found["findings"]) == (UNPROVED, ["orders"], [])


def test_a_killed_run_leaves_the_digest_of_the_one_before(sandbox: Sandbox, loader: Loader) -> None:
    fill(sandbox)
    first = loader.load("orders").run_id
    sandbox.put("orders", order("A", total="9", updated_at=EDITED))
    kill_sync(sandbox, loader)
    code, found = verified(loader.warehouse.database)
    assert loader.rows(f"select total from orders where id = '{guid('A')}'") == [(9,)]
    assert (code, found["version"], found["findings"]) == (0, first, [])

    last = loader.load("orders").run_id
    code, found = verified(loader.warehouse.database)
    assert (code, found["version"], found["findings"]) == (0, last, [])


def test_what_an_older_release_loaded_is_unproved_until_the_next_sync(
    sandbox: Sandbox, loader: Loader
) -> None:
    fill(sandbox)
    loader.load("orders")
    loader.execute("alter table sync_runs drop column digest")
    code, found = verified(loader.warehouse.database)
    assert (code, found["unproved"], found["findings"]) == (UNPROVED, ["orders"], [])

    loader.load("orders")
    code, found = verified(loader.warehouse.database)
    assert (code, found["unproved"], found["findings"]) == (0, [], [])


def test_a_run_that_a_clock_dated_ahead_is_not_the_last_once_another_one_follows(
    sandbox: Sandbox, loader: Loader
) -> None:
    fill(sandbox)
    loader.load("orders")
    loader.execute("update sync_runs set run_id = '2999' || substr(run_id, 5)")
    for total in ("9", "10"):
        sandbox.put("orders", order("A", total=total, updated_at=EDITED))
        last = loader.load("orders").run_id
        code, found = verified(loader.warehouse.database)
        assert (code, found["version"], found["unproved"], found["findings"]) == (0, last, [], [])

    loader.execute("update orders set total = 11")
    code, found = verified(loader.warehouse.database)
    assert (code, [each["what"] for each in found["findings"]]) == (1, ["orders"])


def test_a_digest_that_is_none_claims_nothing_and_the_next_sync_makes_it(
    sandbox: Sandbox, loader: Loader
) -> None:
    fill(sandbox)
    loader.load("orders")
    loader.execute("update sync_runs set digest = 'nothing'")
    code, found = verified(loader.warehouse.database)
    assert (code, found["unproved"], found["findings"]) == (UNPROVED, ["orders"], [])
    loader.load("orders")
    assert verified(loader.warehouse.database)[0] == 0


def test_what_was_never_loaded_or_never_certified_cannot_be_verified(
    sandbox: Sandbox, loader: Loader
) -> None:
    code, found = verified(loader.warehouse.database)
    assert (code, "findings" in found) == (1, False)
    fill(sandbox)
    loader.load("orders")
    loader.execute("delete from sync_runs")
    code, found = verified(loader.warehouse.database)
    assert (code, "findings" in found) == (NO_RUN, False)


def test_a_warehouse_and_a_copy_are_not_looked_at_together(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["verify", str(tmp_path / "copy.duckdb"), "--warehouse"])

    assert done.exit_code == USAGE_ERROR


@pytest.mark.parametrize("destination", ["postgres", by_hand("lake"), by_hand("ducklake")])
def test_a_copy_in_another_destination_has_the_same_digests(
    sandbox: Sandbox,
    loader: Loader,
    place_in: Callable[[str], Place],
    destination: str,
) -> None:
    fill(sandbox)
    loader.load("orders", "vendors")
    sandbox.put("orders", order("A", total="9", updated_at=EDITED))
    loader.load("orders", "vendors")
    place = place_in(destination)
    copy_warehouse(loader.warehouse, place.warehouse)
    assert verify_warehouse(place.warehouse).findings == []

    place.execute(f"update wholesale_raw.orders set total = 2 where id = '{guid('B')}'")
    [found] = verify_warehouse(place.warehouse).findings
    assert (found.what, [row["id"] for row in found.rows]) == ("orders", [guid("B")])
    place.execute(f"update wholesale_raw.orders set total = 10.5 where id = '{guid('B')}'")
    place.load("orders", "vendors")
    assert verify_warehouse(place.warehouse).findings == []

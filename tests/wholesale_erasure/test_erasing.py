"""Erasing: of who asked for it nothing is left, of all others everything, and it stays so."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import wholesale_erasure.erasing as erasing
from conftest import Loader
from support.few import few
from support.records.people import MARK, nameless, world
from support.records.samples import guid
from support.warehouses.spellings import respell
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.process.lock import AlreadyRunning
from wholesale_elt.verification import verify_warehouse
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_erasure.erasing import erase, plan_erasure
from wholesale_erasure.mentions import SAME_NAME, WRITTEN, Mention
from wholesale_erasure.receipt import Receipt, verify
from wholesale_erasure.subject import UnknownSubject
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

OURS = ("buyers", "buyer_users", "orders", "vendors")
OF_B1 = ("-B1", "-P1", "-P2", "-O1", "-O2", "-nobody")
"""How the marked values end, or go on, that tell of the buyer B1 and its people."""


def fill(sandbox: Sandbox) -> None:
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    sandbox.put("buyers", b'{"id":"odd"}')
    nobody = json.dumps({"id": None, **nameless()}).encode()
    sandbox.storage.collection("buyers").put("odd", nobody)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a first sync leaves of the service; for copies."""
    database = tmp_path_factory.mktemp("loaded") / "wholesale.duckdb"
    with Sandbox(SandboxSettings(empty=True)) as running:
        fill(running)
        settings = ApiSettings.of(
            base_url=running.base_url, api_key="sandbox", page_size=3, attempts=2
        )
        Loader(settings, Warehouse(database)).load(*OURS)
    return database


@pytest.fixture
def filled(sandbox: Sandbox, loader: Loader, loaded: Path) -> Loader:
    fill(sandbox)
    shutil.copy(loaded, loader.warehouse.database)
    return loader


def marks(loader: Loader) -> set[str]:
    """Every marked value that stands in any table."""
    text = str(loader.contents())
    words = text.replace('"', " ").replace("'", " ").replace("}", " ").replace("\\", " ").split()
    return {word.strip(",)") for word in words if word.startswith(f"{MARK}-")}


def of(marked: set[str], *ends: str) -> set[str]:
    return {value for value in marked if any(end in value for end in ends)}


def business(loader: Loader) -> list[tuple[Any, ...]]:
    return loader.rows(
        "select id, order_number, status, total, buyer_id, buyer_user_id, vendor_id, created_at,"
        " updated_at, shipping_country, _deleted_at from orders order by all"
    )


def test_nothing_is_left_of_a_buyer_and_its_people_and_all_of_the_others(filled: Loader) -> None:
    before, orders = marks(filled), business(filled)
    assert of(before, *OF_B1)

    receipt = erase(filled.warehouse, guid("B1"))

    assert marks(filled) == before - of(before, *OF_B1)
    assert business(filled) == orders
    assert verify(receipt, filled.warehouse) == []
    assert {table.table: (table.rows, table.cells) for table in receipt.tables if table.rows} == {
        "buyers": (1, 8),
        "buyer_users": (2, 4),
        "orders": (2, 22),
        "orders__order_comments": (2, 6),
    }
    assert receipt.quarantined == 1


def test_nothing_is_claimed_of_what_was_erased_until_the_next_sync(filled: Loader) -> None:
    before = verify_warehouse(filled.warehouse)
    erase(filled.warehouse, guid("B1"))
    erased = verify_warehouse(filled.warehouse)
    filled.load(*OURS)
    after = verify_warehouse(filled.warehouse)

    assert [(each.count, each.findings) for each in (before, erased, after)] == [
        (4, []),
        (0, []),
        (4, []),
    ]
    assert sorted(erased.unproved) == sorted(OURS)


def test_what_was_stored_of_them_before_is_erased_too(filled: Loader, sandbox: Sandbox) -> None:
    buyers, users, orders = (world()[name] for name in ("buyers", "buyer_users", "orders"))
    later = {"updated_at": "2026-03-01T00:00:00Z"}
    sandbox.put("buyers", buyers[0] | {"email": f"{MARK}-contact-later-B1", **later})
    sandbox.put("buyer_users", users[0] | {"full_name": f"{MARK}-name-later-P1", **later})
    sandbox.put("buyer_users", users[2] | {"email": f"{MARK}-contact-P1", **later})
    filled.load(*OURS)
    sandbox.put("buyer_users", users[2] | {"updated_at": "2026-04-01T00:00:00Z"})
    others = {**orders[2], "id": guid("O1"), "order_number": "O1"}
    sandbox.put("orders", others | {"updated_at": "2026-04-01T00:00:00Z"})
    filled.load(*OURS)
    before, comments = marks(filled), filled.rows("select * from orders__order_comments")
    assert of(before, "later-B1", "later-P1")

    receipt = erase(filled.warehouse, guid("B1"))

    assert marks(filled) == before - of(before, *OF_B1)
    assert filled.rows("select * from orders__order_comments where author like '%-P3'") == [
        row for row in comments if f"{MARK}-name-P3" in row
    ]
    assert verify(receipt, filled.warehouse) == []
    assert {table.table: (table.rows, table.cells) for table in receipt.tables if table.rows} == {
        "buyers": (1, 8),
        "buyers__past": (1, 8),
        "buyer_users": (2, 4),
        "buyer_users__past": (2, 3),
        "orders": (1, 11),
        "orders__past": (1, 11),
        "orders__order_comments": (1, 3),
        "orders__order_comments__past": (1, 3),
    }


@pytest.mark.slow
def test_nothing_is_left_of_a_person_and_all_of_its_company_and_colleagues(filled: Loader) -> None:
    before, orders = marks(filled), business(filled)
    theirs = of(before, "-P1", "-O1", "-nobody")

    receipt = erase(filled.warehouse, guid("P1"))

    assert marks(filled) == before - theirs
    assert business(filled) == orders
    assert filled.rows("select count(billing_name), count(buyer_company_name) from orders") == [
        (1, 3)
    ]
    assert verify(receipt, filled.warehouse) == []


@pytest.mark.parametrize("is_gone", [False, True])
def test_records_that_an_earlier_layout_spelled_otherwise_are_erased_too(
    filled: Loader, sandbox: Sandbox, is_gone: bool
) -> None:
    if is_gone:
        filled.execute(f"delete from buyers where id = '{guid('B1')}'")
    before = marks(filled)
    with filled.warehouse.open() as raw:
        respell(raw)
    with pytest.raises(ConfigurationError):
        plan_erasure(filled.warehouse, guid("B1"))

    receipt = erase(filled.warehouse, guid("B1"))

    assert verify(receipt, filled.warehouse) == []
    left = of(marks(filled), *OF_B1)
    assert {table.table: table.rows for table in receipt.tables if table.rows} == {
        **({} if is_gone else {"buyers": 1}),
        "buyer_users": 2,
        "orders": 2,
        "orders__order_comments": 2,
    }
    assert is_gone or not left
    assert left < of(before, *OF_B1)
    sandbox.put("orders", world()["orders"][0] | {"updated_at": "2026-03-01T00:00:00Z"})
    filled.load("orders", "buyer_users")
    assert of(marks(filled), *OF_B1) == left


@pytest.mark.slow
@pytest.mark.parametrize("subject", few(["B1", "P1"], 1))
@pytest.mark.parametrize("is_full", [False, True])
def test_what_the_service_still_sends_is_kept_out_of_every_later_sync(
    filled: Loader, sandbox: Sandbox, subject: str, is_full: bool
) -> None:
    erase(filled.warehouse, guid(subject))
    left = marks(filled)
    later = {"updated_at": "2026-03-01T00:00:00Z"}
    sandbox.put("orders", world()["orders"][0] | later)
    sandbox.put("buyer_users", world()["buyer_users"][0] | later)

    outcome = sync_resources(filled.settings, filled.warehouse, OURS, is_full=is_full)

    assert marks(filled) == left
    assert {found.resource: found.changed for found in outcome.certificates}["orders"] == 1
    again = filled.load(*OURS)
    assert [found.changed for found in again.certificates] == [0] * 4


def test_bytes_of_who_was_erased_are_not_in_the_file_any_more(filled: Loader) -> None:
    filled.execute("create table padding as select repeat('x', 100) || range as x from range(9999)")
    file = filled.warehouse.database
    values = [value.encode() for value in of(marks(filled), *OF_B1)]

    erase(filled.warehouse, guid("B1"))

    assert [value for value in values if value in file.read_bytes()] == []
    assert b"zq-name-P3" in file.read_bytes()
    assert not file.with_name(f"{file.name}.wal").exists()


def test_what_somebody_keeps_in_the_file_beside_ours_stands_in_no_way(filled: Loader) -> None:
    filled.execute(
        "create table main.budget (m int, half int generated always as (m // 2) virtual)"
    )
    filled.execute("insert into main.budget (m) values (10)")

    receipt = erase(filled.warehouse, f" {guid('P1').upper()}")

    assert filled.rows("from main.budget") == [(10, 5)]
    assert verify(receipt, filled.warehouse) == []
    assert receipt.subject == erase(filled.warehouse, guid("P1")).subject


def test_a_file_that_cannot_be_written_anew_is_said_before_anything_is_erased(
    filled: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(source: Path, target: Path) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    monkeypatch.setattr(os, "link", link)
    before = filled.contents()

    with pytest.raises(WholesaleError):
        erase(filled.warehouse, guid("P1"))
    assert filled.contents() == before


def test_a_plan_says_what_would_go_and_writes_nothing(filled: Loader) -> None:
    before = filled.contents()

    plan = plan_erasure(filled.warehouse, guid("P1"))

    assert dict(plan.tables) == {
        "buyer_users": (1, 2),
        "orders": (2, 11),
        "orders__order_comments": (1, 3),
    }
    assert filled.contents() == before
    assert "zq" not in repr(plan)


def test_journals_and_logs_that_hold_a_value_are_removed(filled: Loader) -> None:
    runs = filled.warehouse.state_folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    (runs / "told.json").write_text('{"message": "zq-contact-P1 was refused"}')
    (runs / "other.json").write_text('{"message": "zq-contact-P3 was refused"}')

    receipt = erase(filled.warehouse, guid("B1"))

    assert receipt.state_files == 1
    assert [path.name for path in runs.iterdir()] == ["other.json"]


def test_an_erasure_waits_for_no_run_and_disturbs_none(filled: Loader) -> None:
    before = filled.contents()
    with filled.warehouse.hold(), pytest.raises(AlreadyRunning, match="another run is at work"):
        erase(filled.warehouse, guid("B1"))
    assert filled.contents() == before


def test_an_erasure_that_changes_anything_else_is_not_done(
    filled: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled.contents()
    too_much = "update wholesale_raw.buyers set company_name = null"
    monkeypatch.setattr("wholesale_erasure.erasing.emptying", lambda raw, cells: too_much)
    with pytest.raises(erasing.NotErased, match="nothing was erased"):
        erase(filled.warehouse, guid("B1"))
    assert {n: rows for n, rows in filled.contents().items() if n != "privacy_erased"} == before


KILLED = """
import os, signal, sys
from pathlib import Path
from wholesale_erasure import erasing
from wholesale_elt.warehouse import Warehouse

setattr(erasing, sys.argv[3], lambda *_: os.kill(os.getpid(), signal.SIGKILL))
erasing.erase(Warehouse(Path(sys.argv[1])), sys.argv[2])
"""
"""An erasure that dies where it comes to a function."""


@pytest.mark.parametrize(
    ("place", "is_begun"),
    [
        pytest.param("emptying", False, marks=pytest.mark.slow),
        ("_added", False),
        pytest.param("_remove_state_files", True, marks=pytest.mark.slow),
        ("rewrite", True),
    ],
)
def test_a_kill_leaves_all_or_nothing_in_the_tables_and_the_same_command_goes_on(
    filled: Loader, place: str, is_begun: bool
) -> None:
    """Whatever follows the transaction is made of the tables alone."""
    before, file = marks(filled), filled.warehouse.database
    command = [sys.executable, "-c", KILLED, str(file), guid("B1"), place]

    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL

    left = marks(filled)
    assert left == (before - of(before, *OF_B1) if is_begun else before)
    if is_begun:
        filled.load(*OURS)
        assert marks(filled) == left

    receipt = erase(filled.warehouse, guid("B1"))

    assert b"zq-contact-B1" not in file.read_bytes()
    assert verify(receipt, filled.warehouse) == []
    assert filled.rows("select kind, count(*) from privacy_erased group by 1 order by 1") == [
        ("buyer", 1),
        ("contact", 4),
        ("name", 2),
    ]


def test_a_receipt_can_be_kept_and_checked_and_holds_nothing_of_them(
    filled: Loader, tmp_path: Path
) -> None:
    erase(filled.warehouse, guid("P3")).write(tmp_path / "receipts" / "P3.json")
    file = tmp_path / "receipts" / "P3.json"
    receipt = Receipt.read(file)

    assert verify(receipt, filled.warehouse) == []
    assert MARK not in file.read_text()
    assert guid("P3") not in file.read_text()

    filled.execute(
        f"update orders set shipping_name = 'back', billing_email = 'zq-contact-P3'"
        f" where buyer_user_id = '{guid('P3')}'"
    )
    assert verify(receipt, filled.warehouse) == [
        "orders has values of somebody who was erased in 1 row",
    ]

    file.write_text(file.read_text().replace('"state_files": 0', '"state_files": 1'))
    filled.execute("delete from privacy_erased")
    assert verify(Receipt.read(file), filled.warehouse) == [
        "the receipt was changed since it was written",
        f"{filled.warehouse.name} does not list the erasure, so a sync may undo it: erase again",
    ]


@pytest.mark.slow
def test_what_others_wrote_of_them_stays_and_the_receipt_says_where(
    filled: Loader, sandbox: Sandbox, tmp_path: Path
) -> None:
    other = world()["orders"][2] | {
        "updated_at": "2026-03-01T00:00:00Z",
        "shipping_name": "ZQ-NAME-P1",
        "order_comments": [{"author": "zq-name-P3", "body": "ask zq-name-P1, zq-contact-P1"}],
    }
    sandbox.put("orders", other)
    filled.load(*OURS)
    left = [
        Mention("orders", "shipping_name", 1, SAME_NAME),
        Mention("orders__order_comments", "body", 1, WRITTEN),
    ]
    assert plan_erasure(filled.warehouse, guid("P1")).mentions == left

    receipt = erase(filled.warehouse, guid("P1"))

    assert receipt.mentions == left
    receipt.write(tmp_path / "receipt.json")
    assert verify(Receipt.read(tmp_path / "receipt.json"), filled.warehouse) == []
    assert filled.rows("select body from orders__order_comments where body like 'ask%'") == [
        ("ask zq-name-P1, zq-contact-P1",)
    ]


@pytest.mark.slow
def test_an_address_is_kept_out_of_records_of_all_kinds(filled: Loader, sandbox: Sandbox) -> None:
    vendor = world()["vendors"][0] | {"email": "zq-contact-P1"}
    sandbox.put("vendors", vendor | {"updated_at": "2026-03-01T00:00:00Z"})
    filled.load(*OURS)
    receipt = erase(filled.warehouse, guid("P1"))
    sandbox.put("vendors", vendor | {"updated_at": "2026-03-02T00:00:00Z"})

    filled.load(*OURS)

    assert filled.rows("select name, email from vendors") == [("Vendor", None)]
    assert verify(receipt, filled.warehouse) == []


def test_a_place_without_versions_is_refused_before_anything_is_erased(
    filled: Loader, tmp_path: Path
) -> None:
    before = filled.contents()
    with pytest.raises(ConfigurationError, match="nothing was erased: name the place"):
        erase(filled.warehouse, guid("B1"), [str(tmp_path / "reprots")])
    assert filled.contents() == before
    assert not (tmp_path / "reprots").exists()


def test_who_is_not_there_cannot_be_erased(filled: Loader) -> None:
    with pytest.raises(UnknownSubject, match="no buyer and no buyer user has the id nobody"):
        erase(filled.warehouse, "nobody")
    with pytest.raises(UnknownSubject):
        plan_erasure(filled.warehouse, "' or 1 = 1 --")

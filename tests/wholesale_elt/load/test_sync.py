import os
import signal
import socket
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale.api.resources import RESOURCE
from wholesale.errors import ServiceError
from wholesale.settings import ApiSettings
from wholesale_elt.cli.errors import failure_of
from wholesale_elt.inspect.status import Status, read_overview
from wholesale_elt.load.observations import WATCHED, log_of
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.process.lock import AlreadyRunning, hold
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.ports import duckdb_file
from wholesale_elt.warehouse.ports.duckdb_file import DuckDBRaw
from wholesale_sandbox.answers import OrderForm, order_form
from wholesale_sandbox.routes import sending
from wholesale_sandbox.server import Sandbox

LATER = "2026-03-01T10:00:00Z"
CHILD_TABLES = {
    "orders__order_line_items",
    "orders__order_comments",
    "items__options",
    "variants__options",
}


def test_an_order_becomes_one_row_and_its_entries_rows_of_the_child_tables(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put(
        "orders",
        order(
            "A1",
            order_line_items=[line("x", quantity=3), line("y")],
            order_comments=[{"body": "soon?"}],
        ),
    )

    outcome = loader.load("orders")

    assert outcome.is_complete
    assert loader.rows("select id, order_number, total, created_at, updated_at from orders") == [
        (
            guid("A1"),
            "A1",
            Decimal("10.500000000"),
            datetime(2026, 1, 1, 10, tzinfo=UTC),
            datetime(2026, 1, 2, 10, tzinfo=UTC),
        )
    ]
    assert loader.rows(
        "select order_id, line_number, sku, quantity from orders__order_line_items order by 2"
    ) == [(guid("A1"), 1, "x", 3), (guid("A1"), 2, "y", 1)]
    assert loader.rows("select order_id, comment_number, body from orders__order_comments") == [
        (guid("A1"), 1, "soon?")
    ]


def test_an_identical_second_load_changes_no_row(sandbox: Sandbox, loader: Loader) -> None:
    for number in range(7):
        sandbox.put("orders", order(f"A{number}", order_line_items=[line("x")] * (number % 3)))
    loader.load()
    before = loader.contents()

    assert loader.load().is_complete

    assert loader.contents() == before
    assert len(before["orders"]) == 7
    assert len(before["orders__order_line_items"]) == 0 + 1 + 2 + 0 + 1 + 2 + 0


def put_one_of_each(sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    for title in ("Mug", "Cup"):
        sizes = [{"name": "Size", "values": ["S", "L"]}, {"name": "Colour", "values": []}]
        sandbox.put("items", {"id": guid(title), "title": title, "options": sizes, "mood": "good"})
        small = {"id": guid(f"{title} S"), "unit_price": "two", "options": [{"value": "S"}]}
        sandbox.put("variants", small, parent_id=guid(title))
        price = {"id": guid(f"{title} price"), "item_id": guid(title), "unit_price": 9}
        sandbox.put("prices", price)
    sandbox.put("vendors", {"id": guid("vendor"), "zip": 2134, "shipping_scheme": {"a": [1]}})


def test_where_nothing_changed_only_the_account_of_the_run_is_written(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_one_of_each(sandbox)
    loader.load()
    loader.load()  # which notes what does not fit
    written: list[str] = []
    append, begin = DuckDBRaw.append, DuckDBRaw.begin

    def note(raw: DuckDBRaw, table: str, rows: pa.Table) -> None:
        written.append(table)
        append(raw, table, rows)

    def note_begin(raw: DuckDBRaw) -> None:
        written.append("begin")
        begin(raw)

    monkeypatch.setattr(DuckDBRaw, "append", note)
    monkeypatch.setattr(DuckDBRaw, "begin", note_begin)

    assert loader.load().is_complete

    assert written == ["begin", '"wholesale_raw"."sync_runs"']


BY_HAND = {
    "a value": "update items set title = 'Jug' where title = 'Mug'",
    "a null": "update vendors set zip = null",
    "a found value": "update items set mood = 'bad' where title = 'Cup'",
    "what did not fit": "update variants set _extra = null",
    "JSON": "update vendors set shipping_scheme = '{}'",
    "a value of an entry": "update variants__options set value = 'XL'",
    "a mark": "update prices set _deleted_at = '2026-01-01'",
}


@pytest.mark.parametrize("change", BY_HAND)
def test_what_was_changed_by_hand_is_as_the_service_has_it_after_the_next_run(
    sandbox: Sandbox, loader: Loader, change: str
) -> None:
    put_one_of_each(sandbox)
    loader.load()
    before = loader.contents()
    loader.execute(BY_HAND[change])
    assert loader.contents() != before

    assert loader.load().is_complete

    after = loader.contents()
    tables = {*RESOURCE, *CHILD_TABLES}  # the logs tell of it
    assert {name: after[name] for name in tables} == {name: before[name] for name in tables}


def test_children_are_replaced_with_their_order_also_when_it_lost_the_last_one(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    sandbox.put("orders", order("B", order_line_items=[line("z")], order_comments=[{"body": "?"}]))
    loader.load("orders")

    sandbox.put("orders", order("A", total="3", order_line_items=[line("y")]))
    sandbox.put("orders", order("B", updated_at=LATER))
    loader.load("orders")

    assert loader.rows("select order_number, total from orders order by 1") == [
        ("A", Decimal("3.000000000")),
        ("B", Decimal("10.500000000")),
    ]
    assert loader.rows("select order_id, line_number, sku from orders__order_line_items") == [
        (guid("A"), 1, "y")
    ]
    assert loader.rows("select * from orders__order_comments") == []


def test_every_resource_and_child_has_its_table_even_where_the_service_has_no_record(
    loader: Loader,
) -> None:
    assert loader.load().is_complete
    assert set(loader.contents()) == {
        *RESOURCE,
        *CHILD_TABLES,
        *map(log_of, WATCHED),
        "quarantine",
        "sync_changes",
        "sync_child_rows",
        "sync_suspects",
    }


def test_variants_and_buyer_users_know_whose_list_they_were_found_in(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("items", {"id": guid("item"), "title": "Mug", "options": []})
    variant = {"id": guid("red"), "sku": "M-R", "options": [{"name": "Colour", "value": "red"}]}
    sandbox.put("variants", variant, parent_id=guid("item"))
    sandbox.put("buyers", {"id": guid("buyer"), "zip": "02134"})
    sandbox.put("buyer_users", {"id": guid("user"), "role": "owner"}, parent_id=guid("buyer"))

    loader.load()

    assert loader.rows("select id, parent_id, sku from variants") == [
        (guid("red"), guid("item"), "M-R")
    ]
    assert loader.rows("select * exclude _extra from variants__options") == [
        (guid("red"), 1, "Colour", "red")
    ]
    assert loader.rows("select id, buyer_id, role from buyer_users") == [
        (guid("user"), guid("buyer"), "owner")
    ]
    assert loader.rows("select zip from buyers") == [("02134",)]


def test_a_value_that_does_not_fit_is_kept_as_sent_and_counted(
    sandbox: Sandbox, loader: Loader
) -> None:
    odd = order("A", total="12,50", sub_total=0.1234567891, updated_at="yesterday")
    sandbox.put("orders", odd | {"order_line_items": [line("x", quantity="three")]})

    outcome = loader.load("orders")

    assert outcome.misfits == {
        ("orders", "total"): 1,
        ("orders", "sub_total"): 1,
        ("orders", "updated_at"): 1,
        ("orders__order_line_items", "quantity"): 1,
    }
    assert loader.rows(
        "select total, sub_total, updated_at, _extra->>'total', _extra->>'sub_total',"
        " _extra->>'updated_at' from orders"
    ) == [(None, Decimal("0.123456789"), None, "12,50", "0.1234567891", "yesterday")]
    assert loader.rows("select quantity, _extra from orders__order_line_items") == [
        (None, '{"quantity":"three"}')
    ]


def test_an_unknown_field_becomes_a_column_that_later_runs_keep(
    sandbox: Sandbox, loader: Loader
) -> None:
    full = order("A", payment_status="paid")
    sandbox.put("orders", full | {"invoice_number": "I-1", "weight": 1.25, "tags": ["a"]})
    first = loader.load("orders")
    sandbox.put("orders", full | {"weight": "heavy", "updated_at": LATER})
    second = loader.load("orders")

    assert first.found == ("orders.invoice_number", "orders.weight", "orders.tags")
    assert second.found == ()
    assert loader.rows("select invoice_number, weight, tags, _extra from orders") == [
        (None, None, None, '{"weight":"heavy"}')
    ]
    types = "select column_name, data_type from duckdb_columns() where table_name = 'orders'"
    assert {("weight", "DECIMAL(38,9)"), ("tags", "JSON"), ("invoice_number", "VARCHAR")} <= set(
        loader.rows(types)
    )


def test_a_changed_order_is_loaded_beside_one_without_an_id(
    sandbox: Sandbox, loader: Loader
) -> None:
    for number in range(30):
        sandbox.put("orders", order(f"A{number}"))
    sandbox.put("orders", b'{"id":"odd","order_number":"B"}')
    sandbox.storage.collection("orders").put("odd", b'{"id":null,"order_number":"B"}')
    loader.load("orders")
    sandbox.put("orders", order("A7", payment_status="paid", updated_at="2031-01-01T00:00:00Z"))

    outcome = loader.load("orders")

    assert outcome.certificates[0].reason == "1 record in quarantine"
    assert loader.rows("select order_number from orders where payment_status = 'paid'") == [("A7",)]


def test_orders_of_as_many_columns_as_a_table_may_have_are_replaced(
    sandbox: Sandbox, loader: Loader
) -> None:
    many = {f"field_{number}": f"value {number}" for number in range(400)}
    for number in range(60):
        sandbox.put("orders", order(f"A{number}", **many))
    loader.load("orders")
    changed = many | {"updated_at": "2031-01-01T00:00:00Z", "field_7": "changed"}
    for number in range(20):
        sandbox.put("orders", order(f"A{number}", **changed))

    assert loader.load("orders").is_complete
    assert loader.rows("select count(*) from orders where field_7 = 'changed'") == [(20,)]


def test_a_record_without_an_id_goes_to_quarantine_and_the_run_is_not_complete(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.put("orders", b'{"id":"odd","order_number":"B"}')
    sandbox.storage.collection("orders").put("odd", b'{"id":null,"order_number":"B"}')

    outcome = loader.load("orders")

    assert not outcome.is_complete
    assert outcome.certificates[0].reason == "1 record in quarantine"
    assert loader.rows("select order_number from orders") == [("A",)]
    quarantined = (
        'select run_id, resource, page, "index", reason, body from quarantine order by body, 2'
    )
    first = ("orders", 1, 1, "has no id", '{"id":null,"order_number":"B"}')
    assert loader.rows(quarantined) == [(outcome.run_id, *first)]

    sandbox.put("orders", b'{"id":"odder","order_number":"C"}')
    sandbox.storage.collection("orders").put("odder", b'{"id":null,"order_number":"C"}')
    sandbox.put("brands", {"id": guid("good"), "name": "A"})
    sandbox.put("brands", b'{"id":"odd","name":"B"}')
    sandbox.storage.collection("brands").put("odd", b'{"id":null,"order_number":"B"}')
    again = loader.load("orders", "brands")

    assert [row.reason for row in again.certificates] == [
        "2 records in quarantine",
        "1 record in quarantine",
    ]
    assert loader.rows(quarantined) == [
        (again.run_id, "brands", 1, 1, *first[3:]),
        (again.run_id, *first),
        (again.run_id, "orders", 1, 2, "has no id", '{"id":null,"order_number":"C"}'),
    ], "a record that is found again stands there once, as it was seen last"


def test_a_record_that_is_gone_is_marked_and_stays_and_loses_the_mark_when_it_returns(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.put("orders", order("B", order_line_items=[line("x")]))
    loader.load("orders")
    sandbox.delete("orders", guid("B"))

    gone = loader.load("orders")
    marks = loader.rows("select order_number, _deleted_at is not null from orders order by 1")
    lines = loader.rows("select sku from orders__order_line_items")
    again = loader.load("orders")
    sandbox.put("orders", order("B"))
    back = loader.load("orders")

    assert (gone.is_complete, again.is_complete, back.is_complete) == (True, True, True)
    assert [run.certificates[0].deleted for run in (gone, again, back)] == [1, 0, 0]
    assert marks == [("A", False), ("B", True)]
    assert lines == [("x",)]
    assert loader.rows("select order_number, _deleted_at from orders order by 1") == [
        ("A", None),
        ("B", None),
    ]
    assert loader.rows("select sku from orders__order_line_items") == []


def test_a_record_that_says_that_it_is_deleted_is_marked_until_it_says_so_no_more(
    sandbox: Sandbox, loader: Loader
) -> None:
    vendor = {"id": guid("A"), "name": "Clay"}
    sandbox.put("vendors", vendor)
    sandbox.put("vendors", {"id": guid("B"), "name": "Oak"})
    loader.load("vendors")

    def sync(**fields: object) -> tuple[bool, int, int | None, object, object]:
        sandbox.put("vendors", vendor | fields)
        outcome = loader.load("vendors")
        (row,) = loader.rows(f"select name, _deleted_at from vendors where id = '{guid('A')}'")
        (certificate,) = outcome.certificates
        return outcome.is_complete, certificate.deleted, certificate.changed, *row

    *deleted, marked_at = sync(is_deleted=True)
    assert deleted == [True, 1, 1, "Clay"]
    assert sync(is_deleted=True) == (True, 0, 0, "Clay", marked_at)
    assert sync(is_deleted=True, name="Loam") == (True, 0, 1, "Loam", marked_at)
    assert sync(is_deleted=False) == (True, 0, 1, "Clay", None)
    log = "select _deleted_at is null from vendors__observations order by observed_at"
    assert [*loader.rows(log)] == [(True,), (True,), (False,), (True,)]


@pytest.mark.parametrize("resource", ["prices", "categories", "buyer_users", "variants"])
def test_deletes_are_seen_in_every_resource_however_it_is_read(
    sandbox: Sandbox, loader: Loader, resource: str
) -> None:
    sandbox.put("items", {"id": guid("parent")})
    sandbox.put("buyers", {"id": guid("parent")})
    parent = guid("parent") if resource in ("buyer_users", "variants") else None
    for name in ("stays", "goes"):
        sandbox.put(resource, {"id": guid(name)}, parent_id=parent)
    loader.load()
    sandbox.delete(resource, guid("goes"))

    assert loader.load().is_complete

    rows = loader.rows(f"select id, _deleted_at is not null from {resource} order by 2")
    assert rows == [(guid("stays"), False), (guid("goes"), True)]


def test_an_empty_list_is_not_believed_unless_a_full_run_asks_for_every_record(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    sandbox.delete("orders", guid("A"))

    (doubtful,) = loader.load("orders").certificates
    marks = loader.rows("select _deleted_at from orders")
    certain = sync_resources(loader.settings, loader.warehouse, ["orders"], is_full=True)

    assert (doubtful.verdict, doubtful.complete_as_of, doubtful.open_suspects, doubtful.reason) == (
        *("incomplete", None, 1),
        "1 stored record not listed, and not settled yet",
    )
    assert loader.rows("select run_id, resource, id from sync_suspects") == [
        (doubtful.run_id, "orders", guid("A"))
    ]
    assert marks == [(None,)]
    assert certain.is_complete
    assert loader.rows("select _deleted_at is not null from orders") == [(True,)]


@pytest.mark.parametrize(("minutes", "is_gone"), [(1, False), (3, True)])
def test_an_empty_list_is_believed_when_a_run_found_it_as_empty_two_minutes_before(
    sandbox: Sandbox, loader: Loader, minutes: int, is_gone: bool
) -> None:
    for name in "ABC":
        sandbox.put("orders", order(name))
    loader.load("orders")
    for name in "ABC":
        sandbox.delete("orders", guid(name))
    loader.load("orders")
    loader.execute(f"update sync_runs set ended_at = ended_at - interval '{minutes} minutes'")

    (again,) = loader.load("orders").certificates

    assert (again.verdict, again.open_suspects, again.deleted) == (
        ("complete", 0, 3) if is_gone else ("incomplete", 3, 0)
    )
    assert loader.rows("select distinct _deleted_at is not null from orders") == [(is_gone,)]


def at(second: int) -> str:
    return f"2026-01-02T10:00:{second:02}Z"


def test_only_what_changed_is_asked_for_again(sandbox: Sandbox, loader: Loader) -> None:
    for number in range(9):
        sandbox.put("orders", order(f"A{number}", updated_at=at(9 - number)))
    loader.load("orders")
    sandbox.requests.clear()
    loader.load("orders")
    quiet = sandbox.requests.counts()
    sandbox.put("orders", order("A4", total="9", updated_at=LATER))
    sandbox.put("orders", order("A5", invoice_status="generated", updated_at=at(4)))
    sandbox.requests.clear()
    changed = loader.load("orders")

    asked = sandbox.requests.counts()
    assert set(quiet) == {"list_orders"}
    assert set(asked) == {"list_orders", "get_order"}
    assert asked["get_order"] == 2
    # The head of the list down to what is known, a look behind it, and the head once more; or,
    # as the edit that told no time stands in no order, its two ends and then the three pages.
    assert quiet["list_orders"] <= 3 + 2
    assert asked["list_orders"] <= 2 + 2 + 3
    assert (changed.certificates[0].new, changed.certificates[0].changed) == (0, 2)
    assert loader.rows("select total, invoice_status from orders where total = 9") == [
        (Decimal("9.000000000"), None)
    ]


def test_an_edit_that_no_summary_shows_is_found_when_its_part_is_audited(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        sandbox.put("orders", order(f"A{number}", updated_at=at(number)))
    loader.load("orders")
    for number in range(0, 40, 4):
        sandbox.put("orders", order(f"A{number}", payment_status="paid", updated_at=at(number)))
    silent = loader.load("orders")
    unseen = loader.rows("select count(*) from orders where payment_status = 'paid'")

    monkeypatch.setattr("wholesale.compare.audit.PARTS", 3)
    sandbox.put("orders", order("A0", payment_status="paid", total="3", updated_at=LATER))
    for part in range(3):
        monkeypatch.setattr("wholesale_elt.runs.stored.part_due", lambda *_, part=part: part)
        loader.load("orders")

    assert (silent.certificates[0].audited, unseen) == (0, [(0,)])
    # One had told of its change, and is no silent edit.
    assert loader.rows(
        "select sum(audited) in (39, 40), sum(silent), sum(changed) from sync_runs"
    ) == [(True, 9, 10)]
    assert loader.rows("select count(*) from orders where payment_status = 'paid'") == [(10,)]


def test_where_the_audit_finds_that_most_orders_changed_all_are_read(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a release of the service sends a field otherwise. Orders that differ whenever they
    are read make no later run read all."""
    monkeypatch.setattr("wholesale.compare.audit.PARTS", 3)
    audits: list[tuple[str, str, int | None, int | None]] = []
    for part, status in enumerate(["pending", "PENDING", "Pending"]):
        for number in range(40):
            sandbox.put("orders", order(f"A{number}", payment_status=status, updated_at=at(number)))
        if part:
            monkeypatch.setattr("wholesale_elt.runs.stored.part_due", lambda *_, part=part: part)
        sandbox.put("orders", order("new" + status, payment_status=status, updated_at=LATER))
        (run,) = loader.load("orders").certificates
        audits.append((run.verdict, run.strategy, run.new, run.changed))
        assert (2 * (run.silent or 0) > run.audited) is (part > 0)

    assert [audit[:3] for audit in audits] == [
        ("complete", "manifest", 41),
        ("complete", "full read", 1),
        ("complete", "manifest", 1),
    ]
    assert audits[1][3] == 40
    assert loader.rows(
        "select payment_status, count(*) > 20 from orders group by all order by payment_status"
    ) == [("PENDING", True), ("Pending", False), ("pending", False)]


def test_the_newer_of_two_versions_in_one_list_wins_with_its_children(
    sandbox: Sandbox, loader: Loader
) -> None:
    older = order("A", total="1", order_line_items=[line("x"), line("y")])
    newer = order("A", total="2", updated_at="2026-02-01T00:00:00Z", order_line_items=[line("z")])
    sandbox.put("orders", older)
    for name in "BCD":
        sandbox.put("orders", order(name))
    # The same id again, on a later page than the older version.
    sandbox.storage.collection("orders").put(guid("again"), msgspec.json.encode(newer))

    outcome = loader.load("orders")

    assert loader.rows("select order_number, total from orders where order_number = 'A'") == [
        ("A", Decimal("2.000000000"))
    ]
    assert loader.rows("select line_number, sku from orders__order_line_items") == [(1, "z")]
    # The service counts five, and sends four: that is proved by reading the list cut otherwise.
    (found,) = outcome.certificates
    assert (found.proof, found.duplicates, found.ids_seen) == ("agreement", 2, 4)


@pytest.mark.parametrize("above", ["lowered", "refused", "misplaced", "gapped", "emptied"])
def test_whatever_becomes_of_longer_pages_no_order_is_lost(
    sandbox: Sandbox, loader: Loader, above: str
) -> None:
    names = [f"A{number}" for number in range(40)]
    for name in names:
        sandbox.put("orders", order(name))
    sandbox.dials.change({"limit_cap": 5, "limit_above_cap": above})

    for _ in range(2):
        (found,) = loader.load("orders").certificates
        assert (found.verdict, found.proof, found.ids_seen) == ("complete", "count", 40)
        assert loader.rows("select order_number from orders order by id") == [
            (name,) for name in sorted(names, key=guid)
        ]


def test_each_run_leaves_a_certificate_a_resource(sandbox: Sandbox, loader: Loader) -> None:
    for number in range(4):
        sandbox.put("orders", order(f"A{number}"))
    first = loader.load("orders")
    loader.load("orders")

    (found,) = first.certificates
    assert loader.rows("select * from sync_runs order by run_id limit 1") == [
        (
            *(first.run_id, "orders", "wholesale-sandbox (nothing)", "duckdb"),
            *(found.started_at, found.ended_at),
            *("manifest", 6, 10, found.bytes),  # pages, requests
            *(1, 4, 4, 4, 0),  # sweeps, ids seen, totals, duplicates
            *(4, 0, 0, 0),  # new, changed, deleted, unreadable
            *(0, 0, 0),  # audited, silent, missed
            *("complete", found.complete_as_of, "count", 0, 4, None),
        )
    ]
    assert found.complete_as_of is not None
    assert found.started_at <= found.complete_as_of <= found.ended_at
    assert loader.rows("select new, proof from sync_runs order by run_id") == [
        (4, "count"),
        (0, "count"),
    ]
    assert loader.rows("select * from sync_suspects") == []


def test_an_absence_that_is_not_settled_stands_in_the_certificate_and_in_the_status(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    (whole,) = loader.load("orders").certificates
    sandbox.delete("orders", guid("A"))
    (doubtful,) = loader.load("orders").certificates
    now = datetime.now(UTC)

    orders = read_overview(loader.warehouse, now=now).resources[0]

    assert whole.complete_as_of
    assert orders == Status(
        resource="orders",
        rows=1,
        last_run_at=doubtful.started_at,
        verdict="incomplete",
        reason="1 stored record not listed, and not settled yet",
        complete_as_of=whole.complete_as_of,
        proof=None,
        open_suspects=1,
        lag_seconds=int((now - whole.complete_as_of).total_seconds()),
        audited=0,
        silent=None,
    )
    assert loader.rows(
        "select verdict, complete_as_of, proof, open_suspects from sync_runs order by run_id"
    ) == [("complete", whole.complete_as_of, "count", 0), ("incomplete", None, None, 1)]


def test_a_certificate_counts_what_is_alive_apart_from_what_the_list_counts_as_well(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("vendors", {"id": guid("here"), "name": "here"})
    sandbox.put("vendors", {"id": guid("gone"), "name": "gone", "deleted": True})
    loader.load("vendors")

    assert loader.rows(
        "select last_total_count, alive, proof,"
        " (select count(*) from vendors where _deleted_at is null) from sync_runs"
    ) == [(2, 1, "count", 1)]


def test_a_wrong_key_loads_nothing_and_is_a_matter_of_credentials(loader: Loader) -> None:
    wrong = ApiSettings.of(base_url=loader.settings.base_url, api_key="wrong-key-1234")
    with pytest.raises(Exception) as caught:  # noqa: PT011
        Loader(wrong, loader.warehouse).load()
    failure = failure_of(caught.value)
    assert failure.exit == 2
    assert failure.message == (
        "GET /vendors?page=1&limit=100 answered 401 Invalid Credentials: check the"
        " API key and that it belongs to this base URL"
    )
    assert not loader.warehouse.database.exists()


def test_a_resource_that_fails_keeps_no_other_from_being_loaded_and_certified(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("vendors", {"id": guid("vendor"), "name": "old"})
    loader.load("orders", "vendors", "items")
    sandbox.put("orders", order("A"))
    sandbox.put("vendors", {"id": guid("vendor"), "name": "new"})
    sandbox.put("items", {"id": guid("item")})
    sandbox.dials.change({"error_share": 1.0, "fault_endpoints": ["list_vendors"]})

    outcome = loader.load("orders", "vendors", "items")

    (failure,) = outcome.failures.items()
    assert failure[0] == "vendors"
    assert failure[1].startswith("GET /vendors?page=1&limit=3 got no usable answer in 2 attempts")
    assert [(row.resource, row.verdict, row.reason) for row in outcome.certificates] == [
        ("orders", "complete", None),
        ("vendors", "incomplete", failure[1]),
        ("items", "complete", None),
    ]
    assert loader.rows("select order_number from orders") == [("A",)]
    assert loader.rows("select name, _deleted_at from vendors") == [("old", None)]
    assert loader.rows("select id from items") == [(guid("item"),)]


def test_a_first_resource_whose_connections_break_keeps_no_other_from_being_certified(
    sandbox: Sandbox, loader: Loader
) -> None:
    for name in ("vendors", "buyers", "items"):
        sandbox.put(name, {"id": guid(name)})
    rule = {"fault": "reset", "endpoints": ["list_vendors"]}
    sandbox.dials.change({"faults": [rule]})

    outcome = loader.load("vendors", "buyers", "items")

    assert list(outcome.failures) == ["vendors"]
    assert [row.verdict for row in outcome.certificates] == ["incomplete", "complete", "complete"]


def test_where_every_resource_fails_the_run_fails(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders", "vendors")
    before = loader.contents()
    sandbox.dials.change({"error_share": 1.0})

    orders_failed = r"^GET /orders.* got no usable answer in 2 attempts"
    with pytest.raises(ServiceError, match=rf"{orders_failed}.*; neither could vendors be read$"):
        loader.load("orders", "vendors")

    assert loader.contents() == before


def test_children_are_read_though_their_parents_are_not_selected(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("items", {"id": guid("with"), "variants_count": 1})
    sandbox.put("items", {"id": guid("without"), "variants_count": 0})
    sandbox.put("variants", {"id": guid("variant")}, parent_id=guid("with"))

    assert loader.load("variants").is_complete

    assert loader.rows("select id, parent_id from variants") == [(guid("variant"), guid("with"))]
    # One that counts no variants is asked all the same, as its count may be wrong. Where nothing is
    # stored, items are read by themselves too, as their list may show them in short.
    assert sandbox.requests.counts() == {"list_items": 1, "get_item": 2, "list_variants": 2}
    assert set(loader.contents()) == {
        *("variants", "variants__options", "variants__observations"),
        *("quarantine", "sync_changes", "sync_child_rows", "sync_suspects"),
    }


def test_a_second_run_on_the_same_warehouse_is_refused_and_names_the_first(
    loader: Loader,
) -> None:
    with hold(loader.warehouse.state_folder / "lock"), pytest.raises(AlreadyRunning) as caught:
        loader.load("orders")
    assert f"process {os.getpid()}" in str(caught.value)


def test_a_lock_dies_with_its_holder(loader: Loader) -> None:
    lock = loader.warehouse.state_folder / "lock"
    code = f"""
from pathlib import Path
from wholesale_elt.process.lock import hold
import time
with hold(Path({str(lock)!r})):
    print("held", flush=True)
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    with hold(lock):
        pass


def test_a_run_waits_for_a_reader_that_has_the_file_open_for_a_moment(loader: Loader) -> None:
    loader.load("orders")
    code = (
        "import duckdb, time;"
        f"c = duckdb.connect({str(loader.warehouse.database)!r}, read_only=True);"
        "print('open', flush=True); time.sleep(1)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        assert loader.load("orders").is_complete


def test_a_file_open_elsewhere_is_named_and_nothing_is_asked_of_the_service(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_file, "PATIENCE", 0.2)
    loader.load("orders")
    sandbox.requests.clear()
    code = (
        f"import duckdb, time; c = duckdb.connect({str(loader.warehouse.database)!r});"
        "print('open', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            with pytest.raises(Exception) as caught:  # noqa: PT011
                loader.load("orders")
        finally:
            process.kill()
    failure = failure_of(caught.value, loader.warehouse)
    assert failure.exit == 1
    assert "is open in another program" in failure.message
    assert str(process.pid) in failure.message
    assert len(sandbox.requests.entries()) == 0


def test_a_file_that_is_no_database_is_left_alone(loader: Loader) -> None:
    loader.warehouse.database.write_text("my thesis\n" * 1000)
    with pytest.raises(Exception) as caught:  # noqa: PT011
        loader.load("orders")
    assert "is no DuckDB file" in failure_of(caught.value, loader.warehouse).message
    assert loader.warehouse.database.read_text() == "my thesis\n" * 1000


def test_a_field_that_only_the_summaries_have_is_stored_and_tells_no_change_by_itself(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def basic(record: bytes, form: OrderForm) -> bytes:
        return order_form(record, "summary" if form == "summary" else "basic")

    monkeypatch.setattr(sending, "order_form", basic)
    for number in range(4):
        sandbox.put("orders", order(f"A{number}", invoice_status=f"status {number}"))

    loader.load("orders")
    sandbox.requests.clear()
    again = loader.load("orders")

    assert loader.rows("select order_number, invoice_status from orders order by 1") == [
        (f"A{number}", f"status {number}") for number in range(4)
    ]
    assert again.is_complete
    assert sandbox.requests.counts().keys() == {"list_orders"}


def test_a_service_that_is_not_there_is_named_once_and_leaves_no_file(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/api/external/v1"
        settings = ApiSettings.of(base_url=url, api_key="k", attempts=1)
        warehouse = Warehouse(tmp_path / "test.duckdb")

        with pytest.raises(ServiceError) as failed:
            sync_resources(settings, warehouse, tuple(RESOURCE))

    message = str(failed.value)
    assert message.count("GET ") == 1
    assert message.startswith("GET /orders?")
    others = ", ".join(name for name in RESOURCE if name != "orders")
    assert message.endswith(f"then run again; neither could {others} be read")
    assert not warehouse.database.exists()

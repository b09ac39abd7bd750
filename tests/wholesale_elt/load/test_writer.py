"""Records are written whole or not at all, and those that did not change are not touched."""

import os
import signal
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy as np
import pytest

from support.few import few
from support.paths import ROOT
from support.records.lists import Record, decoded
from support.services.command import run_command
from wholesale.errors import Unavailable
from wholesale.sync.changes import Batch
from wholesale_elt.load.writer import Writer
from wholesale_elt.warehouse.destination import Warehouse

TABLES = ("orders", "orders__order_line_items", "orders__order_comments")
LOG = "orders__observations"
DIES = """
import os, signal, sys
from pathlib import Path
from test_writer import batch, open_writer, order

database, statement = Path(sys.argv[1]), sys.argv[2]


def die_at(method, says):
    def dying(*arguments):
        if says(*arguments).replace('"', "").startswith(statement):
            os.kill(os.getpid(), signal.SIGKILL)
        return method(*arguments)
    return dying


with open_writer(database) as writer:
    writer.write(batch([order("a", lines=2), order("b", lines=2)]))
    writer.commit()
    raw = writer.raw
    raw.execute = die_at(raw.execute, lambda sql, *_: sql)
    raw.append = die_at(raw.append, lambda table, rows: f"append {table}")
    raw.commit = die_at(raw.commit, lambda: "commit")
    writer.write(batch([order("b", lines=1), order("c", lines=3)], known={"b"}))
    writer.flush_compared()
    writer.commit()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "test.duckdb"


@contextmanager
def open_writer(database: Path) -> Iterator[Writer]:
    with Writer(Warehouse(database), "run-1") as writer:
        yield writer


def order(key: str, *, lines: int = 0, **fields: Any) -> Record:
    entries = [{"sku": f"{key}{number}", "quantity": number} for number in range(1, lines + 1)]
    return {"id": key, "total": "1.5", "order_line_items": entries, **fields}


def batch(records: list[Any], known: Collection[str] = ()) -> Batch:
    found = decoded("orders", records)
    is_known = [key in known for key in found.root["id"].to_pylist()]
    return Batch(found, np.array(is_known, np.bool_))


def write(database: Path, records: list[Any], known: Collection[str] = ()) -> list[str]:
    """Ids of the known records that differed, sorted."""
    with open_writer(database) as writer:
        writer.write(batch(records, known))
        return sorted(writer.flush_compared().texts())


def write_in_batches(
    database: Path, records: list[Record], known: Collection[str] = ()
) -> list[str]:
    """The same, some hundred records at a time, within the memory of a load."""
    with open_writer(database) as writer:
        writer.ensure_tables_of(batch([]).decoded.shape)
        writer.raw.prepare_load()
        for start in range(0, len(records), 300):
            writer.write(batch(records[start : start + 300], known))
        return sorted(writer.flush_compared().texts())


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'; set schema = 'wholesale_raw'")
        return connection.execute(sql).fetchall()


def places(database: Path) -> list[list[tuple[Any, ...]]]:
    """Every row of all tables with its place in the file, which a rewritten row does not keep."""
    return [
        rows(database, f"select rowid, * from {table} order by rowid") for table in (*TABLES, LOG)
    ]


def named(database: Path) -> list[list[dict[str, Any]]]:
    """Every row of all tables by name of column, in the order of their keys; without the moment
    since when it is so."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return [
            connection.table(f"wholesale_raw.{table}")
            .order("1, 2")
            .project("* exclude (valid_from)")
            .to_arrow_table()
            .to_pylist()
            for table in TABLES
        ]


def lines(database: Path) -> list[tuple[Any, ...]]:
    return rows(
        database,
        "select order_id, line_number, sku, quantity from orders__order_line_items order by all",
    )


def test_new_records_are_rows_and_their_entries_rows_of_the_child_tables(database: Path) -> None:
    one = order("a", lines=2, total="12.500000001", updated_at="2026-01-02T03:04:05.6+01:00")

    assert write(database, [one | {"order_comments": [{"body": "?"}]}, order("b")]) == []

    assert rows(database, "select id, total, updated_at, _deleted_at from orders order by 1") == [
        ("a", Decimal("12.500000001"), datetime(2026, 1, 2, 2, 4, 5, 600_000, UTC), None),
        ("b", Decimal("1.500000000"), None, None),
    ]
    assert lines(database) == [("a", 1, "a1", 1), ("a", 2, "a2", 2)]
    assert rows(database, "select order_id, comment_number, body from orders__order_comments") == [
        ("a", 1, "?")
    ]


def test_an_identical_reload_writes_nothing(database: Path) -> None:
    odd = {"total": "12,50", "tags": ["x"], "order_comments": [None, {"body": "?"}]}
    records = [order("a", lines=2), order("b"), order("c", lines=1, **odd)]
    write(database, records)
    before = places(database)

    assert write(database, records, known={"a", "b", "c"}) == []

    assert places(database) == before
    assert [len(table) for table in before] == [3, 3, 2, 3]


@pytest.mark.parametrize(
    "change",
    few(
        [
            {"total": "1.500000001"},
            {"total": None},
            {"total": "twelve"},
            {"po_number": ""},
            {"order_line_items": []},
            {"order_line_items": [{"sku": "a1", "quantity": 1}]},
            {"order_line_items": [{"sku": "a1", "quantity": 1}, {"sku": "a2", "quantity": None}]},
            {"order_comments": [{}]},
            {"colour": "red"},
        ],
        5,
    ),
    ids=str,
)
def test_whatever_changes_in_a_record_or_its_entries_replaces_that_record_alone(
    database: Path, change: Record
) -> None:
    records = [order("a", lines=2), order("b", lines=1)]
    write(database, records)
    fresh = database.with_name("fresh.duckdb")
    changed = [records[0] | change, records[1]]

    assert write(database, changed, known={"a", "b"}) == ["a"]

    write(fresh, changed)
    assert named(database) == named(fresh)


def test_a_record_that_is_there_again_loses_its_mark(database: Path) -> None:
    write(database, [order("a", lines=1), order("b")])
    with Warehouse(database).open() as raw:
        raw.execute(
            f"update {raw.name('orders')} set _deleted_at = %s where id = 'a'",
            datetime(2026, 1, 1, tzinfo=UTC),
        )
    marked = rows(database, "select id, _deleted_at from orders order by 1")

    assert write(database, [order("a", lines=1), order("b")], known={"a", "b"}) == ["a"]

    assert marked == [("a", datetime(2026, 1, 1, tzinfo=UTC)), ("b", None)]
    assert rows(database, "select id, _deleted_at from orders order by 1") == [
        ("a", None),
        ("b", None),
    ]
    assert lines(database) == [("a", 1, "a1", 1)]
    assert rows(database, f"select id, count(*) from {LOG} group by id order by 1") == [
        ("a", 2),
        ("b", 1),
    ]


def test_the_log_gets_a_row_when_what_it_tells_of_is_another_and_only_then(database: Path) -> None:
    began = datetime.now(UTC)
    write(database, [order("a", status="received"), order("b"), order("c", status="received")])
    between = datetime.now(UTC)

    changed = [order("a", status="shipped"), order("b", lines=1), order("c", status="received")]
    assert write(database, [*changed, order("d")], known={"a", "b", "c"}) == ["a", "b"]

    assert rows(
        database,
        f"select id, status, observed_at >= timestamptz '{between}' from {LOG} order by all",
    ) == [
        ("a", "received", False),
        ("a", "shipped", True),
        ("b", None, False),
        ("c", "received", False),
        ("d", None, True),
    ]
    assert rows(
        database,
        f"select bool_and(observed_at between '{began}' and '{datetime.now(UTC)}') from {LOG}",
    ) == [(True,)]


def test_a_column_that_is_found_while_records_are_set_aside_is_theirs_too(database: Path) -> None:
    write(database, [order("a", lines=1), order("b"), order("c")])

    with open_writer(database) as writer:
        writer.write(batch([order("a", lines=2)], known={"a"}))
        writer.write(batch([order("b", colour="red"), order("d", weight=1.5)], known={"b"}))
        writer.write(batch([order("c")], known={"c"}))
        assert sorted(writer.flush_compared().texts()) == ["a", "b"]
        assert list(writer.flush_compared().texts()) == []

    assert rows(database, "select id, colour, weight from orders order by 1") == [
        ("a", None, None),
        ("b", "red", None),
        ("c", None, None),
        ("d", None, Decimal("1.500000000")),
    ]
    assert lines(database) == [("a", 1, "a1", 1), ("a", 2, "a2", 2)]


def test_a_newer_version_that_comes_later_in_the_run_replaces_the_older(database: Path) -> None:
    with open_writer(database) as writer:
        writer.write(batch([order("a", lines=3), order("b")]))
        assert list(writer.flush_compared().texts()) == []
        writer.write(batch([order("a", lines=1, total="2")], known={"a"}))
        assert list(writer.flush_compared().texts()) == ["a"]

    assert rows(database, "select id, total from orders order by 1") == [
        ("a", Decimal("2.000000000")),
        ("b", Decimal("1.500000000")),
    ]
    assert lines(database) == [("a", 1, "a1", 1)]


@pytest.mark.slow
def test_what_is_set_aside_in_great_number_is_compared_in_parts(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wholesale_elt.load.writer.BYTES_A_COMPARISON", 1)
    monkeypatch.setattr("wholesale_elt.load.writer.RECORDS_A_COMMIT", 3)
    keys = [f"{number:02}" for number in range(20)]
    write(database, [order(key, lines=1) for key in keys])

    with open_writer(database) as writer:
        for key in keys:
            writer.write(batch([order(key, lines=2 if key < "15" else 1)], known=keys))
        assert sorted(writer.flush_compared().texts()) == keys[:15]

    assert len(lines(database)) == 15 * 2 + 5


def test_what_was_staged_before_a_commit_is_replaced_at_once_or_not_at_all(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(database, [order("a", lines=2)])
    before = places(database)

    def fail() -> None:
        with open_writer(database) as writer:
            writer.write(batch([order("a", lines=1, total="2")], known={"a"}))
            writer.commit()
            execute = writer.raw.execute

            def full(sql: str, *arguments: Any) -> Any:
                if sql.replace('"', "").startswith("insert into wholesale_raw.orders ("):
                    raise OSError("no room")
                return execute(sql, *arguments)

            monkeypatch.setattr(writer.raw, "execute", full)
            writer.flush_compared()

    with pytest.raises(OSError, match="no room"):
        fail()

    assert places(database) == before


def test_records_without_an_id_are_kept_beside(database: Path) -> None:
    write(database, [order("a"), {"total": 1}, order("b")])

    assert rows(
        database, 'select run_id, resource, page, "index", reason, body from quarantine'
    ) == [("run-1", "orders", 1, 1, "has no id", '{"total":1}')]
    assert rows(database, "select id from orders order by 1") == [("a",), ("b",)]


@pytest.mark.parametrize(
    "statement",
    [
        "append wholesale_raw.orders__order_line_items",
        "create temporary table staged",
        "delete from wholesale_raw.orders__order_line_items",
        "insert into wholesale_raw.orders__order_comments",
        "insert into wholesale_raw.orders__observations",
        "insert into wholesale_raw.orders__order_line_items__past",
        "insert into wholesale_raw.orders ",
        "commit",
    ],
)
def test_a_kill_before_any_statement_of_a_transaction_leaves_every_record_as_it_was(
    database: Path, statement: str
) -> None:
    folders = [str(Path(__file__).parent), str(ROOT / "tests")]
    code = f"import sys; sys.path[:0] = {folders!r}\n{DIES}"
    done = run_command([str(database), statement], database.parent, os.environ, code)

    assert done.returncode == -signal.SIGKILL, done.stderr
    assert rows(database, "select id from orders order by 1") == [("a",), ("b",)]
    assert lines(database) == [(key, n, f"{key}{n}", n) for key in "ab" for n in (1, 2)]
    assert rows(database, f"select id from {LOG} order by all") == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("error", "is_kept"), [(Unavailable("gone"), True), (RuntimeError("a bug"), False)]
)
def test_what_was_read_before_the_service_failed_is_kept(
    database: Path, error: Exception, is_kept: bool
) -> None:
    write(database, [order("a")])

    def fail() -> None:
        with open_writer(database) as writer:
            writer.write(batch([order("b", lines=1)]))
            raise error

    with pytest.raises(type(error)):
        fail()

    assert [key for (key,) in rows(database, "select id from orders order by 1")] == (
        ["a", "b"] if is_kept else ["a"]
    )
    assert len(lines(database)) == int(is_kept)


def test_what_waited_too_long_for_its_commit_is_kept_whatever_comes_next(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wholesale_elt.load.writer.SECONDS_A_COMMIT", 0.0)

    def fail() -> None:
        with open_writer(database) as writer:
            writer.write(batch([order("a", lines=2)]))
            raise RuntimeError("a bug")

    with pytest.raises(RuntimeError):
        fail()

    assert rows(database, "select id from orders") == [("a",)]
    assert lines(database) == [("a", n, f"a{n}", n) for n in (1, 2)]


@pytest.mark.parametrize("table", [*TABLES, LOG])
def test_an_interrupt_between_two_tables_keeps_neither(
    database: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    write(database, [order("a", lines=1, order_comments=[{}])])
    insert = Writer.insert

    def interrupted(writer: Writer, name: str, rows: Any) -> None:
        if name == table:
            raise KeyboardInterrupt
        insert(writer, name, rows)

    monkeypatch.setattr(Writer, "insert", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(database, [order("b", lines=1, order_comments=[{}])])

    assert [len(found) for found in places(database)] == [1, 1, 1, 1]


def test_entries_in_another_order_are_no_difference_and_keep_their_numbers(database: Path) -> None:
    entries = [{"sku": "x", "quantity": 1}, {"sku": "y"}, {"sku": "x", "quantity": 1}, {}]
    one = {"id": "a", "order_line_items": entries, "order_comments": [{"body": "1"}, {}]}
    write(database, [one, order("b", lines=3)])
    before = places(database)
    turned = {
        name: value[::-1] if isinstance(value, list) else value for name, value in one.items()
    }

    assert write(database, [turned, order("b", lines=3)], known={"a", "b"}) == []

    assert places(database) == before


@pytest.mark.parametrize(
    "entries",
    [
        [{"sku": "y"}, {"sku": "x"}, {"sku": "y"}],
        [{"sku": "y"}, {"sku": "x"}],
        [{"sku": "y"}, {"sku": "x"}, {"sku": "x"}, {"sku": "x"}],
        [{"sku": "y"}, {"sku": "x"}, {"sku": "x", "quantity": 1}],
        [],
    ],
)
def test_entries_of_which_one_is_another_are_replaced_in_the_order_in_which_they_came(
    database: Path, entries: list[Record]
) -> None:
    write(database, [{"id": "a", "order_line_items": [{"sku": "x"}, {"sku": "x"}, {"sku": "y"}]}])

    assert write(database, [{"id": "a", "order_line_items": entries}], known={"a"}) == ["a"]

    assert lines(database) == [
        ("a", number, entry["sku"], entry.get("quantity"))
        for number, entry in enumerate(entries, start=1)
    ]


@pytest.mark.parametrize("table", [*TABLES[1:], LOG])
def test_a_batch_that_waited_does_not_commit_what_is_there_of_one_that_failed(
    database: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    write(database, [order("a", lines=1, order_comments=[{}])])
    insert, failed = Writer.insert, [False]

    def fail_once(writer: Writer, name: str, rows: Any) -> None:
        if name == table and not failed[0]:
            failed[0] = True
            raise OSError("no room")
        insert(writer, name, rows)

    monkeypatch.setattr(Writer, "insert", fail_once)
    monkeypatch.setattr("wholesale_elt.load.writer.RECORDS_A_COMMIT", 1)

    def fail() -> None:
        with open_writer(database) as writer:
            with pytest.raises(OSError, match="no room"):
                writer.write(batch([order("b", lines=1, order_comments=[{}])]))
            writer.write(batch([order("c", lines=1, order_comments=[{}])]))

    with pytest.raises(RuntimeError, match="could not be written whole"):
        fail()

    assert [len(found) for found in places(database)] == [1, 1, 1, 1]


def test_what_was_compared_takes_no_memory_beside_the_next_comparison(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wholesale_elt.load.writer.BYTES_A_COMPARISON", 1)
    records = [order(f"{number:03}", po_number="x" * 1_000) for number in range(200)]
    write(database, records)

    held = []
    with open_writer(database) as writer:
        for _ in range(5):
            writer.write(batch(records, {record["id"] for record in records}))
            ((size,),) = writer.raw.rows(
                "select sum(memory_usage_bytes + temporary_storage_bytes)::bigint"
                " from duckdb_memory() where tag = 'IN_MEMORY_TABLE'"
            )
            held.append(size)
        assert list(writer.flush_compared().texts()) == []

    assert held == [0] * 5


@pytest.mark.slow
def test_long_texts_that_fill_the_memory_of_duckdb_are_written_compared_and_replaced(
    database: Path,
) -> None:
    draw = Random(7)
    records = [order(f"{n:04}", po_number=draw.randbytes(8_000).hex()) for n in range(2200)]
    keys = {record["id"] for record in records}

    assert write_in_batches(database, records[:2000]) == []
    # The last vector of the table is written anew.
    assert write_in_batches(database, records[2000:]) == []
    records[7] |= {"total": "2"}
    assert write_in_batches(database, records, keys) == ["0007"]

    held = rows(database, "select id, po_number, total from orders order by 1")
    assert held == [(r["id"], r["po_number"], Decimal(r["total"])) for r in records]


@pytest.mark.slow
def test_hundreds_of_columns_that_no_description_knows_are_written_compared_and_replaced(
    database: Path,
) -> None:
    found = [f"field_{number:03}" for number in range(200)]

    def made(number: int, value: str) -> Record:
        return order(f"{number:04}", lines=1, **{name: f"{number} {value}" for name in found})

    first = [made(number, "first") for number in range(2000)]
    keys = {record["id"] for record in first}
    assert write(database, [order("none")]) == []
    assert write_in_batches(database, first) == []
    assert write_in_batches(database, first, keys) == []
    assert write_in_batches(database, [*first[:-1], made(1999, "second")], keys) == ["1999"]

    held = rows(database, f"select id, {', '.join(found)} from orders order by 1")
    values = ["first"] * 1999 + ["second"]
    assert held == [
        *((f"{number:04}", *[f"{number} {value}"] * 200) for number, value in enumerate(values)),
        ("none", *[None] * 200),
    ]

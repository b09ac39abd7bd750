"""What every destination must do: the same rows as DuckDB in every table, whatever happens."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg2
import pytest
from dlt.destinations.exceptions import DatabaseException, DatabaseTransientException

from support.few import by_hand
from support.records.changes import RESOURCES, come_back, edit, fill, put_odd_values
from support.records.samples import guid, order
from support.services.command import run_command
from support.services.postgres import connect
from support.warehouses.destinations import Place, Tables
from wholesale.api import RESOURCE
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale.settings import ApiSettings
from wholesale.tables import shape_of
from wholesale_elt.load.pipeline import WholesalePipeline
from wholesale_elt.past import digest_as_of, is_past
from wholesale_elt.process import AlreadyRunning
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.ports import csv_rows, postgres_server
from wholesale_elt.warehouse.ports.postgres import PostgresRaw
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

LAKES = ("lake", "ducklake", "lake in a catalogue and s3", "ducklake in postgres and s3")
DESTINATIONS = (
    "postgres",
    pytest.param("lake", marks=pytest.mark.slow),
    *(by_hand(name) for name in LAKES[1:]),
)
"""Beside DuckDB itself, by which they are judged. What differs in the last three is seen by the
first test, and where their ports are tested."""
OF_EACH_KIND = (
    "postgres",
    *(pytest.param(name, marks=pytest.mark.slow) for name in LAKES),
)
OF_A_BUCKET = ("orders", "prices")
"""What is the same in a folder needs no second proof: a bucket holds the same files."""
KILLED = ("orders", "prices")
USAGE_ERROR = 2
LATEST = datetime(2200, 1, 1, tzinfo=UTC)
STATEMENTS = 60
"""About as many as a run that finds edits executes; one that goes on with a first load, a
third of them."""
DIES = """
import os, signal
from wholesale.sync import batches
from wholesale_elt.cli.main import main
from wholesale_elt.load import writer
from wholesale_elt.warehouse.ports.duckdb_raw import DuckDBRaw
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.ports.postgres import PostgresRaw
from wholesale_elt.warehouse.raw import Raw

batches.BATCH_BYTES, writer.RECORDS_A_COMMIT, writer.BYTES_A_COMPARISON = 1, 2, 1
countdown = int(os.environ["STATEMENT"])

def dying(method):
    def die_or_do(*arguments):
        global countdown
        countdown -= 1
        if not countdown:
            os.kill(os.getpid(), signal.SIGKILL)
        return method(*arguments)
    return die_or_do

Raw.execute = dying(Raw.execute)
for owner in (DuckDBRaw, PostgresRaw):
    owner.append, owner.commit = dying(owner.append), dying(owner.commit)
main()
"""
"""The command as it is, but that small loads have as many transactions as large ones, and that it
dies before one of its statements."""
HOLDS = """
import sys, time
from pathlib import Path
from wholesale_elt.warehouse import Warehouse

with Warehouse(Path(sys.argv[1]), sys.argv[2]).hold():
    print("held", flush=True)
    time.sleep(600)
"""


def same_as_duckdb(place: Place, duckdb: Place, *resources: str) -> Tables:
    outcomes = [place.load(*resources) for place in (duckdb, place)]
    expected, found = duckdb.contents(), place.contents()
    assert list(found) == list(expected)
    for table, rows in expected.items():
        assert found[table] == rows, table
    assert [o.is_complete for o in outcomes] in ([True, True], [False, False])
    for each, outcome in zip((duckdb, place), outcomes, strict=True):
        noted = {row.resource: row.digest for row in outcome.certificates}
        with each.warehouse.open(is_read_only=True) as raw:
            assert noted == {
                name: digest_as_of(raw, shape_of(RESOURCE[name], raw.columns()), LATEST).text
                for name in noted
            }
    return found


@pytest.mark.parametrize("destination", OF_EACH_KIND)
def test_every_table_holds_what_it_holds_in_duckdb(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place, duckdb = place_in(destination), place_in("duckdb")
    resources = OF_A_BUCKET if destination.endswith("s3") else RESOURCES
    for change in (fill, edit, come_back):
        change(sandbox)
        same_as_duckdb(place, duckdb, *resources)
    before = place.contents()

    again = place.load(*resources)

    assert [(row.new, row.changed, row.deleted) for row in again.certificates] == [
        (0, 0, 0) for _ in resources
    ]
    told = ("sync_runs", "sync_service")
    assert {t: rows for t, rows in place.contents().items() if t not in told} == {
        t: rows for t, rows in before.items() if t not in told
    }


@pytest.mark.slow
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_odd_values_are_the_same_everywhere_and_no_change_when_they_come_again(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place, duckdb = place_in(destination), place_in("duckdb")
    put_odd_values(sandbox)

    found = same_as_duckdb(place, duckdb, "orders")
    again = place.load("orders", is_full=True)

    (certificate,) = again.certificates
    assert (certificate.reason, certificate.new, certificate.changed) == (None, 0, 0)
    notes = {row["order_number"]: (row["notes"], row["_extra"]) for row in found["orders"]}
    assert notes["empty"][0] == ""
    assert notes["null"][0] is None
    assert notes["quotes"][0] == '"",\r\n\\N\\.'
    assert notes["nul"][0] is None
    assert r"a\u0000b" in notes["nul"][1]


@pytest.mark.slow
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_a_list_that_moves_while_it_is_read_is_the_same_everywhere_once_it_rests(
    place_in: Callable[[str], Place], destination: str
) -> None:
    places = place_in(destination), place_in("duckdb")
    with Sandbox(SandboxSettings(orders=40)) as moving:
        moving.dials.change({"drift": 0.3})
        for place in places:
            place.settings = ApiSettings.of(base_url=moving.base_url, api_key="sandbox")
        for place in places * 2:
            place.load("orders")
        moving.dials.change({"drift": 0})

        outcomes = [place.load("orders") for place in places]

        assert [outcome.is_complete for outcome in outcomes] == [True, True]
        # What each has seen in between, and keeps in its past, is what happened to be there.
        found, expected = (
            {
                name: rows
                for name, rows in alive(records(place.contents())).items()
                if not is_past(name)
            }
            for place in places
        )
        assert found == expected
        assert len(found["orders"]) == moving.storage.collection("orders").count()


@pytest.mark.slow
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_what_was_dropped_by_hand_is_there_again_after_the_next_sync(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place = place_in(destination)
    fill(sandbox)
    place.load("orders", "brands")
    before = place.contents()
    place.execute(
        "drop table wholesale_raw.orders__order_line_items",
        "drop table wholesale_raw.brands",
        "alter table wholesale_raw.orders drop column total",
    )

    assert place.load("orders", "brands").is_complete

    after = place.contents()
    for table in ("orders", "orders__order_line_items", "orders__order_comments", "brands"):
        assert after[table] == before[table], table


@pytest.mark.slow
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_a_warehouse_that_is_gone_is_made_anew(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place = place_in(destination)
    fill(sandbox)
    place.load("orders")
    before = place.contents()
    place.execute("drop schema wholesale_raw cascade")

    assert place.load("orders").is_complete

    assert place.contents() == before


@pytest.mark.slow
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_a_second_run_from_another_folder_says_who_is_at_work(
    sandbox: Sandbox,
    place_in: Callable[[str], Place],
    destination: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = place_in(destination)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    command = [*(sys.executable, "-c", HOLDS), str(place.warehouse.database)]
    with subprocess.Popen(
        [*command, place.warehouse.destination], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        monkeypatch.chdir(elsewhere)

        with pytest.raises(AlreadyRunning, match=rf"process {holder.pid}\b.* since 20"):
            place.load("brands")
        holder.send_signal(signal.SIGKILL)

    for _ in range(300):  # a server may take a while to see that its client is gone
        with suppress(AlreadyRunning):
            assert place.load("brands").is_complete
            return
        time.sleep(0.1)
    pytest.fail("the lock of a process that was killed is held")


@pytest.mark.parametrize(
    "destination",
    ["postgres", by_hand("ducklake in postgres and s3")],
)
def test_a_run_whose_lock_is_lost_commits_nothing_more(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str, socket: str
) -> None:
    place = place_in(destination)
    fill(sandbox)
    place.load("orders")
    with place.warehouse.hold(), place.warehouse.open() as raw:
        raw.begin()
        raw.execute("delete from wholesale_raw.orders")
        with closing(connect(socket)) as server, server.cursor() as cursor:
            cursor.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name like %s",
                [f"wholesale, process {os.getpid()} %"],
            )

        with pytest.raises(WholesaleError, match=r"lock on PostgreSQL .* is lost"):
            raw.commit()

    assert place.rows("select count(*) from wholesale_raw.orders") == [(5,)]


def test_a_run_does_not_wait_for_ever_for_a_table_that_a_reader_holds(
    sandbox: Sandbox,
    place_in: Callable[[str], Place],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = place_in("postgres")
    fill(sandbox)
    place.load("brands")
    sandbox.put("brands", {"id": guid("new"), "a_new_field": "needs a column"})
    monkeypatch.setitem(postgres_server.UNLESS_ASKED, "lock_timeout", "1s")
    with place.warehouse.open() as reader:
        reader.begin()
        reader.count("brands")
        with pytest.raises(DatabaseTransientException, match="lock timeout"):
            place.load("brands")

    place.load("brands")
    found = place.rows("select a_new_field from wholesale_raw.brands where a_new_field > ''")
    assert found == [("needs a column",)]


@pytest.mark.parametrize("is_read_only", [True, False])
def test_a_session_of_a_server_elsewhere_stays_in_utc_after_an_error(
    place_in: Callable[[str], Place], monkeypatch: pytest.MonkeyPatch, *, is_read_only: bool
) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c timezone=Asia/Tokyo -c lock_timeout=7s")
    place = place_in("postgres")
    asked = "timezone", "lock_timeout", "default_transaction_read_only"
    settings = ", ".join(f"current_setting('{name}')" for name in asked)

    open_it = place.warehouse.open
    with open_it(is_read_only=True) if is_read_only else open_it() as raw:
        assert raw.rows("select 1 from no_such_table") == []
        found = raw.rows(f"select {settings}")

    assert found == [("UTC", "7s", "on" if is_read_only else "off")]


def test_a_copy_whose_connection_is_lost_prints_no_values(
    place_in: Callable[[str], Place], socket: str, capfd: pytest.CaptureFixture[str]
) -> None:
    place = place_in("postgres")
    place.load("brands")

    class Rows:
        """A file in whose midst the connection is ended."""

        reads = 0

        def read(self, size: int) -> bytes:
            self.reads += 1
            if self.reads == 20:
                with closing(connect(socket)) as server, server.cursor() as cursor:
                    cursor.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity"
                        " where query like 'copy %'"
                    )
                time.sleep(0.5)
            return b"a name\n" * (size // 7) if self.reads < 1000 else b""

        def readline(self) -> bytes:
            return b""

    with pytest.raises(psycopg2.Error), place.warehouse.open() as raw:  # noqa: PT012
        assert isinstance(raw, PostgresRaw)
        raw._copy("copy wholesale_raw.brands (id) from stdin (format csv)", Rows())

    assert not capfd.readouterr().err


@pytest.mark.parametrize("password", ["top/zzz", "top@zzz"])
def test_a_password_that_is_not_escaped_is_a_wrong_setting_and_not_shown(
    password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dsn = f"postgresql://somebody:{password}@127.0.0.1:1/somewhere"
    monkeypatch.setenv("DESTINATION__POSTGRES__CREDENTIALS", dsn)

    with pytest.raises(ConfigurationError, match=r"%40 %3A %2F") as refused:
        _ = Warehouse(Path(), "postgres").name

    assert not {"top", "zzz"} & set(re.findall(r"\w+", str(refused.value)))


def test_a_run_that_has_ended_holds_nothing_before_the_server_knows_that_it_has_gone(
    place_in: Callable[[str], Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, lingering = place_in("postgres"), []

    def linger(connection: Any) -> Any:
        lingering.append(connection)
        return nullcontext(connection)

    monkeypatch.setattr("wholesale_elt.warehouse.ports.postgres_server.closing", linger)
    for _ in range(2):
        with place.warehouse.hold():
            assert not lingering[-1].closed
    for connection in lingering:
        connection.close()


@pytest.mark.parametrize("destination", ["duckdb", *DESTINATIONS])
def test_what_holds_records_is_its_users_alone_and_nothing_else_is_touched(
    place_in: Callable[[str], Place], destination: str, tmp_path: Path
) -> None:
    place, elsewhere = place_in(destination), tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    tmp_path.chmod(0o755)

    for _ in range(2):
        assert WholesalePipeline(place.settings, place.warehouse).run("brands").is_complete
        shown = [path for path in place.warehouse.port.files if path.exists()]
        for path in shown:
            assert not path.stat().st_mode & 0o077, path
            path.chmod(0o755 if path.is_dir() else 0o644)  # as an earlier version left it

    assert [path.stat().st_mode & 0o777 for path in (tmp_path, elsewhere)] == [0o755, 0o755]


def test_another_server_under_the_same_name_is_another_warehouse(
    sandbox: Sandbox, place_in: Callable[[str], Place]
) -> None:
    fill(sandbox)
    for _ in range(2):
        place = place_in("postgres")

        (orders,) = place.load("orders").certificates

        assert (orders.new, orders.verdict) == (5, "complete")


@pytest.mark.slow
def test_texts_that_are_longer_than_what_is_read_at_once_come_back_whole(
    sandbox: Sandbox, place_in: Callable[[str], Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_rows, "BYTES_A_BLOCK", 4096)
    place, duckdb = place_in("postgres"), place_in("duckdb")
    for number, length in enumerate([10, 20_000, 10, 100_000, 10]):
        sandbox.put("orders", order(f"A{number}", internal_note="long\n" * length))

    for _ in range(2):
        found = same_as_duckdb(place, duckdb, "orders")

    assert len(found["orders"]) == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("destination", "kills"),
    [
        *((name, 4) for name in ("duckdb", "postgres", "lake")),
        *(by_hand((name, 10)) for name in ("duckdb", "postgres", *LAKES)),
    ],
)
def test_a_run_that_is_killed_at_any_statement_is_made_good_by_the_next(
    sandbox: Sandbox,
    place_in: Callable[[str], Place],
    destination: str,
    kills: int,
    tmp_path: Path,
) -> None:
    place, whole = place_in(destination), place_in("duckdb")
    environment = os.environ | {
        "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
        "SOURCES__WHOLESALE__API_KEY": "sandbox",
    }
    killed = 0
    for start, (change, count) in enumerate(((fill, STATEMENTS // 3), (edit, STATEMENTS)), 1):
        change(sandbox)
        for statement in range(start, count, count // kills):
            died = run_command(
                ["sync", *KILLED, *place.address],
                tmp_path,
                environment | {"STATEMENT": str(statement)},
                DIES,
            )
            assert died.returncode != USAGE_ERROR, died.stderr
            killed += died.returncode == -signal.SIGKILL

        place.load(*KILLED)
        whole.load(*KILLED)

        assert records(place.contents()) == records(whole.contents())
    assert killed >= 1.5 * kills


def records(tables: Tables) -> Tables:
    """Without what tells of runs, of which one had more."""
    return {
        name: rows
        for name, rows in tables.items()
        if name != "quarantine" and not name.startswith("sync_") and "__observations" not in name
    }


def alive(tables: Tables) -> Tables:
    """Without orders that came and went, and their entries: one place may have seen them and
    another not."""
    gone = {row["id"] for row in tables["orders"] if row["_deleted_at"]}
    return {
        name: [row for row in rows if row.get("order_id", row.get("id")) not in gone]
        for name, rows in tables.items()
    }


def test_postgresql_holds_the_keys_of_what_is_loaded(
    sandbox: Sandbox, place_in: Callable[[str], Place]
) -> None:
    fill(sandbox)
    place = place_in("postgres")
    place.load("orders", "items")
    with place.warehouse.open(is_read_only=True) as raw:
        found = raw.rows(
            "select relname, pg_get_constraintdef(pg_constraint.oid) from pg_constraint"
            " inner join pg_class on pg_class.oid = conrelid where contype = 'p'"
            " and relnamespace = 'wholesale_raw'::regnamespace"
        )
    assert {(table, text.partition(" DEFERRABLE")[0]) for table, text in found} == {
        ("orders", "PRIMARY KEY (id)"),
        ("orders__order_line_items", "PRIMARY KEY (order_id, line_number)"),
        ("orders__order_comments", "PRIMARY KEY (order_id, comment_number)"),
        ("items", "PRIMARY KEY (id)"),
        ("items__options", "PRIMARY KEY (item_id, option_number)"),
    }
    with place.warehouse.open(is_read_only=False) as raw, pytest.raises(DatabaseException):
        raw.execute("insert into wholesale_raw.orders select * from wholesale_raw.orders")


def test_postgresql_finds_the_latest_of_a_long_past_without_reading_it_all(
    sandbox: Sandbox, place_in: Callable[[str], Place]
) -> None:
    """Also in a warehouse whose past is older than this."""
    fill(sandbox)
    place = place_in("postgres")
    place.load("brands")
    place.execute(
        "drop index wholesale_raw.brands__past_moments",
        "insert into wholesale_raw.brands__past (id, valid_from, valid_to)"
        " select day, timestamptz '2020-01-01' + day * interval '1 minute',"
        " timestamptz '2020-01-02' + day * interval '1 minute'"
        " from generate_series(1, 100000) as days(day)",
    )

    place.load("brands")

    found = place.rows(
        "select tablename, indexdef from pg_indexes where schemaname = 'wholesale_raw'"
        " and tablename like '%%past'"
    )
    assert found == [
        (
            "brands__past",
            "CREATE INDEX brands__past_moments ON wholesale_raw.brands__past USING brin"
            " (valid_from, valid_to) WITH (autosummarize='on')",
        )
    ]
    place.execute("analyze wholesale_raw.brands__past")
    for column in ("valid_from", "valid_to"):
        plan = place.rows(
            f"explain select 1 from wholesale_raw.brands__past where {column} > now()"
        )
        assert [line for (line,) in plan if "Seq Scan" in line] == []

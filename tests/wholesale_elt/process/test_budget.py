"""Budget: DuckDB keeps within its memory, leaves nothing behind, and prints nothing."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import duckdb
import pytest

from wholesale.errors import ConfigurationError
from wholesale_elt.process import budget

PRINT_WHAT_IS_HELD = """
from pathlib import Path
from wholesale_elt.process import budget
def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    [held] = [line.split()[1] for line in lines if line.startswith("VmRSS")]
    return int(held)
with budget.open_within() as connection:
    connection.execute("select max(n) from (select row_number() over (order by random()) as n"
        " from range(3_000_000))").fetchall()
    used = held()
    budget.hold_back(connection)
    print(used, held())
"""
PRINT_WHETHER_PROGRESS_IS_SHOWN = """
import duckdb
from wholesale_elt.process import budget
ask = "select current_setting('enable_progress_bar')"
print(duckdb.connect().execute(ask).fetchone()[0])
with budget.open_within() as connection:
    print(connection.execute(ask).fetchone()[0])
"""


def test_what_does_not_fit_spills_into_a_folder_that_is_gone_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY__MEGABYTES", "32")
    with budget.open_within(spill=tmp_path) as connection:
        connection.execute("set threads = 1")
        connection.execute("create table numbers as select random() as x from range(8_000_000)")
        spilled = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert connection.execute("select count(*) from numbers").fetchall() == [(8_000_000,)]

    assert spilled
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["plenty", "31"])
def test_a_limit_that_cannot_be_right_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY__MEGABYTES", text)

    with pytest.raises(ConfigurationError, match=r"memory\.megabytes"):
        budget.limit()


@pytest.mark.parametrize(("text", "left"), [("32", 32), ("300", 200), ("500", 200), ("2000", 800)])
def test_a_part_of_it_is_left_to_what_is_held_beside(
    text: str, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY__MEGABYTES", text)
    assert budget.limit_beside() == f"{left}MB"


def test_what_duckdb_keeps_of_what_it_used_is_freed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINT_WHAT_IS_HELD], capture_output=True, text=True, check=True
    )
    used, held = map(int, done.stdout.split())
    assert held < used - 30_000


def test_a_file_that_is_opened_is_only_read(tmp_path: Path) -> None:
    file = tmp_path / "a.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute("create table one as select 1 as n")

    with budget.open_within(file) as connection:
        assert connection.execute("from one").fetchall() == [(1,)]
        with pytest.raises(duckdb.InvalidInputException, match="read-only"):
            connection.execute("drop table one")


def test_no_progress_is_printed_where_duckdb_would_print_it() -> None:
    """As in a process that is not started from a file."""
    done = subprocess.run(
        [sys.executable, "-c", PRINT_WHETHER_PROGRESS_IS_SHOWN],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "False"]


def test_a_query_that_runs_ends_with_its_block() -> None:
    has_begun, threads, ended = Event(), list[Thread](), []

    def begun(number: int) -> int:
        has_begun.set()
        return number

    def ask(connection: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(duckdb.InterruptException) as end:
            connection.execute("select sum(begun(range)) from range(1000000000000)")
        ended.append(end.type)

    def stop_while_it_is_asked() -> None:
        with budget.open_within() as connection:
            number = duckdb.sqltype("BIGINT")
            connection.create_function("begun", begun, [number], number)
            threads.append(Thread(target=ask, args=(connection,)))
            threads[0].start()
            assert has_begun.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop_while_it_is_asked()
    threads[0].join(60)
    assert ended == [duckdb.InterruptException]


def test_arrow_and_all_threads_allocate_in_one_place_unless_a_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_to: list[tuple[int, int]] = []
    library = SimpleNamespace(mallopt=lambda option, value: set_to.append((option, value)))
    monkeypatch.setattr("ctypes.CDLL", lambda name: library)
    for chosen, left in ((None, "system"), ("mimalloc", "mimalloc")):
        monkeypatch.delenv("ARROW_DEFAULT_MEMORY_POOL", raising=False)
        if chosen:
            monkeypatch.setenv("ARROW_DEFAULT_MEMORY_POOL", chosen)
        budget.reuse_freed()
        assert os.environ["ARROW_DEFAULT_MEMORY_POOL"] == left

    del library.mallopt  # another C library than glibc
    budget.reuse_freed()

    assert set_to == [(budget.M_ARENA_MAX, 1)] * 2


def test_a_connection_that_another_thread_still_asks_is_closed_once_that_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DuckDB 2 refuses to close it, where DuckDB 1.5 waits."""

    class InUse(Exception):
        pass

    class Connection:
        tries = 0

        def execute(self, _: str) -> None:
            pass

        def close(self) -> None:
            self.tries += 1
            if self.tries < 3:
                raise InUse

    monkeypatch.setattr(duckdb, "ResourceInUseException", InUse, raising=False)
    opened = Connection()
    monkeypatch.setattr(budget, "connect", lambda *_, **__: opened)
    with budget.open_within():
        assert opened.tries == 0
    assert opened.tries == 3


def test_a_connection_that_is_held_back_may_take_what_is_left_beside_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMORY__MEGABYTES", "1000")
    asked = "select current_setting('memory_limit')"
    with budget.open_within() as connection, duckdb.connect() as other:
        before = connection.sql(asked).fetchall()
        budget.hold_back(connection)
        other.execute("set memory_limit = '400MB'")
        assert connection.sql(asked).fetchall() == other.sql(asked).fetchall() != before

"""What is read back of earlier runs, under clocks that cannot be trusted."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from wholesale.names import RUN_ID
from wholesale.prove.proof import Proof
from wholesale.sync.doubts import Doubts
from wholesale.sync.tally import Tally
from wholesale_elt.runs.certificate import certify
from wholesale_elt.runs.history import (
    LastRun,
    read_changes,
    read_complete_moments,
    read_histories,
    read_last_runs,
    read_profile,
    read_suspects,
)
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.raw import Raw

NOW = datetime.now(UTC)
Write = Callable[..., None]


def ago(**time: float) -> datetime:
    return NOW - timedelta(**time)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "test.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create schema wholesale_raw; set schema = 'wholesale_raw';"
            "create table sync_runs (run_id text, resource text, strategy text, verdict text,"
            " started_at timestamptz, ended_at timestamptz, complete_as_of timestamptz,"
            " audited bigint, silent bigint, missed bigint, proof text, open_suspects bigint,"
            " reason text);"
            "create table sync_suspects (run_id text, resource text, id text, reason text)"
        )
    return path


@pytest.fixture
def raw(database: Path) -> Iterator[Raw]:
    with Warehouse(database).open() as raw:
        yield raw


@pytest.fixture
def write(raw: Raw) -> Write:
    """Note one run of orders that took a second."""

    def one(at: datetime, *suspects: str, is_complete: bool = True) -> None:
        run_id = at.strftime(RUN_ID)
        verdict, as_of = ("complete", at) if is_complete else ("incomplete", None)
        raw.execute(
            f"insert into {raw.name('sync_runs')} values"
            " (%s, 'orders', 'manifest', %s, %s, %s, %s, 0, null, 0, %s, %s, null)",
            *(run_id, verdict, at, at + timedelta(seconds=1), as_of),
            *("count" if is_complete else None, len(suspects)),
        )
        for key in suspects:
            raw.execute(
                f"insert into {raw.name('sync_suspects')} values (%s, 'orders', %s, 'absent')",
                *(run_id, key),
            )

    return one


def test_suspects_are_those_of_the_last_run_that_lies_two_minutes_back(
    raw: Raw, write: Write
) -> None:
    write(ago(hours=2), "a", "b")
    write(ago(hours=1), "b", "c")
    write(ago(seconds=100), "c", "d")

    assert sorted(read_suspects(raw, NOW)["orders"]) == ["b", "c"]
    assert sorted(read_suspects(raw, NOW + timedelta(seconds=30))["orders"]) == ["c", "d"]
    assert list(read_suspects(raw, NOW)) == ["orders"]


def test_a_run_without_suspects_settles_those_before_it(raw: Raw, write: Write) -> None:
    write(ago(hours=2), "a")
    write(ago(hours=1))

    assert read_suspects(raw, NOW) == {}


def test_a_run_that_lies_ahead_of_the_clock_is_neither_the_last_nor_a_proof(
    raw: Raw, write: Write
) -> None:
    write(ago(hours=2))
    write(ago(hours=1), "a", is_complete=False)
    write(ago(days=-700))

    past = read_histories(raw)["orders"]

    last = LastRun(ago(hours=1), "incomplete", None, None, 1)
    assert read_last_runs(raw, NOW) == {"orders": last}
    assert read_complete_moments(raw, NOW) == {"orders": ago(hours=2)}
    assert (past.complete_at, past.last_at, past.is_proved) == (ago(hours=2), ago(hours=1), False)
    assert read_suspects(raw, NOW) == {"orders": ["a"]}


def test_a_clock_that_is_minutes_ahead_is_believed(raw: Raw, write: Write) -> None:
    write(ago(minutes=-4))

    assert read_complete_moments(raw, NOW) == {"orders": ago(minutes=-4)}
    assert read_histories(raw)["orders"].is_proved


def test_a_run_that_lies_ahead_is_told_of_where_there_is_no_other(raw: Raw, write: Write) -> None:
    write(ago(days=-700))

    last = LastRun(ago(days=-700), "complete", None, "count", 0)
    assert read_last_runs(raw, NOW) == {"orders": last}
    assert read_complete_moments(raw, NOW) == {}


def test_the_last_news_of_a_service_is_not_what_a_clock_dated_ahead(raw: Raw) -> None:
    raw.execute(
        "create table wholesale_raw.sync_service (run_id text, fact text, value text, origin text)"
    )
    raw.execute(
        "create table wholesale_raw.sync_changes (run_id text, resource text, aspect text,"
        " name text, before text, after text)"
    )
    for at, limit in ((ago(days=-700), 25), (ago(hours=2), 50), (ago(hours=1), 75)):
        row = (at.strftime(RUN_ID), str(limit))
        raw.execute(
            "insert into wholesale_raw.sync_service values (%s, 'page_size', %s, 'observed')", *row
        )
        raw.execute(
            "insert into wholesale_raw.sync_changes values (%s, 'orders', 'field', 'a', null, %s)",
            *row,
        )

    profile = read_profile(raw)

    assert profile
    assert profile.page_size == 75
    assert [each.after for each in read_changes(raw)] == ["25", "50", "75"]


def test_nothing_is_known_where_no_run_ever_was(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "empty.duckdb").open() as raw:
        assert read_last_runs(raw) == {}
        assert read_complete_moments(raw) == {}
        assert read_histories(raw) == {}
        assert read_suspects(raw) == {}


def test_a_run_in_which_the_clock_was_set_back_is_ahead_of_those_that_follow() -> None:
    before, after = ago(), ago(days=365)
    proof = Proof("count", complete_as_of=after, seen_since=0)
    doubts = Doubts(proof, ended_at=after, is_finished=True)

    certificate = certify(
        Tally("orders", started_at=after),
        doubts,
        run_id=before.strftime(RUN_ID),
        service="a service",
        destination="duckdb",
        deleted=0,
        stored=0,
    )

    assert (certificate.started_at, certificate.ended_at) == (before, before)
    assert (certificate.verdict, certificate.complete_as_of) == ("complete", before)

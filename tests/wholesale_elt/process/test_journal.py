"""The journal tells of a command that ended, one that is at work, and one that was killed."""

import errno
import fcntl
import logging
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from subprocess import PIPE, Popen

import msgspec
import pytest

from wholesale.errors import ConfigurationError
from wholesale_elt.process import journal
from wholesale_elt.process.journal import BYTES_AN_ENTRY, Journal, JournalEntry, State, last_ended

AT_WORK = """
import sys
from pathlib import Path
from wholesale_elt.process.journal import Journal

with Journal(Path(sys.argv[1])).note("sync"):
    print("at work", flush=True)
    sys.stdin.read()
"""


def test_an_end_is_noted_with_its_exit_code_and_message(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs")
    begun = datetime.now(UTC)
    with journal.note("build"):
        pass
    with journal.note("run") as entry:
        entry.exit_code, entry.message = 1, "no answer"

    last, first = journal.entries()
    assert (first.command, first.exit_code, first.message, first.state) == (
        *("build", None, None),
        "ended",
    )
    assert (last.command, last.exit_code, last.message, last.state) == (
        *("run", 1, "no answer"),
        "ended",
    )
    assert begun <= first.started_at <= first.ended_at <= last.started_at  # type: ignore[operator]
    assert last.process.startswith(f"{os.getpid()} on ")
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "runs").iterdir()] == [0o600] * 2


def test_what_ended_ahead_of_the_clock_is_not_told_and_pushes_nothing_out(tmp_path: Path) -> None:
    for _ in range(60):
        with Journal(tmp_path).note("sync"):
            pass
    for path in sorted(tmp_path.iterdir())[:5]:
        ahead = path.with_name(f"2999{path.name[4:]}")
        ahead.write_text(path.read_text().replace('"started_at":"2', '"started_at":"299'))
    with Journal(tmp_path).note("build"):
        pass

    entries = Journal(tmp_path).entries(50)

    assert [entry.command for entry in entries] == ["build", *["sync"] * 49]
    assert not list(tmp_path.glob("2999*"))


def test_a_command_is_running_until_it_is_killed_and_killed_from_then_on(tmp_path: Path) -> None:
    with Popen([sys.executable, "-c", AT_WORK, tmp_path], stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"at work\n"
        (running,) = Journal(tmp_path).entries()
        process.kill()
    (killed,) = Journal(tmp_path).entries()

    assert (running.state, killed.state) == ("running", "killed")
    assert killed.ended_at is None
    assert killed.started_at == running.started_at


def test_a_message_of_any_length_fits_into_the_room_that_was_taken(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with journal.note("run") as entry:
        (path,) = tmp_path.iterdir()
        assert path.stat().st_size == BYTES_AN_ENTRY
        entry.message = "\x01\U0001f600" * 5000

    assert path.stat().st_size == BYTES_AN_ENTRY
    (found,) = journal.entries()
    assert found.message
    assert entry.message.startswith(found.message)


def test_the_newest_entries_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "KEPT", 3)
    for number in range(5):
        with Journal(tmp_path).note(str(number)):
            pass

    assert [entry.command for entry in Journal(tmp_path).entries()] == ["4", "3", "2"]
    assert [entry.command for entry in Journal(tmp_path).entries(1)] == ["4"]


def test_what_is_no_entry_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("")
    (tmp_path / "b.json").mkdir()

    assert Journal(tmp_path).entries() == []
    assert Journal(tmp_path / "nowhere").entries() == []


def test_where_nothing_can_be_written_the_command_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("wholesale"), "propagate", True)
    (tmp_path / "file").touch()
    with Journal(tmp_path / "file").note("sync") as entry:
        entry.exit_code = 0
    assert "no journal is kept in" in caplog.text

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", fail)
    with Journal(tmp_path / "runs").note("sync"):
        pass
    assert "the journal cannot be written: No space left on device" in caplog.text


def test_one_that_ends_while_it_is_looked_at_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path).note("sync"):
        (path,) = tmp_path.iterdir()
        before = path.read_bytes()
    after = path.read_bytes()
    path.write_bytes(before)
    monkeypatch.setattr(fcntl, "flock", lambda *_: path.write_bytes(after))

    (found,) = Journal(tmp_path).entries()
    assert found.state == "ended"


def test_a_journal_that_may_not_be_read_has_no_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path, pattern: str) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))

    with Journal(tmp_path).note("sync"):
        monkeypatch.setattr(Path, "glob", refuse)
        entries = Journal(tmp_path).entries()
        monkeypatch.undo()

    assert entries == []


NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("state", "exit_code", "message", "trouble"),
    [
        ("running", None, None, None),
        ("ended", 0, None, None),
        ("ended", 1, "no room", "no room"),
        ("ended", 3, None, "exit code 3"),
        ("killed", None, None, "killed, or the machine went down"),
    ],
)
def test_a_command_that_was_killed_did_not_end_well(
    state: State, exit_code: int | None, message: str | None, trouble: str | None
) -> None:
    entry = JournalEntry("run", "1 on here", NOON, None, exit_code, message, state)

    assert entry.trouble == trouble


def test_the_last_command_that_ended_is_not_the_one_that_runs() -> None:
    runs = JournalEntry("run", "2 on here", NOON)
    killed = JournalEntry("run", "1 on here", NOON, state="killed")

    assert last_ended([runs, killed]) is killed
    assert last_ended([runs]) is None


def test_where_nobody_can_tell_whether_a_command_runs_it_is_not_said_to_be_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = JournalEntry("sync", "1 on elsewhere", datetime.now(UTC))
    (tmp_path / "20260101T000000.000000-1.json").write_bytes(msgspec.json.encode(begun))
    assert [entry.state for entry in Journal(tmp_path).entries()] == ["killed"]

    monkeypatch.setitem(sys.modules, "fcntl", None)
    assert [entry.state for entry in Journal(tmp_path).entries()] == ["running"]
    with pytest.raises(ConfigurationError, match="WSL"), Journal(tmp_path / "new").note("sync"):
        pytest.fail("noted without a lock")

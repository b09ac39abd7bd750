"""`wholesale run --every`: each run is as if it were called anew, and the next one always comes."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from types import SimpleNamespace

import duckdb
import pytest

from benchmarks.measure import tree
from support.records.samples import guid
from support.services.service import WHOLESALE
from wholesale_elt.cli import repetition
from wholesale_elt.cli.output import Exit, Output
from wholesale_elt.cli.repetition import repeat
from wholesale_elt.process import Journal, JournalEntry
from wholesale_elt.warehouse import warehouse_in
from wholesale_sandbox.server import Sandbox

NEXT = "the next run begins at "
PATIENCE = 300.0
"""Seconds until a test gives up, and the process is killed."""


@dataclass(frozen=True)
class Staying:
    """A process that repeats a run; its settings lie in files, which may be edited."""

    folder: Path
    process: "subprocess.Popen[str]"

    @classmethod
    @contextmanager
    def every(cls, minutes: float, folder: Path, sandbox: Sandbox) -> Iterator["Staying"]:
        (folder / ".dlt").mkdir()
        (folder / ".dlt/config.toml").write_text(
            f'[sources.wholesale]\nbase_url = "{sandbox.base_url}"\nattempts = 1\n'
        )
        set_key(folder, "sandbox")
        words = [WHOLESALE, "run", f"--every={minutes}"]
        variables = {name: text for name, text in os.environ.items() if "WHOLESALE" not in name}
        with subprocess.Popen(
            words,
            cwd=folder,
            env=variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            patience = Timer(PATIENCE, process.kill)
            patience.start()
            try:
                yield cls(folder, process)
            finally:
                patience.cancel()
                process.kill()

    def lines_until(self, begin: str) -> list[str]:
        """What it says up to a line that begins so."""
        assert self.process.stderr is not None
        said: list[str] = []
        while not (said and said[-1].startswith(begin)):
            line = self.process.stderr.readline()
            assert line, f"it ended, and said: {said}"
            said.append(line.strip())
        return said

    @property
    def journal(self) -> Journal:
        return warehouse_in("duckdb", self.folder / "wholesale.duckdb").journal

    def at_work(self, after: int = 0) -> JournalEntry:
        """The entry of the run at work, once so many others have ended."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            entries = self.journal.entries()
            ended = [entry for entry in entries if entry.state != "running"]
            working = [entry for entry in entries if entry.state == "running"]
            if working and len(ended) >= after:
                return working[0]
            time.sleep(0.05)
        raise AssertionError("no run began")

    def marts(self) -> list[tuple[str, str]]:
        """Id and name of each vendor that is published."""
        with duckdb.connect(
            str(self.folder / "published/wholesale.duckdb"), read_only=True
        ) as file:
            return file.execute(
                "select vendor_id, vendor_name from wholesale_marts.dim_vendors order by"
                " vendor_name"
            ).fetchall()


def set_key(folder: Path, key: str) -> None:
    """At once: a run that begins meanwhile reads the one or the other."""
    written = folder / ".dlt/secrets.toml.written"
    written.write_text(f'[sources.wholesale]\napi_key = "{key}"\n')
    written.replace(folder / ".dlt/secrets.toml")


@pytest.mark.slow
def test_each_run_sees_what_changed_meanwhile_in_the_service_and_in_the_settings(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.put("vendors", {"id": guid("a"), "name": "Ash"})
    (tmp_path / "click.py").touch()  # which is not taken for the module of that name
    with Staying.every(0.01, tmp_path, sandbox) as staying:
        staying.lines_until(NEXT)
        sandbox.put("vendors", {"id": guid("a"), "name": "Ash & Co"})
        sandbox.put("vendors", {"id": guid("b"), "name": "Birch"})
        staying.lines_until(NEXT)  # of one that may have begun before
        staying.lines_until(NEXT)
        seen = staying.marts()
        set_key(tmp_path, "another")
        *_, line = staying.lines_until("wholesale: ")
        code = staying.process.wait(PATIENCE)

    assert seen == [(guid("a"), "Ash & Co"), (guid("b"), "Birch")]
    assert "401 Invalid Credentials: check the API key" in line
    assert code == Exit.CONFIGURATION
    assert not [entry for entry in staying.journal.entries() if entry.state == "killed"]


@pytest.mark.slow
def test_a_run_that_is_killed_or_fails_is_followed_by_one_that_goes_on(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.put("vendors", {"id": guid("a"), "name": "Ash"})
    sandbox.dials.change({"latency_seconds": 3.0})
    with Staying.every(0.01, tmp_path, sandbox) as staying:
        os.kill(int(staying.at_work().process.split()[0]), signal.SIGKILL)
        *_, killed = staying.lines_until("wholesale: ")
        sandbox.dials.change({"latency_seconds": 0.0, "error_share": 1.0})
        *_, failed = staying.lines_until("wholesale: ")
        sandbox.dials.reset()
        staying.at_work(after=len(staying.journal.entries()))
        staying.lines_until("publishing in published")
        staying.lines_until(NEXT)

    assert "the service gave no usable response" in failed
    assert killed == "wholesale: the run was ended by SIGKILL, not by itself; the next one goes on"
    assert staying.marts() == [(guid("a"), "Ash")]


@pytest.mark.slow
@pytest.mark.parametrize("is_to_all", [False, True])
def test_sigterm_stops_the_run_at_work_as_it_would_stop_it_alone(
    is_to_all: bool, sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.dials.change({"latency_seconds": 3.0})
    with Staying.every(0.01, tmp_path, sandbox) as staying:
        processes = {int(staying.at_work().process.split()[0]), *tree(staying.process.pid)}
        for process in processes if is_to_all else [staying.process.pid]:  # as systemd does
            os.kill(process, signal.SIGTERM)
        *_, line = staying.lines_until("wholesale: ")
        code = staying.process.wait(PATIENCE)

    assert line.startswith("wholesale: stopped by SIGTERM")
    assert code == Exit.FAILED
    (entry,) = staying.journal.entries()
    assert (entry.state, entry.exit_code) == ("ended", Exit.FAILED)


def test_it_ends_well_when_it_is_stopped_while_no_run_is_at_work(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    with Staying.every(1000, tmp_path, sandbox) as staying:
        staying.lines_until(NEXT)
        staying.process.terminate()
        code = staying.process.wait(PATIENCE)

    assert code == Exit.DONE


@dataclass
class Played:
    """A process that ends with a code, in so many seconds of a clock that nobody waits for."""

    clock: "Clock"
    code: int
    seconds: float

    def wait(self) -> int:
        self.clock.begun.append(self.clock.now)
        self.clock.now += self.seconds
        return self.code


@dataclass
class Clock:
    """The time, when runs began, and those to come: their exit codes and how long they take. After
    the last one it is stopped while it waits."""

    runs: list[tuple[int, float]]
    now: float = 0.0
    begun: list[float] = field(default_factory=list)

    def Popen(self, words: object, start_new_session: bool) -> Played:
        return Played(self, *self.runs.pop(0))

    def sleep(self, seconds: float) -> None:
        if not self.runs:
            raise KeyboardInterrupt
        self.now += seconds


@pytest.mark.parametrize(
    ("runs", "is_of_many", "begun", "code"),
    [
        (
            [(0, 10.0), (1, 59.0), (3, 60.0), (-9, 150.0), (0, 10.0)],
            False,
            [0, 60, 120, 180, 330],
            0,
        ),
        ([(0, 10.0), (2, 10.0), (0, 10.0)], False, [0, 60], 2),
        ([(0, 10.0), (2, 10.0), (0, 10.0)], True, [0, 60, 120], 0),
    ],
)
def test_a_run_begins_each_minute_or_after_the_one_before_until_a_setting_is_wrong(
    runs: list[tuple[int, float]],
    is_of_many: bool,
    begun: Sequence[float],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock(list(runs))
    monkeypatch.setattr(repetition, "subprocess", clock)
    monkeypatch.setattr(
        repetition, "time", SimpleNamespace(sleep=clock.sleep, monotonic=lambda: clock.now)
    )

    with pytest.raises(SystemExit) as ended:
        repeat(Output(is_quiet=True), 1.0, is_of_many=is_of_many)

    assert (clock.begun, ended.value.code) == (begun, code)
    assert capsys.readouterr().err.count("SIGKILL") == sum(run[0] == -9 for run in runs)


@pytest.mark.parametrize(
    ("words", "once"),
    [
        (("run", "--every", "5", "vendors"), ["run", "vendors"]),
        (("--quiet", "run", "--every=0.5", "--all"), ["--quiet", "run", "--all"]),
    ],
)
def test_each_run_has_the_other_arguments(words: Sequence[str], once: Sequence[str]) -> None:
    assert list(repetition._once(words)) == once

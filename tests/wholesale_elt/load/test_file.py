"""One run at a time has the file, and leaves alone what is open elsewhere or no database."""

import os
import signal
import subprocess
import sys

import pytest

from conftest import Loader
from wholesale_elt.cli.errors import failure_of
from wholesale_elt.process.lock import AlreadyRunning, hold
from wholesale_elt.warehouse.ports import duckdb_file
from wholesale_sandbox.server import Sandbox


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


def test_a_run_waits_for_a_reader_that_has_the_file_open_for_a_moment(
    loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_file, "PATIENCE", 600.0)  # a moment is long on a loaded machine
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

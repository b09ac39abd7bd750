"""What a person reads of a file that cannot be used is what is the matter with it."""

import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from support.services.service import WHOLESALE
from wholesale_elt.cli.errors import failure_of
from wholesale_elt.cli.output import Exit
from wholesale_elt.models.running import failing
from wholesale_elt.warehouse.destination import Warehouse

BLOCK = 262_144


def damage_a_block(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 2)
        opened.write(bytes(range(256)) * 100)


def cut_off(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


@pytest.mark.parametrize("damage", [damage_a_block, cut_off])
def test_a_damaged_file_is_called_corrupt_and_not_locked(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    warehouse = Warehouse(tmp_path / "a.duckdb")
    with duckdb.connect(str(warehouse.database)) as made:
        made.execute("create table texts as select md5(range::varchar) as text from range(200_000)")
    assert warehouse.database.stat().st_size > 4 * BLOCK
    damage(warehouse.database)

    with pytest.raises(duckdb.IOException) as caught, duckdb.connect(str(warehouse.database)) as it:
        it.execute("select max(text) from texts")

    failure = failure_of(caught.value, warehouse)
    assert failure.message.startswith(f"{warehouse.database} is corrupt")
    assert failure.exit is Exit.FAILED


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "HTTP Error: Unable to connect to URL s3://b/a: None (HTTP code 404)\n\n"
            "NoSuchBucket: The specified bucket does not exist",
            "404 NoSuchBucket",
        ),
        (
            "IO Error: Could not connect to server error for HTTP PUT to 'http://127.0.0.1:1/b'",
            "AWS_ENDPOINT_URL",
        ),
        (
            "Secret Validation Failure: during `create` using the following:\nCredential Chain",
            "AWS_ACCESS_KEY_ID",
        ),
    ],
)
def test_what_a_bucket_refuses_is_told_without_the_file(text: str, named: str) -> None:
    failure = failure_of(duckdb.Error(text), Warehouse(Path("a.duckdb")))

    assert failure.exit is Exit.FAILED
    assert "the bucket of a.duckdb" in failure.message
    assert named in failure.message
    assert "s3://b/a" not in failure.message


def test_memory_that_does_not_suffice_is_told_with_its_setting() -> None:
    with (
        duckdb.connect(config={"memory_limit": "32MB", "temp_directory": ""}) as connection,
        pytest.raises(duckdb.Error) as caught,
    ):
        connection.execute("create table a as select random() from range(8_000_000)")

    failure = failure_of(caught.value, Warehouse(Path("a.duckdb")))

    assert failure.exit is Exit.FAILED
    assert "memory.megabytes" in failure.message


LOCK = 'Could not set lock on file "/data/a.duckdb": '
SEE = " See also https://duckdb.org/docs/stable/connect/concurrency"


@pytest.mark.parametrize(
    ("reason", "named", "is_held"),
    [
        (
            "Conflicting lock is held in /usr/bin/python3 (PID 17).",
            "/usr/bin/python3 (PID 17)",
            True,
        ),
        ("Conflicting lock is held in PID 17.", "PID 17", True),
        ("Resource temporarily unavailable.", "a.duckdb", True),
        ("Permission denied.", "a.duckdb", True),
        ("Conflicting lock is held in PID 0.", "a.duckdb", False),
        ("No locks available.", "(No locks available)", False),
        ("Function not implemented.", "(Function not implemented)", False),
        ("Input/output error.", "(Input/output error)", False),
        (
            "File locks are not supported for this file system, cannot open the file in read-write"
            " mode. Try opening the file in read-only mode.",
            "(File locks are not supported for this file system)",
            False,
        ),
    ],
)
def test_a_lock_that_the_disk_refuses_is_no_lock_that_another_program_holds(
    reason: str, named: str, is_held: bool
) -> None:
    failure = failure_of(duckdb.IOException(LOCK + reason + SEE), Warehouse(Path("a.duckdb")))

    assert failure.exit is Exit.FAILED
    assert named in failure.message
    assert ("open in another program" in failure.message) is is_held
    assert ("--database" in failure.message) is not is_held
    assert "PID 0" not in failure.message


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("can't start new thread"),
        MemoryError(),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
        pa.ArrowMemoryError("malloc of size 64 failed"),
        duckdb.Error("std::bad_alloc"),
        duckdb.OutOfMemoryException("Out of Memory Error: Allocation failure"),
        duckdb.OutOfMemoryException("Out of Memory Error: Failed to allocate (bad allocation)"),
    ],
)
def test_what_the_system_does_not_give_is_told_with_its_limits(error: Exception) -> None:
    failure = failure_of(error, Warehouse(Path("a.duckdb")))

    assert failure.exit is Exit.FAILED
    assert "ulimit" in failure.message


def test_memory_that_a_build_lacks_is_told_with_the_setting_too() -> None:
    with pytest.raises(duckdb.Error) as caught, failing("model dim_items", duckdb.Error):
        raise duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate data (30.5 MiB")

    assert "memory.megabytes" in failure_of(caught.value, Warehouse(Path("a.duckdb"))).message


def test_a_commit_that_lacks_memory_is_told_with_the_same_setting() -> None:
    error = duckdb.TransactionException("Failed to commit: failed to pin block of size 256.0 KiB")

    failure = failure_of(error, Warehouse(Path("a.duckdb")))

    assert failure.exit is Exit.FAILED
    assert "memory.megabytes" in failure.message


def test_of_a_full_disk_the_file_is_named_that_was_written_and_not_the_warehouse(
    tmp_path: Path,
) -> None:
    """DuckDB spills into another folder, which may be on another disk."""
    spilled = "/var/spill/duckdb_temp_storage_DEFAULT-0.tmp"
    error = duckdb.IOException(
        f'IO Error: Could not write file "{spilled}": No space left on device'
    )

    failure = failure_of(error, Warehouse(tmp_path / "a.duckdb"))

    assert spilled in failure.message
    assert "a.duckdb" not in failure.message


@pytest.mark.parametrize("words", [["status"], ["status", "--json"], ["status", "--help"]])
def test_a_full_disk_below_standard_output_is_called_so(tmp_path: Path, words: list[str]) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device that is always full")
    with full.open("w") as nowhere:
        done = subprocess.run(
            [WHOLESALE, *words], cwd=tmp_path, stdout=nowhere, stderr=subprocess.PIPE, text=True
        )

    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "standard output" in done.stderr

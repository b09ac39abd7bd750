"""What a person reads of a file that cannot be used is what is the matter with it."""

import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from wholesale_elt.cli.errors import failure_of
from wholesale_elt.cli.output import Exit
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
    assert failure.message == (
        f"{warehouse.database} is corrupt, as after a failure of the disk or a copy that broke off:"
        " put a copy in its place, or move it away and run again, which loads everything anew"
    )
    assert failure.exit is Exit.FAILED


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "HTTP Error: Unable to connect to URL s3://b/a: None (HTTP code 404)\n\n"
            "NoSuchBucket: The specified bucket does not exist",
            "the bucket of a.duckdb refuses (404 NoSuchBucket: The specified bucket does not"
            " exist): check its name, and run again",
        ),
        (
            "IO Error: Could not connect to server error for HTTP PUT to 'http://127.0.0.1:1/b'",
            "the bucket of a.duckdb cannot be reached (IO Error: Could not connect to server error"
            " for HTTP PUT to 'http://127.0.0.1:1/b'): check AWS_ENDPOINT_URL, and run again",
        ),
        (
            "Secret Validation Failure: during `create` using the following:\nCredential Chain",
            "no credentials for the bucket of a.duckdb were found: set AWS_ACCESS_KEY_ID and"
            " AWS_SECRET_ACCESS_KEY, or a profile, as for Amazon's own tools",
        ),
    ],
)
def test_what_a_bucket_refuses_is_told_without_the_file(text: str, told: str) -> None:
    failure = failure_of(duckdb.Error(text), Warehouse(Path("a.duckdb")))

    assert (failure.message, failure.exit) == (told, Exit.FAILED)

"""What a person reads of a file that cannot be used is what is the matter with it."""

import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from wholesale_elt.cli.errors import Exit, failure_of
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

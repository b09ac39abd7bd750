"""What is damaged, or was left by others, is mended by the next publication."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from support.few import few
from support.warehouses.desks import Desk


def _spoil_the_database(version: Path) -> None:
    os.chmod(version / "wholesale.duckdb", 0o644)
    with (version / "wholesale.duckdb").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"!")


def _dashboard(version: Path) -> Path:
    return version.parents[1] / "dashboard" / version.name


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    few(
        [
            _spoil_the_database,
            lambda version: (version / "parquet/wholesale_marts/fct_orders.parquet").write_bytes(
                b""
            ),
            lambda version: (version / "parquet/wholesale_bi/rpt_headlines.parquet").unlink(),
            lambda version: (version / "wholesale.duckdb.wal").write_bytes(b"somebody wrote"),
            lambda version: shutil.rmtree(version),
            lambda version: (_dashboard(version) / "index.html").write_text("alert(1)"),
            lambda version: (_dashboard(version) / "latest.js").unlink(),
        ],
        3,
    ),
    ids=[
        *("database altered", "Parquet altered", "Parquet gone", "log beside", "all gone"),
        *("page altered", "script gone"),
    ],
)
def test_a_damaged_version_is_published_again(desk: Desk, spoil: Callable[[Path], None]) -> None:
    desk.build(1)
    desk.publish()
    damaged = desk.current()["version"]
    spoil(desk.folder / "versions" / damaged)

    assert desk.publish().result == "published"
    assert desk.current()["version"] != damaged
    assert desk.numbers() == {1}
    assert desk.publish().result == "already published"


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    few(
        [
            lambda folder: (folder / "wholesale.duckdb").unlink(),
            lambda folder: (folder / "index.html").unlink(),
            lambda folder: (folder / "dashboard/index.html").write_text("alert(1)"),
            lambda folder: (folder / "wholesale.duckdb.wal").write_bytes(b"of another file"),
            lambda folder: os.replace(folder / "index.html", folder / "wholesale.duckdb"),
        ],
        2,
    ),
    ids=["no database", "no page", "another page", "a log", "another file"],
)
def test_fixed_names_are_mended_without_a_new_version(
    desk: Desk, spoil: Callable[[Path], None]
) -> None:
    desk.build(1)
    desk.publish()
    before = {name: digest for name, (digest, _) in desk.files().items()}
    spoil(desk.folder)

    assert desk.publish().result == "already published"
    assert {name: digest for name, (digest, _) in desk.files().items()} == before


def test_a_pointer_that_cannot_be_read_is_written_anew(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    (desk.folder / "current.json").write_text('{"version": ')

    assert desk.publish().result == "published"
    assert desk.numbers(desk.current()["database"]["path"]) == {1}


def test_a_log_that_a_careless_writer_left_is_not_read_into_the_next_version(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    with duckdb.connect(str(desk.folder / "careless.duckdb")) as connection:
        connection.execute("pragma disable_checkpoint_on_shutdown; create table theirs (x int)")
    log = (desk.folder / "careless.duckdb.wal").rename(desk.folder / "wholesale.duckdb.wal")

    desk.build(2)
    desk.publish()
    assert not log.exists()
    assert desk.numbers() == {2}

"""Several accounts side by side: each run at the same time, and none of them hears of another."""

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import duckdb
import pytest

from support.services.command import start_command
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

SIZES = (3, 5, 8)


def served(sandbox: Sandbox) -> set[str]:
    return {json.loads(body)["id"] for _, body in sandbox.storage.collection("orders").records()}


def loaded(database: Path) -> set[str]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return {
            key for (key,) in connection.execute("select id from wholesale_raw.orders").fetchall()
        }


@pytest.mark.slow
@pytest.mark.parametrize("is_one_folder", [True, False])
def test_three_accounts_are_loaded_at_once(tmp_path: Path, is_one_folder: bool) -> None:
    folders: Sequence[Path] = [tmp_path / ("" if is_one_folder else str(size)) for size in SIZES]
    with ExitStack() as services:
        processes = []
        sandboxes = [
            services.enter_context(Sandbox(SandboxSettings(orders=size, seed=size)))
            for size in SIZES
        ]
        for sandbox, folder, size in zip(sandboxes, folders, SIZES, strict=True):
            folder.mkdir(exist_ok=True)
            environment = {
                **os.environ,
                "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
                "SOURCES__WHOLESALE__API_KEY": "sandbox",
            }
            words = ("sync", "orders", "vendors", "--database", f"account{size}.duckdb")
            printed = tmp_path / f"{size}.txt"
            processes.append(start_command(words, folder, environment, printed))
        for process in processes:
            process.join()
        assert [process.exitcode for process in processes] == [0, 0, 0]
        for sandbox, folder, size in zip(sandboxes, folders, SIZES, strict=True):
            assert len(served(sandbox)) == size
            assert loaded(folder / f"account{size}.duckdb") == served(sandbox)

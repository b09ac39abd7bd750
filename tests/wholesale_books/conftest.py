"""A warehouse that has published, whose months a test may close, and one with months closed; and a
business of two buyers and a vendor, of which nothing was read yet;
and a receiver that has its first batch."""

import os
import shutil
from pathlib import Path

import pytest

from conftest import Loader
from support.warehouses.closing import Accounting
from support.warehouses.marts import Marts
from support.warehouses.owing import Business
from support.warehouses.receivers import Desk
from wholesale_sandbox.server import Sandbox


@pytest.fixture(scope="session")
def _accounting(
    built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory
) -> Accounting:
    folder = tmp_path_factory.mktemp("accounting")
    os.link(built.database, folder / "wholesale.duckdb")
    shutil.copytree(published, folder / "published")
    return Accounting(folder)


@pytest.fixture
def accounting(_accounting: Accounting, tmp_path: Path) -> Accounting:
    """What was built and published once for all: who changes a large file of it writes another."""
    return _accounting.copy(tmp_path / "accounting")


@pytest.fixture(scope="session")
def _closed(_accounting: Accounting, tmp_path_factory: pytest.TempPathFactory) -> Accounting:
    accounting = _accounting.copy(tmp_path_factory.mktemp("closed") / "accounting")
    last, month = accounting.months[:2]
    for words in (
        [month, "--by", "Ann", "--note", "agreed"],
        [last, "--by", "Ann"],
        [month, "--reopen", "a credit note"],
        [month],
    ):
        assert accounting.run("close", *words).code == 0
    return accounting


@pytest.fixture
def closed(_closed: Accounting, tmp_path: Path) -> Accounting:
    """Two months closed, of which one was reopened and closed again."""
    return _closed.copy(tmp_path / "closed")


@pytest.fixture
def business(sandbox: Sandbox, loader: Loader, tmp_path: Path) -> Business:
    business = Business(sandbox, loader, tmp_path)
    business.open()
    return business


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path)
    for number in range(1, 4):
        desk.business.order(f"o{number}")
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("new", f"o{number}", None) for number in (1, 2, 3)]
    return desk

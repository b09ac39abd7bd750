"""Three accounts that have published, made once for all tests of a session."""

import shutil
from pathlib import Path

import pytest

from support.warehouses.fleets import Desk, published_accounts


@pytest.fixture(scope="session")
def _published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published_accounts(tmp_path_factory.mktemp("accounts")).folder


@pytest.fixture
def desk(_published: Path, tmp_path: Path) -> Desk:
    return Desk(Path(shutil.copytree(_published, tmp_path / "desk")))

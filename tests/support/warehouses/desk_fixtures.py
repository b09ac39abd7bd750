"""A warehouse made by hand, for each test its own."""

from pathlib import Path

import pytest

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from support.warehouses.desks import Desk, Lake, configure


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    return Desk(tmp_path)


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    configure(
        monkeypatch,
        uri=f"sqlite:///{tmp_path}/catalog.db",
        warehouse=(tmp_path / "lake").as_uri(),
    )
    return Lake(tmp_path / "ours")

"""A receiver that has its first batch."""

from pathlib import Path

import pytest

from support.warehouses.receivers import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path)
    for number in range(1, 4):
        desk.business.order(f"o{number}")
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("new", f"o{number}", None) for number in (1, 2, 3)]
    return desk

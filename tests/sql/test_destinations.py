"""The models in every destination: the same published tables, row by row, column by column."""

from pathlib import Path

import pytest

from support.few import by_hand
from support.warehouses.destinations import DESTINATIONS, differences_in
from support.warehouses.marts import Marts

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "destination",
    [name if name == "lake" else by_hand(name) for name in DESTINATIONS],
)
def test_what_is_published_is_what_duckdb_publishes(
    built: Marts,
    destination: str,
    socket: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert differences_in(built, destination, tmp_path, socket, monkeypatch) == []

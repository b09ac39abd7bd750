"""An empty place in any destination, on a PostgreSQL server of the module's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.services.postgres import serving
from support.warehouses.destinations import Place, empty_place
from wholesale.settings import ApiSettings
from wholesale_sandbox.server import Sandbox


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, serving(patch) as at:
        yield at


@pytest.fixture
def place_in(
    sandbox: Sandbox, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Place]]:
    monkeypatch.chdir(tmp_path)
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox", page_size=3, attempts=2)
    with ExitStack() as places:
        yield lambda destination: places.enter_context(
            empty_place(destination, tmp_path, socket, settings, monkeypatch)
        )

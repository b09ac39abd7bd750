"""A business of two buyers and a vendor, of which nothing was read yet."""

from pathlib import Path

import pytest

from conftest import Loader
from support.warehouses.owing import Business
from wholesale_sandbox.server import Sandbox


@pytest.fixture
def business(sandbox: Sandbox, loader: Loader, tmp_path: Path) -> Business:
    business = Business(sandbox, loader, tmp_path)
    business.open()
    return business

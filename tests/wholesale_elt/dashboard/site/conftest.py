"""The scripts of the site that need no page."""

from collections.abc import Iterator

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts


@pytest.fixture(scope="session")
def scripts() -> Iterator[Scripts]:
    with loaded_scripts("data", "decimals", "days", "format", "view", "csv") as scripts:
        yield scripts

"""The scripts of the site that need no page."""

from collections.abc import Iterator

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts


@pytest.fixture(scope="session")
def scripts() -> Iterator[Scripts]:
    needed = ("data", "counting/columns", "decimals", "days", "format", "view", "csv")
    with loaded_scripts(*needed) as scripts:
        yield scripts

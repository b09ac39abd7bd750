"""A webhook of this machine."""

from collections.abc import Iterator

import pytest

from support.services.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running

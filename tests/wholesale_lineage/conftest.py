"""A webhook of this machine, and an empty place in any destination."""

from collections.abc import Iterator

import pytest

from support.services.receiver import Receiver, receiving
from support.warehouses.places import place_in, socket

__all__ = ["place_in", "receiver", "socket"]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running

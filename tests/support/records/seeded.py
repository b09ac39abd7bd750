"""Seeded: the made-up business of seed 1 with 2,000 orders, read back as a client would."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import msgspec

from wholesale_sandbox.values.moments import of
from wholesale_sandbox.world.business import World

Record = dict[str, Any]

ORDERS = 2_000
WORLD = World(seed=1, orders=ORDERS)

_decoder = msgspec.json.Decoder(float_hook=Decimal)


def order_of(world: World, number: int) -> Record:
    """The order of that number, from 0 on."""
    record: Record = _decoder.decode(world.orders.body(number))
    return record


def catalogue(world: World) -> dict[str, dict[str, Record]]:
    """All other records, by resource and id."""
    resources: dict[str, dict[str, Record]] = {}
    for resource, _, record_id, body in world.catalogue():
        resources.setdefault(resource, {})[record_id] = _decoder.decode(body)
    return resources


READ_ORDERS = [order_of(WORLD, number) for number in range(ORDERS)]
CATALOGUE = catalogue(WORLD)


def amount(value: object) -> Decimal:
    """The decimal, whichever type of JSON value carries it (§2)."""
    assert isinstance(value, int | str | Decimal)
    return Decimal(value)


def moment(text: str) -> int:
    """Microseconds since the epoch."""
    return of(datetime.fromisoformat(text))

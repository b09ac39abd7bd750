"""Plants: strange values in stored records, so that lists, single reads and the truth agree."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from wholesale_sandbox.business import Record
from wholesale_sandbox.contract import RESOURCE
from wholesale_sandbox.faults.fault import Case, RecordFault
from wholesale_sandbox.faults.records import NoSuchField
from wholesale_sandbox.faults.registry import FAULT, PLANTED
from wholesale_sandbox.storage import Collection, Storage
from wholesale_sandbox.values import chance

_record = msgspec.json.Decoder(Record)
_id = msgspec.json.Decoder(str)


class PlantError(ValueError):
    """Something that cannot be planted; one line says why."""


class Plant(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A fault of stored records, and how many of each of the resources have it."""

    fault: str
    resources: list[str] = msgspec.field(default_factory=lambda: ["orders"])
    times: Annotated[int, Meta(ge=1)] = 1


def plants_of(values: Sequence[Mapping[str, Any] | Plant]) -> list[Plant]:
    """Raises: PlantError."""
    try:
        return msgspec.convert(values, list[Plant])
    except msgspec.ValidationError as error:
        raise PlantError(f"a plant does not fit: {error}") from None


class Planted(msgspec.Struct, frozen=True):
    """`id`: what the record is asked for by, whatever its body says now."""

    fault: str
    resource: str
    id: str


def plant(storage: Storage, plants: Iterable[Plant], seed: int) -> list[Planted]:
    """Plant all of them or none, each in records of its own.

    The same seed over the same records changes the same ones. Raises: PlantError.
    """
    done: list[Planted] = []
    with storage.transaction():
        for asked in plants:
            for resource in asked.resources:
                taken = {former.id for former in done if former.resource == resource}
                done += _planted(storage, asked, resource, taken, seed)
    return done


def _planted(
    storage: Storage, asked: Plant, resource: str, taken: set[str], seed: int
) -> list[Planted]:
    fault = FAULT.get(asked.fault)
    if not isinstance(fault, RecordFault):
        raise PlantError(f"no stored record can have {asked.fault}; there are {', '.join(PLANTED)}")
    if resource not in RESOURCE:
        raise PlantError(f"{asked.fault}: there are no {resource}; there are {', '.join(RESOURCE)}")
    ids = islice(
        _applied(storage.collection(resource), fault, asked.times, taken, seed), asked.times
    )
    done = [Planted(fault.name, resource, record_id) for record_id in ids]
    if len(done) < asked.times:
        raise PlantError(
            f"{fault.name}: only {len(done)} of the {resource} can have it;"
            " serve more, or plant less"
        )
    return done


def _applied(
    collection: Collection, fault: RecordFault, times: int, taken: set[str], seed: int
) -> Iterator[str]:
    """Ids of the records, one after the other as each is changed."""
    drawn, count = chance(seed, "plant", fault.name, collection.resource), collection.count()
    case = Case(drawn, datetime.now(UTC))
    for place in drawn.sample(range(count), min(count, 2 * (times + len(taken)) + 20)):
        for body in collection.page(place, 1):
            try:
                record = _record.decode(body)
                record_id = _id.decode(record["id"])
                changed = fault.apply(record, case)
            except (msgspec.DecodeError, KeyError, NoSuchField):
                continue
            if record_id not in taken and collection.get(record_id) is not None:
                yield _replace(collection, record_id, changed)


def _replace(collection: Collection, former_id: str, record: Record) -> str:
    """Under the id that the record has now, if it has any: that is what it will be asked for by."""
    literal = bytes(record.get("id", b"null"))
    record_id = former_id if literal == b"null" else literal.strip(b'"').decode()
    parent_id = collection.parent_of(former_id)
    if record_id != former_id:
        collection.delete(former_id)
    collection.put(record_id, msgspec.json.encode(record), parent_id=parent_id)
    return record_id

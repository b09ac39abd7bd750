"""Truth: the true records, to compare with what an extractor loaded."""

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec

from wholesale_sandbox.storage.collection import Collection, updated_at
from wholesale_sandbox.storage.data_folder import PARENT_FIELDS

_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_text = msgspec.json.Decoder(str)


class Digest(msgspec.Struct, frozen=True):
    """`sha256` is that of a line for each record with a text as its id, sorted by id, without a
    line break at the end: the id, a blank, and `updated_at` in microseconds since 1970; for a
    record without an `updated_at` the id alone. `updated_at` is the latest of all records.
    """

    count: int
    updated_at: int | None
    sha256: str


def truth(collection: Collection) -> Iterator[bytes]:
    """Every record on one line; a child that does not name its parent is given its id."""
    field = PARENT_FIELDS.get(collection.resource)
    for parent_id, body in collection.records():
        yield _on_one_line(body if field is None else _with_parent(body, field, parent_id))


def only(line: bytes, fields: Sequence[str]) -> bytes:
    """The record with these of its fields; a line that is no JSON object as it is."""
    try:
        record = _object.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return line
    return msgspec.json.encode({name: record[name] for name in fields if name in record})


def digest(bodies: Iterable[bytes]) -> Digest:
    count, latest = 0, None
    lines = []
    for body in bodies:
        count += 1
        record_id, stamp = _version(body)
        if stamp is not None:
            latest = max(latest or stamp, stamp)
        if record_id is not None:
            lines.append((record_id, "" if stamp is None else f" {stamp}"))
    text = "\n".join("".join(line) for line in sorted(lines))
    return Digest(count, latest, sha256(text.encode()).hexdigest())


def _version(body: bytes) -> tuple[str | None, int | None]:
    """Id, if it is a text, and `updated_at`; also of a record with text that is no Unicode."""
    try:
        return _text.decode(_object.decode(body)["id"]), updated_at(body)
    except (msgspec.DecodeError, RecursionError, KeyError):
        pass
    try:
        record = json.loads(body)
        return _text.decode(json.dumps(record["id"])), updated_at(
            json.dumps({"updated_at": record.get("updated_at")}).encode()
        )
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None, None


def _with_parent(body: bytes, field: str, parent_id: str | None) -> bytes:
    try:
        record = _object.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body
    if field in record or parent_id is None:
        return body
    return msgspec.json.encode({**record, field: parent_id})


def _on_one_line(body: bytes) -> bytes:
    # A line break cannot stand inside a JSON text, only between its tokens.
    return body.replace(b"\r", b" ").replace(b"\n", b" ")

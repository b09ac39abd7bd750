"""Record: the one record in an answer, whatever shape the answer has."""

import msgspec

from wholesale.api import plain_guid
from wholesale.errors import ContentError, NoContent
from wholesale.json.page import content, described
from wholesale.json.strict import DEEPEST, encodable, parse, write

ERROR_KEY = "error"  # §2.9
NOT_FOUND = b'"Resource not found"'  # §7
NOTHINGS = (b"null", b"{}", b"[]")

_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_entries = msgspec.json.Decoder(list[msgspec.Raw])
_encoder = msgspec.json.Encoder()


def read_record(body: bytes, record_id: str | None = None) -> bytes:
    """The JSON text of the one record in `body`, also when a single key wraps it, or an array of
    one.

    Ids are compared without regard to case, GUIDs by their digits; a GUID that is spelled otherwise
    than it was asked for is put back into that spelling.

    Raises: ContentError naming what came instead of a record, or of the one with that id.
    Source: §4.3, §4.6, §4.11; the shapes of §4.12 are not shown.
    """
    body = _only_entry(content(body))
    if body.lstrip()[:1] != b"{":
        kind = NoContent if _is_nothing(body) else ContentError
        raise kind(f"body is {described(body)}, not a record")
    record = parse(body)
    if body.count(b"[") + body.count(b"{") > DEEPEST:
        write(record)  # refused here, where it concerns one record, if it is nested too deep
    try:
        members = _members.decode(body)
    except (msgspec.DecodeError, RecursionError):  # the strict reader reads more
        body = write(record).encode()
        members = _members.decode(body)
    wrapped = [bytes(raw) for raw in members.values() if bytes(raw)[:1] == b"{"]
    if len(members) == 1 and len(wrapped) == 1:
        body = wrapped[0]
        members = _members.decode(body)
    if not members:
        raise NoContent("body is an empty object")
    if all(_is_nothing(bytes(raw)) for raw in members.values()):
        raise NoContent("body is an object without content")
    if "id" not in members and ERROR_KEY in members:
        text = bytes(members[ERROR_KEY])
        kind = NoContent if text == NOT_FOUND else ContentError
        raise kind("body is an error object, not a record")
    found = parse(bytes(members.get("id", b"null")))
    if record_id is None or found is None or str(found) == record_id:
        return body
    spelled, asked = encodable(str(found)), plain_guid(record_id)
    if asked is not None and plain_guid(spelled) == asked:
        return _encoder.encode(members | {"id": msgspec.Raw(write(record_id).encode())})
    if spelled.lower() != record_id.lower():
        raise ContentError("body is another record than the one asked for")
    return body


def _only_entry(body: bytes) -> bytes:
    """The entry of an array of one; any other body as it is."""
    if body.lstrip()[:1] != b"[":
        return body
    try:
        entries = _entries.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body
    return bytes(entries[0]) if len(entries) == 1 else body


def _is_nothing(text: bytes) -> bool:
    return b"".join(text.split()) in NOTHINGS

"""Record: the one record in the response to a detail request."""

import msgspec

from wholesale.api import plain_id
from wholesale.errors import ContentError
from wholesale.json.envelope import refuse_failure
from wholesale.json.page import content, described
from wholesale.json.strict import DEEPEST, encodable, parse, write

_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read_record(body: bytes, record_id: str | None = None) -> bytes:
    """The JSON text of the one record in `body`, also where an object without an id wraps it.

    Raises: ContentError naming what came instead of a record, or of the one with that id, also for
    a failure that it tells of.
    Source: §4.3, §4.6, §4.11; the shapes of §4.12 are not shown.
    """
    body = content(body)
    if body.lstrip()[:1] != b"{":
        raise ContentError(f"body is {described(body)}, not a record", code="no_record")
    record = parse(body)
    if body.count(b"[") + body.count(b"{") > DEEPEST:
        write(record)  # refused here, where it concerns one record, if it is nested too deep
    try:
        members = _members.decode(body)
    except (msgspec.DecodeError, RecursionError):  # the strict reader reads more
        body = write(record).encode()
        members = _members.decode(body)
    if "id" not in members:
        refuse_failure(record)
        wrapped = [name for name, value in record.items() if _is_record(value)]
        if len(wrapped) == 1:
            body, record = bytes(members[wrapped[0]]), record[wrapped[0]]
            members = _members.decode(body)
    if record_id is None or record.get("id") is None:
        return body
    if plain_id(encodable(str(record["id"]))) != plain_id(record_id):
        raise ContentError("body is another record than the one asked for", code="other_record")
    return body


def _is_record(value: object) -> bool:
    return isinstance(value, dict) and "id" in value

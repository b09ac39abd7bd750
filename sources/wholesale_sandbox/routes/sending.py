"""Sending: a stored record in the requested form, with the faults of the request."""

from datetime import timedelta

import msgspec

from wholesale_sandbox.business import Record, text_of
from wholesale_sandbox.faults import Sent, SentFault, apply_faults
from wholesale_sandbox.responses import OrderForm, not_found, order_form
from wholesale_sandbox.routes.call import Call

_record = msgspec.json.Decoder(Record)


def sent(
    call: Call, resource: str, stored: bytes, form: OrderForm | None, *, is_listed: bool
) -> bytes | None:
    """The record as it is sent; None if a fault withholds it."""
    body = stored if form is None else order_form(stored, form)
    if not any(isinstance(active.fault, SentFault) for active in call.faults):
        return body
    try:
        whole, fields = _record.decode(stored), _record.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return body
    record_id = text_of(whole, "id") or ""

    def before(seconds: float) -> bytes | None:
        then = call.storage.collection(resource).before(call.now - timedelta(seconds=seconds))
        return then.get(record_id, stored)

    record = Sent(resource, record_id, form, is_listed, fields, whole, before)
    picked = [active for active in call.faults if active.case.picks(record_id)]
    record = apply_faults(SentFault, record, picked)
    return None if record.fields is None else msgspec.json.encode(record.fields)


def sent_alone(call: Call, resource: str, stored: bytes, form: OrderForm | None = None) -> bytes:
    """Raises: Refused (404), where a fault withholds the record."""
    body = sent(call, resource, stored, form, is_listed=False)
    if body is None:
        raise not_found()
    return body

"""Buyer users: invited when they are added, and acted on by name (§4.5, §4.12)."""

from collections.abc import Mapping

import msgspec

from wholesale_sandbox.business import Record, fields_sent, literal_of, records, text_of
from wholesale_sandbox.contract import ACTIVATION, DEACTIVATION, RESOURCE
from wholesale_sandbox.responses import Response
from wholesale_sandbox.routes.call import Call, Handler
from wholesale_sandbox.routes.resources import (
    RESOURCE_ROUTES,
    parent_asked,
    record_asked,
    response,
)
from wholesale_sandbox.storage import Mail, MailKind

_BUYER_USERS = next(routes for routes in RESOURCE_ROUTES if routes.resource == "buyer_users")

_record = msgspec.json.Decoder(Record)


def create_buyer_user(call: Call) -> Response:
    buyer_id = parent_asked(_BUYER_USERS, call)
    sent = fields_sent(call.body, RESOURCE["buyer_users"])
    with call.storage.transaction():
        user = records.create(call.storage, "buyer_users", sent, now=call.now, parent_id=buyer_id)
        _mail(call, "invitation", user)
    return response("create_buyer_user", user)


def resend_invitation(call: Call) -> Response:
    return _mailed(call, "invitation")


def reset_password(call: Call) -> Response:
    return _mailed(call, "password_reset")


def activate(call: Call) -> Response:
    return _with_status(call, ACTIVATION.value)


def deactivate(call: Call) -> Response:
    return _with_status(call, DEACTIVATION.value)


def _mailed(call: Call, kind: MailKind) -> Response:
    _, body = record_asked(_BUYER_USERS, call)
    _mail(call, kind, _record.decode(body))
    return Response(200, body)


def _with_status(call: Call, status: str) -> Response:
    user_id, _ = record_asked(_BUYER_USERS, call)
    changes = {"status": literal_of(status)}
    user = records.set_fields(call.storage, "buyer_users", user_id, changes, now=call.now)
    return Response(200, msgspec.json.encode(user))


def _mail(call: Call, kind: MailKind, user: Record) -> None:
    call.storage.outbox.send(
        Mail(
            kind,
            to=text_of(user, "email") or "",
            buyer_id=call.ids["buyerId"],
            buyer_user_id=text_of(user, "id") or "",
            sent_at=records.timestamp(call.now),
        )
    )


HANDLERS: Mapping[str, Handler] = {
    "create_buyer_user": create_buyer_user,
    "resend_invitation": resend_invitation,
    "reset_password": reset_password,
    "activate_buyer_user": activate,
    "deactivate_buyer_user": deactivate,
}

"""Order forms (§2.4): parts of the full record of an order, with every literal as it came."""

from typing import Any, Literal

import msgspec

from wholesale_sandbox.contract import ORDER_BASIC_FIELDS, ORDER_SUMMARY_FIELDS

OrderForm = Literal["summary", "basic", "verbose"]


def _decoder(name: str, fields: tuple[str, ...]) -> msgspec.json.Decoder[Any]:
    members: list[tuple[str, Any, Any]] = [
        (field, msgspec.Raw | msgspec.UnsetType, msgspec.UNSET) for field in fields
    ]
    return msgspec.json.Decoder(msgspec.defstruct(name, members))


_DECODERS = {
    "summary": _decoder("OrderSummary", ORDER_SUMMARY_FIELDS),
    "basic": _decoder("OrderBasic", ORDER_BASIC_FIELDS),
}
_encode = msgspec.json.Encoder().encode


def order_form(record: bytes, form: OrderForm) -> bytes:
    """The fields of the form that the record has, in the order of §2.4.

    A record that is no JSON object, which only a test plants, is served as it is.
    """
    if form == "verbose":
        return record
    try:
        return _encode(_DECODERS[form].decode(record))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return record

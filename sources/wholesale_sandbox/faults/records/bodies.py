"""Faults of sent records: they come in another form, older than their list says, or not at all."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
from msgspec import Raw

from wholesale_sandbox.business import Record
from wholesale_sandbox.contract import ORDER_SUMMARY_FIELDS
from wholesale_sandbox.faults.fault import Case, Sent, SentFault
from wholesale_sandbox.responses import Refused, error, order_form

NOTE = "internal_note"
"""A field that §2 does not know; the drift `note` edits it."""

COUNT = "variants_count"
ORDER_LISTS = ("order_line_items", "order_comments")
CHILD_LISTS = (*ORDER_LISTS, "options")
EMPTY = b"[]"
NULL = b"null"
NAMES = ("id", "title", "name", "company_name", "status")
ADDRESSES = ("shipping_", "billing_")
LINE_IN_SHORT = ("item_id", "quantity")
SHOWN = 2
"""Lines of an order where a page cuts them off."""
ONE_TIME = b'"2026-01-01T00:00:00Z"'

_record = msgspec.json.Decoder(Record)
_records = msgspec.json.Decoder(list[Record])

Rewrite = Callable[[Record, Case], Record]


def rewritten(is_meant: Callable[[Sent], bool], rewrite: Rewrite) -> Callable[[Sent, Case], Sent]:
    """A fault that rewrites the fields of some records."""

    def change(sent: Sent, case: Case) -> Sent:
        if sent.fields is None or not is_meant(sent):
            return sent
        return replace(sent, fields=rewrite(sent.fields, case))

    return change


def is_any(sent: Sent) -> bool:
    return True


def is_body(sent: Sent) -> bool:
    return sent.is_body


def _is_summary(sent: Sent) -> bool:
    return sent.is_summary


def _is_on_page(sent: Sent) -> bool:
    return sent.is_listed and sent.is_body


def _is_verbose(sent: Sent) -> bool:
    return sent.form == "verbose"


def _is_body_of_order(sent: Sent) -> bool:
    return sent.is_body and sent.form is not None


def _summary(fields: Record, case: Case) -> Record:
    return {name: fields[name] for name in ORDER_SUMMARY_FIELDS if name in fields}


def _names(sent: Sent, case: Case) -> Sent:
    if sent.fields is None or not sent.is_listed:
        return sent
    return replace(sent, fields={name: it for name, it in sent.fields.items() if name in NAMES})


def _empty_lists_null(fields: Record, case: Case) -> Record:
    empty = {name for name in CHILD_LISTS if bytes(fields.get(name, b"")) == EMPTY}
    return {name: Raw(NULL) if name in empty else it for name, it in fields.items()}


def _without_empty(fields: Record, case: Case) -> Record:
    return {name: it for name, it in _empty_lists_null(fields, case).items() if bytes(it) != NULL}


def _status_in_array(fields: Record, case: Case) -> Record:
    status = fields.get("status")
    return fields if status is None else {**fields, "status": Raw(b"[%b]" % bytes(status))}


def _with(name: str, literal: bytes) -> Rewrite:
    return lambda fields, case: {**fields, name: Raw(literal)} if name in fields else fields


def _without(name: str) -> Rewrite:
    return lambda fields, case: {key: value for key, value in fields.items() if key != name}


def _without_lists(fields: Record, case: Case) -> Record:
    return {name: it for name, it in fields.items() if name not in ORDER_LISTS}


def _counter(fields: Record, case: Case) -> Record:
    return {**fields, "times_viewed": Raw(b"%d" % case.chance.getrandbits(30))}


def _shuffled_lines(fields: Record, case: Case) -> Record:
    lines = entries_in(fields.get("order_line_items"))
    if lines is None:
        return fields
    case.chance.shuffle(lines)
    return {**fields, "order_line_items": Raw(msgspec.json.encode(lines))}


def _first_lines(fields: Record, case: Case) -> Record:
    lines = entries_in(fields.get("order_line_items"))
    if lines is None:
        return fields
    return {**fields, "order_line_items": Raw(msgspec.json.encode(lines[: case.number or SHOWN]))}


def _lines_by_key(fields: Record, case: Case) -> Record:
    lines = entries_in(fields.get("order_line_items"))
    if lines is None:
        return fields
    keyed = {f"line-{number}": line for number, line in enumerate(lines, start=1)}
    return {**fields, "order_line_items": Raw(msgspec.json.encode(keyed))}


def _total_in_words(fields: Record, case: Case) -> Record:
    amount = bytes(fields.get("total", NULL)).strip(b'"')
    return fields if amount == NULL else {**fields, "total": Raw(b'"%b EUR"' % amount)}


def _lines_in_short(fields: Record, case: Case) -> Record:
    lines = entries_in(fields.get("order_line_items"))
    if lines is None:
        return fields
    short = [{name: line[name] for name in LINE_IN_SHORT if name in line} for line in lines]
    return {**fields, "order_line_items": Raw(msgspec.json.encode(short))}


def _without_addresses(fields: Record, case: Case) -> Record:
    return {name: it for name, it in fields.items() if not name.startswith(ADDRESSES)}


def entries_in(literal: Raw | None) -> list[Record] | None:
    """The objects in an array; None for other values."""
    try:
        return None if literal is None else _records.decode(literal)
    except msgspec.DecodeError:
        return None


def _older(sent: Sent, case: Case) -> Sent:
    """The record of a lagging replica, which lacks records younger than the lag."""
    if not sent.is_body:
        return sent
    before = sent.before(case.seconds)
    if before is None:
        return sent if sent.is_listed else replace(sent, fields=None)
    body = before if sent.form is None else order_form(before, sent.form)
    return replace(sent, fields=_record.decode(body))


def _count_of_then(sent: Sent, case: Case) -> Sent:
    if sent.fields is None or COUNT not in sent.fields:
        return sent
    before = sent.before(case.seconds)
    count = Raw(b"0") if before is None else _record.decode(before)[COUNT]
    return replace(sent, fields={**sent.fields, COUNT: count})


def _missing(sent: Sent, case: Case) -> Sent:
    return replace(sent, fields=None) if sent.is_listed else sent


def _failing(sent: Sent, case: Case) -> Sent:
    """As a record that the service cannot write out: whatever response it is in fails."""
    if sent.is_body:
        raise Refused(error(500))
    return sent


def _noted(sent: Sent, case: Case) -> Sent:
    if sent.fields is None or not sent.is_summary:
        return sent
    return replace(sent, fields={**sent.fields, NOTE: sent.whole.get(NOTE, Raw(b"null"))})


BODY_FAULTS: tuple[SentFault, ...] = (
    SentFault(
        "body-as-summary",
        "an order, verbose or single, with the fields of its summary only",
        rewritten(_is_body_of_order, _summary),
    ),
    SentFault(
        "lines-null",
        "`order_line_items` null",
        rewritten(is_body, _with("order_line_items", b"null")),
    ),
    SentFault(
        "lines-missing", "no `order_line_items`", rewritten(is_body, _without("order_line_items"))
    ),
    SentFault(
        "lines-in-another-order",
        "the lines of an order in another order each time",
        rewritten(is_body, _shuffled_lines),
    ),
    SentFault(
        "lines-cut-off",
        f"verbose pages show the first `number` ({SHOWN}) lines of an order, single reads all",
        rewritten(_is_on_page, _first_lines),
    ),
    SentFault(
        "lines-in-short",
        "verbose pages show the item and the quantity of a line alone, single reads all of it",
        rewritten(_is_on_page, _lines_in_short),
    ),
    SentFault(
        "addresses-hidden",
        "verbose pages lack all fields of shipping and billing, single reads have them",
        rewritten(_is_on_page, _without_addresses),
    ),
    SentFault(
        "lines-by-key",
        "an object with the lines of an order by their names in the place of their list",
        rewritten(is_body, _lines_by_key),
    ),
    SentFault(
        "total-in-words",
        'the `total` of an order with its currency: `"12.50 EUR"`',
        rewritten(is_any, _total_in_words),
    ),
    SentFault("names-alone", "lists show of a record its id, names and status alone", _names),
    SentFault(
        "empty-lists-null",
        "`null` in the place of a list of lines, comments or options that is empty",
        rewritten(is_any, _empty_lists_null),
    ),
    SentFault(
        "empty-left-out",
        "neither fields that are `null` nor lists of lines, comments or options that are empty",
        rewritten(is_any, _without_empty),
    ),
    SentFault(
        "status-in-array",
        "the `status` of an order in an array in the list, a text in the full record",
        rewritten(_is_summary, _status_in_array),
    ),
    SentFault(
        "comments-hidden",
        "verbose pages show no comments, `[]`, single reads all",
        rewritten(_is_on_page, _with("order_comments", b"[]")),
    ),
    SentFault(
        "lists-in-basic-form",
        "the verbose form of an order has neither lines nor comments, its basic form has them",
        rewritten(_is_verbose, _without_lists),
    ),
    SentFault(
        "body-lags",
        "a verbose or single record as it was `seconds` ago; 404 for a single one that is younger",
        _older,
    ),
    SentFault(
        "invoice-status-missing",
        "no `invoice_status` in a verbose order, though its summary has one",
        rewritten(is_body, _without("invoice_status")),
    ),
    SentFault(
        "body-fails",
        "500 in the place of a single record, and of a page that shows it verbose",
        _failing,
    ),
    SentFault("version-missing", "no `updated_at`", rewritten(is_any, _without("updated_at"))),
    SentFault(
        "version-of-all",
        "the same `updated_at` in all",
        rewritten(is_any, _with("updated_at", ONE_TIME)),
    ),
    SentFault(
        "summary-counter",
        "a field in summaries that §2 does not know, another number each time",
        rewritten(_is_summary, _counter),
    ),
    SentFault(
        "summary-note",
        f"summaries show `{NOTE}`, which §2 does not know and the drift `note` edits",
        _noted,
    ),
    SentFault(
        "count-lags",
        f"`{COUNT}` as it was `seconds` ago, 0 in a younger item",
        _count_of_then,
    ),
    SentFault("row-missing", "a record that lists leave out, though it is there", _missing),
)

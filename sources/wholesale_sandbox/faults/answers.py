"""Faults of whole answers: statuses, bytes that are no answer, connections that break."""

import re
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from functools import cache

from wholesale_sandbox.answers import (
    Answer,
    closed,
    cut,
    dripping,
    error,
    late,
    reset,
    reset_inside,
    silent,
)
from wholesale_sandbox.faults.fault import AnswerFault, Case

LARGE = 100 << 20
"""Bytes of a body that no client should take: more than 64 MB, the most a page may need."""

TOO_LARGE = 1 << 20
"""Bytes of a body that the service does not make, unless a rule names another number."""

NOT_FOUND = 404

DEPTH = 100_000
"""Arrays in each other: deeper than any decoder's stack."""

_HTML = b"<!doctype html><title>%b</title><h1>%b</h1><p>Please come back later.</p>"
_FIRST_ID = re.compile(rb'"id":(?=")')
_NUMBER = re.compile(rb'(?<=":)-?\d[\d.eE+-]*(?=[,}])')

Change = Callable[[Answer, Case], Answer]


def _after_seconds(case: Case) -> str:
    return str(round(case.seconds))


def _after_date(case: Case) -> str:
    # The date has no fraction of a second: rounded up, or it would ask for less.
    at = case.now.replace(microsecond=0) + timedelta(seconds=round(case.seconds) + 1)
    return format_datetime(at, usegmt=True)


def _after_past(case: Case) -> str:
    return format_datetime(case.now - timedelta(days=1), usegmt=True)


_WAITS: dict[str, tuple[str, Callable[[Case], str | None]]] = {
    "seconds": ("in seconds", _after_seconds),
    "date": ("as an HTTP date", _after_date),
    "nothing": ("missing", lambda case: None),
    "junk": ("'soon'", lambda case: "soon"),
    "past": ("a date of yesterday", _after_past),
    "negative": ("-5", lambda case: "-5"),
    "huge": ("31536000, a year", lambda case: "31536000"),
}


def _wait(status: int, after: Callable[[Case], str | None]) -> Change:
    def change(answer: Answer, case: Case) -> Answer:
        asked = after(case)
        return error(status, headers={} if asked is None else {"Retry-After": asked})

    return change


def _refuse(status: int) -> Change:
    return lambda answer, case: error(status)


def _refuse_large(status: int) -> Change:
    def change(answer: Answer, case: Case) -> Answer:
        is_large = len(answer.body) > (case.number or TOO_LARGE)
        return error(status) if is_large else answer

    return change


def _deny(status: int) -> Change:
    return lambda answer, case: error(status) if answer.status == NOT_FOUND else answer


def _nothing(answer: Answer, case: Case) -> Answer:
    return Answer(200, b"null") if answer.status == NOT_FOUND else answer


def _without_body(status: int) -> Change:
    return lambda answer, case: Answer(status)


def _empty_list(status: int) -> Change:
    return lambda answer, case: Answer(status, b"[]")


def _page(status: int) -> Change:
    title = str(status).encode()
    return lambda answer, case: Answer(status, _HTML % (title, title), "text/html")


def _send(body: bytes, content_type: str = "application/json") -> Change:
    return lambda answer, case: Answer(200, body, content_type)


def _rewrite(change: Callable[[bytes], bytes]) -> Change:
    return lambda answer, case: replace(answer, body=change(answer.body))


def _nested(answer: Answer, case: Case) -> Answer:
    return Answer(200, b'{"data":%b%b}' % (b"[" * DEPTH, b"]" * DEPTH))


def _not_utf8(body: bytes) -> bytes:
    before, quote, after = body.rpartition(b'":"')
    return before + quote + b"\xff" + after


def _last_number(literal: bytes) -> Callable[[bytes], bytes]:
    def change(body: bytes) -> bytes:
        for number in deque(_NUMBER.finditer(body), maxlen=1):
            return body[: number.start()] + literal + body[number.end() :]
        return body

    return change


def _key_twice(body: bytes) -> bytes:
    return _FIRST_ID.sub(b'"id":"00000000-0000-4000-8000-000000000000","id":', body, count=1)


def _large(answer: Answer, case: Case) -> Answer:
    return Answer(200, _blank_body(), headers={"Content-Encoding": "identity"})


def _bomb(answer: Answer, case: Case) -> Answer:
    return Answer(200, _bomb_body(), headers={"Content-Encoding": "gzip"})


@cache
def _blank_body() -> bytes:
    return b'{"data":[%b]}' % (b" " * LARGE)


@cache
def _bomb_body() -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(_blank_body()) + packer.flush()


def _no_gzip(answer: Answer, case: Case) -> Answer:
    return replace(answer, headers={**answer.headers, "Content-Encoding": "gzip"})


def _elsewhere(answer: Answer, case: Case) -> Answer:
    # Another name for this very sandbox: a client that follows, and with which key, is in the log.
    name, _, port = case.host.rpartition(":")
    other = "127.0.0.1" if name == "localhost" else "localhost"
    return Answer(302, headers={"Location": f"http://{other}:{port}/elsewhere"})


def _aged(answer: Answer, case: Case) -> Answer:
    return replace(answer, headers={**answer.headers, "Age": str(round(case.seconds))})


ANSWER_FAULTS: tuple[AnswerFault, ...] = (
    *(
        AnswerFault(f"{status}-after-{name}", f"{status}, Retry-After {form}", _wait(status, after))
        for status in (429, 503)
        for name, (form, after) in _WAITS.items()
    ),
    *(
        AnswerFault(f"{status}-html", f"{status} with an HTML page", _page(status))
        for status in (500, 502, 504, 520)
    ),
    AnswerFault("401", "401 though the key is right", _refuse(401)),
    AnswerFault("403", "403 though the key is right", _refuse(403)),
    AnswerFault("404", "404 though it is there", _refuse(404)),
    AnswerFault("410-for-404", "410 in the place of 404", _deny(410)),
    AnswerFault("null-for-404", "200 with `null` in the place of 404", _nothing),
    AnswerFault("304", "304 though nothing was said of an earlier answer", _without_body(304)),
    *(
        AnswerFault(str(status), f"{status} with an empty list", _empty_list(status))
        for status in (202, 206)
    ),
    AnswerFault("204", "204 without a body though there is one", _without_body(204)),
    *(
        AnswerFault(
            f"{status}-when-large",
            f"{status} in the place of a body of more than `number` bytes ({TOO_LARGE:,})",
            _refuse_large(status),
        )
        for status in (413, 500)
    ),
    AnswerFault(
        "reset",
        "the connection is reset before the answer",
        lambda answer, case: replace(answer, deliver=reset),
    ),
    AnswerFault(
        "reset-inside",
        "the connection is reset in the middle of the body",
        lambda answer, case: replace(answer, deliver=reset_inside),
    ),
    AnswerFault(
        "closed",
        "the connection is closed before the answer",
        lambda answer, case: replace(answer, deliver=closed),
    ),
    AnswerFault(
        "cut",
        "the body is shorter than announced, then the connection is closed",
        lambda answer, case: replace(answer, deliver=cut),
    ),
    AnswerFault(
        "no-answer",
        "nothing at all, until the client leaves",
        lambda answer, case: replace(answer, deliver=silent),
    ),
    AnswerFault(
        "late",
        "the first byte comes after `seconds`",
        lambda answer, case: replace(answer, deliver=late(case.seconds)),
    ),
    AnswerFault(
        "drip",
        "the body comes in 20 pieces, `seconds` apart",
        lambda answer, case: replace(answer, deliver=dripping(case.seconds)),
    ),
    AnswerFault("aged", "an answer that a cache says it holds for `seconds`", _aged),
    AnswerFault(
        "data-missing",
        "no `data` in a list that has no records",
        _rewrite(lambda body: body.replace(b',"data":[]', b"")),
    ),
    AnswerFault("in-array", "the answer in an array of one", _rewrite(lambda b: b"[%b]" % b)),
    AnswerFault(
        "half-json", "half the JSON, its length right", _rewrite(lambda b: b[: len(b) // 2])
    ),
    AnswerFault("html", "200 with an HTML page", _page(200)),
    AnswerFault("empty", "200 with an empty body", _send(b"")),
    AnswerFault("null", "200 with `null`", _send(b"null")),
    AnswerFault("string", '200 with `"ok"`', _send(b'"ok"')),
    AnswerFault(
        "error-object",
        "200 with an error object (§2.9)",
        lambda answer, case: replace(error(500), status=200),
    ),
    AnswerFault(
        "rubbish-after", "the JSON and more behind it", _rewrite(lambda b: b + b"<!-- ok -->")
    ),
    AnswerFault("rubbish-before", "something before the JSON", _rewrite(lambda b: b")]}',\n" + b)),
    AnswerFault("nested", f"200 with {DEPTH:,} arrays in each other", _nested),
    AnswerFault(
        "wrong-content-type",
        "the right JSON as text/html",
        lambda answer, case: replace(answer, content_type="text/html"),
    ),
    AnswerFault(
        "byte-order-mark",
        "a byte order mark before the JSON",
        _rewrite(lambda body: b"\xef\xbb\xbf" + body),
    ),
    AnswerFault("not-utf8", "a text with the byte FF in it", _rewrite(_not_utf8)),
    *(
        AnswerFault(name, f"the last number is {literal}", _rewrite(_last_number(literal.encode())))
        for name, literal in (("nan", "NaN"), ("infinity", "-Infinity"), ("overflow", "1e400"))
    ),
    AnswerFault("key-twice", "the first record names its id twice, unlike", _rewrite(_key_twice)),
    AnswerFault("not-gzip", "announced as gzip, sent as it is", _no_gzip),
    AnswerFault("gzip-bomb", "100 kB that unpack to 100 MB of valid JSON", _bomb),
    AnswerFault("huge", "100 MB of valid JSON, not compressed", _large),
    AnswerFault("redirect", "302 to another host (itself, by another name)", _elsewhere),
)

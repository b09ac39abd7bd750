"""Contents: bodies that are no response, or that decoders read differently."""

import re
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from wholesale_sandbox.faults.fault import Case, ResponseFault
from wholesale_sandbox.faults.responses.statuses import Change, html_page
from wholesale_sandbox.responses import Response, error

LARGE = 100 << 20
"""Bytes of a body that no client should take: more than 64 MB, the most a page may need."""

DEPTH = 100_000
"""Arrays in each other: deeper than any decoder's stack."""

_FIRST_ID = re.compile(rb'"id":(?=")')
_NUMBER = re.compile(rb'(?<=":)-?\d[\d.eE+-]*(?=[,}])')


def _send(body: bytes, content_type: str = "application/json") -> Change:
    return lambda response, case: Response(200, body, content_type)


def _rewrite(change: Callable[[bytes], bytes]) -> Change:
    return lambda response, case: replace(response, body=change(response.body))


def _nested(response: Response, case: Case) -> Response:
    return Response(200, b'{"data":%b%b}' % (b"[" * DEPTH, b"]" * DEPTH))


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


def _null_for_no_list(body: bytes) -> bytes:
    return b"null" if body == b"[]" else body.replace(b',"data":[]', b',"data":null')


def _large(response: Response, case: Case) -> Response:
    return Response(200, _blank_body(), headers={"Content-Encoding": "identity"})


def _bomb(response: Response, case: Case) -> Response:
    return Response(200, _bomb_body(), headers={"Content-Encoding": "gzip"})


@cache
def _blank_body() -> bytes:
    return b'{"data":[%b]}' % (b" " * LARGE)


@cache
def _bomb_body() -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(_blank_body()) + packer.flush()


def _no_gzip(response: Response, case: Case) -> Response:
    return replace(response, headers={**response.headers, "Content-Encoding": "gzip"})


_BESIDE_NO_RECORDS = {
    "fault": b'"fault":{"faultstring":"Rate limit quota violation"}',
    "detail": b'"detail":"Not authenticated"',
    "code": b'"code":"INTERNAL_ERROR"',
    "meta": b'"meta":{"error":"upstream timed out"}',
    "warnings": b'"warnings":["one shard failed"],"partial":true',
    "result": b'"result":"failure"',
}

CONTENT_FAULTS: tuple[ResponseFault, ...] = (
    ResponseFault(
        "data-missing",
        "no `data` in a list that has no records",
        _rewrite(lambda body: body.replace(b',"data":[]', b"")),
    ),
    ResponseFault(
        "data-null",
        "`null` instead of `data` that has no records, or of an array that has none",
        _rewrite(_null_for_no_list),
    ),
    ResponseFault(
        "half-json", "half the JSON, its length right", _rewrite(lambda b: b[: len(b) // 2])
    ),
    ResponseFault("html", "200 with an HTML page", html_page(200)),
    ResponseFault("empty", "200 with an empty body", _send(b"")),
    ResponseFault("null", "200 with `null`", _send(b"null")),
    ResponseFault("string", '200 with `"ok"`', _send(b'"ok"')),
    ResponseFault(
        "error-object",
        "200 with an error object (§2.9)",
        lambda response, case: replace(error(500), status=200),
    ),
    ResponseFault(
        "error-list",
        "200 with an error whose details are a list",
        _send(b'{"error":"Unprocessable Entity","details":["limit is too high"]}'),
    ),
    ResponseFault(
        "error-beside-data",
        "a list with an `error` beside its records",
        _rewrite(lambda body: body.replace(b'"data":[', b'"error":"Internal Error","data":[', 1)),
    ),
    ResponseFault("array", "200 with `[]`", _send(b"[]")),
    *(
        ResponseFault(
            f"empty-with-{name}",
            f"200 with a list of no records, and `{name}` beside it",
            _send(b'{%b,"pagination":{"total_pages":1,"total_count":0},"data":[]}' % member),
        )
        for name, member in _BESIDE_NO_RECORDS.items()
    ),
    ResponseFault(
        "rubbish-after", "the JSON and more behind it", _rewrite(lambda b: b + b"<!-- ok -->")
    ),
    ResponseFault(
        "rubbish-before", "something before the JSON", _rewrite(lambda b: b")]}',\n" + b)
    ),
    ResponseFault("nested", f"200 with {DEPTH:,} arrays in each other", _nested),
    ResponseFault(
        "wrong-content-type",
        "the right JSON as text/html",
        lambda response, case: replace(response, content_type="text/html"),
    ),
    ResponseFault(
        "byte-order-mark",
        "a byte order mark before the JSON",
        _rewrite(lambda body: b"\xef\xbb\xbf" + body),
    ),
    ResponseFault("not-utf8", "a text with the byte FF in it", _rewrite(_not_utf8)),
    *(
        ResponseFault(
            name, f"the last number is {literal}", _rewrite(_last_number(literal.encode()))
        )
        for name, literal in (("nan", "NaN"), ("infinity", "-Infinity"), ("overflow", "1e400"))
    ),
    ResponseFault("key-twice", "the first record names its id twice, unlike", _rewrite(_key_twice)),
    ResponseFault("not-gzip", "announced as gzip, sent as it is", _no_gzip),
    ResponseFault("gzip-bomb", "100 kB that unpack to 100 MB of valid JSON", _bomb),
    ResponseFault("huge", "100 MB of valid JSON, not compressed", _large),
)

"""Statuses and headers: failures, refusals and redirections, and the waits that they ask for."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

from wholesale_sandbox.faults.fault import Case, ResponseFault
from wholesale_sandbox.responses import Response, error

TOO_LARGE = 1 << 20
"""Bytes of a body that the service does not make, unless a rule names another number."""

NOT_FOUND = 404

_HTML = b"<!doctype html><title>%b</title><h1>%b</h1><p>Please come back later.</p>"

Change = Callable[[Response, Case], Response]


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
    def change(response: Response, case: Case) -> Response:
        asked = after(case)
        return error(status, headers={} if asked is None else {"Retry-After": asked})

    return change


def _refuse(status: int) -> Change:
    return lambda response, case: error(status)


def _refuse_large(status: int) -> Change:
    def change(response: Response, case: Case) -> Response:
        is_large = len(response.body) > (case.number or TOO_LARGE)
        return error(status) if is_large else response

    return change


def _deny(status: int) -> Change:
    return lambda response, case: error(status) if response.status == NOT_FOUND else response


def _nothing(response: Response, case: Case) -> Response:
    return Response(200, b"null") if response.status == NOT_FOUND else response


def _empty_list(status: int) -> Change:
    return lambda response, case: Response(status, b"[]")


def html_page(status: int) -> Change:
    title = str(status).encode()
    return lambda response, case: Response(status, _HTML % (title, title), "text/html")


def _elsewhere(response: Response, case: Case) -> Response:
    # Another name for this very sandbox: a client that follows, and with which key, is in the log.
    name, _, port = case.host.rpartition(":")
    other = "127.0.0.1" if name == "localhost" else "localhost"
    return Response(302, headers={"Location": f"http://{other}:{port}/elsewhere"})


def _aged(response: Response, case: Case) -> Response:
    return replace(response, headers={**response.headers, "Age": str(round(case.seconds))})


STATUS_FAULTS: tuple[ResponseFault, ...] = (
    *(
        ResponseFault(
            f"{status}-after-{name}", f"{status}, Retry-After {form}", _wait(status, after)
        )
        for status in (429, 503)
        for name, (form, after) in _WAITS.items()
    ),
    *(
        ResponseFault(f"{status}-html", f"{status} with an HTML page", html_page(status))
        for status in (420, 430, 499, 500, 502, 504, 509, 511, 520)
    ),
    ResponseFault("401", "401 though the key is right", _refuse(401)),
    ResponseFault("403", "403 though the key is right", _refuse(403)),
    ResponseFault("404", "404 though it is there", _refuse(404)),
    ResponseFault("410-for-404", "410 in the place of 404", _deny(410)),
    ResponseFault("null-for-404", "200 with `null` in the place of 404", _nothing),
    ResponseFault(
        "304",
        "304 though nothing was said of an earlier response",
        lambda response, case: Response(304),
    ),
    *(
        ResponseFault(str(status), f"{status} with an empty list", _empty_list(status))
        for status in (202, 203, 206, 207)
    ),
    *(
        ResponseFault(
            f"{status}-when-large",
            f"{status} in the place of a body of more than `number` bytes ({TOO_LARGE:,})",
            _refuse_large(status),
        )
        for status in (413, 500)
    ),
    ResponseFault("aged", "a response that a cache says it holds for `seconds`", _aged),
    ResponseFault("redirect", "302 to another host (itself, by another name)", _elsewhere),
)

"""Responses: the body of a response, or the failure that it tells of."""

import codecs
import contextlib
from collections.abc import Callable

import msgspec

from wholesale.errors import TooLarge, one_line, refusal
from wholesale.http import retries
from wholesale.http.compression import inflate
from wholesale.http.libraries import httpx
from wholesale.http.retries import Retry, retry_after_seconds

ERROR_BODY_BYTES = 2**14
ERROR_CHARACTERS = 80
ADDRESS_CHARACTERS = 200
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_DIGITS = 10
"""More of an age are not read: it is beyond 2**31 seconds all the same (RFC 9111 §1.2.2)."""


def stream_of(response: httpx.Response) -> httpx.SyncByteStream:
    """The body as it was sent; the iterators of httpx over it cost more than the reading."""
    assert isinstance(response.stream, httpx.SyncByteStream)
    return response.stream


def age_of(response: httpx.Response) -> int:
    """For how many seconds a cache says that it held the response (RFC 9111 §5.1); 0 where none
    does."""
    age = response.headers.get("Age", "").strip()
    return int(age[:MOST_DIGITS]) if age.isascii() and age.isdigit() else 0


def body_of(asked: str, response: httpx.Response, most: int, is_late: Callable[[], bool]) -> bytes:
    """The decoded body in UTF-8, of `most` bytes as sent. `is_late` is asked while it comes.

    Raises: Retry when it comes too late or its end is in doubt, TooLarge.
    """
    _refuse_doubtful_end(response)
    pieces: list[bytes] = []
    size = 0
    for piece in inflate(stream_of(response), response.headers.get("Content-Encoding", "")):
        if is_late():
            raise Retry("the response came too slowly to finish")
        size += len(piece)
        if size > most:
            raise TooLarge(
                f"{asked} answered with more than {most:,} bytes, the most that is accepted:"
                " ask for a smaller page size"
            )
        pieces.append(piece)
    return _as_utf8(b"".join(pieces), response)


def _as_utf8(body: bytes, response: httpx.Response) -> bytes:
    """The body in UTF-8, if its Content-Type says that it is in something else.

    Raises: Retry where it is not in that.
    """
    charset = response.charset_encoding
    try:
        if charset is None or codecs.lookup(charset).name in ("utf-8", "ascii"):
            return body
        return body.decode(charset).encode()
    except LookupError:  # Python knows no such charset
        return body
    except ValueError:
        raise Retry(f"its body is not in {charset}, as it says") from None


def failure_of(
    asked: str,
    response: httpx.Response,
    is_late: Callable[[], bool],
    *,
    was_throttled: bool,
    mask: Callable[[str], str],
) -> Exception:
    """What a response without success means: another attempt, or a refusal in the words of the
    error object (§2.9), which `mask` goes over. `was_throttled`: a rate was refused lately."""
    status = response.status_code
    wait = _wait_asked_for(response)
    kind = retries.NOT_NOW.get(status)
    if wait is not None and kind != "outage" and (kind or status == retries.FORBIDDEN):
        kind = "refusal"
    if kind:
        asks = "" if wait is None else f" and asks to wait {wait:.0f} s"
        return Retry(f"it answered {status}{asks}", kind, wait_seconds=wait)
    if status == retries.FORBIDDEN and was_throttled:
        reason = "it answered 403 after 429, as to one who is shut out for a time"
        return Retry(reason, "ban", wait_seconds=retries.BAN_SECONDS)
    if 300 <= status < 400:
        target = address_in(response) if status in REDIRECTS else None
        place = target.copy_with(query=None, fragment=None, userinfo=b"") if target else ""
        return refusal(asked, status, mask(one_line(place))[:ADDRESS_CHARACTERS])
    text = mask(one_line(_error_text(asked, response, is_late), None))
    return refusal(asked, status, text[:ERROR_CHARACTERS])


def address_in(response: httpx.Response) -> httpx.URL | None:
    """Where a redirect leads, as far as it says so."""
    try:
        return httpx.URL(response.headers["Location"])
    except (KeyError, httpx.InvalidURL):
        return None


def _wait_asked_for(response: httpx.Response) -> float | None:
    return retry_after_seconds(
        response.headers.get("Retry-After", ""), response.headers.get("Date", "")
    )


def _error_text(asked: str, response: httpx.Response, is_late: Callable[[], bool]) -> str:
    """The `error` of the error object; the phrase of the status otherwise."""
    with contextlib.suppress(httpx.HTTPError, Retry, TooLarge, ValueError, RecursionError):
        found = msgspec.json.decode(body_of(asked, response, ERROR_BODY_BYTES, is_late))
        if isinstance(found, dict) and isinstance(found.get("error"), str):
            return str(found["error"])
    return response.reason_phrase


def _refuse_doubtful_end(response: httpx.Response) -> None:
    """Refuse a response that may be split (RFC 9112 §6.3): a length beside chunks, or other
    codings.

    Raises: Retry.
    """
    coding = response.headers.get("Transfer-Encoding")
    if coding is None:
        return
    if coding.lower() != "chunked" or "Content-Length" in response.headers:
        raise Retry("it leaves in doubt where its response ends")

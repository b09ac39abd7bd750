"""The one place that talks HTTP: GET a path, patiently and within bounds."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Self, TypeVar
from urllib.parse import urlencode

import httpx
import msgspec

from wholesale.errors import ContentError, ServiceError, Unavailable, cause_of, refusal
from wholesale.http import retries
from wholesale.http.compression import inflate
from wholesale.http.concurrency import Concurrency
from wholesale.http.proxies import connect
from wholesale.http.rate_limit import Pace
from wholesale.http.retries import Budget, Retry, backoff_seconds, retry_after_seconds
from wholesale.http.traffic import Traffic
from wholesale.http.transport import Answer, Connect, Transport
from wholesale.settings import ApiSettings

log = logging.getLogger("wholesale.client")

T = TypeVar("T")
Query = Mapping[str, str | int]

HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "User-Agent": "wholesale-elt",
}
"""Sent with every request, besides the key (§5)."""
SUCCESS = range(200, 300)
ERROR_BODY_BYTES = 2**14
CHATTY = ("httpcore.connection", "httpcore.http11", "httpcore.proxy")
"""Loggers below us that may repeat what the service sent, and it may repeat the key."""


class Client:
    """A reader of the service: safe to share between threads, open while it is in use.

    `connect`, `sleep` and `clock` are seams for tests; seconds, and a monotonic count of seconds.
    """

    def __init__(
        self,
        settings: ApiSettings,
        *,
        connect: Connect = connect,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self._connect = connect
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._slot = threading.Condition(self._lock)
        self._concurrency = Concurrency(settings.concurrency)
        self._pace = Pace()
        self._budget = Budget(settings.deadline_seconds)
        self._under_way = 0
        self._users = 0
        self._http: Transport | None = None

    def __enter__(self) -> Self:
        with self._lock:
            self._users += 1
            if self._http is None:
                key = self.settings.api_key.get_secret_value()
                self._http = self._connect(
                    self.settings.base_url,
                    {"X-API-Key": key, **HEADERS},
                    connections=self.settings.concurrency,
                )
                for name in CHATTY:
                    logging.getLogger(name).addFilter(self._mask)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._http is not None:
                self._http.close()
                self._http = None
                for name in CHATTY:
                    logging.getLogger(name).removeFilter(self._mask)

    @property
    def limit(self) -> int:
        """How many requests may be under way at once for now."""
        return self._concurrency.limit

    def hurry(self) -> None:
        """Tell that somebody waits for an answer: more requests at once would be of use."""
        self._concurrency.is_awaited = True

    def get(
        self,
        path: str,
        params: Query,
        *,
        read: Callable[[bytes], T],
        traffic: Traffic,
        attempts: int | None = None,
    ) -> T:
        """What `read` makes of the body that `path` answers; `traffic` counts what it took.

        A body that `read` refuses with ContentError is asked for again, as a broken answer is;
        `attempts` is how often at most, where it is not left to the settings.

        Raises: Unauthorized, NotFound, Unprocessable at once; Unavailable or the last
        ContentError when attempts or the deadline are used up; ServiceError for other answers.
        """
        with self._slot:
            self._slot.wait_for(lambda: self._under_way < self._concurrency.limit)
            self._under_way += 1
        try:
            return self._get(path, params, read, traffic, attempts or self.settings.attempts)
        finally:
            with self._slot:
                self._under_way -= 1
                self._slot.notify(max(1, self._concurrency.limit - self._under_way))

    def _get(
        self, path: str, params: Query, read: Callable[[bytes], T], traffic: Traffic, attempts: int
    ) -> T:
        asked = _asked(path, params)
        start = self._clock()
        for attempt in range(1, attempts + 1):
            end = self._wait_for_turn(asked, start)
            sent_at = self._clock()
            try:
                found = read(self._attempt(asked, path, params, traffic, end))
            except (Retry, ContentError) as failure:
                wait = self._wait_after(failure, attempt, sent_at)
                now = self._clock()
                reason = self._without_key(str(failure))
                if attempt == attempts or now + wait > end or self._budget.is_spent(now):
                    if isinstance(failure, ContentError):
                        raise ContentError(f"{asked}: {reason}; see what answers there") from None
                    raise Unavailable(
                        f"{asked} got no usable answer in {attempt} attempts, {now - start:.0f} s:"
                        f" {reason}; check that the service is up, then run again"
                    ) from None
                log.info("%s failed (%s), attempt %d follows", asked, reason, attempt + 1)
                traffic.add(retries=1)
                self._sleep(wait)
            except ServiceError:
                with self._lock:
                    self._budget.earn()  # a clear refusal comes from a service that is alive
                raise
            else:
                with self._lock:
                    self._budget.earn()
                    self._pace.answered()
                    self._concurrency.answered(self._clock() - sent_at)
                return found
        raise AssertionError("the last attempt returns or raises")

    def _attempt(self, asked: str, path: str, params: Query, traffic: Traffic, end: float) -> bytes:
        if self._http is None:
            raise RuntimeError("the client is used outside of its with block")
        traffic.add(requests=1)
        timeout = max(0.001, min(self.settings.timeout_seconds, end - self._clock()))
        target = f"{path}?{urlencode(params)}" if params else path
        try:
            with contextlib.closing(self._http.get(target, timeout)) as answer:
                if answer.status in SUCCESS:
                    body = self._body(asked, answer, end)
                    traffic.add(bytes=len(body))
                    return body
                raise self._failure(asked, answer, end)
        except httpx.HTTPError as error:
            is_stall = isinstance(error, httpx.TimeoutException)
            raise Retry(cause_of(error), is_stall=is_stall) from error

    def _body(self, asked: str, answer: Answer, end: float) -> bytes:
        limit = self.settings.max_body_bytes
        chunks: list[bytes] = []
        size = 0
        for chunk in self._chunks(answer, end):
            size += len(chunk)
            if size > limit:
                raise ServiceError(
                    f"{asked} answered with more than {limit:,} bytes, the most that is accepted:"
                    " ask for a smaller page size"
                )
            chunks.append(chunk)
        return b"".join(chunks)

    def _chunks(self, answer: Answer, end: float) -> Iterator[bytes]:
        """The decoded body as it comes in, for as long as the deadline allows."""
        for chunk in inflate(answer.pieces, answer.headers.get("Content-Encoding", "")):
            if self._clock() > end:
                raise Retry("the answer came too slowly to finish")
            yield chunk

    def _failure(self, asked: str, answer: Answer, end: float) -> Exception:
        status = answer.status
        if status in retries.STATUSES:
            wait = retry_after_seconds(answer.headers.get("Retry-After", ""))
            asks = "" if wait is None else f" and asks to wait {wait:.0f} s"
            is_refusal = status == retries.THROTTLED or wait is not None
            return Retry(f"it answered {status}{asks}", wait, is_refusal=is_refusal)
        return refusal(asked, status, self._error_text(answer, end))

    def _error_text(self, answer: Answer, end: float) -> str:
        """The `error` of the error object (§2.9), shortened; the phrase of the status otherwise."""
        text = answer.reason
        with contextlib.suppress(httpx.HTTPError, Retry, ValueError, RecursionError):
            body = b""
            for chunk in self._chunks(answer, end):
                body += chunk
                if len(body) > ERROR_BODY_BYTES:
                    break
            found = msgspec.json.decode(body)
            if isinstance(found, dict) and isinstance(found.get("error"), str):
                text = found["error"]
        return self._without_key(" ".join(text.split()))[:80]

    def _without_key(self, text: str) -> str:
        """What the service sent may hold what we sent."""
        return text.replace(self.settings.api_key.get_secret_value(), "***")

    def _mask(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._without_key(record.getMessage()), None
        return True

    def _wait_after(self, failure: Exception, attempt: int, sent_at: float) -> float:
        """Seconds to the next attempt: what Retry-After asks for, full jitter otherwise.

        All requests keep the silence that the service asks for, by Retry-After or by 429.
        """
        retry = failure if isinstance(failure, Retry) else Retry("")
        wait = backoff_seconds(attempt) if retry.wait_seconds is None else retry.wait_seconds
        with self._lock:
            now = self._clock()
            self._budget.spend(sent_at, now)
            if retry.is_refusal:
                self._pace.refused(sent_at, now)
            if retry.is_stall:
                self._concurrency.stalled(sent_at, now)
            if retry.is_refusal or retry.wait_seconds is not None:
                self._pace.keep_silent(now + wait)
        return wait

    def _wait_for_turn(self, asked: str, start: float) -> float:
        """Wait until a request may be sent; when it has to be done."""
        while True:
            with self._lock:
                now = self._clock()
                end = self._budget.end(start)
                if self._budget.is_spent(now):
                    raise Unavailable(
                        f"{asked} was not sent: the service gave no usable answer for too long;"
                        " check that it is up, then run again"
                    )
                wait = self._pace.wait(now)
            if now + wait > end:
                raise Unavailable(
                    f"{asked} was not sent: the service asks to wait another {wait:.0f} s,"
                    " longer than one request may take; run again after that"
                )
            if wait:
                self._sleep(wait)
            if self._pace.silent_until <= now + wait:
                return end


def _asked(path: str, params: Query) -> str:
    query = "&".join(f"{name}={value}" for name, value in params.items())
    return f"GET {path}?{query}" if query else f"GET {path}"

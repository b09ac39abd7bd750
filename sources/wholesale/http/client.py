"""Client: GET requests with retries, a rate limit and a deadline; the body of each response."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from traceback import clear_frames
from typing import Self, TypeVar
from urllib.parse import urlencode

from wholesale.errors import (
    ConfigurationError,
    ContentError,
    Failing,
    Forbidden,
    NoBody,
    NoContent,
    ServiceError,
    Unauthorized,
    Unavailable,
    cause_of,
    counted,
)
from wholesale.http import retries
from wholesale.http.libraries import httpcore, httpx
from wholesale.http.limiter import Limiter
from wholesale.http.responses import REDIRECTS, address_in, age_of, body_of, failure_of, stream_of
from wholesale.http.retries import Attempts, Retry
from wholesale.http.secrecy import KeyMask
from wholesale.http.traffic import Traffic
from wholesale.http.transport import Transport, timeouts
from wholesale.http.way import PROXY_AUTHENTICATION_REQUIRED, Way
from wholesale.settings import ApiSettings

log = logging.getLogger("wholesale.client")

T = TypeVar("T")
Params = Mapping[str, str | int]

HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "Cache-Control": "no-cache",
    "User-Agent": "wholesale-elt",
}
"""Sent with every request, besides the key (§5). Caches may answer only what they have compared
with the service (RFC 9111 §5.2.1.4)."""
OK, NO_CONTENT = 200, 204
SHORTEST_TIMEOUT = 0.001
CAUSE_CHARACTERS = 160
HTTPCORE_LOGGERS = [f"{httpcore.__name__}.{name}" for name in ("connection", "http11", "proxy")]
"""They may repeat what the service sent, and it may repeat the key."""


class Client:
    """The HTTP client of the service; threads may share it. It is open within its `with` blocks.

    All its requests share its `limiter`.

    `transport` replaces the client's own connections, and is not closed by it; like the transports
    of httpx it must follow no redirect. `identify` is called with the `Server` field (RFC 9110,
    §10.2.4) of each successful response; an exception from it ends the request. `sleep` (seconds)
    and `clock` (monotonic seconds) are seams for tests.
    """

    def __init__(
        self,
        settings: ApiSettings,
        *,
        transport: httpx.BaseTransport | None = None,
        identify: Callable[[str], None] = lambda server: None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self._given = transport
        self._identify = identify
        self._way = Way(httpx.URL(settings.base_url)) if transport else Way.to(settings.base_url)
        self._transport: httpx.BaseTransport | None = None
        self._sleep = sleep
        self._clock = clock
        self.limiter = Limiter(
            settings.concurrency, settings.deadline_seconds, sleep=sleep, clock=clock
        )
        self._lock = threading.Lock()
        self._has_answered = self._was_let_in = False
        self._users = 0
        key = settings.api_key.get_secret_value()
        self._fields = {"X-API-Key": key, **HEADERS}
        self._without_key = KeyMask(key)  # the service may send it back, and it is told nowhere

    def __enter__(self) -> Self:
        with self._lock:
            self._users += 1
            if self._transport is None:
                self._transport = self._given or Transport(self._way)
                for name in HTTPCORE_LOGGERS:
                    logging.getLogger(name).addFilter(self._mask)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._transport is not None:
                if self._transport is not self._given:
                    self._transport.close()
                self._transport = None
                for name in HTTPCORE_LOGGERS:
                    logging.getLogger(name).removeFilter(self._mask)

    def get(
        self,
        path: str,
        params: Params,
        *,
        read: Callable[[bytes], T],
        traffic: Traffic,
        attempts: int | None = None,
    ) -> T:
        """GET `path`, and return what `read` makes of the body; `traffic` counts the cost.

        A body that `read` refuses with ContentError is asked for again, as a broken response is.
        `attempts` overrides the number of attempts in the settings.

        Raises: NotFound, Unprocessable at once, and Unauthorized and Forbidden too, but at the
        second attempt if the key was good before; NoBody for 204; NoContent at the third response
        that is empty; Unavailable or the last ContentError when attempts or the deadline are used
        up; ServiceError otherwise. Who keeps an error keeps no body with it.
        """
        with self.limiter:
            return self._get(
                _target(path, params), read, traffic, attempts or self.settings.attempts
            )

    def is_answering(self, path: str, params: Params, traffic: Traffic) -> bool:
        """Whether the service answers this request at all, be it with an error.

        It is asked once, even if it was given up before; if it answers, it is no longer given up. A
        service that has never answered anything, and does not now, is sent one more request.
        """
        target = _target(path, params)
        with self.limiter:
            try:
                sent_at = self._clock()
                end = self.limiter.wait_for_turn(f"GET {target}", sent_at, is_probe=True)
                end = min(end, self._clock() + self.settings.timeout_seconds)
                self._attempt(f"GET {target}", target, len, traffic, end)
            except (Retry, Unavailable):
                if not self._has_answered:
                    self.limiter.expect_nothing()
                return False
            except ServiceError:
                pass
            self.limiter.revive()
            return True

    def _get(self, target: str, read: Callable[[bytes], T], traffic: Traffic, most: int) -> T:
        attempts = Attempts(f"GET {target}", most, self._clock())
        while True:
            attempts.number += 1
            attempts.deadline = self.limiter.wait_for_turn(attempts.asked, attempts.began_at)
            attempts.sent_at = self._clock()
            try:
                found = self._attempt(attempts.asked, target, read, traffic, attempts.deadline)
            except NoBody:  # another attempt would bring the same
                self.limiter.answered(attempts.sent_at)
                raise
            except (Retry, ContentError) as failure:
                wait = self._wait_after_failure(attempts, failure)
            except ServiceError as refusal:
                wait = self._wait_after_refusal(attempts, refusal)
            else:
                self._was_let_in = True
                self.limiter.answered(attempts.sent_at)
                return found
            traffic.add(retries=1)
            self._sleep(wait)

    def _wait_after_failure(self, attempts: Attempts, failure: Retry | ContentError) -> float:
        """How many seconds to wait before the next attempt.

        Raises: Unavailable or the ContentError, if there is to be none.
        """
        reason = self._without_key(str(failure))
        if isinstance(failure, Retry):
            retry = failure
        else:
            retry = Retry(reason, "nothing" if isinstance(failure, NoContent) else "broken")
        asked, number = attempts.asked, attempts.number
        wait = self.limiter.failed(retry, reason, number, attempts.sent_at, attempts.deadline)
        is_last = number >= retry.most_attempts(attempts.most)
        if not is_last and self.limiter.allows_retry(wait, attempts.deadline):
            log.info("%s failed (%s), attempt %d follows", asked, reason, number + 1)
            return wait
        if isinstance(failure, ContentError):
            raise type(failure)(f"{asked}: {reason}; see what answers there") from None
        kind = Failing if retry.kind == "error" else Unavailable
        seconds = self._clock() - attempts.began_at
        raise kind(
            f"{asked} got no usable response in {counted(number, 'attempt')}, {seconds:.0f} s:"
            f" {reason}; check that the service at {self._way} is up, then run again"
        ) from None

    def _wait_after_refusal(self, attempts: Attempts, refusal: ServiceError) -> float:
        """How many seconds to wait before the second attempt at what refused a key that was good
        before. Raises: `refusal`, if it is another one."""
        self.limiter.refused()
        is_of_key = isinstance(refusal, Unauthorized | Forbidden) and self._was_let_in
        if not (is_of_key and attempts.number == 1 < attempts.most):
            raise refusal
        log.info("%s was refused with a key that was good before", attempts.asked)
        return retries.BASE_SECONDS

    def _attempt(
        self, asked: str, target: str, read: Callable[[bytes], T], traffic: Traffic, end: float
    ) -> T:
        """Raises: Retry, ServiceError, without a trace of the body."""
        try:
            return read(self._body(asked, target, traffic, end))
        except (Retry, ServiceError) as failure:
            _forget_frames(failure)
            raise

    def _body(self, asked: str, target: str, traffic: Traffic, end: float) -> bytes:
        """Raises: ConfigurationError where no request can come through, and none ever did."""
        address = self.settings.base_url + target

        def is_late() -> bool:
            return self._clock() > end

        try:
            with self._sent(address, traffic, end) as response:
                slashed = _slashed(address, response)
                if not slashed:
                    return self._body_in(asked, response, traffic, is_late)
            with self._sent(slashed, traffic, end) as response:
                return self._body_in(asked, response, traffic, is_late)
        except httpx.HTTPError as error:
            if not self._has_answered and (obstacle := self._way.obstacle(error)):
                raise ConfigurationError(f"{asked} was not sent: {obstacle}") from None
            # Masked before it is shortened: a key that is cut off would not be recognised.
            reason = self._without_key(cause_of(error))[:CAUSE_CHARACTERS]
            is_stall = isinstance(error, httpx.TimeoutException)
            raise Retry(reason, "stall" if is_stall else "broken") from error

    @contextlib.contextmanager
    def _sent(self, address: str, traffic: Traffic, end: float) -> Iterator[httpx.Response]:
        """The response to one request, until the block is left."""
        if self._transport is None:
            raise RuntimeError("the client is used outside of its with block")
        traffic.add(requests=1)
        silence, left = self.settings.timeout_seconds, end - self._clock()
        response = self._transport.handle_request(_request(address, self._fields, silence, left))
        self._has_answered = True
        with contextlib.closing(stream_of(response)):
            yield response

    def _body_in(
        self, asked: str, response: httpx.Response, traffic: Traffic, is_late: Callable[[], bool]
    ) -> bytes:
        """Raises: Retry, ServiceError, as the response says."""
        status = response.status_code
        if self._way.proxy and str(status) == PROXY_AUTHENTICATION_REQUIRED:
            refusal = self._way.refusal_of_proxy(PROXY_AUTHENTICATION_REQUIRED)
            raise ConfigurationError(f"{asked} was not sent: {refusal}")
        if status not in (OK, NO_CONTENT):
            if retries.NOT_NOW.get(status) == "refusal":
                traffic.add(throttled=1)
            was_throttled, mask = self.limiter.was_throttled, self._without_key
            raise failure_of(asked, response, is_late, was_throttled=was_throttled, mask=mask)
        self._identify(response.headers.get("Server", ""))
        traffic.see_age(age_of(response))
        if status == NO_CONTENT:
            raise NoBody(f"{asked} answered 204, which has no body")
        body = body_of(asked, response, self.settings.max_body_bytes, is_late)
        traffic.add(bytes=len(body))
        return body

    def _mask(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._without_key(record.getMessage()), None
        return True


def _request(address: str, fields: Mapping[str, str], silence: float, left: float) -> httpx.Request:
    """A request that has so many seconds `left`, and may be met by so many of `silence`."""
    left = max(SHORTEST_TIMEOUT, left)
    # No httpx.Client, whose redirects would carry the key to another host.
    extensions = {"timeout": timeouts(min(silence, left), left)}
    return httpx.Request("GET", address, headers=fields, extensions=extensions)


def _forget_frames(failure: Exception) -> None:
    """Let go of the frames that an error passed, and of the errors behind it.

    Their names hold bodies: for as long as somebody keeps the error, and where such a name is the
    error's own, until Python looks for cycles, which it does not for the sake of a few large
    objects.
    """
    left: list[BaseException] = [failure]
    while left:
        error = left.pop()
        left += [behind for behind in (error.__cause__, error.__context__) if behind]
        clear_frames(error.__traceback__)
        error.__traceback__ = error.__cause__ = error.__context__ = None


def _slashed(address: str, response: httpx.Response) -> str | None:
    """The same address with a slash at the end of its path or without it, if a redirect leads
    there, and to no other scheme, host or port."""
    target = address_in(response) if response.status_code in REDIRECTS else None
    if target is None:
        return None
    asked = httpx.URL(address)
    path, mark, query = asked.raw_path.partition(b"?")
    path = path.removesuffix(b"/") if path.endswith(b"/") else path + b"/"
    slashed = asked.copy_with(raw_path=path + mark + query)
    found = asked.join(target)
    is_same = found in (slashed, slashed.copy_with(query=None))
    return str(slashed) if is_same else None


def _target(path: str, params: Params) -> str:
    return f"{path}?{_query_of(*params.items())}" if params else path


@lru_cache(2**10)
def _query_of(*params: tuple[str, str | int]) -> str:
    """The encoded query; cached, as the lists of all parents are asked for with the same ones."""
    return urlencode(params)

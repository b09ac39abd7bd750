"""What HTTP promises is kept over real connections."""

import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
import trustme

from support.services.wire import PATH, Answer, Wire, dripping, pausing, resetting, silent
from wholesale.http.transport import Transport, timeouts
from wholesale.http.way import Way

OK = b"HTTP/1.1 200 OK\r\n"
ONE = OK + b"Content-Length: 3\r\n\r\n[1]"
TWO = b"HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[2\r\n1\r\n]\r\n0\r\n\r\n"
LAST = b"HTTP/1.0 200 OK\r\n\r\n[3]"


@contextmanager
def connected(base_url: str) -> Iterator[httpx.BaseTransport]:
    with closing(Transport(Way.to(base_url))) as transport:
        yield transport


def request(url: str, silence: float = 120.0, total: float = 120.0) -> httpx.Request:
    return httpx.Request("GET", url, extensions={"timeout": timeouts(silence, total)})


def body_of(response: httpx.Response) -> bytes:
    with closing(response):
        return b"".join(response.iter_raw())


def test_a_connection_is_kept_for_the_next_request() -> None:
    with Wire([[ONE, TWO, ONE]]) as wire, connected(wire.url()) as transport:
        found = [
            body_of(transport.handle_request(request(f"{wire.url()}/{n}?a=b%20c+d")))
            for n in range(3)
        ]

    assert found == [b"[1]", b"[2]", b"[1]"]
    assert [number for number, _ in wire.asked] == [0, 0, 0]
    assert [head[0] for head in wire.heads] == [
        f"GET {PATH}/{n}?a=b%20c+d HTTP/1.1" for n in range(3)
    ]


def test_a_request_is_sent_with_its_header_fields_and_no_others() -> None:
    sent = request("http://service.test/")
    sent.headers = httpx.Headers({"Host": "service.test", "X-API-Key": "a-key", "Accept": "a/b"})
    with Wire([[ONE]]) as wire, connected(wire.url()) as transport:
        sent.url = httpx.URL(f"{wire.url()}/orders")
        assert body_of(transport.handle_request(sent)) == b"[1]"

    fields = dict(line.split(": ") for line in wire.heads[0][1:])
    assert {name.lower(): value for name, value in fields.items()} == {
        "host": "service.test",
        "x-api-key": "a-key",
        "accept": "a/b",
    }


def test_a_connection_that_the_service_has_closed_is_not_used_again() -> None:
    with Wire([[ONE], [LAST], [ONE]]) as wire, connected(wire.url()) as transport:
        for body in (b"[1]", b"[3]", b"[1]"):
            assert body_of(transport.handle_request(request(wire.url()))) == body
            assert wire.closed.acquire(timeout=120)

    assert [number for number, _ in wire.asked] == [0, 1, 2]


def test_a_connection_is_not_kept_when_its_answer_was_not_read_to_the_end() -> None:
    length = 2**24
    long = OK + b"Content-Length: %d\r\n\r\n" % length + b" " * length
    with Wire([[long], [ONE]]) as wire, connected(wire.url()) as transport:
        transport.handle_request(request(wire.url())).close()
        assert body_of(transport.handle_request(request(wire.url()))) == b"[1]"

    assert [number for number, _ in wire.asked] == [0, 1]


@pytest.mark.parametrize("answer", [ONE, TWO], ids=["length", "chunks"])
def test_what_comes_unasked_behind_an_answer_is_not_taken_for_the_next(answer: bytes) -> None:
    """RFC 9112 §9.2: nothing but the connection says to which request an answer belongs."""
    surplus = OK + b"Content-Length: 3\r\n\r\n[9]"
    with Wire([[answer + surplus, ONE], [ONE]]) as wire, connected(wire.url()) as transport:
        first = body_of(transport.handle_request(request(wire.url())))
        try:
            second = body_of(transport.handle_request(request(wire.url())))
        except httpx.RemoteProtocolError:
            second = body_of(transport.handle_request(request(wire.url())))

    assert first in (b"[1]", b"[2]")
    assert second == b"[1]"


@pytest.mark.parametrize(
    "answer",
    [
        b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n[1]",
        b"Content-Length: three\r\n\r\n[1]",
        b"Content-Length: -3\r\n\r\n[1]",
        b"Content-Length 3\r\n\r\n[1]",
        b"Content-Length: 4\r\n\r\n[1]",
        b"Content-Length: 4\r\nConnection: close\r\n\r\n[1]",
        b"Content-Length: 3",
        b"Transfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n",
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\n[1]\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n[1]",
        b"Transfer-Encoding: chunked\r\n\r\n3\r\n[1]and more\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n[1]\r\n0\r\n\r\n",
        b"X: " + b"x" * 2**20,
    ],
    ids=lambda answer: repr(answer[:60]),
)
def test_an_answer_whose_end_cannot_be_known_is_an_error(answer: bytes) -> None:
    with (
        Wire([[OK + answer]]) as wire,
        connected(wire.url()) as transport,
        pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)),
    ):
        body_of(transport.handle_request(request(wire.url())))


@pytest.mark.parametrize(
    "answer",
    [b"", b"SSH-2.0-OpenSSH\r\n\r\n", b"[1]", resetting(b""), resetting(OK)],
    ids=["nothing", "no HTTP", "no head", "reset", "reset in the head"],
)
def test_an_exchange_that_breaks_is_an_error_of_httpx(answer: Answer) -> None:
    with (
        Wire([[answer]]) as wire,
        connected(wire.url()) as transport,
        pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)),
    ):
        transport.handle_request(request(wire.url()))


def test_what_comes_before_the_answer_itself_is_passed_over() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nX-Hint: early\r\n\r\n"
    go_on = b"HTTP/1.1 100 Continue\r\n\r\n"

    with Wire([[early + ONE, go_on + early + TWO]]) as wire, connected(wire.url()) as transport:
        for body in (b"[1]", b"[2]"):
            response = transport.handle_request(request(wire.url()))
            assert (response.status_code, body_of(response)) == (200, body)
            assert "X-Hint" not in response.headers


def test_the_offer_of_another_protocol_is_passed_over_and_a_change_of_it_refused() -> None:
    """Apache offers HTTP/2 with every answer."""
    offer = b"Upgrade: h2,h2c\r\nConnection: Upgrade, Keep-Alive\r\n"
    offered = ONE.replace(b"Content-Length", offer + b"Content-Length")
    changed = b"HTTP/1.1 101 Switching Protocols\r\n" + offer + b"\r\n"

    with Wire([[offered, ONE, changed]]) as wire, connected(wire.url()) as transport:
        for _ in range(2):
            assert body_of(transport.handle_request(request(wire.url()))) == b"[1]"
        with pytest.raises(httpx.RemoteProtocolError):
            transport.handle_request(request(wire.url()))


def test_an_answer_that_comes_byte_by_byte_is_the_same() -> None:
    for said, body in ((ONE, b"[1]"), (TWO, b"[2]"), (LAST, b"[3]")):
        drip = dripping(b"", said, pause=0.0005)
        with Wire([[drip]]) as wire, connected(wire.url()) as transport:
            assert body_of(transport.handle_request(request(wire.url()))) == body


def test_the_status_and_the_head_are_handed_on() -> None:
    """A field that is not ASCII (RFC 9110 §5.5: opaque) keeps no other from being read."""
    said = (
        b"HTTP/1.1 429 Zu fr\xfch\r\nRetry-After: 7\r\nX-Odd: \xff\r\n"
        b"X-Two: a\r\nX-Two: b\r\nContent-Length: 0\r\n\r\n"
    )
    with Wire([[said]]) as wire, connected(wire.url()) as transport:
        response = transport.handle_request(request(wire.url()))
        assert body_of(response) == b""

    assert response.status_code == 429
    assert [response.headers.get(name) for name in ("Retry-After", "x-two", "X-Three")] == [
        "7",
        "a, b",
        None,
    ]


def test_a_body_is_handed_on_as_it_was_sent() -> None:
    for encoding in (b"gzip", b"deflate", b"br", b"zstd"):
        said = ONE.replace(b"Content-Length", b"Content-Encoding: %s\r\nContent-Length" % encoding)
        with Wire([[said]]) as wire, connected(wire.url()) as transport:
            response = transport.handle_request(request(wire.url()))
            assert body_of(response) == b"[1]"
            assert response.headers["Content-Encoding"] == encoding.decode()


@pytest.mark.parametrize("begun", [b"", OK, ONE[:-1]], ids=["nothing", "a head", "a body"])
def test_silence_is_a_timeout_before_the_answer_and_within_it(begun: bytes) -> None:
    with (
        Wire([[silent(begun)]]) as wire,
        connected(wire.url()) as transport,
        pytest.raises(httpx.TimeoutException),
    ):
        body_of(transport.handle_request(request(wire.url(), silence=0.1)))


def test_a_silence_is_no_longer_than_what_is_left_for_the_whole_answer() -> None:
    with (
        Wire([[pausing(ONE[:-1], ONE[-1:], seconds=3)]]) as wire,
        connected(wire.url()) as transport,
        pytest.raises(httpx.TimeoutException),
    ):
        body_of(transport.handle_request(request(wire.url(), silence=120, total=0.5)))


def test_a_certificate_is_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(served)

    with Wire([[ONE], [ONE], [ONE, TWO]], tls=served) as wire:
        with connected(wire.url("localhost")) as transport, pytest.raises(httpx.ConnectError):
            transport.handle_request(request(wire.url("localhost")))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        with connected(wire.url()) as transport, pytest.raises(httpx.ConnectError):
            transport.handle_request(request(wire.url()))
        with connected(wire.url("localhost")) as transport:
            for body in (b"[1]", b"[2]"):
                response = transport.handle_request(request(wire.url("localhost")))
                assert body_of(response) == body

    assert len(wire.asked) == 2


def test_nobody_there_is_an_error_of_the_connection() -> None:
    with Wire([]) as wire:
        url = wire.url()

    with connected(url) as transport, pytest.raises(httpx.ConnectError, match="refused"):
        transport.handle_request(request(url))


def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with Wire([[ONE, TWO]]) as proxy:
        monkeypatch.setenv("http_proxy", f"127.0.0.1:{proxy.port}")
        monkeypatch.setenv("no_proxy", "near.test")
        url = f"http://far.test{PATH}"
        with connected(url) as transport:
            found = [body_of(transport.handle_request(request(url))) for _ in range(2)]

    assert found == [b"[1]", b"[2]"]
    assert [head[0] for head in proxy.heads] == [f"GET {url} HTTP/1.1"] * 2


def test_a_service_on_this_machine_is_asked_without_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with Wire([[ONE]]) as wire, Wire([]) as proxy:
        for name in ("http_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        with connected(wire.url()) as transport:
            assert body_of(transport.handle_request(request(wire.url()))) == b"[1]"

    assert wire.heads[0][0] == f"GET {PATH} HTTP/1.1"


def test_a_proxy_is_asked_for_a_tunnel_to_a_service_with_a_certificate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Wire([[b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"]]) as proxy:
        monkeypatch.setenv("https_proxy", f"http://a-user:a-word@127.0.0.1:{proxy.port}")
        url = f"https://far.test{PATH}"
        with connected(url) as transport, pytest.raises(httpx.TransportError):
            transport.handle_request(request(url))

    assert proxy.heads[0][0] == "CONNECT far.test:443 HTTP/1.1"
    authorization = [line.partition(": ") for line in proxy.heads[0]]
    assert ("proxy-authorization", "Basic YS11c2VyOmEtd29yZA==") in [
        (name.lower(), value) for name, _, value in authorization
    ]

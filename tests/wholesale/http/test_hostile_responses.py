"""Responses that would hang, mislead or swell a client leave ours with an error, and in time."""

import gzip
import ssl

import pytest
import trustme

from support.services.script import KEY, get
from support.services.wire import Answer, Wire, dripping, endless
from wholesale.errors import ConfigurationError, ServiceError, Unavailable
from wholesale.http.client import Client
from wholesale.settings import ApiSettings

OK = b"HTTP/1.1 200 OK\r\n"
LENGTH = OK + b"Content-Length: 3\r\n\r\n"
CHUNKS = OK + b"Transfer-Encoding: chunked\r\n\r\n"
SLOWLY = 400
"""Bytes that drip: they take eight seconds, sixteen times as long as a request may."""
DEADLINE = 0.5


def client_of(wire: Wire, **settings: float) -> Client:
    """One that asks again at once."""
    asked = ApiSettings.of(base_url=wire.url(), api_key=KEY, **settings)
    return Client(asked, sleep=lambda seconds: None)


@pytest.mark.parametrize(
    "answer",
    [
        dripping(OK + b"X: ", b"x" * SLOWLY + b"\r\nContent-Length: 3\r\n\r\n[1]"),
        dripping(OK, b"Content-Length: 3\r\n" * (SLOWLY // 19) + b"\r\n[1]"),
        dripping(OK + b"Content-Length: %d\r\n\r\n[1]" % (SLOWLY + 3), b" " * SLOWLY),
        dripping(CHUNKS + b"3\r\n[1]\r\n", b"1\r\n \r\n" * (SLOWLY // 6) + b"0\r\n\r\n"),
        dripping(CHUNKS, b"0" * SLOWLY + b"3\r\n[1]\r\n0\r\n\r\n"),
        dripping(CHUNKS + b"3\r\n[1]\r\n0\r\nX: ", b"x" * SLOWLY + b"\r\n\r\n"),
    ],
    ids=["field", "head", "body", "chunks", "size of a chunk", "trailer"],
)
def test_a_response_of_a_byte_now_and_then_is_given_up_at_the_deadline(answer: Answer) -> None:
    """Each would be a good answer, were there time for it."""
    with Wire([[answer]]) as wire:
        client = client_of(wire, deadline_seconds=DEADLINE)
        with pytest.raises(Unavailable, match=r"^GET /orders got no usable response in 1 attempt"):
            get(client)

    assert (len(wire.asked), wire.finished) == (1, 0)


def test_a_handshake_of_a_byte_now_and_then_is_given_up_at_the_deadline() -> None:
    """0x16 0x03 0x03 0x40 0x00 announces 16 kB of a handshake (RFC 8446 §5.1)."""
    with Wire([[dripping(b"\x16\x03\x03\x40\x00", b"\x02" * SLOWLY)]]) as wire:
        address = wire.url().replace("http:", "https:")
        client = Client(ApiSettings.of(base_url=address, api_key=KEY, deadline_seconds=DEADLINE))
        with pytest.raises(Unavailable):
            get(client)

    assert KEY.encode() not in wire.asked[0][1]


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Content-Length: 3\r\nContent-Length: 9\r\n\r\n[1]",
        OK + b"Content-Length: 9\r\nContent-Length: 3\r\n\r\n[1]",
        OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n[1]",
        OK + b"Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\n[1]\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: identity\r\n\r\n[1]",
        OK + b"Transfer-Encoding: chunked, gzip\r\n\r\n[1]",
    ],
    ids=["two lengths", "two lengths, the longer first", "length beside no chunks",
         "longer than its chunks", "as long as its chunks", "gzip in chunks", "identity",
         "chunks in gzip"],
)  # fmt: skip
def test_an_answer_that_leaves_its_end_in_doubt_is_asked_for_again(answer: bytes) -> None:
    """RFC 9112 §6.3: one that may be two, split, is treated as an error."""
    with Wire([[answer], [LENGTH + b"[2]"]]) as wire:
        assert get(client_of(wire)) == [2]

    assert [number for number, _ in wire.asked] == [0, 1]


@pytest.mark.parametrize(
    "lengths", [b"Content-Length: 3\r\nContent-Length: 3", b"Content-Length: 3, 3"]
)
def test_a_length_that_is_named_twice_alike_is_one_length(lengths: bytes) -> None:
    """RFC 9110 §8.6 lets a recipient take the same length once."""
    with Wire([[OK + lengths + b"\r\n\r\n[1]"]]) as wire:
        assert get(client_of(wire)) == [1]


@pytest.mark.parametrize(
    "answer",
    [
        endless(OK + b"\r\n", b" " * 2**16),
        endless(CHUNKS, b"10000\r\n" + b" " * 2**16 + b"\r\n"),
        endless(OK + b"Content-Length: 99999999999999999\r\n\r\n", b" " * 2**16),
        endless(OK + b"Content-Encoding: identity\r\n\r\n", b" " * 2**16),
    ],
    ids=["to the end of the connection", "chunks", "a length beyond all memory", "identity"],
)
def test_of_an_answer_without_end_no_more_than_the_limit_is_read(answer: Answer) -> None:
    with Wire([[answer]]) as wire, pytest.raises(ServiceError) as failure:
        get(client_of(wire, max_body_bytes=2**20))

    assert str(failure.value) == (
        "GET /orders answered with more than 1,048,576 bytes, the most that is accepted:"
        " ask for a smaller page size"
    )


def test_a_gzip_bomb_is_unpacked_to_the_limit() -> None:
    bomb = gzip.compress(bytes(2**26))
    head = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    with (
        Wire([[head + bomb]]) as wire,
        pytest.raises(ServiceError, match="answered with more than 1,048,576 bytes"),
    ):
        get(client_of(wire, max_body_bytes=2**20))


def test_a_service_with_an_unknown_certificate_is_told_nothing() -> None:
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("localhost").configure_cert(served)
    with Wire([[LENGTH + b"[1]"]], tls=served) as wire:
        address = wire.url("localhost")
        client = Client(ApiSettings.of(base_url=address, api_key=KEY))
        with pytest.raises(ConfigurationError, match="certificate"):
            get(client)

    assert wire.asked == []


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1]",
        CHUNKS + b"3\r\n[1]\r\n",
        b"SSH-2.0-OpenSSH\r\n\r\n",
    ],
    ids=["nothing", "half a head", "short body", "no last chunk", "no HTTP"],
)
def test_an_answer_that_is_cut_short_is_asked_for_again(broken: bytes) -> None:
    with Wire([[broken], [LENGTH + b"[1]"]]) as wire:
        assert get(client_of(wire)) == [1]

    assert [number for number, _ in wire.asked] == [0, 1]

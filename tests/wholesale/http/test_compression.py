"""A compressed body is unpacked within bounds, and one that is broken is asked for again."""

import gzip
import json
import tracemalloc
import zlib
from functools import cache

import pytest

from support.services.script import Script, answer, get
from wholesale.errors import ServiceError, Unavailable


@pytest.mark.parametrize("encoding", ["gzip", "X-GZIP", "deflate", "identity"])
def test_a_body_is_unpacked_as_its_encoding_says(encoding: str) -> None:
    body = json.dumps(["x" * 100_000, "y"]).encode()
    packed = {"deflate": zlib.compress(body), "identity": body}.get(encoding, gzip.compress(body))
    script = Script([answer(200, packed, Content_Encoding=encoding)])

    assert get(script.client()) == ["x" * 100_000, "y"]


@pytest.mark.parametrize("at", [1, 7, 60_000])
def test_a_body_packed_in_several_members_is_one(at: int) -> None:
    body = json.dumps(["x" * 100_000, "y"]).encode()
    packed = gzip.compress(body[:at]) + gzip.compress(b"") + gzip.compress(body[at:])

    script = Script([answer(200, packed, Content_Encoding="gzip")])

    assert get(script.client()) == ["x" * 100_000, "y"]


@pytest.mark.parametrize(
    ("body", "encoding", "reason"),
    [
        (b"[]", "gzip", "its body is no gzip"),
        (
            gzip.compress(b"[1]", mtime=0)[:-9],
            "gzip",
            "its compressed body does not end where it should",
        ),
        (
            gzip.compress(b"[1]", mtime=0) + b"more",
            "gzip",
            "its compressed body does not end where it should",
        ),
        (
            zlib.compress(b"[1]") + zlib.compress(b""),
            "deflate",
            "its compressed body does not end where it should",
        ),
        (b"[]", "br", "its body is encoded as 'br', which was not asked for"),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_asked_for_again(
    body: bytes, encoding: str, reason: str
) -> None:
    script = Script([answer(200, body, Content_Encoding=encoding), answer(200, b"[1]")])
    broken = Script([answer(200, body, Content_Encoding=encoding)])

    assert get(script.client()) == [1]
    with pytest.raises(Unavailable, match=reason):
        get(broken.client(attempts=1))


@cache
def bomb(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    block = bytes(2**20)
    return b"".join(packer.compress(block) for _ in range(size // 2**20)) + packer.flush()


@pytest.mark.parametrize("status", [200, 404])
def test_a_gzip_bomb_costs_no_more_memory_than_the_limit(status: int) -> None:
    packed = bomb(200 * 2**20)
    client = Script([answer(status, packed, Content_Encoding="gzip")]).client(
        max_body_bytes=4 * 2**20
    )
    tracemalloc.start()
    try:
        with pytest.raises(ServiceError) as failure:
            get(client)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    said = {200: "answered with more than 4,194,304 bytes", 404: "answered 404 Not Found"}
    assert said[status] in str(failure.value)
    assert peak < 8 * 2**20

"""Compression: decodes gzip and deflate, in pieces of bounded size."""

import zlib
from collections.abc import Iterable, Iterator

from wholesale.http.retries import Retry

CHUNK_BYTES = 2**16
ENCODINGS = frozenset({"gzip", "x-gzip", "deflate"})
GZIP_MEMBER = b"\x1f\x8b"
"""How a member begins; there may be several, one after the other (RFC 1952, §2.2)."""
MISPLACED_END = "its compressed body does not end where it should"
GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


def inflate(sent: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    """The decoded body; what is compressed comes in pieces of at most CHUNK_BYTES, so that a zip
    bomb fills no memory.

    Raises: Retry when the body is not what its encoding says.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return sent
    if encoding not in ENCODINGS:
        raise Retry(f"its body is encoded as {encoding[:20]!r}, which was not asked for")
    return _unfold(sent, encoding)


def _unfold(sent: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    unfolding = zlib.decompressobj(GZIP_OR_ZLIB)
    try:
        for piece in sent:
            while piece:
                if unfolding.eof and (encoding == "deflate" or not _begins_member(piece)):
                    raise Retry(MISPLACED_END)
                if unfolding.eof:
                    unfolding = zlib.decompressobj(GZIP_OR_ZLIB)
                yield unfolding.decompress(piece, CHUNK_BYTES)
                piece = unfolding.unconsumed_tail or unfolding.unused_data
        yield unfolding.flush()
    except zlib.error:
        raise Retry(f"its body is no {encoding}") from None
    if not unfolding.eof:
        raise Retry(MISPLACED_END)


def _begins_member(piece: bytes) -> bool:
    """Whether another member of gzip begins here, as far as the piece goes."""
    return GZIP_MEMBER.startswith(piece[:2])

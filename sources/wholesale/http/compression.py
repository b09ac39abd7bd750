"""Compression: decodes gzip and deflate, in pieces of bounded size."""

import zlib
from collections.abc import Iterable, Iterator

from wholesale.http.retries import Retry

CHUNK_BYTES = 2**16
ENCODINGS = frozenset({"gzip", "x-gzip", "deflate"})
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
                yield unfolding.decompress(piece, CHUNK_BYTES)
                piece = unfolding.unconsumed_tail
        yield unfolding.flush()
    except zlib.error:
        raise Retry(f"its body is no {encoding}") from None
    if not unfolding.eof or unfolding.unused_data:
        raise Retry("its compressed body does not end where it should")

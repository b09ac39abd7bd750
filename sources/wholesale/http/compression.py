"""Compression: the body that was meant from the one that was sent, in pieces of bounded size."""

import zlib
from collections.abc import Iterable, Iterator

from wholesale.http.retries import Retry

CHUNK_BYTES = 2**16
ENCODINGS = frozenset({"gzip", "x-gzip", "deflate"})
GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


def inflate(sent: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    """The body in pieces of at most CHUNK_BYTES more than was sent; a bomb unfolds piece by piece.

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

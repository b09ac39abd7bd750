"""Decoder: pages in, tables out; all at once where the fast decoder can, else page by page."""

from collections.abc import Sequence

from wholesale.errors import ContentError
from wholesale.json import RawPage
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoded import Decoded, join
from wholesale.tables.fast import NotFast, decode_fast
from wholesale.tables.lines import Lines
from wholesale.tables.shapes import TableShape


def decode(pages: Lines | Sequence[RawPage], shape: TableShape) -> Decoded:
    """The tables of these pages, and the shape grown by what they showed.

    Raises: ContentError naming the page when one cannot be read at all.
    """
    lines = pages if isinstance(pages, Lines) else Lines.of(pages)
    try:
        return decode_fast(lines, shape)
    except NotFast:
        parts = []
        for page in lines:
            part = _decode_one(page, shape)
            shape = part.shape
            parts.append(part)
        return join(parts, shape)


def _decode_one(page: RawPage, shape: TableShape) -> Decoded:
    try:
        return decode_fast(Lines.of([page]), shape)
    except NotFast:
        try:
            return _decode_or_ask_again(page, shape)
        except ContentError as error:
            raise ContentError(f"page {page.number}: {error}") from None


def _decode_or_ask_again(page: RawPage, shape: TableShape) -> Decoded:
    """Decode a page; one that is no valid list is fetched again, as a broken response is. If it
    comes again as it was, it is what the service has to say."""
    try:
        return decode_carefully(page, shape)
    except ContentError:
        if page.refetch is None:
            return decode_carefully(page, shape, takes_all=True)

    def decode_again(again: RawPage) -> Decoded:
        is_as_before = again.records == page.records
        return decode_carefully(again, shape, takes_all=is_as_before)

    return page.refetch(decode_again)

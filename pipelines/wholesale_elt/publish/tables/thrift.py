"""Thrift: the part of the compact protocol that footers of Parquet files use.

Specification: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
"""

from collections.abc import Iterator, Mapping, Sequence

STOP, BOOLEANS, BYTE, INTEGERS, DOUBLE, BINARY, LIST, STRUCT = 0, (1, 2), 3, (4, 5, 6), 7, 8, 9, 12
INT64 = INTEGERS[-1]
"""Types of values; sets and maps are missing, as footers have none."""
Field = tuple[int, bytes]
"""A field of a struct: the type of its value, and the encoded value."""


class UnknownFooter(ValueError):
    """A footer with a part that cannot be moved to another file."""


def fields_of(content: bytes, at: int) -> Iterator[tuple[int, int, int, int]]:
    """Number, type, start and end of each field of the struct at that offset."""
    number = 0
    while head := content[at]:
        kind = head & 15
        at += 1
        if head >> 4:
            number += head >> 4
        else:
            number, at = read_number(content, at)
        stop = _end(content, at, kind)
        yield number, kind, at, stop
        at = stop


def elements_of(content: bytes, at: int) -> Sequence[tuple[int, int]]:
    """Start and end of each element of the list at that offset."""
    size, kind = content[at] >> 4, content[at] & 15
    at += 1
    if size == 15:
        size, at = _read_unsigned(content, at)
    found = []
    for _ in range(size):
        # As a field a boolean is a part of the header, in a list it is a byte.
        stop = at + 1 if kind in BOOLEANS else _end(content, at, kind)
        found.append((at, stop))
        at = stop
    return found


def read_number(content: bytes, at: int) -> tuple[int, int]:
    """The integer at that offset, zigzag encoded, and where it ends."""
    value, at = _read_unsigned(content, at)
    return value >> 1 ^ -(value & 1), at


def read_text(content: bytes, at: int) -> str:
    """The text at that offset."""
    size, at = _read_unsigned(content, at)
    return content[at : at + size].decode()


def struct_bytes(fields: Mapping[int, Field]) -> bytes:
    """Encode a struct of these fields."""
    written, last = bytearray(), 0
    for number, (kind, field) in sorted(fields.items()):
        written += bytes(((number - last) << 4 | kind,)) + field
        last = number
    written.append(STOP)
    return bytes(written)


def list_bytes(structs: Sequence[bytes]) -> bytes:
    """Encode a list of these structs."""
    size = len(structs)
    head = bytes((size << 4 | STRUCT,)) if size < 15 else bytes((0xF0 | STRUCT,)) + _unsigned(size)
    return head + b"".join(structs)


def number_bytes(value: int) -> bytes:
    """Encode an integer."""
    return _unsigned(value << 1 ^ value >> 63)


def text_bytes(text: str) -> bytes:
    """Encode a text."""
    content = text.encode()
    return _unsigned(len(content)) + content


def _end(content: bytes, at: int, kind: int) -> int:
    """The end of the value at that offset.

    Raises: UnknownFooter for a type that footers do not have.
    """
    if kind in INTEGERS:
        while content[at] > 127:
            at += 1
        return at + 1
    if kind == BINARY:
        size, at = _read_unsigned(content, at)
        return at + size
    if kind == STRUCT:
        while head := content[at]:
            at = _end(content, at + 1 if head >> 4 else _end(content, at + 1, INT64), head & 15)
        return at + 1
    if kind == LIST:
        elements = elements_of(content, at)
        return elements[-1][1] if elements else at + 1
    if kind in BOOLEANS:
        return at
    if kind == BYTE:
        return at + 1
    if kind == DOUBLE:
        return at + 8
    raise UnknownFooter(f"a footer has a value of kind {kind}")


def _read_unsigned(content: bytes, at: int) -> tuple[int, int]:
    """The LEB128 number at that offset, and where it ends."""
    value = shift = 0
    while (byte := content[at]) > 127:
        value |= (byte & 127) << shift
        shift += 7
        at += 1
    return value | byte << shift, at + 1


def _unsigned(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)

"""Images: what kind a file is of and how large, by its own first bytes, whatever it was called.

Vector images are none: they are documents, which may hold scripts and addresses.
"""

import struct
from dataclasses import dataclass

MOST_PIXELS, LONGEST_SIDE = 50_000_000, 20_000
"""Larger images would take a browser hundreds of megabytes."""
JPEG_SIZES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of JPEG whose segments tell the size."""
JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xDA)})
"""Markers without a segment."""


@dataclass(frozen=True, slots=True)
class Image:
    """`kind` is the ending of its file."""

    kind: str
    width: int
    height: int


def image_in(data: bytes) -> Image | None:
    """What the bytes are an image of; None if they are none that is shown, or one too large."""
    found = _found(data)
    if found is None:
        return None
    sides = (found.width, found.height)
    is_sound = min(sides) > 0 and max(sides) <= LONGEST_SIDE
    return found if is_sound and found.width * found.height <= MOST_PIXELS else None


def _found(data: bytes) -> Image | None:
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            return Image("png", *struct.unpack(">II", data[16:24]))
        if data.startswith((b"GIF87a", b"GIF89a")):
            return Image("gif", *struct.unpack("<HH", data[6:10]))
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
    except (struct.error, IndexError):
        return None
    return None


def _jpeg(data: bytes) -> Image | None:
    place = 2
    while data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF:  # a filling byte
            place += 1
        elif marker in JPEG_ALONE:
            place += 2
        elif marker in JPEG_SIZES:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return Image("jpg", width, height)
        else:
            place += 2 + struct.unpack(">H", data[place + 2 : place + 4])[0]
    return None


def _webp(data: bytes) -> Image | None:
    form = data[12:16]
    if form == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
        return Image("webp", width, height) if len(data) >= 30 else None
    if form == b"VP8L" and data[20] == 0x2F:
        bits = struct.unpack("<I", data[21:25])[0]
        return Image("webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if form == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", data[26:30])
        return Image("webp", width & 0x3FFF, height & 0x3FFF)
    return None

"""Images are told by their own bytes: their kind, and their size in pixels."""

import struct

import pytest

from wholesale_elt.pictures.images import LONGEST_SIDE, Image, image_in


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height)


def jpeg(width: int, height: int, before: bytes = b"") -> bytes:
    size = struct.pack(">HBHH", 8, 8, height, width)
    return b"\xff\xd8\xff\xe0\0\4ab" + before + b"\xff\xc2" + size


def webp(form: bytes, rest: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + form + b"\0\0\0\0" + rest


IMAGES = {
    "png": png(7, 5),
    "gif": b"GIF89a" + struct.pack("<HH", 7, 5),
    "older gif": b"GIF87a" + struct.pack("<HH", 7, 5),
    "jpg": jpeg(7, 5),
    "jpg after others": jpeg(7, 5, b"\xff\xff\xd0\xff\xc4\0\3x"),
    "webp": webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 7, 5)),
    "lossless webp": webp(b"VP8L", b"\x2f" + struct.pack("<I", 6 | 4 << 14)),
    "extended webp": webp(b"VP8X", b"\0\0\0\0" + b"\6\0\0" + b"\4\0\0"),
}


@pytest.mark.parametrize("name", IMAGES)
def test_kind_and_size_are_read(name: str) -> None:
    assert image_in(IMAGES[name]) == Image(name.split()[-1], 7, 5) or image_in(
        IMAGES[name]
    ) == Image(name.split()[0], 7, 5)


@pytest.mark.parametrize("name", IMAGES)
def test_what_ends_within_its_head_is_none(name: str) -> None:
    whole = IMAGES[name]
    for length in range(len(whole) - 3):
        found = image_in(whole[:length])
        assert found is None or found == image_in(whole)


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"<svg/>",
            b"<?xml?><svg/>",
            b"GIF88a" + bytes(9),
            b"\xff\xd8\xff\xd9",
            b"BM" + bytes(60),
        ),
        *(png(0, 5), png(LONGEST_SIDE + 1, 1), png(19_000, 19_000), jpeg(0, 0)),
        *(
            webp(b"VP8 ", bytes(20)),
            webp(b"ABCD", bytes(20)),
            b"\xff\xd8\xff\xe0\xff\xff" + bytes(9),
        ),
    ],
)
def test_anything_else_is_none(data: bytes) -> None:
    assert image_in(data) is None

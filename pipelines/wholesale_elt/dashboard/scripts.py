"""Scripts: data files as JavaScript, which is all that a page opened from a disk may load."""

import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec

ESCAPES = {
    b"<": b"\\u003c",  # no text can look like the end of a script
    "\u2028".encode(): b"\\u2028",  # ends a line for older readers of JavaScript
    "\u2029".encode(): b"\\u2029",
}


def write_script(folder: Path, name: str, content: Any) -> None:
    """Write `<folder>/<name>.js`, which passes `content` to the page under that name."""
    path = folder / f"{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"wholesale.receive(" + encode_script(name) + b"," + encode_script(content) + b");\n"
    )


def write_data(folder: Path, name: str, content: Any) -> None:
    """The same, packed: JSON, deflated, as base64. The page unpacks what it reads."""
    packed = zlib.compress(msgspec.json.encode(content))
    write_script(folder, name, b64encode(packed).decode("ascii"))


def encode_script(content: Any) -> bytes:
    """JSON that means the same as JavaScript, also within HTML."""
    encoded = msgspec.json.encode(content)
    for byte, escape in ESCAPES.items():
        encoded = encoded.replace(byte, escape)
    return encoded

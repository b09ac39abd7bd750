"""Scripts: data files as JavaScript, which is all that a page opened from a disk may load."""

import re
import shutil
import zlib
from codecs import BOM_UTF16_LE
from pathlib import Path
from typing import Any

import msgspec

ESCAPES = {
    b"<": b"\\u003c",  # no text can look like the end of a script
    "\u2028".encode(): b"\\u2028",  # ends a line for older readers of JavaScript
    "\u2029".encode(): b"\\u2029",
}
LEVEL, MEMORY = 6, 9
"""How data are deflated: as numbers, of which short ones seldom repeat those before."""
MARK, FIRST_BIT = "\uf8ff", 0x8000
MARKED = re.compile(f'[{MARK}"\\\\\n\r\u2028\u2029\ud800-\udfff]')
"""Letters that a script cannot have in a text, among them halves of such as need two."""

COMMENT = re.compile(rb"^ *(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""Whole lines of a script or a style sheet."""
INDENT = re.compile(rb"^[ \n]+", re.MULTILINE)
OF_OTHERS = "vendor"


def copy_script(source: str, target: str) -> None:
    """Copy a file of the site: its own scripts and style sheets bare."""
    path = Path(source)
    if path.suffix in (".js", ".css") and path.parent.name != OF_OTHERS:
        Path(target).write_bytes(bare(path.read_bytes()))
    else:
        shutil.copyfile(source, target)


def bare(script: bytes) -> bytes:
    """A script or style sheet without comments, indents and empty lines: neither markup nor
    statements have need of them, and no text of several lines may begin one with either."""
    return INDENT.sub(b"", COMMENT.sub(b"", script))


def write_script(folder: Path, name: str, content: Any) -> None:
    """Write `<folder>/<name>.js`, which passes `content` to the page under that name."""
    path = folder / f"{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"wholesale.receive(" + encode_script(name) + b"," + encode_script(content) + b");\n"
    )


def write_data(folder: Path, name: str, content: Any) -> None:
    """The same, packed: JSON, deflated, two bytes a letter. The page unpacks what it reads.

    A file in UTF-16 begins with a mark, and is read as such whatever a server says of it.
    """
    path = folder / f"{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, MEMORY, zlib.Z_FILTERED)
    packed = as_letters(packer.compress(msgspec.json.encode(content)) + packer.flush())
    script = f'wholesale.receive({encode_script(name).decode()},"{packed}");\n'
    path.write_bytes(BOM_UTF16_LE + script.encode("utf-16-le"))


def as_letters(content: bytes) -> str:
    """Bytes as a text that may stand in a script: the first letter says how many bytes fill up the
    last one; what may not stand there has a mark before it, and another first bit."""
    filling = len(content) % 2
    text = (content + bytes(filling)).decode("utf-16-le", "surrogatepass")
    return f"{filling}{MARKED.sub(_marked, text)}"


def _marked(found: re.Match[str]) -> str:
    return MARK + chr(ord(found[0]) ^ FIRST_BIT)


def encode_script(content: Any) -> bytes:
    """JSON that means the same as JavaScript, also within HTML."""
    encoded = msgspec.json.encode(content)
    for byte, escape in ESCAPES.items():
        encoded = encoded.replace(byte, escape)
    return encoded

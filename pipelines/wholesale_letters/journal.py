"""Journal: who was sent which letter: a file a recipient, written before it is sent and after.

No server says twice whether it took a message. So the end of a message, without which no server
takes it, is held back until `sending` is on the disk, and `taken` is written when the server has
answered. A command that was killed between the two leaves a letter that may have been taken, most
likely was, and is not sent again unless somebody asks for it. Where it was not killed and the
server did not answer, SMTP leaves the message with who sends it (RFC 5321, 4.2.5), and the next
run tries again, under the same Message-ID.
"""

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from wholesale_elt.process import private, replace

State = Literal["sending", "taken", "waiting", "refused", "doubtful", "unchanged"]
SETTLED: frozenset[State] = frozenset({"taken", "refused", "doubtful", "unchanged"})
"""States in which a letter is not sent again by itself."""


class Taken(msgspec.Struct, frozen=True):
    """The last letter that a server certainly took, and what it said."""

    version: str
    built_at: str
    digest: str


class Entry(msgspec.Struct, frozen=True):
    """What became of the letter on the last `build` of which there was one; `tries` were made of
    it. `code` is what a server answered that did not take it."""

    build: str
    version: str
    state: State
    at: datetime
    tries: int = 0
    code: int | None = None
    taken: Taken | None = None


class Journal:
    """The files, in a folder that is this user's alone; none names anybody."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> Entry | None:
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=Entry)
        except FileNotFoundError:
            return None

    def write(self, key: str, told: Entry) -> None:
        """On the disk when this returns."""
        with private():
            self._folder.mkdir(parents=True, exist_ok=True)
            text = msgspec.json.encode(told)
            replace(self._path(key), partial(Path.write_bytes, data=text))

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

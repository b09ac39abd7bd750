"""Pins: versions that stay in a folder whatever is removed, and until when each was in force.

A pin is a file in the folder `pinned`, named like the version. Others between two pinned versions
are removed, so a pin tells since when another version was in force: which one, nobody knows later.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import msgspec

from wholesale_elt.process import replace

PINNED = "pinned"
"""The folder of the pins."""
STAMP, LENGTH = "%Y%m%dT%H%M%S%fZ", 19
"""How the name of a version begins: with the moment at which it was put in force, in UTC."""


class Pin(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who pinned a version, and when the next one was put in force, if that is removed."""

    by: str = ""
    ended: datetime | None = None


def pins_in(folder: Path) -> Mapping[str, Pin]:
    """The pins in a published folder, by version. A file that is no pin is one of nobody's."""
    found = {}
    for path in sorted((folder / PINNED).glob("[!.]*")):
        try:
            found[path.name] = msgspec.json.decode(path.read_bytes(), type=Pin)
        except ValueError:
            found[path.name] = Pin()
    return found


def pin_version(folder: Path, version: str, by: str) -> None:
    """Pin it, unless it is; the caller has locked the folder, and knows that the version is there.
    It is on the disk when this returns."""
    if version not in pins_in(folder):
        _write(folder, version, Pin(by))


def unpin_versions(folder: Path, by: str | None = None, but: Collection[str] = ()) -> Sequence[str]:
    """Remove the pins of whoever pinned, or all, `but` those of these versions, and return their
    versions, each of which then goes as any other."""
    removed = [
        version
        for version, pin in pins_in(folder).items()
        if by in (None, pin.by) and version not in but
    ]
    for version in removed:
        (folder / PINNED / version).unlink()
    return removed


def note_ends(folder: Path, versions: Iterable[str], removed: Collection[str]) -> None:
    """Note in each pin when its version was followed by another one, before this is removed."""
    pins, kept = pins_in(folder), sorted(versions)
    for version, following in pairwise(kept):
        pin = pins.get(version)
        if pin and pin.ended is None and following in removed:
            _write(folder, version, Pin(pin.by, _put_in_force_at(following)))


def _put_in_force_at(version: str) -> datetime:
    return datetime.strptime(version[:LENGTH], STAMP).replace(tzinfo=UTC)


def _write(folder: Path, version: str, pin: Pin) -> None:
    (folder / PINNED).mkdir(exist_ok=True)
    replace(folder / PINNED / version, lambda new: new.write_bytes(msgspec.json.encode(pin)))

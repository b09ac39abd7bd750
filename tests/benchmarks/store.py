"""Orders written as JSON beforehand, so that a page is a slice of a file.

A store holds the orders 0 to `count`, and beside them a tenth of them edited; it serves any first
part of itself, with any smaller share edited. Building it takes no more memory than one order.
"""

import json
import mmap
import shutil
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks import orders

# Where the order ends in the verbose and in the summary file, then what `Facts` adds up.
ENTRY = struct.Struct("<QQ5q")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a complete and exact load of some orders adds up to.

    Units: `total` in hundredths, `newest` in microseconds since 1970-01-01 UTC.
    """

    orders: int
    lines: int
    quantity: int
    total: int
    comments: int
    newest: int


class Layer:
    """Some orders in a row, each followed by one byte: `verbose`, `summary`, and their `index`."""

    def __init__(self, folder: Path) -> None:
        self.index = _map(folder / "index")
        self.bodies = {True: _map(folder / "verbose"), False: _map(folder / "summary")}

    def between(self, start: int, stop: int, *, verbose: bool) -> memoryview:
        """Orders `start` to `stop`, with commas between them."""
        return self.bodies[verbose][self._end(start, verbose) : self._end(stop, verbose) - 1]

    def facts(self, number: int) -> tuple[int, ...]:
        return ENTRY.unpack_from(self.index, number * ENTRY.size)[2:]

    def _end(self, number: int, verbose: bool) -> int:
        if number == 0:
            return 0
        ends: tuple[int, ...] = ENTRY.unpack_from(self.index, (number - 1) * ENTRY.size)
        return ends[0 if verbose else 1]


class Store:
    """The first `count` orders of a built store, of which the share `changed` is edited."""

    def __init__(self, folder: Path, count: int, *, changed: float = 0.0) -> None:
        self.count = count
        self.originals = Layer(folder / "originals")
        self.edits = Layer(folder / "edits")
        written = (index for index in range(count) if orders.is_changed(index, orders.MOST_CHANGED))
        self.places = {
            index: place for place, index in enumerate(written) if orders.is_changed(index, changed)
        }
        self.edited = list(self.places)

    def page(self, number: int, limit: int, *, verbose: bool) -> list[bytes | memoryview]:
        """The page in its envelope (§2.3), in pieces that make it up when joined; the first one
        stands for page 0 too."""
        number = max(1, number)
        pages = max(1, -(-self.count // limit))
        start = min((number - 1) * limit, self.count)
        stop = min(start + limit, self.count)
        envelope = {
            "current": number,
            "previous": number - 1 if number > 1 else None,
            "next": number + 1 if number < pages else None,
            "limit": limit,
            "total_pages": pages,
            "total_count": self.count,
        }
        head = b'{"pagination":%s,"data":[' % _json(envelope)
        return [head, *self._between(start, stop, verbose), b"]}"]

    def order(self, id_: str, *, verbose: bool) -> bytes | None:
        try:
            index = orders.index_of(id_)
        except ValueError:
            return None
        if index >= self.count:
            return None
        body = b"".join(self._between(index, index + 1, verbose=True))
        return body if verbose else _json(orders.basic(json.loads(body)))

    def facts(self) -> Facts:
        every = (
            self.edits.facts(self.places[index])
            if index in self.places
            else self.originals.facts(index)
            for index in range(self.count)
        )
        facts = [0] * 4
        newest = 0
        for *addends, updated in every:
            facts = [total + addend for total, addend in zip(facts, addends, strict=True)]
            newest = max(newest, updated)
        lines, quantity, total, comments = facts
        return Facts(self.count, lines, quantity, total, comments, newest)

    def _between(self, start: int, stop: int, verbose: bool) -> Iterator[bytes | memoryview]:
        following = bisect_left(self.edited, start)
        while start < stop:
            edit = self.edited[following] if following < len(self.edited) else stop
            if edit == start:
                place = self.places[edit]
                yield self.edits.between(place, place + 1, verbose=verbose)
                start, following = start + 1, following + 1
            else:
                until = min(edit, stop)
                yield self.originals.between(start, until, verbose=verbose)
                start = until
            if start < stop:
                yield b","


def build(cache: Path, count: int) -> Path:
    """Folder of a store of at least so many orders; written when there is none."""
    version = sha256(Path(orders.__file__).read_bytes() + Path(__file__).read_bytes())
    family = cache / version.hexdigest()[:12]
    sizes = [int(path.name) for path in family.glob("*") if path.name.isdigit()]
    enough = [size for size in sizes if size >= count]
    if enough:
        return family / str(min(enough))
    folder = family / str(count)
    half = folder.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    _write(half / "originals", map(orders.order, range(count)))
    edited = (index for index in range(count) if orders.is_changed(index, orders.MOST_CHANGED))
    _write(half / "edits", map(orders.changed, edited))
    half.rename(folder)
    return folder


def _write(folder: Path, written: Iterable[orders.Order]) -> None:
    folder.mkdir(parents=True)
    with (
        (folder / "verbose").open("wb") as verbose,
        (folder / "summary").open("wb") as summary,
        (folder / "index").open("wb") as index,
    ):
        ends = [0, 0]
        for order in written:
            ends[0] += verbose.write(_json(order) + b",")
            ends[1] += summary.write(_json(orders.summary(order)) + b",")
            index.write(ENTRY.pack(*ends, *_addends(order)))


def _addends(order: orders.Order) -> tuple[int, int, int, int, int]:
    """Fields of `Facts` after the first."""
    lines = order["order_line_items"]
    return (
        len(lines),
        sum(line["quantity"] for line in lines),
        round(float(order["total"]) * 100),  # exact: it has two decimals, and is far below 2**53
        len(order["order_comments"]),
        microseconds(datetime.fromisoformat(order["updated_at"])),
    )


def microseconds(at: datetime) -> int:
    """Since 1970-01-01 UTC, exactly."""
    since = at - datetime(1970, 1, 1, tzinfo=at.tzinfo)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _map(path: Path) -> memoryview:
    if path.stat().st_size == 0:
        return memoryview(b"")
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

"""Erased: statements that lie where they were written are made again, without who was erased.

Amounts and proof ids stay. What was moved or changed since is not ours to touch, and is named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from getpass import getuser

from wholesale.api import typed_id
from wholesale.errors import counted
from wholesale_books.book import Book
from wholesale_books.settings import folder_of
from wholesale_books.statements.making import digest_of, opened, written
from wholesale_books.statements.moment import Period
from wholesale_books.statements.noted import Noted, note, noted, statements_of
from wholesale_books.statements.rows import Kind
from wholesale_books.statements.statement import statements_in
from wholesale_elt.past import past_of
from wholesale_elt.warehouse import RawReader, Warehouse


def make_again(warehouse: Warehouse, kind: str, key: str) -> Sequence[str]:
    """Make those statements again that may name a buyer or a person who was erased, or a number
    that they gave an order; what was done, and what was not reached, a sentence each.

    Raises: Damaged; as `build_as_of` does.
    """
    book = Book(folder_of(warehouse))
    latest: dict[tuple[str, ...], Noted] = {}
    for _, each in statements_of(book.read()):
        latest[each.folder, *sorted(each.files)] = each
    if not latest:
        return ()
    with warehouse.open(is_read_only=True) as raw:
        told = _Told.of(raw, kind, typed_id(key))
    groups: dict[tuple[Kind, Period], list[Noted]] = {}
    for each in latest.values():
        if each.key in told.keys(each.of):
            groups.setdefault((each.of, each.period), []).append(each)
    lines: list[str] = []
    made: list[Noted] = []
    for (of, period), some in groups.items():
        there = [each for each in some if any(each.path(name).exists() for name in each.files)]
        gone = (each for each in some if each not in there)
        lines += (f"{_name(each)} is not in {each.folder} any more: not reached" for each in gone)
        made += _again(warehouse, of, period, there, lines)
    if made:
        note(book, getuser(), made)
        lines.insert(0, f"{counted(len(made), 'statement')} made again, with the same proof ids")
    return lines


@dataclass(frozen=True, slots=True)
class _Told:
    """Of whom statements may tell of somebody: the buyers, and vendors that they ordered from."""

    buyers: frozenset[str]
    vendors: frozenset[str]

    @classmethod
    def of(cls, raw: RawReader, kind: str, key: str) -> "_Told":
        buyers = {key} if kind == "buyer" else set()
        column = "buyer_id" if kind == "buyer" else "buyer_user_id"
        vendors = set()
        for table in ("orders", past_of("orders")):
            if {column, "vendor_id"} <= set(raw.column_names(table)):
                for buyer, vendor in raw.rows(
                    f"select distinct buyer_id, vendor_id from {raw.name(table)}"
                    f" where {column} = %s",
                    key,
                ):
                    buyers.add(buyer)
                    vendors.add(vendor)
        return cls(frozenset(buyers), frozenset(vendors))

    def keys(self, of: Kind) -> frozenset[str]:
        return self.buyers if of == "buyer" else self.vendors


def _again(
    warehouse: Warehouse, of: Kind, period: Period, some: Sequence[Noted], lines: list[str]
) -> Iterator[Noted]:
    """What is noted of those that were made again; of others why not, in `lines`."""
    if not some:
        return
    with opened(warehouse, of, period, told=some[0].settings) as source:
        for each in some:
            [now] = statements_in(source, each.key)
            if now.proof != each.proof:
                lines.append(
                    f"{_name(each)} in {each.folder} was not made again, as the warehouse gives"
                    f" another one ({now.proof}): remove it, or verify it"
                )
                continue
            files = dict(each.files)
            for name, digest in each.files.items():
                path = each.path(name)
                if not path.exists() or digest_of(path) != digest:
                    what = "was changed since" if path.exists() else "is not there any more"
                    lines.append(f"{path} {what}: not reached")
                    continue
                files |= written(now, path.parent, [path.suffix.removeprefix(".")])
            if files != each.files:
                yield noted(now, path.parent, files, why="erasure")


def _name(each: Noted) -> str:
    return f"statement {each.proof} ({each.of} {each.key}, {each.day})"

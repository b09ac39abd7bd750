"""Lists: the children of each parent; a list is short, and is read whole (§4.12)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from wholesale.api import RESOURCE
from wholesale.compare import Contents, Step
from wholesale.errors import ServiceError, counted, listed
from wholesale.json import RawPage, parse
from wholesale.pages import ChildList, Fetcher, Key, Record
from wholesale.prove import MOST_CONTROLS, Absence, Proof, no_keys
from wholesale.sync.changes import Changes
from wholesale.sync.doubts import cannot_be_read
from wholesale.sync.full_records import FullRecords
from wholesale.sync.reading import Reading
from wholesale.sync.singles import MANY_UNREAD
from wholesale.tables import Keys, decode, keys_of, keys_of_texts

FIRST_STEP: Step = 1
NOT_FOUND, SHORT = "not found", "with fewer records than the parent counts"
MISCOUNTED = "with more or fewer records than counted"
FACTS = {SHORT: "variants_are_counted", MISCOUNTED: "lists_not_counted"}
"""What may be wrong with a list, and the fact that says so of the service."""
Counts = Mapping[str, int | None]
"""How many children each parent counts; None where it does not tell."""


@dataclass(slots=True)
class _Scan:
    """What one reading of the lists of all parents shows; `earlier` is the one before.

    By parent, `odd` says what is wrong with a list, by its kind and in words, and `failed` why it
    cannot be read. Of the `rows` that came, `again` are the records that came in several of them,
    `contradicted` those in several contents. `named` are the parents that the children name.
    """

    earlier: "_Scan | None"
    odd: dict[str, tuple[str, str]] = field(default_factory=dict)
    failed: dict[str, ServiceError] = field(default_factory=dict)
    with_records: dict[str, None] = field(default_factory=dict)
    named: list[Keys] = field(default_factory=list)
    rows: int = 0
    again: Keys = field(default_factory=no_keys)
    contradicted: Keys = field(default_factory=no_keys)
    lists: int = 0
    total: int | None = 0
    is_paged: bool = False

    @property
    def repeated(self) -> Keys:
        """Records that came again, which may hide others: unless they are the same in each scan, or
        their lists have one page."""
        before = self.earlier
        is_same = before and before.rows == self.rows and np.array_equal(before.again, self.again)
        return self.again if self.is_paged and not is_same else no_keys()


@dataclass(slots=True)
class ChildLists:
    """The lists of all `parents`, of which `counts` are known. `are_all`: these parents are proved
    to be all that there are. `look` as in Reader.

    Each list is proved by itself; together they are complete as of the moment before the first, if
    these were all parents then. A list that does not add up is read once more. After `read`,
    `absence` tells which stored children are gone, and `faults` what speaks against the reading.
    `pages` counts the pages read, `total` is the sum of what the lists count.
    """

    reading: Reading
    changes: Changes
    parents: Sequence[str]
    counts: Counts
    are_all: bool = False
    look: Callable[[str], None] = lambda parent: None
    proof: Proof | None = None
    faults: list[str] = field(default_factory=list)
    pages: int = 0
    total: int | None = 0
    absence: Absence = field(init=False)
    _keys: Keys = field(init=False)

    def __post_init__(self) -> None:
        reading, self._keys = self.reading, keys_of_texts(self.parents)
        self.absence = Absence(
            reading.ledger,
            FullRecords(reading, self.changes).ask,
            reading.stored.alive_keys,
            reading.stored.past.absent,
            asks_all=reading.is_full,
        )

    def read(self) -> None:
        """Raises: ServiceError."""
        at, absence = datetime.now(UTC), self.absence
        scan = self._scan()
        if len(scan.contradicted) or len(scan.repeated):  # they may have moved meanwhile
            scan = self._scan(scan)
        alive = self._ask_for(absence.missing_since(FIRST_STEP))
        if scan.failed:
            absence.withdraw(absence.gone)  # it may be in these
        elif alive:
            self.faults.append(f"{counted(alive, 'record')} there and in no list")
        if len(self._gone_of(self._keys)):  # it may have moved to another parent meanwhile
            scan = self._scan(scan)
        self.total = scan.total
        self.faults += self._faults_of(scan)
        self.faults += self.reading.twice(scan.repeated, scan.contradicted)
        if lost := self._not_found_though_there(scan):
            self.faults.append(f"{counted(len(lost), 'list')} not found though the parent is there")
            absence.withdraw(self._gone_of(keys_of_texts(lost)))
        if not self.faults:
            self.proof = Proof("count", at, FIRST_STEP)
            absence.judge_unasked(scan.rows)
        if absence.contradicts_itself(is_proved=not self.faults):
            self.proof = None
        self.faults += () if scan.failed else absence.faults

    def _ask_for(self, missing: Keys) -> int:
        """Ask for the children that no list shows, each below the parent that it had; return how
        many are alive."""
        shown = np.setdiff1d(self.absence.stored, missing, assume_unique=True)
        if self.are_all:
            self.absence.orphans = missing[~np.isin(self._parents_of(missing), self._keys)]
        return self.absence.ask_for(missing, shown[:MOST_CONTROLS])

    def _gone_of(self, parents: Keys) -> Keys:
        """The children of these parents that are gone."""
        gone = self.absence.gone
        return gone[np.isin(self._parents_of(gone), parents)]

    def _parents_of(self, children: Keys) -> Keys:
        """The parent of each of these children, as it is stored."""
        return keys_of_texts(parent or "" for parent in self.reading.stored.parents_of(children))

    def _scan(self, earlier: _Scan | None = None) -> _Scan:
        """Read the list of each parent, those that do not add up twice, and pass on what has
        changed; after another scan pages are cut otherwise. Raises: ServiceError."""
        scan, step, size = _Scan(earlier), self.reading.ledger.next_step(), self.reading.page_size
        size = max(1, size - size // 5) if earlier else size
        rows = self._take(step, scan, self._read(scan, self.parents, size, self.counts))
        if again := [*scan.odd]:
            now = self._ask_parents(again) if self.counts else {}
            counts = {of: self.counts.get(of) if now[of] is None else now[of] for of in now}
            scan.odd.clear()  # only the second reading counts
            size = max(1, size * 9 // 10)
            later = self._take(step, scan, self._read(scan, again, size, counts))
            rows = Contents.of([rows.without(later.keys), later])
        scan.rows = len(rows)
        scan.again, scan.contradicted = rows.repeated()
        return scan

    def _take(self, step: Step, scan: _Scan, pages: Iterable[RawPage]) -> Contents:
        """Take what these pages show; return their rows."""
        parent, rows = self.reading.resource.parent, list[Contents]()
        for decoded in self.reading.decoder.decode(pages):
            shown = self.changes.show(decoded)
            self.changes.note(step, shown)
            rows.append(self.changes.contents(shown))
            scan.named.append(np.unique(keys_of(decoded.root[parent.column if parent else "id"])))
            self.changes.take_listed(step, shown)
        return Contents.of(rows)

    def _read(
        self, scan: _Scan, parents: Sequence[str], size: int, counts: Counts
    ) -> Iterator[RawPage]:
        """The pages of the list of each parent. Raises: ServiceError, if most cannot be read."""
        for found in self.reading.fetcher.lists(parents, size):
            scan.lists += 1
            if found.failure:
                self.reading.tolerate(found.failure)
                scan.failed[found.parent] = found.failure
                if len(scan.failed) >= MANY_UNREAD and len(scan.failed) > scan.lists // 2:
                    raise found.failure
            elif odd := self._why_odd(found, counts.get(found.parent) or 0):
                scan.odd[found.parent] = odd
            if found.paginator:
                self.pages += found.paginator.pages
                total = found.paginator.last_total
                scan.total = None if scan.total is None or total is None else scan.total + total
            if found.pages:
                if not scan.with_records and not scan.earlier:
                    self.look(found.parent)
                scan.with_records[found.parent] = None
                scan.is_paged |= len(found.pages) > 1
            yield from found.pages

    def _why_odd(self, found: ChildList, least: int) -> tuple[str, str] | None:
        """What is wrong with a list that is not found, does not end as it names, or does not show
        as many records as it counts, each of them once, or `least`; by its kind, and in words."""
        paginator = found.paginator
        if paginator is None:
            return NOT_FOUND, found.parent
        kind, total = SHORT if found.records < least else "", least
        if paginator.fault or paginator.last_total not in (None, found.records):
            shown = decode(found.pages, self.reading.decoder.shape)
            distinct = len(np.unique(shown.ids.keys)) + len(shown.quarantined)
            if paginator.fault or distinct != paginator.last_total:
                kind, total = MISCOUNTED, paginator.last_total or 0
        why = paginator.fault or f"{found.records:,} shown, {total:,} counted"
        return (kind, f"{found.parent} ({why})") if kind else None

    def _faults_of(self, scan: _Scan) -> Iterator[str]:
        """What speaks against this reading, one sentence a kind."""
        if failures := [str(failure) for failure in scan.failed.values()]:
            yield cannot_be_read(len(failures), "list", failures[0])
        for what, fact in FACTS.items():
            if places := [place for kind, place in scan.odd.values() if kind == what]:
                remedy = self.reading.fetcher.service.remedy(fact, self.reading.resource.name)
                yield f"{counted(len(places), 'list')} {what}: {listed(places)} {remedy}"
        named = np.concatenate([no_keys(), *scan.named])
        if np.isin(self._keys, named).any():  # else they name parents by something else
            parents = np.array([*scan.with_records], object)
            if of := parents[~np.isin(keys_of_texts(parents), named)].tolist():
                yield f"{counted(len(of), 'list')} with records of other parents only: {listed(of)}"

    def _not_found_though_there(self, scan: _Scan) -> list[str]:
        """Existing parents whose child list is 404, though they do not count zero children."""
        parents = sorted(of for of, (kind, _) in scan.odd.items() if kind == NOT_FOUND)
        return [of for of, count in self._ask_parents(parents).items() if count != 0]

    def _ask_parents(self, parents: Sequence[str]) -> Counts:
        """How many children each of these parents counts now; a parent that is gone has none."""
        parent, fetcher = self.reading.resource.parent, self.reading.fetcher
        assert parent is not None, "only children have lists of parents"
        with Fetcher(fetcher.service, RESOURCE[parent.resource], fetcher.traffic) as asking:
            column = parent.count_column if self.counts else None
            return {of: _count(found, column) for of, found in asking.records(map(Key, parents))}


def _count(record: Record, column: str | None) -> int | None:
    if record is None:
        return 0
    if column is None or not isinstance(record, RawPage):
        return None
    (fields,) = parse(record.records)
    count = fields.get(column)
    return int(count) if isinstance(count, str) and count.isdigit() else None

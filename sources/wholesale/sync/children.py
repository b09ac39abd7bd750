"""Children: records with one list per parent; each list is short, and is read whole (§4.12)."""

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
from wholesale.sync.doubts import tell_unread
from wholesale.sync.full_records import FullRecords
from wholesale.sync.reading import Reading
from wholesale.sync.singles import MANY_UNREAD
from wholesale.tables import Keys, decode, keys_of, keys_of_texts

FIRST_STEP: Step = 1
NOT_FOUND, SHORT = "not found", "with fewer records than the parent counts"
MISCOUNTED = "with more or fewer records than counted"
FACTS = {SHORT: "variants_are_counted", MISCOUNTED: "lists_not_counted"}
"""What may be wrong with a list, and the fact that says so of the service."""


@dataclass(slots=True)
class ChildLists:
    """The lists of all `parents`; `counts` are the children that each parent counts, if it does.
    `are_all`: these parents are proved to be all that there are. `look` as in Reader.

    A response holds a whole list, so each list is proved by itself; together they are complete as
    of the moment before the first, if these were all parents then. A list that does not add up is
    read once more. After `read`, `absence` tells which stored children are gone, and `faults` what
    speaks against the reading. `pages` counts the pages read, `total` is the sum of what the lists
    count.
    """

    reading: Reading
    changes: Changes
    parents: Sequence[str]
    counts: Mapping[str, int | None]
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
        self.faults += scan.faults()
        self.faults += self.reading.twice(scan.repeated, scan.contradicted)
        if lost := scan.not_found_though_there():
            self.faults.append(f"{counted(len(lost), 'list')} not found though the parent is there")
            absence.withdraw(self._gone_of(keys_of_texts(lost)))
        if not self.faults:
            self.proof = Proof("count", at, FIRST_STEP)
            absence.judge_unasked(scan.rows)
        if absence.contradicts_itself(is_proved=not self.faults):
            self.proof = None
        self.faults += () if scan.failed else absence.faults

    def _scan(self, earlier: "_Scan | None" = None) -> "_Scan":
        scan = _Scan(self.reading, self.changes, self.counts, self.look, earlier)
        scan.read(self.parents)
        self.pages += scan.pages
        self.total = scan.total
        return scan

    def _ask_for(self, missing: Keys) -> int:
        """Ask for the children that no list shows, each below the parent that it had; return how
        many are alive."""
        shown = np.setdiff1d(self.absence.stored, missing, assume_unique=True)
        orphans = missing[~np.isin(self._parents_of(missing), self._keys) & self.are_all]
        return self.absence.ask_for(missing, shown[:MOST_CONTROLS], orphans=orphans)

    def _gone_of(self, parents: Keys) -> Keys:
        """The children of these parents that are gone."""
        gone = self.absence.gone
        return gone[np.isin(self._parents_of(gone), parents)]

    def _parents_of(self, children: Keys) -> Keys:
        """The parent of each of these children, as it is stored."""
        return keys_of_texts(parent or "" for parent in self.reading.stored.parents_of(children))


@dataclass(slots=True)
class _Scan:
    """One reading of the lists of all parents, those that do not add up twice.

    `failed` says why lists could not be read, by parent; `rows` is how many rows the others show.
    `earlier`: the scan before, if there was one; then pages are cut otherwise.
    """

    reading: Reading
    changes: Changes
    counts: Mapping[str, int | None]
    look: Callable[[str], None]
    earlier: "_Scan | None" = None
    pages: int = 0
    total: int | None = 0
    rows: int = 0
    failed: dict[str, ServiceError] = field(default_factory=dict)
    contradicted: Keys = field(default_factory=no_keys)
    _is_paged: bool = False
    _repeated: Keys = field(default_factory=no_keys)
    _named: list[Keys] = field(default_factory=list)
    _lists: int = 0
    _odd: dict[str, tuple[str, str]] = field(default_factory=dict)
    _with_records: dict[str, None] = field(default_factory=dict)
    _of_others: list[str] = field(default_factory=list)

    def read(self, parents: Sequence[str]) -> None:
        """Read the list of each parent, and pass on what has changed. Raises: ServiceError."""
        step, size = self.reading.ledger.next_step(), self.reading.page_size
        size = max(1, size - size // 5) if self.earlier else size
        rows = self._take(step, self._read(parents, size, self.counts))
        if again := [*self._odd]:
            counts = self._count_again(again)
            self._odd.clear()  # only the second reading counts
            later = self._take(step, self._read(again, max(1, size * 9 // 10), counts))
            rows = Contents.of([rows.without(later.keys), later])
        self.rows = len(rows)
        self._repeated, self.contradicted = rows.repeated()
        keys = np.concatenate([no_keys(), *self._named])
        if np.isin(keys_of_texts(parents), keys).any():  # else they name parents by something else
            is_named = np.isin(keys_of_texts(self._with_records), keys)
            self._of_others = np.array([*self._with_records], object)[~is_named].tolist()

    def _take(self, step: Step, pages: Iterable[RawPage]) -> Contents:
        """Take what these pages show; return their rows."""
        parent, rows = self.reading.resource.parent, list[Contents]()
        column = parent.column if parent else "id"
        for decoded in self.reading.decoder.decode(pages):
            shown = self.changes.show(decoded)
            self.changes.note(step, shown)
            rows.append(self.changes.contents(shown))
            self._named.append(np.unique(keys_of(decoded.root[column])))
            self.changes.take_listed(step, shown)
        return Contents.of(rows)

    @property
    def repeated(self) -> Keys:
        """Records that came again, which may hide others: unless they are the same in each scan, or
        their lists have one page."""
        if not self._is_paged or (
            self.earlier
            and self.earlier.rows == self.rows
            and np.array_equal(self.earlier._repeated, self._repeated)
        ):
            return no_keys()
        return self._repeated

    def faults(self) -> list[str]:
        """What speaks against this reading, one sentence a kind."""
        failures = list(map(str, self.failed.values()))
        faults = [tell_unread(len(failures), "list", failures[0])] if failures else []
        service, name = self.reading.fetcher.service, self.reading.resource.name
        for what, fact in FACTS.items():
            if places := [place for kind, place in self._odd.values() if kind == what]:
                remedy = service.remedy(fact, name)
                faults.append(f"{counted(len(places), 'list')} {what}: {listed(places)} {remedy}")
        if lists := self._of_others:
            of = listed(lists)
            faults.append(f"{counted(len(lists), 'list')} with records of other parents only: {of}")
        return faults

    def not_found_though_there(self) -> list[str]:
        """The parents whose list is not found (404) though they are there, and do not say that they
        have no children."""
        parents = sorted(of for of, (kind, _) in self._odd.items() if kind == NOT_FOUND)
        return [of for of, count in self._ask_parents(parents) if count != 0]

    def _read(
        self, parents: Sequence[str], size: int, counts: Mapping[str, int | None]
    ) -> Iterator[RawPage]:
        """The pages of the list of each parent. Raises: ServiceError, if most cannot be read."""
        for found in self.reading.fetcher.lists(parents, size):
            self._lists += 1
            if found.failure:
                self.reading.tolerate(found.failure)
                self.failed[found.parent] = found.failure
                if len(self.failed) >= MANY_UNREAD and len(self.failed) > self._lists // 2:
                    raise found.failure
            elif odd := self._why_odd(found, counts):
                self._odd[found.parent] = odd
            if found.paginator:
                self.pages += found.paginator.pages
                total = found.paginator.last_total
                self.total = None if self.total is None or total is None else self.total + total
            if found.pages:
                if not self._with_records and not self.earlier:
                    self.look(found.parent)
                self._with_records[found.parent] = None
                self._is_paged |= len(found.pages) > 1
            yield from found.pages

    def _why_odd(
        self, found: ChildList, counts: Mapping[str, int | None]
    ) -> tuple[str, str] | None:
        """What is wrong with a list that does not show as many records as it counts, each of them
        once, or fewer than its parent counts, or does not end as it names; and the list in
        words."""
        paginator, total = found.paginator, counts.get(found.parent) or 0
        if paginator is None:
            return NOT_FOUND, found.parent
        kind = SHORT if found.records < total else ""
        if paginator.fault or paginator.last_total not in (None, found.records):
            shown = decode(found.pages, self.reading.decoder.shape)
            distinct = len(np.unique(shown.ids.keys)) + len(shown.quarantined)
            if paginator.fault or distinct != paginator.last_total:
                kind, total = MISCOUNTED, paginator.last_total or 0
        why = paginator.fault or f"{found.records:,} shown, {total:,} counted"
        return (kind, f"{found.parent} ({why})") if kind else None

    def _count_again(self, parents: Sequence[str]) -> Mapping[str, int | None]:
        """How many children each of these parents counts now, or did if it does not tell now."""
        now = self._ask_parents(parents) if self.counts else ()
        return {of: self.counts.get(of) if count is None else count for of, count in now}

    def _ask_parents(self, parents: Sequence[str]) -> Sequence[tuple[str, int | None]]:
        """How many children each of these parents counts; None where it does not, and 0 where it is
        gone."""
        parent, fetcher = self.reading.resource.parent, self.reading.fetcher
        assert parent is not None, "only children have lists of parents"
        with Fetcher(fetcher.service, RESOURCE[parent.resource], fetcher.traffic) as asking:
            found = list(asking.records(map(Key, parents)))
        return [(of, self._count_in(record, parent.count_column)) for of, record in found]

    def _count_in(self, record: Record, column: str | None) -> int | None:
        if record is None:
            return 0
        if not column or not self.counts or not isinstance(record, RawPage):
            return None
        (fields,) = parse(record.records)
        count = fields.get(column)
        return int(count) if isinstance(count, str) and count.isdigit() else None

"""Children: records with one list per parent; each list is short, and is read whole (§4.12)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from wholesale.api import RESOURCE
from wholesale.compare import BEFORE, Contents, Step
from wholesale.errors import ServiceError, counted, listed
from wholesale.json import RawPage, parse
from wholesale.pages import ChildList, Fetcher, Key, Record
from wholesale.prove import CONTRADICTED, CONTROLS, Asked, Proof, no_keys
from wholesale.sync.changes import Changes
from wholesale.sync.full_records import FullRecords
from wholesale.sync.reading import MANY_UNREAD, Reading
from wholesale.sync.report import tell_unread
from wholesale.tables import Keys, Mask, decode, keys_of, keys_of_texts


@dataclass(slots=True)
class ChildLists:
    """The lists of all `parents`; `counts` are the children that each parent counts, if it does.
    `are_all`: these parents are proved to be all that there are. `look` as in Reader.

    A response holds a whole list, so each list is proved by itself; together they are complete as
    of the moment before the first, if these were all parents then. A list that does not add up is
    read once more. After `read`, `gone` are keys that are in no list and that the service answers
    with 404, `suspects` those whose absence is not settled, and `faults` what speaks against the
    reading. `pages` counts the pages read, `total` is the sum of what the lists count.
    """

    reading: Reading
    changes: Changes
    parents: Sequence[str]
    counts: Mapping[str, int | None]
    are_all: bool = False
    look: Callable[[str], None] = lambda parent: None
    proof: Proof | None = None
    gone: Keys = field(default_factory=no_keys)
    suspects: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    pages: int = 0
    total: int | None = 0
    _full_records: FullRecords = field(init=False)

    def __post_init__(self) -> None:
        self._full_records = FullRecords(self.reading, self.changes)

    def read(self) -> None:
        """Raises: ServiceError."""
        at = datetime.now(UTC)
        scan = self._scan()
        if len(scan.contradicted) or len(scan.repeated):  # they may have moved meanwhile
            scan = self._scan(scan)
        missing = self._missing()
        if len(missing):
            scan = self._ask_for(missing, scan)
        self.faults += scan.faults()
        self.faults += self.reading.twice(scan.repeated, scan.contradicted)
        if lost := scan.not_found_though_there():
            self.faults.append(f"{counted(len(lost), 'list')} not found though the parent is there")
            is_spared = np.isin(self._parents_of(self.gone), keys_of_texts(lost))
            self.suspects = np.union1d(self.suspects, self.gone[is_spared])
            self.gone = self.gone[~is_spared]
        if not self.faults:
            self.proof = Proof("count", at, 1)
        elif len(self.gone) and len(self._ask(self.gone).alive):
            self.faults.append(CONTRADICTED)
            self.suspects, self.gone = self._missing(), no_keys()

    def _scan(self, earlier: "_Scan | None" = None) -> "_Scan":
        scan = _Scan(self.reading, self.changes, self.counts, self.look, earlier)
        scan.read(self.parents)
        self.pages += scan.pages
        self.total = scan.total
        return scan

    def _missing(self) -> Keys:
        """Stored records that were not seen in this run."""
        stored = self.reading.stored.alive_keys
        is_missing: Mask = self.reading.ledger.last_seen(stored) == BEFORE
        return stored[is_missing]

    def _ask_for(self, missing: Keys, scan: "_Scan") -> "_Scan":
        """Ask for the children that this scan missed, each below the parent that it had.

        They are gone if the service answers 404 for them and not for the controls, if their parent
        is gone too, or if a full run finds no list with records. One that moved to another parent
        meanwhile is not found either, so the lists are read once more; returned is the last scan.
        """
        self.suspects = missing
        stored = self.reading.stored.alive_keys
        controls = np.setdiff1d(stored, missing, assume_unique=True)[:CONTROLS]
        asked = self._ask(np.union1d(controls, missing))
        alive = np.intersect1d(asked.alive, missing)
        if scan.failed:
            self.suspects = np.setdiff1d(missing, alive, assume_unique=True)
            return scan
        if len(alive):
            self.faults.append(f"{counted(len(alive), 'record')} there and in no list")
        if len(asked.alive) or (self.reading.is_full and not len(controls)):
            not_found = np.intersect1d(asked.not_found, missing)
        else:
            not_found = np.intersect1d(missing, self.reading.stored.past.absent)
            if self.are_all:
                is_orphan = ~np.isin(self._parents_of(asked.not_found), keys_of_texts(self.parents))
                not_found = np.union1d(not_found, asked.not_found[is_orphan])
        if np.isin(keys_of_texts(self.parents), self._parents_of(not_found)).any():
            scan = self._scan(scan)
        self.gone = np.intersect1d(not_found, self._missing())
        self.suspects = np.setdiff1d(self._missing(), self.gone)
        return scan

    def _ask(self, keys: Keys) -> Asked:
        return self._full_records.ask(self.reading.ledger.next_step(), keys)

    def _parents_of(self, children: Keys) -> Keys:
        """The parent of each of these children, as it is stored."""
        return keys_of_texts(parent or "" for parent in self.reading.stored.parents_of(children))


@dataclass(slots=True)
class _Scan:
    """One reading of the lists of all parents, those that do not add up twice.

    `not_found` are the parents whose lists are (404), `failed` says why others could not be read.
    `earlier`: the scan before, if there was one; then pages are cut otherwise.
    """

    reading: Reading
    changes: Changes
    counts: Mapping[str, int | None]
    look: Callable[[str], None]
    earlier: "_Scan | None" = None
    pages: int = 0
    total: int | None = 0
    not_found: set[str] = field(default_factory=set)
    failed: dict[str, ServiceError] = field(default_factory=dict)
    contradicted: Keys = field(default_factory=no_keys)
    _again: list[str] = field(default_factory=list)
    _is_paged: bool = False
    _rows: int = 0
    _repeated: Keys = field(default_factory=no_keys)
    _named: list[Keys] = field(default_factory=list)
    _lists: int = 0
    _short: list[str] = field(default_factory=list)
    _miscounted: list[str] = field(default_factory=list)
    _with_records: list[str] = field(default_factory=list)
    _of_others: list[str] = field(default_factory=list)

    def read(self, parents: Sequence[str]) -> None:
        """Read the list of each parent, and pass on what has changed. Raises: ServiceError."""
        step, size = self.reading.ledger.next_step(), self.reading.page_size
        size = max(1, size - size // 5) if self.earlier else size
        rows = self._take(step, self._first(parents, size))
        if self._again:
            later = self._take(step, self._second(max(1, size * 9 // 10)))
            rows = Contents.of([rows.without(later.keys), later])
        self._rows = len(rows)
        self._repeated, self.contradicted = rows.repeated()
        keys = np.concatenate([no_keys(), *self._named])
        if np.isin(keys_of_texts(parents), keys).any():  # else they name parents by something else
            is_named = np.isin(keys_of_texts(self._with_records), keys)
            self._of_others = np.array(self._with_records, object)[~is_named].tolist()

    def _take(self, step: Step, lists: Iterable[ChildList]) -> Contents:
        """Take what these lists show; return their rows."""
        parent, rows = self.reading.resource.parent, list[Contents]()
        column = parent.column if parent else "id"
        for decoded in self.reading.decoder.decode(self._pages(lists)):
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
        earlier = self.earlier or self
        is_same = earlier is not self and earlier._rows == self._rows
        is_same = is_same and np.array_equal(earlier._repeated, self._repeated)
        return no_keys() if is_same or not self._is_paged else self._repeated

    def faults(self) -> list[str]:
        """What speaks against this reading, one sentence a kind."""
        failures = list(map(str, self.failed.values()))
        faults = [tell_unread(len(failures), "list", failures[0])] if failures else []
        service, name = self.reading.fetcher.service, self.reading.resource.name
        for places, what, fact in (
            (self._short, "with fewer records than the parent counts", "variants_are_counted"),
            (self._miscounted, "with more or fewer records than counted", "lists_not_counted"),
        ):
            if places:
                remedy = service.remedy(fact, name)
                faults.append(f"{counted(len(places), 'list')} {what}: {listed(places)} {remedy}")
        if lists := self._of_others:
            of = listed(lists)
            faults.append(f"{counted(len(lists), 'list')} with records of other parents only: {of}")
        return faults

    def not_found_though_there(self) -> list[str]:
        """The parents whose list is not found (404) though they are there, and do not say that they
        have no children."""
        with self._parents_fetcher() as fetcher:
            return [
                key
                for key, found in fetcher.records(Key(id) for id in sorted(self.not_found))
                if found is not None and self._count_in(found) != 0
            ]

    def _first(self, parents: Sequence[str], size: int) -> Iterator[ChildList]:
        """The list of each parent; those that do not add up are to be read again."""
        for found in self.reading.fetcher.lists(parents, size):
            if found.is_not_found or not self._adds_up(found, self.counts):
                self._again.append(found.parent)
            if found.pages and not self._with_records and not self.earlier:
                self.look(found.parent)
            yield found

    def _second(self, size: int) -> Iterator[ChildList]:
        """The lists that did not add up once more, after which only this reading counts."""
        counts = self._count_again(self._again)
        for found in self.reading.fetcher.lists(self._again, size):
            if found.paginator and not self._adds_up(found, counts):
                is_short = not self._miscounts(found)
                total = counts[found.parent] if is_short else found.paginator.last_total
                why = found.paginator.fault or f"{found.records:,} shown, {total:,} counted"
                (self._short if is_short else self._miscounted).append(f"{found.parent} ({why})")
            yield found

    def _adds_up(self, found: ChildList, counts: Mapping[str, int | None]) -> bool:
        """Whether a list shows as many records as it counts, and no fewer than its parent does."""
        if found.failure:
            return True  # it is told as such
        return not self._miscounts(found) and found.records >= (counts.get(found.parent) or 0)

    def _miscounts(self, found: ChildList) -> bool:
        """Whether a list did not end as it names, or shows another number of records than it
        counts, each of them once."""
        paginator = found.paginator
        assert paginator is not None, "only a list that was read counts its records"
        if paginator.fault or paginator.last_total in (None, found.records):
            return bool(paginator.fault)
        shown = decode(found.pages, self.reading.decoder.shape)
        return len(np.unique(shown.ids.keys)) + len(shown.quarantined) != paginator.last_total

    def _count_again(self, parents: Iterable[str]) -> Mapping[str, int | None]:
        """How many children each of these parents counts now, or did if it does not tell now."""
        if not self.counts:
            return {}
        with self._parents_fetcher() as fetcher:
            found = fetcher.records(Key(parent) for parent in parents)
            now = {parent: self._count_in(record) for parent, record in found}
        return {of: self.counts.get(of) if count is None else count for of, count in now.items()}

    def _count_in(self, record: Record) -> int | None:
        """How many children a parent counts; None where it does not, and 0 where it is gone."""
        parent = self.reading.resource.parent
        if record is None:
            return 0
        if not self.counts or not parent or not isinstance(record, RawPage):
            return None
        (fields,) = parse(record.records)
        count = fields.get(parent.count_column)
        return int(count) if isinstance(count, str) and count.isdigit() else None

    def _parents_fetcher(self) -> Fetcher:
        parent = self.reading.resource.parent
        assert parent is not None, "only children have lists of parents"
        fetcher = self.reading.fetcher
        return Fetcher(fetcher.service, RESOURCE[parent.resource], fetcher.traffic)

    def _pages(self, lists: Iterable[ChildList]) -> Iterator[RawPage]:
        """The pages of all lists. Raises: ServiceError, if most cannot be read."""
        for found in lists:
            self._lists += 1
            self.not_found.discard(found.parent)
            if found.is_not_found:
                self.not_found.add(found.parent)
            elif found.failure:
                self.reading.tolerate(found.failure)
                self.failed[found.parent] = found.failure
                if len(self.failed) >= MANY_UNREAD and len(self.failed) > self._lists // 2:
                    raise found.failure
            if found.paginator:
                self.pages += found.paginator.pages
                total = found.paginator.last_total
                self.total = None if self.total is None or total is None else self.total + total
            if found.pages:
                self._with_records.append(found.parent)
                self._is_paged |= len(found.pages) > 1
            yield from found.pages

"""Reader: reads one resource until it is proved complete as of some moment."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from random import Random
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.api import Resource
from wholesale.compare import (
    BEFORE,
    LIST_OF_OBJECTS,
    NOTHING,
    Ledger,
    Stored,
    unlike_columns,
    versions_of,
)
from wholesale.errors import (
    ContentError,
    NoRecords,
    NotFound,
    Unavailable,
    Unprocessable,
    counted,
    listed,
)
from wholesale.http import Traffic
from wholesale.pages import Fetcher, Service
from wholesale.privacy import STORE_ALL, Masking
from wholesale.prove import Course, Head, HeadRefused, Proof, may_stop_early
from wholesale.sync.batches import Batch, BatchDecoder, Merge
from wholesale.sync.changes import Changes, See
from wholesale.sync.children import ChildLists
from wholesale.sync.listing import ServiceListing
from wholesale.sync.reading import Reading
from wholesale.sync.report import FULL_READ, MANIFEST, Observe, Report
from wholesale.tables import (
    KEY,
    Ids,
    Keys,
    TableShape,
    concat,
    find,
    keys_of_texts,
)

log = logging.getLogger("wholesale.reader")

LEAST_SILENT = 2
"""Fewer records that were edited silently tell nothing of others."""
PAGES_COMPARED = 20
"""Pages of a list in which those of its rows are looked for that contradict full records."""


class Reader:
    """The reading of one resource in one run.

    `report` accounts for it; `gone` are the ids of stored records that are proved to be deleted.

    - `stored`: what the destination holds.
    - `is_full`: every record is read and passed on, changed or not.
    - `masking`: removes what may not be stored.
    - `traffic`: counts the requests.
    """

    def __init__(
        self,
        service: Service,
        resource: Resource,
        shape: TableShape,
        *,
        stored: Stored = NOTHING,
        is_full: bool = False,
        masking: Masking = STORE_ALL,
        traffic: Traffic | None = None,
        observe: Observe | None = None,
    ) -> None:
        self.resource = resource
        self.report = Report.of(resource, observe, service.with_remedies)
        self.report.traffic = traffic or self.report.traffic
        self.gone: set[str] = set()
        self._service = service
        self.stored = stored
        self._ledger = Ledger()
        self._reading = Reading(
            resource,
            Fetcher(service, resource, self.report.traffic),
            BatchDecoder(
                resource,
                shape.in_zone(service.profile.time_zone),
                self.report,
                masking,
                stored.ids.others,
                service.profile.list_only_fields if resource.summary else (),
            ),
            stored,
            self._ledger,
            self.report,
            is_full,
        )
        self._changes = Changes(self._reading)
        self.listing = ServiceListing(self._reading, self._changes)

    @property
    def fetcher(self) -> Fetcher:
        """Holds the connections of this reading, within its `with` block."""
        return self._reading.fetcher

    @property
    def shape(self) -> TableShape:
        """The shape of the tables, with the columns found so far."""
        return self._reading.decoder.shape

    @property
    def late(self) -> list[Batch]:
        """Records that came again in another state; to be merged after all others."""
        return self._changes.late

    def read(self, merge: Merge, see: See | None = None) -> None:
        """Read a resource that has one list, and pass on what has to be merged; `see` is shown all
        records.

        Raises: ServiceError when a page cannot be read; what was passed on before stays valid.
        """
        self._changes.merge = merge
        self._changes.see = see or self._changes.see
        with self.fetcher:
            try:
                if self.stop_early():
                    self.report.wanted = self.due
                    self.listing.ask(self._ledger.next_step(), self._ledger.due())
                if not self.report.proof or self.due:
                    self._read_course()
            except (Unavailable, ContentError) as failure:
                if isinstance(failure, ContentError) and not len(self._ledger):
                    raise  # something else than the service answers
                self._reading.tolerate(failure)
                with suppress(Unavailable, ContentError):
                    self.listing.read_what_comes(self._ledger.next_step())
                raise
        self._finish()

    def read_lists(
        self,
        parents: Sequence[str],
        counts: Mapping[str, int | None],
        merge: Merge,
        *,
        are_all: bool = False,
        look: Callable[[str], None] = lambda parent: None,
    ) -> None:
        """Read the child lists of these parents; `counts` are the children that each of them
        counts, where it counts any, and `are_all` says that they are proved to be all parents.
        `look` is called with the first parent that has children, before these are taken.

        Raises: ServiceError.
        """
        self._changes.merge = merge
        lists = ChildLists(self._reading, self._changes, parents, counts, are_all, look)
        with self.fetcher:
            lists.read()
        self._bury(lists.gone)
        self.report.see_lists(lists.pages, lists.total)
        self.report.proof = lists.proof
        refused = np.setdiff1d(self._ledger.due(), lists.gone, assume_unique=True)
        self._account_for(refused, lists.suspects)
        self.report.faults += lists.faults
        self._finish()

    def read_again(self, merge: Merge, ids: Ids) -> Ids:
        """Read these records by their ids, as they are now, and pass on what has to be merged;
        return those that are 404. That proves nothing, nor that those are deleted.

        One that is older than what is stored is refused: a replica that lags may have answered, and
        no list tells which of the two is right.
        Raises: ServiceError.
        """
        version = self.resource.version.value
        assert version is not None
        older: list[Ids] = []

        def merge_unless_older(batch: Batch) -> None:
            found = batch.decoded.ids
            is_older = self.stored.is_newer(found.keys, versions_of(batch.decoded.root[version]))
            older.append(found.take(is_older))
            merge(Batch(batch.decoded.keep(pa.array(~is_older)), batch.is_known[~is_older]))

        self._changes.merge = merge_unless_older
        self._reading.decoder.texts.update(ids.others)
        keys = np.unique(ids.keys)
        with self.fetcher:
            if not self._reading.decoder.summary_columns:  # full records are compared in these
                self.listing.peek(self._ledger.next_step(), 0)
            self._ledger.doubt_unread()  # a row of the list that is as stored does not show all
            asked = self.listing.ask(self._ledger.next_step(), keys)
            self._account_for(np.intersect1d(self._ledger.due(), keys), np.empty(0, KEY))
        self._note_unread(keys)
        if refused := sorted(concat(older).texts()):
            fault = f"{counted(len(refused), 'record')} in an older version than is stored"
            self.report.faults.append(f"{fault}: run `wholesale sync {self.resource.name}`")
            self.report.refused = tuple(sorted({*self.report.refused, *refused}))
        self.report.ids_seen = len(asked.alive)
        self.report.finish()
        return self._reading.ids(asked.not_found)

    def updated_since(self, moment: datetime) -> Ids:
        """The records that a list that begins with the newest change shows to be updated since.

        Raises: ServiceError, also for a list that goes on beyond all that it may hold.
        """
        version = self.resource.version.value
        assert version is not None
        found, step, query = [], self._ledger.next_step(), self._reading.query
        with self.fetcher as fetcher:
            paginator = fetcher.paginator(query, self._reading.page_size)
            while not paginator.is_ended:
                try:
                    page, decoded = self.listing.peek(step, paginator.pages)
                except (NotFound, Unprocessable):
                    break  # the list ends with a full page
                is_since = pc.fill_null(pc.greater_equal(decoded.root[version], moment), True)
                found.append(decoded.keep(is_since).ids)
                if not pc.any(is_since).as_py() or not page.fills(self._reading.page_size):
                    break
                if paginator.see(page):
                    fetcher.refuse_to_go_on(paginator, query)
        return concat(found)

    def has_lists(self, parents: Sequence[str]) -> bool:
        """Whether one of these parents has children; nothing is passed on."""
        with self.fetcher as fetcher:
            found = fetcher.lists(parents, self._reading.page_size)
            return any(
                child_list.pages or not isinstance(child_list.failure, NoRecords | None)
                for child_list in found
            )

    def alive(self) -> Ids:
        """The records that were seen alive and are not gone since."""
        keys = self._ledger.alive()
        gone = keys_of_texts(self.gone)
        return self._reading.ids(np.setdiff1d(keys, gone, assume_unique=True))

    def stop_early(self) -> bool:
        """Read only the head of the list, if that is enough, and return whether it was: then
        everything new or changed is due in the ledger."""
        reading, version = self._reading, self._reading.version
        may_stop = reading.profile.newest_change_first and may_stop_early(self.stored.past)
        if not may_stop or version is None or reading.is_full or not reading.has_summaries:
            return False
        ledger = self._ledger
        head = Head(self.stored, version, lambda at: self.listing.peek(ledger.next_step(), at))
        try:
            complete_as_of = head.read(Random(self.report.started_at.isoformat()))
        except HeadRefused as reason:
            log.info("%s: the whole list is read, as %s", self.resource.name, reason)
            return False
        self.report.stop_early(Proof("head", complete_as_of, ledger.step), head.total)
        return True

    def list_due(self) -> int:
        """Scan the list for what is new or changed; return how many stored records it lacks."""
        self.listing.probe(self._ledger.next_step(), 0)
        self.listing.scan(self._ledger.next_step())
        return int(np.count_nonzero(self._ledger.last_seen(self.stored.alive_keys) == 0))

    @property
    def due(self) -> int:
        """How many records are to be read in full."""
        return len(self._ledger.due())

    def count_differing(self, written: Ids) -> None:
        """Count the known records that differed when the destination compared them whole.

        Those of them that were audited were edited silently: no field of their summary changed.
        """
        self.report.changed = len(written)
        is_silent = find(self.listing.audited, written.keys)[1]
        self.report.silent = int(np.count_nonzero(is_silent))

    @property
    def audit_finds_most_changed(self) -> bool:
        """Whether most of the audited records had been edited silently, as by a new release of the
        service that sends them otherwise; then most other records have been, too.

        Not if earlier audits found as many: then the service sends something else each time.
        """
        silent = self.report.silent or 0
        is_most = silent >= LEAST_SILENT and 2 * silent > self.report.audited
        return is_most and not self.stored.past.is_restless

    def following(self, earlier: Self) -> Self:
        """This reading, which read all again; its report accounts for the earlier one too."""
        self.report.follow(earlier.report)
        return self

    def _read_course(self) -> None:
        if self.resource.summary:
            self.report.strategy = FULL_READ if self._reading.is_full else MANIFEST
        course = Course(
            self._ledger,
            self.listing,
            self.stored.alive_keys,
            self.stored.past.absent,
            self._reading.page_size,
            can_ask=self.resource.get_endpoint is not None,
            has_summaries=self._reading.has_summaries,
            is_stored_proved=self.stored.past.is_proved,
            is_counted=self._service.profile.counts(self.resource.name),
            asks_all=self._reading.is_full,
            absent_share=self._service.client.settings.absent_share,
        )
        course.read()
        self._bury(course.gone)
        self.report.proof = course.proof
        self._account_for(course.refused, course.suspects)
        self.report.faults += course.faults
        if course.proof and len(course.suspects) and not course.can_ask:
            self.report.faults.append(
                f"the list lacks {len(course.suspects):,} of"
                f" {counted(len(course.stored), 'stored record')}, and none can be asked for by its"
                f" id: run `wholesale sync {self.resource.name} --full` if they were deleted"
            )
        last = course.scans[-1]
        self.report.faults += [last.fault] if last.fault else []
        if not course.proof:
            self.report.faults += self._reading.twice(last.repeated, last.contradicted)
        self.report.mismatch = course.mismatch
        if course.mismatch and course.is_miscounted and not len(last.contradicted):
            remedy = self._service.remedy("lists_not_counted", self.resource.name)
            self.report.mismatch += f" {remedy}"
        self._learn_the_order()

    def _account_for(self, refused: Keys, suspects: Keys) -> None:
        """Say in the report which records came only incomplete or contradicting the list, what is
        wrong with them, and which are missing or cannot be read."""
        self.report.suspects = tuple(sorted(self._reading.ids(suspects).texts()))
        self._note_unread(np.union1d(refused, suspects))
        refused = np.setdiff1d(refused, self._reading.unread_keys, assume_unique=True)
        self.report.refused = tuple(sorted(self._reading.ids(refused).texts()))
        for names, keys in sorted(self.report.refused_without.items()):
            if lacking := len(keys.intersection(refused.tolist())):
                remedy = self._remedy_of(names)
                self.report.faults.append(f"{counted(lacking, 'record')} without {names} {remedy}")
        if unlike := self._unlike():
            fields = [f"{self.resource.name}.{name}" for name in unlike]
            remedy = self._service.remedy("unlike_fields", *fields)
            self.report.faults.append(f"the list shows another {', '.join(unlike)} {remedy}")

    def _remedy_of(self, lacking: str) -> str:
        """What to do where records lack this list, or these columns."""
        if lacking.startswith(LIST_OF_OBJECTS):
            return "(kept in _extra)"
        for child in self.shape.children:
            if child.field == lacking:
                return self._service.remedy("empty_lists_left_out", child.table)
        return self._service.remedy("lists_in_short", self.resource.name)

    def _unlike(self) -> list[str]:
        """The columns in which rows of the list contradict full records, by the first such record
        that one of the first pages shows."""
        refused = [decoded for decoded in self.report.unlike if len(decoded.root)]
        if not refused or not self._reading.has_summaries:
            return []
        full = pa.concat_tables([part.root for part in refused], promote_options="default")
        pages = -(-self.listing.listed // self._reading.page_size)
        with suppress(NotFound, Unprocessable):  # the list is shorter by now
            for index in range(min(PAGES_COMPARED, pages)):
                _, listed = self.listing.peek(self._ledger.next_step(), index)
                if names := unlike_columns(listed.root, full, self.resource.summary):
                    return names
        return []

    def _learn_the_order(self) -> None:
        """Note in the profile whether an edit was seen to move an order to the head of the list."""
        profile, order = self._service.profile, self.listing.order
        moves = order and order.moves_edits(profile.newest_change_first)
        if moves is not None:
            self._service.observe(newest_change_first=moves)

    def _finish(self) -> None:
        """Complete the report, with the numbers of records deleted and alive after this."""
        self.report.deleted = len(self.gone)
        self.report.alive = self.stored.alive + self.report.added - len(self.gone)
        self.report.ids_seen = len(self._ledger)
        self.report.audited = len(self.listing.audited)
        if age := self.report.traffic.oldest_seconds:
            self.report.doubt(
                f"responses came out of a cache, up to {age:,} s old: ask whoever runs the service"
                " to let `no-cache` through"
            )
        self._doubt_what_is_unread()
        self._doubt_what_is_nested()
        self.report.finish()

    def _doubt_what_is_unread(self) -> None:
        """Doubt a documented field that few records or none can be read in, now or when those that
        have it came last; not one that may not be stored."""
        service, tables = self._service, {table.table for table in self.shape.tables}
        known = {name for name in service.profile.unread if name.partition(".")[0] in tables}
        found = self.report.readable.unreadable(known)
        found = frozenset(name for name in found if self._is_kept(name))
        service.observe(unread=service.profile.unread - known | found)
        if names := sorted(found - service.profile.unreadable_fields):
            self.report.unread_contents.append(
                f"few values or none can be read of {listed(names)}: they are in _extra"
                f" {service.remedy('unreadable_fields', *names)}"
            )

    def _is_kept(self, name: str) -> bool:
        table, _, column = name.partition(".")
        return self._reading.decoder.masking.keeps(table, column)

    def _doubt_what_is_nested(self) -> None:
        """Doubt the records inside others that the list does not show."""
        for name, ids in self.report.nested.items():
            keys = np.unique(keys_of_texts(ids))
            missing = int(np.count_nonzero(self._ledger.last_seen(keys) == BEFORE))
            if missing and name not in self._service.profile.nested_records:
                self.report.unread_contents.append(
                    f"{counted(missing, 'record')} inside others, in {name}, and not in the list"
                    f" {self._service.remedy('nested_records', name)}"
                )

    def _note_unread(self, needed: Keys) -> None:
        """Say in the report which of the records that are needed cannot be read, and why."""
        keys = np.intersect1d(needed, self._reading.unread_keys, assume_unique=True)
        why = [self._reading.unread[key] for key in keys.tolist()]
        ids = self._reading.ids(keys).texts()
        self.report.unread = dict(sorted(zip(ids, why, strict=True)))

    def _bury(self, keys: Keys) -> None:
        """Add those of these records that the destination has to `gone`."""
        is_there = find(self.stored.alive_keys, keys)[1] | self._ledger.is_read(keys)
        self.gone |= set(self._reading.ids(keys[is_there]).texts())
